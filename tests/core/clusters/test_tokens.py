"""Words of any language."""

import pytest

from core.clusters.tokens import are_variants, is_unspaced, key_of, tells_little, tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't top-up.", ["I", "don't", "top-up"]),
        ("C++ and C#, not C", ["C++", "and", "C#", "not", "C"]),
        ("see https://example.org/a?b=c &amp; <b>bold</b>", ["see", "bold"]),
        ("退款很慢", ["退款", "款很", "很慢"]),
        ("iPhone退款", ["iPhone", "退款"]),
        ("की रिफंड", ["की", "रिफंड"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("😀 !!! …", []),
        ("", []),
    ],
)
def test_words_are_found(text, words):
    assert tokens(text) == words


def test_case_and_width_are_folded():
    assert key_of("Ｒefund") == key_of("REFUND") == "refund"


@pytest.mark.parametrize("word", ["x", "7", "2026", "12-3", "é"])
def test_letters_and_figures_tell_little(word):
    assert tells_little(word)


@pytest.mark.parametrize("word", ["退款", "คน", "カー"])
def test_pieces_of_unspaced_scripts_are_known(word):
    assert is_unspaced(word)


@pytest.mark.parametrize("word", ["refund", "Überweisung", "مرحبا"])
def test_words_are_no_pieces(word):
    assert not is_unspaced(word)


@pytest.mark.parametrize(
    ("one", "other"),
    [("refund", "refunds"), ("refunded", "refund"), ("top", "top-up"), ("currency", "currencies")],
)
def test_forms_of_one_word_are_variants(one, other):
    assert are_variants(one, other)
    assert are_variants(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("java", "javascript"), ("card", "cash"), ("in", "invoice"), ("pay", "pin")]
)
def test_different_words_are_no_variants(one, other):
    assert not are_variants(one, other)
