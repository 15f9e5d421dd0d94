"""How many steps stages take; told before torch is loaded."""

from collections.abc import Sequence

from core.training.batches import planned_steps
from core.training.data import Background
from core.training.tasks import Stage, matter_of

MOST_ASIDE = 200  # background pairs that the loop only measures


def steps_of(stages: Sequence[Stage], *, background: int) -> list[int]:
    """Return the steps of each stage, with so many background pairs to hold still."""
    has_background = background > aside_of(background)
    return [
        planned_steps(
            [len(matter_of(task)) for task in stage.tasks], stage.options,
            has_background=has_background,
        )
        for stage in stages
    ]  # fmt: skip  # one number a stage


def aside_of(background: int) -> int:
    """How many of so many background pairs the loop only measures."""
    return min(MOST_ASIDE, background // 5)


def used_of(stages: Sequence[Stage], background: Background) -> int:
    """How many background pairs are measured or learnt from, at the most, in any stage."""
    count = len(background)
    wanted = max(
        steps * round(stage.options.batch * stage.options.hold)
        for steps, stage in zip(steps_of(stages, background=count), stages, strict=True)
    )
    return min(count, max(aside_of(count) + wanted, 5 * MOST_ASIDE))
