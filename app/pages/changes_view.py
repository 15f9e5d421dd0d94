"""How the page of changes is laid out."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS, L, M, S
from app.pages.changes_list import ChangesList, ChangesModel
from app.pages.changes_reads import Wanted
from app.widgets.banner import Banner
from app.widgets.elided import ElidedLabel
from app.widgets.empty_state import EmptyState
from app.widgets.pair_card import PairCard
from app.widgets.segments import Segments

_LIST_WIDTH = 400
_WHAT = (("pairs", "Pairs"), ("groups", "Groups"))
_KINDS = (("all", "All"), ("gained", "Gained"), ("lost", "Lost"), ("changed", "Changed"))


class ChangesView:
    """The parts of the page, put into it: a head, a filter, a list and the two texts."""

    def __init__(self, page: QWidget) -> None:
        self.banner = Banner()
        self.back = QToolButton()
        self.title = QLabel("What changed")
        self.encoders = ElidedLabel()
        self.bounds = ElidedLabel()
        self.counts = QLabel()
        self.what = Segments(_WHAT, name="Pairs or groups", height=28)
        self.kind = Segments(_KINDS, name="Gained or lost", height=28)
        self.undecided = QCheckBox("Undecided only")
        self.left = ElidedLabel()
        self.model = ChangesModel(page)
        self.list = ChangesList(self.model)
        self.card = PairCard(keeps=False)
        self.empty = EmptyState("duplicates")
        self.nothing = EmptyState("filter")
        self._stack = QStackedWidget()
        self._inner = QStackedWidget()
        self._dress()
        self._lay_out(page)

    @property
    def wanted(self) -> Wanted:
        """What the filter asks for."""
        what = "groups" if self.what.key == "groups" else "pairs"
        return Wanted(what, self.kind.key, self.undecided.isChecked())  # type: ignore[arg-type]  # one of two words

    @property
    def is_empty_shown(self) -> bool:
        return self._stack.currentWidget() is self.empty

    @property
    def is_nothing_shown(self) -> bool:
        return self._inner.currentWidget() is self.nothing

    def show_empty(self, shown: bool) -> None:
        """Show what is said where there is no difference, or the difference."""
        self._stack.setCurrentIndex(0 if shown else 1)

    def show_nothing(self, shown: bool) -> None:
        """Show what is said where the filter leaves nothing, or the list."""
        self._inner.setCurrentIndex(0 if shown else 1)

    def fit_kinds(self) -> None:
        """Offer the kinds that pairs or groups can have; pairs do not change."""
        is_groups = self.what.key == "groups"
        self.kind.allow("changed", is_groups)
        if not is_groups and self.kind.key == "changed":
            self.kind.choose("all")

    def focus_work(self) -> None:
        """Give the keys to what there is to work with."""
        if self.is_empty_shown:
            self.back.setFocus()
        elif self.is_nothing_shown:
            self.undecided.setFocus()
        else:
            self.list.setFocus()

    def _dress(self) -> None:
        set_role(self.title, "title")
        set_role(self.encoders, "muted")
        set_role(self.bounds, "meta")
        set_role(self.counts, "strong")
        set_role(self.left, "meta")
        self.left.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.back.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self.back.setAccessibleName("Back, key Escape")
        self.back.setToolTip("Back (Esc)")
        set_icon(self.back, "chevron-left", current_theme().colours)

    def _lay_out(self, page: QWidget) -> None:
        # From the outside in: what is moved takes all that is in it along.
        outer = QVBoxLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(self._head())
        outer.addWidget(self.banner)
        outer.addWidget(_line())
        outer.addWidget(self._stack, 1)
        content = QWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(content)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._filter())
        column.addWidget(_line())
        column.addWidget(self._inner, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        self._inner.addWidget(self.nothing)
        self._inner.addWidget(split)
        frame = QFrame()
        box = QVBoxLayout(frame)
        box.setContentsMargins(S, S, S, S)
        split.addWidget(self.list)
        split.addWidget(frame)
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        split.setSizes([_LIST_WIDTH, 1000])
        box.addWidget(self.card)

    def _head(self) -> QVBoxLayout:
        first = QHBoxLayout()
        first.setSpacing(S)
        first.addWidget(self.back)
        first.addWidget(self.title)
        first.addSpacing(S)
        first.addWidget(self.encoders, 1)
        second = QHBoxLayout()
        second.setSpacing(L)
        second.addWidget(self.counts)
        second.addWidget(self.bounds, 1)
        head = QVBoxLayout()
        head.setContentsMargins(M, S, M, S)
        head.setSpacing(XS)
        head.addLayout(first)
        head.addLayout(second)
        return head

    def _filter(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(M, XS, M, XS)
        row.setSpacing(M)
        row.addWidget(self.what)
        row.addWidget(self.kind)
        row.addWidget(self.undecided)
        row.addWidget(self.left, 1)
        return row


def _line() -> QFrame:
    line = QFrame()
    set_role(line, "line")
    return line
