"""A choice out of a few that stand side by side."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.widgets.segments import Segments


@pytest.fixture
def segments(app, show):
    made = Segments((("meaning", "Meaning"), ("words", "Words"), ("both", "Both")), name="Way")
    show(made, 300, 40)
    return made


def test_the_first_choice_holds_at_first(segments):
    assert segments.key == "meaning"


def test_a_click_chooses_and_tells(segments):
    told = []
    segments.chosen.connect(told.append)
    QTest.mouseClick(segments._parts["both"], Qt.MouseButton.LeftButton)
    assert (segments.key, told) == ("both", ["both"])


def test_the_program_chooses_without_telling(segments):
    told = []
    segments.chosen.connect(told.append)
    segments.choose("words")
    assert (segments.key, told) == ("words", [])


def test_the_arrows_go_from_part_to_part(segments):
    segments._parts["meaning"].setFocus()
    QTest.keyClick(segments._parts["meaning"], Qt.Key.Key_Right)
    assert segments._parts["words"].hasFocus()


def test_a_part_that_cannot_be_had_is_not_chosen(segments):
    segments.allow("words", False)
    QTest.mouseClick(segments._parts["words"], Qt.MouseButton.LeftButton)
    assert segments.key == "meaning"


def test_every_part_has_a_name(segments):
    assert [part.accessibleName() for part in segments._parts.values()] == [
        "Meaning",
        "Words",
        "Both",
    ]
