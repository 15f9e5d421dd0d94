"""An icon that is only there to be seen."""

from PySide6.QtCore import QEvent, QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.look.icons import colour_of, paint_icon
from app.look.theme import current_theme
from app.look.tokens import ICON_SMALL


class IconLabel(QWidget):
    """Paints one of our icons, always in the colours of the moment."""

    def __init__(
        self, name: str, tone: str = "muted", size: int = ICON_SMALL, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFixedSize(size, size)
        self.show_icon(name, tone)

    def show_icon(self, name: str, tone: str) -> None:
        self._name, self._tone = name, tone
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colour = colour_of(current_theme().colours, self._tone)
        paint_icon(QPainter(self), QRectF(self.rect()), self._name, colour)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
