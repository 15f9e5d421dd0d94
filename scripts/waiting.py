"""Measure what a person waits for while much runs: `python scripts/waiting.py PROJECT`.

The real window, drawn without a screen, on a project that is encoded and has decisions or judged
pairs: a map is drawn and clusters are found by one worker, an encoder is taught by another, and
meanwhile questions are typed on the Search page. Prints the longest gap between two ticks of
the window's thread and the milliseconds from the last key of a question to its answer.
"""

import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest

from app.look.theme import Look
from app.main import application, collect_less
from app.pages.search import SearchPage
from app.settings import SettingsFile
from app.window import MainWindow
from app.window_pages import PAGES

_TICK_MS = 16
_PATIENCE_S = 1800.0
_QUESTIONS = ("how to sort a list", "speed up a query", "draw a line", "parse a file", "lost login")


def main() -> None:
    """Open the project, start both jobs, search until both are done."""
    look = Look(application(), "light")
    with tempfile.TemporaryDirectory() as home:
        window = MainWindow(SettingsFile(Path(home) / "settings.json"), pages=PAGES)
        window.resize(1280, 800)
        window.show()
        collect_less(window)
        try:
            _measure(window, Path(sys.argv[1]))
        finally:
            window.workspace.close()  # with a job running, the window would ask a person
            window.close()
    look.deleteLater()


def _measure(window: MainWindow, project: Path) -> None:
    ends: list[str] = []
    heard = ["nothing"]
    workspace = window.workspace
    workspace.job_started.connect(lambda ticket: _hear(heard, f"{ticket.wish} started"))
    workspace.job_ended.connect(lambda ticket, end: _hear(heard, f"{ticket.wish} {end.kind}"))
    workspace.changed.connect(lambda _changes: _hear(heard, "changes"))
    workspace.job_ended.connect(lambda ticket, end: ends.append(f"{ticket.wish} {end.kind}"))
    window.open_project(project)
    _wait(lambda: workspace.state is not None)
    window.show_page("Search")
    page = window.pages["Search"]
    if not isinstance(page, SearchPage):
        raise TypeError(type(page).__name__)
    _search(page, _QUESTIONS[0])
    quiet = [_search(page, f"{words} {n}") for n in range(3) for words in _QUESTIONS]
    gaps: list[float] = []
    after: list[str] = []  # what the window had last heard of when each gap ended
    ticking = _pulse(gaps, lambda: after.append(heard[0]))
    began = time.monotonic()
    workspace.start("chart", {"clusters": {}, "map": {"keep": False}}, title="Drawing")
    workspace.start("train", {"epochs": 2}, title="Teaching", lane="training")
    busy: list[float] = []
    questions = itertools.cycle(_QUESTIONS)
    while sum(end.split()[0] in ("chart", "train") for end in ends) < 2:
        busy.append(_search(page, f"{next(questions)} {len(busy)}"))
        _pause(0.3)
    ticking.stop()
    texts = workspace.state.texts if workspace.state else 0
    sys.stdout.write(
        f"{texts:,} texts, both jobs {time.monotonic() - began:.0f} s\n"
        f"longest gap of the window {max(gaps):.0f} ms, {sum(gap > 100 for gap in gaps)} over "
        f"100 ms of {len(gaps):,}; the longest: {_longest(gaps, after)}\n"
        f"answer after the last key: quiet {_told(quiet)}; while both run {_told(busy)}\n"
    )


def _hear(heard: list[str], what: str) -> None:
    heard[0] = what


def _longest(gaps: list[float], after: list[str]) -> str:
    worst = sorted(range(len(gaps)), key=lambda at: -gaps[at])[:5]
    return ", ".join(
        f"{gaps[at]:.0f} ms at tick {at:,} after “{after[at]}”" for at in sorted(worst)
    )


def _told(waits: list[float]) -> str:
    ordered = sorted(waits)
    at = min(len(ordered) - 1, int(0.95 * len(ordered)))
    return f"median {statistics.median(waits):.0f} ms, p95 {ordered[at]:.0f} ms ({len(waits)})"


def _pulse(gaps: list[float], note: Callable[[], object]) -> QTimer:
    last = [time.perf_counter()]

    def tick() -> None:
        now = time.perf_counter()
        gaps.append((now - last[0]) * 1000)
        note()
        last[0] = now

    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(tick)
    timer.start(_TICK_MS)
    return timer


def _search(page: SearchPage, text: str) -> float:
    """Type this and wait for its answer; the milliseconds since the last key."""
    box = page.bar.box
    box.clear()
    QTest.keyClicks(box, text[:-1])
    begun = time.perf_counter()
    QTest.keyClicks(box, text[-1])

    def is_answered() -> bool:
        answer = page.answer
        return answer is not None and answer.question.words == text and not answer.is_first_look

    _wait(is_answered, look_ms=5)
    return (time.perf_counter() - begun) * 1000


def _pause(seconds: float) -> None:
    over = time.monotonic() + seconds
    _wait(lambda: time.monotonic() > over, look_ms=20)


def _wait(holds: Callable[[], bool], *, look_ms: int = 20) -> None:
    """Run the event loop itself, without naps, until something is true."""
    loop, look = QEventLoop(), QTimer()
    end = time.monotonic() + _PATIENCE_S
    look.timeout.connect(lambda: loop.quit() if holds() or time.monotonic() > end else None)
    look.start(look_ms)
    loop.exec()
    look.stop()
    if not holds():
        raise RuntimeError("waited in vain")


if __name__ == "__main__":
    main()
