"""Looking through silver pairs: which are on show, and what the keys do to the current one."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from app.pages.multiply_deeds import Deeds
from app.pages.multiply_reads import SilverPage, read_silver
from app.pages.multiply_scene import Scene
from app.pages.multiply_sheet import SheetPanel
from app.workspace import Workspace
from core.store import SilverRow


class Looking(QObject):
    """Reads pages of pairs and hands a person's word on."""

    changed = Signal()  # another pair is the current one, or it is another now

    def __init__(
        self, workspace: Workspace, panel: SheetPanel, deeds: Deeds, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._workspace, self._panel, self._deeds = workspace, panel, deeds
        self._scene = Scene()
        panel.bands.chosen.connect(lambda _band: self.read())
        panel.list.page_wanted.connect(self.read)
        panel.list.current_changed.connect(self.changed)
        deeds.row_changed.connect(self._show_given)
        deeds.settled.connect(self.read_again)

    def show_scene(self, scene: Scene) -> None:
        """Know what may be done."""
        self._scene = scene

    def begin(self) -> None:
        """Look at another comparison's pairs, from the first one on."""
        self._panel.bands.choose(None)
        self._panel.list.show_page(None, {})
        self.read()

    def read(self, offset: int = 0) -> None:
        """Read a page of the pairs of the chosen band."""
        if not self._scene.has_sheet:
            self._panel.list.show_page(None, {})
            return
        band = self._panel.bands.limits
        wanted = partial(read_silver, augmentation=self._scene.record_id, band=band, offset=offset)
        self._workspace.read("multiply.pairs", wanted, self._show)

    def read_again(self) -> None:
        """Read what is on show once more."""
        page = self._panel.list.page
        self.read(0 if page is None else page.offset)

    def go(self, step: int) -> None:
        """Go to the next pair, or the one before."""
        self._panel.list.go(step)
        self._panel.reveal_current()

    def give(self, key: str) -> None:
        """Give the current pair a person's word, and go on where that is said of it."""
        card = self._panel.list.card
        if card is None or card.row is None or not self._scene.can_change:
            return
        self._deeds.give(self._scene.record_id, card.row, key)
        if key in ("same", "different"):
            self.go(1)

    def _show(self, page: SilverPage) -> None:
        is_wanted = page.augmentation == self._scene.record_id
        if is_wanted and page.band == self._panel.bands.limits:
            self._panel.list.show_page(page, self._deeds.given)
            self.changed.emit()

    def _show_given(self, row: SilverRow) -> None:
        self._panel.list.show_row(row)
        self.changed.emit()
