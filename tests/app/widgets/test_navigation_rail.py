"""Going from page to page."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from app.widgets.navigation_rail import NavigationRail, Page

PAGES = (
    Page("corpus", "Corpus", "corpus"),
    Page("duplicates", "Duplicates", "duplicates"),
    Page("search", "Search", "search"),
)


@pytest.fixture
def rail(show):
    return show(NavigationRail(PAGES), 92, 600)


@pytest.fixture
def wanted(rail):
    heard = []
    rail.page_wanted.connect(heard.append)
    return heard


def button(rail, name):
    return next(b for b in rail.findChildren(QAbstractButton) if b.accessibleName() == name)


def test_a_click_asks_for_the_page(rail, wanted):
    QTest.mouseClick(button(rail, "Search"), Qt.MouseButton.LeftButton)
    assert wanted == ["search"]


def test_control_and_a_number_ask_for_the_page(rail, wanted):
    QTest.keyClick(rail, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert wanted == ["duplicates"]


def test_space_on_a_focused_page_asks_for_it(rail, wanted):
    button(rail, "Duplicates").setFocus()
    QTest.keyClick(button(rail, "Duplicates"), Qt.Key.Key_Space)
    assert wanted == ["duplicates"]


def test_showing_a_page_asks_for_nothing(rail, wanted):
    rail.show_page("search")
    assert (rail.current, wanted) == ("search", [])


def test_only_one_page_is_marked(rail):
    rail.show_page("corpus")
    rail.show_page("search")
    marked = [b.accessibleName() for b in rail.findChildren(QAbstractButton) if b.isChecked()]
    assert marked == ["Search"]


def test_clicking_the_page_that_is_shown_leaves_it_marked(rail, wanted):
    rail.show_page("corpus")
    QTest.mouseClick(button(rail, "Corpus"), Qt.MouseButton.LeftButton)
    assert button(rail, "Corpus").isChecked()


def test_a_page_that_is_not_available_is_not_shown(rail):
    rail.set_available("duplicates", False)
    assert not button(rail, "Duplicates").isVisible()


def test_the_numbers_follow_the_pages_that_are_left(rail, wanted):
    rail.set_available("duplicates", False)
    QTest.keyClick(rail, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert wanted == ["search"]


def test_a_footer_does_its_action(rail):
    action = QAction("Settings…", rail)
    done = []
    action.triggered.connect(lambda: done.append(True))
    rail.add_footer(action, "settings")
    QTest.mouseClick(button(rail, "Settings"), Qt.MouseButton.LeftButton)
    assert done == [True]
