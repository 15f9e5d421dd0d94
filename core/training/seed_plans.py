"""What each of several seeds learns and by what it is looked at, so that figures compare."""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.errors import UserError
from core.examples import Examples, LabelledTexts
from core.training.course_files import KeptCourse
from core.training.courses import Course, stages_of
from core.training.fitted import Figure
from core.training.keeping_aside import Aside, keep_aside
from core.training.stage_steps import steps_of
from core.training.teaching import Taught
from core.training.training import base_fingerprint


@dataclass(frozen=True, slots=True)
class SeedPlan:
    """One seed's course, and where in it the share of the steps is complete."""

    course: Course
    of: str  # a digest of all that decides the weights
    of_figure: str  # the same, and of the share
    pause_at: tuple[int, int]  # a stage, from 0, and its step
    step: int  # the same, counted over all stages
    planned: int


@dataclass(slots=True)
class SeedPlans:
    """The plan of each seed, made when it is first asked for; the first course parts them all.

    The seed of a course also draws what is held out and what is looked at on the way, so seeds
    left alone would be judged by different examples.
    """

    folder: Path  # of the encoder they begin with
    first: Course
    aside: Aside
    course_of_seed: Callable[[int], Course]
    share: float
    fingerprint: str
    _made: dict[int, SeedPlan] = field(default_factory=dict)

    def of(self, seed: int) -> SeedPlan:
        """The plan of a seed."""
        if seed not in self._made:
            self._made[seed] = self._plan(self.course_of_seed(seed).settled())
        return self._made[seed]

    def as_parted(self, taught: Taught) -> Taught:
        """Tell a seed's lesson as what it is: parted by the first course, not by given files."""
        if _is_given(self.first):
            return taught
        notes = dict.fromkeys((*self.aside.notes, *taught.notes))
        return replace(taught, aside=self.aside, notes=tuple(notes))

    def _plan(self, course: Course) -> SeedPlan:
        course = self._with_same_sides(course)
        stages = stages_of(course, course.material).stages
        planned = steps_of(stages, background=len(course.background))
        step = max(1, math.ceil(round(self.share * sum(planned), 6)))
        kept = KeptCourse(course, str(self.folder), self.folder.name, self.fingerprint, {})
        digest = kept.digest
        of_figure = hashlib.sha256(f"{digest} {self.share!r}".encode()).hexdigest()
        return SeedPlan(course, digest, of_figure, _within(planned, step), step, sum(planned))

    def _with_same_sides(self, course: Course) -> Course:
        from core.training.watching import watched

        first, aside = self.first, self.aside
        dev, test, material = course.dev, course.test, course.material
        choose = aside.choose
        main = material.main(course.main).examples
        is_kept_as_given = choose is not None and (
            choose.kind == main.kind or isinstance(main, LabelledTexts)
        )
        if not _is_given(first):
            material, part = aside.learn, first.material.main(first.main)
            # Pairs all judged the same become triplets only once they judge, so give the pairs.
            dev = choose if is_kept_as_given else part.examples.rows(aside.plan.choose)
            test = aside.judge if is_kept_as_given else part.examples.rows(aside.plan.judge)
        elif is_kept_as_given:
            dev = choose
        if dev is not None:
            dev = watched(dev, first.options.seed)
        return replace(course, material=material, dev=dev, test=test)


def plan_seeds(
    folder: Path,
    course_of_seed: Callable[[int], Course],
    first: int,
    *,
    share: float,
    figure_of: Callable[[Examples], Figure | None],
) -> SeedPlans:
    """Part the first seed's course for all; raises `UserError` where nothing chooses."""
    course = course_of_seed(first).settled()
    aside = keep_aside(course)
    if aside.choose is None or not len(aside.choose):
        raise UserError(
            "Nothing chooses among the seeds: all held-out examples judge, or there are none.",
            "Give a dev file beside the test file, or at least 1,000 judged examples, or teach one "
            "seed.",
        )
    if figure_of(aside.choose) is None:
        raise UserError(
            "Nothing chooses among the seeds: no cosine tells how well such examples are answered.",
            "Teach by scores, decisions or triplets, or teach one seed.",
        )
    return SeedPlans(folder, course, aside, course_of_seed, share, base_fingerprint(folder))


def final_figure(taught: Taught) -> float:
    """What the choosing examples said of the weights that were kept; nan where nothing."""
    fitted = taught.trained.fitted
    told: Mapping[int, float] = dict(fitted.held_curve)
    return math.nan if fitted.stopped == "not finite" else told.get(fitted.step, math.nan)


def _within(planned: Sequence[int], step: int) -> tuple[int, int]:
    """Tell a step over all stages as a stage and a step of it."""
    for stage, steps in enumerate(planned):
        if step <= steps:
            return stage, step
        step -= steps
    return len(planned) - 1, planned[-1]


def _is_given(course: Course) -> bool:
    return course.dev is not None or course.test is not None
