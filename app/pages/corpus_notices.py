"""Messages above the rows, one a subject; the newest is shown."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.look.tokens import L, M
from app.widgets.banner import Banner, BannerKind

_Notice = tuple[BannerKind, str, str]  # kind, words, button


class Notices(QWidget):
    """Takes no room while there is nothing to say."""

    answered = Signal(str)  # the subject whose button was pressed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._banner = Banner()
        self._banner.button_clicked.connect(self.answered)
        self._banner.closed.connect(self._close)
        self._said: dict[str, _Notice] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(L, M, L, 0)
        column.addWidget(self._banner)
        self.hide()

    @property
    def words(self) -> str:
        """What is said now."""
        return "" if self.isHidden() else self._banner.text

    def say(self, subject: str, kind: BannerKind, words: str, *, button: str = "") -> None:
        """Show a message in place of an earlier one of its subject."""
        if self._said.get(subject) != (kind, words, button):
            self._said.pop(subject, None)
            self._said[subject] = (kind, words, button)
            self._show()

    def drop(self, subject: str) -> None:
        """Take a message back."""
        if self._said.pop(subject, None) is not None:
            self._show()

    def drop_all(self) -> None:
        self._said.clear()
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._said))
        if self._said:
            subject, (kind, words, button) = list(self._said.items())[-1]
            buttons = [(subject, button)] if button else []
            self._banner.show_message(kind, words, buttons=buttons)

    def _close(self) -> None:
        self._said.popitem()
        self._show()
