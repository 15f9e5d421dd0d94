"""Filters in force, each a chip that goes with a click, over as many lines as they need."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QLayout, QLayoutItem, QPushButton, QToolButton, QWidget

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS, S
from app.widgets.shown_text import visible

_LONGEST = 48  # characters


class FilterChips(QWidget):
    """Takes no room while there are no filters."""

    removed = Signal(int)
    all_removed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self)
        self._chips: list[QToolButton] = []
        self._all = QPushButton("Remove all")
        set_role(self._all, "link")
        self._all.setAccessibleName("Remove all filters")
        self._all.clicked.connect(self.all_removed)
        self._flow.addWidget(self._all)
        self.hide()

    @property
    def words(self) -> list[str]:
        """What the chips say, in full."""
        return [chip.toolTip() for chip in self._chips]

    def show_chips(self, words: Sequence[str]) -> None:
        if list(words) == self.words:
            return
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._flow.removeWidget(self._all)
        self._chips = [self._chip(at, one) for at, one in enumerate(words)]
        self._all.setVisible(len(words) > 1)
        self._flow.addWidget(self._all)
        self.setVisible(bool(words))
        self.updateGeometry()

    def _chip(self, at: int, words: str) -> QToolButton:
        line = " ".join(visible(words).split())
        short = line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
        chip = QToolButton()
        chip.setText(short.replace("&", "&&"))
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        chip.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross comes last
        chip.setAccessibleName(f"Remove the filter {line}")
        chip.setToolTip(words)
        set_role(chip, "chip")
        set_icon(chip, "close", current_theme().colours, tone="note")
        chip.clicked.connect(lambda: self.removed.emit(at))
        self._flow.addWidget(chip)
        chip.show()
        return chip


class FlowLayout(QLayout):
    """Widgets side by side, going on in the next line where there is no room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem:
        # Qt asks beyond the end and takes None, which its stubs do not say.
        return self._items[index] if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def takeAt(self, index: int) -> QLayoutItem:
        return self._items.pop(index) if 0 <= index < len(self._items) else None  # type: ignore[return-value]  # as above

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._shown()]
        height = max((size.height() for size in sizes), default=0)
        return QSize(max((size.width() for size in sizes), default=0), height)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _place(self, rect: QRect, *, move: bool) -> int:
        x, y, line = rect.left(), rect.top(), 0
        for item in self._shown():
            size = item.sizeHint()
            if x > rect.left() and x + size.width() > rect.right() + 1:
                x, y, line = rect.left(), y + line + XS, 0
            if move:
                width = min(size.width(), rect.width())
                item.setGeometry(QRect(QPoint(x, y), QSize(width, size.height())))
            x += size.width() + S
            line = max(line, size.height())
        return y + line - rect.top()
