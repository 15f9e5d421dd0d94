"""The strip at the foot: what is running, and what ran."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, font, set_role
from app.look.tokens import ICON_SMALL, XS, M, S
from app.look.words import count, per_second, remaining
from app.widgets.elided import ElidedLabel
from app.widgets.icon_label import IconLabel

JobState = Literal["waiting", "running", "finished", "failed", "cancelled"]
_HEIGHT = 42
_HISTORY_HEIGHT = 208
_SIGNS = {
    "waiting": ("clock", "muted"),
    "running": ("play", "accent_text"),
    "finished": ("check", "same"),
    "failed": ("warning", "different"),
    "cancelled": ("stop", "muted"),
}


@dataclass(frozen=True, slots=True)
class JobLine:
    """One job as the strip shows it; a None is something not known yet."""

    key: str
    title: str
    state: JobState = "running"
    done: int = 0
    total: int | None = None
    rate: float | None = None  # per second
    remaining_s: float | None = None
    message: str = ""  # how it ended
    details: str = ""  # the cause of a failure, at length
    when: str = ""


class JobStrip(QFrame):
    """One quiet line that opens to the list of jobs; it never changes its width as figures run."""

    cancel_wanted = Signal(str)
    details_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "strip")
        self.setAccessibleName("Jobs")
        self._job: JobLine | None = None
        self._history: tuple[JobLine, ...] = ()
        self._list = _History(self)
        self._list.details_wanted.connect(self.details_wanted)
        self._list.cancel_wanted.connect(self.cancel_wanted)
        self._list.hide()
        self._sign = IconLabel(*_SIGNS["waiting"])
        self._title = ElidedLabel()
        self._numbers = _figures("88,888,888 of 88,888,888")
        self._rate = _figures("88,888/s")
        self._left = _figures("about 88 min left")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(180)
        self._cancel = QPushButton("Cancel")
        set_role(self._cancel, "quiet")
        self._cancel.clicked.connect(self._ask_to_cancel)
        self._details = QPushButton("Details")
        set_role(self._details, "link")
        self._details.clicked.connect(self._ask_for_details)
        self._opener = QToolButton()
        self._opener.setCheckable(True)
        set_role(self._opener, "opener")
        self._opener.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self._opener.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        set_icon(self._opener, "chevron-up", current_theme().colours)
        self._opener.toggled.connect(self.set_open)
        self._lay_out()
        self.show_jobs(None)

    @property
    def is_open(self) -> bool:
        return self._opener.isChecked()

    def show_jobs(
        self, job: JobLine | None, history: Sequence[JobLine] = (), *, idle: str = "Nothing running"
    ) -> None:
        """Show `job` (the running or last one; None for a quiet `idle`) and the list, newest first.

        Jobs in `history` that wait are counted on the opener as "2 more".
        """
        self._job = job
        self._history = tuple(history)
        waiting = sum(line.state in ("waiting", "running") for line in history)
        waiting -= sum(line.key == job.key for line in history) if job is not None else 0
        self._opener.setText(f"{waiting} more" if waiting > 0 else "")
        self._opener.setVisible(bool(history))
        self._opener.setAccessibleName("Show all jobs")
        if not history and self.is_open:
            self.set_open(False)
        self._show_line(job, idle)
        if self.is_open:
            self._list.show_jobs(self._history)

    def set_open(self, open_: bool) -> None:
        """Open or close the list."""
        self._opener.setChecked(open_)
        self._list.setVisible(open_)
        chevron = "chevron-down" if open_ else "chevron-up"
        set_icon(self._opener, chevron, current_theme().colours)
        if open_:
            self._list.show_jobs(self._history)

    def _show_line(self, job: JobLine | None, idle: str) -> None:
        running = job is not None and job.state == "running"
        for part in (self._numbers, self._rate, self._left, self._bar, self._cancel):
            part.setVisible(running)
        self._details.setVisible(job is not None and bool(job.details))
        self._sign.setVisible(job is not None)
        if job is None:
            self._title.setText(idle)
            set_role(self._title, "muted")
            return
        set_role(self._title, "body")
        self._title.setText(f"{job.title}: {job.message}" if job.message else job.title)
        self._sign.show_icon(*_SIGNS[job.state])
        if running:
            self._show_figures(job)

    def _show_figures(self, job: JobLine) -> None:
        of_total = f" of {count(job.total)}" if job.total else ""
        self._numbers.setText(count(job.done) + of_total if job.done or job.total else "")
        self._rate.setText(per_second(job.rate) if job.rate else "")
        self._left.setText(remaining(job.remaining_s) if job.remaining_s is not None else "")
        self._bar.setRange(0, 1000 if job.total else 0)
        if job.total:
            self._bar.setValue(round(1000 * min(job.done / job.total, 1.0)))
        self._bar.setAccessibleName(f"{job.title}, {self._numbers.text()}")
        self._cancel.setAccessibleName(f"Cancel: {job.title}")

    def _ask_to_cancel(self) -> None:
        if self._job is not None:
            self.cancel_wanted.emit(self._job.key)

    def _ask_for_details(self) -> None:
        if self._job is not None:
            self.details_wanted.emit(self._job.key)

    def _lay_out(self) -> None:
        line = QWidget()
        line.setFixedHeight(_HEIGHT)
        row = QHBoxLayout(line)
        row.setContentsMargins(M, 0, S, 0)
        row.setSpacing(M)
        row.addWidget(self._sign)
        row.addWidget(self._title, 1)
        for part in (self._details, self._numbers, self._rate, self._left, self._bar):
            row.addWidget(part)
        row.addWidget(self._cancel)
        row.addWidget(self._opener)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 1, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._list)
        column.addWidget(line)


class _History(QScrollArea):
    cancel_wanted = Signal(str)
    details_wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFixedHeight(_HISTORY_HEIGHT)
        self.setAccessibleName("All jobs")
        self._shown: tuple[JobLine, ...] = ()

    def show_jobs(self, jobs: tuple[JobLine, ...]) -> None:
        if jobs == self._shown and self.widget() is not None:
            return
        self._shown = jobs
        where = self.verticalScrollBar().value()
        inside = QWidget()
        set_role(inside, "clear")
        column = QVBoxLayout(inside)
        column.setContentsMargins(M, S, S, S)
        column.setSpacing(XS)
        for job in jobs:
            column.addWidget(self._row(job))
        column.addStretch(1)
        self.setWidget(inside)
        self.verticalScrollBar().setValue(where)

    def _row(self, job: JobLine) -> QWidget:
        row = QWidget()
        row.setAccessibleName(f"{job.title}, {job.state}. {job.message}")
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, S, 0)
        line.setSpacing(M)
        line.addWidget(IconLabel(*_SIGNS[job.state]))
        line.addWidget(QLabel(job.title))
        message = ElidedLabel(job.message or job.state.capitalize())
        set_role(message, "muted")
        line.addWidget(message, 1)
        for wanted, words, signal in (
            (bool(job.details), "Details", self.details_wanted),
            (job.state in ("waiting", "running"), "Cancel", self.cancel_wanted),
        ):
            if wanted:
                button = QPushButton(words)
                set_role(button, "link")
                button.setAccessibleName(f"{words}: {job.title}")
                button.clicked.connect(lambda _=False, s=signal, key=job.key: s.emit(key))
                line.addWidget(button)
        when = QLabel(job.when)
        set_role(when, "meta")
        line.addWidget(when)
        row.setMinimumHeight(28)
        return row


def _figures(widest: str) -> QLabel:
    """A right-aligned label as wide as `widest`, so that running figures move nothing."""
    label = QLabel()
    set_role(label, "muted")
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    metrics = QFontMetrics(font(current_theme(), "body"))
    label.setMinimumWidth(metrics.horizontalAdvance(widest))
    return label
