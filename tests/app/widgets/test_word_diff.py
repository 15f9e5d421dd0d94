"""Which words differ."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.widgets.word_diff import word_diff


def marked(a: str, b: str) -> tuple[list[str], list[str]]:
    spans_a, spans_b = word_diff(a, b)
    return [a[i:j] for i, j in spans_a], [b[i:j] for i, j in spans_b]


@pytest.mark.parametrize(
    ("a", "b", "in_a", "in_b"),
    [
        ("charged twice today", "charged once today", ["twice"], ["once"]),
        ("the same", "the same", [], []),
        ("pay 40.00 now", "pay 45.00 now", ["40.00"], ["45.00"]),
        ("do that", "do not do that", [], ["not do"]),
        ("I don't", "I do", ["don't"], ["do"]),
        ("", "all of it", [], ["all of it"]),
        ("早上好吗", "晚上好吗", ["早"], ["晚"]),
        ("Same", "same", ["Same"], ["same"]),
        ("one\ntwo", "three\nfour", ["one", "two"], ["three", "four"]),
        ("ends.", "ends!", ["."], ["!"]),
    ],
)
def test_differing_words(a, b, in_a, in_b):
    assert marked(a, b) == (in_a, in_b)


def test_blanks_alone_do_not_differ():
    assert marked("one  two", "one\ttwo") == ([], [])


@given(st.text(alphabet="ab .\n", max_size=60))
def test_a_text_does_not_differ_from_itself(text):
    assert word_diff(text, text) == ([], [])


@given(st.text(alphabet="ab c", max_size=40), st.text(alphabet="ab c", max_size=40))
def test_spans_are_ordered_and_inside(a, b):
    for text, spans in zip((a, b), word_diff(a, b), strict=True):
        flat = [place for span in spans for place in span]
        assert flat == sorted(flat)
        assert all(0 <= place <= len(text) for place in flat)


@given(st.text(alphabet="ab c", max_size=40), st.text(alphabet="ab c", max_size=40))
def test_what_is_not_marked_is_the_same(a, b):
    def rest(text, spans):
        kept = list(text)
        for start, stop in spans:
            kept[start:stop] = " " * (stop - start)
        return "".join(kept).split()

    spans_a, spans_b = word_diff(a, b)
    assert rest(a, spans_a) == rest(b, spans_b)


def test_huge_texts_take_no_time_to_speak_of():
    a = " ".join(f"word{n}" for n in range(20_000))
    b = " ".join(f"word{n}" for n in range(19_999, -1, -1)) + " more"
    start = time.perf_counter()
    _, in_b = marked(a, b)
    assert (in_b, time.perf_counter() - start < 1) == (["more"], True)
