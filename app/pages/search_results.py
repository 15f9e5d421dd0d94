"""The texts found, as a model that grows when more are asked for."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from app.look.words import count
from app.pages.search_question import Answer, Hit
from app.pages.search_reads import RowFacts
from core.records import Verdict

AnyIndex = QModelIndex | QPersistentModelIndex
LINE_ROLE = int(Qt.ItemDataRole.UserRole) + 1


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One row of the list; facts are None until they have been read."""

    hit: Hit
    facts: RowFacts | None
    verdict: Verdict | None  # beside the text that others are compared with
    is_reference: bool
    bar: float  # 0 to 1


class ResultsModel(QAbstractListModel):
    """Found texts by rank."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: Answer | None = None
        self._hits: list[Hit] = []
        self._places: dict[int, int] = {}
        self._facts: dict[int, RowFacts] = {}
        self._verdicts: Mapping[int, Verdict] = {}
        self._reference: int | None = None

    @property
    def answer(self) -> Answer | None:
        return self._answer

    @property
    def hits(self) -> list[Hit]:
        return self._hits

    def show_answer(self, answer: Answer | None) -> bool:
        """Show what was found; where more of the same is shown only rows are added.

        Returns whether the rows shown before are still the same.
        """
        hits = [] if answer is None else list(answer.hits)
        before = len(self._hits)
        grows = 0 < before <= len(hits) and _texts(hits[:before]) == _texts(self._hits)
        self._answer = answer
        if grows:
            if len(hits) > before:
                self.beginInsertRows(QModelIndex(), before, len(hits) - 1)
                self._take(hits)
                self.endInsertRows()
            else:
                self._take(hits)
            self.dataChanged.emit(self.index(0), self.index(before - 1))
            return True
        self.beginResetModel()
        self._take(hits)
        self.endResetModel()
        return False

    def missing(self) -> list[int]:
        """The rows whose facts have not been read."""
        return [hit.document for hit in self._hits if hit.document not in self._facts]

    def add_facts(self, facts: Mapping[int, RowFacts]) -> None:
        """Take facts of rows that were missing."""
        self._facts.update(facts)
        self._repaint()

    def forget_facts(self) -> None:
        """Rows have moved: what is known of them must be read again."""
        self._facts.clear()

    def show_verdicts(self, reference: int | None, verdicts: Mapping[int, Verdict]) -> None:
        """Mark the text that others are compared with, and what was said of each beside it."""
        if (reference, verdicts) != (self._reference, self._verdicts):
            self._reference, self._verdicts = reference, verdicts
            self._repaint()

    def place_of(self, text: int) -> int | None:
        """The rank of a text, from 0."""
        return self._places.get(text)

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._hits)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self._hits):
            return None
        if role == LINE_ROLE:
            return self._line(self._hits[index.row()])
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            hit = self._hits[index.row()]
            times = f", {count(hit.rows)} rows" if hit.rows > 1 else ""
            checked = "" if hit.checked is None else f", checked {hit.checked:.2f}"
            return f"{hit.body}{times}{checked}"
        return None

    def _line(self, hit: Hit) -> ResultLine:
        best = max(one.score for one in self._hits)
        bar = hit.cosine if hit.cosine is not None else hit.score / best if best > 0 else 0.0
        bar = bar if hit.checked is None else hit.checked
        return ResultLine(
            hit, self._facts.get(hit.document), self._verdicts.get(hit.text),
            hit.text == self._reference, min(max(bar, 0.0), 1.0),
        )  # fmt: skip

    def _take(self, hits: list[Hit]) -> None:
        self._hits = hits
        self._places = {hit.text: place for place, hit in enumerate(hits)}

    def _repaint(self) -> None:
        if self._hits:
            self.dataChanged.emit(self.index(0), self.index(len(self._hits) - 1), [LINE_ROLE])


def _texts(hits: list[Hit]) -> list[tuple[int, str, int]]:
    """What decides how high a row is."""
    return [(hit.text, hit.body, _first_mark(hit)) for hit in hits]


def _first_mark(hit: Hit) -> int:
    return hit.marks[0][0] if hit.marks else 0
