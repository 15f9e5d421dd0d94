"""A training looked at closely: its figures, its curves, and the pairs it moved."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import set_role
from app.look.tokens import XL, XS, L, M, S
from app.widgets.curve_plot import CurvePlot, has_curves
from app.widgets.interval_bar import IntervalBar

NO_EXAMPLES = "No pair is among these."


class CompareTrainingSheet(QDialog):
    """Figures and curves above, pairs side by side below: better, worse."""

    def __init__(
        self,
        title: str,
        *,
        lines: Sequence[str],
        difference: tuple[float, float, float] | None,
        lists: Sequence[tuple[str, QWidget]],
        parent: QWidget,
    ) -> None:
        """`lines` are sentences, `difference` a change with its interval, `lists` the tabs."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.plot = CurvePlot()
        self._card = QFrame()
        self.tabs = QTabWidget()
        for words, inside in lists:
            self.tabs.addTab(_scrolled(inside), words)
        self.lines = list(lines)
        self._lay_out(title, difference)
        self.resize(min(980, max(720, parent.width() - 80)), min(760, max(560, parent.height())))

    def show_curves(self, record: Mapping[str, Any]) -> None:
        """Draw the curves: keys `curve`, `held_curve` and `score`, the name of the measure."""
        has_points = has_curves(record["curve"], record["held_curve"])
        self._card.setVisible(has_points)
        if has_points:
            self.plot.show_curves(record["curve"], record["held_curve"], score=record["score"])

    def _lay_out(self, title: str, difference: tuple[float, float, float] | None) -> None:
        head = QLabel(title)
        set_role(head, "title")
        facts = QVBoxLayout()
        facts.setSpacing(S)
        facts.addWidget(head)
        for at, words in enumerate(self.lines):
            label = QLabel(words)
            label.setWordWrap(True)
            set_role(label, "reading" if at == 0 else "muted")
            facts.addWidget(label)
        if difference is not None:
            bar = IntervalBar()
            bar.show_difference(*difference)
            facts.insertWidget(2, bar)
        facts.addStretch(1)
        upper = QHBoxLayout()
        upper.setSpacing(XL)
        upper.addLayout(facts, 2)
        self.plot.setMinimumSize(320, 230)
        set_role(self._card, "card")
        inside = QVBoxLayout(self._card)
        inside.setContentsMargins(M, M, M, S)
        inside.addWidget(self.plot)
        upper.addWidget(self._card, 3)
        close = QPushButton("Close")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        column.addLayout(upper, 2)
        column.addSpacing(XS)
        column.addWidget(self.tabs, 3)
        column.addLayout(foot)


def _scrolled(inside: QWidget) -> QScrollArea:
    frame = QWidget()
    set_role(frame, "clear")
    column = QVBoxLayout(frame)
    column.setContentsMargins(0, M, M, M)
    column.addWidget(inside)
    column.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(frame)
    return area
