"""The keys of a page, on one sheet."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.look.theme import current_theme, font, set_role
from app.look.tokens import RADIUS_SMALL, XL, XS, M, S
from app.widgets.overlay import Overlay

_WIDTH = 680
_COLUMNS = 2
_GROUP_GAP = 20


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Keys that belong together, as (keys, what they do); keys such as `Ctrl+Z` or `J / K`."""

    title: str
    keys: tuple[tuple[str, str], ...]


class KeysSheet(Overlay):
    """Lists keys in groups; any of Escape, F1 or a click beside it closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, width=_WIDTH)
        self._title = QLabel()
        set_role(self._title, "title")
        self._groups = QWidget()
        self.body.setContentsMargins(XL, XL, XL, XL)
        self.body.setSpacing(M)
        self.body.addWidget(self._title)
        self.body.addWidget(self._groups)

    def show_keys(self, title: str, groups: Sequence[KeyGroup]) -> None:
        """Open the sheet with these keys."""
        self._title.setText(title)
        self.setAccessibleName(title)
        self.body.removeWidget(self._groups)
        self._groups.deleteLater()
        self._groups = self._filled(groups)
        self.body.addWidget(self._groups)
        self.open_sheet()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F1:
            self.close_sheet()
        else:
            super().keyPressEvent(event)

    def _filled(self, groups: Sequence[KeyGroup]) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(XL)
        columns = [QVBoxLayout() for _ in range(_COLUMNS)]
        heights = [0] * _COLUMNS
        for group in groups:
            shortest = heights.index(min(heights))
            columns[shortest].addWidget(_group(group))
            heights[shortest] += len(group.keys) + 2
        for column in columns:
            column.setSpacing(_GROUP_GAP)
            column.addStretch(1)
            row.addLayout(column, 1)
        return box


class KeyCaps(QWidget):
    """Keys drawn as caps: `Ctrl+Z` is two, `J / K` has a stroke between."""

    def __init__(self, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = _parts(keys)
        self.setAccessibleName(keys)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(font(current_theme(), "meta"))
        width = sum(_part_width(metrics, part, cap) + XS for part, cap in self._parts)
        return QSize(round(width) + 1, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(theme, "meta"))
        metrics = QFontMetricsF(font(theme, "meta"))
        x = 0.5
        for part, is_cap in self._parts:
            width = _part_width(metrics, part, is_cap)
            spot = QRectF(x, 1.5, width, 19)
            if is_cap:
                painter.setPen(QPen(QColor(theme.colours.outline), 1))
                painter.setBrush(QColor(theme.colours.paper))
                painter.drawRoundedRect(spot, RADIUS_SMALL, RADIUS_SMALL)
            painter.setPen(QColor(theme.colours.ink if is_cap else theme.colours.muted))
            painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, part)
            x += width + XS


def _group(group: KeyGroup) -> QWidget:
    box = QWidget()
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(M)
    grid.setVerticalSpacing(S - 2)
    title = QLabel(group.title)
    set_role(title, "heading")
    grid.addWidget(title, 0, 0, 1, 2)
    for place, (keys, meaning) in enumerate(group.keys, start=1):
        grid.addWidget(KeyCaps(keys), place, 0, Qt.AlignmentFlag.AlignLeft)
        words = QLabel(meaning)
        words.setWordWrap(True)
        grid.addWidget(words, place, 1)
    grid.setColumnMinimumWidth(0, 96)
    grid.setColumnStretch(1, 1)
    return box


def _parts(keys: str) -> list[tuple[str, bool]]:
    """Caps and what stands between them, in order."""
    parts: list[tuple[str, bool]] = []
    for word in keys.split():
        if word in ("/", "…", "–", "or"):
            parts.append((word, False))
        else:
            caps = word.replace("++", "+Plus").split("+") if len(word) > 1 else [word]
            parts.extend((cap.replace("Plus", "+"), True) for cap in caps)
    return parts


def _part_width(metrics: QFontMetricsF, part: str, is_cap: bool) -> float:
    advance = metrics.horizontalAdvance(part)
    return max(20.0, advance + 10) if is_cap else advance
