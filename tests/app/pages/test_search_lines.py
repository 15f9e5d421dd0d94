import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.look.theme import current_theme, font
from app.pages.search_lines import LINES, count_lines, draw, lay_out, snippet_of

LONG = "A sentence that says rather much about very little. " * 20


def shown(words: str, width: float = 400, marks: tuple[tuple[int, int], ...] = ()) -> list[str]:
    """The lines that a text takes."""
    laid = lay_out(snippet_of(words, marks), font(current_theme(), "reading"), width)
    units = laid.layout.text().encode("utf-16-le")  # as Qt counts
    lines = [laid.layout.lineAt(at) for at in range(laid.layout.lineCount())]
    spans = [(2 * line.textStart(), 2 * line.textLength()) for line in lines]
    return [units[start : start + length].decode("utf-16-le") for start, length in spans]


def test_a_short_text_takes_one_line(app: QApplication) -> None:
    assert shown("Where is my parcel?") == ["Where is my parcel?"]


def test_a_long_text_takes_three_lines_and_is_cut_at_the_last(app: QApplication) -> None:
    lines = shown(LONG)
    assert len(lines) == LINES
    assert lines[-1].endswith("…")
    assert LONG.startswith("".join(lines).removesuffix("…"))


def test_no_line_is_wider_than_there_is_room(app: QApplication) -> None:
    metrics = QFontMetricsF(font(current_theme(), "reading"))
    assert all(metrics.horizontalAdvance(line.rstrip()) <= 400 for line in shown("x" * 900))


@pytest.mark.parametrize("words", ["Short.", LONG[:70], LONG[:110], LONG, "", "x" * 300])
def test_the_lines_counted_are_the_lines_drawn(app: QApplication, words: str) -> None:
    letters = font(current_theme(), "reading")
    snippet = snippet_of(words, ())
    advance = QFontMetricsF(letters).horizontalAdvance(snippet.words)
    drawn = max(1, lay_out(snippet, letters, 400).layout.lineCount())
    assert count_lines(snippet, letters, 400, advance) == drawn


def test_line_ends_and_blanks_become_one_space_and_marks_move_along() -> None:
    snippet = snippet_of("  one\n\n\ttwo   three", ((8, 11), (14, 19)))
    assert snippet.words == "one two three"
    assert [snippet.words[a:b] for a, b in snippet.spans] == ["two", "three"]


def test_a_match_far_inside_is_brought_into_sight() -> None:
    body = LONG + "the needle is here"
    start = body.index("needle")
    snippet = snippet_of(body, ((start, start + 6),))
    assert snippet.words.startswith("… ")
    assert [snippet.words[a:b] for a, b in snippet.spans] == ["needle"]
    assert snippet.spans[0][0] < 80


def test_a_mark_beyond_the_cut_is_left_out(app: QApplication) -> None:
    body = "first " + LONG
    end = len(body) - 3
    letters = font(current_theme(), "reading")
    laid = lay_out(snippet_of(body, ((0, 5), (end - 10, end))), letters, 400)
    assert laid.spans == ((0, 5),)


def test_marks_stand_behind_signs_that_qt_counts_twice(app: QApplication) -> None:
    laid = lay_out(snippet_of("😀😀 card", ((3, 7),)), font(current_theme(), "reading"), 400)
    assert laid.spans == ((5, 9),)


def test_a_long_text_of_such_signs_is_cut_at_the_right_place(app: QApplication) -> None:
    body = "😀 " * 300
    assert shown(body)[-1].endswith("…")
    assert body.startswith("".join(shown(body)[:2]))


def test_a_text_from_right_to_left_begins_at_the_right(app: QApplication) -> None:
    laid = lay_out(snippet_of("مرحبا", ()), font(current_theme(), "reading"), 400)
    assert laid.layout.lineAt(0).naturalTextRect().right() == pytest.approx(400, abs=1)


def test_control_characters_are_shown_as_signs() -> None:
    assert snippet_of("nul \x00 here", ()).words == "nul ␀ here"


def test_matches_are_drawn_on_a_ground_of_their_own(app: QApplication) -> None:
    plain, marked = drawn(()), drawn(((0, 5),))
    colour = current_theme().colours.highlight.lower()
    assert colour not in plain
    assert colour in marked


def drawn(marks: tuple[tuple[int, int], ...]) -> set[str]:
    """The colours of a drawn text."""
    image = QImage(200, 40, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    with QPainter(image) as painter:
        laid = lay_out(snippet_of("words here", marks), font(current_theme(), "reading"), 200)
        draw(painter, QPointF(2, 2), laid, current_theme().colours)
    return {image.pixelColor(x, y).name() for x in range(200) for y in range(40)}
