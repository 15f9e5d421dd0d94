"""The middle column for a chosen training: what it brought, and what it moved."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import M, S
from app.look.words import counted
from app.pages.teach_card import IN_USE, step_said
from app.pages.teach_examples import ExamplesList
from app.pages.teach_parts import IconLine, emptied, line, note
from app.pages.teach_words import (
    apart_said,
    change_said,
    drift_said,
    facts_said,
    result_said,
    result_tag,
    score_said,
    threshold_said,
)
from app.widgets.interval_bar import IntervalBar
from app.widgets.segments import Segments
from app.widgets.tags import TagLabel
from core.store import InterruptedTraining, TrainingRecord

_FIRST_SHOWN = 4  # examples, until all are wanted
_SIDES = (("better", "Got better"), ("worse", "Got worse"))


class ResultPanel(QWidget):
    """Before and after with the interval in words, what else moved, and the examples."""

    def __init__(self) -> None:
        super().__init__()
        self._record: TrainingRecord | None = None
        self._shows_all = False
        self._title = QLabel()
        self._title.setWordWrap(True)
        self._in_use = TagLabel(IN_USE)
        self._score, self._change = note(role="reading"), note()
        self._tag = TagLabel(result_tag({}))
        self._bar = IntervalBar()
        self._sentence = note(role="body")
        self._lines = QVBoxLayout()
        self._told: list[IconLine] = []
        self._facts = note(role="meta")
        self.sides = Segments(_SIDES, name="Examples")
        self.sides.chosen.connect(lambda _key: self._turn_side())
        self._moved = note()
        self.examples = ExamplesList()
        self.more = QPushButton()
        self.more.clicked.connect(self._show_all)
        self._inside = QWidget()
        self._lay_out()

    @property
    def words(self) -> list[str]:
        """What it says of the figures, line by line."""
        labels = (self._score, self._change, self._sentence)
        told = [one.label.text() for one in self._told]
        return [one.text() for one in labels if not one.isHidden()] + told

    def set_narrow(self, narrow: bool) -> None:
        """Give way where there is little room."""
        self.examples.set_narrow(narrow)

    def show_record(self, record: TrainingRecord, *, is_in_use: bool) -> None:
        """Show what a training brought."""
        figures, is_new = record.figures, self._record is None or self._record.id != record.id
        self._record = record
        self._title.setText(record.name)
        self._in_use.setVisible(is_in_use)
        score, change = score_said(figures), change_said(figures)
        self._score.setText(score)
        self._change.setText(change)
        self._score.setVisible(bool(score))
        self._change.setVisible(bool(change))
        self._tag.show_tag(result_tag(figures))
        low, high = figures.get("low"), figures.get("high")
        self._bar.setVisible(bool(score) and low is not None and high is not None)
        if score and low is not None and high is not None:
            self._bar.show_difference(figures["after"] - figures["before"], low, high)
        self._sentence.setText(result_said(figures))
        self._sentence.setVisible(bool(self._sentence.text()))
        self._facts.setText(facts_said(record))
        self._show_lines(record)
        if is_new:
            self._shows_all = False
            worse = record.examples.get("worse") or []
            self.sides.choose("better" if record.examples.get("better") or not worse else "worse")
        self._show_examples()

    def _show_lines(self, record: TrainingRecord) -> None:
        figures = record.figures
        emptied(self._lines)
        lines = [
            ("split", apart_said(figures)),
            ("lock", drift_said(figures)),
            ("duplicates", threshold_said(figures)),
            *(("warning", words) for words in figures.get("overlap") or ()),
            *(("info", words) for words in figures.get("notes") or ()),
        ]
        self._told = [IconLine(icon, words) for icon, words in lines if words]
        for one in self._told:
            self._lines.addWidget(one)

    def _show_examples(self) -> None:
        if self._record is None:
            return
        told = {key: self._record.examples.get(key) or [] for key, _ in _SIDES}
        self._inside.setVisible(any(told.values()))
        better, worse = (len(told[key]) for key, _ in _SIDES)
        self._moved.setText(
            f"Those that moved most: {better} for the better, {worse} for the worse. Words that "
            "differ are marked."
        )
        some: Sequence[dict[str, Any]] = told[self.sides.key]
        shown = some if self._shows_all else some[:_FIRST_SHOWN]
        by = str(self._record.figures.get("judged_by") or "pairs")
        self.examples.show_examples(shown, by=by)
        self.more.setText(f"Show all {len(some)}")
        self.more.setVisible(len(shown) < len(some))

    def _turn_side(self) -> None:
        self._shows_all = False
        self._show_examples()

    def _show_all(self) -> None:
        self._shows_all = True
        self._show_examples()

    def _lay_out(self) -> None:
        set_role(self._title, "title")
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._title, 1)
        head.addWidget(self._in_use, 0, Qt.AlignmentFlag.AlignTop)
        score = QHBoxLayout()
        score.setSpacing(M)
        score.addWidget(self._score)
        score.addWidget(self._tag, 0, Qt.AlignmentFlag.AlignVCenter)
        score.addStretch(1)
        self._score.setWordWrap(False)
        self._lines.setSpacing(S)
        examples = QVBoxLayout(self._inside)
        examples.setContentsMargins(0, 0, 0, 0)
        examples.setSpacing(M)
        for part in (line(), self._moved):
            examples.addWidget(part)
        examples.addWidget(self.sides, 0, Qt.AlignmentFlag.AlignLeft)
        examples.addWidget(self.examples)
        examples.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addLayout(head)
        column.addLayout(score)
        column.addWidget(self._sentence)
        column.addWidget(self._change)
        column.addWidget(self._bar)
        column.addLayout(self._lines)
        column.addWidget(self._facts)
        column.addSpacing(S)
        column.addWidget(self._inside)


class OtherPanel(QWidget):
    """What is told of an interrupted training, and of the encoder that all began with."""

    def __init__(self) -> None:
        super().__init__()
        self._title, self._words = note(role="title"), note(role="body")
        self._error = IconLine("cross")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addWidget(self._title)
        column.addWidget(self._error)
        column.addWidget(self._words)

    @property
    def words(self) -> str:
        return f"{self._title.text()} {self._words.text()}"

    def show_interrupted(self, one: InterruptedTraining) -> None:
        """Tell what an interrupted training was, and what resuming it means."""
        self._title.setText(f"{one.title or 'A training'}, interrupted")
        self._error.show_words("cross", one.error, "different")
        self._error.setVisible(bool(one.error))
        went = f"It was cut off {step_said(one)}."
        on = "Resumed, it goes on exactly as if it had never stopped"
        self._words.setText(
            f"{went} It teaches {one.base_name or 'the encoder'} from "
            f"{counted(one.examples, 'example')}. {on}; what was decided since is not in it. "
            "Discarded, what it had learnt so far is deleted; nothing else changes."
        )

    def show_first(self, name: str, *, is_in_use: bool) -> None:
        """Tell of the encoder that all trainings began with."""
        self._title.setText(name)
        self._error.hide()
        self._words.setText(
            "The encoder as it was before anything was taught. "
            + ("It is the one in use." if is_in_use else "It can be used again at any time.")
        )
