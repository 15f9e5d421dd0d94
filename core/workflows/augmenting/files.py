"""Augment by files of gold pairs, without a project; the command's own way."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.augment_options import AugmentOptions
from core.augmentation import (
    GoldSides,
    Verdict,
    gold_sides,
    look_at_gold,
    refuse_early_choice,
    refuse_top_k,
)
from core.errors import UserError
from core.examples import Finding, ScoredPairs, Severity
from core.folders import encoder_folder
from core.options import TrainOptions, options_from
from core.progress import Progress, Steps
from core.store import Project
from core.training import COURSE, base_fingerprint, random_pairs
from core.training.placing import refuse_taken
from core.workflows.augmenting.kept import Plan, StepFolder, kept_plan
from core.workflows.augmenting.labelling import LabelForecast, Labelled, forecast_labels, label
from core.workflows.augmenting.learning import (
    AugmentOutcome,
    best_on_dev,
    learn_silver,
    learn_synonyms,
    outcome_of,
    take_out,
)
from core.workflows.augmenting.measuring import measure
from core.workflows.checkpoint_folder import checkpoint_folder, owned_checkpoints
from core.workflows.examples_desk import Reading, read_file
from core.workflows.import_batches import staged_rows
from core.workflows.importing import inspect_file, settings_for
from core.workflows.lessons import as_side, lesson_of_examples

GOLD = "the texts of the gold pairs"


@dataclass(frozen=True, slots=True)
class AugmentAsked:
    """Files of gold pairs and what new pairs are made of; neither `texts` nor `project`: the gold.

    `values` are options of the augmentation, `train` of the encoders and `teach` of the
    cross-encoder by name; `first` holds general scored pairs that it learns before the gold.
    """

    pairs: tuple[Path, ...]
    dev: Path | None = None
    test: Path | None = None
    texts: Path | None = None
    project: Path | None = None
    first: Path | None = None
    cross_base: str = ""
    given: tuple[str, ...] = ()
    reading: Reading = field(default_factory=Reading)
    values: Mapping[str, Any] = field(default_factory=dict)
    train: Mapping[str, Any] = field(default_factory=dict)
    teach: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """Who is told what on the way; each may say nothing."""

    verdict: Callable[[Verdict], None] = lambda _found: None
    forecast: Callable[[LabelForecast], None] = lambda _found: None
    labelled: Callable[[Labelled], None] = lambda _found: None


def check_augmentation(asked: AugmentAsked) -> tuple[list[Finding], GoldSides]:
    """Look at the gold pairs and the texts before minutes are spent; quick.

    Raises `UserError` for what stops it.
    """
    options = options_from(AugmentOptions, asked.values)
    gold = _read_gold(asked.pairs, asked.reading)
    findings = look_at_gold(gold)
    sides = _sides(gold, asked, options)
    texts, _ = _texts(asked, sides)
    refuse_top_k(len(texts), options)
    return [one for one in findings if one.severity is not Severity.STOPS], sides


def augment_from_files(
    to: Path,
    asked: AugmentAsked,
    *,
    base: str = "default",
    device: str = "auto",
    told: Told | None = None,
) -> Steps[AugmentOutcome]:
    """Measure teachers, label new pairs, and write the encoder that learnt gold and silver to `to`.

    Beside `to` lies `to`.checkpoint until it is through; closing, a kill and a refused teacher
    leave it, to go on from. Raises `UserError` for a name that is taken, too little gold, and a
    teacher that is not better than its pupil, unless `insist` is among the values.
    """
    refuse_taken(to)
    yield Progress("Reading the gold pairs")
    plan = _plan(asked, base)
    with owned_checkpoints(to) as folder:
        if (folder / COURSE).is_file():
            raise UserError(
                f"Work on {to} was cut off and can go on.",
                f"Go on with --resume, or remove {folder}.",
            )
        plan.keep(folder)
        return (yield from _perform(to, plan, folder, device, told or Told()))


def resume_augmentation(
    to: Path, *, insist: bool = False, device: str = "auto", told: Told | None = None
) -> Steps[AugmentOutcome]:
    """Go on with an augmentation into `to` that was cut off or refused its teacher."""
    if not (checkpoint_folder(to) / COURSE).is_file():
        raise UserError(
            f"No work on {to} was cut off.", "Leave --resume out and name the gold pairs."
        )
    refuse_taken(to)
    with owned_checkpoints(to) as folder:
        plan = kept_plan(folder)
        if base_fingerprint(encoder_folder(plan.base)) != plan.base_fingerprint:
            raise UserError(
                f"The encoder that this began with has changed ({plan.base}).",
                f"Put the old one back, or remove {folder} and begin again.",
            )
        if insist:
            plan = replace(plan, options=replace(plan.options, insist=True))
        return (yield from _perform(to, plan, folder, device, told or Told()))


def _perform(to: Path, plan: Plan, folder: Path, device: str, told: Told) -> Steps[AugmentOutcome]:
    kept = StepFolder(folder)
    told.verdict((yield from measure(plan, kept, device=device)))
    if kept.row("silver") is None and (kept.row("verdict") or {}).get("is_better"):
        told.forecast((yield from forecast_labels(plan, kept, device=device)))
    labelled = yield from label(plan, kept, device=device, insist=plan.options.insist)
    told.labelled(labelled)
    silver = labelled.silver.taught
    names = yield from learn_silver(plan, kept, silver, device=device)
    beside: tuple[list[str], str] = ([], "")
    if plan.options.synonyms:
        beside = yield from learn_synonyms(plan, kept, device=device)
    found = yield from outcome_of(plan, kept, names, silver, folder=to, synonyms=beside)
    take_out(kept, best_on_dev(plan, kept, names), to)
    shutil.rmtree(folder, ignore_errors=True)
    return found


def _plan(asked: AugmentAsked, base: str) -> Plan:
    options = options_from(AugmentOptions, asked.values)
    train = options_from(TrainOptions, asked.train)
    teach = options_from(TrainOptions, {"rate": 1e-4, "hold": 0.0, **asked.teach})
    folder = encoder_folder(base)
    gold = _sides(_read_gold(asked.pairs, asked.reading), asked, options)
    texts, source = _texts(asked, gold)
    refuse_top_k(len(texts), options)
    first = None if asked.first is None else _scored(asked.first, Reading())
    cross = str(encoder_folder(asked.cross_base)) if asked.cross_base else ""
    return Plan(
        str(folder), folder.name, base_fingerprint(folder), gold, texts, source, options, train,
        teach, random_pairs(texts, seed=options.seed), cross, first, asked.given,
        {"files": [path.name for path in asked.pairs]},
    )  # fmt: skip  # in the order of the fields


def _sides(gold: ScoredPairs, asked: AugmentAsked, options: AugmentOptions) -> GoldSides:
    dev, test = (
        None if path is None else _scored(path, asked.reading) for path in (asked.dev, asked.test)
    )
    sides = gold_sides(gold, held_out=options.held_out, seed=options.seed, dev=dev, test=test)
    refuse_early_choice(sides, stop_early=options.stop_early)
    return sides


def _read_gold(paths: tuple[Path, ...], reading: Reading) -> ScoredPairs:
    read = [read_file(path, reading) for path in paths]
    pairs = lesson_of_examples([(found.examples, topics) for found, topics in read]).data
    if not len(pairs):
        raise UserError(
            "The files hold no pairs that are scored, or judged the same or different.",
            "Augmentation multiplies such pairs; triplets and other labels it does not.",
        )
    return pairs


def _scored(path: Path, reading: Reading) -> ScoredPairs:
    found = as_side(read_file(path, replace(reading, topic=None))[0].examples)
    if not isinstance(found, ScoredPairs):
        raise UserError(
            f"{path.name} holds {found.kind}, not pairs with a score or a decision.",
            "Give it two texts a row and how alike they are.",
        )
    return found


def _texts(asked: AugmentAsked, gold: GoldSides) -> tuple[tuple[str, ...], str]:
    """The texts that new pairs are made of, and what they are; none is held out."""
    if asked.texts is not None and asked.project is not None:
        raise UserError("Texts are named twice.", "Name a file of texts or a project.")
    if asked.texts is not None:
        texts, source = _texts_of_file(asked.texts), asked.texts.name
    elif asked.project is not None:
        with Project.open_read_only(asked.project) as project:
            texts = project.texts.bodies(project.texts.table().ids)
        source = f"the corpus of {asked.project.name}"
    else:
        texts, source = [text for side in gold.learn.columns for text in side], GOLD
    held = gold.held_texts
    return tuple(text for text in dict.fromkeys(texts) if text not in held), source


def _texts_of_file(path: Path) -> list[str]:
    found = inspect_file(path)
    settings = settings_for(found)
    return [row.body for row, _ in staged_rows(path, settings) if row.body is not None]
