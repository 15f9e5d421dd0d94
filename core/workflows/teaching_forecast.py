"""What a training would be, before the work: recipe, verdict, stages and time."""

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import UserError
from core.examples import LabelledTexts, ScoredPairs
from core.store import Project
from core.training import (
    RECIPES,
    Aside,
    Course,
    Material,
    Recipe,
    RecipeOptions,
    keep_aside,
    misfit,
    propose,
    stages_of,
)
from core.training.objectives import OBJECTIVES
from core.workflows.asking import Asked
from core.workflows.costs import costs_of, seconds_of
from core.workflows.courses import ProjectCourse, course_in
from core.workflows.lessons import Lesson, lesson_of
from core.workflows.stage_telling import TO_BE_DRAWN, told_stages
from core.workflows.teaching_figures import judged_by, metric_of

_VERDICTS = {
    "none": "There is nothing to learn from yet. Decide some pairs, or import judged ones.",
    "too-few": "Too few to tell: an encoder can be taught, but not whether it got better.",
    "cross-validated": "Few: each pair is held out once, so that it can be told whether it helps.",
    "enough": "Enough for a first try.",
}


@dataclass(frozen=True, slots=True)
class TeachForecast:
    """What there is to learn from, before the work."""

    same: int  # decisions, as are the next two
    different: int
    unsure: int
    imported: int
    texts: int
    seconds: float | None  # None where no encoder is there to be taught
    verdict: str  # none, too-few, cross-validated or enough
    words: str
    used_same: int  # pairs that are used, decisions and imported ones
    used_different: int
    contradicted: int  # examples left out, since a newer word says the contrary
    repeated: int  # examples left out, since a newer word says the same
    held_out: int  # examples that judge and are not learnt from
    choosing: int  # examples that choose among the weights and are not learnt from
    recipe: str = ""
    title: str = ""
    reason: str = ""
    metric: str = ""  # what it will be judged by; nothing where it cannot be
    judged_by: str = ""  # pairs, triplets or labels
    examples: int = 0  # that teach, made ones included
    stages: tuple[dict[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    overlap: tuple[str, ...] = ()
    memory: dict[str, Any] | None = None  # words, bytes, free, fits; only where it was asked for
    problem: str = ""  # why nothing can be learnt so
    remedy: str = ""


def forecast_teaching(
    project: Project, asked: Asked | None = None, *, memory: bool = False
) -> TeachForecast:
    """Say what there is to learn from and about how long it takes.

    `memory` is forecast too where it is asked for: that loads torch, which takes seconds.
    """
    asked = asked or Asked()
    lesson = lesson_of(project, asked.selection)
    proposal = propose(lesson.material)
    try:
        found = course_in(project, asked)
        aside = keep_aside(found.course)
        told = _told(project, found, aside)
        told["memory"] = _memory(project, found.course, aside, asked.device) if memory else None
    except UserError as fault:
        return _without_course(project, lesson, proposal.reason, fault)
    reason = proposal.reason if proposal.recipe == found.course.recipe.name else ""
    return TeachForecast(**_counts(project, lesson), **told, reason=reason)


def recipes_for(material: Material | None) -> dict[str, Any]:
    """All recipes in plain values, and which of them fits the examples."""
    proposal = None if material is None else propose(material)
    return {
        "recipes": [_recipe(recipe, material) for recipe in RECIPES.values()],
        "proposed": "" if proposal is None else proposal.recipe,
        "reason": "" if proposal is None else proposal.reason,
        "options": _choices(RecipeOptions),
    }


def _told(project: Project, found: ProjectCourse, aside: Aside) -> dict[str, Any]:
    course, plan = found.course, aside.plan
    made = stages_of(course, aside.learn)
    main = course.material.main(course.main).examples
    judge = aside.judge
    metric = ""
    if plan.verdict in ("cross-validated", "enough"):
        metric = metric_of(_as_judged(main) if judge is None else judge)[0]
    has_rows = len(plan.judge) > 0
    folder = _encoder(project)
    return {
        "seconds": None if folder is None else seconds_of(folder, course, aside),
        "verdict": plan.verdict,
        "words": _VERDICTS[plan.verdict], "used_same": plan.same,
        "used_different": plan.different,
        "held_out": len(plan.judge) if has_rows or judge is None else len(judge),
        "choosing": len(plan.choose) if has_rows or aside.choose is None else len(aside.choose),
        "recipe": course.recipe.name, "title": course.recipe.title, "metric": metric,
        "judged_by": judged_by(_as_judged(main) if judge is None else judge),
        "examples": sum(len(task.examples) for stage in made.stages for task in stage.tasks),
        "stages": tuple(told_stages(course, aside, background=TO_BE_DRAWN)),
        "notes": (*found.notes, *aside.notes, *made.notes), "overlap": aside.overlap,
    }  # fmt: skip  # one figure after the other


def _as_judged(main: Any) -> Any:
    """Labelled texts judge by the pairs that are made of them."""
    if isinstance(main, LabelledTexts):
        return ScoredPairs(("a", "b"), ("c", "d"), np.array((0, 1), np.float32))
    return main


def _counts(project: Project, lesson: Lesson) -> dict[str, Any]:
    counts = project.decisions.counts()
    return {
        "same": counts["same"], "different": counts["different"], "unsure": counts["unsure"],
        "imported": sum(file.examples for file in lesson.files),
        "texts": project.texts.count(), "contradicted": lesson.contradicted,
        "repeated": lesson.repeated,
    }  # fmt: skip  # one figure after the other


def _without_course(
    project: Project, lesson: Lesson, reason: str, fault: UserError
) -> TeachForecast:
    verdict = "too-few" if len(lesson.material) else "none"
    problem, remedy = (fault.what, fault.remedy) if len(lesson.material) else ("", "")
    return TeachForecast(
        **_counts(project, lesson), seconds=None, verdict=verdict, words=_VERDICTS[verdict],
        used_same=0, used_different=0, held_out=0, choosing=0, reason=reason, problem=problem,
        remedy=remedy,
    )  # fmt: skip  # one figure after the other


def _encoder(project: Project) -> Path | None:
    active = project.active_encoder()
    if active is None or not Path(active.folder).is_dir():
        return None
    return Path(active.folder)


def _memory(project: Project, course: Course, aside: Aside, device: str) -> dict[str, Any] | None:
    folder = _encoder(project)
    if folder is None:
        return None
    costs = costs_of(folder, course, aside, device=device)
    return {
        "words": costs.memory, "bytes": costs.bytes, "free": costs.free, "fits": costs.fits,
    }  # fmt: skip  # one figure after the other


def _recipe(recipe: Recipe, material: Material | None) -> dict[str, Any]:
    why_not = "" if material is None else misfit(recipe, material)
    return {
        "name": recipe.name, "title": recipe.title, "sentence": recipe.sentence,
        "data": recipe.data, "fits": not why_not,
        "why_not": why_not[:1].upper() + why_not[1:],
        "hold": recipe.usual.get("hold", 0.5), "usual": dict(recipe.usual),
        "objectives": [_objective(name) for name in recipe.objectives],
        "hard_negatives": recipe.takes_hard_negatives,
        "made_from_texts": recipe.makes_from_texts,
    }  # fmt: skip  # one thing beside another


def _objective(name: str) -> dict[str, Any]:
    declared = OBJECTIVES[name]
    hidden = ("labels", "negatives")  # the examples tell
    return {
        "name": name, "title": declared.title, "prefer": declared.prefer,
        "choices": [one for one in _choices(declared.choices) if one["name"] not in hidden],
    }  # fmt: skip  # one thing beside another


def _choices(kind: type[Any]) -> list[dict[str, Any]]:
    return [
        {"name": one.name, **asdict(one.metadata["choice"]), "default": one.default}
        for one in fields(kind)
    ]
