"""What kind of file it is: by its first bytes, its name, then what its lines look like."""

import zipfile
from pathlib import Path

from core.corpus.delimiters import guess_delimiter, plain_lines
from core.corpus.encodings import guess_encoding
from core.corpus.opening import faults_told, open_bytes, open_text
from core.errors import UserError

_TABLE_ENDINGS = frozenset((".csv", ".tsv", ".tab", ".psv", ".ssv", ".dsv"))
_JSON_ENDINGS = frozenset((".json", ".jsonl", ".ndjson", ".jsonlines"))
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SHEET_PARTS = ("xl/", "content.xml", "Index/")
_SAMPLE = 1 << 16


def guess_kind(path: Path) -> tuple[str, str]:
    """Name the kind of `path` and say why; raise `UserError` if there is nothing to read."""
    with faults_told(path):
        if path.is_dir():
            return "folder", "a folder: each .txt file in it is a text"
        with path.open("rb") as stream:
            head = stream.read(8)
        if not head:
            raise UserError(f"{path.name} is empty.", "Choose another file.")
        if head.startswith(b"PAR1"):
            return "parquet", "a Parquet file"
        if head.startswith(_OLD_OFFICE) or (head.startswith(b"PK") and _is_sheet(path)):
            return "xlsx", "a spreadsheet"
        return _by_name(path) or _by_lines(path)


def _by_name(path: Path) -> tuple[str, str] | None:
    endings = [ending.lower() for ending in path.suffixes]
    ending = next((one for one in reversed(endings) if one != ".gz"), "")
    if ending in _TABLE_ENDINGS:
        return "table", f"a table, by its name ({ending})"
    if ending in _JSON_ENDINGS:
        return "jsonl", f"JSON, by its name ({ending})"
    return None


def _by_lines(path: Path) -> tuple[str, str]:
    with open_bytes(path) as stream:
        if not stream.read(1):
            raise UserError(f"{path.name} is empty.", "Choose another file.")
    with open_text(path, guess_encoding(path).encoding) as text:
        start = text.read(_SAMPLE)
        cut = bool(text.read(1))
    sign = start.lstrip()[:2]
    if sign[:1] == "{" and '"' in start[:200]:
        return "jsonl", "JSON, by its first character"
    lines = plain_lines(start)
    guess = guess_delimiter(lines, cut=cut)
    plain = guess.delimiter in ("\t", "|", ";") and guess.consistency >= 0.9
    firm = guess.delimiter == "," and guess.consistency == 1 and guess.columns >= 3
    if len(lines) >= 3 and (plain or firm):
        return "table", "a table, by its regular columns"
    return "lines", "plain text: each line is a text"


def _is_sheet(path: Path) -> bool:
    """Tell a spreadsheet from other zip archives by what it holds."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        return path.suffix.lower() in (".xlsx", ".xlsm", ".xlsb", ".ods")
    return any(name.startswith(_SHEET_PARTS) for name in names)
