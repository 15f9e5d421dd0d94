"""The bar above the map: colours, levels, what is left over, and finding."""

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QToolButton,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import current_theme, set_role
from app.look.tokens import ICON_SMALL, XS, M, S
from app.look.words import counted
from app.pages.duplicates_bar import QuietCombo
from app.pages.map_colours import BY_CLUSTER, BY_DECISION, BY_SCORE, COLUMN, DATE, PLAIN
from app.pages.map_levels import LeftoverButton, LevelControl
from app.pages.map_reads import Columns

_FIND_AFTER_MS = 180
_HEIGHT = 48
_NARROW = 1000


class MapBar(QWidget):
    """One line of controls; what is rarely wanted gives way first."""

    colour_wanted = Signal(str)  # a key such as "cluster" or "column:city"
    words_wanted = Signal(str)  # what is looked for, empty for nothing
    found_opened = Signal()  # Enter in the field

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.colour = QuietCombo()
        self.level = LevelControl()
        self.leftover = LeftoverButton()
        self.find_field = FindField()
        self.export = _button("export", "Export")
        self.more = _button("more", "More for the map")
        self._columns = Columns()
        self._has_scores = False
        self._of_levels: list[QWidget] = []
        self._of_leftover: list[QWidget] = []
        self._label = QLabel("Colour by")
        self._lay_out()
        self._fill()
        self.colour.currentIndexChanged.connect(
            lambda _at: self.colour_wanted.emit(self.colour_key)
        )
        self.find_field.paused.connect(self.words_wanted)
        self.find_field.returnPressed.connect(self.found_opened)

    @property
    def colour_key(self) -> str:
        """What the points are coloured by."""
        return str(self.colour.currentData())

    def colour_by(self, key: str) -> None:
        """Choose another colouring, as a search does."""
        at = self.colour.findData(key)
        if at >= 0:
            self.colour.setCurrentIndex(at)

    def show_columns(self, columns: Columns) -> None:
        """Offer these columns to colour by."""
        if columns != self._columns:
            self._columns = columns
            self._fill()

    def offer_scores(self, offered: bool) -> None:
        """Offer the scores of a search, once there was one."""
        if offered != self._has_scores:
            self._has_scores = offered
            self._fill()

    def show_clusters(self, *, levels: bool, leftover: bool) -> None:
        """Show the slider where there is more than one level, the share where it can change."""
        for part in self._of_levels:
            part.setVisible(levels)
        for part in self._of_leftover:
            part.setVisible(leftover)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW
        self._label.setVisible(not is_narrow)
        self.level.set_narrow(is_narrow)

    def _fill(self) -> None:
        """Offer what there is, with what was chosen before still chosen."""
        chosen = self.colour.currentData()
        choices = [("Cluster", BY_CLUSTER), ("Decision", BY_DECISION)]
        if self._has_scores:
            choices.append(("Search score", BY_SCORE))
        choices.append(("One colour", PLAIN))
        own = [(name, DATE + name) for name in self._columns.own if name in self._columns.dates]
        own += [
            (name, COLUMN + name) for name in self._columns.own if name not in self._columns.dates
        ]
        self.colour.blockSignals(True)
        self.colour.clear()
        for words, key in choices:
            self.colour.addItem(words, key)
        if own:
            self.colour.insertSeparator(self.colour.count())
        for words, key in own:
            self.colour.addItem(words, key)
        self.colour.setCurrentIndex(max(self.colour.findData(chosen), 0))
        self.colour.blockSignals(False)
        if chosen is not None and self.colour.currentData() != chosen:
            self.colour_wanted.emit(self.colour_key)

    def _lay_out(self) -> None:
        self.setFixedHeight(_HEIGHT)
        self.colour.setAccessibleName("Colour by")
        self.colour.setFixedWidth(132)
        self.colour.view().setMinimumWidth(190)
        self._label.setBuddy(self.colour)
        set_role(self._label, "muted")
        line = _upright()
        second = _upright()
        self._of_levels = [line, self.level]
        self._of_leftover = [second, self.leftover]
        row = QHBoxLayout(self)
        row.setContentsMargins(M, S - 1, S, S - 1)
        row.setSpacing(S)
        row.addWidget(self._label)
        row.addWidget(self.colour)
        for part in (*self._of_levels, *self._of_leftover):
            row.addWidget(part)
        row.addStretch(1)
        row.addWidget(self.find_field, 2)
        row.addWidget(self.export)
        row.addWidget(self.more)

    def set_menus(self, export: list[QAction], more: list[QAction]) -> None:
        """What the two buttons at the right offer."""
        for button, actions in ((self.export, export), (self.more, more)):
            menu = QMenu(self)
            menu.addActions(actions)
            button.setMenu(menu)


class FindField(QLineEdit):
    """Looks for words once typing has paused; tells how much was found."""

    paused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText("Find texts")
        self.setAccessibleName("Find texts on the map")
        self.setClearButtonEnabled(False)
        self.setMinimumWidth(110)
        self.setMaximumWidth(260)
        self._sign = QAction(self)
        set_icon(self._sign, "search", current_theme().colours)
        self.addAction(self._sign, QLineEdit.ActionPosition.LeadingPosition)
        self._found = QLabel(self)
        set_role(self._found, "meta")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_FIND_AFTER_MS)
        self._timer.timeout.connect(lambda: self.paused.emit(self.text().strip()))
        self.textChanged.connect(self._wait)

    @property
    def found(self) -> str:
        """How much was found, in words."""
        return self._found.text()

    def show_found(self, texts: int | None) -> None:
        """Say how many texts hold the words; None: nothing is looked for."""
        self._found.setText("" if texts is None else counted(texts, "text") if texts else "none")
        self._found.adjustSize()
        room = self._found.width() + M if texts is not None else XS
        self.setTextMargins(0, 0, room, 0)
        self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self._timer.stop()
            self.paused.emit("")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._timer.isActive():
            self._timer.stop()
            self.paused.emit(self.text().strip())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]  # Qt's own event
        self._place()

    def _wait(self) -> None:
        self._timer.start()

    def _place(self) -> None:
        spot = self._found.rect()
        spot.moveCenter(self.rect().center())
        spot.moveRight(self.rect().right() - S - 1)
        self._found.move(spot.topLeft())


def _button(icon: str, words: str) -> QToolButton:
    button = QToolButton()
    button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setAccessibleName(words)
    button.setToolTip(words)
    set_icon(button, icon, current_theme().colours)
    return button


def _upright() -> QFrame:
    line = QFrame()
    set_role(line, "upright")
    line.setFixedHeight(20)
    return line
