"""Wishes about cross-encoders, by name, with plain values in and out."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from core.options import TrainOptions
from core.progress import Outcome, Steps
from core.records import Changes
from core.store import Project
from core.workflows.cross_training import teach_cross_project
from core.workflows.desk import Desk
from core.workflows.rechecking import (
    Ids,
    forecast_recheck,
    pairs_in_band,
    recheck_hits,
    recheck_pairs,
    waiting_pairs,
)
from core.workflows.wishes import Answer, Wish, options_of, project_of


def _train_cross(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = project_of(desk, values)
    own = ("both_orders", "device")
    told = {name: value for name, value in values.items() if name not in own}
    outcome = yield from teach_cross_project(
        project, options_of(TrainOptions, told), both_orders=values.get("both_orders", True),
        device=values.get("device") or "auto",
    )  # fmt: skip
    return Answer(asdict(outcome), Changes(trainings=True))


def _recheck_search(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = project_of(desk, values)
    question = values.get("question")
    if values.get("like") is not None:
        rows = project.documents.get([int(values["like"])])
        question = rows[0].body if rows else ""
    outcome = yield from recheck_hits(
        project, Path(values["cross"]), question or "", [int(one) for one in values["texts"]],
        device=values.get("device") or "auto", desk=desk.cross,
    )  # fmt: skip
    return Answer(asdict(outcome))


def _recheck_pairs(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from _over_pairs(recheck_pairs, desk, values)
    return Answer(asdict(outcome), Changes(checked=True))


def _recheck_forecast(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from _over_pairs(forecast_recheck, desk, values)
    return Answer(asdict(outcome))


def _over_pairs(
    work: Callable[..., Steps[Outcome]], desk: Desk, values: Mapping[str, Any]
) -> Steps[Outcome]:
    project = project_of(desk, values)
    left, right = _pairs_to_check(project, values)
    return work(
        project, Path(values["cross"]), left, right, both_orders=values.get("both_orders", True),
        device=values.get("device") or "auto", desk=desk.cross,
    )  # fmt: skip


def _pairs_to_check(project: Project, values: Mapping[str, Any]) -> tuple[Ids, Ids]:
    """The pairs that were named, those of a band of cosines, or all that wait for a person."""
    if values.get("pairs") is not None:
        named = np.array(values["pairs"], np.int64).reshape(-1, 2)
        return named[:, 0], named[:, 1]
    if values.get("low") is not None:
        return pairs_in_band(project, float(values["low"]), float(values["high"]))
    return waiting_pairs(project)


CROSS_WISHES: dict[str, Wish] = {
    "train-cross": _train_cross,
    "recheck-search": _recheck_search,
    "recheck-pairs": _recheck_pairs,
    "recheck-forecast": _recheck_forecast,
}
