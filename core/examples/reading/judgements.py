"""What a person wrote of an example, as numbers from 0 to 1 or as labels."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.examples.kinds import DECISIONS, Rows

_WORDS = {"true": 1.0, "yes": 1.0, "same": 1.0, "duplicate": 1.0, "paraphrase": 1.0,
          "false": 0.0, "no": 0.0, "different": 0.0, "not duplicate": 0.0,
          "not paraphrase": 0.0}  # fmt: skip  # a list of words, not of lines
# SNLI writes a dash where its judges did not agree, spreadsheets and data frames the others.
_NO_LABEL = ("", "-", "nan", "n/a", "#n/a")
_DECIMAL_COMMA = re.compile(r"[+-]?(?:0,\d+|\d{1,2},(?:\d{1,2}|\d{4,}))")  # 1,234 may be thousands
_MOST_LABELS = 20  # of pairs; more distinct values are no labels
_MOST_UNNAMED = 3  # whole numbers from 0 that are labels although no column name says so


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels of the rows that have one."""

    label: Rows  # (rows,), -1 where there is none
    names: tuple[str, ...]
    note: str


def number(cell: str) -> float | None:
    """Return the number or the yes or no that a cell says, None where it says none."""
    word = cell.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    word = word.replace("_", " ").replace("-", " ") if word[:1].isalpha() else word
    if word in _WORDS:
        return _WORDS[word]
    try:
        found = float(word.replace(",", ".") if _DECIMAL_COMMA.fullmatch(word) else word)
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def is_no_label(cell: str) -> bool:
    """Whether a row was left without a judgement, by its own word."""
    return cell.strip().lower() in _NO_LABEL


def scaled(
    numbers: NDArray[np.float64], scale: tuple[float, float] | None = None
) -> tuple[NDArray[np.float64], str, str]:
    """Bring numbers to 0 to 1; return them, "label" or "score", and what they were taken for.

    With a `scale` its lowest becomes 0 and its highest 1; without, 0 to 1 and 0 to 5 are known,
    and anything else is stretched from its own lowest to its own highest.
    """
    if scale is not None:
        low, high = scale
        note = f"Scores from {low:g} to {high:g}, brought to 0 to 1."
        return (numbers - low) / (high - low), "score", note
    low, high = float(numbers.min()), float(numbers.max())
    if np.isin(numbers, (0, 1)).all():
        return numbers, "label", "Labels: 1 means the same, 0 means different."
    if low >= 0 and high <= 1:
        return numbers, "score", "Scores from 0 to 1."
    if low >= 0 and high <= 5:
        return numbers / 5, "score", "Scores from 0 to 5, brought to 0 to 1."
    note = f"Scores from {low:g} to {high:g}, brought to 0 to 1."
    return (numbers - low) / (high - low or 1), "score", note


def checked_scale(scale: tuple[float, float]) -> tuple[float, float]:
    """Return the scale; raises `UserError` where its ends make none."""
    low, high = scale
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise UserError(
            f"Scores from {low:g} to {high:g} make no scale.", "Name the lowest score first."
        )
    return scale


def are_labels(cells: Sequence[str], column: str) -> bool | None:
    """Tell labels of pairs (True) from scores (False); None where the cells are neither.

    `column` is what the column's name speaks of, "score", "label" or "". Yes and no, and 0 and 1
    alone, are labels; so are a few whole numbers in a column of labels, and a few words.
    """
    filled = [cell.strip() for cell in cells if not is_no_label(cell)]
    numbers = [found for cell in filled if (found := number(cell)) is not None]
    if not filled:
        return None
    if len(numbers) * 2 < len(filled):
        return _few(filled) or None
    distinct = set(numbers)
    if distinct <= {0.0, 1.0}:
        return True
    if column == "score" or any(not found.is_integer() for found in distinct):
        return False
    if column == "label":
        return len(distinct) <= _MOST_LABELS
    return distinct <= set(map(float, range(_MOST_UNNAMED)))


def are_labels_of_texts(cells: Sequence[str]) -> bool:
    """Whether the cells repeat enough to be labels of single texts."""
    filled = [cell.strip() for cell in cells if not is_no_label(cell)]
    return bool(filled) and len(set(filled)) * 2 <= len(filled)


def labels_of(cells: Sequence[str], names: Sequence[str] | None, *, of_pairs: bool) -> Labels:
    """Number the labels of the cells, by `names` or in the order of their values.

    Two labels that say yes and no become `DECISIONS`, for pairs only. Whole numbers keep their
    numeric order, words the alphabet's. Names for cells that hold whole numbers from 0 are taken
    in the order of the numbers.
    """
    words = ["" if is_no_label(cell) else _tidy(cell) for cell in cells]
    if names is None and of_pairs and all(number(word) in (0.0, 1.0) for word in words if word):
        label = [-1 if not word else int(number(word) or 0) for word in words]
        note = "Labels: 1 means the same, 0 means different."
        return Labels(np.array(label, np.int64), DECISIONS, note)
    words = _without_minus_one(words)
    known = _ordered({word for word in words if word})
    told = tuple(known) if names is None else tuple(names)
    places = {name: place for place, name in enumerate(told)}
    if names is not None and not set(known) & set(told) and _are_places(known, len(told)):
        places = {str(place): place for place in range(len(told))}
    label = [places.get(word, -1) for word in words]
    shown = ", ".join(told[:5]) + (" and so on" if len(told) > 5 else "")
    count = "1 label" if len(told) == 1 else f"{len(told):,} labels"
    return Labels(np.array(label, np.int64), told, f"{count}: {shown}.")


def _few(filled: list[str]) -> bool:
    distinct = len(set(filled))
    return distinct <= _MOST_LABELS and (distinct <= 3 or distinct * 2 <= len(filled))


def _tidy(cell: str) -> str:
    """A label without blanks around it; a whole number as such, however a table wrote it."""
    word = cell.strip()
    whole, point, rest = word.partition(".")
    is_whole = point and whole.lstrip("-").isdigit() and not rest.strip("0")
    return whole if is_whole else word


def _without_minus_one(words: list[str]) -> list[str]:
    """-1 beside 0, 1 and more says that there is no label, as published sets have it."""
    counts = Counter(words)
    others = [word for word in counts if word not in ("", "-1")]
    if "-1" in counts and len(others) > 1 and all(word.isdigit() for word in others):
        return ["" if word == "-1" else word for word in words]
    return words


def _ordered(words: set[str]) -> list[str]:
    if all(word.lstrip("-").isdigit() for word in words):
        return sorted(words, key=int)
    return sorted(words)


def _are_places(words: Sequence[str], count: int) -> bool:
    return all(word.isdigit() and int(word) < count for word in words)
