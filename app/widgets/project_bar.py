"""The bar at the top: which project this is, and where it stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPushButton, QToolButton, QWidget

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS, M, S

FactState = Literal["plain", "stale", "warning"]
_HEIGHT = 48


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to know about the project; a stale one can be brought up to date."""

    key: str
    text: str
    state: FactState = "plain"


class ProjectBar(QFrame):
    """The project's menu and its facts as quiet links; those without room go into a menu."""

    fact_clicked = Signal(str)
    refresh_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "bar")
        self.setFixedHeight(_HEIGHT)
        self.setAccessibleName("Project")
        self._facts: list[_FactButtons] = []
        self._name = QToolButton()
        self._name.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._name.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._name.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron comes last
        self._name.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        set_role(self._name, "project")
        set_icon(self._name, "chevron-down", current_theme().colours)
        self._more = QToolButton()
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.setAccessibleName("More facts")
        self._more.setMenu(QMenu(self._more))
        set_icon(self._more, "more", current_theme().colours)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(S, 0, M, 0)
        self._row.setSpacing(XS)
        self._row.addWidget(self._name)
        self._row.addStretch(1)
        self._row.addWidget(self._more)
        self._more.hide()
        self.show_project("No project")

    def show_project(self, name: str) -> None:
        self._name.setText(name)
        self._name.setAccessibleName(f"Project {name}")

    def set_menu(self, menu: QMenu) -> None:
        """The menu that opens under the project's name."""
        self._name.setMenu(menu)

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Show facts in order, the most important first; the same keys keep their buttons."""
        if [shown.fact.key for shown in self._facts] != [fact.key for fact in facts]:
            for shown in self._facts:
                self._row.removeWidget(shown)
                shown.hide()
                shown.deleteLater()
            self._facts = []
            for place, fact in enumerate(facts):
                made = _FactButtons(fact, self)
                made.text_button.clicked.connect(
                    lambda _=False, key=fact.key: self.fact_clicked.emit(key)
                )
                made.refresh_button.clicked.connect(
                    lambda _=False, key=fact.key: self.refresh_wanted.emit(key)
                )
                self._row.insertWidget(2 + place, made)
                self._facts.append(made)
        for shown, fact in zip(self._facts, facts, strict=True):
            shown.show_fact(fact)
        self._make_room()

    def minimumSizeHint(self) -> QSize:
        return QSize(320, _HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Hide facts from the end until the rest fits, and list them in the last button."""
        room = self.width() - self._name.sizeHint().width() - S - M - 2 * XS
        wide = [shown.sizeHint().width() + XS for shown in self._facts]
        fits = len(wide)
        more = self._more.sizeHint().width() + XS
        while fits and sum(wide[:fits]) + (more if fits < len(wide) else 0) > room:
            fits -= 1
        menu = self._more.menu()
        menu.clear()
        for place, shown in enumerate(self._facts):
            shown.setVisible(place < fits)
            if place >= fits:
                action = menu.addAction(shown.fact.text)
                action.triggered.connect(
                    lambda _=False, key=shown.fact.key: self.fact_clicked.emit(key)
                )
        self._more.setVisible(fits < len(self._facts))


class _FactButtons(QWidget):
    def __init__(self, fact: Fact, parent: QWidget) -> None:
        super().__init__(parent)
        self.fact = fact
        self.text_button = QPushButton()
        self.text_button.setCursor(Qt.CursorShape.PointingHandCursor)
        set_role(self.text_button, "fact")
        self.refresh_button = QToolButton()
        self.refresh_button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self.refresh_button.setCursor(Qt.CursorShape.PointingHandCursor)
        set_icon(self.refresh_button, "refresh", current_theme().colours, tone="unsure")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.text_button)
        row.addWidget(self.refresh_button)
        self.show_fact(fact)

    def show_fact(self, fact: Fact) -> None:
        self.fact = fact
        stale = fact.state == "stale"
        self.text_button.setText(fact.text)
        self.text_button.setAccessibleName(f"{fact.text}, out of date" if stale else fact.text)
        if self.text_button.property("state") != fact.state:
            self.text_button.setProperty("state", fact.state)
            self.text_button.style().unpolish(self.text_button)
            self.text_button.style().polish(self.text_button)
        self.refresh_button.setVisible(stale)
        self.refresh_button.setAccessibleName(f"Bring up to date: {fact.text}")
        self.refresh_button.setToolTip("Bring up to date")
