"""Teach: an encoder learns what the same means here, from decisions and from judged pairs."""

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.evaluation import average_precision, compare, matching_threshold, spearman
from core.examples import PairSet, ScoredPairs, read_pairs
from core.folders import encoder_folder, folder_in_use, told
from core.options import TrainOptions
from core.progress import Steps
from core.store import EncoderRecord, PairFile, Project
from core.training import (
    Background,
    Taught,
    forecast_seconds,
    plan_lesson,
    random_pairs,
    teach,
    telling_pairs,
)
from core.workflows.lessons import SAME, lesson_of, ordered
from core.workflows.recorded import recorded

_TELLING = 20  # pairs kept as examples on each side
_MOST_TEXTS = 50_000  # of the corpus, that random pairs are drawn from
_FOLDS = 5  # trainings that cross-validation takes, the one over all pairs included
_START_S = 20.0  # until a fresh process has loaded what it needs; 7 to 30 were seen
_USUAL = TrainOptions()
_VERDICTS = {
    "none": "There is nothing to learn from yet. Decide some pairs, or import judged ones.",
    "too-few": "Too few to tell: an encoder can be taught, but not whether it got better.",
    "cross-validated": "Few: each pair is held out once, so that it can be told whether it helps.",
    "enough": "Enough for a first try.",
}


@dataclass(frozen=True, slots=True)
class TeachOutcome:
    """A finished lesson."""

    training: int  # its number in the project, 0 outside of one
    folder: str
    pairs: int
    figures: dict[str, Any]
    note: str = ""  # what was left out or odd in the pairs


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
    contradicted: int  # pairs left out, since a newer word says the contrary
    repeated: int  # pairs left out, since a newer word says the same
    held_out: int  # pairs that judge and are not learnt from
    choosing: int  # pairs that choose among the weights and are not learnt from


def import_pairs(project: Project, path: Path) -> tuple[PairFile, bool]:
    """Take a file of judged pairs into the project; return it and whether it is new."""
    found = read_pairs(path)
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as fault:
        raise UserError(f"The file {path} could not be read: {fault}.") from fault
    note = f"{found.scale_note} {_odd(found)}".strip()
    return project.judged.add(
        name=told(path.name), path=told(path), sha256=digest, kind=found.kind, note=note,
        pairs=zip(found.left, found.right, found.gold.tolist(), strict=True),
    )  # fmt: skip


def forecast_teaching(project: Project, options: TrainOptions = _USUAL) -> TeachForecast:
    """Say what there is to learn from and about how long it takes."""
    counts = project.decisions.counts()
    lesson = lesson_of(project)
    data = lesson.data
    plan = plan_lesson(data, options)
    active = project.active_encoder()
    seconds = None
    if active is not None and len(data) and Path(active.folder).is_dir():
        folds = _FOLDS if plan.verdict == "cross-validated" else 1
        learnt = data.rows(plan.learn)
        seconds = round(
            _START_S + folds * forecast_seconds(Path(active.folder), learnt, options), 1
        )
    return TeachForecast(
        counts["same"], counts["different"], counts["unsure"], project.judged.count(),
        project.texts.count(), seconds, plan.verdict, _VERDICTS[plan.verdict],
        plan.same, plan.different, lesson.contradicted, lesson.repeated,
        len(plan.judge), len(plan.choose),
    )  # fmt: skip


