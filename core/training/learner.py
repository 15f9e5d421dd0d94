"""An encoder whose weights move: its tokens, its vectors with a graph and without.

This module loads torch.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.encoders.loading import EncoderParts, load_parts
from core.encoders.packing import runs_of
from core.examples import Columned, Rows
from core.options import TrainOptions
from core.progress import Progress, Steps
from core.training.computing import Passes
from core.training.memory import forecast_memory, refuse_without_memory
from core.training.moving import MovingModel, training_budget
from core.training.token_table import TokenTable

_USUAL = TrainOptions()


@dataclass(slots=True)
class Learner(MovingModel[EncoderParts]):
    """An encoder that can be trained; make one with `load_learner`."""

    def tokenize(self, texts: Iterable[str]) -> Steps[TokenTable]:
        """Make the token table of `texts`."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        tokenizer = self.parts.tokenizer
        room = self.parts.max_tokens - tokenizer.specials
        tokens: list[NDArray[np.int32]] = []
        cut = 0
        for some in tokenizer.tokenize(list(places)):
            for text in some:
                cut += len(text) > room
                whole = tokenizer.with_specials(text[:room])
                tokens.append(whole if len(whole) else tokenizer.stand_in)
            yield Progress("Reading the texts", len(tokens), len(places), "texts")
        return TokenTable(places, tokens, cut)

    def raw(self, tokens: Sequence[NDArray[np.int32]]) -> torch.Tensor:
        """Return (texts, d) in the given order, with a graph where torch keeps one.

        Vectors are as the folder's own steps leave them, of length 1 only where it normalises.
        """
        lengths = np.array([len(text) for text in tokens], np.int64)
        order = np.argsort(-lengths, kind="stable")
        row = np.concatenate([tokens[place] for place in order]).astype(np.int64)
        place = self.parts.place
        with self.passes.pass_of(len(row)):
            states = list(
                self.parts.states(torch.from_numpy(row).to(place), runs_of(lengths[order]))
            )
        back = torch.from_numpy(np.argsort(order)).to(place)
        return self.parts.pooler.raw(states)[back]

    def unit_vectors(self, table: TokenTable, rows: Rows) -> Steps[NDArray[np.float32]]:
        """Return (rows, d) of length 1, of rows of `table`, computed without dropout."""

        def vectors(places: Rows) -> torch.Tensor:
            return torch.nn.functional.normalize(self.raw(table.of(rows[places])))

        return self.measured(
            table.lengths[rows], vectors,
            width=self.parts.pooler.dimension, what="encoder", unit="texts",
        )  # fmt: skip

    def named(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        """All weights that learn: the transformer's and those of dense layers behind it."""
        yield from self.parts.model.named_parameters()
        for place, layer in enumerate(self.parts.pooler.layers):
            if layer is not None:
                for name, weight in layer.named_parameters():
                    yield f"pooler.{place}.{name}", weight


def load_learner(
    folder: Path,
    *,
    device: str = "auto",
    options: TrainOptions = _USUAL,
    data: Columned | None = None,
) -> Learner:
    """Load the encoder in `folder` in fp32 for training, ready for a stage of `options`.

    Raises `UserError` for everything that is wrong with the folder, and before loading where
    the memory will not do; `data` tells how long the longest example is.
    """
    forecast = forecast_memory(folder, options, data=data, device=device)
    refuse_without_memory(forecast, name=folder.name)
    parts = load_parts(folder, device=device)
    budget = training_budget(parts.model, parts.place)
    learner = Learner(parts, budget, Passes(parts.model, parts.place))
    learner.prepare(options)
    return learner
