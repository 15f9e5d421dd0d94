"""Take the real files through the window: `python scripts/whole_path_window.py FOLDER [NAME…]`.

The real window, drawn without a screen, with its real workers: files are imported through the
import sheet, duplicates found by the menu, five pairs decided by key, the map drawn by its
button, a question typed into the search field, judged pairs imported and an encoder taught and
taken into use on the Teach page, and the clusters exported through the export sheet. The judged
pairs are simulated: of the pairs exported, the 60 nearest are called the same and the 60
farthest different. Prints a Markdown table of what a person would wait for. The encoder is the
default one; SAMESENSE_DATA names the folder of files.
"""

import csv
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.look.theme import Look
from app.main import application
from app.pages.duplicates import DuplicatesPage
from app.pages.map import MapPage
from app.pages.page import Page
from app.pages.search import SearchPage
from app.pages.teach import TeachPage
from app.settings import SettingsFile
from app.sheets.export_sheet import ExportSheet
from app.window import MainWindow
from app.window_pages import PAGES
from core.records import Verdict
from core.store import Project, TrainingRecord


@dataclass(frozen=True, slots=True)
class Corpus:
    """A file of the evaluation data, the columns that hold its texts, and a question to it."""

    file: str
    texts: tuple[str, ...]
    question: str


_CORPORA = {
    "airline-tweets": Corpus(
        "airline-tweets/airline-tweets.csv.gz", ("text",), "my luggage was lost"
    ),
    "it-tickets": Corpus(
        "it-tickets/latest_ticket_data.csv", ("Description",), "I cannot log in"
    ),
    "banking77": Corpus("banking77/test.csv", ("text",), "my card was stolen"),
    "stackoverflow-20k": Corpus("stackoverflow-20k", ("title",), "speed up a slow query"),
    "er-cora": Corpus(
        "er-cora/cora.csv", ("authors", "title", "journal", "booktitle", "date"),
        "learning decision trees",
    ),
}  # fmt: skip
_STEPS = (
    "import", "find duplicates", "five decisions", "map and clusters", "search (warm)",
    "import judged pairs", "teach, 1 epoch", "use", "export clusters",
)  # fmt: skip
_PATIENCE_S = 1800.0
_KEYS = (Qt.Key.Key_S, Qt.Key.Key_D, Qt.Key.Key_U, Qt.Key.Key_S, Qt.Key.Key_D)
_JUDGED = 60  # pairs called the same, and as many called different
_BETWEEN_KEYS_MS = 90
_AnyPage = TypeVar("_AnyPage", bound=Page)


def main() -> None:
    """Take every corpus, or the ones named, through the window."""
    home, data = Path(sys.argv[1]), Path(os.environ["SAMESENSE_DATA"])
    home.mkdir(parents=True, exist_ok=True)
    app = application()
    look = Look(app, "light")
    _say(f"| corpus | {' | '.join(f'{step} s' for step in _STEPS)} | outcome |")
    _say("|---" * (len(_STEPS) + 2) + "|")
    for name in sys.argv[2:] or list(_CORPORA):
        _say(_walk(name, home / name, data))
    look.deleteLater()


def _walk(name: str, home: Path, data: Path) -> str:
    corpus = _CORPORA[name]
    home.mkdir(exist_ok=True)
    file = data / corpus.file
    if file.is_dir():
        file = _joined(file, home / f"{name}.csv")
    settings = SettingsFile(home / "settings.json")
    settings.change(projects=str(home))
    window = MainWindow(settings, pages=PAGES)
    window.resize(1280, 800)
    window.show()
    try:
        times = [
            _timed(lambda: _import(window, file, corpus.texts)),
            _timed(lambda: _prepare(window)),
            _timed(lambda: _decide(window)),
            _timed(lambda: _draw(window)),
            _search(window, corpus.question),
        ]
        judged = _judge(_export(window, "pairs", home / "pairs.csv"), home / "judged.csv")
        times += [
            _timed(lambda: _import_pairs(window, judged)),
            _timed(lambda: _teach(window)),
            _timed(lambda: _use(window)),
            _timed(lambda: _export(window, "clusters", home / "clusters.csv")),
        ]
        return _row(name, times, window)
    finally:
        window.workspace.close()  # with a job running, the window would ask a person
        window.close()


def _joined(folder: Path, to: Path) -> Path:
    """A table of a folder with a file of texts and a file of labels, line by line."""
    labels, texts = (
        file.read_text("utf-8").splitlines()
        for file in sorted(folder.glob("*.txt"), key=lambda file: file.stat().st_size)[-2:]
    )
    with to.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(("label", "title"))
        writer.writerows(zip(labels, texts, strict=True))
    return to


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
    page = _shown(window, DuplicatesPage)
    for number, key in enumerate(_KEYS, 1):
        _wait(lambda: page.is_settled and page.left > 0)
        _press(window, page, key)
        _wait(lambda: _decided(window) >= number)  # noqa: B023 - called within its own turn
    _wait(lambda: page.is_settled)


def _decided(window: MainWindow) -> int:
    with _opened(window) as project:
        return sum(project.decisions.counts().values())


