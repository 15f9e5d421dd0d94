"""Augment a project: its decisions and imported pairs become gold, silver ones lie in its store."""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.augment_options import AugmentOptions
from core.augmentation import (
    GoldSides,
    Silver,
    gold_sides,
    look_at_gold,
    most_kept,
    rebalanced,
    refuse_early_choice,
    sheet_of,
)
from core.errors import UserError
from core.examples import Severity
from core.folders import encoder_folder, folder_in_use
from core.options import TrainOptions, options_from
from core.progress import Outcome, Steps
from core.store import AugmentationRecord, EncoderRecord, Project
from core.training import base_fingerprint
from core.workflows.augmenting.files import GOLD
from core.workflows.augmenting.kept import Plan, StepFolder, kept_plan
from core.workflows.augmenting.labelling import LabelForecast, forecast_labels, label
from core.workflows.augmenting.learning import (
    AugmentOutcome,
    best_on_dev,
    learn_silver,
    outcome_of,
    take_out,
)
from core.workflows.augmenting.measuring import measure
from core.workflows.augmenting.recording import add_training
from core.workflows.courses import background_of
from core.workflows.lessons import lesson_of
from core.workflows.recorded import recorded

CORPUS = "the corpus"
_SOURCES = ("gold", "corpus")
_SAME = 0.5


@dataclass(frozen=True, slots=True)
class ProjectAsked:
    """What a person asked: options by name; `source` is "gold" or "corpus"."""

    values: Mapping[str, Any]
    source: str = "gold"
    train: Mapping[str, Any] | None = None
    cross_base: str = ""
    given: tuple[str, ...] = ()
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class GoldLook:
    """How much gold a project has, and whether it is enough."""

    pairs: int
    same: int
    different: int
    is_scored: bool
    decisions: int
    imported: int
    corrections: int
    learn: int  # pairs that would teach, compare and judge; 0 where nothing can be done
    dev: int
    test: int
    texts: int  # of the gold pairs that would teach
    corpus: int  # texts
    findings: tuple[dict[str, Any], ...]  # severity, sentence, remedy
    stops: bool


@dataclass(frozen=True, slots=True)
class MeasureOutcome:
    """Teachers were compared."""

    augmentation: int
    verdict: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LabelOutcome:
    """Silver pairs lie in the project."""

    augmentation: int
    silver: int
    teacher: str
    sheet: dict[str, Any]


def look(project: Project, held_out: float = AugmentOptions().held_out) -> GoldLook:
    """Count the gold of a project and say whether it is enough; quick."""
    lesson = lesson_of(project)
    pairs = lesson.data
    findings = look_at_gold(pairs)
    stops = any(one.severity is Severity.STOPS for one in findings)
    sides: GoldSides | None = None
    told = [asdict(one) for one in findings]
    if not stops:
        try:
            sides = gold_sides(pairs, held_out=held_out, seed=0)
        except UserError as fault:
            stops = True
            told.append({"severity": "stops", "sentence": fault.what, "remedy": fault.remedy,
                         "examples": len(pairs)})  # fmt: skip  # a finding in plain values
    same = int((pairs.score >= _SAME).sum())
    learn = 0 if sides is None else len({*sides.learn.left, *sides.learn.right})
    return GoldLook(
        pairs=len(pairs),
        same=same,
        different=len(pairs) - same,
        is_scored=not pairs.is_labelled,
        decisions=lesson.decisions,
        imported=sum(file.examples for file in lesson.files),
        corrections=len(project.augmentations.corrections()),
        learn=0 if sides is None else len(sides.learn),
        dev=0 if sides is None else len(sides.dev),
        test=0 if sides is None else len(sides.test),
        texts=learn,
        corpus=len(project.texts.table().ids),
        findings=tuple(told),
        stops=stops,
    )


def measure_project(project: Project, asked: ProjectAsked) -> Steps[MeasureOutcome]:
    """Teach what may teach by the gold of a project, compare it, and keep that.

    What it takes to go on lies in `augmentations/NUMBER` of the project. Cancel leaves nothing.
    Raises `UserError` for too little gold and beside another training.
    """
    active = _active(project)
    plan = _plan(project, asked, active)

    def work(run: int) -> Steps[MeasureOutcome]:
        folder = _folder(project, run)
        _sweep(project)
        try:
            plan.keep(folder)
            kept = StepFolder(folder)
            found = yield from measure(
                plan, kept, device=asked.device, threshold=_threshold(project)
            )
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        verdict = asdict(found)
        number = project.augmentations.add(
            run=run, options={**asdict(plan.options), "source": asked.source},
            gold=_told_gold(plan), teachers=verdict,
        )  # fmt: skip  # one thing beside another
        return MeasureOutcome(number, verdict)

    return (yield from _alone(project, "augment-measure", plan, work))


def forecast_project(
    project: Project, augmentation: int, asked: ProjectAsked
) -> Steps[LabelForecast]:
    """Choose pairs by the settings asked and say what labelling them will cost."""
    record, folder = _known(project, augmentation)
    plan = _chosen(project, kept_plan(folder), asked, record)
    return (yield from forecast_labels(plan, StepFolder(folder), device=asked.device))


