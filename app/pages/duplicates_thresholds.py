"""The strip above the groups: two thresholds on a histogram, figures that add up, the rules."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XS, M, S
from app.pages.duplicates_bar import RulesPopover, gear_button
from app.pages.duplicates_reads import SECONDS_PER_DECISION, Settings
from app.widgets.score_histogram import ScoreHistogram, Scores
from app.widgets.sum_line import Sum, SumLine
from core.options import GroupOptions

_CHART = 132  # pixels
_LOW_CHART = 92  # where the page is low


class ThresholdStrip(QWidget):
    """Says how groups are to be made; what comes of it is shown as soon as it is known."""

    previewed = Signal(object)  # GroupOptions, while a handle moves
    changed = Signal(object)  # GroupOptions, once they are settled
    band_wanted = Signal()
    export_wanted = Signal()
    part_clicked = Signal(str)  # of the figures

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options = GroupOptions()
        self.histogram = ScoreHistogram()
        self.sum = SumLine()
        self._counts: dict[str, int] = {}
        self._dragged: GroupOptions | None = None  # while a handle moves
        self._pace_s = SECONDS_PER_DECISION
        self._gear = gear_button(self)
        self._rules = RulesPopover(self)
        self._band = QPushButton("Accept a band…")
        self._export = QPushButton("Export…")
        self._lay_out()
        self.histogram.moved.connect(self._preview)
        self.histogram.settled.connect(self._settle)
        self.sum.part_clicked.connect(self.part_clicked)
        self._rules.changed.connect(self.change_rules)
        self._gear.clicked.connect(self.open_rules)
        self._band.clicked.connect(self.band_wanted)
        self._export.clicked.connect(self.export_wanted)

    @property
    def shown_options(self) -> GroupOptions:
        """The options with the handles as they stand, also while one is dragged."""
        if self._dragged is None:
            return self.options
        return replace(
            self.options, review=self._dragged.review, threshold=self._dragged.threshold
        )  # fmt: skip

    def show_settings(self, settings: Settings, options: GroupOptions) -> None:
        """Show how the groups were made, or are being made; a handle in the hand stays in it."""
        self.options = options
        self._pace_s = settings.pace_s
        self._rules.show_settings(replace(settings, options=options))
        if self._dragged is not None:
            return
        if settings.record is not None:
            self.show_sum(settings.record.counts)
        self.histogram.set_thresholds(options.review, options.threshold)

    def allow_changing(self, allowed: bool) -> None:
        """Let handles, rules and bands be used, or only show how the groups were made."""
        for part in (self.histogram, self._gear, self._band):
            part.setEnabled(allowed)

    def start_at(self, floor: float) -> None:
        """Show an empty histogram from this cosine on, until the pairs are counted."""
        self.histogram.show_scores(Scores((), floor))

    def show_counts(self, outcome: dict[str, Any], *, stale: bool) -> None:
        """Show the pairs by cosine and what the handles would do with them."""
        bars, floor = tuple(outcome["histogram"]), float(outcome["low"])
        self.histogram.show_scores(Scores(bars, floor, stale))
        counts = outcome["counts"]
        width = (1.0 - floor) / max(1, len(bars))
        low = self.histogram.low - 1e-9
        below = sum(n for at, n in enumerate(bars) if floor + at * width < low)
        self.histogram.show_zone_counts(below, counts["review"], counts["similar"])
        self.show_sum(counts)

    def show_sum(self, counts: dict[str, int]) -> None:
        """Show where all rows went."""
        self._counts = counts
        self.sum.show_sum(
            Sum(
                counts["rows"], counts["kept"], counts["copies"], counts["similar"],
                counts["decided"], counts["review"], counts["review"] * self._pace_s,
            )
        )  # fmt: skip

    def show_left(self, pairs: int) -> None:
        """Show how many pairs wait now, while the groups are not made again yet."""
        if self._counts and self._dragged is None:
            self.show_sum({**self._counts, "review": pairs})

    def change_rules(self, keep: str, hold_back: bool) -> None:
        """Group by another rule for the row that stays."""
        self._change(replace(self.options, keep=keep, hold_back=hold_back))

    def open_rules(self) -> None:
        """Open the rules under their button."""
        self._rules.open_under(self._gear)

    def set_low(self, low: bool) -> None:
        """Take less height, for a page that has little."""
        self.histogram.setMaximumHeight(_LOW_CHART if low else _CHART)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._rules.isVisible():
            self.open_rules()

    def _preview(self, low: float, high: float) -> None:
        self._dragged = replace(self.options, review=low, threshold=high)
        self.previewed.emit(self._dragged)

    def _settle(self, low: float, high: float) -> None:
        self._dragged = None
        self._change(replace(self.options, review=low, threshold=high))

    def _change(self, options: GroupOptions) -> None:
        if options != self.options:
            self.options = options
            self.changed.emit(options)

    def _lay_out(self) -> None:
        figures = QHBoxLayout()
        figures.setContentsMargins(M, 0, M, S)
        figures.setSpacing(XS)
        figures.addWidget(self.sum, 1)
        for button in (self._band, self._export):
            set_role(button, "quiet")
            figures.addWidget(button)
        figures.addWidget(self._gear)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, XS, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.histogram)
        column.addLayout(figures)
        # It may shrink, else a high page could never be made low again.
        self.histogram.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.histogram.setMinimumHeight(_LOW_CHART)
        self.set_low(True)
