"""Teach: an encoder learns what the same means here, from decisions and judged examples."""

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.errors import UserError
from core.folders import folder_in_use
from core.progress import Steps
from core.store import EncoderRecord, Project, versions
from core.training import (
    Course,
    KeptCourse,
    KeptStages,
    Taught,
    base_fingerprint,
    keep_aside,
    keep_course,
    kept_course,
    teach,
)
from core.workflows.asking import Asked
from core.workflows.courses import ProjectCourse, completed, course_in
from core.workflows.recorded import recorded
from core.workflows.stage_telling import TO_BE_DRAWN, told_stages
from core.workflows.teaching_figures import figure_of, figures_of

WORKFLOW = "train"


@dataclass(frozen=True, slots=True)
class TeachOutcome:
    """A finished lesson."""

    training: int  # its number in the project, 0 outside of one
    folder: str
    pairs: int  # examples of the kind that judges
    figures: dict[str, Any]
    note: str = ""  # what was left out or odd in the examples


Work = Callable[[int], Steps[TeachOutcome]]


def teach_project(
    project: Project, asked: Asked | None = None, *, every_s: float | None = None
) -> Steps[TeachOutcome]:
    """Teach the active encoder by what was decided and imported; it stays the active one.

    The new encoder is a folder of the project, whole or not there. A checkpoint is written every
    two minutes (`every_s`), so that `resume_training` can go on after a kill or a fault; closing
    leaves nothing. Takes `Enough`. Raises `UserError` beside another training.
    """
    asked = asked or Asked()
    active = project.active_encoder()
    if active is None:
        raise UserError("The texts are not encoded yet.", "Encode them first.")
    found = course_in(project, asked)
    base = folder_in_use(active.folder, name=active.name)

    def work(run: int) -> Steps[TeachOutcome]:
        whole = yield from completed(project, found, active)
        told = _told_of(project, whole, asked)
        kept = KeptCourse(whole.course, str(base), active.name, base_fingerprint(base), told)
        keep_course(kept, project.trainings.kept(run))
        return (yield from _learn(project, run, kept, asked.device, every_s))

    return (yield from _first(project, found.course, active, work))


def resume_training(
    project: Project, run: int, *, device: str = "auto", every_s: float | None = None
) -> Steps[TeachOutcome]:
    """Go on with a training that was cut off, to the weights it would have had.

    On the same processor and number of threads they are the same to the last digit. What was
    decided since is not learnt. Otherwise as `teach_project`.
    """
    kept = _with_base(kept_course(project.trainings.kept(run)))

    def work(new: int) -> Steps[TeachOutcome]:
        if new != run:
            _drop_unrecorded(project, run)
            shutil.rmtree(project.trainings.kept(new), ignore_errors=True)
            project.trainings.kept(run).rename(project.trainings.kept(new))
        return (yield from _learn(project, new, kept, device, every_s))

    return (yield from _again(project, kept, work))


def repeat_training(
    project: Project, training: int, *, device: str = "auto", every_s: float | None = None
) -> Steps[TeachOutcome]:
    """Do a finished training again: the same examples, settings, seed and base.

    On the same processor and number of threads the weights are the same. Raises `UserError`
    where what it learnt from was not kept, or the base is gone or another. Otherwise as
    `teach_project`.
    """
    try:
        record = project.trainings.get(training)
    except KeyError as fault:
        raise UserError("This training is no longer in the project.", "Look again.") from fault
    if record.run is None or not record.how:
        raise UserError(
            "This training was made by an older version, which did not keep what it learnt from.",
            "Teach anew with the same settings.",
        )
    kept = _with_base(kept_course(project.trainings.kept(record.run)))

    def work(run: int) -> Steps[TeachOutcome]:
        keep_course(kept, project.trainings.kept(run))
        return (yield from _learn(project, run, kept, device, every_s))

    return (yield from _again(project, kept, work))


def remove_training(project: Project, training: int) -> None:
    """Delete a training with its encoder; raises `UserError` for the one in use."""
    try:
        record = project.trainings.get(training)
    except KeyError:
        return
    active = project.active_encoder()
    if (
        active is not None
        and Path(active.folder).resolve() == (project.folder / record.folder).resolve()
    ):
        raise UserError(
            f"{record.name} is in use.", "Take another encoder into use, then remove it."
        )
    project.trainings.remove(training)


def remove_interrupted(project: Project, run: int) -> None:
    """Delete what a training that was cut off left."""
    project.trainings.drop(run)
    _drop_unrecorded(project, run)


def _first(
    project: Project, course: Course, active: EncoderRecord, work: Work
) -> Steps[TeachOutcome]:
    inputs = {**_inputs(course, active.name), "encoder": active.fingerprint}
    return (yield from _locked(project, course, inputs, work))


def _again(project: Project, kept: KeptCourse, work: Work) -> Steps[TeachOutcome]:
    return (yield from _locked(project, kept.course, _inputs(kept.course, kept.base_name), work))


def _locked(
    project: Project, course: Course, inputs: Mapping[str, Any], work: Work
) -> Steps[TeachOutcome]:
    """Run a training under its record, and never beside another one."""
    lock = project.trainings.alone()
    options = {**asdict(course.options), **asdict(course.asked)}
    try:
        return (
            yield from recorded(
                project, WORKFLOW, options, work, inputs=inputs, seed=course.options.seed
            )
        )
    finally:
        lock.release()


def _inputs(course: Course, base: str) -> dict[str, Any]:
    stages = told_stages(course, keep_aside(course), background=TO_BE_DRAWN)
    return {
        "recipe": course.recipe.name, "title": course.recipe.title, "base": base,
        "examples": len(course.material), "planned": sum(stage["steps"] for stage in stages),
    }  # fmt: skip  # what is told of it while it is not finished


