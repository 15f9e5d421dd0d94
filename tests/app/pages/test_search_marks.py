import pytest

from app.pages.search_marks import pieces_of, word_spans


def found(text: str, words: str) -> list[str]:
    return [text[start:stop] for start, stop in word_spans(text, words)]


def test_words_are_found_in_any_case_and_without_accents() -> None:
    assert found("The Café is cafe, CAFÉ", "café") == ["Café", "cafe", "CAFÉ"]


def test_a_letter_that_folds_into_two_keeps_its_place() -> None:
    assert found("die Straße hier", "strasse hier") == ["Straße", "hier"]


def test_a_phrase_in_quotation_marks_is_found_as_a_whole() -> None:
    assert found("order 4711 and order 4712", '"order 4711"') == ["order 4711"]


def test_parts_of_long_words_are_marked() -> None:
    assert found("Rücksendung", "sendung") == ["sendung"]


def test_a_short_word_is_marked_only_where_a_word_begins() -> None:
    assert found("it is in winter", "in") == ["in"]


def test_scripts_without_spaces_are_marked_anywhere() -> None:
    assert found("我的包裹在哪里", "包裹") == ["包裹"]


def test_marks_that_touch_become_one() -> None:
    assert word_spans("cardcard", "card") == [(0, 8)]


@pytest.mark.parametrize("words", ["", "   ", '""', "?!", "- * ^"])
def test_nothing_but_signs_marks_nothing(words: str) -> None:
    assert word_spans("What? - is * this ^ !", words) == []


def test_signs_of_patterns_are_taken_as_they_are() -> None:
    assert found("costs a.b (c) axb", "a.b") == ["a.b"]


def test_pieces_leave_off_what_is_around_words() -> None:
    assert pieces_of('(refund) "order 4711", refund') == ["refund", "order 4711"]
