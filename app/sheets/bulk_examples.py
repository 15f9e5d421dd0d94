"""A few pairs of a band under each other."""

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from app.look.theme import set_role, theme_of
from app.look.tokens import Colours, L, M, S
from app.widgets.shown_text import is_right_to_left, visible
from app.widgets.word_diff import Span, word_diff

_SHOWN_CHARACTERS = 220


class ExamplesView(QScrollArea):
    """A few pairs under each other, their differing words marked."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Examples")
        self.show_sample(())

    def show_sample(self, sample: tuple[tuple[str, str, float], ...]) -> None:
        box = QWidget()
        set_role(box, "clear")
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, S, 0)
        grid.setHorizontalSpacing(L)
        grid.setVerticalSpacing(M)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        colours = theme_of(self).colours
        for row, (kept, candidate, cosine) in enumerate(sample):
            left, right = _cut(kept), _cut(candidate)
            figure = QLabel(f"{cosine:.2f}")
            set_role(figure, "muted")
            grid.addWidget(figure, row, 0, Qt.AlignmentFlag.AlignTop)
            for place, text, spans in zip(
                (1, 2), (left, right), word_diff(left, right), strict=True
            ):
                grid.addWidget(_label(text, spans, colours), row, place, Qt.AlignmentFlag.AlignTop)
        if not sample:
            nothing = QLabel("Nothing waits in this band.")
            set_role(nothing, "muted")
            grid.addWidget(nothing, 0, 1)
        grid.setRowStretch(max(1, len(sample)), 1)
        self.setWidget(box)


def _label(text: str, spans: list[Span], colours: Colours) -> QLabel:
    parts, at = [], 0
    for start, stop in spans:
        parts.append(escape(text[at:start]))
        parts.append(
            f'<span style="background-color:{colours.highlight}; text-decoration:underline">'
            f"{escape(text[start:stop])}</span>"
        )
        at = stop
    parts.append(escape(text[at:]))
    way = "rtl" if is_right_to_left(text) else "ltr"
    label = QLabel(f'<p dir="{way}" style="line-height:135%; margin:0">{"".join(parts)}</p>')
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setAccessibleName(text)
    return label


def _cut(text: str) -> str:
    line = visible(" ".join(text.split()))
    return line if len(line) <= _SHOWN_CHARACTERS else line[: _SHOWN_CHARACTERS - 1] + "…"