def _learn(
    project: Project, run: int, kept: KeptCourse, device: str, every_s: float | None
) -> Steps[TeachOutcome]:
    started = time.monotonic()
    course, folder = kept.course, project.trainings.kept(run)
    files = KeptStages(folder, kept.digest, every_s)
    to = _free_folder(project.folder / "encoders", run)
    to.parent.mkdir(exist_ok=True)
    base = Path(kept.base)
    main = course.material.main(course.main).examples
    try:
        with files.same_threads():
            taught = yield from teach(
                base, course, to, figure_of=figure_of, device=device, kept=files
            )
            grouping = project.groupings.current()
            threshold = None if grouping is None else grouping.threshold
            figures, examples = yield from figures_of(
                taught, taught.judged, base=base, threshold=threshold, seed=course.options.seed
            )
    except GeneratorExit:
        project.trainings.drop(run)
        shutil.rmtree(to, ignore_errors=True)
        raise
    except UserError:
        if not any(folder.glob("stage-*.safetensors")):
            project.trainings.drop(run)  # there is nothing to go on from
        raise
    told = dict(kept.told)
    figures |= {
        "seconds": time.monotonic() - started, "stages": told_stages(course, taught.aside),
        "contradicted": told.pop("contradicted"), "repeated": told.pop("repeated"),
        "notes": [*told.pop("notes"), *figures["notes"]],
    }  # fmt: skip  # beside what was measured
    how = _how(kept, taught, told.pop("asked"), folder.relative_to(project.folder).as_posix())
    number = project.trainings.add(
        run=run, name=next_name(project, kept.base_name),
        folder=to.relative_to(project.folder).as_posix(), base_name=kept.base_name,
        base_folder=kept.base,
        data={
            **told, "pairs": len(main), "trained_on": taught.learnt,
            "held_out": _held_out(taught), "examples": len(course.material),
            "kinds": course.material.counts(),
        },
        options={**asdict(course.options), "used_epochs": taught.trained.epochs[-1]},
        figures=figures, curve=[list(point) for point in taught.trained.fitted.curve],
        held_curve=[list(point) for point in taught.trained.fitted.held_curve],
        examples=examples, how=how,
    )  # fmt: skip  # the columns of the record
    files.remove()
    return TeachOutcome(number, str(to), len(main), figures, " ".join(figures["notes"]))


def _how(kept: KeptCourse, taught: Taught, asked: Mapping[str, Any], lesson: str) -> dict[str, Any]:
    """All it takes to do it again, and to say what was done."""
    course = kept.course
    return {
        "recipe": course.recipe.name, "title": course.recipe.title,
        "objective": course.objective, "asked": dict(asked),
        "stages": told_stages(course, taught.aside), "base_fingerprint": kept.base_fingerprint,
        "seed": course.options.seed, "versions": versions(), "device": taught.trained.device,
        "rates": _rates(taught), "threads": taught.trained.threads, "lesson": lesson,
    }  # fmt: skip  # one thing beside another


def _rates(taught: Taught) -> dict[str, Any] | None:
    """The learning rates that were tried first, where that was asked for."""
    return None if taught.trained.searched is None else taught.trained.searched.record()


def _told_of(project: Project, found: ProjectCourse, asked: Asked) -> dict[str, Any]:
    """What the record of a training tells of its data, known before the work."""
    counts, lesson = project.decisions.counts(), found.lesson
    return {
        "same": counts["same"], "different": counts["different"],
        "imported": sum(file.examples for file in lesson.files), "decisions": lesson.decisions,
        "decisions_revision": project.meta.revision("decisions"),
        "files": [
            {"file": file.id, "name": file.name, "kind": file.kind, "examples": file.examples,
             "sha256": file.sha256}
            for file in lesson.files
        ],
        "contradicted": lesson.contradicted, "repeated": lesson.repeated,
        "notes": list(found.notes),
        "asked": {**asked.plain(), **asdict(found.course.asked), **asdict(found.course.options)},
    }  # fmt: skip  # one thing beside another


def _with_base(kept: KeptCourse) -> KeptCourse:
    """Find the encoder that a kept training began with, where it lies now."""
    base = folder_in_use(kept.base, name=kept.base_name)
    if base_fingerprint(base) != kept.base_fingerprint:
        raise UserError(
            f"The encoder that this training began with has changed ({base}).",
            "Put the old one back, or begin a new training.",
        )
    return KeptCourse(kept.course, str(base), kept.base_name, kept.base_fingerprint, kept.told)


def _drop_unrecorded(project: Project, run: int) -> None:
    """Delete an encoder that was written just before its training was cut off."""
    known = {(project.folder / one.folder).resolve() for one in project.trainings.listed()}
    folder = project.folder / "encoders" / f"taught-{run}"
    if folder.resolve() not in known:
        shutil.rmtree(folder, ignore_errors=True)


def _held_out(taught: Taught) -> int:
    judged = taught.judged
    return 0 if judged is None or taught.verdict == "cross-validated" else len(judged)


def next_name(project: Project, base_name: str) -> str:
    """How the next encoder that is taught in a project is called."""
    trainings = project.trainings.listed()
    first = trainings[-1].base_name if trainings else base_name
    return f"{first} taught {len(trainings) + 1}"


def _free_folder(folder: Path, run: int) -> Path:
    """A name that is not taken: runs are numbered, but a project may have been put together."""
    names = (f"taught-{run}", *(f"taught-{run}-{more}" for more in range(2, 1000)))
    return next(folder / name for name in names if not (folder / name).exists())
