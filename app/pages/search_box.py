"""The field one asks in: it answers while one types, and may hold a text in place of words."""

from PySide6.QtCore import QEvent, QSize, QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCompleter,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QToolButton,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, font, set_role
from app.look.tokens import ICON_SMALL, XS
from app.pages.search_question import Like
from app.widgets.shown_text import visible

TYPING_PAUSE_MS = 40  # an answer takes no longer, and only the newest question is asked next
_HEIGHT = 40
_RECENT = 20
_ICON_ROOM = 30  # of the magnifying glass
_CHIP_SHARE = 0.7  # of the field
_POPUP_KEYS = (
    Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down
)  # fmt: skip
_PROMPT = "Search the texts by what they mean"


class SearchBox(QLineEdit):
    """Asks a moment after the last key, or at once on Return.

    A text that others shall be like stands in the field as a chip: typing takes its place,
    Backspace or a click on it removes it.
    """

    asked = Signal()
    left = Signal()  # Down: the hands go on in the results
    like_removed = Signal()
    like_changed = Signal()  # a text stands in the field, or does no longer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._like: Like | None = None
        self._recent = QStringListModel(self)
        self._popup = QListView()
        self._chip = _LikeChip(self)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self.setAccessibleName("Search for")
        self.setPlaceholderText(_PROMPT)
        self.setFixedHeight(_HEIGHT)
        self.setFont(font(current_theme(), "reading"))
        self.setClearButtonEnabled(True)
        mark = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        set_icon(mark, "search", current_theme().colours)
        completer = QCompleter(self._recent, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setWidget(self)  # asked for by Down; it does not come up while one types
        completer.setPopup(self._popup)
        self._popup.setItemDelegate(QStyledItemDelegate(self._popup))  # which heeds the sheet
        completer.activated.connect(self.ask_for)
        self._completer = completer
        self._pause.timeout.connect(self.asked)
        self.textEdited.connect(self._note_typing)
        self._chip.clicked.connect(self._remove_like)

    @property
    def like(self) -> Like | None:
        """The text that others shall be like."""
        return self._like

    @property
    def recent(self) -> list[str]:
        """What was asked for in this session, the newest first."""
        return self._recent.stringList()

    def ask_for(self, words: str) -> None:
        """Ask for these words at once."""
        self._show_like(None)
        self.setText(words)
        self._ask_now()

    def ask_like(self, like: Like) -> None:
        """Ask for texts like this one, in place of what stands in the field."""
        self._show_like(like)
        self.clear()
        self._ask_now()

    def show_question(self, words: str, like: Like | None) -> None:
        """Show what has been asked, without asking again."""
        self._pause.stop()
        self._show_like(like)
        self.setText(words)

    def remember(self) -> None:
        """Keep the words among the recent ones."""
        words = self.text().strip()
        if words:
            others = [one for one in self.recent if one != words]
            self._recent.setStringList([words, *others][:_RECENT])

    def forget(self) -> None:
        """Another project: nothing was asked for yet."""
        self._pause.stop()
        self._show_like(None)
        self.clear()
        self._recent.setStringList([])

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), _HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if self._popup.isVisible() and key in _POPUP_KEYS:
            event.ignore()  # the list of recent searches has them then
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.remember()
            self._ask_now()
        elif key == Qt.Key.Key_Down:
            self._go_down(force=bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
        elif key == Qt.Key.Key_Escape and (self.text() or self._like is not None):
            self._show_like(None)
            self.clear()
            self._ask_now()
        elif key == Qt.Key.Key_Backspace and self._like is not None and not self.text():
            self._remove_like()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_chip()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._place_chip()

    def _note_typing(self, text: str) -> None:
        if text and self._like is not None:
            self._show_like(None)
        if text:
            self._pause.start()
        else:
            self._ask_now()  # nothing to wait for

    def _ask_now(self) -> None:
        self._pause.stop()
        self.asked.emit()

    def _go_down(self, *, force: bool) -> None:
        if self.recent and (force or (not self.text() and self._like is None)):
            self._completer.complete()
            return
        if self._pause.isActive():
            self._ask_now()
        self.remember()
        self.left.emit()

    def _remove_like(self) -> None:
        self._show_like(None)
        self.like_removed.emit()

    def _show_like(self, like: Like | None) -> None:
        self._like = like
        self._chip.setVisible(like is not None)
        if like is not None:
            self._chip.show_text(like.body)
        self.setPlaceholderText("" if like is not None else _PROMPT)
        self._place_chip()
        self.like_changed.emit()

    def _place_chip(self) -> None:
        if self._like is None:
            self.setTextMargins(0, 0, 0, 0)
            return
        width = min(self._chip.sizeHint().width(), round(self.width() * _CHIP_SHARE))
        height = self._chip.sizeHint().height()
        self._chip.setGeometry(_ICON_ROOM + XS, (self.height() - height) // 2, width, height)
        self._chip.fit()
        self.setTextMargins(width + XS, 0, 0, 0)


class _LikeChip(QToolButton):
    """The beginning of a text, in a field."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = ""
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross comes last
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        set_role(self, "chip")
        set_icon(self, "close", current_theme().colours, tone="note")
        self.hide()

    def show_text(self, body: str) -> None:
        line = " ".join(visible(body[:400]).split())
        self._words = line if len(line) <= 80 else line[:79].rstrip() + "…"
        self.setAccessibleName(f"Texts like “{self._words}”. Remove")
        self.setToolTip("Remove (Backspace)")
        self.setText(self._told(self._words))

    def fit(self) -> None:
        """Cut the words to the width there is."""
        room = self.width() - ICON_SMALL - 24
        metrics = self.fontMetrics()
        around = metrics.horizontalAdvance("like: “”")
        cut = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, room - around)
        self.setText(self._told(cut))

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(f"like: “{self._words}”")
        return QSize(words + ICON_SMALL + 28, 28)

    def _told(self, words: str) -> str:
        # A mark at each end keeps words from right to left inside their quotation marks.
        return f"like: “\u2068{words.replace('&', '&&')}\u2069”"
