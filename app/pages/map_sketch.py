"""The map while it is being laid out: a rough picture, to look at only."""

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import L, M
from app.look.words import counted
from app.widgets.scatter_stage import ScatterStage
from core.store import MapPoints


class SketchView(QWidget):
    """Points that nothing can be done with yet, and a line that says so."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stage = ScatterStage()
        self.stage.setAccessibleName("Rough map of the texts")
        self._words = QLabel()
        self._words.setWordWrap(True)
        set_role(self._words, "muted")
        self._words.setContentsMargins(L, M, L, M)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._words)
        column.addWidget(self.stage, 1)

    @property
    def words(self) -> str:
        return self._words.text()

    def show_points(self, points: MapPoints) -> None:
        """Show the places of now in place of those before."""
        self._words.setText(
            f"A rough picture: {counted(len(points.texts), 'text')} are still being laid out. "
            "Names and selecting come with the finished map; Cancel leaves everything as it was."
        )
        self.stage.show_points(points.xy)
