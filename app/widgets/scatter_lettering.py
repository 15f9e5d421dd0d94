"""Words of a map's names: broken into lines, measured, and drawn with a halo of paper."""

from dataclasses import dataclass
from math import ceil, hypot

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from app.look.theme import Theme, font
from app.widgets.shown_text import visible

HALO = 2.6  # pixels around the letters
_LINE = 15  # characters from which on a label breaks into two lines
_OPACITY = 0.88  # of the halo


@dataclass(frozen=True, slots=True)
class Words:
    lines: tuple[str, ...]
    font: QFont
    width: float
    height: float


class Lettering:
    """Measures and draws words once, whoever asks for them again; for one theme."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._words: dict[tuple[str, int], Words] = {}
        self._images: dict[tuple[str, int, float], QImage] = {}

    def words(self, text: str, pixels: int) -> Words:
        """`text` in letters of that size, on one line or two."""
        if (text, pixels) not in self._words:
            self._words[text, pixels] = _measured(text, pixels, self.theme)
        return self._words[text, pixels]

    def is_drawn(self, text: str, pixels: int, ratio: float) -> bool:
        return (text, pixels, ratio) in self._images

    def image(self, text: str, pixels: int, ratio: float) -> QImage:
        """The words with their halo, at `ratio` pixels to one of the view."""
        if (text, pixels, ratio) not in self._images:
            words = self.words(text, pixels)
            self._images[text, pixels, ratio] = _drawn(words, self.theme, ratio)
        return self._images[text, pixels, ratio]


def _measured(text: str, pixels: int, theme: Theme) -> Words:
    made = font(theme, "meta", bold=True)
    made.setPixelSize(pixels)
    metrics = QFontMetricsF(made)
    lines = tuple(
        metrics.elidedText(line, Qt.TextElideMode.ElideRight, 15 * metrics.averageCharWidth() * 2)
        for line in _broken(visible(text).replace("\n", " ").strip())
    )
    width = max(metrics.horizontalAdvance(line) for line in lines)
    return Words(lines, made, width + 2, metrics.height() * len(lines))


def _broken(text: str) -> list[str]:
    """One or two lines, broken at the blank nearest to the middle."""
    if len(text) <= _LINE or " " not in text:
        return [text]
    middle = len(text) / 2
    blanks = [at for at, letter in enumerate(text) if letter == " "]
    at = min(blanks, key=lambda blank: abs(blank - middle))
    return [text[:at], text[at + 1 :]]


def _drawn(words: Words, theme: Theme, ratio: float) -> QImage:
    """The words in ink with a halo of paper, so that they read over any point."""
    image = QImage(
        round((words.width + 2 * HALO) * ratio) + 1, round((words.height + 2 * HALO) * ratio) + 1,
        QImage.Format.Format_ARGB32_Premultiplied,
    )  # fmt: skip
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    metrics = QFontMetricsF(words.font)
    painter = QPainter(image)
    painter.setFont(words.font)
    painter.setPen(QColor(theme.colours.ink))
    for number, line in enumerate(words.lines):
        left = HALO + (words.width - metrics.horizontalAdvance(line)) / 2
        base = HALO + metrics.height() * number + metrics.ascent()
        painter.drawText(QPointF(left, base), line)
    painter.end()
    _add_halo(image, HALO * ratio, QColor(theme.colours.paper))
    return image


def _add_halo(image: QImage, radius: float, paper: QColor) -> None:
    """Lay paper under all that is within `radius` pixels of what is drawn.

    By moving the letters about in a disc: stroking their outline takes several times as long.
    """
    flat = np.frombuffer(image.bits(), np.uint32)
    pixels = flat.reshape(image.height(), image.bytesPerLine() // 4)[:, : image.width()]
    letters = (pixels >> 24).astype(np.uint8)
    under = _spread(letters, radius).astype(np.float32) * np.float32(_OPACITY / 255)
    under *= 1 - letters.astype(np.float32) / 255
    # Red, green, blue and cover lie in the bytes of a pixel, and so they do in those of paper.
    tone = np.array([paper.rgba()], np.uint32).view(np.uint8).astype(np.float32)
    laid = pixels[..., None].view(np.uint8) + (under[..., None] * tone + np.float32(0.5))
    pixels[:] = laid.astype(np.uint8).view(np.uint32)[..., 0]


def _spread(letters: npt.NDArray[np.uint8], radius: float) -> npt.NDArray[np.uint8]:
    """The greatest value within a soft disc around each pixel."""
    reach = ceil(radius + 0.5) - 1
    rows, columns = letters.shape
    wide = np.pad(letters, reach)
    result = letters.copy()
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            cover = min(max(radius + 0.5 - hypot(down, right), 0.0), 1.0)
            if cover <= 0:
                continue
            moved = wide[
                reach + down : reach + down + rows, reach + right : reach + right + columns
            ]
            if cover < 1:
                moved = (moved * np.float32(cover)).astype(np.uint8)
            np.maximum(result, moved, out=result)
    return result