def label_project(project: Project, augmentation: int, asked: ProjectAsked) -> Steps[LabelOutcome]:
    """Let the teacher label the chosen pairs and keep them in the project.

    Cancelled or killed, it goes on where it was when it is asked again with the same settings.
    """
    record, folder = _known(project, augmentation)
    plan = _chosen(project, kept_plan(folder), asked, record)

    def work(_run: int) -> Steps[LabelOutcome]:
        kept = StepFolder(folder)
        found = yield from label(plan, kept, device=asked.device, insist=plan.options.insist)
        sheet = asdict(found.sheet)
        project.augmentations.label(
            augmentation,
            zip(found.silver.left, found.silver.right, map(float, found.silver.score), strict=True),
            options={**asdict(plan.options), "source": asked.source,
                     "teacher_name": found.teacher},
            sheet=sheet,
        )  # fmt: skip  # the pairs, then what is told of them
        sheet = _retold(project, augmentation)  # what a person corrected before is among them
        return LabelOutcome(augmentation, len(found.silver), found.teacher, sheet)

    return (yield from _alone(project, "augment-label", plan, work))


def learn_project(
    project: Project, augmentation: int, *, device: str = "auto"
) -> Steps[AugmentOutcome]:
    """Teach by gold and the silver pairs as a person left them; it becomes a training.

    Cancelled or killed, it goes on where it was when it is asked again.
    """
    record, folder = _known(project, augmentation)
    silver = silver_of(project, augmentation)
    taught = silver.taught
    plan = _with_options(kept_plan(folder), record)

    def work(run: int) -> Steps[AugmentOutcome]:
        started = time.monotonic()
        kept = StepFolder(folder)
        names = yield from learn_silver(
            plan, kept, taught, device=device, threshold=_threshold(project)
        )
        to = _free(project, run)
        found = yield from outcome_of(plan, kept, names, taught, folder=to)
        best = best_on_dev(plan, kept, names)
        row = kept.row(best) or {}
        take_out(kept, best, to)
        number = add_training(
            project, plan, row, taught, found, run=run, seconds=time.monotonic() - started
        )
        kept.drop("augmented-*")
        project.augmentations.mark(augmentation, "trained", training=number)
        return replace(found, training=number)

    return (yield from _alone(project, "augment-learn", plan, work))


def correct(project: Project, augmentation: int, place: int, score: float | None) -> dict[str, Any]:
    """Put a person's word in place of a label, or take it back; return the sheet anew."""
    _known(project, augmentation)
    try:
        project.augmentations.correct(augmentation, place, score)
    except KeyError as fault:
        raise UserError("This silver pair is no longer there.", "Look again.") from fault
    return _retold(project, augmentation)


def drop_pairs(
    project: Project, augmentation: int, places: Sequence[int], *, dropped: bool
) -> dict[str, Any]:
    """Leave silver pairs out of what is learnt, or take them in again; return the sheet anew."""
    _known(project, augmentation)
    project.augmentations.drop(augmentation, places, dropped=dropped)
    return _retold(project, augmentation)


def rebalance(project: Project, augmentation: int) -> dict[str, Any]:
    """Leave out silver pairs until they are spread as the gold ones; return the sheet anew."""
    record, folder = _known(project, augmentation)
    plan = _with_options(kept_plan(folder), record)
    rows = [row for row in project.augmentations.silver(augmentation) if not row.by_hand]
    scores = [row.score if row.corrected is None else row.corrected for row in rows]
    learn = plan.gold.learn
    kept = rebalanced(
        learn.score, np.array(scores, np.float32), most=most_kept(len(learn), plan.options),
        seed=plan.options.seed,
    )  # fmt: skip  # gold, silver, bounds
    if not len(kept):
        raise UserError(
            "Rebalancing would leave no silver pair: their labels lie where the gold has none.",
            "Choose new pairs in another way, or correct some labels; all pairs stay as they are.",
        )
    places = {rows[at].place for at in kept.tolist()}
    project.augmentations.rebalance(augmentation, places)
    return _retold(project, augmentation)


def drop_augmentation(project: Project, augmentation: int) -> None:
    """Delete silver pairs and all that it took to make them; corrections stay, as gold."""
    record, folder = _known(project, augmentation, whole=False)
    project.augmentations.remove(record.id)
    shutil.rmtree(folder, ignore_errors=True)


def silver_of(project: Project, augmentation: int) -> Silver:
    """The silver pairs as they lie in the project."""
    rows = project.augmentations.silver(augmentation)
    nan = float("nan")
    return Silver(
        tuple(row.left for row in rows), tuple(row.right for row in rows),
        np.array([row.score for row in rows], np.float32),
        np.array([nan if row.corrected is None else row.corrected for row in rows], np.float32),
        np.array([row.dropped for row in rows], np.bool_),
    )  # fmt: skip  # in the order of the fields


