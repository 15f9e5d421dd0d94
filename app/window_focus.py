"""Where the keys are when the part that had them goes away."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.pages.page import Page


class FocusKeeper(QObject):
    """Keeps the keys on the page when a part of it goes that had them, such as a button once used.

    Qt hands them to the next widget in the order of Tab, which may be outside the page: its keys
    would be dead until somebody clicks into it. What the page wants them in may come into sight
    only later; unless somebody has gone elsewhere, it has them then.
    """

    def __init__(self, page: Callable[[], Page | None], window: QWidget) -> None:
        super().__init__(window)
        self._page = page
        self._window = window
        self._awaited: QWidget | None = None  # not in sight yet
        self._kept: QWidget | None = None  # has the keys until then
        self._application = QApplication.instance()
        if isinstance(self._application, QApplication):  # with a window it is
            self._application.focusChanged.connect(self._follow)

    def stop(self) -> None:
        """Let go of the keys: a window that is being destroyed still tells of them."""
        self._forget()
        if isinstance(self._application, QApplication):
            self._application.focusChanged.disconnect(self._follow)
            self._application = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._awaited and event.type() == QEvent.Type.Show:
            QTimer.singleShot(0, self, self._hand_over)
        return False

    def _follow(self, before: QWidget | None, after: QWidget | None) -> None:
        page = self._page()
        if page is None or before is None or after is None or not page.isAncestorOf(before):
            return
        is_gone = not (before.isVisible() and before.isEnabled())
        left = after.window() is self._window and after is not page and not page.isAncestorOf(after)
        if is_gone and left and page.isVisible():
            self._give(page, after)

    def _give(self, page: Page, kept: QWidget) -> None:
        page.setFocus()
        wanted: QWidget = page
        while (proxy := wanted.focusProxy()) is not None:
            wanted = proxy
        if not wanted.isVisible():
            self._forget()
            self._awaited, self._kept = wanted, kept
            wanted.installEventFilter(self)

    def _hand_over(self) -> None:
        page, wanted, kept = self._page(), self._awaited, self._kept
        self._forget()
        if page is None or wanted is None or not page.isAncestorOf(wanted):
            return
        if QApplication.focusWidget() is kept:
            page.setFocus()

    def _forget(self) -> None:
        if self._awaited is not None:
            self._awaited.removeEventFilter(self)
        self._awaited = self._kept = None
