"""The row in sight: the current one of the list, in the reader beside it or alone."""

from PySide6.QtCore import QObject

from app.pages.corpus_reads import Detail, Unreadable
from app.pages.search_asking import Asking
from app.pages.search_marks import word_spans
from app.pages.search_question import Hit
from app.pages.search_reading import RowReading
from app.pages.search_view import SearchView
from app.workspace import Workspace


class RowInSight(QObject):
    """Keeps the reader in step with the list."""

    def __init__(
        self, workspace: Workspace, view: SearchView, asking: Asking, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._workspace, self._view = workspace, view
        self._reading = RowReading(workspace, asking, self)
        self._reading.detail_ready.connect(self._show)
        self._reading.nearest_ready.connect(view.reader.show_nearest)
        view.list.row_changed.connect(self.follow)
        view.list.opened.connect(view.reader.view.setFocus)
        view.reader.document_wanted.connect(self._go_to)
        view.reader.width_wanted.connect(self.toggle_wide)

    @property
    def hit(self) -> Hit | None:
        """The current text of the list."""
        hits, row = self._view.results.hits, self._view.list.current_row
        return hits[row] if 0 <= row < len(hits) else None

    def follow(self) -> None:
        """Read the current row."""
        hit = self.hit
        self._reading.follow(None if hit is None else hit.document)

    def read_again(self) -> None:
        """What is known of the row in the reader has moved."""
        self._reading.follow(self._reading.wanted, again=True)

    def toggle_wide(self) -> None:
        """Read at full width, or beside the results again."""
        if self._view.is_wide:
            self.leave_wide()
        elif self._view.reader.detail is not None and self._view.shown == "results":
            self._view.set_wide(True)

    def leave_wide(self) -> None:
        """Show the results again."""
        if self._view.is_wide:
            self._view.set_wide(False)

    def _show(self, detail: Detail | Unreadable | None) -> None:
        if isinstance(detail, Unreadable):
            words = f"The row could not be read: {detail.why}"
            self._view.notices.say("row", "error", words)
            return
        state = self._workspace.state
        self._view.reader.show_detail(detail, stale=state is not None and state.groups_stale)
        answer = self._view.results.answer
        if detail is not None and answer is not None:
            self._view.reader.mark(word_spans(detail.document.body, answer.question.words))

    def _go_to(self, document: int) -> None:
        """Read a near text here: in the list where it is in it."""
        for row, hit in enumerate(self._view.results.hits):
            if hit.document == document:
                self._view.list.go_to(row)
                return
        self._reading.follow(document)
