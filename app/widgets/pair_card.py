"""Two texts to decide on."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS, L, M, S
from app.widgets.column_compare import ColumnCompare, ColumnPair
from app.widgets.elided import ElidedLabel
from app.widgets.tags import Tag, TagLabel, TagRow, ToneName, warning_tag
from app.widgets.text_view import TextView
from app.widgets.verdict_button import VerdictButton
from app.widgets.word_diff import word_diff
from core.records import Verdict

_COLUMNS_HEIGHT = 132
_COLUMNS_SHARE = 5  # of a low card the columns take at most a part in so many
_ROOM_FOR_TEXT = 330  # pixels of a card that are not for its columns
_LOW = 420  # pixels of a card's height below which columns are a line, to leave room for texts
_LEAST_HEIGHT = 280  # whatever the pair, so that nothing around the card ever moves
_LIKE = 30  # pixels, the button beside a side's facts
_BUTTONS: tuple[tuple[Verdict, str, str, ToneName], ...] = (
    (Verdict.DIFFERENT, "Different", "D", "different"),
    (Verdict.UNSURE, "Unsure", "U", "unsure"),
    (Verdict.SAME, "Same", "S", "same"),
)


@dataclass(frozen=True, slots=True)
class CardText:
    """One side of the card; `facts` are short, such as `#1042`, `12 May`, `Web`."""

    text: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardContent:
    """All that the card shows of a pair."""

    kept: CardText
    candidate: CardText
    columns: tuple[ColumnPair, ...] = ()
    cosine: float | None = None
    words: float | None = None  # overlap, 0 to 1
    kind: str = ""  # "paraphrase", "near-copy", "copy"
    flags: tuple[str, ...] = ()  # "number differs", …
    verdict: Verdict | None = None
    checked: float | None = None  # what a cross-encoder says of the pair
    measured: str = ""  # in place of the cosine, where there is more to tell of it


class PairCard(QFrame):
    """Kept and candidate side by side; the buttons stay where they are whatever the texts.

    The actions D, U, S, K and H work while the focus is inside; a page that adds
    `card_actions()` to itself makes them work everywhere in it.
    """

    verdict_given = Signal(str)
    keep_other_wanted = Signal()
    score_hidden = Signal(bool)
    like_wanted = Signal(str)  # of kept or candidate: texts like it

    def __init__(self, parent: QWidget | None = None, *, keeps: bool = True) -> None:
        """Without `keeps` no side is the kept one, and "keep the other" is not offered."""
        super().__init__(parent)
        set_role(self, "card")
        self.setAccessibleName("Pair")
        self._content: CardContent | None = None
        self._is_score_hidden = False
        self._kept = _Side("Kept", "note", self)
        self._candidate = _Side("Candidate", "plain", self)
        self._kept.like.clicked.connect(lambda: self.like_wanted.emit("kept"))
        self._candidate.like.clicked.connect(lambda: self.like_wanted.emit("candidate"))
        self._columns = ColumnCompare()
        self._columns_area = QScrollArea()
        self._score = QLabel()
        self._flags = TagRow()
        self._note = ElidedLabel()
        self._buttons: dict[Verdict, VerdictButton] = {}
        self._keeps = keeps
        self._actions = self._make_actions()
        self._keep = self._quiet_button("keep_other", "K")
        self._hide = self._quiet_button("hide_score", "H")
        self._keep.setVisible(keeps)
        self._actions["keep_other"].setVisible(keeps)
        self._actions["keep_other"].setEnabled(keeps)
        self._lay_out()
        self.show_pair(None)

    @property
    def is_score_hidden(self) -> bool:
        return self._is_score_hidden

    def card_actions(self) -> list[QAction]:
        """Different, unsure, same, keep the other, hide score: for menus and the palette."""
        return [one for key, one in self._actions.items() if self._keeps or key != "keep_other"]

    def name_sides(self, first: str, second: str) -> None:
        """Say what either side is, such as `Kept` and `Candidate`."""
        self._kept.show_title(first, "note" if first == "Kept" else "plain")
        self._candidate.show_title(second, "plain")

    def show_pair(self, content: CardContent | None) -> None:
        """Show a pair, or None for an empty card that takes no verdict."""
        self._content = content
        shown = content or CardContent(CardText(""), CardText(""))
        kept_spans, candidate_spans = word_diff(shown.kept.text, shown.candidate.text)
        self._kept.show_side(shown.kept, kept_spans)
        self._candidate.show_side(shown.candidate, candidate_spans)
        self._columns.show_columns(shown.columns)
        self._fit_columns()
        self._flags.show_tags([warning_tag(flag) for flag in shown.flags])
        self._show_score()
        for verdict, button in self._buttons.items():
            button.setChecked(content is not None and verdict == shown.verdict)
        is_shown = content is not None
        self.allow(deciding=is_shown, keeping=is_shown)
        self._actions["hide_score"].setEnabled(is_shown)
        for quiet in (self._hide, self._kept.like, self._candidate.like):
            quiet.setEnabled(is_shown)

    def allow(self, *, deciding: bool, keeping: bool) -> None:
        """Turn on, for the pair on show, the verdicts and "keep the other"."""
        for verdict, button in self._buttons.items():
            button.setEnabled(deciding)
            self._actions[verdict.value].setEnabled(deciding)
        self._keep.setEnabled(keeping and self._keeps)
        self._actions["keep_other"].setEnabled(keeping and self._keeps)

    def show_note(self, words: str) -> None:
        """Say something of the pair or of the last step, where there is room beside the score."""
        self._note.setText(words)
        self._note.setToolTip(words)

    def set_score_hidden(self, hidden: bool) -> None:
        """Hide figures and kind, so that they do not sway the reader."""
        if hidden != self._is_score_hidden:
            self._is_score_hidden = hidden
            words = "Show score" if hidden else "Hide score"
            self._hide.setText(words)
            self._actions["hide_score"].setText(words)
            self._show_score()
            self.score_hidden.emit(hidden)

    def _give(self, verdict: Verdict) -> None:
        if self._content is not None:
            self.verdict_given.emit(verdict.value)

    def _show_score(self) -> None:
        self._score.setText("score hidden" if self._is_score_hidden else _score(self._content))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), _LEAST_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        height = self.height()
        self._columns.set_brief(height < _LOW)
        wanted = self._columns.sizeHint().height() + 2
        if self._columns.is_brief and self._columns.is_folded:
            height = _LOW  # a line is not much
        cap = max(_COLUMNS_HEIGHT, height // 3)
        most = min(cap, max(height // _COLUMNS_SHARE, height - _ROOM_FOR_TEXT))
        self._columns_area.setFixedHeight(min(wanted, most))
        self._columns_area.setVisible(bool(self._content and self._content.columns))

    def _make_actions(self) -> dict[str, QAction]:
        made: dict[str, QAction] = {}
        for verdict, words, key, _tone in _BUTTONS:
            made[verdict.value] = self._action(words, key)
            made[verdict.value].triggered.connect(lambda _=False, v=verdict: self._give(v))
        made["keep_other"] = self._action("Same, keep the other", "K")
        made["keep_other"].triggered.connect(self.keep_other_wanted)
        made["hide_score"] = self._action("Hide score", "H")
        made["hide_score"].triggered.connect(
            lambda: self.set_score_hidden(not self._is_score_hidden)
        )
        return made

    def _action(self, words: str, key: str) -> QAction:
        action = QAction(words, self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.addAction(action)
        return action

    def _quiet_button(self, action: str, key: str) -> VerdictButton:
        button = VerdictButton(self._actions[action].text(), key, "plain", quiet=True)
        button.clicked.connect(self._actions[action].trigger)
        return button

    def _lay_out(self) -> None:
        texts = QHBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self._kept, 1)
        texts.addWidget(_line("upright"))
        texts.addWidget(self._candidate, 1)
        set_role(self._columns, "clear")
        self._columns_area.setWidget(self._columns)
        self._columns_area.setWidgetResizable(True)
        self._columns.folded.connect(lambda _folded: self._fit_columns())
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(texts, 1)
        column.addWidget(_line("line"))
        column.addSpacing(S)
        column.addWidget(self._columns_area)
        column.addLayout(self._facts_row())
        column.addWidget(_line("line"))
        column.addLayout(self._buttons_row())

    def _facts_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(L, XS, L, S)
        row.setSpacing(M)
        set_role(self._score, "muted")
        self._score.setMinimumHeight(22)
        row.addWidget(self._score)
        row.addWidget(self._flags)
        set_role(self._note, "meta")
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self._note, 1)
        return row

    def _buttons_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(L, M, L, M)
        row.setSpacing(S)
        for verdict, words, key, tone in _BUTTONS:
            button = VerdictButton(words, key, tone)
            button.clicked.connect(lambda _=False, v=verdict: self._give(v))
            self._buttons[verdict] = button
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self._keep)
        row.addWidget(self._hide)
        return row


class _Side(QFrame):
    def __init__(self, title: str, tone: ToneName, parent: QWidget) -> None:
        super().__init__(parent)
        self._tag = TagLabel(Tag(title.upper(), tone))
        self._facts = ElidedLabel()
        set_role(self._facts, "meta")
        self.view = TextView(name=f"{title} text")
        self.like = QToolButton()
        self.like.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self.like.setFixedSize(_LIKE, _LIKE)
        self.like.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.like.setAccessibleName(f"More like the {title.lower()} text")
        self.like.setToolTip(f"More like the {title.lower()} text")
        set_icon(self.like, "nearest", current_theme().colours)
        head = QHBoxLayout()
        head.setContentsMargins(L, S, S, 0)
        head.setSpacing(S)
        head.addWidget(self._tag)
        head.addWidget(self._facts, 1)
        head.addWidget(self.like)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.view, 1)

    def show_title(self, title: str, tone: ToneName) -> None:
        self._tag.show_tag(Tag(title.upper(), tone))
        self.view.setAccessibleName(f"{title} text")
        for tell in (self.like.setAccessibleName, self.like.setToolTip):
            tell(f"More like the {title.lower()} text")

    def show_side(self, side: CardText, spans: Sequence[tuple[int, int]]) -> None:
        self._facts.setText("  ·  ".join(side.facts))
        if side.text != self.view.text:
            self.view.show_text(side.text, spans)
        else:
            self.view.mark(spans)


def _line(role: str) -> QFrame:
    line = QFrame()
    set_role(line, role)
    return line


def _score(content: CardContent | None) -> str:
    if content is None:
        return ""
    parts = []
    if content.measured:
        parts.append(content.measured)
    elif content.cosine is not None:
        parts.append(f"cosine {content.cosine:.2f}")
    if content.checked is not None:
        parts.append(f"checked {content.checked:.2f}")
    if content.words is not None:
        parts.append(f"words {content.words:.2f}")
    if content.kind:
        parts.append(content.kind)
    return "  ·  ".join(parts)
