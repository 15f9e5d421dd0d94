"""A model whose weights move, whatever it reads: portions, passes without a graph, snapshots.

This module loads torch.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from core.encoders.batching import within_memory
from core.errors import UserError
from core.examples import Rows
from core.options import TrainOptions
from core.progress import Progress, Steps
from core.training.computing import Passes
from core.training.forecast import Described
from core.training.memory import token_budget

Weights: TypeAlias = dict[str, torch.Tensor]

_SILENCE_S = 0.4


class Parts(Protocol):
    """What was loaded: a model, where it is, and what its folder says."""

    @property
    def described(self) -> Described: ...
    @property
    def model(self) -> Any: ...
    @property
    def place(self) -> torch.device: ...


PartsT = TypeVar("PartsT", bound=Parts)


@dataclass(slots=True)
class MovingModel(ABC, Generic[PartsT]):
    """An encoder or a cross-encoder that can be trained."""

    parts: PartsT
    budget: int  # tokens that go through at once: half a second of work, and the memory it takes
    passes: Passes

    @abstractmethod
    def raw(self, tokens: Any) -> torch.Tensor:
        """Return (n, d) in the given order, with a graph where torch keeps one."""

    @abstractmethod
    def named(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        """All weights that learn."""

    def prepare(self, options: TrainOptions) -> None:
        """Compute as a stage wants it; see `Passes.prepare`."""
        name = self.parts.described.folder.name
        self.passes.prepare(options, dict(self.named()), name=name, budget=self.budget)

    def halve(self) -> bool:
        """Let half as much through at once, memory being short; False where nothing helps."""
        budget = self.passes.halved(self.budget)
        self.budget = budget or self.budget
        return budget is not None

    def portions(self, tokens: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
        """Cut a batch of examples with so many tokens each into ranges that fit the budget."""
        start = 0
        while start < len(tokens):
            stop = start + _fitting(tokens[start:], self.budget)
            yield start, stop
            start = stop

    def measured(
        self,
        lengths: Rows,
        compute: Callable[[Rows], torch.Tensor],
        *,
        width: int,
        what: str,
        unit: str,
    ) -> Steps[NDArray[np.float32]]:
        """Return (n, width): `compute` over all n places, without dropout and without a graph.

        It gets some places at once, long ones first, fewer where memory runs short. Raises
        `UserError` where there is no memory for a single one.
        """
        order = np.argsort(-lengths, kind="stable")
        self.parts.model.eval()
        found = np.empty((len(order), width), np.float32)
        done, spoken = 0, time.monotonic()
        while done < len(order):
            # Without a graph a token costs a third, and takes next to no memory.
            places = order[done : done + _fitting(lengths[order[done:]], 3 * self.budget)]
            some = self._without_graph(lambda: compute(places))  # noqa: B023 - called at once
            if some is None:
                if len(places) == 1:
                    raise _no_room(self.parts.place)
                self.budget = max(1, self.budget // 2)
                continue  # the same ones again, fewer at once
            found[places] = some
            done += len(places)
            if time.monotonic() - spoken > _SILENCE_S:
                yield Progress(f"Measuring the {what}", done, len(order), unit)
                spoken = time.monotonic()
        return found

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

    def _without_graph(self, compute: Callable[[], torch.Tensor]) -> NDArray[np.float32] | None:
        def computed() -> NDArray[np.float32]:
            with torch.no_grad():
                numbers: NDArray[np.float32] = compute().cpu().numpy()
            return numbers

        found = within_memory(computed, device=str(self.parts.place))
        self.passes.tokens = 0  # this one had no graph
        return found


ModelT = TypeVar("ModelT", bound=MovingModel[Any])


@dataclass(slots=True)
class MovingPupil(Generic[ModelT]):
    """What a pupil of the loop leaves to its model."""

    learner: ModelT

    @property
    def budget(self) -> int:
        return self.learner.budget

    @budget.setter
    def budget(self, tokens: int) -> None:
        self.learner.budget = tokens

    @property
    def scaler(self) -> torch.amp.GradScaler:
        return self.learner.passes.scaler

    def prepare(self, options: TrainOptions) -> None:
        self.learner.prepare(options)

    def halve(self) -> bool:
        return self.learner.halve()

    def named(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        return self.learner.named()

    def is_finite(self) -> bool:
        return self.learner.is_finite()

    def snapshot(self) -> Weights:
        return self.learner.snapshot()

    def restore(self, weights: Mapping[str, torch.Tensor]) -> None:
        self.learner.restore(weights)


def training_budget(model: Any, place: torch.device) -> int:
    """Return how many tokens a model trains on in about half a second on modest hardware."""
    table: Any = model.get_input_embeddings()
    moving = sum(part.numel() for part in model.parameters()) - table.weight.numel()
    return token_budget(moving, place.type)


def _no_room(place: torch.device) -> UserError:
    return UserError(
        f"There is too little memory on {place} to go on with even one example.",
        "Close other programs that use it, freeze layers, or teach on the processor (device cpu).",
    )


def _fitting(tokens: NDArray[np.int64], room: int) -> int:
    """Return how many of the first ones fit into the room, but at least one."""
    return max(1, int(np.searchsorted(np.cumsum(tokens[:room]), room, side="right")))
