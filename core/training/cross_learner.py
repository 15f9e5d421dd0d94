"""A cross-encoder whose weights move: pairs of read texts, passes with a graph, snapshots.

This module loads torch.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from core.cross.activations import ACTIVATIONS
from core.cross.folder import read_cross_base
from core.cross.loading import CrossParts, load_cross_base
from core.cross.pairing import ReadText
from core.examples import Columned, Rows
from core.options import TrainOptions
from core.progress import Progress, Steps
from core.training.computing import Passes
from core.training.memory import forecast_described, refuse_without_memory
from core.training.moving import MovingModel, training_budget

ReadPair: TypeAlias = tuple[ReadText, ReadText]

_USUAL = TrainOptions()


@dataclass(slots=True)
class ReadTexts:
    """The tokens of every text that takes part, without special ones, each text once."""

    places: dict[str, int] = field(default_factory=dict)
    texts: list[ReadText] = field(default_factory=list)

    def rows(self, texts: Iterable[str]) -> Rows:
        return np.array([self.places[text] for text in texts], np.int64)


@dataclass(slots=True)
class PairTable:
    """Pairs of read texts by number, as the loop's batches name them."""

    texts: ReadTexts
    room: int  # for the tokens of both texts
    specials: int
    left: Rows = field(default_factory=lambda: np.empty(0, np.int64))
    right: Rows = field(default_factory=lambda: np.empty(0, np.int64))
    lengths: Rows = field(default_factory=lambda: np.empty(0, np.int64))  # special tokens included
    cut: int = 0  # pairs longer than is read at once

    def add(self, left: Rows, right: Rows) -> Rows:
        """Add pairs of rows of the texts; return their numbers."""
        counts = np.array([text.length for text in self.texts.texts], np.int64)
        both = counts[left] + counts[right]
        first = len(self.lengths)
        self.left = np.concatenate((self.left, left))
        self.right = np.concatenate((self.right, right))
        lengths = np.minimum(both, self.room) + self.specials
        self.lengths = np.concatenate((self.lengths, lengths))
        self.cut += int((both > self.room).sum())
        return np.arange(first, len(self.lengths))

    def of(self, rows: Rows) -> list[ReadPair]:
        texts = self.texts.texts
        lefts, rights = self.left[rows].tolist(), self.right[rows].tolist()
        return [(texts[left], texts[right]) for left, right in zip(lefts, rights, strict=True)]


@dataclass(slots=True)
class CrossLearner(MovingModel[CrossParts]):
    """A cross-encoder that can be trained; make one with `load_cross_learner`."""

    def read(self, texts: Iterable[str]) -> Steps[ReadTexts]:
        """Read texts, each once, also behind the prompt where the folder has one."""
        prompt = self.parts.described.prompt
        wanted = list(dict.fromkeys(texts))
        if prompt:
            wanted = list(dict.fromkeys((*wanted, *(prompt + text for text in wanted))))
        found = ReadTexts({text: place for place, text in enumerate(wanted)})
        for some in self.parts.tokenizer.tokenize(wanted):
            found.texts += some
            yield Progress("Reading the texts", len(found.texts), len(wanted), "texts")
        return found

    def table(self, texts: ReadTexts) -> PairTable:
        """Make a table of no pairs yet."""
        tokenizer = self.parts.tokenizer
        return PairTable(texts, tokenizer.room, tokenizer.specials)

    def raw(self, tokens: Sequence[ReadPair]) -> torch.Tensor:
        """Return (pairs, labels): logits in the given order, with a graph where torch keeps one."""
        tokenizer = self.parts.tokenizer
        both = np.array([first.length + second.length for first, second in tokens], np.int64)
        lengths = np.minimum(both, tokenizer.room) + tokenizer.specials
        order = np.argsort(-lengths, kind="stable")
        row, types = tokenizer.joined(tokens[place] for place in order.tolist())
        place = self.parts.place
        with self.passes.pass_of(len(row)):
            logits = self.parts.forward.logits(row, types, lengths[order])
        back = torch.from_numpy(np.argsort(order)).to(place)
        return logits.float()[back]

    def scores(self, table: PairTable) -> Steps[NDArray[np.float32]]:
        """Return what the head says of every pair of a table, computed without dropout.

        (pairs,) with one label, else (pairs, labels).
        """
        logits = yield from self.measured(
            table.lengths, lambda places: self.raw(table.of(places)),
            width=len(self.parts.labels), what="cross-encoder", unit="pairs",
        )  # fmt: skip
        said = ACTIVATIONS[self.parts.activation](logits)
        return said[:, 0] if said.shape[1] == 1 else said

    def named(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        """All weights, the head's among them."""
        yield from self.parts.model.named_parameters()


def load_cross_learner(
    folder: Path,
    *,
    labels: Sequence[str] | None = None,
    device: str = "auto",
    seed: int = 0,
    options: TrainOptions = _USUAL,
    data: Columned | None = None,
) -> CrossLearner:
    """Load a cross-encoder, or what one is made of, in fp32, ready for a stage of `options`.

    `labels` are the kinds of pairs to be told apart, None where a score is learnt; `seed` draws a
    head where there is none. Raises `UserError` for everything that is wrong with the folder, and
    before loading where the memory will not do; `data` tells how long the longest pair is.
    """
    described = read_cross_base(folder)
    forecast = forecast_described(described, options, data=data, device=device)
    refuse_without_memory(forecast, name=described.folder.name)
    parts = load_cross_base(folder, labels=labels, device=device, seed=seed)
    budget = training_budget(parts.model, parts.place)
    learner = CrossLearner(parts, budget, Passes(parts.model, parts.place))
    learner.prepare(options)
    return learner
