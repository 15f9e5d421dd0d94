"""The facts that points are coloured by, read for the texts on the map."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from app.pages.corpus_reads import date_words
from app.pages.map_colours import Kinds, Scale, frequent_kinds
from app.pages.map_reads import Picture, places_of
from core.store import DecisionTable, Project


def read_column(project: Project, picture: Picture, name: str) -> Kinds:
    """The values of a column: the nine most frequent and the others."""
    told = project.by_text.values(name)
    code = np.full(len(picture.texts), -1, np.int32)
    at, known = _joined(picture.texts, told.texts)
    code[at] = told.code[known]
    return frequent_kinds(name, code, told.values, picture.rows)


def read_dates(project: Project, picture: Picture, name: str) -> Scale:
    """When each text was first written."""
    told = project.by_text.dates(name)
    values = np.full(len(picture.texts), np.nan)
    at, known = _joined(picture.texts, told.texts)
    values[at] = told.seconds[known]
    found = values[~np.isnan(values)]
    ends = (_day(found.min()), _day(found.max())) if len(found) else ("", "")
    return Scale(name, values, *ends)


def read_decisions(project: Project, picture: Picture) -> Kinds:
    """What a person said of each text and any other."""
    return decided_kinds(project.decisions.table(), picture)


def decided_kinds(table: DecisionTable, picture: Picture) -> Kinds:
    """Texts by the decisions they are part of."""
    is_same, is_different, is_unsure = (
        picture.mask(np.unique(pairs)) for pairs in (table.same, table.different, table.unsure)
    )
    code = np.full(len(picture.texts), -1, np.int32)
    code[is_unsure] = 3
    code[is_different] = 1
    code[is_same] = 0
    code[is_same & is_different] = 2
    words = ("same as another", "different from another", "both of these", "only unsure")
    tones = ("same", "different", "note", "unsure")
    return Kinds("decision", code, words, none="not decided", tones=tones)


def scored(scores: Mapping[int, float], picture: Picture) -> Scale:
    """How well each text answers the last search."""
    texts = np.array(sorted(scores), np.int64)
    told = np.array([scores[int(text)] for text in texts])
    values = np.full(len(picture.texts), np.nan)
    at, known = _joined(picture.texts, texts)
    values[at] = told[known]
    found = values[~np.isnan(values)]
    ends = (f"{found.min():.2f}", f"{found.max():.2f}") if len(found) else ("", "")
    return Scale("search score", values, *ends, none="not found")


def _joined(
    texts: NDArray[np.int64], others: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places in both, pair by pair, of the texts that stand in both; both are in order."""
    return places_of(texts, others), places_of(others, texts)


def _day(seconds: float) -> str:
    return date_words(str(np.datetime64(int(seconds), "s"))[:10])
