"""The controls above the groups: filter, order, and how groups are made."""

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import set_icon
from app.look.theme import set_role, theme_of
from app.look.tokens import ICON_SMALL, L, M, S
from app.pages.duplicates_reads import Settings
from core.options import GroupOptions, choice_of
from core.store import GroupFilter

_BESIDE = 290  # pixels from which both combos fit beside each other
_FILTERS = (
    ("All groups", "all"),
    ("To review", "review"),
    ("Copies", "copies"),
    ("Removed automatically", "similar"),
    ("Near-copies", "near-copies"),
    ("Paraphrases", "paraphrases"),
    ("Number differs", "numbers"),
    ("Negation differs", "negation"),
    ("Decided", "decided"),
    ("Unsure", "unsure"),
)
_SORTS = (
    ("Largest first", "size"),
    ("Surest review first", "review"),
    ("Weakest link first", "weakest"),
    ("Order of the file", "place"),
)
_CHECKED = ("Lowest checked first", "checked")  # once a cross-encoder has read some pairs
_RULES = (
    ("The first row of the file", "first"),
    ("The longest text", "longest"),
    ("The most typical text", "central"),
)


class QuietCombo(QComboBox):
    """A combo whose letters choose in it, where the page has single letters as keys."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = event.modifiers() in (
                Qt.KeyboardModifier.NoModifier,
                Qt.KeyboardModifier.ShiftModifier,
            )
            if plain and (event.text().strip() or event.key() == Qt.Key.Key_Space):
                event.accept()
                return True
        return super().event(event)


class FilterBar(QWidget):
    """Which groups the list shows, and in which order."""

    changed = Signal(object)  # GroupFilter

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._show = _combo("Which groups")
        self._sort = _combo("Order of the groups")
        for words, key in _FILTERS:
            self._show.addItem(words, (key, None))
        for words, key in _SORTS:
            self._sort.addItem(words, key)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(S, S, S, S)
        self._row.setSpacing(S)
        self._row.addWidget(self._show, 1)
        self._row.addWidget(self._sort, 1)
        self._show.currentIndexChanged.connect(self._tell)
        self._sort.currentIndexChanged.connect(self._tell)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < _BESIDE
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if way != self._row.direction():
            self._row.setDirection(way)

    @property
    def wanted(self) -> GroupFilter:
        show, source = self._show.currentData()
        return GroupFilter(show, self._sort.currentData(), source)

    def choose(self, show: str) -> None:
        """Set the filter, as a link from elsewhere does."""
        at = next((n for n, (_, key) in enumerate(_FILTERS) if key == show), 0)
        self._show.setCurrentIndex(at)

    def show_checked(self, is_checked: bool) -> None:
        """Offer the order by what a cross-encoder said, once it has said something."""
        at = self._sort.findData(_CHECKED[1])
        if is_checked and at < 0:
            self._sort.addItem(*_CHECKED)
        elif not is_checked and at >= 0:
            self._sort.removeItem(at)

    def show_sources(self, sources: tuple[tuple[int, str], ...]) -> None:
        """Offer the rows of each file, once there is more than one."""
        chosen = self._show.currentData()
        self._show.blockSignals(True)
        while self._show.count() > len(_FILTERS):
            self._show.removeItem(self._show.count() - 1)
        if len(sources) > 1:
            self._show.insertSeparator(self._show.count())
            for number, name in sources:
                self._show.addItem(f"Rows of {name} that others have", ("all", number))
        at = next((n for n in range(self._show.count()) if self._show.itemData(n) == chosen), 0)
        self._show.setCurrentIndex(at)
        self._show.blockSignals(False)

    def _tell(self) -> None:
        self.changed.emit(self.wanted)


class RulesPopover(QFrame):
    """Which row stays, and whether alike pairs with another number wait for a person."""

    changed = Signal(str, bool)  # keep, hold_back

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_role(self, "card")
        self.setAccessibleName("How groups are made")
        self._keep = QuietCombo()
        self._keep.setAccessibleName("Which row stays")
        self._hold = QCheckBox(choice_of(GroupOptions, "hold_back").title)
        self._fill(())
        title = QLabel("Which row of a group stays")
        set_role(title, "strong")
        note = QLabel("A row you chose with K stays whatever the rule.")
        help_ = QLabel(
            "Such pairs are never removed automatically, however alike they look: "
            "they are put before you."
        )
        for label in (note, help_):
            set_role(label, "muted")
            label.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(S)
        for part in (title, self._keep, note):
            column.addWidget(part)
        column.addSpacing(M)
        column.addWidget(self._hold)
        column.addWidget(help_)
        self.setFixedWidth(520)
        self._keep.activated.connect(self._tell)
        self._hold.clicked.connect(self._tell)

    def show_settings(self, settings: Settings) -> None:
        """Show the rules that hold now."""
        self._fill(settings.date_columns)
        at = self._keep.findData(settings.options.keep)
        self._keep.setCurrentIndex(max(0, at))
        self._hold.setChecked(settings.options.hold_back)

    def open_under(self, button: QWidget) -> None:
        """Open below the button's right edge and take the keys."""
        self.adjustSize()
        spot = button.mapToGlobal(QPoint(button.width() - self.width(), button.height() + 4))
        self.move(spot)
        self.show()
        self._keep.setFocus()

    def _fill(self, dates: tuple[str, ...]) -> None:
        self._keep.clear()
        for words, key in _RULES:
            self._keep.addItem(words, key)
        for name in dates:
            self._keep.addItem(f"The newest by {name}", f"newest:{name}")

    def _tell(self) -> None:
        self.changed.emit(self._keep.currentData(), self._hold.isChecked())


def gear_button(parent: QWidget) -> QToolButton:
    """The button that opens the rules."""
    button = QToolButton(parent)
    button.setIconSize(QSize(ICON_SMALL + 2, ICON_SMALL + 2))
    button.setAccessibleName("How groups are made")
    button.setToolTip("How groups are made")
    set_icon(button, "settings", theme_of(parent).colours)
    return button


def _combo(name: str) -> QuietCombo:
    combo = QuietCombo()
    combo.setAccessibleName(name)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(8)
    combo.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    combo.view().setMinimumWidth(220)
    return combo
