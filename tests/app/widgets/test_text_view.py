"""Reading a text."""

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.widgets.shown_text import is_right_to_left, visible
from app.widgets.text_view import TextView


@pytest.fixture
def view(show):
    return show(TextView(), 500, 300)


def marked(view):
    return [selection.cursor.selectedText() for selection in view.extraSelections()]


def test_spans_are_marked(view):
    view.show_text("charged twice today", [(8, 13)])
    assert marked(view) == ["twice"]


def test_spans_after_an_emoji_are_still_right(view):
    text = "📦📦 parcel lost"
    start = text.index("lost")
    view.show_text(text, [(start, start + 4)])
    assert marked(view) == ["lost"]


def test_marks_are_underlined_so_that_colour_is_not_alone(view):
    view.show_text("a b", [(0, 1)])
    assert view.extraSelections()[0].format.fontUnderline()


def test_marking_anew_keeps_the_text(view):
    view.show_text("one two", [(0, 3)])
    view.mark([(4, 7)])
    assert marked(view) == ["two"]


def test_control_characters_are_seen(view):
    view.show_text("a\x00b\x0bc")
    assert view.toPlainText() == "a␀b␋c"


def test_the_given_text_is_kept_as_it_was(view):
    view.show_text("a\x00\r\nb")
    assert view.text == "a\x00\r\nb"


@pytest.mark.parametrize("text", ["a\r\nb", "a\rb", "a\u2028b", "\x7f\x80", "\ud800", "a\n\tb"])
def test_what_is_shown_is_as_long_as_the_text(text):
    assert len(visible(text)) == len(text)


def test_lone_surrogates_do_not_crash(view):
    view.show_text("broken \ud83d here 📦", [(9, 13)])
    assert marked(view) == ["here"]


def test_markup_is_only_text(view):
    view.show_text("<b>bold</b>")
    assert view.toPlainText() == "<b>bold</b>"


@pytest.mark.parametrize(
    ("text", "rtl"),
    [
        ("أين طردي (order 4471)؟", True),
        ("(12) שלום world", True),
        ("order أين", False),
        ("123", False),
        ("", False),
    ],
)
def test_the_first_letter_gives_the_direction(text, rtl):
    assert is_right_to_left(text) is rtl


def test_each_text_has_its_own_direction(view):
    view.show_text("أين طردي")
    first = view.document().defaultTextOption().textDirection()
    view.show_text("where")
    second = view.document().defaultTextOption().textDirection()
    assert (first, second) == (Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight)


def test_typing_changes_nothing(view):
    view.show_text("read only")
    QTest.keyClicks(view, "x")
    assert view.toPlainText() == "read only"


def test_tab_leaves_the_text(view):
    assert view.tabChangesFocus()


@pytest.mark.parametrize("between", [" ", "\n"])
def test_200_kilobytes_are_shown_quickly(view, app, between):
    text = between.join(f"sentence {n} of a long report" for n in range(6_500))
    spans = [(n * 90, n * 90 + 8) for n in range(2_000)]
    start = time.perf_counter()
    view.show_text(text, spans)
    app.processEvents()
    took = time.perf_counter() - start
    assert len(text) > 190_000
    assert took < 1  # 0.04 to 0.2 s on an idle machine


def test_of_many_marks_those_in_view_are_made(view, app):
    text = "\n".join(f"line {n:05}" for n in range(5_000))
    view.show_text(text, [(n * 11 + 5, n * 11 + 10) for n in range(5_000)])
    app.processEvents()
    at_top = marked(view)
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    app.processEvents()
    assert at_top[0] == "00000"
    assert marked(view)[-1] == "04999"
    assert len(at_top) < 100


def test_a_long_paragraph_is_broken_at_a_blank_only(view):
    text = "word " * 8_000
    view.show_text(text)
    assert view.toPlainText().replace("\n", " ") == text


def test_a_new_text_starts_at_its_top(view, app):
    view.show_text("line\n" * 400)
    view.verticalScrollBar().setValue(500)
    view.show_text("other\n" * 400)
    assert view.verticalScrollBar().value() == 0
