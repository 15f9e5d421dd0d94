"""The short list beside the kept text: what waits, what was removed, what was decided."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.look.theme import font, theme_of
from app.look.tokens import XS, M, S
from app.look.words import count
from app.pages.duplicates_opening import draw_opening
from app.pages.duplicates_reads import Candidate, Case
from app.widgets.tags import Tag, paint_tag, tag_size, verdict_tag
from core.records import FLAG_WORDS, Flag
from core.store import Document

AnyIndex = QModelIndex | QPersistentModelIndex
LINE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_HEIGHT = 34
_HEADING_HEIGHT = 26
_FIGURES = 36  # room for a cosine
_HEADINGS = {"waiting": "To review", "removed": "Removed for this row", "decided": "Decided"}
_REASONS = {
    "copy": Tag("copy", "plain", "="),
    "similar": Tag("automatic", "plain", "≈"),
    "decided": Tag("decided", "same", "S"),
}


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that names what follows."""

    words: str


class CandidatesModel(QAbstractListModel):
    """The candidates of one case under three headings."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[Heading | Candidate] = []
        self._kept: Document | None = None
        self.hides_score = False

    def show_case(self, case: Case | None) -> None:
        """Show other candidates, or the same ones as they are now."""
        lines = [] if case is None else _lines(case)
        self._kept = None if case is None else case.kept
        if [_key(line) for line in lines] == [_key(line) for line in self._lines]:
            self._lines = lines
            if lines:
                self.dataChanged.emit(self.index(0), self.index(len(lines) - 1))
            return
        self.beginResetModel()
        self._lines = lines
        self.endResetModel()

    def candidate(self, at: int) -> Candidate | None:
        line = self._lines[at] if 0 <= at < len(self._lines) else None
        return line if isinstance(line, Candidate) else None

    def position(self, candidate: Candidate) -> int | None:
        wanted = candidate.document.id
        for at, line in enumerate(self._lines):
            if isinstance(line, Candidate) and line.document.id == wanted:
                return at
        return None

    def step(self, at: int, by: int) -> int | None:
        """The candidate next to `at` in the list, None beyond its ends."""
        at += by
        while 0 <= at < len(self._lines) and isinstance(self._lines[at], Heading):
            at += by
        return at if 0 <= at < len(self._lines) else None

    def difference(self, candidate: Candidate) -> str:
        """What differs from the kept row when the text does not."""
        if self._kept is None:
            return ""
        kept = dict(zip(self._kept.columns, self._kept.cells, strict=False))
        parts = [
            f"{name} {value or '–'}"
            for name, value in zip(
                candidate.document.columns, candidate.document.cells, strict=False
            )
            if value != kept.get(name)
        ]
        return ", ".join(parts)

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._lines)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if isinstance(self._lines[index.row()], Heading):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self._lines[index.row()]
        if role == LINE_ROLE:
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return line.words if isinstance(line, Heading) else _spoken(line)
        return None


class CandidatesList(QListView):
    """Candidates to look at; the current one is the one on the card."""

    chosen = Signal(object)  # Candidate

    def __init__(self, model: CandidatesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self._model = model
        self._quiet = False
        self.setItemDelegate(_CandidateDelegate(self))
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setAccessibleName("Candidates")
        self.setMinimumHeight(_HEADING_HEIGHT + 3 * _HEIGHT // 2)
        self.verticalScrollBar().setSingleStep(_HEIGHT // 2)

    def select(self, candidate: Candidate) -> None:
        """Mark a candidate as the one on the card, without telling."""
        at = self._model.position(candidate)
        if at is None:
            return
        self._quiet = True
        self.setCurrentIndex(self._model.index(at))
        self._quiet = False
        # The heading above comes along into sight.
        above = self._model.index(max(0, at - 1))
        self.scrollTo(above)
        self.scrollTo(self._model.index(at))

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        candidate = self._model.candidate(current.row()) if current.isValid() else None
        if candidate is not None and not self._quiet:
            self.chosen.emit(candidate)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the page, not a search in the list."""


