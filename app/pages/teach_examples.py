"""Pairs that a training moved, each with both texts and both cosines."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XL, XS, M, S
from app.pages.teach_parts import line
from app.widgets.elided import ElidedLabel
from app.widgets.shown_text import is_right_to_left, visible
from app.widgets.tags import Tag, TagLabel, ToneName
from core.records import Verdict

_LONGEST = 600  # characters of a text that are shown


class ExamplesList(QWidget):
    """Pairs one below the other; `wide` sets the two texts side by side and in full."""

    def __init__(self, *, wide: bool = False) -> None:
        super().__init__()
        self._wide = wide
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(M if wide else S)

    def show_examples(self, examples: Sequence[Mapping[str, Any]]) -> None:
        """Show these pairs: `left`, `right`, `gold` from 0 to 1, cosines `before` and `after`."""
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for at, example in enumerate(examples):
            if at:
                self._column.addWidget(line())
            self._column.addWidget(self._example(example))

    def _example(self, example: Mapping[str, Any]) -> QWidget:
        made = QWidget()
        gold = QHBoxLayout()
        gold.setSpacing(S)
        gold.addWidget(TagLabel(gold_tag(float(example["gold"]))))
        cosines = QLabel(f"{example['before']:.2f} → {example['after']:.2f}")
        set_role(cosines, "meta")
        gold.addWidget(cosines)
        gold.addStretch(1)
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addLayout(gold)
        texts = [_text(str(example[side]), full=self._wide) for side in ("left", "right")]
        if self._wide:
            row = QHBoxLayout()
            row.setSpacing(XL)
            for text in texts:
                row.addWidget(text, 1, Qt.AlignmentFlag.AlignTop)
            column.addLayout(row)
        else:
            for text in texts:
                column.addWidget(text)
        made.setAccessibleName(
            f"{gold_tag(float(example['gold'])).words}, cosine {cosines.text()}: "
            f"{example['left']} | {example['right']}"
        )
        return made


def gold_tag(gold: float) -> Tag:
    """What a person or a file said of a pair."""
    tones: dict[float, tuple[Verdict, ToneName, str]] = {
        1.0: (Verdict.SAME, "same", "S"), 0.0: (Verdict.DIFFERENT, "different", "D"),
    }  # fmt: skip
    if gold in tones:
        verdict, tone, sign = tones[gold]
        return Tag(verdict.capitalize(), tone, sign)
    return Tag(f"judged {gold:.2f}", "plain")


def _text(text: str, *, full: bool) -> QLabel:
    shown = visible(text[:_LONGEST]) + ("…" if len(text) > _LONGEST else "")
    label = QLabel(shown) if full else ElidedLabel(shown)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(full)
    if full:
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if is_right_to_left(text) and not full:  # which turns to its side by itself
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
    return label
