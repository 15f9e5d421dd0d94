"""Figures that add up and stand still."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.widgets.sum_line import Sum, SumLine

SUM = Sum(14_640, 12_911, 738, 655, 336, 96, 364)


@pytest.fixture
def line(show):
    made = SumLine()
    made.show_sum(SUM)
    return show(made, 1000, 28)


def test_the_whole_line(line):
    assert line.text == (
        "14,640 rows = 12,911 kept + 1,729 removed (738 copies · 655 accepted · 336 decided)"
        "  ·  96 to review, about 6 min"
    )


def test_screen_readers_get_the_whole_line(line):
    assert line.accessibleName() == line.text


def test_nothing_to_review_has_no_time(line):
    line.show_sum(Sum(3, 2, 1, review=0, review_s=0))
    assert line.text.endswith("(1 copy · 0 accepted · 0 decided)  ·  0 to review")


def test_smaller_figures_do_not_move_what_follows(line):
    wide = line.sizeHint().width()
    line.show_sum(Sum(14_640, 14_640 - 738 - 9, 738, 9, 0, 8, 364))
    assert line.sizeHint().width() == wide


def test_another_corpus_starts_anew(line):
    wide = line.sizeHint().width()
    line.show_sum(Sum(3, 3))
    assert line.sizeHint().width() < wide


def test_a_part_is_a_link(line):
    heard = []
    line.part_clicked.connect(heard.append)
    for x in range(2, line.sizeHint().width(), 4):
        QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(x, 14))
    order = list(dict.fromkeys(heard))
    assert order == ["rows", "kept", "removed", "copies", "accepted", "decided", "review"]


def test_a_narrow_line_leaves_out_why_rows_were_removed(line):
    assert line.minimumSizeHint().width() < line.sizeHint().width() - 100
