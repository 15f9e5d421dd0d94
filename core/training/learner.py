"""An encoder whose weights move: loaded parts, passes with a graph, snapshots.

This module loads torch.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from core.encoders.batching import within_memory
from core.encoders.loading import EncoderParts, load_parts
from core.encoders.packing import runs_of
from core.errors import UserError
from core.examples import Columned, Rows
from core.options import TrainOptions
from core.progress import Progress, Steps
from core.training.computing import Passes
from core.training.memory import forecast_memory, refuse_without_memory, token_budget
from core.training.token_table import TokenTable

Weights: TypeAlias = dict[str, torch.Tensor]

_SILENCE_S = 0.4
_USUAL = TrainOptions()


@dataclass(slots=True)
class Learner:
    """An encoder that can be trained; make one with `load_learner`."""

    parts: EncoderParts
    budget: int  # tokens that go through at once: half a second of work, and the memory it takes
    passes: Passes

    def prepare(self, options: TrainOptions) -> None:
        """Compute as a stage wants it; see `Passes.prepare`."""
        name = self.parts.described.folder.name
        self.passes.prepare(options, dict(self.named()), name=name, budget=self.budget)

    def halve(self) -> bool:
        """Let half as much through at once, memory being short; False where nothing helps."""
        budget = self.passes.halved(self.budget)
        self.budget = budget or self.budget
        return budget is not None

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
        lengths = table.lengths[rows]
        order = np.argsort(-lengths, kind="stable")
        self.parts.model.eval()
        vectors = np.empty((len(rows), self.parts.pooler.dimension), np.float32)
        done, spoken = 0, time.monotonic()
        while done < len(order):
            # Without a graph a token costs a third, and takes next to no memory.
            places = order[done : done + _fitting(lengths[order[done:]], 3 * self.budget)]
            some = self._unit(table.of(rows[places]))
            if some is None:
                if len(places) == 1:
                    raise no_room(self.parts.place)
                self.budget = max(1, self.budget // 2)
                continue  # the same texts again, fewer at once
            vectors[places] = some
            done += len(places)
            if time.monotonic() - spoken > _SILENCE_S:
                yield Progress("Measuring the encoder", done, len(rows), "texts")
                spoken = time.monotonic()
        return vectors

    def _unit(self, tokens: Sequence[NDArray[np.int32]]) -> NDArray[np.float32] | None:
        def vectors() -> NDArray[np.float32]:
            with torch.no_grad():
                found: NDArray[np.float32] = (
                    torch.nn.functional.normalize(self.raw(tokens)).cpu().numpy()
                )
            return found

        found = within_memory(vectors, device=str(self.parts.place))
        self.passes.tokens = 0  # this one had no graph
        return found

    def portions(self, pair_tokens: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
        """Cut a batch of pairs with so many tokens each into ranges that fit the budget."""
        start = 0
        while start < len(pair_tokens):
            stop = start + _fitting(pair_tokens[start:], self.budget)
            yield start, stop
            start = stop

    def named(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        """All weights that learn: the transformer's and those of dense layers behind it."""
        yield from self.parts.model.named_parameters()
        for place, layer in enumerate(self.parts.pooler.layers):
            if layer is not None:
                for name, weight in layer.named_parameters():
                    yield f"pooler.{place}.{name}", weight

    def is_finite(self) -> bool:
        """Tell whether every weight is a number."""
        return all(bool(torch.isfinite(weight.sum())) for _, weight in self.named())

    def snapshot(self) -> Weights:
        """Copy all weights to the main memory."""
        return {name: weight.detach().to("cpu", copy=True) for name, weight in self.named()}

    def restore(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Bring back the weights of a snapshot."""
        with torch.no_grad():
            for name, weight in self.named():
                weight.copy_(weights[name])


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


def training_budget(model: Any, place: torch.device) -> int:
    """Return how many tokens a model trains on in about half a second on modest hardware."""
    table: Any = model.get_input_embeddings()
    moving = sum(part.numel() for part in model.parameters()) - table.weight.numel()
    return token_budget(moving, place.type)


def no_room(place: torch.device) -> UserError:
    """Return what to tell where not even one example goes through."""
    return UserError(
        f"There is too little memory on {place} to go on with even one example.",
        "Close other programs that use it, freeze layers, or teach on the processor (device cpu).",
    )


def _fitting(tokens: NDArray[np.int64], room: int) -> int:
    """Return how many of the first ones fit into the room, but at least one."""
    return max(1, int(np.searchsorted(np.cumsum(tokens[:room]), room, side="right")))
