"""A person's way through the program: menus and keys only, with the real engine behind."""

import csv
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QPushButton, QWidget
from shiboken6 import isValid

from app.pages.duplicates import DuplicatesPage
from app.pages.map import MapPage
from app.pages.page import Page
from app.pages.search import SearchPage
from app.pages.teach import TeachPage
from app.pages.teach_card import TrainingCard
from app.settings import SettingsFile
from app.sheets.bulk_sheet import BulkSheet
from app.sheets.export_sheet import ExportSheet
from app.window import MainWindow
from app.window_pages import PAGES
from core.store import Project

TINY = Path(__file__).resolve().parent.parent / "models" / "bert"
CTRL = Qt.KeyboardModifier.ControlModifier
NO_KEY = Qt.KeyboardModifier.NoModifier
TOPICS = {
    "parcel": ("where is my parcel", "my parcel has not come", "when does my parcel arrive",
               "my parcel was lost"),
    "refund": ("I want my money back", "please send the refund", "the refund is missing",
               "when is the refund paid"),
    "login": ("I cannot log in", "my password is wrong", "the login page fails",
              "please reset my password"),
    "invoice": ("the invoice is wrong", "please send the invoice", "the bill has a wrong sum",
                "I was charged twice"),
}  # fmt: skip
ENDS = ("", " today", " for me", " for my firm")
AnyPage = TypeVar("AnyPage", bound=Page)


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
    return written(tmp_path / "messages.csv", ("id", "message"), enumerate(corpus(), 1))


@pytest.fixture
def file_of_topics(tmp_path: Path) -> Path:
    """72 messages about four things, eight of them copies."""
    rows = [(ask + end, topic) for topic, asks in TOPICS.items() for ask in asks for end in ENDS]
    return written(tmp_path / "calls.csv", ("message", "topic"), rows + rows[:8])


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """112 pairs of messages: the same question with other endings, or questions of two topics."""
    asks = [ask for some in TOPICS.values() for ask in some]
    same = [(ask + one, ask + two, 1) for ask in asks for one, two in combinations(ENDS, 2)]
    other = [(one, two, 0) for one, two in product(TOPICS["parcel"], TOPICS["refund"])]
    return written(tmp_path / "judged.csv", ("sentence1", "sentence2", "label"), same + other)


