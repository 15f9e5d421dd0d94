"""The stages of a course in plain values, told before and after the work."""

from typing import Any

from core.training import Aside, Course, stages_of, steps_of
from core.training.objectives import OBJECTIVES

TO_BE_DRAWN = 1_000  # random pairs, told for those of a corpus before they are drawn


def told_stages(
    course: Course, aside: Aside, *, background: int | None = None
) -> list[dict[str, Any]]:
    """Each stage with its objectives, their examples and its steps.

    `background` stands for the random pairs of a course that has none yet.
    """
    stages = stages_of(course, aside.learn).stages
    steps = steps_of(stages, background=len(course.background) or background or 0)
    return [
        {
            "objectives": [task.objective for task in stage.tasks],
            "titles": [OBJECTIVES[task.objective].title for task in stage.tasks],
            "examples": [len(task.examples) for task in stage.tasks],
            "steps": steps[place],
            "first_step": sum(steps[:place]),
        }
        for place, stage in enumerate(stages)
    ]
