"""Sub-commands that look around: search, neighbours, clusters and the map."""

import importlib
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.cli.console import answer
from core.cli.doors import has_display
from core.cli.flags import flags, options
from core.cli.group import FILE, FOLDER, command, on_project
from core.cli.words import counted
from core.errors import UserError
from core.options import ClusterOptions, MapOptions, SearchOptions
from core.progress import Steps
from core.store import Project
from core.store.tables import SUFFIXES
from core.workflows.charting import chart
from core.workflows.exporting import export_table
from core.workflows.rechecking import FIRST_HITS, recheck_hits
from core.workflows.searching import SearchOutcome, nearest_texts, search_corpus

_SHOWN = 100  # characters of a text in a line
_PICTURES = (".png", ".svg")


@command("search")
@click.argument("project", type=FOLDER)
@click.argument("text")
@click.option("-k", "count", type=click.IntRange(1, 10_000), default=20, show_default=True,
              help="How many texts.")  # fmt: skip
@flags(SearchOptions, "by")
@click.option(
    "--recheck",
    "cross",
    type=FOLDER,
    help="The folder of a cross-encoder that reads the first texts again and orders them anew.",
)
@click.option("--recheck-first", "first", type=click.IntRange(1, 10_000), default=FIRST_HITS,
              show_default=True, help="How many texts it reads.")  # fmt: skip
def search(
    project: Path,
    text: str,
    count: int,
    by: str | None,
    cross: Path | None,
    first: int,
    as_json: bool,
) -> None:
    """Find texts by meaning, by words or by both."""
    if cross is not None:
        wanted = options(SearchOptions, by=by, count=max(first, count))
        told = _search_checked(project, text, wanted, cross, first)
        told = {**told, "hits": told["hits"][:count]}
        answer(told, lambda: _checked_words(told), as_json=as_json)
        return
    wanted = options(SearchOptions, by=by, count=count)
    found = on_project(project, lambda opened: search_corpus(opened, text, wanted), reading=True)
    answer(found, lambda: _hit_words(found), as_json=as_json)


def _search_checked(
    project: Path, text: str, wanted: SearchOptions, cross: Path, first: int
) -> dict[str, Any]:
    """Search, and order the first texts by the cross-encoder's scores; the others follow."""

    def run(opened: Project) -> Steps[dict[str, Any]]:
        found = yield from search_corpus(opened, text, wanted)
        asked = [hit.text for hit in found.hits[:first]]
        checked = yield from recheck_hits(opened, cross, text, asked)
        scores = dict(zip(checked.texts, checked.scores, strict=True))
        ranked = sorted(found.hits[:first], key=lambda hit: -scores[hit.text])
        hits = [
            {**asdict(hit), "checked": scores.get(hit.text)}
            for hit in (*ranked, *found.hits[first:])
        ]
        return {
            **asdict(found), "hits": hits, "note": f"{found.note} {checked.note}".strip(),
            "cross_encoder": checked.cross_encoder,
        }  # fmt: skip

    told: dict[str, Any] = on_project(project, run, reading=True)
    return told


@command("neighbours")
@click.argument("project", type=FOLDER)
@click.argument("document")
@click.option("-k", "count", type=click.IntRange(1, 10_000), default=20, show_default=True,
              help="How many texts.")  # fmt: skip
def neighbours(project: Path, document: str, count: int, as_json: bool) -> None:
    """Find the texts nearest to a row, named by its number or the value of its id column."""
    wanted = options(SearchOptions, by="meaning", count=count)

    def run(opened: Project) -> Steps[SearchOutcome]:
        found = opened.documents.named(document)
        if found is None:
            raise UserError(
                f"There is no row {document} in the project.",
                "Name it by samesense_id as exports do, or by the value of its id column.",
            )
        return (yield from nearest_texts(opened, found.id, wanted))

    told = on_project(project, run, reading=True)
    answer(told, lambda: _hit_words(told), as_json=as_json)


@command("clusters")
@click.argument("project", type=FOLDER)
@flags(ClusterOptions, "min_size", "neighbours", "seed")
def clusters(project: Path, as_json: bool, **values: Any) -> None:
    """Put texts that say alike things into clusters."""
    wanted = options(ClusterOptions, **values)

    def run(opened: Project) -> Steps[dict[str, Any]]:
        outcome = yield from chart(opened, wanted, None)
        rows = [
            {"cluster": row.number, "name": row.name, "keywords": list(row.keywords),
             "rows": row.rows, "texts": row.texts, "excluded": row.is_excluded,
             "exemplars": opened.texts.bodies(row.exemplars)}
            for row in opened.clusters.listed()
        ]  # fmt: skip
        return {**outcome["clusters"], "list": rows}

    told = on_project(project, run)
    answer(told, lambda: _cluster_words(told), as_json=as_json)


