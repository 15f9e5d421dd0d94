"""Banner, empty state and drop zone."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from app.widgets.banner import Banner
from app.widgets.drop_zone import DropZone
from app.widgets.empty_state import EmptyState

LEFT = Qt.MouseButton.LeftButton
COPY = Qt.DropAction.CopyAction
PLAIN = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def banner(show):
    made = show(Banner(), 700, 60)
    made.show_message("warning", "The texts have changed.", buttons=[("again", "Find again")])
    return made


def test_a_banner_tells_which_button(banner):
    heard = []
    banner.button_clicked.connect(heard.append)
    QTest.mouseClick(banner.findChild(QPushButton), LEFT)
    assert heard == ["again"]


def test_a_closed_banner_is_gone_and_says_so(banner):
    heard = []
    banner.closed.connect(lambda: heard.append(True))
    QTest.mouseClick(banner.findChild(QToolButton), LEFT)
    assert (banner.isVisible(), heard) == (False, [True])


def test_a_banner_that_must_stay_has_no_cross(banner):
    banner.show_message("error", "The disk is full.", closable=False)
    assert not banner.findChild(QToolButton).isVisible()


def test_the_next_message_replaces_the_buttons(banner, app):
    banner.show_message("info", "Done.")
    assert not [b for b in banner.findChildren(QPushButton) if b.isVisible()]


def test_a_banner_names_its_kind_to_a_screen_reader(banner):
    assert banner.accessibleName() == "warning: The texts have changed."


def test_markup_in_a_message_is_only_text(banner):
    banner.show_message("info", "<b>x</b>")
    assert banner.text == "<b>x</b>"


def test_an_empty_state_asks_for_what_its_button_says(show):
    state = EmptyState()
    state.show_state("search", "No pairs yet.", button="Find duplicates", second="Why?")
    show(state)
    heard = []
    state.wanted.connect(lambda: heard.append("first"))
    state.second_wanted.connect(lambda: heard.append("second"))
    for button in state.findChildren(QPushButton):
        QTest.mouseClick(button, LEFT)
    assert heard == ["first", "second"]


def test_an_empty_state_without_words_for_a_button_has_none(show):
    state = EmptyState()
    state.show_state("search", "Nothing found.")
    show(state)
    assert not [b for b in state.findChildren(QPushButton) if b.isVisible()]


def carried(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drag_over(zone: DropZone, data: QMimeData) -> bool:
    event = QDragEnterEvent(QPoint(20, 20), COPY, data, LEFT, PLAIN)
    event.ignore()
    QApplication.sendEvent(zone, event)
    return event.isAccepted()


def drop(zone: DropZone, data: QMimeData) -> None:
    drag_over(zone, data)
    QApplication.sendEvent(zone, QDropEvent(QPointF(20, 20), COPY, data, LEFT, PLAIN))


@pytest.fixture
def zone(show):
    return show(DropZone(endings=(".csv",)), 600, 240)


@pytest.fixture
def dropped(zone):
    heard = []
    zone.dropped.connect(heard.append)
    return heard


def test_a_file_can_be_dropped(zone, dropped):
    drop(zone, carried(Path("/data/文書/tickets.CSV")))
    assert dropped == [[Path("/data/文書/tickets.CSV")]]


def test_a_folder_can_be_dropped(zone, dropped, tmp_path):
    drop(zone, carried(tmp_path))
    assert dropped == [[tmp_path]]


def test_a_file_of_another_kind_is_refused(zone):
    assert not drag_over(zone, carried(Path("/data/photo.png")))


def test_the_zone_shows_that_it_will_take_the_file(zone):
    drag_over(zone, carried(Path("/data/tickets.csv")))
    assert zone.is_hot


def test_text_from_elsewhere_is_no_file(zone, dropped):
    data = QMimeData()
    data.setText("hello")
    drop(zone, data)
    assert dropped == []


def test_choosing_is_asked_for(zone):
    heard = []
    zone.choose_file_wanted.connect(lambda: heard.append("file"))
    zone.choose_folder_wanted.connect(lambda: heard.append("folder"))
    for button in zone.findChildren(QPushButton):
        QTest.keyClick(button, Qt.Key.Key_Space)
    assert heard == ["file", "folder"]
