"""Reading the row in sight: at once, or the last of many while a key is held down."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.jobs import JobEnd
from app.pages.corpus_links import Link
from app.pages.corpus_reader import near_link
from app.pages.corpus_reads import Detail, Unreadable, read_detail, safely
from app.pages.search_asking import Asking
from app.workspace import Workspace

_BREATH_MS = 90  # between two rows read
_REST_MS = 350  # on a row, before the engine is asked what is near it
_NEAREST = 8


class RowReading(QObject):
    """Reads one row in full, and a little later the texts nearest to it."""

    detail_ready = Signal(object)  # Detail, Unreadable or None
    nearest_ready = Signal(object)  # list[Link]

    def __init__(self, workspace: Workspace, asking: Asking, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._asking = workspace, asking
        self._wanted: int | None = None
        self._detail: Detail | None = None
        self._is_behind = False
        self._breath = self._timer(_BREATH_MS, self._catch_up)
        self._rest = self._timer(_REST_MS, self._ask_nearest)

    @property
    def wanted(self) -> int | None:
        """The row that is shown or about to be."""
        return self._wanted

    def follow(self, document: int | None, *, again: bool = False) -> None:
        """Read a row, unless it is the one that was read last."""
        if document == self._wanted and not again:
            return
        self._wanted = document
        self._rest.stop()
        self._is_behind = self._breath.isActive()
        if not self._is_behind:
            self._read()
            self._breath.start()

    def _read(self) -> None:
        document = self._wanted
        if document is None:
            self._detail = None
            self.detail_ready.emit(None)
            return
        read = safely(lambda project: read_detail(project, document))
        self._workspace.read("search.detail", read, partial(self._take, document))

    def _catch_up(self) -> None:
        if self._is_behind:
            self._is_behind = False
            self._read()
            self._breath.start()

    def _take(self, document: int, detail: Detail | Unreadable | None) -> None:
        if document != self._wanted:
            return
        self._detail = detail if isinstance(detail, Detail) else None
        self.detail_ready.emit(detail)
        self._rest.start()

    def _ask_nearest(self) -> None:
        """The pairs that were found name only what is very near; ask for what is nearest."""
        detail, asking = self._detail, self._asking
        if detail is None or detail.document.text is None or len(detail.nearest) >= _NEAREST:
            return
        if not asking.is_warm or asking.is_busy or self._workspace.folder is None:
            return
        values = {"text": "", "by": "meaning", "count": _NEAREST, "filter": {},
                  "like": detail.document.id}  # fmt: skip
        self._workspace.start(
            "search", values, title="Finding near texts", lane="search",
            then=partial(self._take_nearest, detail),
        )  # fmt: skip

    def _take_nearest(self, detail: Detail, end: JobEnd) -> None:
        if detail is not self._detail or end.kind != "finished":
            return
        known = {one.document.text: near_link(one) for one in detail.nearest}
        links = [
            known.get(hit["text"])
            or Link(hit["document"], f"{hit['cosine'] or 0:.2f}", hit["body"])
            for hit in end.outcome["hits"]
        ]
        if links:
            self.nearest_ready.emit(links)

    def _timer(self, milliseconds: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)
        return timer
