"""The sub-command that measures."""

from pathlib import Path

import click

from core.bench.asked import Asked
from core.bench.catalogue import BENCHES
from core.cli.console import answer, follow
from core.cli.group import FILE, command


@command("bench")
@click.argument("what", type=click.Choice(list(BENCHES)))
@click.option("--rows", type=click.IntRange(min=32), help="Texts, vectors, rows or points.")
@click.option(
    "--file",
    "files",
    type=FILE,
    multiple=True,
    help="Take the texts of this file; give it again for the union of several.",
)
@click.option("--text", "columns", multiple=True, help="A text column, where it is not clear.")
@click.option("--peers", is_flag=True, help="Also run the peers that are installed.")
@click.option("--encoder", default="default", help="`default`, or the folder of an encoder.")
@click.option("--repeats", type=click.IntRange(min=1), default=5, show_default=True,
              help="Runs of each side; 2 where one takes half a minute.")  # fmt: skip
def bench(
    what: str,
    rows: int | None,
    files: tuple[Path, ...],
    columns: tuple[str, ...],
    peers: bool,
    encoder: str,
    repeats: int,
    as_json: bool,
) -> None:
    """Measure this machine at one kind of work, beside its own limit and other programs.

    Nothing is connected and no project is touched. Close other programs first, and compare
    ratios rather than seconds.
    """
    chosen = BENCHES[what]
    if files and not chosen.takes_files:
        raise click.UsageError(f"bench {what} takes no --file: what it works on is made up.")
    if columns and not files:
        raise click.UsageError("--text names a column of --file, which is missing.")
    asked = Asked(rows or chosen.rows, files, columns, peers, encoder, repeats=repeats)
    told = follow(chosen.run(asked))
    answer(told.document(), told.words, as_json=as_json)
