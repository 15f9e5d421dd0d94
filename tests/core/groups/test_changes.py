"""Groups that came, went and changed, by hand. Texts are a=0, b=1, …"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.groups import changed_groups


def kept(n: int, *groups: tuple[int, ...]) -> np.ndarray:
    """The kept text of each of n texts; the first of each group is kept for it."""
    found = np.arange(n)
    for group in groups:
        found[list(group)] = group[0]
    return found


def changes(n: int, before: list[tuple[int, ...]], after: list[tuple[int, ...]]):
    return changed_groups(kept(n, *before), kept(n, *after))


def lines(found) -> list[tuple[int, int, int, bool]]:
    """(group, text, beside, joined) of each moved text."""
    return list(zip(found.group.tolist(), found.text.tolist(), found.beside.tolist(),
                    found.is_joined.tolist(), strict=True))  # fmt: skip


def heads(found) -> list[tuple[int, int, int, int]]:
    """(before, after, joined, gone) of each group."""
    return list(zip(found.before.tolist(), found.after.tolist(), found.joined.tolist(),
                    found.gone.tolist(), strict=True))  # fmt: skip


def test_the_same_groups_are_no_change():
    assert len(changes(5, [(0, 1), (2, 3, 4)], [(0, 1), (2, 3, 4)])) == 0
    assert len(changes(0, [], [])) == 0


def test_a_group_of_texts_that_stood_alone_is_gained():
    found = changes(4, [], [(0, 2, 3)])
    assert heads(found) == [(-1, 0, 2, 0)]
    assert lines(found) == [(0, 2, 0, True), (0, 3, 0, True)]
    assert (found.texts_before.tolist(), found.texts_after.tolist()) == ([0], [3])
    assert found.is_gained.tolist() == [True]


def test_a_group_that_fell_apart_is_lost():
    found = changes(4, [(0, 2, 3)], [])
    assert heads(found) == [(0, -1, 0, 2)]
    assert lines(found) == [(0, 2, 0, False), (0, 3, 0, False)]
    assert (found.texts_before.tolist(), found.texts_after.tolist()) == ([3], [0])
    assert found.is_lost.tolist() == [True]


def test_texts_that_join_and_leave_change_a_group():
    found = changes(5, [(0, 1, 2)], [(0, 1, 3, 4)])
    assert heads(found) == [(0, 0, 2, 1)]
    assert lines(found) == [(0, 3, 0, True), (0, 4, 0, True), (0, 2, 0, False)]


def test_a_group_with_another_kept_text_and_the_same_texts_is_no_change():
    assert len(changes(3, [(0, 1, 2)], [(2, 0, 1)])) == 0


def test_a_new_kept_text_is_read_beside_the_one_before_it():
    found = changes(4, [(1, 2, 3)], [(0, 1, 2, 3)])
    assert heads(found) == [(1, 0, 1, 0)]
    assert lines(found) == [(0, 0, 1, True)]


def test_a_merged_group_is_no_loss_its_texts_join_the_other():
    found = changes(5, [(0, 1, 2), (3, 4)], [(0, 1, 2, 3, 4)])
    assert heads(found) == [(0, 0, 2, 0)]
    assert lines(found) == [(0, 3, 0, True), (0, 4, 0, True)]


def test_a_group_split_off_is_no_gain_its_texts_leave_the_other():
    found = changes(5, [(0, 1, 2, 3, 4)], [(0, 1, 2), (3, 4)])
    assert heads(found) == [(0, 0, 0, 2)]
    assert lines(found) == [(0, 3, 0, False), (0, 4, 0, False)]


def test_a_text_that_changes_groups_is_told_at_both():
    found = changes(6, [(0, 1, 2), (3, 4)], [(0, 1), (3, 4, 2)])
    assert heads(found) == [(0, 0, 0, 1), (3, 3, 1, 0)]
    assert lines(found) == [(0, 2, 0, False), (1, 2, 3, True)]


def test_two_groups_that_share_one_text_are_the_same_only_by_their_kept_text():
    same = changes(3, [(0, 1)], [(0, 2)])
    assert heads(same) == [(0, 0, 1, 1)]
    other = changes(3, [(0, 1)], [(1, 2)])
    assert heads(other) == [(0, -1, 0, 1), (-1, 1, 1, 0)]


def test_the_group_with_the_most_moved_texts_comes_first():
    found = changes(7, [], [(0, 1), (2, 3, 4, 5)])
    assert heads(found) == [(-1, 2, 3, 0), (-1, 0, 1, 0)]


@st.composite
def two_groupings(draw: st.DrawFn) -> tuple[int, list[int], list[int]]:
    n = draw(st.integers(1, 9))
    before, after = (draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)) for _ in range(2))
    return n, before, after


@given(two_groupings())
def test_every_text_parted_from_or_brought_to_its_kept_one_is_told(two):
    n, before, after = two
    old, new = (np.array([side.index(label) for label in side]) for side in (before, after))
    found = changed_groups(old, new)
    told = {text: (beside, joined) for _, text, beside, joined in lines(found)}
    for text in range(n):
        is_parted = old[text] != text and new[text] != new[old[text]]
        is_brought = new[text] != text and old[text] != old[new[text]]
        if is_parted or is_brought:
            beside = [old[text], new[text]]
            assert text in told or any(other in told for other in beside)
    assert all(group < len(found) for group, *_ in lines(found))
    assert (found.joined + found.gone > 0).all()
    assert sum(found.joined) + sum(found.gone) == len(found.text)
