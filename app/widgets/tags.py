"""Small rounded tags: a meaning, a word, and a shape so that colour is never alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.look.theme import Theme, current_theme, font
from app.look.tokens import RADIUS_SMALL, Tone
from core.records import Verdict

ToneName = Literal["plain", "note", "same", "different", "unsure"]
_PAD = 6
_HEIGHT_OVER_TEXT = 5
_LETTERS = {Verdict.SAME: "S", Verdict.DIFFERENT: "D", Verdict.UNSURE: "U"}
_WORDS = {Verdict.SAME: "Same", Verdict.DIFFERENT: "Different", Verdict.UNSURE: "Unsure"}
_TONES: dict[Verdict, ToneName] = {
    Verdict.SAME: "same",
    Verdict.DIFFERENT: "different",
    Verdict.UNSURE: "unsure",
}


@dataclass(frozen=True, slots=True)
class Tag:
    """One small tag; `sign` is a letter or shape set in bold before the words."""

    words: str
    tone: ToneName = "plain"
    sign: str = ""


def verdict_tag(verdict: Verdict) -> Tag:
    """The tag of a decision, with its letter."""
    return Tag(_WORDS[verdict], _TONES[verdict], _LETTERS[verdict])


def warning_tag(words: str) -> Tag:
    """The tag of something to look at twice."""
    return Tag(words, "unsure", "⚠")


def tone_of(theme: Theme, name: ToneName) -> Tone:
    tone: Tone = getattr(theme.colours, name)
    return tone


def tag_size(tag: Tag, theme: Theme) -> QSize:
    """The room a tag needs, in logical pixels."""
    words = QFontMetricsF(font(theme, "meta"))
    sign = QFontMetricsF(font(theme, "meta", bold=True))
    width = 2 * _PAD + words.horizontalAdvance(tag.words)
    if tag.sign:
        width += sign.horizontalAdvance(tag.sign) + (4 if tag.words else 0)
    return QSize(round(width + 0.5), round(words.height()) + _HEIGHT_OVER_TEXT)


def paint_tag(painter: QPainter, where: QRectF, tag: Tag, theme: Theme) -> None:
    """Draw `tag` to fill `where`."""
    tone = tone_of(theme, tag.tone)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(tone.soft))
    painter.drawRoundedRect(where, RADIUS_SMALL, RADIUS_SMALL)
    painter.setPen(QColor(tone.text))
    inside = where.adjusted(_PAD, 0, -_PAD, 0)
    middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    if tag.sign:
        bold = font(theme, "meta", bold=True)
        painter.setFont(bold)
        painter.drawText(inside, middle, tag.sign)
        inside.adjust(QFontMetricsF(bold).horizontalAdvance(tag.sign) + 4, 0, 0, 0)
    plain = font(theme, "meta")
    painter.setFont(plain)
    elide = Qt.TextElideMode.ElideRight
    words = QFontMetricsF(plain).elidedText(tag.words, elide, inside.width() + 1)
    painter.drawText(inside, middle, words)
    painter.restore()


class TagLabel(QWidget):
    """One tag as a widget."""

    def __init__(self, tag: Tag, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tag = tag
        self.show_tag(tag)

    @property
    def tag(self) -> Tag:
        return self._tag

    def show_tag(self, tag: Tag) -> None:
        self._tag = tag
        self.setAccessibleName(tag.words or tag.sign)
        self.setFixedSize(tag_size(tag, current_theme()))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_tag(painter, QRectF(self.rect()), self._tag, current_theme())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setFixedSize(tag_size(self._tag, current_theme()))


class VerdictBadge(TagLabel):
    """What a person said of a pair, or that nobody did yet."""

    def __init__(self, verdict: Verdict | None = None, parent: QWidget | None = None) -> None:
        super().__init__(_badge(verdict), parent)

    def show_verdict(self, verdict: Verdict | None) -> None:
        self.show_tag(_badge(verdict))


class TagRow(QWidget):
    """Tags side by side, as many as fit; the rest is counted in a last `+2`."""

    def __init__(self, tags: Sequence[Tag] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tags: tuple[Tag, ...] = ()
        self.show_tags(tags)

    def show_tags(self, tags: Sequence[Tag]) -> None:
        self._tags = tuple(tags)
        self.setAccessibleName(", ".join(tag.words for tag in tags))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        theme = current_theme()
        sizes = [tag_size(tag, theme) for tag in self._tags]
        width = sum(size.width() + 4 for size in sizes)
        return QSize(width, max((size.height() for size in sizes), default=18))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_tags(painter, QRectF(self.rect()), self._tags, current_theme())


def paint_tags(painter: QPainter, where: QRectF, tags: Sequence[Tag], theme: Theme) -> None:
    """Draw tags from the left, centred in height, and count those without room."""
    x = where.left()
    for place, tag in enumerate(tags):
        size = tag_size(tag, theme)
        left_over = len(tags) - place
        rest = Tag(f"+{left_over}")
        room_after = tag_size(rest, theme).width() + 4 if left_over > 1 else 0
        overflow = x + size.width() + room_after - where.right() - 1
        if overflow > 0 and place == 0:
            size.setWidth(max(16, size.width() - round(overflow)))
        elif overflow > 0:
            tag, size = rest, tag_size(rest, theme)
        top = where.center().y() - size.height() / 2
        paint_tag(painter, QRectF(x, top, size.width(), size.height()), tag, theme)
        if tag is rest:
            return
        x += size.width() + 4


def _badge(verdict: Verdict | None) -> Tag:
    return Tag("Not decided") if verdict is None else verdict_tag(verdict)
