"""Windows of long texts and portions of many."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.encoders.tokenizing import portions, window_starts


@given(st.integers(0, 5_000), st.integers(1, 300))
def test_windows_reach_from_the_first_token_to_the_last(tokens, room):
    starts = window_starts(tokens, room)
    covered = np.zeros(tokens, bool)
    for start in starts:
        covered[start : start + room] = True
    assert covered.all()


@given(st.integers(1, 5_000), st.integers(8, 300))
def test_neighbouring_windows_share_an_eighth(tokens, room):
    strides = np.diff(window_starts(tokens, room))
    assert (strides <= room - room // 8).all()


@given(st.integers(2, 5_000), st.integers(1, 300))
def test_every_window_of_a_long_text_is_full(tokens, room):
    starts = window_starts(tokens, room)
    assert len(starts) == 1 or int(starts[-1]) + room == tokens


@pytest.mark.parametrize("sizes", [[], [3], [50], [3, 4, 5, 50, 1, 1, 1, 1]])
def test_portions_cover_every_text_once(sizes):
    texts = ["x" * size for size in sizes]
    places = [place for start, stop in portions(texts, 3, 10) for place in range(start, stop)]
    assert places == list(range(len(texts)))


def test_portions_hold_so_many_characters_at_most():
    texts = ["x" * size for size in (3, 4, 5, 50, 1, 9)]
    assert list(portions(texts, 10, 10)) == [(0, 2), (2, 3), (3, 4), (4, 6)]


def test_cutting_a_text_in_pieces_does_not_change_its_tokens(load_tiny, monkeypatch):
    text = "the dog runs in the park " * 50
    for name in ("bert", "roberta"):
        tokenizer = load_tiny(name).tokenizer
        (whole,) = next(tokenizer.tokenize([text]))
        with monkeypatch.context() as patch:
            patch.setattr("core.encoders.tokenizing._PIECE", 100)
            (pieced,) = next(tokenizer.tokenize([text]))
        assert whole.tolist() == pieced.tolist()
