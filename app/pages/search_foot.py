"""The line under the results: what can be done with the texts chosen."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS, M, S
from app.widgets.elided import ElidedLabel
from app.widgets.tags import ToneName
from app.widgets.verdict_button import VerdictButton
from core.records import Verdict

_HEIGHT = 34
_VERDICTS: tuple[tuple[Verdict, str, str, ToneName], ...] = (
    (Verdict.DIFFERENT, "Different", "D", "different"),
    (Verdict.UNSURE, "Unsure", "U", "unsure"),
    (Verdict.SAME, "Same", "S", "same"),
)
_TOOLS = (
    ("export", "export", "Export… (Ctrl+Shift+E)"),
    ("map", "map", "Show on the map (Ctrl+M)"),
    ("corpus", "corpus", "Show in the corpus (Ctrl+Return)"),
)


class SelectionFoot(QFrame):
    """Buttons that stay where they are; those that cannot be used are faint."""

    verdict_given = Signal(object)  # Verdict
    tool_pressed = Signal(str)  # export, map, corpus

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "strip")
        self._words = ElidedLabel()
        self._words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        set_role(self._words, "muted")
        self._verdicts = {
            verdict: VerdictButton(words, key, tone, quiet=True)
            for verdict, words, key, tone in _VERDICTS
        }
        self._tools = {key: _tool(icon, words) for key, icon, words in _TOOLS}
        row = QHBoxLayout(self)
        row.setContentsMargins(M + XS, XS, S, XS)
        row.setSpacing(XS)
        row.addWidget(self._words, 1)
        for verdict, button in self._verdicts.items():
            button.setFixedHeight(_HEIGHT)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, v=verdict: self.verdict_given.emit(v))
            row.addWidget(button)
        line = QFrame()
        set_role(line, "upright")
        row.addSpacing(XS)
        row.addWidget(line)
        row.addSpacing(XS)
        for key, tool in self._tools.items():
            tool.clicked.connect(lambda _=False, key=key: self.tool_pressed.emit(key))
            row.addWidget(tool)

    @property
    def words(self) -> str:
        return self._words.text()

    def say(self, words: str) -> None:
        """Tell how much is chosen, in a few words."""
        self._words.setText(words)
        self._words.setToolTip(words)

    def allow(self, *, deciding: bool, using: bool) -> None:
        """Turn on what can be done with the texts chosen."""
        for button in self._verdicts.values():
            button.setEnabled(deciding)
        for tool in self._tools.values():
            tool.setEnabled(using)


def _tool(icon: str, words: str) -> QToolButton:
    button = QToolButton()
    button.setIconSize(QSize(ICON_SMALL + 2, ICON_SMALL + 2))
    button.setAccessibleName(words.split(" (")[0].rstrip("…"))
    button.setToolTip(words)
    button.setFixedHeight(_HEIGHT)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    set_icon(button, icon, current_theme().colours)
    return button
