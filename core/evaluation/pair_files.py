"""Files of judged pairs: CSV, TSV and JSON lines, the usual column names, and STS Benchmark."""

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError

LEFT = ("sentence1", "text1", "question1", "string1", "1string", "left", "a", "s1", "sentencea",
        "texta", "lefttext", "anchor")  # fmt: skip  # a list of words, not of lines
RIGHT = ("sentence2", "text2", "question2", "string2", "2string", "right", "b", "s2", "sentenceb",
         "textb", "righttext", "positive")  # fmt: skip  # as above
GOLD = ("score", "similarity", "similarityscore", "relatednessscore", "regressionlabel", "rating",
        "gold", "goldscore", "label", "goldlabel", "isduplicate", "duplicate", "isparaphrase",
        "paraphrase", "quality", "same", "decision")  # fmt: skip  # as above, preferred first
_WORDS = {"true": 1.0, "yes": 1.0, "same": 1.0, "duplicate": 1.0, "paraphrase": 1.0,
          "false": 0.0, "no": 0.0, "different": 0.0, "not duplicate": 0.0}  # fmt: skip  # as above
_STS_BENCHMARK = (5, 6, 4)  # genre, file, year, id, score, first, second
_LONGEST_CELL = 2**31 - 1  # csv refuses cells over 131,072 characters otherwise


@dataclass(frozen=True, slots=True)
class PairSet:
    """Judged pairs: `gold` is 0 to 1, exactly 0 or 1 where `kind` is "label"."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    gold: NDArray[np.float64]
    kind: str  # "score" or "label"
    scale_note: str  # a sentence about what the file's numbers were taken for
    skipped: tuple[tuple[int, str], ...]  # line and reason of each row that was left out


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    left: str
    right: str
    gold: str


def read_pairs(path: Path) -> PairSet:
    """Read judged pairs from a CSV, TSV or JSON lines file, gzipped or not.

    The columns are found by their names (sentence1/sentence2/score and their usual kin);
    without a header, STS Benchmark's seven columns and plain text, text, number are known.
    Rows without a text or a readable judgement are skipped and listed. Raises `UserError`
    where the file cannot be read or holds no pair.
    """
    text = _decoded(path)
    name = path.name.removesuffix(".gz").lower()
    rows = _json_rows(text, path) if name.endswith((".jsonl", ".ndjson")) else _rows(text, path)
    left: list[str] = []
    right: list[str] = []
    numbers: list[float] = []
    skipped: list[tuple[int, str]] = []
    for row in rows:
        number = _number(row.gold)
        if not row.left.strip() or not row.right.strip():
            skipped.append((row.line, "a text is missing"))
        elif number is None:
            skipped.append((row.line, f"the judgement {row.gold[:40]!r} is no number"))
        else:
            left.append(row.left)
            right.append(row.right)
            numbers.append(number)
    if not numbers:
        reason = f" The first row: line {skipped[0][0]}, {skipped[0][1]}." if skipped else ""
        raise UserError(
            f"The file {path.name} holds no judged pair.{reason}",
            "Give each row two texts and a score or a label (0 or 1).",
        )
    gold, kind, note = _scaled(np.array(numbers, np.float64))
    return PairSet(tuple(left), tuple(right), gold, kind, note, tuple(skipped))


def _decoded(path: Path) -> str:
    try:
        data = path.read_bytes()
        if path.name.lower().endswith(".gz"):
            data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(f"The file {path} could not be read ({why}).") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(
            f"The file {path.name} is not UTF-8 (byte {error.start:,}).", "Save it as UTF-8."
        ) from error
    return text if "\n" in text else text.replace("\r", "\n")


def _json_rows(text: str, path: Path) -> Iterator[_Row]:
    for line, raw in enumerate(text.split("\n"), 1):
        if not raw.strip():
            continue
        try:
            entry = json.loads(raw)
        except ValueError as error:
            raise UserError(
                f"Line {line} of {path.name} is not JSON: {error}.", "Write one object per line."
            ) from error
        columns = _columns(list(entry)) if isinstance(entry, dict) else None
        if columns is None:
            raise _no_columns(path, list(entry) if isinstance(entry, dict) else [])
        values = list(entry.values())
        yield _Row(line, *("" if values[at] is None else str(values[at]) for at in columns))


def _rows(text: str, path: Path) -> Iterator[_Row]:
    first = re.split(r"[\r\n]", text, maxsplit=1)[0]
    delimiter, columns, has_header = _layout(first, path)
    loose = delimiter == "\t" and _has_loose_quotes(text)
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_NONE if loose else csv.QUOTE_MINIMAL,
    )
    if has_header:
        next(reader)
    for cells in reader:
        if any(cells):
            values = [cells[at] if at < len(cells) else "" for at in columns]
            yield _Row(reader.line_num, *values)


def _layout(first: str, path: Path) -> tuple[str, tuple[int, int, int], bool]:
    """Return delimiter, the places of left, right and gold, and whether there is a header."""
    split = {mark: next(csv.reader([first], delimiter=mark), []) for mark in "\t,;|"}
    for delimiter, cells in split.items():
        columns = _columns(cells)
        if columns:
            return delimiter, columns, True
    sts = first.split("\t")
    if len(sts) >= 7 and _number(sts[_STS_BENCHMARK[2]]) is not None:
        return "\t", _STS_BENCHMARK, False
    for delimiter, cells in split.items():
        if len(cells) == 3 and _number(cells[2]) is not None:
            return delimiter, (0, 1, 2), False
    raise _no_columns(path, max(split.values(), key=len))


def _columns(names: list[str]) -> tuple[int, int, int] | None:
    plain = [re.sub(r"[^a-z0-9]", "", name.lower()) for name in names]
    found = [
        next((plain.index(word) for word in words if word in plain), None)
        for words in (LEFT, RIGHT, GOLD)
    ]
    left, right, gold = found
    if left is None or right is None or gold is None:
        return None
    return left, right, gold


def _no_columns(path: Path, names: list[str]) -> UserError:
    seen = ", ".join(name[:30] for name in names[:8]) or "none"
    return UserError(
        f"The columns of pairs were not found in {path.name}; it has: {seen}.",
        "Name them sentence1, sentence2 and score (or label).",
    )


def _has_loose_quotes(text: str) -> bool:
    """Tell whether quotation marks are plain characters, as in STS Benchmark, not CSV quoting."""
    for line in text.splitlines():
        for cell in line.split("\t") if '"' in line else ():
            inner = cell[1:-1].replace('""', "")
            quoted = len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in inner
            if '"' in cell and not quoted:
                return True
    return False


def _number(cell: str) -> float | None:
    word = cell.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    try:
        number = float(word)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _scaled(numbers: NDArray[np.float64]) -> tuple[NDArray[np.float64], str, str]:
    low, high = float(numbers.min()), float(numbers.max())
    if np.isin(numbers, (0, 1)).all():
        return numbers, "label", "Labels: 1 means the same, 0 means different."
    if low >= 0 and high <= 1:
        return numbers, "score", "Scores from 0 to 1."
    if low >= 0 and high <= 5:
        return numbers / 5, "score", "Scores from 0 to 5, brought to 0 to 1."
    note = f"Scores from {low:g} to {high:g}, brought to 0 to 1."
    return (numbers - low) / (high - low or 1), "score", note