class _CandidateDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        heading = isinstance(index.data(LINE_ROLE), Heading)
        return QSize(200, _HEADING_HEIGHT if heading else _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        view, model = self.parent(), index.model()
        if not isinstance(view, QWidget) or not isinstance(model, CandidatesModel):
            return
        line = index.data(LINE_ROLE)
        area = QRectF(option.rect)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(line, Heading):
            _paint_heading(painter, area, line, view)
        else:
            _paint_back(painter, area, state, view)
            _paint_candidate(painter, area, line, view, model)
        painter.restore()


def _paint_heading(painter: QPainter, area: QRectF, line: Heading, view: QWidget) -> None:
    theme = theme_of(view)
    painter.setFont(font(theme, "meta", bold=True))
    painter.setPen(QColor(theme.colours.muted))
    painter.drawText(
        area.adjusted(M + XS, 6, -M, 0),
        Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
        line.words,
    )


def _paint_back(painter: QPainter, area: QRectF, state: QStyle.StateFlag, view: QWidget) -> None:
    colours = theme_of(view).colours
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(area, QColor(colours.selection))
        painter.fillRect(QRectF(area.left(), area.top(), 3, area.height()), QColor(colours.accent))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(area, QColor(colours.hover))


def _paint_candidate(
    painter: QPainter, area: QRectF, line: Candidate, view: QWidget, model: CandidatesModel
) -> None:
    theme = theme_of(view)
    inside = area.adjusted(M + XS, 0, -M, 0)
    tag = _tag(line)
    size = tag_size(tag, theme)
    # Texts begin at one place whatever the tag says.
    paint_tag(
        painter,
        QRectF(inside.left(), inside.center().y() - size.height() / 2, size.width(), size.height()),
        tag,
        theme,
    )
    inside.setLeft(inside.left() + 88)
    painter.setFont(font(theme, "meta"))
    painter.setPen(QColor(theme.colours.muted))
    middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
    if line.cosine is not None and line.reason != "copy" and not model.hides_score:
        painter.drawText(inside, middle, f"{line.cosine:.2f}")
    inside.setRight(inside.right() - _FIGURES)
    facts = _facts(line, hides_score=model.hides_score)
    if facts:
        painter.drawText(inside, middle, facts)
        room = QFontMetricsF(painter.font()).horizontalAdvance(facts)
        inside.setRight(inside.right() - room - S)
    painter.setFont(font(theme, "body"))
    painter.setPen(QColor(theme.colours.ink))
    if line.reason == "copy":
        painter.setPen(QColor(theme.colours.muted))
        differs = model.difference(line)
        draw_opening(painter, inside, differs or "all columns are the same")
    else:
        draw_opening(painter, inside, line.document.body)


def _tag(line: Candidate) -> Tag:
    if line.verdict is not None:
        return verdict_tag(line.verdict)
    if line.place == "removed":
        return _REASONS.get(line.reason, Tag(line.reason))
    return Tag("waits", "unsure", "?")


def _facts(line: Candidate, *, hides_score: bool) -> str:
    parts = []
    if line.checked is not None and not hides_score:
        parts.append(f"checked {line.checked:.2f}")
    if line.flags:
        parts.append("⚠")
    if line.rows > 1:
        parts.append(f"×{count(line.rows)}")
    return "  ".join(parts)


def _lines(case: Case) -> list[Heading | Candidate]:
    lines: list[Heading | Candidate] = []
    for place, words in _HEADINGS.items():
        found = [one for one in case.candidates if one.place == place]
        if not found:
            continue
        total = len(found) + (case.left_out if place == "removed" else 0)
        told = f"{words}  {count(total)}"
        if total > len(found):
            told += f", the first {count(len(found))} shown"
        lines.append(Heading(told))
        lines.extend(found)
    return lines


def _key(line: Heading | Candidate) -> tuple[str, int]:
    if isinstance(line, Heading):
        return line.words, 0
    return "", line.document.id


def _spoken(line: Candidate) -> str:
    parts: Sequence[str] = (
        _tag(line).words,
        line.document.body,
        "" if line.checked is None else f"checked {line.checked:.2f}",
        *(word for flag, word in FLAG_WORDS.items() if Flag(line.flags) & flag),
    )
    return ", ".join(part for part in parts if part)