def teach_project(project: Project, options: TrainOptions) -> Steps[TeachOutcome]:
    """Teach the active encoder by all that was decided and imported; it stays the active one.

    The new encoder is a folder of the project, whole or not there. Takes `Enough`.
    """
    lesson = lesson_of(project)
    data = lesson.data
    active = project.active_encoder()
    if active is None:
        raise UserError("The texts are not encoded yet.", "Encode them first.")
    if not len(data):
        raise UserError(
            "There are no judged pairs to learn from.",
            "Decide some pairs as same or different, or import judged pairs.",
        )
    base = folder_in_use(active.folder, name=active.name)

    def work(run: int) -> Steps[TeachOutcome]:
        started = time.monotonic()
        background = _background(project, active, options.seed)
        to = _free_folder(project.folder / "encoders", run)
        to.parent.mkdir(exist_ok=True)
        taught = yield from _taught(base, data, background, options, to)
        grouping = project.groupings.current()
        threshold = None if grouping is None else grouping.threshold
        figures = yield from _figures(taught, data, threshold)
        figures["seconds"] = time.monotonic() - started
        figures |= {"contradicted": lesson.contradicted, "repeated": lesson.repeated}
        counts = project.decisions.counts()
        number = project.trainings.add(
            run=run, name=f"{_first_name(project, active)} taught {_count(project)}",
            folder=to.relative_to(project.folder).as_posix(), base_name=active.name,
            base_folder=active.folder,
            data={
                "same": counts["same"], "different": counts["different"],
                "imported": project.judged.count(), "pairs": len(data),
                "trained_on": taught.learnt, "held_out": _held_out(taught),
            },
            options={**asdict(options), "used_epochs": taught.trained.epochs},
            figures=figures, curve=[list(point) for point in taught.trained.fitted.curve],
            held_curve=[list(point) for point in taught.trained.fitted.held_curve],
            examples=_examples(taught),
        )  # fmt: skip
        return TeachOutcome(number, str(to), len(data), figures)

    return (
        yield from recorded(
            project, "train", asdict(options), work,
            inputs={"encoder": active.fingerprint, "pairs": len(data)}, seed=options.seed,
        )
    )  # fmt: skip


def teach_from_file(
    to: Path, pairs: Path, options: TrainOptions, *, base: str = "default", device: str = "auto"
) -> Steps[TeachOutcome]:
    """Teach an encoder by a file of judged pairs and write the new one to the folder `to`.

    The random pairs that hold it where it is are drawn from the texts of the file.
    """
    started = time.monotonic()
    found = read_pairs(pairs)
    data = ScoredPairs(found.left, found.right, found.gold.astype(np.float32))
    texts = list(dict.fromkeys((*found.left, *found.right)))
    background = random_pairs(texts, seed=options.seed)
    folder = encoder_folder(base)
    taught = yield from _taught(folder, data, background, options, to, device=device)
    figures = yield from _figures(taught, data, None)
    figures["seconds"] = time.monotonic() - started
    return TeachOutcome(0, str(to), len(data), figures, _odd(found))


def _odd(found: PairSet) -> str:
    """What a person should know of the pairs of a file, in sentences."""
    said = []
    if found.skipped:
        rows = "1 row was" if len(found.skipped) == 1 else f"{len(found.skipped):,} rows were"
        line, why = found.skipped[0]
        said.append(f"{rows} left out, such as line {line}: {why}.".replace("..", "."))
    first: dict[tuple[str, str], float] = {}
    contrary = {
        pair
        for pair, gold in zip(
            map(ordered, found.left, found.right), found.gold.tolist(), strict=True
        )
        if (first.setdefault(pair, gold) >= SAME) != (gold >= SAME)
    }
    if contrary:
        pairs = "1 pair is" if len(contrary) == 1 else f"{len(contrary):,} pairs are"
        said.append(f"{pairs} judged both ways.")
    return " ".join(said)


def _taught(
    folder: Path, data: ScoredPairs, background: Background, options: TrainOptions, to: Path,
    *, device: str = "auto",
) -> Steps[Taught]:  # fmt: skip
    return (
        yield from teach(
            folder, data, background, options, to, figure=_figure(data)[1], device=device
        )
    )


