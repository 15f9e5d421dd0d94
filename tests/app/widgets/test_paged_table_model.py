"""A long table read by pages."""

import time
from statistics import median

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest

from app.widgets.data_table import DataTable
from app.widgets.paged_table_model import RAW_ROLE, PagedTableModel
from app.widgets.tag_delegate import TAGS_ROLE
from app.widgets.tags import Tag

TOTAL = 180_000


def row(number):
    return (f"#{number}", f"text {number}", number)


class Source:
    """Notes what is asked for and answers at once, or when told to."""

    def __init__(self, *, at_once):
        self.at_once = at_once
        self.asked = []
        self.model = PagedTableModel(("id", "text", "length"), self.fetch, page_rows=100)

    def fetch(self, first, count):
        self.asked.append((first, count))
        if self.at_once:
            self.answer(first, count)

    def answer(self, first, count, **more):
        self.model.supply(first, [row(n) for n in range(first, first + count)], **more)


@pytest.fixture
def prompt(app):
    source = Source(at_once=True)
    source.model.reset(TOTAL)
    return source


@pytest.fixture
def slow(app):
    source = Source(at_once=False)
    source.model.reset(TOTAL)
    return source


def text(model, number, column=1):
    return model.index(number, column).data()


def test_it_is_as_long_as_it_is_told(prompt):
    assert prompt.model.rowCount() == TOTAL


def test_qt_finds_no_fault_in_it(prompt, app):
    prompt.model.reset(300)
    tester = QAbstractItemModelTester(
        prompt.model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    prompt.model.index(0, 0).data()
    app.processEvents()
    prompt.model.reset(12)
    assert tester.model() is prompt.model


def test_a_cell_waits_and_then_is_there(slow, app):
    first = text(slow.model, 250)
    app.processEvents()
    slow.answer(*slow.asked[0])
    assert (first, text(slow.model, 250)) == ("…", "text 250")


def test_a_page_is_asked_for_once(slow, app):
    for number in (200, 201, 299):
        text(slow.model, number)
        app.processEvents()
    assert slow.asked == [(200, 100)]


def test_the_last_page_is_short(app):
    source = Source(at_once=True)
    source.model.reset(250)
    text(source.model, 249)
    app.processEvents()
    assert source.asked == [(200, 50)]


def test_late_answers_are_dropped_after_a_reset(slow, app):
    text(slow.model, 0)
    app.processEvents()
    old = slow.model.generation
    slow.model.reset(TOTAL)
    text(slow.model, 0)
    app.processEvents()
    slow.answer(0, 100, generation=old)
    assert text(slow.model, 0) == "…"


def test_an_answer_nobody_asked_for_is_dropped(slow):
    slow.answer(500, 100)
    assert slow.model.row(500) is None


def test_views_are_told_when_rows_arrive(slow, app):
    heard = []
    slow.model.dataChanged.connect(lambda a, b, roles: heard.append((a.row(), b.row())))
    text(slow.model, 150)
    app.processEvents()
    slow.answer(100, 100)
    assert heard == [(100, 199)]


def test_pages_long_not_seen_are_forgotten(app):
    source = Source(at_once=True)
    source.model = PagedTableModel(
        ("id", "text", "length"), source.fetch, page_rows=10, kept_pages=3
    )
    source.model.reset(1_000)
    for number in (0, 100, 200, 300):
        text(source.model, number)
        app.processEvents()
    text(source.model, 0)
    app.processEvents()
    assert source.asked.count((0, 10)) == 2


def test_refreshing_asks_again_without_a_reset(prompt, app):
    resets = []
    prompt.model.modelReset.connect(lambda: resets.append(True))
    text(prompt.model, 0)
    app.processEvents()
    prompt.model.refresh()
    text(prompt.model, 0)
    app.processEvents()
    assert (prompt.asked, resets) == ([(0, 100)] * 2, [])


def test_figures_have_thousands_and_stand_right(prompt, app):
    text(prompt.model, 12_345, 2)
    app.processEvents()
    cell = prompt.model.index(12_345, 2)
    assert cell.data() == "12,345"
    assert cell.data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight


def filled(app, *cells):
    model = PagedTableModel(["x"] * len(cells), lambda *_: model.supply(0, [cells]))
    model.reset(1)
    model.index(0, 0).data()
    app.processEvents()
    return model


def test_a_long_text_of_many_lines_is_one_short_line(app):
    model = filled(app, "one\ntwo\x00\n" * 20_000)
    shown = model.index(0, 0).data()
    assert shown.startswith("one two␀ one")
    assert len(shown) <= 301


def test_the_whole_text_is_there_for_the_reader(app):
    body = "one\ntwo " * 20_000
    assert filled(app, body).index(0, 0).data(RAW_ROLE) == body


def test_tags_are_for_the_delegate_and_for_screen_readers(app):
    cell = filled(app, (Tag("long"),)).index(0, 0)
    assert cell.data() == ""
    assert cell.data(TAGS_ROLE) == (Tag("long"),)
    assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == "long"


def test_nothing_is_shown_for_nothing(app):
    assert filled(app, None).index(0, 0).data() == ""


def test_sorting_is_only_passed_on(prompt):
    heard = []
    prompt.model.sort_wanted.connect(lambda column, up: heard.append((column, up)))
    prompt.model.sort(2, Qt.SortOrder.DescendingOrder)
    assert heard == [(2, False)]


@pytest.fixture
def table(show, prompt, app):
    made = DataTable()
    made.setModel(prompt.model)
    return show(made, 800, 600)


def test_only_what_is_seen_is_read(table, prompt, app):
    table.scrollToBottom()
    app.processEvents()
    assert [first for first, _ in prompt.asked] == [0, TOTAL - 100]


def test_a_jump_through_a_long_table_takes_under_100_ms(table, app):
    took = []
    for number in range(0, TOTAL, 9_000):
        start = time.perf_counter()
        table.scrollTo(table.model().index(number, 0))
        app.processEvents()
        table.grab()
        took.append(time.perf_counter() - start)
    assert median(took) < 0.1


def test_arrows_tell_which_row_is_current(table):
    heard = []
    table.row_changed.connect(heard.append)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert heard[-1] == heard[0] + 1


def test_copying_puts_rows_on_the_clipboard(table, app):
    app.processEvents()
    table.selectRow(1)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "#1\ttext 1\t1"
