"""Forward passes over pairs, packed without padding or padded. This module loads torch."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.encoders.packing import (
    Run,
    first_position,
    packed_states,
    padded_rows,
    prepare_packing,
    runs_of,
)

Head = Callable[[torch.Tensor], torch.Tensor]  # (pairs, 1, hidden) to (pairs, labels)


@dataclass(frozen=True, slots=True)
class Forward:
    """A model that tells the logits of pairs; make one with `forward_of`."""

    model: Any
    head: Head | None  # None: padded, by the whole model
    pools_mean: bool
    padding: int

    @property
    def is_packed(self) -> bool:
        return self.head is not None

    def __call__(
        self, row: NDArray[np.int32], types: NDArray[np.int32] | None, lengths: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return the logits, (pairs, labels), of pairs that lie one after another in `row`."""
        with torch.inference_mode():
            tokens = torch.from_numpy(row.astype(np.int64)).to(self.model.device)
            kinds = None
            if types is not None:
                kinds = torch.from_numpy(types.astype(np.int64)).to(self.model.device)
            runs = runs_of(lengths)
            logits = self.logits(tokens, kinds, runs).float().cpu().numpy()
        found: NDArray[np.float32] = logits
        return found

    def logits(
        self, tokens: torch.Tensor, types: torch.Tensor | None, runs: list[Run]
    ) -> torch.Tensor:
        if self.head is None:
            return _padded_logits(self.model, tokens, types, runs, padding=self.padding)
        states = packed_states(
            self.model.base_model,
            tokens,
            runs,
            first_position=first_position(self.model.config),
            types=types,
        )
        pooled = [part.mean(1, keepdim=True) if self.pools_mean else part[:, :1] for part in states]
        return self.head(torch.cat(pooled))


def forward_of(model: Any, *, padding: int, has_types: bool) -> Forward:
    """Return the packed forward pass of a model, the padded one where packing does not agree."""
    padded = Forward(model, None, pools_mean=False, padding=padding)
    head = _head_of(model)
    if head is None:
        return padded
    ordinary = model.config._attn_implementation
    mean = getattr(model.config, "classifier_pooling", "cls") == "mean"
    packed = Forward(model, head, pools_mean=mean, padding=padding)
    lengths = np.array([5, 5, 9], np.int64)
    row = (np.arange(lengths.sum()) + padding + 1) % model.config.vocab_size
    types = (np.arange(lengths.sum()) % 2).astype(np.int32) if has_types else None
    before = padded(row.astype(np.int32), types, lengths)
    if prepare_packing(model.base_model):
        after = packed(row.astype(np.int32), types, lengths)
        tolerance = 1e-4 if model.dtype == torch.float32 else 5e-2
        if np.abs(after - before).max() <= tolerance * max(1.0, float(np.abs(before).max())):
            return packed
        model.base_model.set_attn_implementation(ordinary)
    return padded


def _head_of(model: Any) -> Head | None:
    """What follows the states of the first token, by architecture; None where it is not known."""
    kind = model.config.model_type
    if kind == "bert":
        return lambda states: model.classifier(model.bert.pooler(states))
    if kind in ("roberta", "xlm-roberta"):
        return lambda states: model.classifier(states)
    if kind == "distilbert":
        return lambda states: model.classifier(torch.relu(model.pre_classifier(states[:, 0])))
    if kind == "modernbert":
        return lambda states: model.classifier(model.head(states[:, 0]))
    return None


def _padded_logits(
    model: Any, tokens: torch.Tensor, types: torch.Tensor | None, runs: list[Run], *, padding: int
) -> torch.Tensor:
    ids, mask = padded_rows(tokens, runs, padding=padding)
    told = {} if types is None else {"token_type_ids": padded_rows(types, runs, padding=0)[0]}
    logits: torch.Tensor = model(input_ids=ids, attention_mask=mask, **told).logits
    return logits
