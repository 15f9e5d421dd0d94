"""The messages between the project bar and the page."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import L, S
from app.widgets.banner import Banner, BannerKind

# From the top: what limits everything, what went wrong, what came of the last step.
_ORDER = ("read-only", "recovery", "failure", "report")


class BannerArea(QWidget):
    """Keeps one banner per subject, in a fixed order; takes no room while all are silent."""

    clicked = Signal(str, str)  # subject, button

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._banners: dict[str, Banner] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(L, S, L, 0)
        column.setSpacing(S)
        for subject in _ORDER:
            banner = Banner(self)
            banner.button_clicked.connect(
                lambda key, subject=subject: self.clicked.emit(subject, key)
            )
            banner.closed.connect(self._fit)
            column.addWidget(banner)
            self._banners[subject] = banner
        self.hide()

    def say(
        self,
        subject: str,
        kind: BannerKind,
        text: str,
        *,
        buttons: Sequence[tuple[str, str]] = (),
        closable: bool = True,
        primary: str = "",
    ) -> None:
        """Say `text` about a subject, in place of what was said about it."""
        banner = self._banners[subject]
        banner.show_message(kind, text, buttons=buttons, closable=closable)
        words = dict(buttons).get(primary)
        for button in banner.findChildren(QPushButton):
            if words is not None and button.text() == words:
                set_role(button, "primary")
        self._fit()

    def clear(self, subject: str) -> None:
        """Say nothing about a subject any more."""
        self._banners[subject].clear()
        self._fit()

    def clear_all(self) -> None:
        """Say nothing at all."""
        for banner in self._banners.values():
            banner.clear()
        self._fit()

    def text(self, subject: str) -> str:
        """What is being said about a subject, empty if nothing is."""
        banner = self._banners[subject]
        return banner.text if not banner.isHidden() else ""

    def _fit(self) -> None:
        self.setVisible(any(not banner.isHidden() for banner in self._banners.values()))
