"""A person's way through the program: menus and keys only, with the real engine behind."""

import csv
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QWidget
from shiboken6 import isValid

from app.pages.duplicates import DuplicatesPage
from app.settings import SettingsFile
from app.sheets.bulk_sheet import BulkSheet
from app.sheets.export_sheet import ExportSheet
from app.window import MainWindow
from app.window_pages import PAGES
from core.store import Project

TINY = Path(__file__).resolve().parent.parent / "models" / "bert"
CTRL = Qt.KeyboardModifier.ControlModifier


def corpus() -> list[str]:
    """Forty messages: copies, messages that differ a little, and others."""
    things = ["bike", "bicycle", "car", "phone", "dog", "cat", "market", "house"]
    texts = [f"please fix the {thing} for me today" for thing in things]
    texts += [f"please fix the {thing} for me" for thing in things]
    texts += [f"the {thing} runs well and I am happy with it" for thing in things]
    texts += [f"please fix the {thing} for me today" for thing in things]
    texts += [f"where is the {thing} that I bought on a market" for thing in things]
    return texts


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "messages.csv"
    rows = [f"{i},{text}" for i, text in enumerate(corpus(), 1)]
    made.write_text("\n".join(["id,message", *rows]) + "\n", encoding="utf-8")
    return made


@pytest.fixture
def settings(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> SettingsFile:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    made = SettingsFile(own_home / "settings.json")
    made.change(encoder=str(TINY), precision="fp32")
    return made


@pytest.fixture
def windows(app: QApplication, settings: SettingsFile) -> Iterator[Callable[[], MainWindow]]:
    """Open a window; every one is closed in the end."""
    made: list[MainWindow] = []

    def build() -> MainWindow:
        window = MainWindow(settings, pages=PAGES)
        window.resize(1280, 800)
        window.show()
        QTest.qWaitForWindowExposed(window)
        made.append(window)
        return window

    yield build
    for window in made:
        window.close()


def until(holds: Callable[[], object], seconds: float = 200, what: str = "") -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"waited in vain for {what}"
        QTest.qWait(20)


def press(widget: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    if QApplication.activeWindow() is None:
        # A window manager gives the keys back to the window once a dialog is gone; without a
        # screen there is none to do it.
        widget.window().activateWindow()
        QTest.qWait(50)
    QTest.keyClick(widget, key, modifier or Qt.KeyboardModifier.NoModifier)
    QTest.qWait(30)


def focused(window: MainWindow) -> QWidget:
    """Where a key of this person's keyboard goes."""
    return QApplication.focusWidget() or window


def dialog(kind: str) -> QDialog:
    """The open dialog of this class."""
    found: list[QDialog] = []

    def look() -> bool:
        found[:] = [
            widget
            for widget in QApplication.topLevelWidgets()
            if isinstance(widget, QDialog) and widget.isVisible() and type(widget).__name__ == kind
        ]
        return bool(found)

    until(look, 30, kind)
    return found[0]


def type_into_file_dialog(path: Path) -> None:
    """Answer the file dialog that is about to open, by its keyboard."""

    def answer() -> None:
        shown = QApplication.activeModalWidget()
        if not isinstance(shown, QFileDialog):
            QTimer.singleShot(50, answer)
            return
        field = shown.findChild(QLineEdit)
        assert field is not None
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, str(path))
        QTest.keyClick(field, Qt.Key.Key_Return)

    QTimer.singleShot(50, answer)


def tab_to(window: MainWindow, name: str) -> QWidget:
    """Press Tab until the control with this accessible name has the keys."""
    for _ in range(60):
        press(focused(window), Qt.Key.Key_Tab)
        if focused(window).accessibleName().startswith(name):
            return focused(window)
    raise AssertionError(f"Tab never reaches {name}")


def idle(window: MainWindow) -> None:
    until(lambda: not window.jobs.running(), what="the jobs to end")
    QTest.qWait(700)  # regrouping after decisions waits for a pause in the keys


def decided(window: MainWindow) -> int:
    folder = window.workspace.folder
    assert folder is not None
    with Project.open_read_only(folder) as project:
        return sum(project.decisions.counts().values())


def test_from_a_file_to_a_clean_table_and_back_again(
    windows: Callable[[], MainWindow], file: Path, tmp_path: Path
) -> None:
    window = windows()

    type_into_file_dialog(file)
    press(window, Qt.Key.Key_I, CTRL)
    sheet = dialog("ImportSheet")
    until(lambda: getattr(sheet, "plan", None) is not None, 30, "the preview")
    QTest.qWait(300)
    press(QApplication.focusWidget() or sheet, Qt.Key.Key_Return)
    until(lambda: window.workspace.state is not None and window.workspace.state.rows == 40)
    idle(window)

    press(window, Qt.Key.Key_R, CTRL)
    until(
        lambda: window.workspace.state is not None and window.workspace.state.grouping is not None,
        what="the groups",
    )
    idle(window)

    press(window, Qt.Key.Key_2, CTRL)
    page = window.page
    assert isinstance(page, DuplicatesPage)
    QTest.qWait(500)
    for key in (Qt.Key.Key_S, Qt.Key.Key_D, Qt.Key.Key_U, Qt.Key.Key_S, Qt.Key.Key_D):
        until(lambda: page.is_settled, what="the next pair")
        press(focused(window), key)
    idle(window)
    assert decided(window) == 5

    press(focused(window), Qt.Key.Key_B)
    bulk = dialog("BulkSheet")
    assert isinstance(bulk, BulkSheet)
    until(bulk.accept_button.isEnabled, 60, "the pairs of the band")
    press(QApplication.focusWidget() or bulk, Qt.Key.Key_Return)
    until(lambda: not isValid(bulk) or not bulk.isVisible(), 30, "the bulk sheet to close")
    idle(window)
    after_bulk = decided(window)
    assert after_bulk > 5

    press(window, Qt.Key.Key_Z, CTRL)
    idle(window)
    assert decided(window) == 5

    before = window.workspace.state.grouping if window.workspace.state else None
    assert before is not None
    histogram = tab_to(window, "Pairs by cosine")
    press(histogram, Qt.Key.Key_Tab)  # from the lower handle to the upper one
    for _ in range(3):
        press(histogram, Qt.Key.Key_Left)
    idle(window)
    until(
        lambda: (
            window.workspace.state is not None
            and window.workspace.state.grouping is not None
            and window.workspace.state.grouping.threshold != before.threshold
        ),
        what="other groups",
    )

    kept = tmp_path / "kept.csv"
    press(window, Qt.Key.Key_E, CTRL)
    export = dialog("ExportSheet")
    assert isinstance(export, ExportSheet)
    until(export.export_button.isEnabled, 60, "the counts of the export")
    place = next(field for field in export.findChildren(QLineEdit) if field.text().endswith(".csv"))
    place.setFocus()
    place.selectAll()
    QTest.keyClicks(place, str(kept))
    press(place, Qt.Key.Key_Return)
    until(kept.is_file, 30, "the exported file")
    idle(window)
    with kept.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    grouping = window.workspace.state.grouping if window.workspace.state else None
    assert grouping is not None
    assert len(rows) == grouping.counts["kept"] < 40

    press(QApplication.focusWidget() or export, Qt.Key.Key_Escape)
    until(lambda: not isValid(export) or not export.isVisible(), 30, "the export sheet to close")
    press(window, Qt.Key.Key_Q, CTRL)
    until(lambda: not window.isVisible(), 30, "the window to close")

    again = windows()
    until(lambda: again.start_page.recents, what="the recent projects")
    recent = tab_to(again, "Recent projects")
    press(recent, Qt.Key.Key_Return)
    until(lambda: again.workspace.state is not None, what="the project to open again")
    assert decided(again) == 5
    state = again.workspace.state
    assert state is not None
    assert (state.rows, state.grouping) == (40, grouping)
    assert again.page is not None
    assert again.page.name == "Duplicates"
