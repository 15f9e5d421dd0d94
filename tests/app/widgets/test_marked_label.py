"""A label with marked words shows the text as it is, whatever stands in it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.look.theme import apply_theme
from app.look.tokens import DARK, LIGHT
from app.widgets.marked_label import MarkedLabel


def test_the_marked_words_are_told_and_stand_out(show: Callable[..., QWidget]) -> None:
    label = MarkedLabel("My card was charged twice.", [(20, 25)])
    show(label, 300, 60)
    assert label.marked == ["twice"]
    before, _, marked = label.text().partition("<span")
    assert before.endswith("charged ")
    assert ">twice</span>." in marked
    assert "underline" in marked


def test_what_looks_like_markup_is_text(show: Callable[..., QWidget]) -> None:
    label = MarkedLabel("a <b>bold</b> & more", [(2, 5)])
    show(label, 300, 60)
    assert "&lt;b&gt;" in label.text()
    assert "<b>" not in label.text()
    assert label.accessibleName() == "a <b>bold</b> & more"


def test_a_text_that_runs_from_right_to_left_does_so(show: Callable[..., QWidget]) -> None:
    label = MarkedLabel("שלום עולם")
    show(label, 300, 60)
    assert 'dir="rtl"' in label.text()
    assert label.alignment() & Qt.AlignmentFlag.AlignRight


def test_a_very_long_text_ends_in_an_ellipsis(show: Callable[..., QWidget]) -> None:
    label = MarkedLabel("word " * 1_000, [(4_000, 4_004)])
    show(label, 300, 60)
    assert label.text().endswith("…</p>")
    assert "<span" not in label.text()


def test_the_marks_wear_the_theme_of_the_moment(
    show: Callable[..., QWidget], app: QApplication
) -> None:
    label = MarkedLabel("one two", [(0, 3)])
    show(label, 300, 60)
    assert LIGHT.highlight in label.text()
    try:
        apply_theme(app, "dark")
        app.processEvents()
        assert DARK.highlight in label.text()
    finally:
        apply_theme(app, "light")
