"""The cross-encoder: pairs in, scores out, in batches small enough to cancel between."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.cross.activations import ACTIVATIONS
from core.cross.pairing import Pair, PairTokenizer, ReadText
from core.cross.scored import Scored, nothing_scored
from core.encoders.batching import fitting, within_memory
from core.encoders.tokenizing import spans
from core.errors import UserError

_CHUNK_PAIRS = 20_000
_CHUNK_CHARACTERS = 2_000_000
_COUNTED = 4_096  # characters of a text at most: a huge one must not fill a chunk in every pair
_SILENCE_S = 0.5  # while texts are tokenized
_TOLD = 40  # characters of a text in an error

# Tokens of a batch in one row, their types, lengths of the pairs -> logits (pairs, labels).
Forward = Callable[
    [NDArray[np.int32], NDArray[np.int32] | None, NDArray[np.int64]], NDArray[np.float32]
]


@dataclass(slots=True)
class CrossEncoder:
    """A loaded cross-encoder; make one with `load_cross_encoder`.

    The score of a pair depends on nothing but its two texts and their order: alone, in any batch
    it is the same to 1e-5 (fp32). Texts that together are longer than `max_tokens` are cut, the
    longer one first; `Scored.cut` says which.
    """

    name: str
    folder: Path
    labels: tuple[str, ...]
    activation: str  # one of ACTIVATIONS; Sigmoid and Softmax give scores from 0 to 1
    max_tokens: int  # of a pair, special tokens included
    device: str
    precision: str
    fingerprint: str  # of all files that are loaded, the precision and this code's version
    settings: dict[str, Any]  # for the record of a run
    tokenizer: PairTokenizer = field(repr=False)
    prompt: str  # before the first text of every pair
    forward: Forward = field(repr=False)
    budget: int  # tokens in a batch; halved whenever the device runs out of memory
    counts_padding: bool = False

    def __post_init__(self) -> None:
        self.settings = {
            "cross_encoder": self.name,
            "folder": str(self.folder),
            "fingerprint": self.fingerprint,
            "labels": list(self.labels),
            "activation": self.activation,
            "max_tokens": self.max_tokens,
            "device": self.device,
            "precision": self.precision,
            **self.settings,
        }

    def score(self, pairs: Sequence[Pair], *, both_orders: bool = False) -> NDArray[np.float32]:
        """Score a small list of pairs at once: (n,) with one label, else (n, labels)."""
        of_one = nothing_scored(len(self.labels)).scores.shape[1:]
        scores = np.empty((len(pairs), *of_one), np.float32)
        for part in self.score_stream(pairs, both_orders=both_orders):
            scores[part.positions] = part.scores
        return scores

    def score_stream(self, pairs: Sequence[Pair], *, both_orders: bool = False) -> Iterator[Scored]:
        """Score any number of pairs batch by batch; close the iterator to stop.

        Each pair comes exactly once, but not in order: pairs are sorted by length within chunks
        of 20,000, in which a text is tokenized once however many pairs it is in. A batch is about
        half a second of work; a `Scored` without rows comes in between where that takes longer.
        Holds the tokens of one chunk and no more. `both_orders` scores each pair both ways round,
        at twice the cost, and gives the mean. Raises `UserError` where the device has no room for
        one pair, or where a score is no finite number, and names the pair.
        """
        sizes = (sum(min(len(text), _COUNTED) for text in pair) for pair in pairs)
        for start, stop in spans(sizes, _CHUNK_PAIRS, _CHUNK_CHARACTERS):
            chunk = pairs[start:stop]
            rows, texts = self._distinct(chunk, both_orders=both_orders)
            tokens: list[ReadText] = []
            spoken = time.monotonic()
            for some in self.tokenizer.tokenize(texts):
                tokens += some
                if time.monotonic() - spoken > _SILENCE_S:
                    spoken = time.monotonic()
                    yield nothing_scored(len(self.labels))
            yield from self._score_chunk(rows, tokens, chunk, start)

    def _distinct(
        self, pairs: Sequence[Pair], *, both_orders: bool
    ) -> tuple[NDArray[np.int64], list[str]]:
        """Return the texts to read, each once, and which two make each row: (pairs, orders, 2)."""
        places: dict[str, int] = {}
        rows = np.empty((len(pairs), 2 if both_orders else 1, 2), np.int64)
        for number, pair in enumerate(pairs):
            for order, (first, second) in enumerate((pair, pair[::-1])[: rows.shape[1]]):
                rows[number, order, 0] = places.setdefault(self.prompt + first, len(places))
                rows[number, order, 1] = places.setdefault(second, len(places))
        return rows, list(places)

    def _score_chunk(
        self,
        rows: NDArray[np.int64],
        tokens: list[ReadText],
        pairs: Sequence[Pair],
        start: int,
    ) -> Iterator[Scored]:
        counts = np.array([text.length for text in tokens], np.int64)
        both = counts[rows].sum(2)  # (pairs, orders)
        cut = (both > self.tokenizer.room).any(1)
        lengths = np.minimum(both, self.tokenizer.room) + self.tokenizer.specials
        order = np.argsort(-lengths.max(1), kind="stable")
        orders = rows.shape[1]
        waiting = rows[order].reshape(-1, 2)
        sizes = lengths[order].reshape(-1)
        held = np.empty((0, len(self.labels)), np.float32)  # of pairs not yet scored both ways
        told = done = 0
        while done < len(waiting):
            stop = done + fitting(
                sizes[done : done + self.budget],
                budget=self.budget,
                counts_padding=self.counts_padding,
            )
            logits = self._run(waiting[done:stop], sizes[done:stop], tokens)
            if logits is None:
                continue  # the same pairs again, fewer at once
            self._expect_finite(logits, order[np.arange(done, stop) // orders], pairs, start)
            held = np.concatenate((held, ACTIVATIONS[self.activation](logits)))
            done = stop
            whole = done // orders
            some = order[told:whole]
            scores = held[: len(some) * orders].reshape(len(some), orders, held.shape[1]).mean(1)
            held = held[len(some) * orders :]
            yield Scored(
                positions=some + start,
                scores=scores[:, 0] if len(self.labels) == 1 else scores,
                tokens=lengths[some, 0].astype(np.int32),
                cut=cut[some],
            )
            told = whole

    def _run(
        self,
        rows: NDArray[np.int64],
        lengths: NDArray[np.int64],
        tokens: list[ReadText],
    ) -> NDArray[np.float32] | None:
        """Return the logits of some rows, or None after halving the budget for want of memory."""
        row, types = self.tokenizer.joined(
            (tokens[first], tokens[second]) for first, second in rows.tolist()
        )
        logits = within_memory(lambda: self.forward(row, types, lengths), device=self.device)
        if logits is not None:
            return logits
        if len(lengths) == 1:
            raise UserError(
                f"There is too little memory on {self.device} for a pair of {len(row)} tokens.",
                "Close other programs that use it, or score on the processor (device cpu).",
            )
        self.budget = max(1, min(self.budget, len(row)) // 2)
        return None

    def _expect_finite(
        self,
        logits: NDArray[np.float32],
        places: NDArray[np.int64],
        pairs: Sequence[Pair],
        start: int,
    ) -> None:
        broken = np.flatnonzero(~np.isfinite(logits).all(1))
        if not len(broken):
            return
        place = int(places[broken].min())
        first, second = (_shortened(text) for text in pairs[place])
        raise UserError(
            f"The cross-encoder {self.name} gives no finite number in {self.precision} for pair "
            f"{start + place + 1:,}: “{first}” and “{second}”.",
            "Use the precision fp32; if it is fp32 already, the cross-encoder's files are bad.",
        )


def _shortened(text: str) -> str:
    return text if len(text) <= _TOLD else text[: _TOLD - 1] + "…"
