"""The sub-command that makes many labels from few."""

from pathlib import Path
from typing import Any

import click

from core.augment_options import AugmentOptions
from core.augmentation import Verdict
from core.cli.augmenting_words import forecast_words, outcome_words, sheet_words, verdict_words
from core.cli.console import answer, follow
from core.cli.flags import flags
from core.cli.group import FILE, FOLDER, command
from core.cli.teaching import columns_of
from core.errors import UserError
from core.options import EncodeOptions, TrainOptions
from core.progress import Steps
from core.workflows.augmenting.files import (
    AugmentAsked,
    Told,
    augment_from_files,
    check_augmentation,
    resume_augmentation,
)
from core.workflows.augmenting.labelling import LabelForecast, Labelled
from core.workflows.augmenting.learning import AugmentOutcome
from core.workflows.checkpoint_folder import checkpoint_folder
from core.workflows.examples_desk import Reading

_OWN = (
    "sampling", "top_k", "pool", "most", "seeds", "stop_early", "synonyms", "teacher", "adapt",
    "held_out", "insist", "seed",
)  # fmt: skip  # options of the augmentation
_TRAIN = ("epochs", "rate", "batch", "hold")


@command("augment")
@click.argument("out", type=FOLDER)
@click.option(
    "--pairs",
    "files",
    type=FILE,
    multiple=True,
    help="A file of gold pairs: scored, or judged the same or different; give it again for more.",
)
@click.option("--texts", type=FILE, help="A file of texts that new pairs are made of.")
@click.option("--project", type=FOLDER, help="A project whose texts new pairs are made of.")
@click.option("--dev", type=FILE, help="Gold pairs that compare teachers, kept as they are.")
@click.option("--test", type=FILE, help="Gold pairs that judge, kept as they are.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    help="Which column holds what, ROLE=NAME: left, right and score or label.",
)
@click.option("--scale", type=float, nargs=2, help="The lowest and the highest score.")
@click.option("--base", default="default", help="`default`, or the folder of the encoder to teach.")
@click.option(
    "--cross-base", default="", help="The folder that the cross-encoder begins with; else --base."
)
@click.option(
    "--first", type=FILE, help="General scored pairs that the cross-encoder learns before the gold."
)
@click.option(
    "--given",
    multiple=True,
    help="Another teacher: an encoder's folder, or cross:FOLDER; give it again for more.",
)
@flags(AugmentOptions, *_OWN)
@flags(TrainOptions, *_TRAIN)
@click.option(
    "--teacher-epochs",
    type=click.IntRange(1, 100),
    help="Epochs of the cross-encoder; else a number that suits the pairs.",
)
@click.option(
    "--teacher-rate",
    type=click.FloatRange(1e-7, 1e-2),
    help="Its learning rate; else three are tried on held-out pairs.",
)
@flags(EncodeOptions, "device")
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with work on OUT that was cut off, or that refused its teacher (with --insist).",
)
@click.option("--check-only", is_flag=True, help="Look at the gold pairs and do nothing.")
def augment(
    out: Path, files: tuple[Path, ...], base: str, device: str | None, resume: bool,
    check_only: bool, as_json: bool, **values: Any,
) -> None:  # fmt: skip  # what is asked before the rest
    """Multiply few judged pairs into many, and write the encoder that learnt them to OUT.

    Teachers learn from the gold pairs and are compared with the encoder that learnt them too, on
    pairs that were held out. The best labels new pairs, unless it is no better than the encoder.
    The encoder then learns gold and silver pairs and is held against the gold alone.
    """
    place = device or "auto"
    told = Told(_say_verdict, _say_forecast, _say_sheet)
    if resume:
        if files:
            raise UserError("--resume goes on with what it began with.", "Leave the files out.")
        insist = bool(values["insist"])
        steps = resume_augmentation(out, insist=insist, device=place, told=told)
        _perform(out, steps, as_json=as_json)
        return
    if not files:
        raise UserError("No gold pairs are named.", "Name a file with --pairs.")
    asked = _asked(files, values)
    findings, sides = check_augmentation(asked)
    for finding in findings:
        click.echo(f"{finding.sentence} {finding.remedy}".strip(), err=True)
    if check_only:
        counts = {"learn": len(sides.learn), "dev": len(sides.dev), "test": len(sides.test),
                  "notes": list(sides.notes)}  # fmt: skip  # three sides
        answer(counts, lambda: _check_words(counts), as_json=as_json)
        return
    steps = augment_from_files(out, asked, base=base, device=place, told=told)
    _perform(out, steps, as_json=as_json)


def _perform(out: Path, steps: Steps[AugmentOutcome], *, as_json: bool) -> None:
    try:
        told = follow(steps)
    except SystemExit:
        if checkpoint_folder(out).is_dir():
            click.echo("Go on with --resume.", err=True)
        raise
    answer(told, lambda: outcome_words(told), as_json=as_json)


def _asked(files: tuple[Path, ...], values: dict[str, Any]) -> AugmentAsked:
    told = {name: value for name, value in values.items() if value is not None}
    teach: dict[str, Any] = {"search_rates": "teacher_rate" not in told}
    for name in ("epochs", "rate"):
        if f"teacher_{name}" in told:
            teach[name] = told[f"teacher_{name}"]
    return AugmentAsked(
        pairs=files,
        dev=told.get("dev"),
        test=told.get("test"),
        texts=told.get("texts"),
        project=told.get("project"),
        first=told.get("first"),
        cross_base=told.get("cross_base", ""),
        given=told.get("given", ()),
        reading=Reading(scale=told.get("scale") or None, columns=columns_of(told["columns"])),
        values={name: told[name] for name in _OWN if name in told},
        train={name: told[name] for name in _TRAIN if name in told},
        teach=teach,
    )


def _check_words(counts: dict[str, Any]) -> str:
    line = (
        f"{counts['learn']:,} gold pairs would teach, {counts['dev']:,} compare teachers, "
        f"{counts['test']:,} judge."
    )
    return "\n".join([line, *counts["notes"]])


def _say_verdict(found: Verdict) -> None:
    click.echo(verdict_words(found), err=True)


def _say_forecast(found: LabelForecast) -> None:
    click.echo(forecast_words(found), err=True)


def _say_sheet(found: Labelled) -> None:
    click.echo(sheet_words(found.sheet), err=True)
