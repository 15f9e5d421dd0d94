"""Take the real files through the window: `python scripts/whole_path_window.py FOLDER [NAME]`.

The real window, drawn without a screen, with its real workers: files are imported through the
import sheet, duplicates found by the menu, five pairs decided by key, and the kept rows
exported through the export sheet. Prints a Markdown table of what a person would wait for.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.look.theme import Look
from app.main import application
from app.pages.duplicates import DuplicatesPage
from app.settings import SettingsFile
from app.sheets.export_sheet import ExportSheet
from app.window import MainWindow
from app.window_pages import PAGES
from core.records import Verdict
from core.store import Project

_CORPORA = {
    "airline-tweets": ("airline-tweets/airline-tweets.csv.gz", ("text",)),
    "it-tickets": ("it-tickets/latest_ticket_data.csv", ("Description",)),
    "er-cora": ("er-cora/cora.csv", ("authors", "title", "journal", "booktitle", "date")),
}
_PATIENCE_S = 900.0
_KEYS = (Qt.Key.Key_S, Qt.Key.Key_D, Qt.Key.Key_U, Qt.Key.Key_S, Qt.Key.Key_D)


def main() -> None:
    """Take every corpus, or the ones named, through the window."""
    home, data = Path(sys.argv[1]), Path(os.environ["SAMESENSE_DATA"])
    home.mkdir(parents=True, exist_ok=True)
    app = application()
    look = Look(app, "light")
    _say("| corpus | import s | find duplicates s | five decisions s | export s | outcome |")
    _say("|---|---|---|---|---|---|")
    for name in sys.argv[2:] or list(_CORPORA):
        _say(_walk(name, home, data))
    look.deleteLater()


def _walk(name: str, home: Path, data: Path) -> str:
    file, texts = _CORPORA[name]
    settings = SettingsFile(home / name / "settings.json")
    settings.change(projects=str(home / name))
    window = MainWindow(settings, pages=PAGES)
    window.resize(1280, 800)
    window.show()
    try:
        times = [
            _timed(lambda: _import(window, data / file, texts)),
            _timed(lambda: _prepare(window)),
            _timed(lambda: _decide(window)),
        ]
        to = home / name / "kept.csv"
        times.append(_timed(lambda: _export(window, to)))
        return _row(name, times, window)
    finally:
        window.close()


def _import(window: MainWindow, file: Path, texts: tuple[str, ...]) -> None:
    window.import_files([file])
    _wait(lambda: window.imports.sheet is not None and window.imports.sheet.plan is not None)
    sheet = window.imports.sheet
    if sheet is None or sheet.plan is None:
        raise RuntimeError("the sheet is gone")
    for column in sheet.plan.inspected.reading.columns:
        if column in texts:
            sheet.choose(column, "text")
        elif column in sheet.plan.texts:
            sheet.choose(column, "keep")
    sheet.accept()
    _wait(lambda: window.workspace.state is not None and window.workspace.state.rows > 0)


def _prepare(window: MainWindow) -> None:
    _wait(lambda: window.actions_["prepare"].isEnabled())
    window.actions_["prepare"].trigger()
    _wait(lambda: window.workspace.state is not None and window.workspace.state.grouping)


def _decide(window: MainWindow) -> None:
    window.show_page("Duplicates")
    page = window.page
    if not isinstance(page, DuplicatesPage):
        raise RuntimeError("the page is another")
    for number, key in enumerate(_KEYS, 1):
        _wait(lambda: page.is_settled and page.left > 0)
        window.activateWindow()
        QTest.qWaitForWindowActive(window)
        QTest.keyClick(QApplication.focusWidget() or page, key)
        _wait(lambda: _decided(window) >= number)  # noqa: B023 - called within its own turn
    _wait(lambda: page.is_settled)


def _decided(window: MainWindow) -> int:
    if window.workspace.folder is None:
        raise RuntimeError("the project is closed")
    with Project.open_read_only(window.workspace.folder) as project:
        return sum(project.decisions.counts().values())


def _export(window: MainWindow, to: Path) -> None:
    window.actions_["export"].trigger()
    _wait(lambda: window.findChild(ExportSheet) is not None)
    sheet = window.findChild(ExportSheet)
    if sheet is None:
        raise RuntimeError("the sheet is gone")
    _wait(sheet.export_button.isEnabled)
    sheet.path.setText(str(to))
    sheet.export_button.click()
    _wait(lambda: to.is_file() and not window.jobs.running())
    sheet.reject()


def _row(name: str, times: list[float], window: MainWindow) -> str:
    folder = window.workspace.folder
    if folder is None:
        raise RuntimeError("the project is closed")
    with Project.open_read_only(folder) as project:
        grouping, decided = project.groupings.current(), project.decisions.counts()
    counts = grouping.counts if grouping else {}
    verdicts = ", ".join(f"{decided[verdict]} {verdict}" for verdict in Verdict)
    shown = " | ".join(f"{seconds:.1f}" for seconds in times)
    return (
        f"| {name} | {shown} | {counts['rows']:,} rows = {counts['kept']:,} kept + "
        f"{counts['removed']:,} removed, {counts['review']:,} to review; {verdicts} |"
    )


def _timed(work: Callable[[], None]) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started


def _wait(holds: Callable[[], object]) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError("waited in vain")
        QApplication.processEvents()
        QTest.qWait(20)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