def _draw(window: MainWindow) -> None:
    page = _shown(window, MapPage)
    _wait(lambda: not page.drawing.is_drawing)
    page.view.empty.wanted.emit()
    _wait(lambda: page.feed.clusters is not None and page.is_settled)
    _wait(lambda: not page.view.canvas.view.is_busy)


def _search(window: MainWindow, question: str) -> float:
    """Type a question; the seconds from the last key to the answer, the encoder being loaded."""
    page = _shown(window, SearchPage)
    _wait(lambda: page.asking.is_warm)
    page.focus_search()
    for letter in question[:-1]:
        QTest.keyClicks(page.bar.box, letter)
        QTest.qWait(_BETWEEN_KEYS_MS)
    started = time.monotonic()
    QTest.keyClicks(page.bar.box, question[-1])
    _wait(lambda: _is_answer_to(page, question), every_ms=1)
    page.view.list.viewport().repaint()
    return time.monotonic() - started


def _is_answer_to(page: SearchPage, words: str) -> bool:
    answer = page.answer
    return answer is not None and answer.question.words == words and not answer.is_first_look


def _judge(pairs: Path, to: Path) -> Path:
    """Simulated decisions: the nearest pairs are the same, the farthest different."""
    with pairs.open(newline="", encoding="utf-8-sig") as stream:
        rows = sorted(csv.DictReader(stream), key=lambda row: float(row["samesense_cosine"]))
    some = min(_JUDGED, len(rows) // 2)
    for row in rows[:some]:
        row["samesense_decision"], row["label"] = "different", "0"
    for row in rows[len(rows) - some :]:
        row["samesense_decision"], row["label"] = "same", "1"
    with to.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows[:some] + rows[len(rows) - some :])
    return to


def _import_pairs(window: MainWindow, judged: Path) -> None:
    page = _shown(window, TeachPage)
    page.imports.take([judged])
    _wait(lambda: page.material is not None and page.material.imported and page.is_settled)


def _teach(window: MainWindow) -> None:
    page = _shown(window, TeachPage)
    page.view.lesson.settings.loop.set_values({"epochs": 1})
    page.actions_["start"].trigger()
    _wait(lambda: not page.practice.is_running and page.view.runs.chosen is not None)


def _use(window: MainWindow) -> None:
    page = _shown(window, TeachPage)
    page.actions_["use"].trigger()
    _wait(lambda: page.results.use_sheet is not None)
    if page.results.use_sheet is None:
        raise RuntimeError("the sheet is gone")
    page.results.use_sheet.use.click()
    _wait(lambda: not page.results.is_busy and not window.jobs.running())
    _wait(lambda: page.material is not None and page.material.in_use is not None)


def _export(window: MainWindow, what: str, to: Path) -> Path:
    window.dialogs.export(what)
    _wait(lambda: window.findChild(ExportSheet) is not None)
    sheet = window.findChild(ExportSheet)
    if sheet is None:
        raise RuntimeError("the sheet is gone")
    _wait(sheet.export_button.isEnabled)
    sheet.path.setText(str(to))
    sheet.export_button.click()
    _wait(lambda: to.is_file() and not window.jobs.running())
    sheet.reject()
    _wait(lambda: window.findChild(ExportSheet) is None)
    return to


def _row(name: str, times: list[float], window: MainWindow) -> str:
    with _opened(window) as project:
        grouping, decided = project.groupings.current(), project.decisions.counts()
        clustering, trainings = project.clusters.current(), project.trainings.listed()
    counts = grouping.counts if grouping else {}
    found = clustering.counts if clustering else {}
    verdicts = ", ".join(f"{decided[verdict]} {verdict}" for verdict in Verdict)
    shown = " | ".join(f"{seconds:.2f}" if seconds < 1 else f"{seconds:.1f}" for seconds in times)
    return (
        f"| {name} | {shown} | {counts['rows']:,} rows = {counts['kept']:,} kept + "
        f"{counts['removed']:,} removed, {counts['review']:,} to review; {verdicts}; "
        f"{found['clusters']:,} clusters, {found['unclustered']:,} rows in none; "
        f"{_taught(trainings[0])} |"
    )


def _taught(record: TrainingRecord) -> str:
    figures: dict[str, Any] = record.figures
    if figures.get("before") is None:
        return f"{record.data['pairs']} pairs, {figures['how']}"
    return (
        f"{record.data['pairs']} pairs, {figures['how']}: {figures['before']:.3f} → "
        f"{figures['after']:.3f} {figures['metric']}"
    )


def _opened(window: MainWindow) -> Project:
    if window.workspace.folder is None:
        raise RuntimeError("the project is closed")
    return Project.open_read_only(window.workspace.folder)


def _shown(window: MainWindow, kind: type[_AnyPage]) -> _AnyPage:
    window.show_page(kind.name)
    if not isinstance(window.page, kind):
        raise RuntimeError("the page is another")
    return window.page


def _press(window: MainWindow, page: QWidget, key: Qt.Key) -> None:
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    QTest.keyClick(QApplication.focusWidget() or page, key)


def _timed(work: Callable[[], object]) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started


def _wait(holds: Callable[[], object], *, every_ms: int = 20) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError("waited in vain")
        QApplication.processEvents()
        QTest.qWait(every_ms)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
