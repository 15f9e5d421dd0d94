"""What a person does to silver pairs: correct, leave out, rebalance, drop all."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.jobs import JobEnd
from app.pages.multiply_notices import dropped_notice, fault_notice, rebalanced_notice
from app.workspace import Workspace
from core.store import SilverRow

_SCORES = {"same": 1.0, "different": 0.0, "take-back": None}


@dataclass(slots=True)
class _Given:
    """Changes of pairs that are on their way to the store, by their place."""

    rows: dict[int, SilverRow] = field(default_factory=dict)
    open: dict[int, int] = field(default_factory=dict)  # how many answers are awaited


class Deeds(QObject):
    """Starts the wishes; a pair shows its change at once, and the store follows."""

    told = Signal(object)  # Notice
    row_changed = Signal(object)  # SilverRow, as it will stand
    settled = Signal()  # what was given is stored, or was refused
    dropped = Signal()  # the silver pairs are gone

    def __init__(self, workspace: Workspace, page: QWidget) -> None:
        super().__init__(page)
        self._workspace = workspace
        self._page = page
        self._given = _Given()
        self._open = 0  # wishes whose end is awaited
        self.question: QMessageBox | None = None

    @property
    def given(self) -> dict[int, SilverRow]:
        """Pairs whose change is still on its way, by their place."""
        return self._given.rows

    @property
    def is_open(self) -> bool:
        """Whether something is still on its way to the store."""
        return self._open > 0

    def give(self, augmentation: int, row: SilverRow, key: str) -> None:
        """Give a pair a person's word: same, different, take-back, or leave-out and in again."""
        if key == "leave-out":
            after = row._replace(dropped=not row.dropped)
            values = {"places": [row.place], "dropped": after.dropped}
            self._change("augment-drop-pairs", augmentation, after, values)
            return
        score = _SCORES[key]
        if row.corrected == score:
            return
        values = {"place": row.place, "score": score}
        self._change("augment-correct", augmentation, row._replace(corrected=score), values)

    def take_all_in(self, augmentation: int, count: int) -> None:
        """Take in again what was left out."""
        values = {"places": list(range(count)), "dropped": False}
        self._start("augment-drop-pairs", augmentation, "Taking pairs in again", values)

    def rebalance(self, augmentation: int) -> None:
        """Leave out silver pairs until they are spread as the gold."""

        def tell(end: JobEnd) -> None:
            if end.kind == "finished":
                self.told.emit(rebalanced_notice(end.outcome["sheet"]))

        self._start("augment-rebalance", augmentation, "Rebalancing", {}, tell)

    def drop_all(self, augmentation: int, *, has_silver: bool) -> None:
        """Ask, and delete the silver pairs with all that it took to make them."""
        box = QMessageBox(self._page.window())
        box.setWindowTitle("Drop the silver pairs")
        box.setText("Drop all silver pairs of this comparison?" if has_silver
                    else "Drop this comparison?")  # fmt: skip  # one question
        box.setInformativeText(
            "They are deleted with the teachers that were compared. What you corrected stays, as "
            "gold; an encoder that was taught by them stays too."
        )
        button = box.addButton("Drop all", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton("Keep them", QMessageBox.ButtonRole.RejectRole))
        button.clicked.connect(lambda: self._drop(augmentation))
        box.finished.connect(box.deleteLater)
        self.question = box
        box.open()

    def forget(self) -> None:
        """The project is closed."""
        self._given, self._open = _Given(), 0

    def _drop(self, augmentation: int) -> None:
        def tell(end: JobEnd) -> None:
            if end.kind == "finished":
                self.told.emit(dropped_notice())
                self.dropped.emit()

        self._start("augment-drop", augmentation, "Dropping the silver pairs", {}, tell)

    def _change(
        self, wish: str, augmentation: int, after: SilverRow, values: dict[str, Any]
    ) -> None:
        given, place = self._given, after.place
        given.rows[place] = after
        given.open[place] = given.open.get(place, 0) + 1
        self.row_changed.emit(after)

        def settle(_end: JobEnd) -> None:
            given.open[place] -= 1
            if not given.open[place]:
                given.rows.pop(place, None)
            self.settled.emit()

        self._start(wish, augmentation, "Correcting a label", values, settle)

    def _start(
        self,
        wish: str,
        augmentation: int,
        title: str,
        values: dict[str, Any],
        then: Callable[[JobEnd], None] | None = None,
    ) -> None:
        def take(end: JobEnd) -> None:
            self._open = max(0, self._open - 1)
            if self._workspace.folder is None:
                return
            if end.kind == "failed":
                self.told.emit(fault_notice(end.what, end.remedy))
            if then is not None:
                then(end)

        if self._workspace.folder is not None and not self._workspace.read_only:
            self._open += 1
            told = {"augmentation": augmentation, **values}
            self._workspace.start(wish, told, title=title, lane="live", then=take)
