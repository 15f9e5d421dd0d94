"""Our thin-line icons, tinted for the mode and sharp at any pixel ratio."""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.look.tokens import Colours
from core.folders import resources

_SIZES = (16, 20, 24, 32, 40, 60)  # pixels: 16 and 20 at ratios from 1 to 3
_LOGO = "logo"
_NAME = "icon_name"
_TONE = "icon_tone"


def icon_names() -> list[str]:
    """Every icon of the family, by name."""
    return sorted(file.stem for file in _folder().glob("*.svg") if file.stem != _LOGO)


def icon(name: str, colours: Colours, *, tone: str = "muted") -> QIcon:
    """The icon in the colour `tone` names, in the accent when on, faded when disabled."""
    made = QIcon()
    states = (
        (colour_of(colours, tone), QIcon.Mode.Normal, QIcon.State.Off),
        (colours.accent_text, QIcon.Mode.Normal, QIcon.State.On),
        (colours.ink, QIcon.Mode.Selected, QIcon.State.Off),
        (colours.disabled, QIcon.Mode.Disabled, QIcon.State.Off),
    )
    for colour, mode, state in states:
        for size in _SIZES:
            made.addPixmap(pixmap(name, size, colour), mode, state)
    return made


def set_icon(
    target: QAbstractButton | QAction, name: str, colours: Colours, *, tone: str = "muted"
) -> None:
    """Put the icon on a button or action, which then keeps its tint when the mode changes."""
    if target.property(_NAME) == name and target.property(_TONE) == tone:
        return  # it wears it already, in the colours of the moment
    target.setProperty(_NAME, name)
    target.setProperty(_TONE, tone)
    target.setIcon(icon(name, colours, tone=tone))


def retint(app: QApplication, colours: Colours) -> None:
    """Draw the icons of all widgets and their actions again in `colours`."""
    seen: set[int] = set()
    for widget in app.allWidgets():
        for target in (widget, *widget.actions()):
            if id(target) not in seen and target.property(_NAME):
                seen.add(id(target))
                _draw_again(target, colours)


def pixmap(name: str, size: int, colour: str, *, ratio: float = 1.0) -> QPixmap:
    """A square picture, `size` logical pixels wide."""
    made = QPixmap.fromImage(_picture(name, round(size * ratio), round(size * ratio), colour))
    made.setDevicePixelRatio(ratio)
    return made


def paint_icon(painter: QPainter, where: QRectF, name: str, colour: str | None) -> None:
    """Draw the icon into `where` at the painter's own resolution; None keeps its own colours."""
    device = painter.device()
    ratio = device.devicePixelRatio() if device else 1.0
    width, height = max(1, round(where.width() * ratio)), max(1, round(where.height() * ratio))
    painter.drawImage(where, _picture(name, width, height, colour))


def app_icon() -> QIcon:
    """The program's own sign."""
    made = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        picture = QPixmap(size, size)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            paint_icon(painter, QRectF(picture.rect()), _LOGO, None)
        made.addPixmap(picture)
    return made


def colour_of(colours: Colours, tone: str) -> str:
    """The colour that a tone's name stands for; of three strengths the one for words."""
    found = getattr(colours, tone)
    return found if isinstance(found, str) else str(found.text)


def _draw_again(target: QObject, colours: Colours) -> None:
    if isinstance(target, QAbstractButton | QAction):
        name, tone = str(target.property(_NAME)), str(target.property(_TONE))
        target.setIcon(icon(name, colours, tone=tone))


def _folder() -> Path:
    return resources() / "icons"


@lru_cache(maxsize=4096)
def _picture(name: str, width: int, height: int, colour: str | None) -> QImage:
    """The icon in pixels; kept, since a window that starts asks for hundreds, many of them twice.

    Images only: pixmaps must not outlive the application.
    """
    drawn = _drawn(name, width, height)
    if colour is None:
        return drawn
    image = drawn.copy()
    with QPainter(image) as brush:
        brush.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        brush.fillRect(image.rect(), QColor(colour))
    return image


@lru_cache(maxsize=512)
def _drawn(name: str, width: int, height: int) -> QImage:
    """The drawing in its own colours; kept, since reading it costs most of a repaint."""
    drawing = QSvgRenderer((_folder() / f"{name}.svg").read_bytes())
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as brush:
        brush.setRenderHint(QPainter.RenderHint.Antialiasing)
        drawing.render(brush, QRectF(image.rect()))
    return image
