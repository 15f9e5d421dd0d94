"""The project and its facts."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QToolButton

from app.widgets.project_bar import Fact, ProjectBar

FACTS = (Fact("rows", "14,640 rows"), Fact("pairs", "pairs out of date", "stale"))


@pytest.fixture
def bar(show):
    made = ProjectBar()
    made.show_project("Tickets")
    made.show_facts(FACTS)
    return show(made, 900, 48)


def button(bar, name):
    return next(b for b in bar.findChildren(QAbstractButton) if b.accessibleName() == name)


def seen(bar):
    return [b.text() for b in bar.findChildren(QAbstractButton) if b.isVisible() and b.text()]


def test_a_fact_is_a_link(bar):
    heard = []
    bar.fact_clicked.connect(heard.append)
    QTest.mouseClick(button(bar, "14,640 rows"), Qt.MouseButton.LeftButton)
    assert heard == ["rows"]


def test_a_stale_fact_can_be_brought_up_to_date(bar):
    heard = []
    bar.refresh_wanted.connect(heard.append)
    name = "Bring up to date: pairs out of date"
    QTest.mouseClick(button(bar, name), Qt.MouseButton.LeftButton)
    assert heard == ["pairs"]


def test_a_stale_fact_says_so_to_a_screen_reader(bar):
    assert button(bar, "pairs out of date, out of date").isVisible()


def test_a_fresh_fact_offers_no_refresh(bar):
    bar.show_facts((FACTS[0], Fact("pairs", "312 pairs")))
    assert not button(bar, "Bring up to date: 312 pairs").isVisible()


def test_new_figures_keep_the_buttons_and_the_focus(bar):
    before = button(bar, "14,640 rows")
    bar.show_facts((Fact("rows", "14,641 rows"), FACTS[1]))
    assert button(bar, "14,641 rows") is before


def test_facts_without_room_move_into_a_menu(bar, app):
    bar.resize(330, 48)
    app.processEvents()
    more = next(b for b in bar.findChildren(QToolButton) if b.accessibleName() == "More facts")
    assert [a.text() for a in more.menu().actions()] == ["pairs out of date"]


def test_the_menu_of_left_over_facts_works_too(bar, app):
    heard = []
    bar.fact_clicked.connect(heard.append)
    bar.resize(330, 48)
    app.processEvents()
    more = next(b for b in bar.findChildren(QToolButton) if b.accessibleName() == "More facts")
    more.menu().actions()[0].trigger()
    assert heard == ["pairs"]


def test_with_room_every_fact_is_seen(bar):
    assert seen(bar) == ["Tickets", "14,640 rows", "pairs out of date"]
