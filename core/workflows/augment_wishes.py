"""Wishes about many labels from few, by name, with plain values in and out."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from core.augment_options import AugmentOptions
from core.options import TrainOptions
from core.progress import Progress, Steps
from core.records import Changes
from core.workflows.augmenting.project import (
    ProjectAsked,
    correct,
    drop_augmentation,
    drop_pairs,
    forecast_project,
    label_project,
    learn_project,
    look,
    measure_project,
    rebalance,
)
from core.workflows.desk import Desk
from core.workflows.wishes import Answer, Wish, project_of

_MOVED = Changes(trainings=True)


def _look(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Counting the gold pairs")
    held_out = float(values.get("held_out") or AugmentOptions().held_out)
    return Answer(asdict(look(project_of(desk, values), held_out)))


def _measure(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from measure_project(project_of(desk, values), _asked(values))
    return Answer(asdict(outcome), _MOVED)


def _forecast(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from forecast_project(
        project_of(desk, values), int(values["augmentation"]), _asked(values)
    )
    return Answer(asdict(outcome))


def _label(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from label_project(
        project_of(desk, values), int(values["augmentation"]), _asked(values)
    )
    return Answer(asdict(outcome), _MOVED)


def _learn(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from learn_project(
        project_of(desk, values), int(values["augmentation"]),
        device=values.get("device") or "auto",
    )  # fmt: skip  # what, and where
    return Answer(asdict(outcome), _MOVED)


def _correct(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Correcting a label")
    score = values.get("score")
    sheet = correct(
        project_of(desk, values), int(values["augmentation"]), int(values["place"]),
        None if score is None else float(score),
    )  # fmt: skip  # which pair, and what
    return Answer({"sheet": sheet}, _MOVED)


def _drop_pairs(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Leaving pairs out")
    sheet = drop_pairs(
        project_of(desk, values), int(values["augmentation"]),
        [int(one) for one in values["places"]], dropped=bool(values.get("dropped", True)),
    )  # fmt: skip  # which pairs, and what
    return Answer({"sheet": sheet}, _MOVED)


def _rebalance(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Rebalancing")
    sheet = rebalance(project_of(desk, values), int(values["augmentation"]))
    return Answer({"sheet": sheet}, _MOVED)


def _drop(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Dropping the silver pairs")
    drop_augmentation(project_of(desk, values), int(values["augmentation"]))
    return Answer({}, _MOVED)


def _asked(values: Mapping[str, Any]) -> ProjectAsked:
    """Read the values of a wish; options of the encoders' training are under `train`."""
    own = {one.name for one in fields(AugmentOptions)}
    known = {one.name for one in fields(TrainOptions)}
    train = values.get("train") or {}
    return ProjectAsked(
        values={name: value for name, value in values.items() if name in own and value is not None},
        source=str(values.get("source") or "gold"),
        train={name: value for name, value in train.items() if name in known},
        cross_base=str(values.get("cross_base") or ""),
        given=tuple(values.get("given") or ()),
        device=str(values.get("device") or "auto"),
    )


AUGMENT_WISHES: dict[str, Wish] = {
    "augment-look": _look,
    "augment-measure": _measure,
    "augment-forecast": _forecast,
    "augment-label": _label,
    "augment-learn": _learn,
    "augment-correct": _correct,
    "augment-drop-pairs": _drop_pairs,
    "augment-rebalance": _rebalance,
    "augment-drop": _drop,
}
