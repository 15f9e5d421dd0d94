"""Read a file of judged examples: what it holds is told by its columns and values, or said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import UserError
from core.examples.kinds import (
    DECISIONS,
    ExampleKind,
    Examples,
    LabelledPairs,
    LabelledTexts,
    Rows,
    ScoredPairs,
    Triplets,
)
from core.examples.reading.judgements import (
    are_labels,
    checked_scale,
    is_no_label,
    labels_of,
    number,
    scaled,
)
from core.examples.reading.laying import ANY_SHAPE, Laid, laid_out, names_in
from core.examples.reading.naming import SHAPE_OF, Shape
from core.examples.reading.readable import Readable, readable
from core.examples.reading.tables import Skipped, Table

_ALL_SAME = "No judgement stands beside them, so all are taken to mean the same."
_NAMED = ("Name them sentence1, sentence2 and score (or label); anchor, positive and negative; or "
          "text and label. Or say which column is which.")  # fmt: skip  # one sentence


@dataclass(frozen=True, slots=True)
class ExampleFile:
    """The examples of a file, and what was made of it."""

    examples: Examples
    sentence: str  # what the file was taken for
    lines: Rows  # the line of every example, from 1
    skipped: tuple[Skipped, ...]  # line and reason of each row that could not be read, by line
    unlabelled: int  # rows left out since their label is empty or a dash
    stretched: bool  # scores were brought to 0 to 1 from their own lowest and highest
    beside: dict[str, tuple[str, ...]]  # further columns that were asked for


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller knows better than the file's columns and values."""

    kind: ExampleKind | None = None
    labels: tuple[str, ...] | None = None  # the names of labels, in order
    scale: tuple[float, float] | None = None  # lowest and highest score
    beside: tuple[str, ...] = ()  # columns to keep beside the examples, such as a topic


def read_examples(
    path: Path,
    *,
    kind: ExampleKind | None = None,
    columns: Mapping[str, str | int] | None = None,
    labels: Sequence[str] | None = None,
    scale: tuple[float, float] | None = None,
    beside: Sequence[str] = (),
    encoding: str = "utf-8",
) -> ExampleFile:
    """Read judged examples from a CSV, TSV, JSON lines or Parquet file, gzipped or not.

    Columns are found by their usual names, STS Benchmark's by its form, and two or three
    nameless columns by their values. Three texts are triplets; two texts with numbers are scored
    pairs, with a few labels labelled pairs; one text with a label is a labelled text. Each guess
    can be overruled: `kind`; `columns`, from the roles left, right and score or label, or anchor,
    positive and negative, or text and label, to a name or a place from 0 (places alone mean that
    there are no names); `scale`, the lowest and the highest score; `labels`, their names in
    order, so that several files agree. Raises `UserError` where the file cannot be read or holds
    no example; single rows that cannot be read are left out and told.
    """
    shapes = ANY_SHAPE if kind is None else (SHAPE_OF[kind],)
    laid = laid_out(path, shapes=shapes, columns=columns, encoding=encoding)
    if laid is None:
        wanted = "examples" if kind is None else str(kind)
        what = f"The columns of {wanted} were not found in {path.name}"
        raise UserError(f"{what}; it has: {names_in(path, encoding)}.", _NAMED)
    asked = Asked(kind, None if labels is None else tuple(labels), scale, tuple(beside))
    return examples_of(laid, path.name, asked)


def examples_of(laid: Laid, name: str, asked: Asked) -> ExampleFile:
    """Make the examples of a table whose layout is known; `name` is what people call it."""
    rows = readable(laid)
    kind = _kind(laid, rows, name, asked)
    stretched = False
    examples: Examples
    if laid.layout.is_judged and kind is ExampleKind.SCORED_PAIRS:
        rows, examples, note, stretched = _scored(rows, name, asked.scale)
    elif laid.layout.is_judged and kind is not ExampleKind.TRIPLETS:
        rows, examples, note = _labelled(rows, name, kind, asked.labels)
    else:
        _refuse_nothing(rows, name)
        examples, note = _unjudged(rows, kind)
    return ExampleFile(
        examples, _sentence(laid, examples, note), np.array(rows.lines, np.int64),
        tuple(sorted(rows.skipped)), rows.unlabelled, stretched,
        _beside(laid.table, rows.places, asked.beside),
    )  # fmt: skip  # a row of figures


def _kind(laid: Laid, rows: Readable, name: str, asked: Asked) -> ExampleKind:
    if asked.kind is not None:
        return asked.kind
    if laid.layout.shape is not Shape.PAIRS:
        shape = laid.layout.shape
        return ExampleKind.TRIPLETS if shape is Shape.TRIPLETS else ExampleKind.LABELLED_TEXTS
    if not laid.layout.is_judged or asked.labels is not None:
        return ExampleKind.LABELLED_PAIRS
    if asked.scale is not None:
        return ExampleKind.SCORED_PAIRS
    filled = [cell for cell in rows.judged if not is_no_label(cell)]
    labelled = are_labels(rows.judged, laid.layout.judgement) if filled else True
    if labelled is None:
        raise UserError(
            f"The judgements in {laid.table.name(laid.layout.places[-1])} of {name} are neither "
            f"numbers nor a few labels, such as “{filled[0][:40]}”.",
            "Say which column holds the score or the label, and write numbers with a point.",
        )
    return ExampleKind.LABELLED_PAIRS if labelled else ExampleKind.SCORED_PAIRS


