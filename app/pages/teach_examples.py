"""Examples that a training moved: their texts side by side, differing words marked."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import L, M, S
from app.pages.teach_parts import emptied, line
from app.widgets.marked_label import MarkedLabel
from app.widgets.tags import Tag, TagLabel, ToneName
from app.widgets.word_diff import word_diff
from core.records import Verdict

_GOLD: dict[float, tuple[str, ToneName, str]] = {
    1.0: (Verdict.SAME.capitalize(), "same", "S"),
    0.0: (Verdict.DIFFERENT.capitalize(), "different", "D"),
}


class ExamplesList(QWidget):
    """Examples one below the other; the texts of each side by side where there is room."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[QBoxLayout] = []
        self._is_narrow = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(M)

    def set_narrow(self, narrow: bool) -> None:
        """Put the texts of an example one below the other."""
        self._is_narrow = narrow
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        for row in self._rows:
            row.setDirection(way)
            row.setSpacing(S if narrow else L)

    def show_examples(self, examples: Sequence[Mapping[str, Any]], *, by: str = "pairs") -> None:
        """Show these examples as the engine tells them, judged `by` pairs, triplets or labels."""
        emptied(self._column)
        self._rows = []
        for at, example in enumerate(examples):
            if at:
                self._column.addWidget(line())
            self._column.addWidget(self._example(example, by))
        self.set_narrow(self._is_narrow)

    def _example(self, example: Mapping[str, Any], by: str) -> QWidget:
        tag, told = example_tag(example), moved_said(example, by)
        moved = QLabel(told)
        set_role(moved, "muted")
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(TagLabel(tag))
        head.addWidget(moved)
        head.addStretch(1)
        texts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        for label in _texts(example):
            texts.addWidget(label, 1, Qt.AlignmentFlag.AlignTop)
        self._rows.append(texts)
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addLayout(head)
        column.addLayout(texts)
        shown = " | ".join(str(example[side]) for side in _sides(example))
        made.setAccessibleName(f"{tag.words}, {told}: {shown}")
        return made


def example_tag(example: Mapping[str, Any]) -> Tag:
    """What a person or a file said of an example."""
    if example.get("label"):
        return Tag(str(example["label"]), "plain")
    if example.get("third"):
        return Tag("Nearer to the second than to the third", "plain")
    gold = float(example["gold"])
    return Tag(*_GOLD[gold]) if gold in _GOLD else Tag(f"judged {gold:.2f}", "plain")


def moved_said(example: Mapping[str, Any], by: str) -> str:
    """How an example moved: `alike 0.62 → 0.91`."""
    what = {"triplets": "nearer by", "labels": "sure of it"}.get(by, "alike")
    before, after = (f"{example[when]:.2f}".replace("-", "−") for when in ("before", "after"))
    return f"{what} {before} → {after}"


def _sides(example: Mapping[str, Any]) -> list[str]:
    return [side for side in ("left", "right", "third") if example.get(side)]


def _texts(example: Mapping[str, Any]) -> list[MarkedLabel]:
    texts = [str(example[side]) for side in _sides(example)]
    if len(texts) < 2:
        return [MarkedLabel(text) for text in texts]
    first, second = word_diff(texts[0], texts[1])
    labels = [MarkedLabel(texts[0], first), MarkedLabel(texts[1], second)]
    if len(texts) > 2:
        labels.append(MarkedLabel(texts[2], word_diff(texts[0], texts[2])[1]))
    return labels
