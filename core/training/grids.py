"""Grids of trials: which ways of pooling and teaching are held against each other; no torch.

The ablation of Sentence-BERT (arXiv 1908.10084, table 6): pooling under each objective, and what
the classifier sees of two vectors.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import UserError
from core.examples import Examples
from core.training.objectives.catalogue import OBJECTIVES
from core.training.objectives.choices import CONCATENATIONS, ClassificationChoices
from core.training.tasks import Task, matter_of

GRIDS = ("pooling", "objective", "concatenation")
_POOLINGS = ("mean", "cls", "max")
_PAPER = ("classification", "regression", "triplet")
_USUAL = ClassificationChoices().concatenation


@dataclass(frozen=True, slots=True)
class Cell:
    """One way to pool and to teach."""

    pooling: str  # joined by + where several stand side by side
    objective: str
    concatenation: str = ""  # what a classification sees, else empty

    def task(self, examples: Examples) -> Task:
        """Return what it learns from these examples; see `Task` for errors."""
        choices = {"concatenation": self.concatenation} if self.concatenation else {}
        return Task(self.objective, examples, choices)


def cells_of(
    grid: str, examples: Examples, *, pooling: str
) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    """Return the cells that these examples can teach, and a sentence on each objective they cannot.

    `pooling` is the encoder's own; only the grid of that name goes over others. Of the objectives
    that grid takes the paper's three. Raises `UserError` where nothing is left.
    """
    cells: list[Cell] = []
    refused: dict[str, UserError] = {}
    for cell in _cells(grid, pooling):
        try:
            if len(matter_of(cell.task(examples))):
                cells.append(cell)
        except UserError as fault:
            refused.setdefault(cell.objective, fault)
    if not cells:
        nothing = UserError("No example teaches anything.", "Add pairs that mean the same.")
        raise next(iter(refused.values()), nothing)
    left_out = tuple(f"Left out, {name}: {fault.what}" for name, fault in refused.items())
    return tuple(cells), left_out


def _cells(grid: str, pooling: str) -> Iterator[Cell]:
    if grid == "pooling":
        for one in _POOLINGS:
            yield from (_cell(one, objective) for objective in _PAPER)
    elif grid == "objective":
        yield from (_cell(pooling, one.name) for one in OBJECTIVES.values() if one.alone)
    elif grid == "concatenation":
        yield from (Cell(pooling, "classification", parts) for parts in CONCATENATIONS)
    else:
        raise ValueError(f"there is no grid {grid}")


def _cell(pooling: str, objective: str) -> Cell:
    return Cell(pooling, objective, _USUAL if objective == "classification" else "")
