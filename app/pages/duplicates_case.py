"""One group to decide on: the kept text stays put, its candidates come to it one by one."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import set_role, theme_of
from app.look.tokens import ICON_SMALL, XS, M, S
from app.look.words import count, counted
from app.pages.duplicates_candidates import CandidatesList, CandidatesModel
from app.pages.duplicates_card import card_content, note_on
from app.pages.duplicates_reads import Candidate, Case
from app.widgets.elided import ElidedLabel
from app.widgets.empty_state import EmptyState
from app.widgets.pair_card import PairCard

_READ_ONLY_NOTE = "The project is open for reading only."
_LIST_SHARE = 0.3  # of the height, until a person moves the edge


class CasePanel(QWidget):
    """The card, the candidates and a line that says where one is; or that all is done."""

    candidate_shown = Signal(object)  # Candidate or None
    previous_wanted = Signal()
    next_wanted = Signal()
    accept_wanted = Signal()
    check_wanted = Signal()
    button_pressed = Signal()  # of what is said in place of a group
    removed_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.card = PairCard()
        self.model = CandidatesModel(self)
        self.candidates = CandidatesList(self.model)
        self._case: Case | None = None
        self._current: Candidate | None = None
        self._place = ElidedLabel()
        self._left = QLabel()
        self._previous = _small("chevron-up", "Previous group, key P", self)
        self._next = _small("chevron-down", "Next group, key N", self)
        self._accept = QPushButton("A  Accept the group")
        self._check = QPushButton("R  Check again")
        self._done = EmptyState("check")
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._stack = QStackedWidget()
        self._is_split_by_hand = False
        self._may_decide = True
        self._lay_out()
        self._split.splitterMoved.connect(self._note_split)
        self.candidates.chosen.connect(self._show)
        self._previous.clicked.connect(self.previous_wanted)
        self._next.clicked.connect(self.next_wanted)
        self._accept.clicked.connect(self.accept_wanted)
        self._check.clicked.connect(self.check_wanted)
        self._done.wanted.connect(self.button_pressed)
        self._done.second_wanted.connect(self.removed_wanted)

    @property
    def case(self) -> Case | None:
        return self._case

    @property
    def current(self) -> Candidate | None:
        """The candidate on the card."""
        return self._current

    @property
    def is_done_shown(self) -> bool:
        return self._stack.currentWidget() is self._done

    def allow_deciding(self, allowed: bool) -> None:
        """Offer what decides, or only show, as in a project that is open for reading only."""
        self._may_decide = allowed
        if self._current is not None:
            self._allow(self._current)

    def allow_checking(self, *, known: bool, may: bool) -> None:
        """Offer to have the group read again, where there is a cross-encoder to read it."""
        self._check.setVisible(known)
        self._check.setEnabled(may)

    def show_case(self, case: Case, *, candidate: int | None = None) -> None:
        """Show a group at a candidate (a text), at the one shown before, or at the first."""
        same_group = self._case is not None and self._case.kept.text == case.kept.text
        before = self._current if same_group else None
        self._case = case
        self.model.show_case(case)
        chosen = _chosen(case, candidate, before)
        self._stack.setCurrentIndex(0)
        if chosen is not None:
            self.candidates.select(chosen)
        self._show(chosen)

    def forget(self) -> None:
        """Show no group: the project was closed."""
        self._case = None
        self.model.show_case(None)
        self._show(None)
        self._stack.setCurrentIndex(0)
        self.show_place(None, 0, 0)
        self._left.clear()

    def show_done(self, sentence: str, note: str, *, has_removed: bool) -> None:
        """Say that nothing waits any more."""
        self._show_no_case()
        second = "Look through the removed rows" if has_removed else ""
        self._done.show_state("check", sentence, note=note, button="Export…", second=second)

    def show_nothing(self, sentence: str, *, button: str = "") -> None:
        """Say that the filter finds nothing."""
        self._show_no_case()
        self._done.show_state("filter", sentence, button=button)

    def show_place(self, at: int | None, groups: int, waiting: int) -> None:
        """Say which group this is, None for one that is not listed, and what waits in it."""
        listed = counted(groups, "group")
        if self.is_done_shown or self._case is None:
            self._place.setText(listed)
            self._accept.setEnabled(False)
            return
        parts = [f"Group {count(at + 1)} of {count(groups)}" if at is not None else listed]
        if at is not None:
            parts.append(counted(self._case.rows, "row"))
        parts.append(f"{count(waiting)} to review" if waiting else "nothing to review")
        self._place.setText("  ·  ".join(parts))
        self._accept.setEnabled(waiting > 0 and self._may_decide)

    def say(self, words: str) -> None:
        """Say something of the last step, on the card."""
        self.card.show_note(words)

    def show_left(self, words: str) -> None:
        """Say how much is left in all."""
        self._left.setText(words)

    def hide_scores(self, hidden: bool) -> None:
        self.model.hides_score = hidden
        self.candidates.viewport().update()

    def step(self, by: int) -> None:
        """Show the next or the previous candidate of this group."""
        if self._current is None:
            return
        at = self.model.position(self._current)
        to = None if at is None else self.model.step(at, by)
        if to is not None:
            self.candidates.setCurrentIndex(self.model.index(to))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._is_split_by_hand:
            low = max(self.candidates.minimumHeight(), round(self.height() * _LIST_SHARE))
            self._split.setSizes([self.height() - low, low])

    def _show_no_case(self) -> None:
        """Put words in place of the group; what is not seen can then not be decided by a key."""
        self._case = self._current = None
        self.model.show_case(None)
        self.card.show_pair(None)
        self._stack.setCurrentWidget(self._done)

    def _note_split(self) -> None:
        self._is_split_by_hand = True

    def _show(self, candidate: Candidate | None) -> None:
        self._current = candidate
        if self._case is None or candidate is None:
            self.card.show_pair(None)
            self.card.show_note("")
        else:
            self.card.show_pair(card_content(self._case.kept, candidate))
            self._allow(candidate)
        self.candidate_shown.emit(candidate)

    def _allow(self, candidate: Candidate) -> None:
        """A copy takes no verdict: it is the same text."""
        same_text = self._case is not None and candidate.text == self._case.kept.text
        may = self._may_decide
        self.card.allow(deciding=may and not same_text, keeping=may)
        self.card.show_note(note_on(candidate, same_text) if may else _READ_ONLY_NOTE)

    def _lay_out(self) -> None:
        set_role(self._place, "strong")
        set_role(self._left, "muted")
        set_role(self._accept, "quiet")
        self._accept.setAccessibleName("Accept the group, key A")
        set_role(self._check, "quiet")
        self._check.setAccessibleName("Check this group again, key R")
        self._check.setToolTip("A cross-encoder reads each pair: slower and better")
        self._check.hide()
        head = QHBoxLayout()
        head.setContentsMargins(M, XS, M, XS)
        head.setSpacing(XS)
        head.addWidget(self._previous)
        head.addWidget(self._next)
        head.addSpacing(S)
        head.addWidget(self._place, 1)
        head.addWidget(self._left)
        head.addSpacing(S)
        head.addWidget(self._check)
        head.addWidget(self._accept)
        frame = QFrame()
        box = QVBoxLayout(frame)
        box.setContentsMargins(S, S, S, S)
        box.setSpacing(0)
        box.addWidget(self.card, 1)
        self._split.addWidget(frame)
        self._split.addWidget(self.candidates)
        self._split.setStretchFactor(0, 1)
        self._split.setChildrenCollapsible(False)
        self._stack.addWidget(self._split)
        self._stack.addWidget(self._done)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(_line())
        column.addWidget(self._stack, 1)


def _chosen(case: Case, text: int | None, before: Candidate | None) -> Candidate | None:
    for one in case.candidates:
        if text is not None and one.text == text:
            return one
    if before is not None:
        for one in case.candidates:
            if one.document.id == before.document.id:
                return one
    return case.candidates[0] if case.candidates else None


def _small(icon: str, name: str, parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
    button.setAccessibleName(name)
    button.setToolTip(name)
    set_icon(button, icon, theme_of(parent).colours)
    return button


def _line() -> QFrame:
    line = QFrame()
    set_role(line, "line")
    return line
