import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corpus import content_hash, is_very_short, normalise


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("  one\r\ntwo\rthree \n", "one\ntwo\nthree"),
        ("cafe\u0301", "caf\u00e9"),
        ("a\x00b\x0bc", "a\x00b\x0bc"),
        ("x\ud800y", "x\\ud800y"),
        ("\ud83d\ude00", "😀"),
        ("Case  and  inner  spaces", "Case  and  inner  spaces"),
        (" \n\t", ""),
    ],
)
def test_texts_are_normalised(text, same):
    assert normalise(text) == same


@given(st.text(st.characters()))
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(st.characters()))
def test_a_normalised_text_can_be_stored(text):
    assert normalise(text).encode().decode() == normalise(text)


def test_the_hash_is_half_a_sha256_of_the_normalised_text():
    assert content_hash(" abc\r\n") == "ba7816bf8f01cfea414140de5dae2223"


def test_texts_that_differ_have_other_hashes():
    assert content_hash("abc") != content_hash("Abc")


@pytest.mark.parametrize(
    "text",
    ["ok", "...", "x", "👍", "", "yes", "n/a", "12345", "!!!" * 300, "谢谢", "👍👍👍👍", "No."],
)
def test_very_short_texts_are_marked(text):
    assert is_very_short(text)


@pytest.mark.parametrize(
    "text",
    [
        "我的包裹",
        "thanks",
        "I am",
        "not good",
        "ありがとう",
        "نعم شكرا",
        "." * 500 + "a text",
        "cancel it",
    ],
)
def test_other_texts_are_not(text):
    assert not is_very_short(text)


@given(st.text(st.characters(max_codepoint=0x0DFF)))
def test_six_letters_or_digits_are_enough_however_they_are_spread(text):
    signs = sum(sign.isalnum() for sign in text[:400])
    assert not (signs >= 6 and is_very_short(text))