@command("map")
@click.argument("project", type=FOLDER)
@click.option("--to", type=FILE, help="Also write the map: FILE.png, FILE.svg or a table.")
@click.option("--redraw", is_flag=True, help="Draw it again although nothing has changed.")
@flags(MapOptions, "neighbours", "min_dist", "keep", "fast", "seed")
def map_(project: Path, to: Path | None, redraw: bool, as_json: bool, **values: Any) -> None:
    """Draw the map; texts on it stay where they are, new ones come beside their neighbours."""
    wanted = options(MapOptions, **values)
    if to is not None and to.suffix.lower() not in (*_PICTURES, *SUFFIXES):
        raise UserError(
            f"“{to.name}” does not say what kind of file the map shall be.",
            f"Give it a name that ends in {', '.join((*_PICTURES, *SUFFIXES))}.",
        )
    picture = to is not None and to.suffix.lower() in _PICTURES

    def run(opened: Project) -> Steps[dict[str, Any]]:
        state = opened.state()
        told: dict[str, Any] = {"drawn": False, "path": None if to is None else str(to)}
        asked = any(value is not None for value in values.values())
        if state.map is None or state.map_stale or redraw or asked:
            outcome = yield from chart(opened, None, wanted)
            told = {**told, **outcome["map"], "drawn": True}
        else:
            told = {**told, **state.map.counts}
        if to is not None and not picture:
            yield from export_table(opened, "map", to)
        return told

    told = on_project(project, run)
    if to is not None and picture:
        _draw(project, to)
    answer(told, lambda: _map_words(told), as_json=as_json)


def _draw(project: Path, to: Path) -> None:
    """Let the window draw the picture, as it does on its Map page."""
    if not has_display():
        # Without a screen Qt draws into memory; this must be said before Qt starts.
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # By name: the engine never imports the window, it only starts it.
    importlib.import_module("app.map_picture").draw_map(project, to)


def _hit_words(told: SearchOutcome) -> str:
    lines = [
        f"{_score(hit)}  #{hit.document}  {_short(hit.body)}"
        + (f"  ×{hit.rows}" if hit.rows > 1 else "")
        for hit in told.hits
    ]
    if not lines:
        lines = ["Nothing was found."]
    return "\n".join([*lines, *([told.note] if told.note else [])])


def _checked_words(told: dict[str, Any]) -> str:
    lines = [
        f"{_checked(hit['checked'])}  #{hit['document']}  {_short(hit['body'])}"
        + (f"  ×{hit['rows']}" if hit["rows"] > 1 else "")
        for hit in told["hits"]
    ]
    if not lines:
        return "\n".join(["Nothing was found.", *([told["note"]] if told["note"] else [])])
    checked = f"Ordered by {told['cross_encoder']}, which read each text beside the question."
    return "\n".join([*lines, checked, *([told["note"]] if told["note"] else [])])


def _checked(score: float | None) -> str:
    return "  –  " if score is None else f"{score:.3f}"


def _score(hit: Any) -> str:
    return f"{hit.cosine:.3f}" if hit.cosine is not None else "words"


def _short(body: str) -> str:
    line = " ".join(body.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _cluster_words(told: dict[str, Any]) -> str:
    lines = [f"{row['rows']:>8,}  {row['name']}  [{row['cluster']}]" for row in told["list"]]
    share = told["unclustered"] / told["rows"] if told["rows"] else 0.0
    lines.append(f"{told['unclustered']:>8,}  in no cluster ({share:.0%})")
    if told["note"]:
        lines.append(told["note"])
    return "\n".join(lines)


def _map_words(told: dict[str, Any]) -> str:
    if not told["drawn"]:
        said = f"The map of {counted(told['texts'], 'text')} is up to date."
    elif told["new"]:
        said = f"{counted(told['new'], 'new text')} took a place on the map of {told['texts']:,}."
    else:
        said = f"The map of {counted(told['texts'], 'text')} is drawn."
    return said + (f" It is in {told['path']}." if told["path"] else "")
