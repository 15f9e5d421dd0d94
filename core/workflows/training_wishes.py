"""Wishes about teaching, by name, with plain values in and out."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.progress import Progress, Steps
from core.records import Changes
from core.workflows.asking import asked_of
from core.workflows.desk import Desk
from core.workflows.examples_desk import Reading, check_examples, import_examples
from core.workflows.lessons import lesson_of
from core.workflows.taking_into_use import use_folder, use_training
from core.workflows.teaching import (
    remove_interrupted,
    remove_training,
    repeat_training,
    resume_training,
    teach_project,
)
from core.workflows.teaching_forecast import forecast_teaching, recipes_for
from core.workflows.wishes import Answer, Wish, project_of


def _recipes(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Looking at the examples")
    material = None
    if values.get("project"):
        material = lesson_of(project_of(desk, values), asked_of(values).selection).material
    return Answer(recipes_for(material))


def _import_examples(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Reading the examples")
    file, is_new = import_examples(project_of(desk, values), Path(values["path"]), _reading(values))
    told = {**asdict(file), "file": file.id, "is_new": is_new}
    return Answer(told, Changes(trainings=True))


def _remove_examples(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Removing the examples")
    project_of(desk, values).judged.remove(int(values["file"]))
    return Answer({}, Changes(trainings=True))


def _check_examples(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from check_examples(project_of(desk, values), asked_of(values))
    return Answer(asdict(outcome))


def _train_forecast(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Counting the examples")
    told = forecast_teaching(
        project_of(desk, values), asked_of(values), memory=bool(values.get("memory"))
    )
    return Answer(asdict(told))


def _train(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from teach_project(project_of(desk, values), asked_of(values))
    return Answer(asdict(outcome), Changes(trainings=True))


def _resume_training(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    device = values.get("device") or "auto"
    project = project_of(desk, values)
    outcome = yield from resume_training(project, int(values["run"]), device=device)
    return Answer(asdict(outcome), Changes(trainings=True))


def _repeat_training(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    device = values.get("device") or "auto"
    project = project_of(desk, values)
    outcome = yield from repeat_training(project, int(values["training"]), device=device)
    return Answer(asdict(outcome), Changes(trainings=True))


def _use_training(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = project_of(desk, values)
    device = values.get("device") or "auto"
    if values.get("training"):
        outcome = yield from use_training(project, int(values["training"]), device=device)
    else:
        outcome = yield from use_folder(project, Path(values["folder"]), device=device)
    return Answer(
        asdict(outcome),
        Changes(vectors=True, pairs=True, groups=True, decisions=True, trainings=True),
    )


def _discard_training(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Discarding the training")
    project_of(desk, values).trainings.mark(int(values["training"]), "discarded")
    return Answer({}, Changes(trainings=True))


def _remove_training(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Removing the training")
    remove_training(project_of(desk, values), int(values["training"]))
    return Answer({}, Changes(trainings=True))


def _remove_interrupted(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Removing the training")
    remove_interrupted(project_of(desk, values), int(values["run"]))
    return Answer({}, Changes(trainings=True))


def _reading(values: Mapping[str, Any]) -> Reading:
    labels, scale = values.get("labels"), values.get("scale")
    return Reading(
        kind=values.get("kind"),
        labels=None if labels is None else tuple(labels),
        scale=None if scale is None else (float(scale[0]), float(scale[1])),
        columns=values.get("columns"),
        topic=values.get("topic"),
    )


TRAINING_WISHES: dict[str, Wish] = {
    "recipes": _recipes,
    "import-examples": _import_examples,
    "remove-examples": _remove_examples,
    "check-examples": _check_examples,
    "train-forecast": _train_forecast,
    "train": _train,
    "resume-training": _resume_training,
    "repeat-training": _repeat_training,
    "use-training": _use_training,
    "discard-training": _discard_training,
    "remove-training": _remove_training,
    "remove-interrupted": _remove_interrupted,
}
