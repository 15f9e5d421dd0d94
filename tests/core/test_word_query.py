import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.word_query import LONGEST_PIECE, MOST_PIECES, WordQuery


def pieces(text):
    return [piece.text for piece in WordQuery.parse(text).pieces]


def required(text):
    return [piece.text for piece in WordQuery.parse(text).pieces if piece.is_required]


def begun(text):
    return [piece.text for piece in WordQuery.parse(text).pieces if piece.is_begun]


def test_words_are_parted_by_any_white_space():
    assert pieces("late\tflight\n again\u3000now") == ["late", "flight", "again", "now"]


@pytest.mark.parametrize("marks", ['""', "“”", "„“", "«»"])
def test_a_phrase_in_any_quotation_marks_is_required(marks):
    text = f"lost {marks[0]}  checked   bag {marks[1]} today"
    assert (pieces(text), required(text)) == (["lost", "checked bag", "today"], ["checked bag"])


def test_a_quotation_mark_without_a_partner_counts_as_a_space():
    assert (pieces('a "lost bag'), required('a "lost bag')) == (["a", "lost", "bag"], [])


def test_the_last_word_may_go_on_but_no_phrase():
    assert begun("late flig") == ["flig"]
    assert begun('late "flight"') == []


def test_a_single_letter_is_no_beginning_but_a_syllable_is():
    assert (begun("a"), begun("서")) == ([], ["서"])


def test_a_piece_counts_once_whatever_its_case():
    assert pieces("Flight FLIGHT flight") == ["Flight"]


def test_a_word_also_given_as_a_phrase_is_required():
    assert required('delay "delay"') == ["delay"]


@pytest.mark.parametrize(
    "text", ["", "  ", '"', '""', '" "', "*", "^:-*", "( ) | &", "…", "\0", "\ud800", "'''", "-"]
)
def test_what_says_nothing_has_no_pieces(text):
    assert not WordQuery.parse(text)


def test_punctuation_around_a_word_falls_away():
    assert pieces("(cat, -dog: «bird? ^fish*") == ["cat", "dog", "bird", "fish"]


def test_signs_that_are_part_of_a_name_stay():
    assert pieces("C# C++ 5% @name R&D don't") == ["C#", "C++", "5%", "@name", "R&D", "don't"]


def test_emoji_and_currencies_are_looked_for():
    assert pieces("🙂 € ♥") == ["🙂", "€", "♥"]


def test_characters_are_composed_and_control_characters_part_words():
    assert pieces("cafe\u0301\0bar") == ["café", "bar"]


def test_halves_of_a_character_are_joined_and_lone_ones_dropped():
    assert pieces("\ud83d\ude42 a\ud800b") == ["🙂", "ab"]


def test_long_queries_are_cut():
    assert len(pieces(" ".join(map(str, range(1_000))))) == MOST_PIECES
    assert pieces("x" * 10_000) == ["x" * LONGEST_PIECE]


@pytest.mark.parametrize(
    ("text", "is_words", "can_be_part"),
    [
        ("cat", True, True),
        ("ai", True, False),
        ("京", False, True),
        ("iPhone手机", False, True),
        ("서울", True, True),
        ("🙂", False, True),
        ("กา", False, True),
        ("हि", True, False),
    ],
)
def test_scripts_are_told_apart(text, is_words, can_be_part):
    (piece,) = WordQuery.parse(text).pieces
    assert (piece.is_words, piece.can_be_part) == (is_words, can_be_part)


@given(st.text())
def test_any_text_can_be_parsed(text):
    for piece in WordQuery.parse(text).pieces:
        assert piece.text.strip()
        piece.text.encode()
