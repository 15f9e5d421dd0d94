"""Files of examples that are dropped onto the page."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Signal
from PySide6.QtGui import QColor, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.look.theme import current_theme
from app.look.tokens import RADIUS, M
from app.pages.teach_parts import note

ENDINGS = (
    ".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".csv.gz", ".tsv.gz",
    ".jsonl.gz",
)  # fmt: skip
_HINT = "Or drop a file anywhere here: CSV, TSV, JSON lines or Parquet."


class FileDrop(QObject):
    """Takes files of examples that are dropped anywhere on a page."""

    dropped = Signal(object)  # list[Path], never empty
    hovered = Signal(bool)

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.is_open = False  # whether something may be imported now
        page.setAcceptDrops(True)
        page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.DragLeave:
            self.hovered.emit(False)
        elif isinstance(event, QDropEvent) and self.is_open:
            paths = example_paths(event.mimeData())
            if paths:
                event.acceptProposedAction()
                self.hovered.emit(kind != QEvent.Type.Drop)
                if kind == QEvent.Type.Drop:
                    self.dropped.emit(paths)
                return True
        return super().eventFilter(watched, event)


class DropHint(QFrame):
    """Says what may be dropped, and lights up while something hovers over the page."""

    def __init__(self) -> None:
        super().__init__()
        self._is_hot = False
        column = QVBoxLayout(self)
        column.setContentsMargins(M, M, M, M)
        column.addWidget(note(_HINT, role="meta"))

    def set_hot(self, hot: bool) -> None:
        """Light up, or not any more."""
        self._is_hot = hot
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = current_theme().colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(colours.accent if self._is_hot else colours.outline), 1)
        if self._is_hot:
            painter.setBrush(QColor(colours.note.soft))
        else:
            pen.setDashPattern([4.0, 4.0])
        painter.setPen(pen)
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), RADIUS, RADIUS)


def example_paths(data: QMimeData) -> list[Path]:
    """Those of the files that may hold examples."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [path for path in paths if path.name.lower().endswith(ENDINGS)]
