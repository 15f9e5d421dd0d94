"""What every page offers to the window around it."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.workspace import Workspace


class Page(QWidget):
    """A page of the window; wishes that are not its own go up as signals.

    Subclasses set `name` and `icon`, build their actions once, and read the store through the
    workspace. An action belongs to the menu named; the window shows it there while the page is
    shown, and the command palette and the sheet of keys list it.
    """

    name = ""
    icon = ""

    import_wanted = Signal(object)  # list[Path], empty: ask for files
    export_wanted = Signal(str)  # what: kept, removed, groups, pairs, documents, certificate
    page_wanted = Signal(str)  # the name of another page
    prepare_wanted = Signal()  # encode, find pairs and group what is new
    document_wanted = Signal(int)  # show this document on the corpus page

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
