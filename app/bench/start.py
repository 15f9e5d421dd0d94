"""The window from its process's first moment: told line by line, the parent holds the clock."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from app.jobs import JobEnd
    from app.window import MainWindow

USABLE, OPEN, ANSWERED = "usable", "open", "answered"
HEAVY = ("torch", "transformers", "scipy", "sklearn", "faiss", "umap", "hdbscan", "numba")
_LOOK_MS = 5
_MAPPED = Qt.WidgetAttribute.WA_Mapped


def watch_start(told: Mapping[str, Any]) -> dict[str, Any]:
    """Open the program as its command does, say when it can be used, close it when it is read.

    Writes `usable` once the window has been painted and answers events, `open` once the project
    `told` names is read and, where `told` has a question, `answered` once texts are found by
    meaning. Answers which heavy libraries were loaded.
    """
    from app.main import application, main

    app = application()
    teller = _Teller(app, told.get("question", ""))
    main(Path(told["project"]))
    teller.stop()
    return {"heavy": sorted(set(HEAVY) & set(sys.modules))}


def bare_window(told: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Show an empty window of the toolkit and say when it can be used: no program is quicker."""
    app = QApplication(sys.argv[:1])
    window = QWidget()
    window.resize(1280, 800)
    window.show()
    while not window.testAttribute(_MAPPED):
        app.processEvents()
    app.processEvents()
    _say(USABLE)
    return {}


class _Teller(QObject):
    """Looks at the main window until all is said, then closes it."""

    def __init__(self, app: QApplication, question: str) -> None:
        super().__init__(app)
        self._app = app
        self._question = question
        self._is_painted = self._is_usable = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(_LOOK_MS)
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self, self._can_be_used)
        return False

    def stop(self) -> None:
        self._app.removeEventFilter(self)
        self._timer.stop()

    def _can_be_used(self) -> None:
        self._is_usable = True
        self._app.removeEventFilter(self)
        _say(USABLE)

    def _look(self) -> None:
        from app.window import MainWindow

        if not self._is_usable:
            return
        for window in self._app.topLevelWidgets():
            if isinstance(window, MainWindow) and window.workspace.state is not None:
                self.stop()
                _say(OPEN)
                if self._question:
                    self._ask(window)
                else:
                    window.close()

    def _ask(self, window: "MainWindow") -> None:
        def take(end: "JobEnd") -> None:
            if end.kind == "finished" and end.outcome["by"] == "meaning":
                _say(ANSWERED)
            window.close()

        values = {"text": self._question, "by": "meaning", "count": 10}
        window.workspace.start("search", values, title="Searching", lane="search", then=take)


def _say(word: str) -> None:
    sys.stdout.write(word + "\n")
    sys.stdout.flush()
