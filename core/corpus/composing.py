"""One text out of the cells of a row, by a template such as "{title}\\n{body}"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.errors import UserError


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a template: for each column the words before it, then the words at the end."""

    fields: tuple[tuple[str, int], ...]
    after: str


def default_template(text_columns: Sequence[str]) -> str:
    """Put the text columns below each other."""
    return "\n".join("{" + column + "}" for column in text_columns)


def compose(
    cells: Sequence[str | None],
    *,
    columns: Sequence[str],
    text_columns: Sequence[str],
    template: str = "",
) -> str:
    """Fill the template from the cells of one row; for many rows use `composer`."""
    return composer(columns=columns, text_columns=text_columns, template=template)(cells)


def composer(
    *, columns: Sequence[str], text_columns: Sequence[str], template: str = ""
) -> Callable[[Sequence[str | None]], str]:
    """Give the function that makes the text of a row of `columns`.

    A template names columns in braces; braces meant as such are doubled. Words before a
    column vanish with it where its cell is blank, a line whose columns are all blank vanishes
    too; where every cell is blank so is the text. An empty template means the text columns,
    one per line. Raises `UserError` for a column that is not there, or where none is named.
    """
    for column in text_columns:
        if column not in columns:
            raise no_such_column(column, columns)
    if not template:
        places = [list(columns).index(column) for column in text_columns]
        if len(places) == 1:
            return lambda cells: cells[places[0]] or ""
        lines = [_Line((("", place),), "") for place in places]
    else:
        lines = [_parse(line, columns) for line in template.split("\n")]
    named = [place for line in lines for _, place in line.fields]
    if not named:
        raise UserError(
            "The template names no column, so every text would be the same.",
            "Name a column in braces, such as {title}.",
        )

    def composed(cells: Sequence[str | None]) -> str:
        if not any((cells[place] or "").strip() for place in named):
            return ""
        return "\n".join(filled for line in lines if (filled := _fill(line, cells)) is not None)

    return composed


def no_such_column(column: str, columns: Sequence[str]) -> UserError:
    """Say that a column is not there, and which are."""
    listed = ", ".join(f'"{name}"' for name in columns[:40])
    more = f" and {len(columns) - 40:,} more" if len(columns) > 40 else ""
    return UserError(f'There is no column "{column}".', f"The columns are {listed}{more}.")


def _fill(line: _Line, cells: Sequence[str | None]) -> str | None:
    if not line.fields:
        return line.after
    parts: list[str] = []
    cell = ""
    for at, (before, place) in enumerate(line.fields):
        cell = cells[place] or ""
        if cell.strip():
            if parts or at == 0:
                parts.append(before)
            parts.append(cell)
    if not parts:
        return None
    return "".join(parts) + (line.after if cell.strip() else "")


def _parse(line: str, columns: Sequence[str]) -> _Line:
    fields: list[tuple[str, int]] = []
    words = ""
    at = 0
    by_length = sorted(range(len(columns)), key=lambda place: -len(columns[place]))
    while at < len(line):
        # A column's own name may hold braces, so it is looked for before doubled ones.
        place = next((p for p in by_length if line.startswith("{" + columns[p] + "}", at)), None)
        if place is not None:
            fields.append((words, place))
            words = ""
            at += len(columns[place]) + 2
        elif line[at : at + 2] in ("{{", "}}"):
            words += line[at]
            at += 2
        elif line[at] == "{":
            raise no_such_column(line[at + 1 :].partition("}")[0], columns)
        elif line[at] == "}":
            raise UserError(
                "The template has a closing brace without an opening one.",
                "Write }} for a brace meant as such.",
            )
        else:
            words += line[at]
            at += 1
    return _Line(tuple(fields), words)
