"""What every page offers to the window around it."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.checker import Checker
from app.workspace import Workspace


class Page(QWidget):
    """A page of the window; wishes that are not its own go up as signals.

    Subclasses set `name`, build their actions once, and read the store through the
    workspace. An action belongs to the menu named; the window shows it there while the page is
    shown, and the command palette and the sheet of keys list it.
    """

    name = ""

    import_wanted = Signal(object)  # list[Path], empty: ask for files
    export_wanted = Signal(str)  # what: kept, removed, groups, pairs, documents, certificate
    page_wanted = Signal(str)  # the name of another page
    back_wanted = Signal()  # the page of the rail that was shown before
    prepare_wanted = Signal()  # encode, find pairs and group what is new
    document_wanted = Signal(int)  # show this document on the corpus page
    neighbours_wanted = Signal(int)  # show the texts nearest to this document's
    map_wanted = Signal(object)  # list of text ids to select on the map
    training_wanted = Signal(int)  # show this training on the page that lists them
    scores_changed = Signal(object)  # dict of text id to score, of the texts found last

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.setObjectName(f"page-{self.name.lower()}")

    def menu_actions(self) -> dict[str, list[QAction]]:
        """The page's actions by menu title ("Edit", "Duplicates", …)."""
        return {}

    def focus_search(self) -> None:
        """Go to the page's own search field, where it has one (Ctrl+F)."""

    def show_document(self, document: int) -> None:
        """Show this document, on the page that lists documents."""

    def show_neighbours(self, document: int) -> None:
        """Show the texts nearest to this document's, on the page that searches."""

    def show_texts(self, texts: list[int]) -> None:
        """Select these texts, on the page that draws them."""

    def show_training(self, training: int) -> None:
        """Choose this training, on the page that lists them."""

    def show_scores(self, scores: Mapping[int, float]) -> None:
        """Know how well each text answers the last search, on the page that draws them."""

    def check_with(self, checker: Checker) -> None:
        """Know the cross-encoder, on a page that has pairs read again."""

    def encode_with(self, options: Callable[[], dict[str, Any]]) -> None:
        """Know how texts without a vector are encoded, on a page whose work may begin so."""
