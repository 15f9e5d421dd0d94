import numpy as np
import pytest

from core.pairs import windows_agree

TOPICS = np.eye(12, dtype=np.float32)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([0, 1, 2], [0, 1, 2], True),
        ([0, 1, 2], [2, 0, 1], True),
        ([0, 1, 2, 3, 4], [0, 1, 2, 3, 9], True),
        ([0, 1, 2], [0, 5, 6], False),
        ([0, 1], [0, 5], False),
        ([0], [0, 1, 2, 3, 4], False),
        ([0, 1, 2, 3, 4], [0], False),
        ([0], [0], True),
        ([], [0], False),
    ],
    ids=[
        "the same", "in another order", "four of five", "one shared paragraph of three",
        "one shared paragraph of two", "contained", "containing", "one window", "no window",
    ],
)  # fmt: skip
def test_most_of_each_text_must_be_said_in_the_other(a, b, expected):
    assert windows_agree(TOPICS[a], TOPICS[b], level=0.8) is expected


def test_equal_beginnings_do_not_make_long_texts_equal():
    """Two texts that agree in their first of eight windows, as after a cut."""
    assert not windows_agree(TOPICS[:8], TOPICS[[0, 8, 9, 10, 11, 8, 9, 10]], level=0.8)
