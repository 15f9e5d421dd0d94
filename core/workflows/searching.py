"""Search: texts by their meaning, by their words, or by both."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.options import SearchOptions
from core.progress import Progress, Steps
from core.search import fuse, marks
from core.store import Document, DocumentFilter, Project
from core.word_query import WordQuery
from core.workflows.search_desk import SearchDesk

_SHOWN = 600  # characters of a body that a list shows
_DEEP = 200  # of each ranking, at the least, when two are fused
_MOST_WORDS = 20_000  # hits by words looked at when a filter may drop most of them


@dataclass(frozen=True, slots=True)
class Hit:
    """A text that was found."""

    text: int
    document: int  # its first row
    place: int  # of that row in its file
    source: str
    key: str | None
    rows: int  # that hold it
    body: str  # its first 600 characters
    is_whole: bool  # whether that is all of it
    score: float
    cosine: float | None
    by: str  # what found it: meaning, words or both
    marks: tuple[tuple[int, int], ...]  # characters of `body` that match the words


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What was found, best first."""

    hits: tuple[Hit, ...]
    by: str
    note: str = ""  # what a person should know about this answer
    allowed: int | None = None  # how many texts the filter lets through, where there is one
    ms: float = 0.0


def search_corpus(
    project: Project,
    text: str,
    options: SearchOptions,
    *,
    wanted: DocumentFilter | None = None,
    desk: SearchDesk | None = None,
) -> Steps[SearchOutcome]:
    """Find the texts that say what `text` says; the same text is found as well."""
    started = time.monotonic()
    yield Progress("Searching")
    desk = desk or SearchDesk()
    allowed = _allowed(project, wanted)
    query = WordQuery.parse(text)
    by, note = options.by, "" if text.strip() else "There is nothing to look for yet."
    can_mean = by != "words" and bool(text.strip()) and (yield from desk.load(project))
    if by != "words" and not can_mean and text.strip():
        by, note = "words", "The texts are not encoded yet, so they were found by words only."
    elif can_mean:
        note = _told_waiting(desk.waiting)
    started_asking = time.monotonic()
    deep = options.count if by != "both" else max(options.count, _DEEP)
    meant: list[tuple[int, float]] = []
    if can_mean:
        vector = yield from desk.encode(project, text)
        meant = desk.nearest(vector, count=deep, among=allowed)
    worded = _by_words(project, query, deep, allowed) if by != "meaning" else []
    ranked = _ranked(by, meant, worded)[: options.count]
    hits = _described(project, ranked, dict(meant), {text for text, _ in worded}, query)
    spent = time.monotonic() - (started_asking if can_mean else started)
    return SearchOutcome(hits, by, note, None if allowed is None else len(allowed), spent * 1000)


def nearest_texts(
    project: Project,
    document: int,
    options: SearchOptions,
    *,
    wanted: DocumentFilter | None = None,
    desk: SearchDesk | None = None,
) -> Steps[SearchOutcome]:
    """Find the texts nearest to a row's text by meaning, itself left out."""
    yield Progress("Searching")
    desk = desk or SearchDesk()
    rows = project.documents.get([document])
    if not rows:
        raise UserError("This row is no longer in the project.", "Look at the corpus again.")
    text = rows[0].text
    if text is None:
        return SearchOutcome((), "meaning", "This row holds no text, so nothing is near it.")
    is_there = yield from desk.load(project, encoder=False)
    vector = desk.vector_of(text) if is_there else None
    if vector is None:
        raise UserError(
            "This text has no vector yet, so what is near it is not known.",
            "Encode the corpus, then ask again.",
        )
    started = time.monotonic()
    allowed = _allowed(project, wanted)
    found = desk.nearest(vector, count=options.count + 1, among=allowed)
    others = [(other, cosine) for other, cosine in found if other != text][: options.count]
    hits = _described(project, others, dict(others), set(), WordQuery.parse(""))
    spent = time.monotonic() - started
    return SearchOutcome(
        hits, "meaning", _told_waiting(desk.waiting), None if allowed is None else len(allowed),
        spent * 1000,
    )  # fmt: skip


def _allowed(project: Project, wanted: DocumentFilter | None) -> NDArray[np.int64] | None:
    if wanted is None or wanted == DocumentFilter(sort=wanted.sort, descending=wanted.descending):
        return None
    encoder = project.active_encoder()
    return project.documents.texts(wanted, encoder=None if encoder is None else encoder.id)


def _by_words(
    project: Project, query: WordQuery, count: int, allowed: NDArray[np.int64] | None
) -> list[tuple[int, float]]:
    if allowed is None:
        return project.words.search(query, limit=count)
    inside = set(allowed.tolist())
    found = project.words.search(query, limit=_MOST_WORDS)
    return [(text, score) for text, score in found if text in inside][:count]


def _ranked(
    by: str, meant: Sequence[tuple[int, float]], worded: Sequence[tuple[int, float]]
) -> list[tuple[int, float]]:
    if by == "both":
        return fuse([[text for text, _ in meant], [text for text, _ in worded]])
    return list(meant if by == "meaning" else worded)


def _described(
    project: Project,
    ranked: Sequence[tuple[int, float]],
    cosines: dict[int, float],
    worded: set[int],
    query: WordQuery,
) -> tuple[Hit, ...]:
    firsts = project.documents.first_of_texts([text for text, _ in ranked])
    return tuple(
        _hit(firsts[text], score, cosines.get(text), text in worded, query)
        for text, score in ranked
        if text in firsts
    )


def _hit(
    row: Document, score: float, cosine: float | None, is_worded: bool, query: WordQuery
) -> Hit:
    shown = row.body[:_SHOWN]
    by = "both" if cosine is not None and is_worded else "words" if is_worded else "meaning"
    return Hit(
        row.text or 0, row.id, row.place, row.source_name, row.key, row.copies, shown,
        len(shown) == len(row.body), float(score), cosine, by, tuple(marks(shown, query)),
    )  # fmt: skip


def _told_waiting(waiting: int) -> str:
    if not waiting:
        return ""
    texts = "1 text has" if waiting == 1 else f"{waiting:,} texts have"
    return f"{texts} no vector yet and can be found by words only."
