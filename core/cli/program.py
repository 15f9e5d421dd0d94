"""The `samesense` command and its sub-commands."""

import importlib
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from core.cli.console import answer, close_output, follow
from core.cli.demo import run_demo
from core.cli.doors import has_display, open_window
from core.cli.flags import flags, options
from core.cli.group import FILE, FOLDER, command, on_project, program, tell_recovery
from core.cli.words import (
    counted,
    counts_words,
    decided_words,
    plain_report,
    report_words,
)
from core.errors import UserError
from core.options import EncodeOptions, GroupOptions, PairOptions
from core.progress import Steps
from core.records import ImportReport, Verdict
from core.store import Project
from core.workflows.certifying import write_certificate
from core.workflows.deciding import accept_band, decide_from_file
from core.workflows.encoding import encode_corpus
from core.workflows.exporting import EXPORTS, export_table
from core.workflows.grouping import group_corpus
from core.workflows.importing import import_file, inspect_file, remove_import, settings_for
from core.workflows.informing import describe
from core.workflows.pairing import TooManyPairsError, find_pairs


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; faults of the world become one plain sentence and exit status 1."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or (given[0] not in program.commands and not given[0].startswith("-")):
        given = ["open", *given]
    try:
        program.main(given, prog_name="samesense")
    except UserError as fault:
        click.echo(str(fault), err=True)
        sys.exit(1)
    except BrokenPipeError:
        # Whoever read the output has seen enough; a second complaint at exit helps nobody.
        close_output()
        sys.exit(1)


@program.command("open", hidden=True)
@click.argument("project", type=FOLDER, required=False)
def open_(project: Path | None) -> None:
    """Open the window."""
    open_window(project)


@command("demo")
@click.option("--out", type=FOLDER, help="Where to put the project and the exported tables.")
@click.option("--window/--no-window", default=None, help="Show it in the window, or do without.")
def demo(out: Path | None, window: bool | None, as_json: bool) -> None:
    """Run the whole path on the demo corpus and print precision and recall."""
    wants_window = window if window is not None else not as_json and out is None and has_display()
    if wants_window:
        sys.exit(importlib.import_module("app.main").main(None, demo=True))
    told = run_demo(out)
    answer(told, lambda: told["words"], as_json=as_json)


@command("import")
@click.argument("project", type=FOLDER)
@click.argument("files", type=FILE, nargs=-1, required=True)
@click.option("--text", "text", multiple=True, help="A text column; give it again for more.")
@click.option("--template", default="", help='How several text columns are joined: "{a}: {b}".')
@click.option("--id", "id_column", help="The column that names a row; a known id is updated.")
@click.option("--date", "dates", multiple=True, help="A date column, NAME or NAME:dmy or NAME:mdy.")
@click.option("--encoding", help="The encoding of the file, when the guess is wrong.")
@click.option("--delimiter", help="The delimiter, when the guess is wrong; \\t for a tab.")
@click.option("--sheet", help="The sheet of a spreadsheet.")
@click.option("--header-line", type=int, help="The line of the header, 0 for none.")
def import_(
    project: Path,
    files: tuple[Path, ...],
    text: tuple[str, ...],
    template: str,
    id_column: str | None,
    dates: tuple[str, ...],
    as_json: bool,
    **choices: Any,
) -> None:
    """Import files into PROJECT, which is made if it is not there."""
    asked = _asked(choices)
    prepared = []
    for file in files:
        found = inspect_file(file, **asked)
        settings = settings_for(
            found, text=text, id_column=id_column, dates=dates, template=template
        )
        prepared.append((file, found, settings))
    with Project.create(project) as opened:
        tell_recovery(opened)
        reports: list[ImportReport] = []
        try:
            for file, found, settings in prepared:
                reports.append(follow(import_file(opened, file, settings, expected=found.rows)))
        except BaseException:
            for report in reports:  # these files stay imported
                click.echo(report_words(report), err=True)
            opened.abandon()
            raise
    answer(
        {"imports": [plain_report(report) for report in reports]},
        lambda: "\n".join(report_words(report) for report in reports),
        as_json=as_json,
    )


@command("remove")
@click.argument("project", type=FOLDER)
@click.argument("file")
def remove(project: Path, file: str, as_json: bool) -> None:
    """Take an imported file out again, named as `info` names it; decisions stay.

    Of several files of one name the newest goes; rows it had replaced come back.
    """

    def run(opened: Project) -> Steps[dict[str, Any]]:
        found = [one for one in opened.sources.all() if file in (one.name, str(one.id))]
        if not found:
            names = ", ".join(one.name for one in opened.sources.all()) or "none"
            raise UserError(f"No file {file} was imported.", f"The files are: {names}.")
        rows = yield from remove_import(opened, found[-1].id)
        return {"file": found[-1].name, "source": found[-1].id, "rows": rows}

    told = on_project(project, run)
    answer(told, lambda: f"{told['rows']:,} rows of {told['file']} are out.", as_json=as_json)


@command("encode")
@click.argument("project", type=FOLDER)
@flags(EncodeOptions, "encoder", "device", "precision")
def encode(project: Path, as_json: bool, **values: Any) -> None:
    """Give every text a vector."""
    wanted = options(EncodeOptions, **values)
    told = on_project(project, lambda opened: encode_corpus(opened, wanted))
    answer(
        told,
        lambda: (
            f"Encoded {counted(told.added, 'text')} ({told.total:,} in all) with {told.encoder} in "
            f"{told.precision} on {told.device}. {told.why}"
        ),
        as_json=as_json,
    )


