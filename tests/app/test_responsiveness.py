"""The window goes on ticking while real work runs behind it."""

import itertools
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.pages.search import SearchPage
from app.settings import SettingsFile
from app.widgets.score_histogram import ScoreHistogram
from app.window import MainWindow
from app.window_pages import PAGES
from core.corpus import inspect
from core.errors import UserError
from core.folders import encoder_folder
from core.workflows.importing import settings_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

TINY = Path(__file__).resolve().parent.parent / "models" / "bert"
MOST_OPENING_MS = 400  # a page is 80 to 130 ms of widgets, more beside a worker that starts
MOST_MS = 100
ANSWER_MS = 300
TICK_MS = 16
STARTING_S = 0.5
TEXTS = 2000


class Pulse:
    """Ticks of the event loop; a gap is time in which the window could not have moved.

    Gaps are by the wall clock, as a person meets them. How much of each this thread spent ready,
    with every processor held by others, is told beside it: it says how busy the machine was.
    """

    def __init__(self) -> None:
        self.gaps: list[tuple[float, float]] = []  # seconds from the start, milliseconds
        self.waits: list[float] = []  # milliseconds of each gap spent waiting for a processor
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self._began = self._last = time.perf_counter()
        self._waited = _waited_ms()
        self._timer.start(TICK_MS)

    def stop(self) -> None:
        self._timer.stop()

    @property
    def worst_ms(self) -> float:
        return max((gap for at, gap in self.gaps if at > STARTING_S), default=0.0)

    def words(self) -> str:
        both = [(at, gap, wait) for (at, gap), wait in zip(self.gaps, self.waits, strict=True)]
        worst = sorted(both, key=lambda one: -one[1])[:6]
        told = ", ".join(
            f"{gap:.0f} ms ({wait:.0f} waiting) at {at:.1f} s" for at, gap, wait in worst
        )
        return f"{len(both)} ticks; worst {self.worst_ms:.0f} ms; longest gaps: {told}"

    def _tick(self) -> None:
        now, waited = time.perf_counter(), _waited_ms()
        self.gaps.append((now - self._began, (now - self._last) * 1000))
        self.waits.append(waited - self._waited)
        self._last, self._waited = now, waited


def _waited_ms() -> float:
    """How long this thread has waited for a processor so far; 0 where nobody tells."""
    told = Path("/proc/thread-self/schedstat")
    return int(told.read_text().split()[1]) / 1e6 if told.exists() else 0.0


def wait_in_loop(condition: Callable[[], object], seconds: float = 240) -> None:
    """Run the event loop itself, without the naps of polling, until something is true."""
    loop, look = QEventLoop(), QTimer()
    end = time.monotonic() + seconds
    look.timeout.connect(lambda: loop.quit() if condition() or time.monotonic() > end else None)
    look.start(50)
    loop.exec()
    look.stop()
    assert condition(), "waited in vain"


