"""The sub-command that teaches an encoder."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from core.cli.console import answer, follow
from core.cli.flags import flags
from core.cli.group import FILE, FOLDER, command
from core.cli.teaching_words import check_words, recipes_words, taught_words
from core.errors import UserError
from core.options import EncodeOptions, TrainOptions
from core.progress import Steps
from core.training import RecipeOptions
from core.workflows.checkpoint_folder import can_go_on
from core.workflows.examples_desk import CheckOutcome, Reading
from core.workflows.teaching import TeachOutcome
from core.workflows.teaching_files import (
    FilesAsked,
    check_files,
    resume_from_files,
    teach_from_files,
)
from core.workflows.teaching_forecast import recipes_for


@command("train")
@click.argument("out", type=FOLDER, required=False)
@click.option("--examples", "--pairs", "files", type=FILE, multiple=True,
              help="A file of judged examples; give it again for more.")  # fmt: skip  # one option
@click.option("--then", type=FILE, multiple=True,
              help="Scored pairs to learn from after labelled ones.")  # fmt: skip  # one option
@click.option("--dev", type=FILE, help="A file that judges, kept as it is; with --test it chooses.")
@click.option("--test", type=FILE, help="A file that judges, while --dev chooses the weights.")
@click.option("--topic", help="A column of topics; whole topics are then held out.")
@click.option("--kind", help="What the files hold, where their columns do not tell.")
@click.option("--column", "columns", multiple=True,
              help="Which column holds what, ROLE=NAME: left, right and score or label; anchor, "
                   "positive and negative; or text and label.")  # fmt: skip  # one option
@click.option("--scale", type=float, nargs=2, help="The lowest and the highest score.")
@click.option("--choice", "choices", multiple=True, help="A choice of the objective, NAME=VALUE.")
@click.option("--base", default="default", help="`default`, or the folder of an encoder.")
@flags(RecipeOptions, "recipe", "objective", "made")
@flags(TrainOptions, *(one.name for one in fields(TrainOptions)))
@flags(EncodeOptions, "device")
@click.option("--resume", is_flag=True, help="Go on with a training into OUT that was cut off.")
@click.option("--check-only", is_flag=True, help="Report on the examples and teach nothing.")
@click.option("--anyway", is_flag=True, help="Teach although the report says stop.")
@click.option("--recipes", is_flag=True, help="List the recipes and when to take which.")
def train(
    out: Path | None, files: tuple[Path, ...], base: str, device: str | None, resume: bool,
    check_only: bool, anyway: bool, recipes: bool, as_json: bool, **values: Any,
) -> None:  # fmt: skip  # what is asked before the rest
    """Teach an encoder by judged examples and write the new one to the folder OUT.

    The recipe that fits the examples is chosen unless one is named. OUT is a
    sentence-transformers folder; name it with --encoder wherever an encoder is wanted.
    """
    place = device or "auto"
    if recipes:
        listed = recipes_for(None)
        answer(listed, lambda: recipes_words(listed), as_json=as_json)
        return
    if resume:
        if files:
            raise UserError(
                "--resume goes on with the examples it began with.", "Leave the files out."
            )
        _teach(_needed(out), resume_from_files(_needed(out), device=place), as_json=as_json)
        return
    if not files:
        raise UserError("No examples are named.", "Name a file with --examples.")
    asked = _asked(files, values)
    if check_only or not anyway:
        report = follow(check_files(asked, base=base, device=place))
        if check_only:
            answer(report, lambda: check_words(report), as_json=as_json)
            raise SystemExit(1 if report.stops else 0)
        _refuse(report)
    to = _needed(out)
    _teach(to, teach_from_files(to, asked, base=base, device=place), as_json=as_json)


def _teach(to: Path, steps: Steps[TeachOutcome], *, as_json: bool) -> None:
    try:
        told = follow(steps)
    except SystemExit:
        said = "Go on with --resume." if can_go_on(to) else "No encoder was written; begin again."
        click.echo(said, err=True)
        raise
    answer(told, lambda: taught_words(told), as_json=as_json)


def _asked(files: tuple[Path, ...], values: Mapping[str, Any]) -> FilesAsked:
    told = {name: value for name, value in values.items() if value is not None}
    reading = Reading(kind=told.pop("kind", None), scale=told.pop("scale", None) or None,
                      topic=told.pop("topic", None),
                      columns=columns_of(told.pop("columns")))  # fmt: skip  # four
    if reading.topic is not None:
        told["split"] = "topic"
    return FilesAsked(
        examples=files,
        then=told.pop("then"),
        dev=told.pop("dev", None),
        test=told.pop("test", None),
        reading=reading,
        choices=dict(map(_choice, told.pop("choices"))),
        values=told,
    )


def columns_of(told: tuple[str, ...]) -> dict[str, str | int] | None:
    """The columns a person named, by their roles; None where none was named."""
    named: dict[str, str | int] = {}
    for one in told:
        role, equals, name = one.partition("=")
        if not equals or not name:
            raise UserError(f"`{one}` names no column.", "Write a column as ROLE=NAME.")
        named[role.strip()] = name
    return named or None


def _choice(told: str) -> tuple[str, Any]:
    name, equals, value = told.partition("=")
    if not equals:
        raise UserError(f"`{told}` names no value.", "Write a choice as NAME=VALUE.")
    if value in ("yes", "true", "no", "false"):
        return name, value in ("yes", "true")
    try:
        number = float(value)
    except ValueError:
        return name, value
    return name, int(number) if value.lstrip("-").isdigit() else number


def _needed(out: Path | None) -> Path:
    if out is None:
        raise UserError("No folder is named for the new encoder.", "Name one: train OUT …")
    return out


def _refuse(report: CheckOutcome) -> None:
    if report.stops:
        first = report.findings[0]
        raise UserError(first["sentence"], f"{first['remedy']} --anyway teaches all the same.")
