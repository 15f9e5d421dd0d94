"""What only the first page draws: the wordmark, and a project as a row of the list."""

from datetime import datetime

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import paint_icon
from app.look.theme import font, set_role, theme_of
from app.look.tokens import L, M
from app.look.words import counted, file_size, relative_date
from app.recents import Recent

RECENT_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_ROW = 54
_SIGN = 52
_NAME_SCALE = 1.5  # of the page titles


class Wordmark(QWidget):
    """Our sign, our name, and what the program is for."""

    def __init__(self) -> None:
        super().__init__()
        theme = theme_of(self)
        name = QLabel("Samesense")
        large = font(theme, "title", bold=True)
        large.setPixelSize(round(theme.sizes.title * _NAME_SCALE))
        name.setFont(large)
        name.setStyleSheet(f"font-size: {large.pixelSize()}px; font-weight: 600;")
        about = QLabel("See which texts say the same thing, and decide what stays.")
        set_role(about, "muted")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(name)
        words.addWidget(about)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(L)
        row.addStretch(1)
        row.addWidget(_Sign())
        row.addLayout(words)
        row.addStretch(1)


class RecentDelegate(QStyledItemDelegate):
    """Name over place at the left, rows and size over the date at the right."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(200, _ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        self.initStyleOption(option, index)
        view = option.widget
        style = view.style() if view is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, view)
        recent = index.data(RECENT_ROLE)
        if view is None or not isinstance(recent, Recent):
            return
        theme = theme_of(view)
        colours = theme.colours
        area = QRectF(option.rect).adjusted(M, 7, -M, -7)
        painter.save()
        sign = "warning" if recent.fault else "corpus"
        tint = colours.unsure.text if recent.fault else colours.muted
        paint_icon(painter, QRectF(area.left(), area.center().y() - 10, 20, 20), sign, tint)
        top = QRectF(area.left() + 32, area.top(), area.width() - 32, area.height() / 2)
        below = top.translated(0, area.height() / 2)
        right_above, right_below = _right_words(recent)
        meta, body = font(theme, "meta"), font(theme, "body", bold=True)
        painter.setFont(meta)
        room = 0.0
        for where, words in ((top, right_above), (below, right_below)):
            painter.setPen(QColor(colours.muted))
            painter.drawText(where, int(_RIGHT), words)
            room = max(room, painter.fontMetrics().horizontalAdvance(words) + 16.0)
        self._line(painter, below.adjusted(0, 0, -room, 0), _place(recent),
                   colours.unsure.text if recent.fault else colours.muted)  # fmt: skip
        painter.setFont(body)
        self._line(painter, top.adjusted(0, 0, -room, 0), recent.name, colours.ink)
        painter.restore()

    @staticmethod
    def _line(painter: QPainter, where: QRectF, words: str, colour: str) -> None:
        shown = painter.fontMetrics().elidedText(
            words, Qt.TextElideMode.ElideMiddle, int(where.width())
        )
        painter.setPen(QColor(colour))
        painter.drawText(where, int(_LEFT), shown)


_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


def _right_words(recent: Recent) -> tuple[str, str]:
    if recent.fault or recent.used is None:
        return "", ""
    facts = f"{counted(recent.rows, 'row')} · {file_size(recent.bytes)}"
    return facts, relative_date(recent.used, datetime.now())


def _place(recent: Recent) -> str:
    if recent.fault:
        return recent.fault[:1].upper() + recent.fault[1:]
    return str(recent.folder.parent)


class _Sign(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(_SIGN, _SIGN)
        self.setAccessibleName("Samesense")

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_icon(QPainter(self), QRectF(self.rect()), "logo", None)