def corpus(file: Path) -> Path:
    rng = random.Random(5)
    who, did = ["customer", "driver", "courier", "tenant"], ["lost", "broke", "returned", "sold"]
    what, when = ["parcel", "ticket", "invoice", "phone"], ["on Monday", "last week", "at night"]
    rows = [
        f"{at},The {rng.choice(who)} {rng.choice(did)} the {rng.choice(what)} {rng.choice(when)} "
        f"and called us about case {rng.randrange(900)}"
        for at in range(TEXTS)
    ]
    file.write_text("\n".join(["id,text", *rows]) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def make_window(app: QApplication, tmp_path: Path) -> Iterator[Callable[[], MainWindow]]:
    made: list[MainWindow] = []

    def make() -> MainWindow:
        settings = SettingsFile(tmp_path / f"home-{len(made)}" / "settings.json")
        settings.change(encoder=_encoder(), precision="fp32")
        window = MainWindow(settings, pages=PAGES)
        made.append(window)
        window.resize(1280, 800)
        window.show()
        QTest.qWaitForWindowExposed(window)
        window.pages.complete()  # before the pulse; how long that holds the window is told below
        return window

    yield make
    for window in made:
        window.close()


def work(window: MainWindow, folder: Path, file: Path, *, browsing: bool) -> Pulse:
    """Import, encode, find pairs and group, with the pulse taken all the while."""
    settings = asdict(settings_for(inspect(file)))
    pulse, workspace = Pulse(), window.workspace
    pulse.start()
    workspace.open(folder, create=True)
    wait_in_loop(lambda: workspace.state)
    ends: list[str] = []
    workspace.job_ended.connect(lambda ticket, end: ends.append(f"{ticket.wish} {end.kind}"))
    workspace.start("import", {"path": str(file), "settings": settings}, title="Importing")
    window.preparing.prepare()
    browser = QTimer()
    if browsing:
        turns = itertools.count()
        browser.timeout.connect(lambda: browse(window, next(turns)))
        browser.start(120)
    wait_in_loop(lambda: "prepare finished" in ends or any("failed" in end for end in ends))
    # A page that is looked at meanwhile may have asked something of its own first.
    assert [end for end in ends if end.startswith("import")] == ["import finished"]
    assert "prepare finished" in ends
    QTest.qWait(100)
    if browsing:
        over = time.monotonic() + 3
        wait_in_loop(lambda: time.monotonic() > over)
        browser.stop()
    pulse.stop()
    wait_in_loop(lambda: not window.jobs.running())
    workspace.close()
    return pulse


def explore(window: MainWindow, folder: Path, file: Path) -> tuple[Pulse, list[float]]:
    """Draw a map and teach an encoder at the same time, searching all the while.

    Returns the pulse and the milliseconds from each last key to its answer.
    """
    settings, workspace = asdict(settings_for(inspect(file))), window.workspace
    workspace.open(folder, create=True)
    wait_in_loop(lambda: workspace.state)
    ends: list[str] = []
    workspace.job_ended.connect(lambda ticket, end: ends.append(f"{ticket.wish} {end.kind}"))
    workspace.start("import", {"path": str(file), "settings": settings}, title="Importing")
    window.preparing.prepare()
    wait_in_loop(lambda: "prepare finished" in ends)
    pairs = [[number, number + 1] for number in range(1, 240)]
    for verdict, some in (("same", pairs[:120]), ("different", pairs[120:])):
        values = {"pairs": some, "verdict": verdict}
        workspace.start("decide", values, title="Deciding", lane="live")
    window.show_page("Search")
    page = window.pages["Search"]
    assert isinstance(page, SearchPage)
    _search(page, "the courier lost it")  # the encoder is warm from here on
    pulse, waits = Pulse(), []
    pulse.start()
    workspace.start("chart", {"clusters": {}, "map": {"keep": False}}, title="Drawing the map")
    workspace.start("train", {"epochs": 2}, title="Teaching", lane="training")
    words = itertools.cycle(["ticket sold", "phone broke", "invoice at night", "parcel returned"])
    while not {"chart finished", "train finished"} <= set(ends):
        assert not any("failed" in end for end in ends), ends
        waits.append(_search(page, f"{next(words)} {len(waits)}"))
        over = time.monotonic() + 0.5
        wait_in_loop(lambda: time.monotonic() > over)  # noqa: B023 - within its own turn
    pulse.stop()
    workspace.close()
    return pulse, waits


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

    loop, look = QEventLoop(), QTimer()
    end = time.monotonic() + 60
    look.timeout.connect(lambda: loop.quit() if is_answered() or time.monotonic() > end else None)
    look.start(5)
    loop.exec()
    look.stop()
    assert is_answered(), f"no answer to {text}"
    return (time.perf_counter() - begun) * 1000


def browse(window: MainWindow, turn: int) -> None:
    """What restless hands do: another page now and then, the threshold in between."""
    names = list(window.pages)
    if turn % 6 == 0:
        window.show_page(names[turn // 6 % len(names)])
    histogram = window.findChild(ScoreHistogram)
    if histogram is not None and histogram.isVisible():
        low = 0.80 + turn % 5 * 0.01
        histogram.moved.emit(low, low + 0.1)
        if turn % 4 == 0:
            histogram.settled.emit(low, low + 0.1)


@pytest.mark.parametrize("browsing", [False, True], ids=["watching", "browsing"])
def test_no_gap_of_a_tenth_of_a_second_while_work_runs(
    make_window: Callable[[], MainWindow], tmp_path: Path, browsing: bool
) -> None:
    """The machine may be busy with other things, so the better of two tries counts."""
    tries: list[Pulse] = []
    for number in range(2):
        file = corpus(tmp_path / f"messages-{number}.csv")
        window = make_window()
        tries.append(work(window, tmp_path / f"{number}.samesense", file, browsing=browsing))
        window.close()
        if tries[-1].worst_ms < MOST_MS:
            break
    told = "\n".join(pulse.words() for pulse in tries)
    print(told)  # noqa: T201 - the figures are worth more than a pass; -rP shows them
    assert min(pulse.worst_ms for pulse in tries) < MOST_MS, told


def test_searches_are_answered_and_nothing_freezes_while_maps_and_lessons_run(
    make_window: Callable[[], MainWindow], tmp_path: Path
) -> None:
    """The better of two tries counts, as above; UMAP, HDBSCAN and training are the real ones."""
    tries: list[tuple[float, float]] = []
    for number in range(2):
        file = corpus(tmp_path / f"messages-{number}.csv")
        window = make_window()
        pulse, waits = explore(window, tmp_path / f"{number}.samesense", file)
        window.close()
        tries.append((pulse.worst_ms, statistics.median(waits)))
        print(pulse.words(), sorted(round(wait) for wait in waits))  # noqa: T201 - as above
        if pulse.worst_ms < MOST_MS and tries[-1][1] < ANSWER_MS:
            break
    assert min(worst for worst, _ in tries) < MOST_MS, tries
    assert min(wait for _, wait in tries) < ANSWER_MS, tries


def test_no_turn_of_making_the_pages_holds_the_window_long(
    app: QApplication, tmp_path: Path
) -> None:
    window = MainWindow(SettingsFile(tmp_path / "settings.json"), pages=PAGES)
    window.show()
    QTest.qWaitForWindowExposed(window)
    pulse = Pulse()
    pulse.start()
    window.workspace.open(tmp_path / "made.samesense", create=True)
    wait_in_loop(lambda: window.workspace.state)
    pulse.stop()
    window.close()
    assert len(window.pages) == len(PAGES)
    assert max(gap for _, gap in pulse.gaps) < MOST_OPENING_MS, pulse.words()


def _encoder() -> str:
    try:
        encoder_folder("default")
    except UserError:
        return str(TINY)
    return "default"
