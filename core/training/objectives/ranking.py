"""Multiple negatives ranking: in a batch of pairs, each text finds its own partner.

Henderson et al., "Efficient Natural Language Response Suggestion for Smart Reply" (arXiv
1705.00652); the same form is InfoNCE (arXiv 1807.03748). With cosines c(i, j) of the
first text of pair i and candidate j

    loss_i = −log( exp(s · c(i, i)) / Σ_j exp(s · c(i, j)) )

Candidates are the second texts of all pairs and, where examples have three columns, all third
texts; s is `scale`, the inverse of a temperature. `symmetric` takes the mean of this and of the
same from each second text to all first texts, as CLIP does (arXiv 2103.00020).

A candidate that may mean the same is no negative. Left out of the sum are, for pair i,
 - every text that stands in a pair that shares a text with pair i (pair i is one of these): copies
   of either text, other partners of the same text, partners of partners;
 - what `Batch.apart` bars: decided and gold pairs that the batch does not show;
 - texts of examples with weight 0.
The third text of one example may be so barred from another, or from its own when it is a copy. A
pair without a negative left has loss 0 and no gradient.

Shapes: two or three (n, d), no target. Data: pairs that mean the same, with or without a third text
that does not. Prefer it for search, and where there are thousands of positives and next to no
judged differences; larger batches teach more. It says which text is nearest and nothing about how
near: where a threshold decides, hold it to the old encoder or finish with scores. In a corpus full
of undecided duplicates unseen false negatives remain. Without anything barred it is
sentence-transformers' MultipleNegativesRankingLoss. This module loads torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import torch

from core.training.objectives.choices import RankingChoices
from core.training.objectives.geometry import unit
from core.training.objectives.objective import Batch, Objective


@dataclass(frozen=True, slots=True)
class Ranking(Objective):
    """Cross-entropy of finding one's partner among the other texts of the batch."""

    choices: RankingChoices = field(default_factory=RankingChoices)
    name: ClassVar[str] = "ranking"

    @property
    def columns(self) -> int:
        return 3 if self.choices.negatives else 2

    @property
    def whole_batch(self) -> bool:
        return True

    def losses(
        self, vectors: Sequence[torch.Tensor], batch: Batch, head: torch.nn.Module | None
    ) -> torch.Tensor:
        first, *others = (unit(some) for some in vectors)
        logits = self.choices.scale * first @ torch.cat(others).T
        forward = _found(logits, barred(batch))
        if not self.choices.symmetric:
            return forward
        return (forward + _found(logits[:, : len(first)].T, barred_back(batch))) / 2


def barred(batch: Batch) -> torch.Tensor:
    """Return (n, n * (columns − 1)) of bool: which candidates are no negatives of which pair."""
    others = batch.texts[1:]
    never = _akin(batch, torch.cat(others)) | (batch.weight <= 0).repeat(len(others))
    return never if batch.apart is None else never | batch.apart


def barred_back(batch: Batch) -> torch.Tensor:
    """Return (n, n) of bool: which first texts are no negatives of which pair's second text."""
    never = _akin(batch, batch.texts[0]) | (batch.weight <= 0)
    return never if batch.apart is None else never | batch.apart[:, : len(never)].T


def _akin(batch: Batch, texts: torch.Tensor) -> torch.Tensor:
    """True at [i, c] where text c stands in a pair that shares a text with pair i."""
    first, second = batch.texts[:2]
    pairs = torch.stack((first, second))
    shares = (pairs[:, None, :, None] == pairs[None, :, None, :]).flatten(0, 1).any(0)
    shares = shares & (batch.weight > 0)  # a pair without weight is no evidence
    stands = (first[:, None] == texts) | (second[:, None] == texts)
    return (shares.float() @ stands.float()) > 0


def _found(logits: torch.Tensor, never: torch.Tensor) -> torch.Tensor:
    """Return (n,): cross-entropy of candidate i for row i among those that are not barred."""
    own = torch.arange(len(logits), device=logits.device)
    never = never.clone()
    never[own, own] = False
    return torch.nn.functional.cross_entropy(
        logits.masked_fill(never, -torch.inf), own, reduction="none"
    )
