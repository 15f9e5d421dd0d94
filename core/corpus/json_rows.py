"""JSON Lines, and JSON files that hold one array or several values, as rows."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from core.corpus.normalising import whole_characters
from core.corpus.oddities import BROKEN_CHARACTER, UNKNOWN_FIELDS
from core.corpus.opening import faults_told, open_text
from core.errors import UserError
from core.records import Reading, SourceRow

VALUE = "text"  # the column of values that are no objects
_CHUNK = 1 << 20
_SPACE = " \t\r\n"
_TOO_DEEP = "values are nested too deeply"

Located = tuple[int, Any]  # the line a value begins on, and the value


class _Number(str):
    """A number as it was written, so that 0.10 stays 0.10."""

    __slots__ = ()


def json_rows(path: Path, reading: Reading) -> Iterator[SourceRow]:
    """Yield one row for each value; nested values are compact JSON text, null is None."""
    columns = reading.columns
    known = set(columns)
    for place, (line, value) in enumerate(json_values(path, reading.encoding or "utf-8"), start=1):
        fields = value if isinstance(value, dict) else {VALUE: value}
        if not known.issuperset(fields):
            fields = {whole_characters(name): told for name, told in fields.items()}
        try:
            cells = tuple([_cell(fields.get(column)) for column in columns])
        except RecursionError:
            raise _broken(path, line, _TOO_DEEP) from None
        oddities: tuple[str, ...] = ()
        if not known.issuperset(fields):
            oddities = (UNKNOWN_FIELDS,)
        if not all(cell is None or cell.isascii() or _is_whole(cell) for cell in cells):
            cells = tuple([None if cell is None else whole_characters(cell) for cell in cells])
            oddities = (*oddities, BROKEN_CHARACTER)
        yield SourceRow(place, line, cells, oddities)


def json_shape(path: Path, encoding: str) -> tuple[tuple[str, ...], int]:
    """List the fields of all values, first met first, and count the values; reads the file."""
    columns: dict[str, None] = {}
    count = 0
    for _, value in json_values(path, encoding):
        count += 1
        if not isinstance(value, dict):
            columns[VALUE] = None
        elif not columns.keys() >= value.keys():
            columns.update(dict.fromkeys(map(whole_characters, value)))
    return tuple(columns), count


def json_values(path: Path, encoding: str) -> Iterator[Located]:
    """Yield each value of the file with the line it begins on; constant memory.

    A file that is one array yields its items. Raises `UserError` with the line where the JSON
    is broken.
    """
    with faults_told(path, encoding), open_text(path, encoding) as text:
        if _has_value_per_line(text):
            yield from _values_by_line(path, text)
        else:
            yield from _values_by_bracket(path, text)


def _values_by_line(path: Path, text: io.TextIOWrapper) -> Iterator[Located]:
    decode = _decoder().decode
    for number, line in enumerate(text, start=1):
        if line.isspace():
            continue
        try:
            yield number, decode(line)
        except json.JSONDecodeError as error:
            raise _broken(path, number, error.msg) from None
        except RecursionError:
            raise _broken(path, number, _TOO_DEEP) from None


def _values_by_bracket(path: Path, text: io.TextIOWrapper) -> Iterator[Located]:
    """Read values one after the other, wherever their lines break."""
    window = _Window(text)
    in_array = window.peek() == "["
    if in_array:
        window.skip(1)
    first = True
    while True:
        sign = window.peek()
        if in_array:
            if sign == "]":
                window.skip(1)
                if window.peek():
                    raise _broken(path, window.line, "something follows the end of the array")
                return
            if not first:
                if sign != ",":
                    problem = "a comma is missing" if sign else "the array is never closed"
                    raise _broken(path, window.line, problem)
                window.skip(1)
                sign = window.peek()
        if not sign:
            if in_array:
                raise _broken(path, window.line, "the array is never closed")
            return
        first = False
        line = window.line
        try:
            value = window.value()
        except json.JSONDecodeError as error:
            raise _broken(
                path, line + error.doc.count("\n", window.at, error.pos), error.msg
            ) from None
        except RecursionError:
            raise _broken(path, line, _TOO_DEEP) from None
        yield line, value


class _Window:
    """A moving view of a text from which JSON values are taken one by one."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self._held = ""
        self._decode: Callable[[str, int], tuple[Any, int]] = _decoder().raw_decode
        self.at = 0
        self.line = 1

    def peek(self) -> str:
        """Pass over white space; return the next sign, empty at the end."""
        while True:
            end = self.at
            while end < len(self._held) and self._held[end] in _SPACE:
                end += 1
            self._move(end)
            if end < len(self._held):
                return self._held[end]
            if not self._grow(_CHUNK):
                return ""

    def skip(self, count: int) -> None:
        self._move(self.at + count)

    def value(self) -> Any:
        """Take the value that begins here, reading on for as long as it is incomplete."""
        size = _CHUNK
        while True:
            try:
                value, end = self._decode(self._held, self.at)
                if end < len(self._held) or not self._grow(size):
                    break
            except json.JSONDecodeError:
                if not self._grow(size):
                    raise
            size *= 2
        self._move(end)
        return value

    def _move(self, end: int) -> None:
        self.line += self._held.count("\n", self.at, end)
        self.at = end

    def _grow(self, size: int) -> bool:
        more = self._text.read(size)
        if more:
            self._held = self._held[self.at :] + more
            self.at = 0
        return bool(more)


def _has_value_per_line(text: io.TextIOWrapper) -> bool:
    """Tell JSON Lines from other JSON by the first lines; the text is put back to its start."""
    found = []
    for line in text:
        if not line.isspace():
            found.append(line)
        if len(found) == 2:
            break
    text.seek(0)
    if not found:
        return True
    try:
        value = json.loads(found[0])
    except (ValueError, RecursionError):
        # a broken first line among whole ones is broken JSON Lines, not one long value
        return len(found) == 2 and found[0].lstrip()[0] == "{" and _is_object(found[1])
    return len(found) == 2 or not isinstance(value, list)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _cell(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, str):
        return str(value) if type(value) is not str else value
    if isinstance(value, bool):
        return "true" if value else "false"
    return _compact(value)


def _compact(value: Any) -> str:
    """Write nested values without spaces, numbers as they stood in the file."""
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(k)}:{_compact(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_compact, value)) + "]"
    return _quoted(value)


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(
        strict=False, parse_int=_Number, parse_float=_Number, parse_constant=_Number
    )


def _is_whole(cell: str) -> bool:
    try:
        cell.encode()
    except UnicodeEncodeError:
        return False
    return True


def _broken(path: Path, line: int, problem: str) -> UserError:
    return UserError(
        f"{path.name} is not valid JSON: line {line:,}: {problem[:1].lower() + problem[1:]}.",
        "Mend that line, or read the file as plain lines.",
    )
