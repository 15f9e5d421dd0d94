"""Tags in the cells of a table."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.look.theme import current_theme
from app.widgets.tags import Tag, paint_tags, tag_size

TAGS_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_PAD = 13


class TagDelegate(QStyledItemDelegate):
    """Paints the `tuple[Tag, ...]` that a cell answers for `TAGS_ROLE`, over a plain cell."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        tags = _tags(index)
        if not tags:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        option.text = ""
        view = option.widget
        style = view.style() if view is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, view)
        where = QRectF(option.rect).adjusted(_PAD, 0, -2, -2)
        paint_tags(painter, where, tags, current_theme())

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        tags = _tags(index)
        view = option.widget
        if not tags or view is None:
            return super().sizeHint(option, index)
        sizes = [tag_size(tag, current_theme()) for tag in tags]
        return QSize(2 * _PAD + sum(size.width() + 4 for size in sizes), sizes[0].height() + 8)


def _tags(index: QModelIndex | QPersistentModelIndex) -> tuple[Tag, ...]:
    found = index.data(TAGS_ROLE)
    return found if isinstance(found, tuple) else ()
