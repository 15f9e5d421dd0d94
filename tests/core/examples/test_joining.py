"""Chains of links join, however long and however stored."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.examples.joining import joined, numbered, pair_keys


def test_without_links_each_thing_is_its_own_group():
    assert joined(3).tolist() == [0, 1, 2]


@pytest.mark.parametrize("seed", range(3))
def test_a_long_chain_in_any_order_is_one_group(seed):
    chain = np.column_stack((np.arange(5_000), np.arange(1, 5_001)))
    random = np.random.default_rng(seed)
    names = random.permutation(5_001)
    assert set(joined(5_001, names[random.permutation(chain)])) == {0}


@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=30))
def test_groups_are_the_connected_parts(links):
    pairs = np.array(links, np.int64).reshape(-1, 2)
    reached = np.eye(20, dtype=bool)
    reached[pairs[:, 0], pairs[:, 1]] = reached[pairs[:, 1], pairs[:, 0]] = True
    for _ in range(5):  # paths of 32 links are longer than any among 20
        reached = (reached.astype(int) @ reached.astype(int)) > 0
    assert joined(20, pairs[:7], pairs[7:]).tolist() == reached.argmax(axis=1).tolist()


def test_texts_are_numbered_by_first_appearance():
    numbers, (left, right) = numbered(("b", "a"), ("a", "c"))
    assert (list(numbers), left.tolist(), right.tolist()) == (["b", "a", "c"], [0, 1], [1, 2])


def test_the_key_of_a_pair_is_the_same_in_either_order_and_nobody_elses():
    left, right = np.divmod(np.arange(49), 7)
    keys = pair_keys(left, right, 7)
    assert (keys == pair_keys(right, left, 7)).all()
    assert len(set(keys.tolist())) == 28
