"""What a training takes, before the work: time and memory."""

from dataclasses import dataclass
from pathlib import Path

from core.examples import Triplets
from core.training import Aside, Course, Stage, forecast_memory, forecast_seconds, stages_of

FOLDS = 5  # trainings that cross-validation takes, the one over all examples included
START_S = 20.0  # until a fresh process has loaded what it needs; 7 to 30 were seen
_THIRD = 1.5  # of a pair's work: a triplet has a text more


@dataclass(frozen=True, slots=True)
class Costs:
    """About what a training takes; memory to a factor of 1.5, time to one of two."""

    seconds: float
    memory: str  # in words
    bytes: int
    free: int
    fits: bool

    def words(self) -> str:
        """Both in a sentence."""
        minutes = self.seconds / 60
        told = f"{self.seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} min"
        return f"It takes about {told} on a processor, and {self.memory}."


def costs_of(folder: Path, course: Course, aside: Aside, *, device: str = "auto") -> Costs:
    """Forecast a course with the encoder in `folder`; loads torch to ask for the memory."""
    stages = stages_of(course, aside.learn).stages
    most = None
    for stage in stages:
        for task in stage.tasks:
            told = forecast_memory(folder, stage.options, data=task.examples, device=device)
            if most is None or told.total > most.total:
                most = told
    if most is None:
        raise ValueError("a course has a stage with a task at least")
    return Costs(seconds_of(folder, course, aside), most.words(), most.total, most.free, most.fits)


def seconds_of(folder: Path, course: Course, aside: Aside) -> float:
    """Guess how long a course takes on the processor, the start of a fresh process included."""
    folds = FOLDS if aside.verdict == "cross-validated" else 1
    stages = stages_of(course, aside.learn).stages
    return round(START_S + folds * sum(_of_stage(folder, stage) for stage in stages), 1)


def _of_stage(folder: Path, stage: Stage) -> float:
    seconds = 0.0
    for task in stage.tasks:
        share = _THIRD if isinstance(task.examples, Triplets) else 1.0
        seconds += share * forecast_seconds(folder, task.examples, stage.options)
    return seconds
