"""Step 3: which new pairs are to be labelled, and what that costs."""

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from app.look.tokens import M, S
from app.look.words import count, counted, duration
from app.pages.multiply_foot import Foot
from app.pages.multiply_panel import StepPanel
from app.pages.multiply_scene import Scene
from app.pages.teach_parts import IconLine, heading, note
from app.widgets.option_fields import Declared, declared
from app.widgets.options_form import OptionsForm
from app.widgets.segments import Segments
from core.augment_options import AugmentOptions

_ABOUT = (
    "New pairs are made of texts that are there already; a pair that was judged is not made again. "
    "The teacher then says of each how alike its texts are."
)
SAMPLINGS = {
    "bm25": ("Texts that share rare words", "The fewest pairs for what they bring (BM25)."),
    "semantic": ("Nearest in meaning", "Finds what is worded otherwise (semantic search)."),
    "both": ("Both: shared words and meaning", "More pairs; not always better than either."),
    "kde": ("Spread like the gold", "Scores a large random pool first and thins it, so it takes "
            "longest (kernel density)."),
    "random": ("At random, for comparison", "Nearly all differ, which usually does harm."),
}  # fmt: skip  # one a line
_KNOWN = "These pairs are labelled. Choose otherwise to label others."
_WITH_TOP_K = ("bm25", "semantic", "both")
_OPTIONS = {
    "top_k": ("Texts for each text", "How many others each text is paired with."),
    "pool": ("Random pairs first", "So many are scored before some of them are kept."),
    "most": (
        "New pairs for each gold pair",
        "So many stay at most for each gold pair that teaches.",
    ),
}
_SOURCES = (("gold", "The gold's texts"), ("corpus", "The whole corpus"))


@dataclass(frozen=True, slots=True)
class Forecast:
    """What labelling will cost, as the engine told it."""

    texts: int
    source: str
    scored: int
    most: int
    teacher: str
    seconds: float


