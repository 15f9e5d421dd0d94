"""A text in a label, with some of its words marked."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.look.theme import current_theme
from app.widgets.shown_text import is_right_to_left, visible
from app.widgets.word_diff import Span

_LONGEST = 1_200  # characters that are shown; nobody reads on in a list


class MarkedLabel(QLabel):
    """Shows one text whole, in its own direction; grows with it, and can be selected from."""

    def __init__(
        self, text: str, spans: Sequence[Span] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._text, self._spans = text, tuple(spans)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAccessibleName(text)
        if is_right_to_left(text):
            self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self._show()

    @property
    def marked(self) -> list[str]:
        """The marked parts of the text."""
        return [self._text[start:stop] for start, stop in self._spans]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()

    def _show(self) -> None:
        colours = current_theme().colours
        look = f"background-color: {colours.highlight}; text-decoration: underline;"
        shown, at, parts = visible(self._text)[:_LONGEST], 0, []
        for start, stop in self._spans:
            if start >= len(shown):
                break
            parts.append(_html(shown[at:start]))
            parts.append(f'<span style="{look}">{_html(shown[start:stop])}</span>')
            at = stop
        parts.append(_html(shown[at:]) + ("…" if len(self._text) > _LONGEST else ""))
        way = "rtl" if is_right_to_left(self._text) else "ltr"
        self.setText(f'<p dir="{way}" style="margin: 0">{"".join(parts)}</p>')


def _html(text: str) -> str:
    return escape(text).replace("\n", "<br>")