def _retold(project: Project, augmentation: int) -> dict[str, Any]:
    _, folder = _known(project, augmentation)
    sheet = asdict(sheet_of(kept_plan(folder).gold.learn, silver_of(project, augmentation)))
    project.augmentations.retell(augmentation, sheet)
    return sheet


def _plan(project: Project, asked: ProjectAsked, active: EncoderRecord) -> Plan:
    options = options_from(AugmentOptions, asked.values)
    train = options_from(TrainOptions, dict(asked.train or {}))
    base = folder_in_use(active.folder, name=active.name)
    gold = gold_sides(lesson_of(project).data, held_out=options.held_out, seed=options.seed)
    refuse_early_choice(gold, stop_early=options.stop_early)
    texts, source = _texts(project, asked.source, gold)
    cross = str(encoder_folder(asked.cross_base)) if asked.cross_base else ""
    teach = TrainOptions(rate=1e-4, hold=0.0, search_rates=True)
    return Plan(
        str(base), active.name, base_fingerprint(base), gold, texts, source, options, train, teach,
        background_of(project, active, options.seed), cross, None, asked.given,
        {"decisions_revision": project.meta.revision("decisions")},
    )  # fmt: skip  # in the order of the fields


def _texts(project: Project, source: str, gold: GoldSides) -> tuple[tuple[str, ...], str]:
    if source not in _SOURCES:
        raise UserError(f"`{source}` is no source of texts.", f"Use one of {', '.join(_SOURCES)}.")
    if source == "gold":
        texts, told = [text for side in gold.learn.columns for text in side], GOLD
    else:
        texts, told = project.texts.bodies(project.texts.table().ids), CORPUS
    held = gold.held_texts
    return tuple(text for text in dict.fromkeys(texts) if text not in held), told


def _chosen(project: Project, plan: Plan, asked: ProjectAsked, record: AugmentationRecord) -> Plan:
    """The plan with the sampling that is asked now."""
    own = ("sampling", "top_k", "pool", "most", "insist")
    values = {name: asked.values[name] for name in own if name in asked.values}
    options = options_from(AugmentOptions, {**asdict(plan.options), **values})
    texts, source = _texts(project, asked.source or record.options["source"], plan.gold)
    return replace(plan, options=options, texts=texts, source=source)


def _with_options(plan: Plan, record: AugmentationRecord) -> Plan:
    known = asdict(plan.options)
    told = {name: value for name, value in record.options.items() if name in known}
    return replace(plan, options=options_from(AugmentOptions, {**known, **told}))


def _told_gold(plan: Plan) -> dict[str, Any]:
    gold = plan.gold
    same = int((gold.learn.score >= _SAME).sum())
    return {
        "learn": len(gold.learn), "dev": len(gold.dev), "test": len(gold.test), "same": same,
        "different": len(gold.learn) - same, "chooses": gold.chooses, "notes": list(gold.notes),
        **dict(plan.told or {}),
    }  # fmt: skip  # one figure after the other


def _alone(
    project: Project, workflow: str, plan: Plan, work: Callable[[int], Steps[Outcome]]
) -> Steps[Outcome]:
    """Run a step under its record, and never beside a training."""
    lock = project.trainings.alone()
    try:
        inputs = {"base": plan.base_name, "gold": len(plan.gold.learn), "texts": len(plan.texts)}
        return (
            yield from recorded(
                project, workflow, asdict(plan.options), work, inputs=inputs,
                seed=plan.options.seed,
            )
        )  # fmt: skip  # the record, then the work
    finally:
        lock.release()


def _known(
    project: Project, augmentation: int, *, whole: bool = True
) -> tuple[AugmentationRecord, Path]:
    try:
        record = project.augmentations.get(augmentation)
    except KeyError as fault:
        raise UserError(
            "These silver pairs are no longer in the project.", "Look again."
        ) from fault
    folder = _folder(project, record.run or 0)
    if whole and not folder.is_dir():
        raise UserError(
            "What it takes to go on with these silver pairs is gone from the project folder.",
            "Compare teachers again.",
        )
    return record, folder


def _folder(project: Project, run: int) -> Path:
    return project.folder / "augmentations" / str(run)


def _sweep(project: Project) -> None:
    """Delete what comparisons left that were killed; nothing can go on from it."""
    known = {str(one.run) for one in project.augmentations.listed()}
    for folder in (project.folder / "augmentations").glob("*"):
        if folder.name not in known:
            shutil.rmtree(folder, ignore_errors=True)


def _free(project: Project, run: int) -> Path:
    folder = project.folder / "encoders"
    names = (f"taught-{run}", *(f"taught-{run}-{more}" for more in range(2, 1000)))
    return next(folder / name for name in names if not (folder / name).exists())


def _active(project: Project) -> EncoderRecord:
    active = project.active_encoder()
    if active is None:
        raise UserError("The texts are not encoded yet.", "Encode them first.")
    return active


def _threshold(project: Project) -> float | None:
    grouping = project.groupings.current()
    return None if grouping is None else grouping.threshold
