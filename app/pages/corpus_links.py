"""Rows that lead to other rows, in the reader."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import current_theme, font, set_role
from app.look.tokens import RADIUS, RADIUS_SMALL, XS, S
from app.look.words import count, counted
from app.widgets.shown_text import is_right_to_left, visible
from app.widgets.tags import Tag, paint_tag, tag_size

_FIGURE_WIDTH = 44


@dataclass(frozen=True, slots=True)
class Link:
    """A row to go to: a figure, words, and perhaps a tag."""

    document: int
    figure: str
    words: str
    tag: Tag | None = None


class LinkSection(QWidget):
    """A heading and rows to click; what does not fit is counted in a last line."""

    document_wanted = Signal(int)
    more_wanted = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._heading = section_heading(title)
        self._note = QLabel()
        self._note.setWordWrap(True)
        set_role(self._note, "muted")
        self._note.hide()
        self._rows: list[LinkRow] = []
        self._more = QPushButton()
        set_role(self._more, "link")
        self._more.clicked.connect(self.more_wanted)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._heading)
        self._column.addSpacing(XS)
        self._column.addWidget(self._note)
        self._column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def rows(self) -> "list[LinkRow]":
        return self._rows

    def show_links(self, links: Sequence[Link], *, more: int = 0) -> None:
        while len(self._rows) > len(links):
            row = self._rows.pop()
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        while len(self._rows) < len(links):
            row = LinkRow()
            row.followed.connect(self.document_wanted)
            self._column.insertWidget(2 + len(self._rows), row)
            self._rows.append(row)
        for row, link in zip(self._rows, links, strict=True):
            row.show_link(link)
        total = len(links) + more
        self._heading.setText(f"{self._title}  {count(total)}" if total else self._title)
        self._more.setText(f"Show all {counted(total + 1, 'row')} in the table")
        self._more.setVisible(more > 0)
        self.setVisible(bool(links))

    def show_note(self, words: str) -> None:
        """Say why there is nothing to list."""
        self._note.setText(words)
        self._note.setVisible(bool(words))
        if words:
            self.show()


class LinkRow(QAbstractButton):
    """One line that leads to a row."""

    followed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._link = Link(0, "", "")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: self.followed.emit(self._link.document))

    @property
    def link(self) -> Link:
        return self._link

    def show_link(self, link: Link) -> None:
        self._link = link
        self.setAccessibleName(f"{link.figure} {link.words}".strip())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, round(QFontMetricsF(font(current_theme(), "body")).height()) + 14)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        colours = theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        spot = QRectF(self.rect()).adjusted(-0.5, 0.5, -0.5, -0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.underMouse() or self.isDown():
            painter.setBrush(QColor(colours.pressed if self.isDown() else colours.hover))
            painter.drawRoundedRect(spot, RADIUS, RADIUS)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.accent), 2))
            painter.drawRoundedRect(spot.adjusted(1, 1, -1, -1), RADIUS_SMALL, RADIUS_SMALL)
        inside = QRectF(self.rect()).adjusted(S, 0, -S, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        if self._link.figure:
            painter.setFont(font(theme, "meta"))
            painter.setPen(QColor(colours.muted))
            painter.drawText(inside, middle | Qt.AlignmentFlag.AlignLeft, self._link.figure)
            inside.adjust(_FIGURE_WIDTH, 0, 0, 0)
        if self._link.tag is not None:
            size = tag_size(self._link.tag, theme)
            left = inside.right() - size.width()
            top = inside.center().y() - size.height() / 2
            paint_tag(
                painter, QRectF(left, top, size.width(), size.height()), self._link.tag, theme
            )
            inside.setRight(left - S)
        _paint_line(painter, inside, self._link.words)


def section_heading(words: str) -> QLabel:
    """The small heading of a part of the reader."""
    label = QLabel(words)
    set_role(label, "heading")
    return label


def _paint_line(painter: QPainter, where: QRectF, words: str) -> None:
    theme = current_theme()
    painter.setFont(font(theme, "body"))
    painter.setPen(QColor(theme.colours.ink))
    line = " ".join(visible(words[:600]).split())
    right_to_left = is_right_to_left(line)
    option = QTextOption(
        Qt.AlignmentFlag.AlignVCenter
        | (Qt.AlignmentFlag.AlignRight if right_to_left else Qt.AlignmentFlag.AlignLeft)
    )
    option.setTextDirection(
        Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
    )
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    metrics = QFontMetricsF(painter.font())
    shown = metrics.elidedText(line, Qt.TextElideMode.ElideRight, where.width())
    painter.drawText(where, shown, option)
