"""Judged pairs again, in other words: the baseline that Augmented SBERT is held against.

Contextual synonym replacement (arXiv 2010.08240, section 4: NLPAug with BERT): some words of each
text give way to what a masked language model proposes in their place. Importing this module
loads no model library.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from core.examples import LabelledPairs, Rows, ScoredPairs
from core.progress import Enough, Progress, Steps
from core.training.masked_words import MaskedModel, Proposals, Read, load_masked_model
from core.training.masked_words import masked_head_of as masked_head_of
from core.training.replaceable_words import written_like

SHARE = 0.2  # of the words
TOP = 10  # proposals that one is drawn from
_READ_AT_ONCE = 256  # texts

PairsT = TypeVar("PairsT", ScoredPairs, LabelledPairs)


@dataclass(frozen=True, slots=True)
class Reworded(Generic[PairsT]):
    """New pairs with the judgements of old ones, and how much of these was changed."""

    pairs: PairsT
    rows: Rows  # of each new pair: the old one that it was made of, ascending
    given: int  # old pairs
    texts: int  # different texts of the old pairs
    changed: int  # of these
    words: int  # of all texts, as far as they were read
    replaced: int
    was_stopped: bool = False  # by hand

    @property
    def note(self) -> str:
        """How much changed, in a sentence or two."""
        share = f" ({self.replaced / self.words:.0%})" if self.words else ""
        told = (
            f"{self.replaced:,} of {self.words:,} words{share} were replaced, in {self.changed:,} "
            f"of {self.texts:,} texts, which made {len(self.pairs):,} new pairs of {self.given:,}."
        )
        left = self.given - len(self.pairs)
        if left:
            pairs = "pair gave" if left == 1 else "pairs gave"
            told += f" {left:,} {pairs} no new one."
        return f"{told} It was stopped by hand." if self.was_stopped else told


def reword_pairs(
    folder: Path,
    pairs: PairsT,
    *,
    share: float = SHARE,
    top: int = TOP,
    seed: int = 0,
    device: str = "auto",
) -> Steps[Reworded[PairsT]]:
    """Return each pair with about `share` of the words of its texts replaced, judged as it was.

    The encoder in `folder` needs its masked-language head (`masked_head_of`). Words are drawn for
    each text, all masked at once, and each is replaced by one of the `top` likeliest words, drawn
    by their likelihood; never by itself, by a piece of a word or a special token. Numbers,
    negations and whatever is not of letters alone stay, and so does a text's last word: one word
    has no context. Of a long text only the first window changes. A text becomes the same wherever
    it stands; the same seed makes the same pairs. Pairs that come out as they were, as another of
    the given ones or as one text twice are left out; the others keep their order.

    Takes `Enough`: texts not reached yet stay as they are. Raises `UserError` for a folder without
    that head, and where memory is short for one text; `ValueError` for a share or a top out of
    bounds.
    """
    if not 0 < share <= 1 or top < 1:
        raise ValueError("a share from 0 to 1 and one proposal at least are needed")
    yield Progress("Loading the model of masked words")
    model = load_masked_model(folder, device=device)
    texts = tuple(dict.fromkeys((*pairs.left, *pairs.right)))
    work = _Work(model, share, top, seed, {})
    was_stopped = False
    try:
        yield from work.reword(texts)
    except Enough:
        was_stopped = True
    left, right = (tuple(work.new.get(text, text) for text in side) for side in pairs.columns)
    old = {frozenset(pair) for pair in zip(*pairs.columns, strict=True)}
    rows = np.array(
        [
            at
            for at, pair in enumerate(zip(left, right, strict=True))
            if pair[0] != pair[1] and frozenset(pair) not in old
        ],
        np.int64,
    )
    made = replace(pairs, left=left, right=right).rows(rows)
    return Reworded(
        made, rows, len(pairs), len(texts), len(work.new), work.words, work.replaced, was_stopped
    )


@dataclass(slots=True)
class _Work:
    model: MaskedModel
    share: float
    top: int
    seed: int
    new: dict[str, str]  # texts that changed, and what they became
    words: int = 0
    replaced: int = 0

    def reword(self, texts: Sequence[str]) -> Steps[None]:
        order = sorted(texts, key=len)  # like lengths together, so little is padded
        for start in range(0, len(order), _READ_AT_ONCE):
            some = order[start : start + _READ_AT_ONCE]
            waiting: list[tuple[str, Read, list[int]]] = []
            for text, read in zip(some, self.model.read(some), strict=True):
                chosen = self._chosen(text, read)
                self.words += len(read.words)
                if chosen:
                    waiting.append((text, read, chosen))
            done = start + len(some) - len(waiting)
            while waiting:
                yield Progress("Replacing words", done, len(order), "texts")
                count = self._replace_first(waiting)
                done, waiting = done + count, waiting[count:]
            yield Progress("Replacing words", done, len(order), "texts")

    def _replace_first(self, waiting: Sequence[tuple[str, Read, list[int]]]) -> int:
        """Replace words in as many of the next texts as go through at once; say how many."""
        masked = [self.model.masked(read, chosen) for _, read, chosen in waiting]
        count = self.model.fitting([len(tokens) for tokens, _ in masked])
        while True:
            some = waiting[:count]
            proposals = self.model.propose(
                [tokens for tokens, _ in masked[:count]],
                [masks for _, masks in masked[:count]],
                [
                    [text[read.words[at].start : read.words[at].stop] for at in chosen]
                    for text, read, chosen in some
                ],
                top=self.top,
            )
            if proposals is not None:
                break
            self.model.halve(count)
            count = max(1, count // 2)
        for (text, read, chosen), own in zip(some, proposals, strict=True):
            self._put(text, read, chosen, own)
        return count

    def _put(
        self, text: str, read: Read, chosen: Sequence[int], proposals: Sequence[Proposals]
    ) -> None:
        random = self._random(text, "words")
        pieces: list[str] = []
        at = replaced = 0
        for place, one in zip(chosen, proposals, strict=True):
            word = read.words[place]
            if not one.words:
                continue
            other = one.words[int(random.choice(len(one.words), p=one.shares))]
            pieces += [text[at : word.start], written_like(other, text[word.start : word.stop])]
            at = word.stop
            replaced += 1
        if replaced:
            self.new[text] = "".join([*pieces, text[at:]])
            self.replaced += replaced

    def _chosen(self, text: str, read: Read) -> list[int]:
        """Draw the words of a text that are to go, in order; one word at least stays."""
        count = min(round(self.share * len(read.words)), len(read.words) - 1)
        can_go = [at for at, word in enumerate(read.words) if word.is_replaceable]
        if count < 1 or not can_go:
            return []
        drawn = self._random(text, "places").permutation(len(can_go))[:count]
        return sorted(can_go[at] for at in drawn.tolist())

    def _random(self, text: str, what: str) -> np.random.Generator:
        """What is drawn for a text depends on no other text."""
        told = f"{self.seed} {what} {text}".encode("utf-8", "surrogatepass")
        return np.random.default_rng(int.from_bytes(hashlib.sha256(told).digest()[:16], "big"))
