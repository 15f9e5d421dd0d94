"""What the search page reads from the store beside what the engine finds."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.pages.corpus_reads import date_words, row_name
from app.pages.search_question import Like
from core.records import Verdict
from core.store import Document, Project, Source

_SHOWN_COLUMNS = 3
_LONGEST_CELL = 28  # characters; a longer one says too much for a line of facts


@dataclass(frozen=True, slots=True)
class RowFacts:
    """The small line under a found text."""

    name: str
    source: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClusterChoice:
    """A cluster that a filter can ask for."""

    number: int
    name: str
    rows: int


@dataclass(frozen=True, slots=True)
class SearchFacts:
    """What filters can ask for in this project."""

    sources: tuple[Source, ...] = ()
    columns: tuple[str, ...] = ()
    clusters: tuple[ClusterChoice, ...] = ()
    is_grouped: bool = False


def read_facts(project: Project) -> SearchFacts:
    """Files, columns and clusters, without counting any row."""
    return SearchFacts(
        tuple(project.sources.all()),
        tuple(project.documents.columns()),
        _clusters(project),
        project.groupings.current() is not None,
    )


def read_rows(project: Project, documents: Sequence[int]) -> dict[int, RowFacts]:
    """The facts of some rows; rows that have gone are left out."""
    sources = {one.id: one for one in project.sources.all()}
    shown = {number: _shown_columns(one) for number, one in sources.items()}
    return {
        row.id: RowFacts(
            row_name(row),
            row.source_name if len(sources) > 1 else "",
            _cells(row, shown.get(row.source, ())),
        )
        for row in project.documents.get(documents)
    }


def read_like(project: Project, document: int) -> Like | None:
    """The text of a row, to find others like it; None for one that is blank or gone."""
    found = project.documents.get([document])
    if not found or found[0].text is None:
        return None
    return Like(document, found[0].text, found[0].body)


def read_verdicts(project: Project, text: int) -> dict[int, Verdict]:
    """What was said of a text beside each other one."""
    return dict(project.decisions.of_text(text))


def _clusters(project: Project) -> tuple[ClusterChoice, ...]:
    if project.clusters.current() is None:
        return ()
    return tuple(ClusterChoice(one.number, one.name, one.rows) for one in project.clusters.listed())


def _shown_columns(source: Source) -> tuple[str, ...]:
    """Columns to show of a file's rows: dates first, never its text or id again."""
    known = {*source.settings.text_columns, source.settings.id_column}
    dates = [column.name for column in source.settings.date_columns]
    others = [name for name in source.columns if name not in known and name not in dates]
    return (*dates, *others)


def _cells(row: Document, columns: Sequence[str]) -> tuple[str, ...]:
    cells = dict(zip(row.columns, row.cells, strict=False))
    found: list[str] = []
    for name in columns:
        date = row.dates.get(name)
        cell = " ".join((cells.get(name) or "").split()) if date is None else date_words(date)
        if cell and len(cell) <= _LONGEST_CELL and cell not in found:
            found.append(cell)
    return tuple(found[:_SHOWN_COLUMNS])
