"""Files of judged pairs whatever their judgement: each is brought to a number from 0 to 1."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.examples.reading.judgements import number, scaled
from core.examples.reading.laying import laid_out, names_in
from core.examples.reading.naming import Shape
from core.examples.reading.tables import Row


@dataclass(frozen=True, slots=True)
class PairSet:
    """Judged pairs: `gold` is 0 to 1, exactly 0 or 1 where `kind` is "label"."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    gold: NDArray[np.float64]
    kind: str  # "score" or "label"
    scale_note: str  # a sentence about what the file's numbers were taken for
    skipped: tuple[tuple[int, str], ...]  # line and reason of each row that was left out


def read_pairs(path: Path) -> PairSet:
    """Read judged pairs from a CSV, TSV, JSON lines or Parquet file, gzipped or not.

    The columns are found by their names (sentence1/sentence2/score and their usual kin);
    without a header, STS Benchmark's seven columns and plain text, text, number are known.
    Rows without a text or a readable judgement are skipped and listed. Raises `UserError`
    where the file cannot be read or holds no pair.
    """
    laid = laid_out(path, shapes=(Shape.PAIRS,), guessing=False)
    if laid is None:
        raise UserError(
            f"The columns of pairs were not found in {path.name}; it has: {names_in(path)}.",
            "Name them sentence1, sentence2 and score (or label).",
        )
    pairs: list[tuple[str, str, float]] = []
    skipped = list(laid.table.skipped)
    for row in laid.table.rows:
        left, right, gold = _cells(row, laid.layout.places)
        judged = number(gold)
        if not left.strip() or not right.strip():
            skipped.append((row.line, "a text is missing"))
        elif judged is None:
            skipped.append((row.line, f"the judgement {gold[:40]!r} is no number"))
        else:
            pairs.append((left, right, judged))
    skipped.sort()
    if not pairs:
        reason = f" The first row: line {skipped[0][0]}, {skipped[0][1]}." if skipped else ""
        raise UserError(
            f"The file {path.name} holds no judged pair.{reason}",
            "Give each row two texts and a score or a label (0 or 1).",
        )
    lefts, rights, numbers = zip(*pairs, strict=True)
    gold_numbers, kind, note = scaled(np.array(numbers, np.float64))
    return PairSet(lefts, rights, gold_numbers, kind, note, tuple(skipped))


def _cells(row: Row, places: tuple[int, ...]) -> tuple[str, str, str]:
    left, right, gold = (
        row.cells[place] or "" if place < len(row.cells) else "" for place in places
    )
    return left, right, gold
