"""Find where the examples stand in a file: by names, by known forms, by values, or as told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import UserError
from core.examples.reading.judgements import are_labels_of_texts, is_no_label, number
from core.examples.reading.naming import (
    Layout,
    Shape,
    bare_pair_layout,
    named_layout,
    shape_of_roles,
    told_layout,
    unnamed_layout,
)
from core.examples.reading.tables import (
    Table,
    decoded,
    delimited_table,
    even_table,
    file_bytes,
    first_names,
    form_of,
    json_table,
    parquet_table,
)

ANY_SHAPE = (Shape.TRIPLETS, Shape.PAIRS, Shape.TEXTS)


@dataclass(frozen=True, slots=True)
class Laid:
    """A table and where its examples stand."""

    table: Table
    layout: Layout


def laid_out(
    path: Path,
    *,
    shapes: Sequence[Shape] = ANY_SHAPE,
    columns: Mapping[str, str | int] | None = None,
    guessing: bool = True,
    encoding: str = "utf-8",
) -> Laid | None:
    """Read a file and find examples of one of these shapes in it; None where there are none.

    `columns` names the columns, and nothing else is then tried. `guessing` also takes pairs that
    have no judgement but are called anchor and positive, and names that say nothing, where the
    values do. Raises `UserError` where the file cannot be read.
    """
    form = form_of(path)
    if columns is not None and shape_of_roles(columns) not in shapes:
        raise UserError(
            f"The columns named make {shape_of_roles(columns)}, not {' or '.join(shapes)}.",
            "Name other columns, or read the file as another kind.",
        )
    if form == "delimited":
        return _delimited(decoded(path, encoding), shapes, columns, guessing)
    if form == "json":
        table = json_table(decoded(path, encoding), path.name)
    else:
        table = parquet_table(file_bytes(path), path.name)
    layout = _named(table.names, shapes, columns, guessing)
    if layout is None and guessing and columns is None:
        layout = _by_values(table, shapes)
    return None if layout is None else Laid(table, layout)


def names_in(path: Path, encoding: str = "utf-8") -> str:
    """Tell a person the first columns of a file that was not understood."""
    form = form_of(path)
    if form == "delimited":
        names: Sequence[str] = first_names(decoded(path, encoding))
    elif form == "json":
        names = json_table(decoded(path, encoding), path.name).names
    else:
        names = parquet_table(file_bytes(path), path.name).names
    return ", ".join(name[:30] for name in names[:8]) or "none"


def _delimited(
    text: str,
    shapes: Sequence[Shape],
    columns: Mapping[str, str | int] | None,
    guessing: bool,
) -> Laid | None:
    by_place = columns is not None and all(isinstance(told, int) for told in columns.values())

    def named(cells: Sequence[str]) -> Layout | None:
        stripped = [cell.strip() for cell in cells]
        return None if by_place else _named(stripped, shapes, columns, guessing)

    def unnamed(cells: Sequence[str], delimiter: str) -> Layout | None:
        if columns is not None:
            return told_layout(cells, columns) if by_place else None
        return unnamed_layout(cells, delimiter) if Shape.PAIRS in shapes else None

    found = delimited_table(text, named, unnamed)
    if found is not None:
        return Laid(*found)
    table = even_table(text) if guessing and columns is None else None
    layout = None if table is None else _by_values(table, shapes)
    return None if table is None or layout is None else Laid(table, layout)


def _named(
    names: Sequence[str],
    shapes: Sequence[Shape],
    columns: Mapping[str, str | int] | None,
    guessing: bool,
) -> Layout | None:
    if columns is not None:
        return told_layout(names, columns)
    layout = named_layout(names, shapes)
    if layout is None and guessing and Shape.PAIRS in shapes:
        return bare_pair_layout(names)
    return layout


def _by_values(table: Table, shapes: Sequence[Shape]) -> Layout | None:
    """Tell the shape of two or three nameless columns from what stands in them."""
    columns = [[row.cells[at] or "" for row in table.rows] for at in range(_width(table))]
    if len(columns) == 3:
        judged = _mostly_numbers(columns[2]) or _repeat(columns[2])
        shape = Shape.PAIRS if judged else Shape.TRIPLETS
        if set(shapes) & {Shape.PAIRS, Shape.TRIPLETS} == {Shape.TRIPLETS}:
            shape = Shape.TRIPLETS
        return Layout(shape, (0, 1, 2), "", "values") if shape in shapes else None
    if len(columns) == 2 and Shape.TEXTS in shapes:
        labels = [at for at in range(2) if are_labels_of_texts(columns[at])]
        if labels:
            at = min(labels, key=lambda place: len(set(columns[place])))
            return Layout(Shape.TEXTS, (1 - at, at), "label", "values")
    return None


def _width(table: Table) -> int:
    return len(table.names) or len(table.rows[0].cells) if table.rows else 0


def _mostly_numbers(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if not is_no_label(cell)]
    return 2 * sum(number(cell) is not None for cell in filled) >= len(filled) > 0


def _repeat(cells: Sequence[str]) -> bool:
    """Whether the cells are so few and short that they are labels and no texts."""
    filled = {cell.strip() for cell in cells if not is_no_label(cell)}
    return 0 < len(filled) <= 20 and (len(filled) * 2 <= len(cells) or all(
        len(cell.split()) == 1 for cell in filled))  # fmt: skip  # one question