def written(to: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    with to.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows((head, *rows))
    return to


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
        # A job that would be lost asks before it lets the window go; nobody would answer here.
        for ticket in window.jobs.running():
            window.workspace.cancel(ticket)
        until(lambda window=window: not window.jobs.running(), 30, "the jobs to be cancelled")  # type: ignore[misc]  # bound at once
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
        if QApplication.activeWindow() is None:
            # The platform believes that it gave the keys back already and tells nobody.
            QApplication.setActiveWindow(widget.window())
    QTest.keyClick(widget, key, modifier or NO_KEY)
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
    """Answer the file dialog that is about to open, by its keyboard.

    The dialog runs a loop of its own, in which no test's timeout is ever heard: it is answered
    again while it stays open (a list of proposals may have taken the key), and left in the end.
    """
    end = time.monotonic() + 30

    def answer() -> None:
        shown = QApplication.activeModalWidget()
        if time.monotonic() > end:
            if isinstance(shown, QDialog):
                shown.reject()
                QTimer.singleShot(50, answer)  # the file dialog itself may be behind it
            return
        if isinstance(shown, QFileDialog):
            field = shown.findChild(QLineEdit)
            assert field is not None
            QTimer.singleShot(1_000, lambda: again(shown))
            field.setFocus()
            field.selectAll()
            QTest.keyClicks(field, str(path))
            QTest.keyClick(field, Qt.Key.Key_Return)
        else:
            QTimer.singleShot(50, answer)

    def again(shown: QFileDialog) -> None:
        if isValid(shown) and shown.isVisible():
            answer()

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


def bring_in(window: MainWindow, file: Path, rows: int) -> None:
    """Import a file and find its duplicates."""
    type_into_file_dialog(file)
    press(window, Qt.Key.Key_I, CTRL)
    sheet = dialog("ImportSheet")
    until(lambda: getattr(sheet, "plan", None) is not None, 30, "the preview")
    QTest.qWait(300)
    press(QApplication.focusWidget() or sheet, Qt.Key.Key_Return)
    until(lambda: window.workspace.state is not None and window.workspace.state.rows == rows)
    idle(window)
    press(window, Qt.Key.Key_R, CTRL)
    until(
        lambda: window.workspace.state is not None and window.workspace.state.grouping is not None,
        what="the groups",
    )
    idle(window)


def go_to(window: MainWindow, key: Qt.Key, kind: type[AnyPage]) -> AnyPage:
    """The page that this key shows."""
    press(focused(window), key, CTRL)
    keys_at = (QApplication.activeWindow(), QApplication.focusWidget())
    assert isinstance(window.page, kind), f"the keys went to {keys_at}"
    return window.page


def closed(sheet: QDialog) -> None:
    until(lambda: not isValid(sheet) or not sheet.isVisible(), 30, "a sheet to close")


def export_to(window: MainWindow, to: Path) -> list[dict[str, str]]:
    """Write what the open export sheet proposes to this file, and read it."""
    sheet = dialog("ExportSheet")
    assert isinstance(sheet, ExportSheet)
    until(sheet.export_button.isEnabled, 60, "the counts of the export")
    place = next(field for field in sheet.findChildren(QLineEdit) if field.text().endswith(".csv"))
    place.setFocus()
    place.selectAll()
    QTest.keyClicks(place, str(to))
    press(place, Qt.Key.Key_Return)
    until(to.is_file, 30, "the exported file")
    idle(window)
    press(QApplication.focusWidget() or sheet, Qt.Key.Key_Escape)
    closed(sheet)
    with to.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def test_from_a_file_to_a_clean_table_and_back_again(
    windows: Callable[[], MainWindow], file: Path, tmp_path: Path
) -> None:
    window = windows()
    bring_in(window, file, 40)
    page = go_to(window, Qt.Key.Key_2, DuplicatesPage)
    QTest.qWait(500)
    for key in (Qt.Key.Key_S, Qt.Key.Key_D, Qt.Key.Key_U, Qt.Key.Key_S, Qt.Key.Key_D):
        until(lambda: page.is_settled, what="the next pair")
        press(focused(window), key)
    until(lambda: decided(window) == 5, what="the fifth decision")
    idle(window)

    press(focused(window), Qt.Key.Key_B)
    bulk = dialog("BulkSheet")
    assert isinstance(bulk, BulkSheet)
    until(bulk.accept_button.isEnabled, 60, "the pairs of the band")
    press(QApplication.focusWidget() or bulk, Qt.Key.Key_Return)
    closed(bulk)
    until(lambda: decided(window) > 5, what="the band to be accepted")
    idle(window)

    press(window, Qt.Key.Key_Z, CTRL)
    until(lambda: decided(window) == 5, what="the band to be taken back")
    idle(window)

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

    press(window, Qt.Key.Key_E, CTRL)
    rows = export_to(window, tmp_path / "kept.csv")
    grouping = window.workspace.state.grouping if window.workspace.state else None
    assert grouping is not None
    assert len(rows) == grouping.counts["kept"] < 40

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


def click(widget: QWidget, words: str) -> None:
    """Press a button by the mouse."""
    buttons = [one for one in widget.findChildren(QPushButton) if one.text() == words]
    QTest.mouseClick(next(one for one in buttons if one.isVisible()), Qt.MouseButton.LeftButton)


def encoder_in_use(window: MainWindow) -> str:
    """The folder of the encoder that the texts are encoded with."""
    assert window.workspace.folder is not None
    with Project.open_read_only(window.workspace.folder) as project:
        encoder = project.active_encoder()
    assert encoder is not None
    return encoder.folder


def settled(window: MainWindow, page: MapPage) -> None:
    idle(window)
    until(lambda: page.is_settled, 30, "the map to settle")


def clusters(page: MapPage) -> list[str]:
    """The lines of the list."""
    model = page.view.side.model
    return [model.line(at).name for at in range(model.rowCount())]


def click_cluster(page: MapPage, line: int, modifier: Qt.KeyboardModifier = NO_KEY) -> None:
    lines = page.view.side.list
    spot = lines.visualRect(page.view.side.model.index(line)).center()
    QTest.mouseClick(lines.viewport(), Qt.MouseButton.LeftButton, modifier, spot)


def lasso(page: MapPage, corners: Sequence[QPoint]) -> None:
    """Draw around points by the mouse."""
    view, left, none = page.view.canvas.view, Qt.MouseButton.LeftButton, NO_KEY
    way = [
        (QPointF(one) + (QPointF(two) - QPointF(one)) * step / 6).toPoint()
        for one, two in pairwise((*corners, corners[0]))
        for step in range(7)
    ]
    QTest.mousePress(view, left, none, way[0])
    for spot in way[1:]:
        QTest.mouseMove(view, spot)
        QTest.qWait(2)
    QTest.mouseRelease(view, left, none, way[-1])


def draw_the_map(window: MainWindow) -> MapPage:
    page = go_to(window, Qt.Key.Key_4, MapPage)
    click(page, "Draw the map")
    until(lambda: page.feed.clusters is not None and not page.view.is_empty_shown, what="the map")
    settled(window, page)
    page.view.canvas.view.settle()
    assert page.feed.picture is not None
    assert len(page.feed.picture.texts) == 64
    return page


def select_with_a_lasso(page: MapPage) -> None:
    """Draw around the points of the left half, which the table lists then."""
    view, picture = page.view.canvas.view, page.feed.picture
    assert picture is not None
    press(view, Qt.Key.Key_L)
    spots = [view.spot_of(x, y) for x, y in picture.xy.tolist()]
    across = sorted(spot.x() for spot in spots)
    middle = round((across[31] + across[32]) / 2)
    inside = [one for one, at in zip(picture.texts.tolist(), spots, strict=True) if at.x() < middle]
    top, bottom = 2, view.height() - 3
    lasso(page, [QPoint(2, top), QPoint(middle, top), QPoint(middle, bottom), QPoint(2, bottom)])
    until(lambda: page.texts.model.rowCount() > 0, 30, "the table of the selection")
    shown = [page.texts.text_at(row) for row in range(page.texts.model.rowCount())]
    assert sorted(one for one in shown if one is not None) == sorted(inside)
    press(view, Qt.Key.Key_H)


def edit_clusters_and_take_it_back(window: MainWindow, page: MapPage) -> None:
    first = clusters(page)
    click_cluster(page, 0)
    press(focused(window), Qt.Key.Key_F2)
    until(lambda: isinstance(focused(window), QLineEdit), 10, "the field of the name")
    QTest.keyClicks(focused(window), "Largest of all")
    press(focused(window), Qt.Key.Key_Return)
    until(lambda: clusters(page)[0] == "Largest of all", 30, "the new name")
    settled(window, page)

    click_cluster(page, 0)
    click_cluster(page, 1, CTRL)
    press(focused(window), Qt.Key.Key_M)
    until(lambda: len(clusters(page)) == len(first) - 1, 30, "the merge")
    settled(window, page)
    assert "Largest of all" in clusters(page)

    press(focused(window), Qt.Key.Key_Z, CTRL)
    until(lambda: clusters(page) == ["Largest of all", *first[1:]], 30, "the merge to be undone")
    settled(window, page)
    press(focused(window), Qt.Key.Key_Z, CTRL)
    until(lambda: clusters(page) == first, 30, "the name to be undone")
    settled(window, page)


def choose_another_level(window: MainWindow, page: MapPage) -> None:
    assert page.feed.clusters is not None
    record = page.feed.clusters.record
    wanted = record.level + (1 if record.level + 1 < len(record.levels) else -1)
    slider = tab_to(window, "How fine the clusters are")
    press(slider, Qt.Key.Key_Right if wanted > record.level else Qt.Key.Key_Left)
    until(lambda: page.view.side.model.total == record.levels[wanted], 30, "the other level")
    settled(window, page)


def find_and_decide(window: MainWindow) -> None:
    """Search for words, go on to texts like the best, and decide two of them."""
    page = go_to(window, Qt.Key.Key_3, SearchPage)
    QTest.keyClicks(focused(window), "where is my parcel")
    until(lambda: page.answer is not None and not page.asking.is_busy, what="the answer")
    assert page.answer is not None
    assert "parcel" in page.answer.hits[0].body
    press(focused(window), Qt.Key.Key_Down)
    press(focused(window), Qt.Key.Key_L)
    until(lambda: page.answer is not None and page.answer.question.like, what="texts like it")
    before = decided(window)
    for more in (1, 2):
        until(lambda: page.hand.can_decide, 30, "a pair to decide")
        press(focused(window), Qt.Key.Key_S)
        until(lambda more=more: decided(window) == before + more, 30, "the decision")  # type: ignore[misc]  # bound at once
        idle(window)


def set_epochs(window: MainWindow, number: int) -> None:
    field = tab_to(window, "Epochs")
    press(field, Qt.Key.Key_A, CTRL)
    QTest.keyClicks(field, str(number))
    press(field, Qt.Key.Key_Tab)


def cards(page: TeachPage) -> list[TrainingCard]:
    return [card for card in page.view.runs.cards if isinstance(card, TrainingCard)]


def cancel_a_training(window: MainWindow, page: TeachPage) -> None:
    before = encoder_in_use(window)
    set_epochs(window, 100)
    press(focused(window), Qt.Key.Key_Return, CTRL)
    until(lambda: page.practice.standing.unit == "steps", what="the first steps")
    press(focused(window), Qt.Key.Key_Backspace, CTRL)
    until(lambda: not page.practice.is_running, 60, "the training to be cancelled")
    idle(window)
    assert cards(page) == []
    assert encoder_in_use(window) == before


def teach(window: MainWindow, page: TeachPage) -> None:
    """Start a training and follow it to its card."""
    set_epochs(window, 1)
    seen: set[str] = set()
    page.practice.moved.connect(lambda _standing: seen.add(page.view.running.words))
    press(focused(window), Qt.Key.Key_Return, CTRL)
    until(lambda: not page.practice.is_running, what="the training to end")
    until(lambda: cards(page), 30, "the card")
    assert len([words for words in seen if " of " in words]) > 1
    idle(window)


def test_from_the_map_to_a_taught_encoder_and_back_to_the_first_one(
    windows: Callable[[], MainWindow], file_of_topics: Path, judged: Path, tmp_path: Path
) -> None:
    window = windows()
    bring_in(window, file_of_topics, 72)
    map_page = draw_the_map(window)
    select_with_a_lasso(map_page)
    edit_clusters_and_take_it_back(window, map_page)
    choose_another_level(window, map_page)
    find_and_decide(window)
    first = encoder_in_use(window)

    page = go_to(window, Qt.Key.Key_5, TeachPage)
    until(lambda: page.material is not None and page.is_settled, 30, "the material")
    type_into_file_dialog(judged)
    press(focused(window), Qt.Key.Key_I)
    until(lambda: page.material is not None and page.material.imported == 112, 30, "the pairs")
    idle(window)
    press(focused(window), Qt.Key.Key_O)
    cancel_a_training(window, page)
    teach(window, page)

    press(focused(window), Qt.Key.Key_U)
    sheet = dialog("UseTrainingSheet")
    press(QApplication.focusWidget() or sheet, Qt.Key.Key_Return)
    until(lambda: encoder_in_use(window) != first, what="the taught encoder to be in use")
    idle(window)
    assert window.workspace.folder is not None
    assert Path(encoder_in_use(window)).parent == window.workspace.folder / "encoders"
    assert decided(window) == 2
    until(lambda: page.material is not None and page.material.in_use, 30, "the card to say so")

    press(focused(window), Qt.Key.Key_Z, CTRL)
    until(lambda: encoder_in_use(window) == first, what="the first encoder to be in use")
    idle(window)
    assert decided(window) == 2
    until(lambda: window.workspace.state and not window.workspace.state.groups_stale, 60, "groups")
    idle(window)
    assert encoder_in_use(window) == first  # what follows from the step back does not undo it

    shown = go_to(window, Qt.Key.Key_4, MapPage)
    settled(window, shown)
    press(focused(window), Qt.Key.Key_E)
    rows = export_to(window, tmp_path / "clusters.csv")
    assert len(rows) == 72
    named = {row["samesense_cluster_name"] for row in rows if row["samesense_cluster_name"]}
    assert named == {name for name in clusters(shown) if name != "Unclustered"}