class PairsPanel(StepPanel):
    """The choices in plain words, and a forecast that follows them."""

    changed = Signal()  # something was chosen, by a person

    def __init__(self) -> None:
        super().__init__("pairs", _ABOUT)
        self.forecast: Forecast | None = None
        self.problem = ""
        self.buttons: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self.sources = Segments(_SOURCES, name="Texts that new pairs are made of")
        self._source_words = note(role="meta")
        self.form = OptionsForm(
            [_in_plain_words(one) for one in declared(AugmentOptions) if one.name in _OPTIONS]
        )
        self.state, self.cut_off = IconLine("check"), IconLine("refresh")
        self._cost = IconLine("clock")
        self.foot = Foot(("label", "Label new pairs"), ("next", "Go on: look at the labels"))
        self._choices = QWidget()
        self._lay_out()
        self.sources.chosen.connect(lambda _key: self._change())
        self.form.changed.connect(self._change)

    @property
    def values(self) -> dict[str, Any]:
        """What was chosen, as values of a wish."""
        sampling = next(key for key, one in self.buttons.items() if one.isChecked())
        return {"sampling": sampling, "source": self.sources.key, **self.form.values}

    def take(self, options: dict[str, Any]) -> None:
        """Show the choices of an augmentation, without telling."""
        self.form.blockSignals(True)
        self.form.set_values({name: options[name] for name in self.form.names if name in options})
        self.form.blockSignals(False)
        sampling = str(options.get("sampling") or "bm25")
        self.buttons.get(sampling, self.buttons["bm25"]).setChecked(True)
        self.sources.choose("corpus" if options.get("source") == "corpus" else "gold")
        self._follow()

    def show_forecast(self, told: dict[str, Any] | None, problem: str = "") -> None:
        """Show what labelling will cost; None while it is looked for, or cannot be told."""
        self.forecast = None if told is None else Forecast(**told)
        self.problem = problem

    def show_scene(self, scene: Scene, *, is_asking: bool, phase: str = "") -> None:
        """Show where labelling stands; `phase` says how far the forecast is."""
        why = scene.why_not("pairs")
        gold = scene.gold
        if gold is not None:
            told = {"gold": f"{counted(gold.texts, 'text')} of the pairs that teach",
                    "corpus": f"{counted(gold.corpus, 'text')}, without those that compare and "
                              "judge"}  # fmt: skip  # one a line
            self._source_words.setText(told[self.sources.key])
        self._choices.setEnabled(scene.writes and not scene.running and scene.record is not None)
        self._show_state(scene)
        is_known = self.is_labelled(scene)
        forecast = self.forecast
        pairs = "new pairs" if forecast is None else counted(forecast.most, "pair")
        again = "again: " if scene.has_sheet and forecast is not None else ""
        self.foot.name("label", f"Label {again}{pairs}")
        words = self._cost_said(is_asking, phase)
        self._cost.show_words("cross" if self.problem else "clock", self.problem or words,
                              "different" if self.problem else "muted")  # fmt: skip  # one line
        self._cost.setVisible(scene.record is not None and not scene.running and not is_known)
        self._cost.setVisible(not self._cost.isHidden() and not why)
        short = _KNOWN if is_known else self.problem or self._short(is_asking)
        self.foot.show_reason(why, "check" if is_known else "clock", short)
        allowed = [] if why or self.problem or forecast is None else ["label"]
        if scene.has_sheet:
            allowed.append("next")
        self.foot.lead("next" if is_known else "label")
        self.foot.allow(allowed)

    def is_labelled(self, scene: Scene) -> bool:
        """Whether the pairs chosen are those that are labelled."""
        record = scene.record
        if record is None or not record.sheet or scene.kept.labels_begun:
            return False
        shown = {name: self.values[name] for name in ("sampling", "source", *self._shown_names())}
        return all(record.options.get(name) == value for name, value in shown.items())

    def _show_state(self, scene: Scene) -> None:
        sheet = {} if scene.record is None else scene.record.sheet
        made = int(sheet.get("pairs") or 0) + int(sheet.get("dropped") or 0)
        self.state.setVisible(bool(sheet))
        self.state.show_words(
            "check", f"{counted(made, 'pair')} are labelled. Labelling again puts others in their "
            "place; what you corrected stays, as gold.", "same",
        )  # fmt: skip  # icon, words, tone
        self.cut_off.setVisible(scene.kept.labels_begun and not scene.running)
        self.cut_off.show_words(
            "refresh", "Labelling was cut off. With the same choices it goes on where it was.",
            "unsure",
        )  # fmt: skip  # as above

    def _short(self, is_asking: bool) -> str:
        told = self.forecast
        if told is None:
            return "Looking what that would cost…" if is_asking else ""
        return f"About {counted(told.most, 'pair')}, {duration(told.seconds)}"

    def _cost_said(self, is_asking: bool, phase: str) -> str:
        told = self.forecast
        if told is None:
            return phase or self._short(is_asking)
        of = f"From {counted(told.texts, 'text')} of {told.source}"
        if told.scored != told.most:
            scored = f"the teacher ({told.teacher}) reads {counted(told.scored, 'pair')}"
            return (
                f"{of}: {scored}, of which {count(told.most)} stay at most. {self._short(False)}."
            )
        return f"{of}: the teacher ({told.teacher}) reads {self._short(False).lower()}."

    def _change(self) -> None:
        self._follow()
        self.show_forecast(None)
        self.changed.emit()

    def _follow(self) -> None:
        self.form.show_only(self._shown_names())

    def _shown_names(self) -> list[str]:
        sampling = self.values["sampling"]
        names = ["top_k"] if sampling in _WITH_TOP_K else ["pool"] if sampling == "kde" else []
        return [*names, "most"]

    def _lay_out(self) -> None:
        inside = QVBoxLayout(self._choices)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(S)
        inside.addWidget(heading("Which pairs"))
        for key, (words, about) in SAMPLINGS.items():
            button = QRadioButton(words)
            button.setAccessibleDescription(about)
            button.setMinimumWidth(250)
            button.clicked.connect(lambda _checked=False: self._change())
            self.buttons[key] = button
            self._group.addButton(button)
            row = QHBoxLayout()
            row.setSpacing(M)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(note(about, role="meta"), 1)
            inside.addLayout(row)
        self.buttons["bm25"].setChecked(True)
        source = QHBoxLayout()
        source.setSpacing(M)
        source.addWidget(self.sources)
        source.addWidget(self._source_words, 1)
        inside.addSpacing(S)
        inside.addWidget(heading("Made of"))
        inside.addLayout(source)
        inside.addSpacing(S)
        inside.addWidget(heading("How many"))
        inside.addWidget(self.form)
        for part in (self.state, self.cut_off, self._choices, self._cost):
            self.column.addWidget(part)
        self._follow()


def _in_plain_words(one: Declared) -> Declared:
    title, help_ = _OPTIONS[one.name]
    return replace(one, choice=replace(one.choice, title=title, help=help_))
