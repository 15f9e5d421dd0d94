"""An encoder that learnt silver pairs as a training of the project: to use, compare and repeat."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.augmentation import joined
from core.examples import ScoredPairs
from core.store import Project, versions
from core.training import KeptCourse, keep_aside, keep_course
from core.workflows.augmenting.kept import Plan
from core.workflows.augmenting.learning import AugmentOutcome
from core.workflows.stage_telling import told_stages
from core.workflows.teaching import next_name

RECIPE_TITLE = "Few decisions made many"


def add_training(
    project: Project,
    plan: Plan,
    row: Mapping[str, Any],
    silver: ScoredPairs,
    found: AugmentOutcome,
    *,
    run: int,
    seconds: float,
) -> int:
    """Write down a training and what it learnt from; return its number."""
    pairs = silver if plan.options.adapt else joined(plan.gold.learn, silver)
    course = plan.course(pairs, int(row["seed"]))
    asked = {**asdict(course.asked), **asdict(course.options)}
    stages = told_stages(course, keep_aside(course))
    told = {"contradicted": 0, "repeated": 0, "notes": list(found.notes), "asked": asked}
    folder = project.trainings.kept(run)
    kept = KeptCourse(course, plan.base, plan.base_name, plan.base_fingerprint, told)
    keep_course(kept, folder)
    counts = project.decisions.counts()
    figures = {
        **row["figures"], "seconds": seconds, "stages": stages, "contradicted": 0, "repeated": 0,
        "augmentation": {
            "figures": found.figures, "sentence": found.sentence,
            "diagnosis": list(found.diagnosis), "teacher": found.teacher, "gold": found.gold,
            "silver": found.silver,
        },
    }  # fmt: skip  # beside what was measured
    return project.trainings.add(
        run=run, name=next_name(project, plan.base_name),
        folder=Path(found.folder).relative_to(project.folder).as_posix(),
        base_name=plan.base_name, base_folder=plan.base,
        data={
            "same": counts["same"], "different": counts["different"],
            "decisions_revision": (plan.told or {}).get("decisions_revision"), "files": [],
            "contradicted": 0, "repeated": 0, "notes": list(found.notes), "pairs": len(pairs),
            "trained_on": len(pairs), "held_out": len(plan.gold.test), "examples": len(pairs),
            "kinds": course.material.counts(), "decisions": found.gold, "imported": found.silver,
        },
        options={**asdict(course.options), "used_epochs": row["epochs"]},
        figures=figures, curve=row["curve"], held_curve=row["held_curve"],
        examples=row["examples"],
        how={
            "recipe": course.recipe.name, "title": RECIPE_TITLE, "objective": course.objective,
            "asked": asked, "stages": stages, "base_fingerprint": plan.base_fingerprint,
            "seed": course.options.seed, "versions": versions(), "device": row["device"],
            "rates": None, "threads": row["threads"],
            "lesson": folder.relative_to(project.folder).as_posix(),
        },
    )  # fmt: skip  # the columns of the record
