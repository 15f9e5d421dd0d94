"""What the loop teaches: something with weights that learns from examples and scores them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from core.examples import Examples, Rows
from core.progress import Steps
from core.training.fitted import Cosines

if TYPE_CHECKING:
    import torch

    from core.options import TrainOptions
    from core.training.matter import Lesson
    from core.training.moving import Weights
    from core.training.tasks import Task

Columns = tuple[tuple[str, ...], ...]


class Pupil(Protocol):
    """What the loop asks of an encoder, and of a cross-encoder."""

    budget: int  # tokens that go through at once; part of where a training stands

    @property
    def scaler(self) -> "torch.amp.GradScaler":
        """What scales the loss where `add` computes in fp16; disabled otherwise."""
        ...

    def prepare(self, options: "TrainOptions") -> None:
        """Take on a stage's frozen layers, precision and gradient checkpointing."""
        ...

    def halve(self) -> bool:
        """Let half as much through at once, memory being short; False where that helps no more."""
        ...

    @property
    def cut(self) -> int:
        """Texts of which only the beginning is read."""
        ...

    def read(self, texts: Iterable[str]) -> Steps[None]:
        """Make ready the texts of everything that follows."""
        ...

    def lessons(self, tasks: Sequence["Task"], *, seed: int) -> list["Lesson"]:
        """Return what tasks teach, with new heads."""
        ...

    def held_still(self, columns: Columns, scores: Cosines) -> "Lesson":
        """Return the lesson that pairs keep these scores."""
        ...

    def add(
        self, lesson: "Lesson", rows: Rows, *, total: float, seeds: Sequence[int], drops_out: bool
    ) -> Iterator[float]:
        """Add the gradients of some examples in parts; yield each part's loss."""
        ...

    def gold(self, examples: Examples) -> Cosines:
        """Return what people said of examples, as `scores` answers it."""
        ...

    def scores(self, columns: Columns) -> Steps[Cosines]:
        """Return how alike two columns are; of three, by how much the second is nearer."""
        ...

    def named(self) -> Iterator[tuple[str, "torch.nn.Parameter"]]:
        """All weights that stay."""
        ...

    def is_finite(self) -> bool:
        """Whether every weight is a number."""
        ...

    def snapshot(self) -> "Weights":
        """Copy all weights to the main memory."""
        ...

    def restore(self, weights: Mapping[str, "torch.Tensor"]) -> None:
        """Bring back the weights of a snapshot."""
        ...
