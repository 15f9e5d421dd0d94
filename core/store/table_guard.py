"""Text cells that a spreadsheet would run as formulas, made harmless and had back."""

import re
from collections.abc import Sequence

ID_COLUMN = "samesense_id"
RAW_ID_COLUMN = "samesense_raw_id"  # the same column in a file whose cells are not guarded

# Spreadsheets look past blanks and invisible characters, and take full-width signs too.
_INVISIBLE = r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2060\ufeff]*"
_RISKY = re.compile(rf"'*{_INVISIBLE}[=+\-@\t\r\n＝＋－＠]")


def guard(cell: str) -> str:
    """Put an apostrophe before a cell that a spreadsheet could run as a formula.

    A cell that already begins with apostrophes before such a sign gets one more, so that
    `unguard` gives back exactly what stood there.
    """
    return "'" + cell if _RISKY.match(cell) else cell


def unguard(cell: str) -> str:
    """Take back what `guard` added; every other cell stays as it is."""
    return cell[1:] if cell.startswith("'") and _RISKY.match(cell) else cell


def was_guarded(columns: Sequence[str]) -> bool:
    """Say by its header whether a CSV or TSV file was written with guarded cells.

    Header cells are guarded as well. Spreadsheets, JSON lines and Parquet files never are.
    """
    return bool(columns) and columns[0] == ID_COLUMN
