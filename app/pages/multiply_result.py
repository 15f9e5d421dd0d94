"""Step 5: before and after, and whether it paid."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout

from app.look.theme import set_role
from app.look.tokens import XS, L, M, S
from app.look.words import count, counted
from app.pages.multiply_foot import Foot
from app.pages.multiply_panel import StepPanel
from app.pages.multiply_scene import Scene
from app.pages.multiply_words import metric_said, signed, spread_said
from app.pages.teach_parts import IconLine, ToneCard, emptied, heading, note
from app.pages.teach_plan import Said
from app.widgets.fold import Fold
from app.widgets.interval_bar import IntervalBar

_ABOUT = (
    "Your encoder learns gold and silver together, with the same seeds as by gold alone, and both "
    "are held against each other on judged pairs that none has learnt from."
)
_TAKES = "Cancelled, it goes on where it was when it is asked again. The encoder in use stays."


@dataclass(frozen=True, slots=True)
class Before:
    """A line of the table: an encoder and its figure."""

    name: str
    figure: str
    note: str = ""


class ResultPanel(StepPanel):
    """What it will do, or what it brought."""

    def __init__(self) -> None:
        super().__init__("teach", _ABOUT)
        self.lines: tuple[Before, ...] = ()
        self.verdict = ToneCard()
        self.bar = IntervalBar()
        self.change, self.meaning, self.more_words = note(role="body"), note(role="meta"), note()
        self.more = Fold("Details", self.more_words)
        self.plan = IconLine("teach")
        self.cut_off = IconLine("refresh")
        self.card = QFrame()
        self._table = QGridLayout()
        self._reasons = QVBoxLayout()
        self.reasons: tuple[str, ...] = ()
        self.foot = Foot(
            ("teach", "Teach by gold and silver"), ("use", "Use it…"),
            ("compare", "Compare on the Teach page"), ("discard", "Discard…"),
        )  # fmt: skip  # one button after the other
        self._lay_out()

    def show_scene(self, scene: Scene, *, is_busy: bool) -> None:
        """Show what it brought, or what it will do; `is_busy` while an encoder is taken in use."""
        training, is_in_use = scene.training, scene.is_in_use
        told = {} if training is None else training.figures.get("augmentation") or {}
        self.card.setVisible(bool(told))
        self.more.setVisible(bool(told))
        if told:
            self._show_told(told)
        self._show_plan(scene, has_result=bool(told))
        why = scene.why_not("teach")
        self.foot.name("teach", "Teach again" if told else "Teach by gold and silver")
        words = "In use now." if is_in_use else "" if told else _TAKES
        self.foot.show_reason(why, "check" if is_in_use else "clock", words)
        for key in ("use", "compare", "discard"):
            self.foot.buttons[key].setVisible(bool(told))
        free = scene.writes and not is_busy and bool(told) and not is_in_use
        allowed = [] if why else ["teach"]
        allowed += ["use", "discard"] if free else []
        allowed += ["compare"] if told else []
        self.foot.allow(allowed)
        harms = (told.get("figures", {}).get("high") or 0.0) < 0
        self.foot.lead("use" if free and not harms else "teach")

    def _show_plan(self, scene: Scene, *, has_result: bool) -> None:
        sheet = {} if scene.record is None else scene.record.sheet
        gold = {} if scene.record is None else scene.record.gold
        options = {} if scene.record is None else scene.record.options
        silver, learn = int(sheet.get("pairs") or 0), int(gold.get("learn") or 0)
        seeds = int(options.get("seeds") or 1)
        both = counted(silver, "silver pair")
        if not options.get("adapt"):
            both = f"{counted(learn, 'gold pair')} and {both}"
        times = f", once with each of {seeds} seeds; the best on the pairs that compare is kept"
        self.plan.show_words("teach", f"It learns {both}{times if seeds > 1 else ''}.")
        self.plan.setVisible(bool(sheet) and not has_result)
        self.cut_off.show_words(
            "refresh", "Teaching was cut off. Asked again, it goes on where it was.", "unsure"
        )
        self.cut_off.setVisible(scene.kept.lesson_begun and not scene.running)

    def _show_told(self, told: Mapping[str, Any]) -> None:
        figures = told["figures"]
        self.verdict.show_said(paid_said(figures))
        low, high = figures.get("low"), figures.get("high")
        has_interval = low is not None and high is not None
        self.bar.setVisible(has_interval)
        if has_interval:
            self.bar.show_difference(figures["change"], low, high)
        self.change.setText(change_said(figures))
        self.lines = before_after(figures)
        while (item := self._table.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for at, line in enumerate(self.lines):
            for column, words in enumerate((line.name, line.figure, line.note)):
                label = QLabel(words)
                set_role(label, ("body", "strong", "meta")[column])
                self._table.addWidget(label, at, column)
        pairs = f"Judged by {counted(int(figures['held_out']), 'pair')} that none has learnt from."
        self.meaning.setText(f"{metric_said(str(figures['metric']))} {pairs}")
        self.reasons = tuple(str(one) for one in told.get("diagnosis") or ())
        emptied(self._reasons)
        if self.reasons:
            self._reasons.addWidget(heading("Why that may be"))
        for words in self.reasons:
            self._reasons.addWidget(IconLine("info", words))
        self.more_words.setText("\n".join(more_said(figures, told)))

    def _lay_out(self) -> None:
        set_role(self.card, "card")
        self._table.setHorizontalSpacing(L)
        self._table.setVerticalSpacing(S)
        self._table.setColumnStretch(2, 1)
        self._reasons.setSpacing(S)
        inside = QVBoxLayout(self.card)
        inside.setContentsMargins(L, L, L, L)
        inside.setSpacing(M)
        inside.addWidget(self.verdict)
        inside.addLayout(self._table)
        inside.addSpacing(XS)
        inside.addWidget(self.change)
        inside.addWidget(self.bar)
        inside.addWidget(self.meaning)
        inside.addLayout(self._reasons)
        for part in (self.plan, self.cut_off, self.card, self.more):
            self.column.addWidget(part)
        self.more_words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)


def paid_said(figures: Mapping[str, Any]) -> Said:
    """Whether it paid, in plain words."""
    low, high = figures.get("low"), figures.get("high")
    if low is None or high is None:
        return Said("Whether it paid cannot be told", "Too few pairs judge to say how sure it is.",
                    "plain", "question")  # fmt: skip  # in the order of the fields
    if low > 0:
        return Said("It paid", "With the silver pairs your encoder is better than by the gold "
                    "alone.", "same", "check")  # fmt: skip  # as above
    if high < 0:
        return Said("It did harm", "With the silver pairs your encoder is worse than by the gold "
                    "alone. Teach it by the gold alone instead, on the Teach page.",
                    "different", "cross")  # fmt: skip  # as above
    return Said("Whether it paid cannot be told", "The change may be chance.", "unsure", "warning")


def before_after(figures: Mapping[str, Any]) -> tuple[Before, ...]:
    """The encoder as it came, by gold alone, and by gold and silver."""
    alone, both = figures["gold_only"], figures["augmented"]
    seeds = len(both.get("runs") or ())
    over = f"mean ± s.d. over {seeds} seeds" if seeds > 1 else ""
    return (
        Before("As it came", f"{figures['base']:.3f}"),
        Before("By the gold alone", spread_said(alone["mean"], alone.get("sd")), over),
        Before("By gold and silver", spread_said(both["mean"], both.get("sd")), over),
    )


def change_said(figures: Mapping[str, Any]) -> str:
    """`+0.021 against the gold alone, between +0.004 and +0.038`."""
    told = f"{signed(figures['change'])} against the gold alone"
    low, high = figures.get("low"), figures.get("high")
    return told if low is None or high is None else (
        f"{told}, between {signed(low)} and {signed(high)} (95 %)"
    )  # fmt: skip  # one sentence


def more_said(figures: Mapping[str, Any], told: Mapping[str, Any]) -> list[str]:
    """Figures for those who want more, a line each."""
    lines = [
        f"Learnt: {counted(int(told['gold']), 'gold pair')}, "
        f"{counted(int(told['silver']), 'silver pair')}, labelled by the {told['teacher']}.",
        f"Against the encoder as it came: {signed(figures['base_change'])}"
        + _between(figures.get("base_low"), figures.get("base_high")) + ".",
    ]  # fmt: skip  # two lines
    for key, name in (("f1", "F1 at the threshold of the pairs that compare"),
                      ("auc_005", "AUC(0.05)")):  # fmt: skip  # two figures
        found = [figures.get(f"{key}_{side}") for side in ("base", "gold_only", "augmented")]
        if None not in found:
            lines.append(f"{name}: " + " → ".join(f"{one:.3f}" for one in found))
    if figures.get("jaccard") is not None:
        lines.append(f"Shared words alone reach {figures['jaccard']:.3f}.")
    if figures.get("majority") is not None:
        lines.append(f"Saying always the most frequent is right in {figures['majority']:.1%}.")
    lines.append(f"{count(int(figures['dev']))} pairs compared the teachers.")
    return lines


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f", between {signed(low)} and {signed(high)}"