def _scored(
    rows: Readable, name: str, scale: tuple[float, float] | None
) -> tuple[Readable, ScoredPairs, str, bool]:
    low, high = (-np.inf, np.inf) if scale is None else checked_scale(scale)
    kept: list[int] = []
    numbers: list[float] = []
    skipped: list[Skipped] = []
    empty = 0
    for at, (cell, line) in enumerate(zip(rows.judged, rows.lines, strict=True)):
        found = number(cell)
        if is_no_label(cell):
            empty += 1
        elif found is None:
            skipped.append((line, f"the judgement {cell[:40]!r} is no number"))
        elif not low <= found <= high:
            skipped.append((line, f"the score {found:g} is not from {low:g} to {high:g}"))
        else:
            kept.append(at)
            numbers.append(found)
    rows = rows.keep(kept, skipped, empty)
    _refuse_nothing(rows, name)
    told = np.array(numbers, np.float64)
    score, _, note = scaled(told, scale)
    stretched = scale is None and bool(told.min() < 0 or told.max() > 5)
    left, right = rows.texts
    return rows, ScoredPairs(left, right, score.astype(np.float32)), note, stretched


def _labelled(
    rows: Readable, name: str, kind: ExampleKind, names: tuple[str, ...] | None
) -> tuple[Readable, LabelledPairs | LabelledTexts, str]:
    pairs = kind is ExampleKind.LABELLED_PAIRS
    rows, odd = _without_odd(rows) if pairs and names is None else (rows, ())
    found = labels_of(rows.judged, names, of_pairs=pairs)
    kept = np.flatnonzero(found.label >= 0)
    skipped: list[Skipped] = [*odd]
    empty = 0
    for at in np.flatnonzero(found.label < 0).tolist():
        if is_no_label(rows.judged[at]) or names is None:
            empty += 1
        else:
            told = rows.judged[at].strip()[:40]
            skipped.append((rows.lines[at], f"the label {told!r} is none of {', '.join(names)}"))
    rows = rows.keep(kept.tolist(), skipped, empty)
    _refuse_nothing(rows, name)
    label = found.label[kept]
    if pairs:
        left, right = rows.texts
        return rows, LabelledPairs(left, right, label, found.names), found.note
    return rows, LabelledTexts(rows.texts[0], label, found.names), found.note


def _without_odd(rows: Readable) -> tuple[Readable, tuple[Skipped, ...]]:
    """Leave out words among numbers, such as an "unsure" among yes and no."""
    says = [is_no_label(cell) or number(cell) is not None for cell in rows.judged]
    filled = [said for said, cell in zip(says, rows.judged, strict=True) if not is_no_label(cell)]
    if all(says) or 2 * sum(filled) < len(filled):
        return rows, ()
    odd = tuple(
        (rows.lines[at], f"the judgement {rows.judged[at][:40]!r} is no number")
        for at, said in enumerate(says)
        if not said
    )
    return rows.keep([at for at, said in enumerate(says) if said], (), 0), odd


def _unjudged(rows: Readable, kind: ExampleKind) -> tuple[Examples, str]:
    if kind is ExampleKind.TRIPLETS:
        return Triplets(*rows.texts), ""
    left, right = rows.texts
    same = np.ones(len(left), np.int64)
    if kind is ExampleKind.SCORED_PAIRS:
        return ScoredPairs(left, right, same.astype(np.float32)), _ALL_SAME
    return LabelledPairs(left, right, same, DECISIONS), _ALL_SAME


def _refuse_nothing(rows: Readable, name: str) -> None:
    if rows.lines:
        return
    first = min(rows.skipped, default=None)
    reason = "" if first is None else f" The first row: line {first[0]}, {first[1]}."
    if first is None and rows.unlabelled:
        reason = f" All {rows.unlabelled:,} rows are without a label."
    raise UserError(
        f"The file {name} holds no judged example.{reason}",
        "Give each row its texts and a score or a label.",
    )


def _sentence(laid: Laid, examples: Examples, note: str) -> str:
    names = [laid.table.name(place) for place in laid.layout.places]
    texts = " and ".join(filter(None, (", ".join(names[: laid.layout.texts][:-1]),
                                       names[: laid.layout.texts][-1])))  # fmt: skip  # a list
    judged = f", the judgement in {names[-1]}" if laid.layout.is_judged else ""
    how = {"values": " by what stands in it", "STS Benchmark": " by the form of STS Benchmark"}
    told = how.get(laid.layout.told_by, "")
    stand = "text stands" if laid.layout.texts == 1 else "texts stand"
    said = f"Taken for {examples.kind}{told}: the {stand} in {texts}{judged}."
    return f"{said} {note}".strip()


def _beside(
    table: Table, places: Sequence[int], wanted: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name in wanted:
        if name not in table.names:
            raise UserError(
                f"There is no column “{name}”.", f"Choose from {', '.join(table.names) or 'none'}."
            )
        at = table.names.index(name)
        found[name] = tuple(table.rows[place].cells[at] or "" for place in places)
    return found
