"""The line of figures that add up."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import current_theme, font
from app.look.words import count, duration

_HEIGHT = 28


@dataclass(frozen=True, slots=True)
class Sum:
    """Where all the rows went; `rows = kept + copies + accepted + decided`."""

    rows: int
    kept: int
    copies: int = 0
    accepted: int = 0
    decided: int = 0
    review: int = 0
    review_s: float | None = None  # how long the review may take

    @property
    def removed(self) -> int:
        return self.copies + self.accepted + self.decided


@dataclass(frozen=True, slots=True)
class _Piece:
    words: str
    is_figure: bool = False
    key: str = ""


class SumLine(QWidget):
    """One line that never jumps: a figure's place only ever widens while the rows stay the same.

    Without room for everything, what removed the rows is left out.
    """

    part_clicked = Signal(str)  # "kept", "removed", "copies", "accepted", "decided" or "review"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(_HEIGHT)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._sum = Sum(0, 0)
        self._widest: dict[str, float] = {}
        self._spots: list[tuple[QRectF, str]] = []

    @property
    def text(self) -> str:
        """The whole line in words."""
        return "".join(piece.words for piece in _pieces(self._sum, full=True))

    def show_sum(self, sum_: Sum) -> None:
        if sum_.rows != self._sum.rows:
            self._widest = {}
        self._sum = sum_
        self.setAccessibleName(self.text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(self._width(_pieces(self._sum, full=True))) + 2, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self._width(_pieces(self._sum, full=False))) + 2, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        full = _pieces(self._sum, full=True)
        pieces = full if self._width(full) <= self.width() else _pieces(self._sum, full=False)
        colours = current_theme().colours
        painter = QPainter(self)
        self._spots = []
        x = 0.0
        for piece in pieces:
            width = self._room(piece)
            spot = QRectF(x, 0, width, self.height())
            painter.setFont(font(current_theme(), "body", bold=piece.is_figure))
            painter.setPen(QColor(colours.ink if piece.is_figure else colours.muted))
            side = Qt.AlignmentFlag.AlignRight if piece.is_figure else Qt.AlignmentFlag.AlignLeft
            painter.drawText(spot, side | Qt.AlignmentFlag.AlignVCenter, piece.words)
            if piece.key:
                self._spots.append((spot, piece.key))
            x += width

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = bool(self._part_at(event))
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        key = self._part_at(event)
        if key and event.button() == Qt.MouseButton.LeftButton:
            self.part_clicked.emit(key)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._widest = {}
            self.update()

    def _part_at(self, event: QMouseEvent) -> str:
        return next((key for spot, key in self._spots if spot.contains(event.position())), "")

    def _width(self, pieces: list[_Piece]) -> float:
        return sum(self._room(piece) for piece in pieces)

    def _room(self, piece: _Piece) -> float:
        metrics = QFontMetricsF(font(current_theme(), "body", bold=piece.is_figure))
        width = metrics.horizontalAdvance(piece.words)
        if not piece.is_figure:
            return width
        self._widest[piece.key] = max(width, self._widest.get(piece.key, 0.0))
        return self._widest[piece.key]


def _pieces(sum_: Sum, *, full: bool) -> list[_Piece]:
    pieces = [
        _Piece(count(sum_.rows), True, "rows"),
        _Piece(" row = " if sum_.rows == 1 else " rows = "),
        _Piece(count(sum_.kept), True, "kept"),
        _Piece(" kept + ", key="kept"),
        _Piece(count(sum_.removed), True, "removed"),
        _Piece(" removed", key="removed"),
    ]
    if full:
        pieces.append(_Piece(" ("))
        for key, number, noun, after in (
            ("copies", sum_.copies, "copy" if sum_.copies == 1 else "copies", " · "),
            ("accepted", sum_.accepted, "accepted", " · "),
            ("decided", sum_.decided, "decided", ")"),
        ):
            pieces.append(_Piece(count(number), True, key))
            pieces.append(_Piece(f" {noun}", key=key))
            pieces.append(_Piece(after))
    pieces.append(_Piece("  ·  "))
    pieces.append(_Piece(count(sum_.review), True, "review"))
    pieces.append(_Piece(" to review", key="review"))
    if sum_.review and sum_.review_s is not None:
        pieces.append(_Piece(f", {duration(sum_.review_s)}"))
    return pieces
