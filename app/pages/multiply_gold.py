"""Step 1: how many judged pairs there are, whether they are enough, and how they are parted."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.look.tokens import M, S
from app.look.words import count
from app.pages.multiply_foot import Foot
from app.pages.multiply_panel import StepPanel
from app.pages.multiply_scene import Scene
from app.pages.multiply_split_bar import SplitBar
from app.pages.multiply_words import gold_said, parts_said
from app.pages.teach_parts import IconLine, ToneCard, heading, note
from app.widgets.empty_state import EmptyState
from app.widgets.tags import Tag, TagLabel

_ABOUT = (
    "Gold is every pair that you decided on Duplicates, and every pair of a file that was judged "
    "elsewhere. Nothing has to be exported first."
)
_NOTHING = "There are no judged pairs yet."
_HOW = (
    "Decide pairs as the same or different on Duplicates, or import pairs that were judged "
    "elsewhere, scored or yes and no. From about 200 on this is worth trying."
)
_APART = (
    "Pairs that share a text stay on one side. What compares and judges is never learnt from, and "
    "no new pair is made of its texts."
)


class GoldPanel(StepPanel):
    """Counts, a plain verdict, and the parts; or what to do where there are none."""

    deciding_wanted = Signal()
    import_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("gold", _ABOUT)
        self.verdict = ToneCard()
        self.same, self.different = (
            TagLabel(Tag("Same", "same", "S")), TagLabel(Tag("Different", "different", "D"))
        )  # fmt: skip  # one and the other
        self._same, self._different = note(role="body"), note(role="body")
        self.parts = note(role="meta")
        self.told = QWidget()
        self.bar = SplitBar()
        self.split = QWidget()
        self.growth = IconLine("refresh")
        self.empty = EmptyState("multiply")
        self.foot = Foot(
            ("next", "Go on: compare teachers"), ("decide", "Decide more pairs"),
            ("import", "Import judged pairs…"),
        )  # fmt: skip  # one button after the other
        self.empty.wanted.connect(self.deciding_wanted)
        self.empty.second_wanted.connect(self.import_wanted)
        self._lay_out()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing judged."""
        return not self.empty.isHidden()

    def show_scene(self, scene: Scene) -> None:
        """Show what there is."""
        gold = scene.gold
        is_empty = gold is not None and not gold.pairs
        self.empty.setVisible(is_empty)
        if is_empty:
            self.empty.show_state(
                "multiply", _NOTHING, note=_HOW, button="Decide some pairs",
                second="Import judged pairs…" if scene.writes else "",
            )  # fmt: skip  # one state
        self.told.setVisible(gold is not None and not is_empty)
        self.split.setVisible(gold is not None and gold.learn > 0)
        self.growth.show_words("refresh", scene.growth())
        self.growth.setVisible(bool(scene.growth()))
        if gold is not None:
            self.verdict.show_said(gold_said(gold))
            self._same.setText(count(gold.same))
            self._different.setText(count(gold.different))
            self.parts.setText(parts_said(gold))
            self.bar.show_gold(gold)
        missing = scene.problem if gold is None else ""
        self.foot.show_reason(missing, "clock", "" if gold else "Counting the judged pairs…")
        for key in ("decide", "import"):  # which the middle offers where there is nothing
            self.foot.buttons[key].setVisible(not is_empty)
        self.foot.allow(_allowed(scene))

    def _lay_out(self) -> None:
        counts = QHBoxLayout()
        counts.setSpacing(S)
        for tag, number in ((self.same, self._same), (self.different, self._different)):
            counts.addWidget(tag)
            counts.addWidget(number)
            counts.addSpacing(M)
        counts.addStretch(1)
        inside = QVBoxLayout(self.told)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(M)
        inside.addWidget(self.verdict)
        inside.addLayout(counts)
        inside.addWidget(self.parts)
        parted = QVBoxLayout(self.split)
        parted.setContentsMargins(0, M, 0, 0)
        parted.setSpacing(S)
        parted.addWidget(heading("What they are for"))
        parted.addWidget(self.bar)
        parted.addWidget(note(_APART, role="meta"))
        for part in (self.told, self.split, self.growth, self.empty):
            self.column.addWidget(part)
        for number in (self._same, self._different):
            number.setWordWrap(False)


def _allowed(scene: Scene) -> list[str]:
    allowed = ["decide"]
    if scene.writes:
        allowed.append("import")
    if scene.is_done("gold"):
        allowed.append("next")
    return allowed
