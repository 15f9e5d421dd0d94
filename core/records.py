"""Plain values that more than one part of the engine speaks of."""

from dataclasses import dataclass, field, fields
from enum import IntEnum, IntFlag, StrEnum

import numpy as np
from numpy.typing import NDArray


class Verdict(StrEnum):
    """What a person says of two texts."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"


class Flag(IntFlag):
    """Why a pair that looks alike is held back for a person, whatever its cosine."""

    NUMBERS = 1  # a number stands in one text and not in the other
    NEGATION = 2  # one text negates, the other does not
    NAMES = 4  # both name something the other does not, in otherwise alike wording
    PARTS = 8  # long texts whose windows do not agree on most of the text
    UNREADABLE = 16  # the encoder cannot read one of the texts (unknown tokens)
    SHORT = 32  # one of the texts is too short for its cosine to mean much


FLAG_WORDS = {
    Flag.NUMBERS: "number differs",
    Flag.NEGATION: "negation differs",
    Flag.NAMES: "name differs",
    Flag.PARTS: "only a part agrees",
    Flag.UNREADABLE: "unreadable for this encoder",
    Flag.SHORT: "very short",
}


class Stand(IntEnum):
    """What becomes of a pair by its cosine alone, under one encoder and its two bounds."""

    LEFT_ALONE = 0  # below both
    REVIEW = 1  # from the bound of review on, or held back above the threshold
    REMOVED = 2  # from the threshold on


STAND_WORDS = {
    Stand.LEFT_ALONE: "left alone",
    Stand.REVIEW: "to review",
    Stand.REMOVED: "removed automatically",
}


class Kind(StrEnum):
    """How two rows are alike: exact copies share their text, the rest by word overlap."""

    COPY = "copy"
    NEAR_COPY = "near-copy"
    PARAPHRASE = "paraphrase"


NEAR_COPY_WORDS = 0.75  # Jaccard of the words, from here on a near-copy


def kind_of(words: float) -> Kind:
    """Name the likeness of two distinct texts by the overlap of their words (0 to 1)."""
    return Kind.NEAR_COPY if words >= NEAR_COPY_WORDS else Kind.PARAPHRASE


@dataclass(frozen=True, slots=True)
class DateColumn:
    """A column of dates and how its ambiguous figures are read."""

    name: str
    order: str = "ymd"  # "ymd", "dmy" or "mdy"


@dataclass(frozen=True, slots=True)
class Reading:
    """How the bytes of a file become rows; what the preview shows is what the import uses."""

    kind: str  # "table" (delimited), "jsonl", "lines", "folder", "xlsx" or "parquet"
    columns: tuple[str, ...]
    encoding: str | None = None  # a Python codec name, None where the format fixes it
    delimiter: str | None = None
    header_line: int | None = None  # 1-based line of the header; None: there is none
    sheet: str | None = None  # of a spreadsheet
    quote: str | None = '"'  # around cells of a table; None: quotation marks are plain text
    escape: str | None = None  # before a quotation mark inside a quoted cell, where used


@dataclass(frozen=True, slots=True)
class ImportSettings:
    """Everything a person settled in the import sheet."""

    reading: Reading
    text_columns: tuple[str, ...]
    template: str = ""  # "{title}\n{body}"; empty: the text columns, one per line
    id_column: str | None = None
    date_columns: tuple[DateColumn, ...] = ()
    updates: bool = True  # rows with a known id replace the row of an earlier file of that name


class HandOp(StrEnum):
    """What a person did to clusters."""

    RENAME = "rename"
    MERGE = "merge"
    SPLIT = "split"
    MOVE = "move"
    EXCLUDE = "exclude"
    INCLUDE = "include"


@dataclass(frozen=True, slots=True)
class HandEdit:
    """A change of clusters by hand, told in positions of texts so that it outlives a re-run.

    `anchors` are the texts that each cluster it touched held when it was made. A split of a
    cluster names it first and its parts after it; a split with `texts` makes them a cluster of
    their own. `target` is the anchor of the cluster that `texts` move to: None means a new one
    if there is a `name`, else unclustered.
    """

    op: HandOp
    anchors: tuple[NDArray[np.int64], ...] = ()
    name: str = ""
    texts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    target: NDArray[np.int64] | None = None
    known: int | None = None  # texts from this position on came later; None: none did


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One row of a source file: its place among rows, its first line, its cells as text.

    A cell is None only where the source had nothing; "NA" and "null" are words. `oddities`
    are short sentences about what was unusual in reading it.
    """

    place: int  # 1-based, counted over data rows
    line: int  # 1-based physical line (row number in a spreadsheet)
    cells: tuple[str | None, ...]
    oddities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Changes:
    """What a job moved; pages decide for themselves what to read again."""

    corpus: bool = False
    vectors: bool = False
    pairs: bool = False
    groups: bool = False
    decisions: bool = False
    clusters: bool = False
    map: bool = False
    trainings: bool = False
    checked: bool = False  # pairs, by a cross-encoder

    @staticmethod
    def everything() -> "Changes":
        return Changes(*(True for _ in fields(Changes)))


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import read, in numbers that add up, and where it met something unusual."""

    source: int
    name: str
    rows: int = 0  # read from the file
    blank: int = 0  # without a text; they stay in the table
    copied: int = 0  # whose text the project already held, in this file or before
    updated: int = 0  # that replaced an earlier row with the same id
    unchanged: int = 0  # that an earlier file already brought, with the same id and cells
    odd: int = 0  # with something unusual
    multiline: int = 0  # with a line break inside a cell
    already_known: bool = False  # the same file was imported before; nothing was added
    notes: tuple[tuple[int, str], ...] = field(default=())  # (line, sentence), the first ones
