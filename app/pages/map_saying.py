"""What the page says where there is no map, and above one; and what its buttons lead to."""

from PySide6.QtCore import QObject, Signal

from app.jobs import JobEnd
from app.pages.map_drawing import MapDrawing
from app.pages.map_feed import MapFeed
from app.pages.map_reads import Unreadable
from app.pages.map_states import has_other_encoder, new_texts, show_empty, tell_stale
from app.pages.map_view import MapView
from app.workspace import Workspace
from core.store import ProjectState


class MapSaying(QObject):
    """Keeps the empty state and the notices true."""

    import_wanted = Signal()
    said = Signal()  # something was said or taken back, so other things may be done now

    def __init__(
        self,
        workspace: Workspace,
        view: MapView,
        feed: MapFeed,
        drawing: MapDrawing,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._view = view
        self._feed = feed
        self._drawing = drawing
        workspace.state_changed.connect(self.refresh)
        drawing.changed.connect(self.refresh)
        view.empty.wanted.connect(self._press_empty)
        view.empty.second_wanted.connect(drawing.ask)
        view.notices.answered.connect(self._answer)

    def refresh(self, _state: ProjectState | None = None) -> None:
        """Say what is so now."""
        if self._view.is_empty_shown:
            self.show_missing()
        else:
            self.tell_stale()

    def show_missing(self) -> None:
        """Say what there is no map for."""
        is_answer_near = self._feed.is_busy and not self._drawing.is_drawing
        if is_answer_near and self._feed.is_read and self._view.is_empty_shown:
            return  # a map may be there in a moment: what was said holds until it is known
        self._view.show_empty(True)
        if is_answer_near and not self._feed.is_read:
            self._view.empty.show_state("clock", "The map is being read.")
        else:
            show_empty(self._view.empty, self._workspace, is_drawing=self._drawing.is_drawing)
        self._view.notices.drop("stale")
        self.said.emit()

    def tell_stale(self) -> None:
        """Say what is not on the map, or no longer."""
        picture = self._feed.picture
        if picture is not None:
            is_drawing = self._drawing.is_drawing
            tell_stale(self._view.notices, self._workspace, picture, is_drawing=is_drawing)
            self.said.emit()

    def tell_unreadable(self, fault: Unreadable) -> None:
        words = f"The map could not be read: {fault.why}"
        self._view.notices.say("fault", "error", words, button="Try again")
        self.refresh()

    def tell_failed(self, end: JobEnd) -> None:
        self._view.notices.say("failed", "error", f"{end.what} {end.remedy}".strip())

    def tell(self, kind: str, words: str) -> None:
        self._view.notices.say("told", "done" if kind == "done" else "error", words)

    def tell_done(self, words: str) -> None:
        """Something worked: what failed before it is of no matter any more."""
        self._view.notices.drop("failed")
        self._view.canvas.toast.say(words)

    def _press_empty(self) -> None:
        state = self._workspace.state
        if state is None or not state.texts:
            self.import_wanted.emit()
        else:
            self._drawing.draw()

    def _answer(self, subject: str) -> None:
        state, picture = self._workspace.state, self._feed.picture
        if subject == "fault":
            self._view.notices.drop("fault")
            self._feed.read_picture()
        elif subject != "stale":
            return  # asked by another part of the page
        elif new_texts(state, picture) and not has_other_encoder(state, picture):
            self._drawing.draw()
        else:
            self._drawing.ask()