def _background(project: Project, active: EncoderRecord, seed: int) -> Background:
    """Random pairs of the corpus with the cosines they have now."""
    table = project.vectors.table(active)
    used = np.flatnonzero(np.isin(table.texts, project.texts.table().ids))
    if len(used) > _MOST_TEXTS:
        used = np.sort(np.random.default_rng(seed).choice(used, _MOST_TEXTS, replace=False))
    bodies = project.texts.bodies(table.texts[used])
    return random_pairs(bodies, np.array(table.vectors[table.rows[used]]), seed=seed)


Figure = Callable[[NDArray[Any], NDArray[Any]], float]


def _figure(data: ScoredPairs) -> tuple[str, Figure]:
    """What tells good from bad: its name, and the function, nan where it says nothing."""
    name, function = (
        ("average precision", average_precision) if data.is_labelled else ("Spearman", spearman)
    )

    def figure(gold: NDArray[Any], cosines: NDArray[Any]) -> float:
        if len(np.unique(gold)) < 2:
            return float("nan")
        return float(function(gold, cosines))

    return name, figure


def _figures(taught: Taught, data: ScoredPairs, threshold: float | None) -> Steps[dict[str, Any]]:
    fitted, judged = taught.trained.fitted, taught.judged
    same = int((data.score >= SAME).sum())
    drift = None
    if len(fitted.still_before):
        drift = float(np.abs(fitted.still_after - fitted.still_before).mean())
    told: dict[str, Any] = {
        "how": "too few to tell", "metric": "", "before": None, "after": None, "low": None,
        "high": None, "held_out": 0, "threshold_before": threshold, "threshold": None,
        "precision": None, "drift": drift, "stopped": fitted.stopped, "why": fitted.why,
        "seconds": taught.trained.seconds, "steps": fitted.steps, "step": fitted.step,
        "cut": fitted.cut, "was_chosen": taught.was_chosen, "note": "",
        "same": same, "different": len(data) - same, "verdict": taught.verdict,
    }  # fmt: skip
    # A lesson ended before it began was not measured.
    was_measured = judged is not None and len(judged.before) == len(judged.after) == len(judged)
    if judged is None or not was_measured or len(np.unique(judged.pairs.score)) < 2:
        return told
    name, figure = _figure(judged.pairs)
    gold = judged.pairs.score
    difference = yield from compare(gold, judged.before, judged.after, judged.groups, figure=figure)
    told |= {
        "how": "cross-validated" if taught.verdict == "cross-validated" else "held out",
        "metric": name, "before": difference.before, "after": difference.after,
        "low": _finite(difference.low), "high": _finite(difference.high),
        "held_out": len(judged), "note": judged.note,
    }  # fmt: skip
    if threshold is not None:
        reached = judged.before >= threshold
        told["threshold"] = matching_threshold(gold, judged.before, judged.after, threshold)
        if reached.any():
            told["precision"] = float((gold[reached] >= SAME).mean())
    return told


def _finite(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None


def _held_out(taught: Taught) -> int:
    judged = taught.judged
    return 0 if judged is None or taught.verdict == "cross-validated" else len(judged)


def _examples(taught: Taught) -> Mapping[str, Any]:
    judged = taught.judged
    if judged is None or not len(judged.before) == len(judged.after) == len(judged):
        return {"better": [], "worse": []}
    told_pairs = telling_pairs(judged, count=_TELLING)
    return {
        "better": [asdict(pair) for pair in told_pairs.better],
        "worse": [asdict(pair) for pair in told_pairs.worse],
    }


def _first_name(project: Project, active: EncoderRecord) -> str:
    trainings = project.trainings.listed()
    return trainings[-1].base_name if trainings else active.name


def _count(project: Project) -> int:
    return len(project.trainings.listed()) + 1


def _free_folder(folder: Path, run: int) -> Path:
    """A name that is not taken: runs are numbered, but a project may have been put together."""
    names = (f"taught-{run}", *(f"taught-{run}-{more}" for more in range(2, 1000)))
    return next(folder / name for name in names if not (folder / name).exists())
