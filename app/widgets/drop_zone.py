"""Where files are dropped."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.icons import paint_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import RADIUS_LARGE, XL, M, S

_ICON = 40
_DASH = [4.0, 4.0]


class DropZone(QWidget):
    """Takes files and folders by drop, or asks for a choice; the owner opens the dialogs."""

    dropped = Signal(list)  # list[Path], never empty
    choose_file_wanted = Signal()
    choose_folder_wanted = Signal()

    def __init__(
        self,
        sentence: str = "Drop a file here, or choose one",
        *,
        note: str = "",
        endings: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        """`endings` such as `.csv` limit which files are taken; folders always are."""
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.setAccessibleName(sentence)
        self._endings = tuple(ending.lower() for ending in endings)
        self._hot = False
        self._sentence = QLabel(sentence)
        set_role(self._sentence, "reading")
        self._note = QLabel(note)
        set_role(self._note, "muted")
        self._file = QPushButton("Choose a file…")
        set_role(self._file, "primary")
        self._file.clicked.connect(self.choose_file_wanted)
        self._folder = QPushButton("Choose a folder…")
        self._folder.clicked.connect(self.choose_folder_wanted)
        self._lay_out()

    @property
    def is_hot(self) -> bool:
        """Whether something that can be taken hovers over the zone."""
        return self._hot

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._paths(event.mimeData()):
            event.acceptProposedAction()
            self._set_hot(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._set_hot(False)
        paths = self._paths(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = current_theme().colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(colours.accent if self._hot else colours.outline), 1.5)
        if not self._hot:
            pen.setDashPattern(_DASH)
        painter.setPen(pen)
        painter.setBrush(QColor(colours.note.soft if self._hot else colours.surface))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS_LARGE, RADIUS_LARGE
        )
        top = self._sentence.y() - _ICON - M
        spot = QRectF((self.width() - _ICON) / 2, top, _ICON, _ICON)
        paint_icon(painter, spot, "import", colours.accent_text if self._hot else colours.muted)

    def _set_hot(self, hot: bool) -> None:
        self._hot = hot
        self.update()

    def _paths(self, data: QMimeData) -> list[Path]:
        paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        return [path for path in paths if self._takes(path)]

    def _takes(self, path: Path) -> bool:
        return not self._endings or path.is_dir() or path.name.lower().endswith(self._endings)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addStretch(1)
        buttons.addWidget(self._file)
        buttons.addWidget(self._folder)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(S)
        column.addStretch(1)
        column.addSpacing(_ICON + M)
        for label in (self._sentence, self._note):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
            column.addWidget(label)
        self._note.setVisible(bool(self._note.text()))
        column.addSpacing(M)
        column.addLayout(buttons)
        column.addStretch(1)
