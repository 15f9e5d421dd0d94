"""The gradients of a batch over an encoder, in parts that fit the memory. This module loads torch.

Where each example has a loss of its own, the parts are examples and their gradients add up. Where
the loss of one depends on all, the vectors of the whole batch are computed first without a graph,
the loss gives the gradient of every vector, and a second pass, part by part, carries these back
into the weights: gradient caching (Gao et al., arXiv 2101.06983), the same gradients for a third
more work.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch

from core.examples import Rows
from core.training.computing import carry_back
from core.training.matter import Lesson
from core.training.moving import MovingModel


class Table(Protocol):
    """What goes through the model, by number: texts, or pairs of them."""

    lengths: Rows

    def of(self, rows: Rows) -> list[Any]: ...


@dataclass(frozen=True, slots=True)
class Gradients:
    """Adds gradients to the weights of a learner, for what stands in one table."""

    learner: MovingModel[Any]
    table: Table

    def add(
        self, lesson: Lesson, rows: Rows, *, total: float, seeds: Sequence[int], drops_out: bool
    ) -> Iterator[float]:
        """Add the gradients of some examples, a part with each turn; yield the part's loss.

        The losses add up to that of the examples over `total`, the sum of the weights of the
        whole batch. `seeds` decide what dropout drops. In fp16 the gradients are those of the loss
        times the scale of the passes. Raises torch's `OutOfMemoryError` with a part of them added.
        """
        tokens = np.sum([self.table.lengths[column[rows]] for column in lesson.columns], axis=0)
        order = np.argsort(-tokens, kind="stable")
        rows, tokens = rows[order], tokens[order]
        if lesson.objective.whole_batch and tokens.sum() > self.learner.budget:
            yield from self._in_turns(lesson, rows, total, seeds, drops_out)
            return
        parts = [(0, len(rows))]
        if not lesson.objective.whole_batch:
            parts = list(self.learner.portions(tokens))
        for start, stop in parts:
            some = rows[start:stop]
            texts, places = _distinct(lesson, some)
            with self._dropping((*seeds, start), drops_out):
                vectors = self.learner.raw(self.table.of(texts))
                loss = self._loss(lesson, some, vectors, places, total)
                self.learner.passes.backward(loss)
            yield float(loss.detach())

    def _in_turns(
        self, lesson: Lesson, rows: Rows, total: float, seeds: Sequence[int], drops_out: bool
    ) -> Iterator[float]:
        texts, places = _distinct(lesson, rows)
        order = np.argsort(-self.table.lengths[texts], kind="stable")
        tokens = self.table.of(texts[order])
        parts = list(self.learner.portions(self.table.lengths[texts[order]]))
        found: list[torch.Tensor] = []
        for start, stop in parts:
            with torch.no_grad(), self._dropping((*seeds, start), drops_out):
                found.append(self.learner.raw(tokens[start:stop]))
            yield 0.0
        back = torch.from_numpy(np.argsort(order)).to(found[0].device)
        vectors = torch.cat(found)[back].requires_grad_()
        loss = self._loss(lesson, rows, vectors, places, total)
        self.learner.passes.backward(loss)
        yield float(loss.detach())
        if vectors.grad is None:  # nothing in the batch says anything
            return
        gradient = vectors.grad[torch.from_numpy(order).to(back.device)]
        for start, stop in parts:
            with self._dropping((*seeds, start), drops_out):
                again = self.learner.raw(tokens[start:stop])
                carry_back((again * gradient[start:stop]).sum())
            yield 0.0

    def _loss(
        self, lesson: Lesson, rows: Rows, vectors: torch.Tensor, places: Rows, total: float
    ) -> torch.Tensor:
        place = vectors.device
        columns = vectors[torch.from_numpy(places).to(place)].chunk(len(lesson.columns))
        batch = lesson.batch(rows, place)
        return lesson.objective.loss(columns, batch, total=total, head=lesson.head)

    @contextmanager
    def _dropping(self, seeds: Sequence[int], drops_out: bool) -> Iterator[None]:
        """Seed torch for a pass, and leave its own random state as it was."""
        place = self.learner.parts.place
        random = np.random.SeedSequence(tuple(seeds))
        self.learner.parts.model.train(drops_out)
        with torch.random.fork_rng([place] if place.type == "cuda" else []):
            torch.manual_seed(int(random.generate_state(1)[0]))
            yield


def _distinct(lesson: Lesson, rows: Rows) -> tuple[Rows, Rows]:
    """Return the texts of some examples, each once, and the place of each column's among them."""
    numbers = np.concatenate([column[rows] for column in lesson.columns])
    texts, places = np.unique(numbers, return_inverse=True)
    return texts, places.reshape(-1)
