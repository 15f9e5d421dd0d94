"""What the actions of the page do to the clusters and texts that are chosen."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Signal, SignalInstance
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from app.look.icons import set_icon
from app.look.theme import current_theme
from app.pages.map_actions import MapActions
from app.pages.map_feed import MapFeed
from app.pages.map_hand import MOST_DECIDED, MapHand
from app.pages.map_reads import UNCLUSTERED, Unreadable, safely
from app.pages.map_selection import MapSelection
from app.pages.map_states import has_leftover, has_levels, new_texts
from app.pages.map_view import MapView
from app.workspace import Workspace
from core.errors import UserError
from core.records import Verdict
from core.store import Project

_PICTURE_SCALE = 2.0
_ENDINGS = (".png", ".svg")  # the first where none is chosen
_REPLACING = "picture"  # the subject of the question whether a file may go
_CLUSTER_MENU = ("rename", "merge", "split", "exclude", "", "details", "fit-selection")
_TEXTS_MENU = ("move", "new", "", "same", "different", "", "like", "document", "", "export")


class MapDeeds(QObject):
    """Binds the actions to what is chosen, and lets them when it makes sense."""

    neighbours_wanted = Signal(int)  # document
    document_wanted = Signal(int)  # document
    told = Signal(str, str)  # kind of a banner, words

    def __init__(
        self,
        workspace: Workspace,
        view: MapView,
        feed: MapFeed,
        selection: MapSelection,
        actions: MapActions,
        host: QWidget,
    ) -> None:
        super().__init__(host)
        self._workspace = workspace
        self._view = view
        self._feed = feed
        self._selection = selection
        self._actions = actions
        self._host = host
        self.hand = MapHand(workspace, self)
        self._unsaved: Path | None = None  # while a person is asked whether it may be replaced
        self._connect()

    def allow(self) -> None:
        """Enable what can be done now."""
        picture, clusters = self._feed.picture, self._feed.clusters
        state = self._workspace.state
        chosen = len(self._selection.clusters)
        texts = 0 if self._selection.mask is None else int(self._selection.mask.sum())
        facts = {
            "map": picture is not None,
            "rows": state is not None and state.texts > 0,
            "clusters": clusters is not None and bool(clusters.listed),
            "levels": has_levels(clusters),
            "leftover": has_leftover(clusters),
            "any": chosen > 0,
            "one": chosen == 1,
            "some": chosen > 1,
            "texts": texts > 0,
            "few": 2 <= texts <= MOST_DECIDED,
            "text": self._selection.current is not None,
            "write": self._workspace.folder is not None and not self._workspace.read_only,
            "new": new_texts(state, picture) > 0,
        }
        self._actions.allow(name for name, holds in facts.items() if holds)
        self._word_exclude()

    def save_picture(self, path: Path, *, ending: str = _ENDINGS[0]) -> None:
        """Write what is in sight; the ending says as what, and `ending` is for a path without.

        A file under the name with its ending, which nobody was asked about, is not replaced
        before a person says so on a banner.
        """
        target = path if path.suffix.lower() in _ENDINGS else path.with_name(path.name + ending)
        if target != path and target.is_file():
            self._unsaved = target
            words = f"{target.name} is there already."
            self._view.notices.say(_REPLACING, "warning", words, button="Replace it")
        else:
            self._write_picture(target)

    def show_cluster_menu(self, spot: QPoint) -> None:
        """What can be done with the clusters chosen."""
        self._show_menu(_CLUSTER_MENU, spot)

    def show_texts_menu(self, spot: QPoint) -> None:
        """What can be done with the texts selected."""
        self._show_menu(_TEXTS_MENU, spot)

    def _connect(self) -> None:
        on, side = self._actions.on, self._view.side
        on("rename", self._rename)
        on("merge", lambda: self.hand.merge(self._selection.clusters))
        on("split", self._split)
        on("exclude", self._exclude)
        on("move", self._ask_target)
        on("new", self._ask_name)
        on("same", lambda: self.hand.decide(self._selection.texts, Verdict.SAME))
        on("different", lambda: self.hand.decide(self._selection.texts, Verdict.DIFFERENT))
        on("like", lambda: self._with_document(self.neighbours_wanted))
        on("document", lambda: self._with_document(self.document_wanted))
        on("picture", self._ask_path)
        side.model.rename_wanted.connect(self.hand.rename)
        side.model.merge_wanted.connect(self.hand.merge)
        side.list.menu_wanted.connect(self.show_cluster_menu)
        side.texts.menu_wanted.connect(self.show_texts_menu)
        side.texts.cluster_wanted.connect(
            lambda name: self.hand.split_off(self._selection.texts, name)
        )
        self._view.picker.picked.connect(self._move)
        self._view.canvas.toast.undo_wanted.connect(self.hand.undo)
        self._view.notices.answered.connect(self._replace_picture)

    def _replace_picture(self, subject: str) -> None:
        if subject == _REPLACING and self._unsaved is not None:
            self._write_picture(self._unsaved)

    def _write_picture(self, path: Path) -> None:
        self._view.notices.drop(_REPLACING)
        self._unsaved = None
        try:
            if path.suffix.lower() == ".svg":
                self._view.canvas.view.save_svg(path)
            else:
                self._view.canvas.view.save_png(path, _PICTURE_SCALE)
        except UserError as fault:
            self.told.emit("error", str(fault))
        else:
            self.told.emit("done", f"The picture is saved as {path.name}.")

    def _rename(self) -> None:
        self._view.side.tabs.setCurrentIndex(0)
        self._view.side.list.rename()

    def _split(self) -> None:
        for cluster in self._selection.clusters[:1]:
            self.hand.split(cluster)

    def _exclude(self) -> None:
        self.hand.exclude(self._selection.clusters, excluded=not self._are_excluded())

    def _are_excluded(self) -> bool:
        clusters = self._feed.clusters
        rows = [clusters.row(one) for one in self._selection.clusters] if clusters else []
        return bool(rows) and all(row is not None and row.is_excluded for row in rows)

    def _word_exclude(self) -> None:
        action, are_out = self._actions["exclude"], self._are_excluded()
        action.setText("Include the cluster" if are_out else "Exclude the cluster")
        set_icon(action, "eye" if are_out else "eye-off", current_theme().colours)

    def _ask_target(self) -> None:
        if self._feed.clusters is not None:
            panel = self._view.side.texts
            spot = panel.head.mapToGlobal(panel.head.rect().bottomLeft())
            self._view.picker.open_at(spot, self._feed.clusters)

    def _move(self, target: int) -> None:
        self.hand.move(self._selection.texts, None if target == UNCLUSTERED else target)

    def _ask_name(self) -> None:
        self._view.side.texts.ask_name()

    def _with_document(self, signal: SignalInstance) -> None:
        text = self._selection.current
        if text is not None:
            self._workspace.read(
                "map.document",
                safely(lambda project: _first_document(project, text)),
                partial(_pass_on, signal),
            )

    def _ask_path(self) -> None:
        state = self._workspace.state
        name = "map" if state is None else f"{state.name}-map"
        chosen, kind = QFileDialog.getSaveFileName(
            self._host, "Save the picture", str(Path.home() / f"{name}.png"),
            "Picture (*.png);;Drawing (*.svg)",
        )  # fmt: skip
        if chosen:
            ending = next((one for one in _ENDINGS if one in kind), _ENDINGS[0])
            self.save_picture(Path(chosen), ending=ending)

    def _show_menu(self, keys: tuple[str, ...], spot: QPoint) -> None:
        menu = QMenu(self._host)
        for key in keys:
            if key:
                menu.addAction(self._action(key))
            else:
                menu.addSeparator()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(spot if not spot.isNull() else QCursor.pos())

    def _action(self, key: str) -> QAction:
        return self._actions[key]


def _first_document(project: Project, text: int) -> int | None:
    found = project.documents.first_of_texts([text]).get(text)
    return None if found is None else found.id


def _pass_on(signal: SignalInstance, document: int | Unreadable | None) -> None:
    if isinstance(document, int):
        signal.emit(document)
