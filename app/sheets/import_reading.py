"""How the bytes of a file are read: what was guessed, why, and boxes to say otherwise."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XS, M
from app.sheets.import_plan import Inspected

_KINDS = {"table": "Table", "lines": "A text per line", "jsonl": "JSON"}
_DELIMITERS = {",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Bar |", " ": "Space"}
_ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with a mark",
    "utf-8+cp1252": "UTF-8 with stray bytes",
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252, Western",
    "iso8859-1": "Latin-1, Western",
    "latin-1": "Latin-1, Western",
    "cp1251": "Windows-1251, Cyrillic",
    "shift_jis": "Shift-JIS, Japanese",
    "cp932": "Shift-JIS, Japanese",
    "gb18030": "GB 18030, Chinese",
    "big5": "Big5, Chinese",
    "euc_kr": "EUC-KR, Korean",
}
_HEADER_LINES = 5  # offered besides the one in use


class ReadingBar(QWidget):
    """Boxes for kind, encoding, delimiter, header and sheet; those that do not apply hide."""

    changed = Signal(dict)  # what the wish `inspect` is to take as given

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given: dict[str, Any] = {}
        self._boxes: dict[str, QComboBox] = {}
        self._holders: dict[str, QWidget] = {}
        self._why = QLabel()
        set_role(self._why, "meta")
        self._why.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(M)
        for key, words in (
            ("kind", "Read as"),
            ("sheet", "Sheet"),
            ("encoding", "Encoding"),
            ("delimiter", "Columns separated by"),
            ("header_line", "Names of the columns"),
        ):
            row.addWidget(self._box(key, words))
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addLayout(row)
        column.addWidget(self._why)

    def box(self, key: str) -> QComboBox:
        """The box of one choice: kind, sheet, encoding, delimiter or header_line."""
        return self._boxes[key]

    def show_inspected(self, seen: Inspected) -> None:
        """Show how the file is read now."""
        reading = seen.reading
        self._fill("kind", _choices(_KINDS, reading.kind) if reading.kind in _KINDS else [],
                   reading.kind)  # fmt: skip
        sheets = [(name, name) for name in seen.sheets] if len(seen.sheets) > 1 else []
        self._fill("sheet", sheets, reading.sheet)
        encodings = dict.fromkeys([reading.encoding, *seen.encodings, "utf-8", "cp1252"])
        offered = [(encoding_words(name), name) for name in encodings if name]
        self._fill("encoding", offered if reading.encoding else [], reading.encoding)
        separated = reading.kind == "table" and reading.delimiter is not None
        self._fill(
            "delimiter",
            _choices(_DELIMITERS, reading.delimiter or "") if separated else [],
            reading.delimiter,
        )
        headed = reading.kind in ("table", "xlsx")
        lines = sorted({*range(1, _HEADER_LINES + 1), reading.header_line or 1})
        headers: list[tuple[str, Any]] = [(f"On line {line}", line) for line in lines]
        self._fill("header_line", [*headers, ("None", None)] if headed else [], reading.header_line)
        why = "; ".join(seen.why)
        self._why.setText(why[:1].upper() + why[1:] + "." if why else "")

    def _box(self, key: str, words: str) -> QWidget:
        holder = QWidget()
        label = QLabel(words)
        set_role(label, "meta")
        box = QComboBox()
        box.setAccessibleName(words)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.activated.connect(lambda _at: self._change(key))
        label.setBuddy(box)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(label)
        column.addWidget(box)
        self._boxes[key] = box
        self._holders[key] = holder
        holder.hide()
        return holder

    def _fill(self, key: str, choices: list[tuple[str, Any]], current: Any) -> None:
        box = self._boxes[key]
        box.clear()
        for words, value in choices:
            box.addItem(words, value)
        at = next((at for at, (_, value) in enumerate(choices) if value == current), 0)
        box.setCurrentIndex(at)
        self._holders[key].setVisible(bool(choices))

    def _change(self, key: str) -> None:
        if key in ("kind", "sheet"):  # what was chosen for another kind or sheet means nothing
            self._given = {name: self._given[name] for name in ("kind",) if name in self._given}
        elif key in ("encoding", "delimiter"):
            self._given.pop("header_line", None)
        self._given[key] = self._boxes[key].currentData()
        self.changed.emit(dict(self._given))


def encoding_words(name: str) -> str:
    """An encoding as people know it."""
    return _ENCODINGS.get(name.lower(), name.replace("_", "-").upper())


def _choices(known: dict[str, str], current: str) -> list[tuple[str, Any]]:
    choices: list[tuple[str, Any]] = [(words, value) for value, words in known.items()]
    if current not in known:
        choices.append((current, current))
    return choices
