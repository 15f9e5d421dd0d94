"""The encoder: texts in, unit vectors out, in batches small enough to cancel between."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.encoders.batching import fitting, within_memory
from core.encoders.encoded import Encoded, in_order, nothing_encoded
from core.encoders.tokenizing import TextTokenizer, portions, window_starts
from core.errors import UserError

_CHUNK_TEXTS = 20_000
_CHUNK_CHARACTERS = 2_000_000
_SILENCE_S = 0.5  # while texts are tokenized
UNREADABLE_SHARE = 0.5  # more than this of a text's tokens unknown: not to be read

Forward = Callable[[NDArray[np.int32], NDArray[np.int64]], NDArray[np.float32]]


@dataclass(slots=True)
class Encoder:
    """A loaded encoder; make one with `load_encoder`.

    The vector of a text depends on nothing but the text: alone, in any batch and in any order
    it is the same to 1e-5 (fp32). A text longer than `max_tokens` is read in overlapping windows
    of equal length (see `window_starts`), each with the special tokens; its vector is the
    normalised mean of its windows' vectors.
    """

    name: str
    folder: Path
    dimension: int
    max_tokens: int  # of one window, special tokens included
    device: str
    precision: str
    fingerprint: str  # of all files that are loaded, the precision and this code's version
    settings: dict[str, Any]  # for the record of a run
    tokenizer: TextTokenizer = field(repr=False)
    forward: Forward = field(repr=False)  # tokens of a batch in one row, its lengths -> vectors
    budget: int  # tokens in a batch; halved whenever the device runs out of memory
    counts_padding: bool = False

    def __post_init__(self) -> None:
        self.settings = {
            "encoder": self.name,
            "folder": str(self.folder),
            "fingerprint": self.fingerprint,
            "dimension": self.dimension,
            "max_tokens": self.max_tokens,
            "window_overlap_tokens": self._room() // 8,
            "device": self.device,
            "precision": self.precision,
            **self.settings,
        }

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Encode a small list of texts at once; the rows are in the order of the texts."""
        return in_order(list(self.encode_stream(texts)), dimension=self.dimension)

    def encode_stream(self, texts: Sequence[str]) -> Iterator[Encoded]:
        """Encode any number of texts batch by batch; close the iterator to stop.

        Each text comes exactly once, but not in order: texts are sorted by length within chunks
        of 20,000. A batch is about half a second of work; while a very long text, or a slow
        tokenizer, needs longer, an `Encoded` without rows comes in between. Holds the tokens of
        one chunk and no more. Raises `UserError` where the device has no room for one window.
        """
        for start, stop in portions(texts, _CHUNK_TEXTS, _CHUNK_CHARACTERS):
            tokens: list[NDArray[np.int32]] = []
            spoken = time.monotonic()
            for some in self.tokenizer.tokenize(texts[start:stop]):
                tokens += some
                if time.monotonic() - spoken > _SILENCE_S:
                    spoken = time.monotonic()
                    yield nothing_encoded(self.dimension)
            if not self.tokenizer.specials:  # nothing at all cannot go through a model
                tokens = [text if len(text) else self.tokenizer.stand_in for text in tokens]
            yield from self._encode_chunk(tokens, start)

    def _room(self) -> int:
        return self.max_tokens - self.tokenizer.specials

    def _encode_chunk(self, tokens: list[NDArray[np.int32]], first: int) -> Iterator[Encoded]:
        owners, begins, sizes = self._windows(tokens)
        held: list[NDArray[np.float32]] = []  # of texts whose last windows are still to come
        told = done = 0
        while done < len(owners):
            stop = self._batch_stop(sizes, done)
            row = np.concatenate(
                [
                    self.tokenizer.with_specials(tokens[owner][begin : begin + size])
                    for owner, begin, size in zip(
                        owners[done:stop], begins[done:stop], sizes[done:stop], strict=True
                    )
                ]
            )
            vectors = self._run(row, sizes[done:stop] + self.tokenizer.specials)
            if vectors is None:
                continue  # the same windows again, fewer at once
            held.append(vectors)
            done = stop
            whole = _whole_texts(owners, told, done)
            if whole == told:
                yield nothing_encoded(self.dimension)
                continue
            ready = np.concatenate(held)
            held = [ready[whole - told :]]
            yield self._told(ready[: whole - told], owners[told:whole], tokens, first)
            told = whole

    def _windows(
        self, tokens: list[NDArray[np.int32]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return text, first token and size of every window: longest first, texts kept whole."""
        room = self._room()
        starts = [window_starts(len(text), room) for text in tokens]
        owners = np.repeat(np.arange(len(tokens)), [len(windows) for windows in starts])
        begins = np.concatenate(starts)
        sizes = np.minimum(np.array([len(text) for text in tokens], np.int64), room)[owners]
        order = np.argsort(-sizes, kind="stable")
        return owners[order], begins[order], sizes[order]

    def _batch_stop(self, sizes: NDArray[np.int64], done: int) -> int:
        lengths = sizes[done : done + self.budget] + self.tokenizer.specials
        return done + fitting(lengths, budget=self.budget, counts_padding=self.counts_padding)

    def _run(
        self, row: NDArray[np.int32], lengths: NDArray[np.int64]
    ) -> NDArray[np.float32] | None:
        """Return the windows' vectors, or None after halving the budget for want of memory."""
        vectors = within_memory(lambda: self.forward(row, lengths), device=self.device)
        if vectors is None:
            if len(lengths) == 1:
                raise UserError(
                    f"There is too little memory on {self.device} for a text of {len(row)} tokens.",
                    "Close other programs that use it, or encode on the processor (device cpu).",
                )
            self.budget = max(1, min(self.budget, len(row)) // 2)
            return None
        if not np.isfinite(vectors).all():
            raise UserError(
                f"The encoder {self.name} gives numbers that are not finite in {self.precision}.",
                "Use the precision fp32; if it is fp32 already, the encoder's files are bad.",
            )
        return vectors

    def _told(
        self,
        vectors: NDArray[np.float32],
        owners: NDArray[np.int64],
        tokens: list[NDArray[np.int32]],
        first: int,
    ) -> Encoded:
        firsts = np.flatnonzero(np.diff(owners, prepend=-1))
        windows = np.diff(firsts, append=len(owners))
        means = np.add.reduceat(vectors, firsts, axis=0)  # the windows of a text weigh the same
        means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
        texts = [tokens[owner][self.tokenizer.prompt_tokens :] for owner in owners[firsts]]
        return Encoded(
            positions=(owners[firsts] + first).astype(np.int64),
            vectors=means.astype(np.float32, copy=False),
            tokens=np.array([len(text) for text in texts], np.int32),
            windows=windows.astype(np.int32),
            unreadable=np.array([self._is_unreadable(text) for text in texts], np.bool_),
            window_vectors=vectors[np.repeat(windows > 1, windows)],
        )

    def _is_unreadable(self, text: NDArray[np.int32]) -> bool:
        if not len(text):
            return True
        unknown = int(np.count_nonzero(text == self.tokenizer.unknown))
        return unknown > UNREADABLE_SHARE * len(text)


def _whole_texts(owners: NDArray[np.int64], told: int, done: int) -> int:
    """Return where the windows end, between `told` and `done`, of texts that are complete."""
    if done == len(owners):
        return done
    others = np.flatnonzero(owners[told:done] != owners[done])
    return told + int(others[-1]) + 1 if len(others) else told
