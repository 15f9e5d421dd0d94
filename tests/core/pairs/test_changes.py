"""Pairs gained and lost between two passes, by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.pairs import CosineTable, Measured, changed_pairs, cosines, most_telling
from core.records import Stand

ALONE, REVIEW, REMOVED = Stand.LEFT_ALONE, Stand.REVIEW, Stand.REMOVED


def measured(
    *pairs: tuple[int, int, float], threshold: float = 0.9, review: float = 0.8, held: int = 0
) -> Measured:
    """Pairs of positions; the first `held` of them are held back."""
    table = np.array(pairs, np.float64).reshape(-1, 3)
    return Measured(
        table[:, 0].astype(np.int64), table[:, 1].astype(np.int64),
        table[:, 2].astype(np.float32), np.arange(len(table)) < held, threshold, review,
    )  # fmt: skip


def told(changes):
    """(left, right, gained, stood, stands) of each pair."""
    return list(zip(changes.left.tolist(), changes.right.tolist(), changes.gained.tolist(),
                    changes.stood.tolist(), changes.stands.tolist(), strict=True))  # fmt: skip


def test_pairs_are_gained_and_lost_at_either_bound_of_review():
    before = measured((0, 1, 0.95), (0, 2, 0.85), (1, 2, 0.79), (2, 3, 0.80))
    after = measured((0, 1, 0.95), (0, 2, 0.60), (1, 2, 0.80), (3, 4, 0.97))
    changes = changed_pairs(5, before, after)
    assert told(changes) == [
        (1, 2, True, ALONE, REVIEW),
        (3, 4, True, ALONE, REMOVED),
        (0, 2, False, REVIEW, ALONE),
        (2, 3, False, REVIEW, ALONE),
    ]
    np.testing.assert_allclose(changes.before, [0.79, np.nan, 0.85, 0.80], rtol=1e-6)
    np.testing.assert_allclose(changes.after, [0.80, 0.97, 0.60, np.nan], rtol=1e-6)
    assert (changes.stayed, changes.risen, changes.fallen) == (1, 0, 0)


def test_each_side_is_held_against_its_own_bounds():
    before = measured((0, 1, 0.75), threshold=0.97, review=0.86)
    after = measured((0, 1, 0.70), threshold=0.8, review=0.65)
    assert told(changed_pairs(2, before, after)) == [(0, 1, True, ALONE, REVIEW)]


def test_pairs_that_rise_and_fall_between_review_and_removal_stayed():
    before = measured((0, 1, 0.85), (0, 2, 0.95), (1, 2, 0.85))
    after = measured((0, 1, 0.95), (0, 2, 0.85), (1, 2, 0.85))
    changes = changed_pairs(3, before, after)
    assert (len(changes), changes.stayed, changes.risen, changes.fallen) == (0, 3, 1, 1)


def test_what_is_held_back_is_to_review_at_any_cosine():
    changes = changed_pairs(2, measured(), measured((0, 1, 0.99), held=1))
    assert told(changes) == [(0, 1, True, ALONE, REVIEW)]
    changes = changed_pairs(2, measured((0, 1, 0.99), held=1), measured())
    assert told(changes) == [(0, 1, False, REVIEW, ALONE)]


def test_cosines_are_compared_as_grouping_compares_them():
    # 0.8 as float32 is above 0.8: compared as doubles the bound itself would be missed or met
    # by chance.
    pairs = measured((0, 1, np.float32(0.8)), (0, 2, np.nextafter(np.float32(0.8), np.float32(0))))
    changes = changed_pairs(3, measured(), pairs)
    assert told(changes) == [(0, 1, True, ALONE, REVIEW)]


def test_nothing_beside_nothing_is_no_change():
    assert len(changed_pairs(0, measured(), measured())) == 0
    assert len(changed_pairs(3, measured(), measured())) == 0


def test_the_largest_change_against_the_bound_comes_first():
    before = measured((0, 1, 0.50), (0, 2, 0.79), (1, 2, 0.95), threshold=0.9, review=0.8)
    after = measured(
        (0, 1, 0.92), (0, 2, 0.71), (1, 2, 0.30), threshold=0.8, review=0.7
    )  # fmt: skip
    changes = changed_pairs(3, before, after)
    # Margins: (0, 1) -0.30 → 0.22 = 0.52; (0, 2) -0.01 → 0.01 = 0.02; (1, 2) 0.15 → -0.40 = 0.55.
    order = most_telling(changes, review_before=0.8, review_after=0.7, most=10)
    assert [told(changes)[at][:2] for at in order] == [(1, 2), (0, 1), (0, 2)]


@pytest.mark.parametrize(
    ("gained", "lost", "most", "kept"),
    [(3, 3, 4, (2, 2)), (5, 1, 4, (3, 1)), (1, 5, 4, (1, 3)), (9, 0, 4, (4, 0)), (2, 2, 9, (2, 2)),
     (9, 9, 5, (3, 2))],
)  # fmt: skip
def test_either_kind_has_half_the_room_and_what_the_other_leaves(gained, lost, most, kept):
    before = measured(*((0, 1 + i, 0.85) for i in range(lost)))
    before = Measured(*_joined(before, measured(*((1, 20 + i, 0.1) for i in range(gained)))))
    after = measured(*((1, 20 + i, 0.85) for i in range(gained)), *((0, 1 + i, 0.1)
                     for i in range(lost)))  # fmt: skip
    changes = changed_pairs(40, before, after)
    chosen = most_telling(changes, review_before=0.8, review_after=0.8, most=most)
    assert (int(changes.gained[chosen].sum()), int((~changes.gained[chosen]).sum())) == kept


def _joined(one: Measured, other: Measured):
    parts = ((one.left, other.left), (one.right, other.right), (one.cosine, other.cosine),
             (one.held, other.held))  # fmt: skip
    return (*(np.concatenate(part) for part in parts), one.threshold, one.review)


def test_a_pair_is_found_whichever_text_is_named_first():
    table = CosineTable(4, measured((0, 3, 0.9), (1, 2, 0.8), held=1))
    cosine, held = table.find(np.array([3, 2, 0]), np.array([0, 1, 1]))
    np.testing.assert_allclose(cosine, [0.9, 0.8, np.nan], rtol=1e-6)
    assert held.tolist() == [True, False, False]


def test_cosines_come_in_blocks_and_never_beyond_one():
    vectors = np.array([[1, 0], [0.6, 0.8], [1.0000001, 0]], np.float32)
    found = np.concatenate(list(cosines(vectors, np.array([0, 1, 0]), np.array([1, 1, 2]))))
    np.testing.assert_allclose(found, [0.6, 1, 1], rtol=1e-6)
    many = np.zeros(40_000, np.int64)
    blocks = [len(block) for block in cosines(vectors, many, many)]
    assert blocks == [16_384, 16_384, 7_232]


@given(
    st.dictionaries(st.tuples(st.integers(0, 5), st.integers(6, 11)), st.floats(0, 1), max_size=20),
    st.dictionaries(st.tuples(st.integers(0, 5), st.integers(6, 11)), st.floats(0, 1), max_size=20),
)
def test_gained_and_lost_are_the_two_halves_of_what_differs(before, after):
    sides = [
        measured(*((*pair, cosine) for pair, cosine in one.items())) for one in (before, after)
    ]
    changes = changed_pairs(12, *sides)
    old, new = ({pair for pair, cosine in one.items() if np.float32(cosine) >= np.float32(0.8)}
                for one in (before, after))  # fmt: skip
    found = [(left, right, gained) for left, right, gained, *_ in told(changes)]
    assert {(a, b) for a, b, gained in found if gained} == new - old
    assert {(a, b) for a, b, gained in found if not gained} == old - new
    assert changes.stayed == len(old & new)
    assert len(found) == len(set(found))
