"""Step 2: is there a teacher that is better than the encoder it would teach?"""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.look.tokens import M, S
from app.look.words import count
from app.pages.multiply_foot import Foot
from app.pages.multiply_panel import StepPanel
from app.pages.multiply_scene import Scene
from app.pages.multiply_teacher_plot import TeacherPlot
from app.pages.multiply_teacher_settings import TeacherSettings
from app.pages.multiply_words import metric_said, verdict_said
from app.pages.teach_parts import IconLine, ToneCard, emptied, heading, note
from app.widgets.fold import Fold

_ABOUT = (
    "A label is worth no more than the teacher that gives it. So before anything is labelled, what "
    "may teach is compared with your encoder as the gold alone would make it."
)
_TAKES = "It can take a while. You can go on working meanwhile; Cancel leaves nothing behind."
_INSIST = "Label all the same"
_WARNING = "Its labels will most likely teach nothing, or do harm. The last step tells."


class TeachersPanel(StepPanel):
    """What would be compared, or the verdict: a plot, a sentence, and the ways out."""

    insist_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__("teachers", _ABOUT)
        self.settings = TeacherSettings()
        self.fold = Fold("Settings", self.settings)
        self.verdict = ToneCard()
        self.plot = TeacherPlot()
        self.meaning, self.details = note(role="meta"), note(role="meta")
        self.more = Fold("Details", self.details)
        self.growth = IconLine("refresh")
        self.insist = QCheckBox(_INSIST)
        self.insist.toggled.connect(self.insist_changed)
        self.ways: tuple[str, ...] = ()
        self._plan, self._found, self._refusal = QWidget(), QWidget(), QWidget()
        self._lines, self._ways = QVBoxLayout(), QVBoxLayout()
        self.foot = Foot(("compare", "Compare teachers"), ("next", "Go on: new pairs"))
        self._lay_out()

    def show_scene(self, scene: Scene) -> None:
        """Show the verdict, or what would be done."""
        record, why = scene.record, scene.why_not("teachers")
        self._plan.setVisible(record is None)
        self._found.setVisible(record is not None)
        self.settings.setEnabled(scene.writes)
        if record is None:
            self._show_plan(scene)
        else:
            self._show_found(scene)
        self.foot.name("compare", "Compare teachers" if record is None else "Compare again")
        self.foot.show_reason(why, "clock", _TAKES if record is None else "")
        allowed = [] if why else ["compare"]
        if record is not None and (scene.may_label or scene.insists):
            allowed.append("next")
        self.foot.lead("next" if "next" in allowed else "compare")
        self.foot.allow(allowed)

    def _show_plan(self, scene: Scene) -> None:
        gold, chosen = scene.gold, self.settings.form.values
        seeds = int(chosen["seeds"])
        learn = count(gold.learn) if gold is not None and gold.learn else "the"
        held = count(gold.dev) if gold is not None and gold.dev else "other"
        encoders = "Your encoder learns" if seeds == 1 else f"{seeds} copies of your encoder learn"
        lines = [
            ("teach", f"{encoders} {learn} of the judged pairs: that is the pupil, as the gold "
                      "alone would make it."),
            ("columns", "A slower model that reads both texts of a pair at once learns the same "
                        "pairs: that is the teacher. All of them together may teach as well."),
            ("duplicates", f"All are compared on {held} judged pairs that none has learnt from."),
        ]  # fmt: skip  # icons and sentences
        emptied(self._lines)
        for icon, words in lines:
            self._lines.addWidget(IconLine(icon, words))

    def _show_found(self, scene: Scene) -> None:
        record = scene.record
        if record is None:
            return
        teachers, refused = record.teachers, not scene.may_label
        self.verdict.show_said(verdict_said(teachers))
        self.plot.show_verdict(teachers, labels=not refused)
        pairs = f"On {count(int(teachers['pairs']))} pairs that none has learnt from; the bars are "
        self.meaning.setText(
            f"{metric_said(str(teachers['metric']))} {pairs}95 % intervals of the change against "
            "your encoder by the gold alone."
        )
        chance = " · ".join(f"{one['name']} {one['by_chance']:.3f}" for one in teachers["teachers"])
        notes = " ".join(str(one) for one in record.gold.get("notes") or ())
        self.details.setText(
            f"{teachers['sentence']} In 19 of 20 cases guessing stays below: {chance}. "
            f"{notes}".strip()
        )
        self.growth.show_words("refresh", scene.growth())
        self.growth.setVisible(bool(scene.growth()))
        self._refusal.setVisible(refused)
        self.ways = tuple(str(one) for one in teachers.get("alternatives") or ())
        emptied(self._ways)
        for place, words in enumerate(self.ways, 1):
            self._ways.addWidget(note(f"{place}.  {words}", role="body"))
        self.insist.blockSignals(True)
        self.insist.setChecked(scene.insists)
        self.insist.blockSignals(False)
        self.insist.setEnabled(scene.writes and not scene.running)

    def _lay_out(self) -> None:
        self.insist.setAccessibleDescription(_WARNING)
        for inside in (self._plan, self._found, self._refusal):
            box = QVBoxLayout(inside)
            box.setContentsMargins(0, 0, 0, 0)
            box.setSpacing(M)
        self._lines.setSpacing(M)
        self._ways.setSpacing(S)
        _box(self._plan).addWidget(heading("What it will do"))
        _box(self._plan).addLayout(self._lines)
        for part in (self.verdict, self.plot, self.meaning, self.growth, self._refusal, self.more):
            _box(self._found).addWidget(part)
        _box(self._refusal).addWidget(heading("What to do instead"))
        _box(self._refusal).addLayout(self._ways)
        _box(self._refusal).addWidget(self.insist)
        _box(self._refusal).addWidget(note(_WARNING, role="meta"))
        for part in (self._plan, self._found, self.fold):
            self.column.addWidget(part)


def _box(widget: QWidget) -> QVBoxLayout:
    layout = widget.layout()
    if not isinstance(layout, QVBoxLayout):
        raise TypeError(type(layout).__name__)
    return layout