@command("pairs")
@click.argument("project", type=FOLDER)
@click.option("--threshold", type=float, help="Smallest cosine of a pair.")
@click.option("--yes", is_flag=True, help="Go on however many pairs are to be expected.")
def pairs(project: Path, threshold: float | None, yes: bool, as_json: bool) -> None:
    """Find all pairs of texts at or above a cosine."""

    def find(confirmed: bool) -> Any:
        wanted = options(PairOptions, floor=threshold, confirmed=confirmed)
        return on_project(project, lambda opened: find_pairs(opened, wanted))

    try:
        told = find(yes)
    except TooManyPairsError as fault:
        if not sys.stdin.isatty() or not click.confirm(f"{fault} Go on?", err=True):
            raise
        told = find(True)
    answer(
        told,
        lambda: f"{told.pairs:,} pairs of {told.texts:,} texts from {told.floor:g} on.",
        as_json=as_json,
    )


@command("groups")
@click.argument("project", type=FOLDER)
@flags(GroupOptions, "threshold", "review", "keep", "hold_back")
def groups(project: Path, as_json: bool, **values: Any) -> None:
    """Decide which rows stay and which go."""
    if values["review"] is None and values["threshold"] is not None:
        values["review"] = min(GroupOptions().review, values["threshold"])
    wanted = options(GroupOptions, **values)

    def run(opened: Project) -> Steps[dict[str, Any]]:
        outcome = yield from group_corpus(opened, wanted)
        names = {source.id: source.name for source in opened.sources.all()}
        older = opened.groupings.duplicates_of_older()
        repeated = [
            {"file": names[number], "rows": count} for number, count in sorted(older.items())
        ]
        return {**outcome.counts, "contradictions": outcome.contradictions, "repeats": repeated}

    told = on_project(project, run)
    answer(told, lambda: counts_words(told), as_json=as_json)


@command("decide")
@click.argument("project", type=FOLDER)
@click.option("--from", "file", type=FILE, help="A table of pairs with decisions.")
@click.option(
    "--accept",
    type=(float, float),
    metavar="LOW HIGH",
    help="Accept all pairs to review from LOW to below HIGH that nothing holds back.",
)
@click.option("--undo", is_flag=True, help="Take the last step back.")
def decide(
    project: Path, file: Path | None, accept: tuple[float, float] | None, undo: bool, as_json: bool
) -> None:  # fmt: skip
    """Decide pairs from a file or for a whole band; the window does it pair by pair."""
    if sum(bool(given) for given in (file, accept, undo)) != 1:
        raise click.UsageError("Give one of --from, --accept and --undo.")
    if accept is not None and not (accept[0] < accept[1] and math.isfinite(sum(accept))):
        raise UserError(
            f"There is no band from {accept[0]} to below {accept[1]}.",
            "Give the lower cosine first, such as --accept 0.95 0.97.",
        )
    with Project.open(project) as opened:
        tell_recovery(opened)
        if undo:
            title = opened.decisions.undo()
            told: dict[str, Any] = {"undone": title}
        elif file is not None:
            told = decide_from_file(opened, file)
        else:
            low, high = accept or (1.0, 1.0)
            told = {"same": accept_band(opened, low, high, flagged=False, verdict=Verdict.SAME)}
        told["stale"] = opened.state().groups_stale
    answer(told, lambda: decided_words(told), as_json=as_json)


# Registered here, so that they stand in the order of the work.
importlib.import_module("core.cli.exploring")
importlib.import_module("core.cli.teaching")
importlib.import_module("core.cli.comparing")
importlib.import_module("core.cli.cross")
importlib.import_module("core.cli.augmenting")


@command("export")
@click.argument("project", type=FOLDER)
@click.argument("what", type=click.Choice(EXPORTS))
@click.option("--to", type=FILE, required=True, help="The file; its ending says the format.")
@click.option("--raw", is_flag=True, help="Leave cells as they are, unsafe in spreadsheets.")
def export(project: Path, what: str, to: Path, raw: bool, as_json: bool) -> None:
    """Write kept, removed or all rows, groups, pairs, clusters or the map to a file."""
    told = on_project(project, lambda opened: export_table(opened, what, to, raw=raw), reading=True)
    answer(
        told,
        lambda: " ".join([f"{counted(told.rows, 'row')} in {told.path}", told.note]).strip(),
        as_json=as_json,
    )


@command("certificate")
@click.argument("project", type=FOLDER)
@click.option("--to", type=FILE, required=True, help="The HTML file.")
def certificate(project: Path, to: Path, as_json: bool) -> None:
    """Write a page that says what was done, with which settings and by whose decision."""
    told = on_project(project, lambda opened: write_certificate(opened, to), reading=True)
    answer({"path": str(told)}, lambda: f"Certificate in {told}", as_json=as_json)


importlib.import_module("core.cli.evaluating")
importlib.import_module("core.cli.ablating")
importlib.import_module("core.cli.benching")


@command("info")
@click.argument("project", type=FOLDER)
def info(project: Path, as_json: bool) -> None:
    """Say where a project stands."""
    with Project.open_read_only(project) as opened:
        told = describe(opened)
    answer(told, lambda: told["words"], as_json=as_json)


def _asked(choices: dict[str, Any]) -> dict[str, Any]:
    asked = {name: value for name, value in choices.items() if value is not None}
    if "delimiter" in asked:
        asked["delimiter"] = {"\\t": "\t", "tab": "\t"}.get(asked["delimiter"], asked["delimiter"])
    if asked.get("header_line") == 0:
        asked["header_line"] = None
    return asked
