"""From a row of the duplicates page to the texts that are like it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QMenu, QWidget

from app.pages.duplicates_actions import PageActions
from app.pages.duplicates_view import DuplicatesView


class LikeThis(QObject):
    """Offers "More like this" on groups, candidates and both sides of the card."""

    wanted = Signal(int)  # a document

    def __init__(self, view: DuplicatesView, actions: PageActions, page: QWidget) -> None:
        super().__init__(page)
        self._view, self._actions, self._page = view, actions, page
        actions.on("like", self._of_candidate)
        actions.on("like-kept", self._of_kept)
        view.panel.card.like_wanted.connect(self._of_side)
        self._offer(view.list, self._show_group_menu)
        self._offer(view.panel.candidates, self._show_candidate_menu)

    def _of_candidate(self) -> None:
        candidate = self._view.panel.current
        if candidate is not None:
            self.wanted.emit(candidate.document.id)

    def _of_kept(self) -> None:
        case = self._view.panel.case
        if case is not None:
            self.wanted.emit(case.kept.id)

    def _of_side(self, side: str) -> None:
        if side == "kept":
            self._of_kept()
        else:
            self._of_candidate()

    def _show_group_menu(self, spot: QPoint) -> None:
        index = self._view.list.indexAt(spot)
        if not index.isValid():
            return
        keeper = self._view.groups.group(index.row()).keeper
        menu = self._menu()
        menu.addAction("More like this", lambda: self.wanted.emit(keeper))
        menu.popup(self._view.list.viewport().mapToGlobal(spot))

    def _show_candidate_menu(self, spot: QPoint) -> None:
        listed = self._view.panel.candidates
        candidate = self._view.panel.model.candidate(listed.indexAt(spot).row())
        if candidate is None:
            return
        menu = self._menu()
        menu.addAction("More like this", lambda: self.wanted.emit(candidate.document.id))
        menu.addAction(self._actions["open"])
        menu.popup(listed.viewport().mapToGlobal(spot))

    def _offer(self, view: QAbstractItemView, show: Callable[[QPoint], None]) -> None:
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(show)

    def _menu(self) -> QMenu:
        menu = QMenu(self._page)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu
