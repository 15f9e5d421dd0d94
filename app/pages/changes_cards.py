"""Both texts of the current line, read when it is chosen or ahead of that."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.pages.changes_reads import Card, ChangeLine, Pair, read_card
from app.workspace import Workspace


class ChangesCards(QObject):
    """Reads cards; the one that is about to be wanted is at hand when it is."""

    ready = Signal(object, object)  # ChangeLine, Card or None where a text is gone

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._ahead: dict[Pair, Card | None] = {}

    def forget(self) -> None:
        """Know nothing read ahead any more."""
        self._ahead = {}

    def want(self, line: ChangeLine) -> None:
        """Have the card of a line told by `ready`, at once if it was read ahead."""
        if line.pair in self._ahead and (card := self._ahead.pop(line.pair)) is not None:
            self.ready.emit(line, card)
            return
        self._read("changes.card", line, lambda card: self.ready.emit(line, card))

    def read_ahead(self, line: ChangeLine | None) -> None:
        """Have the card of the line at hand that comes after a decision."""
        if line is not None:
            self._read("changes.ahead", line, lambda card: self._keep(line, card))

    def _keep(self, line: ChangeLine, card: Card | None) -> None:
        self._ahead = {line.pair: card}

    def _read(self, key: str, line: ChangeLine, take: Callable[[Card | None], None]) -> None:
        self._workspace.read(key, lambda project: read_card(project, line), take)
