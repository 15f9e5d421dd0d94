"""The four similarities against loops in float64."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluation import SIMILARITIES, similarities, similarities_of_pairs


def made(rows=7, width=5, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(0, 3, (rows, width)).astype(np.float32)


def by_hand(name, u, v):
    u, v = [float(x) for x in u], [float(x) for x in v]
    product = sum(a * b for a, b in zip(u, v, strict=True))
    if name == "dot":
        return product
    if name == "cosine":
        return product / math.sqrt(sum(a * a for a in u)) / math.sqrt(sum(b * b for b in v))
    if name == "euclidean":
        return -math.dist(u, v)
    return -sum(abs(a - b) for a, b in zip(u, v, strict=True))


@pytest.mark.parametrize("name", SIMILARITIES)
def test_each_equals_its_definition(name):
    left, right = made(seed=1), made(seed=2)
    wanted = [by_hand(name, u, v) for u, v in zip(left, right, strict=True)]
    assert SIMILARITIES[name](left, right) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("name", SIMILARITIES)
def test_the_outcome_is_float64(name):
    assert SIMILARITIES[name](made(), made()).dtype == np.float64


@pytest.mark.parametrize("name", SIMILARITIES)
def test_parts_change_nothing(name, monkeypatch):
    left, right = made(23, seed=1), made(23, seed=2)
    whole = SIMILARITIES[name](left, right)
    monkeypatch.setattr(similarities, "_NUMBERS_AT_ONCE", 11)
    assert SIMILARITIES[name](left, right).tolist() == whole.tolist()


def test_pairs_of_places_equal_pairs_of_rows(monkeypatch):
    monkeypatch.setattr(similarities, "_NUMBERS_AT_ONCE", 11)
    vectors, left, right = made(9), np.array([0, 8, 3, 3]), np.array([1, 0, 3, 7])
    found = similarities_of_pairs(vectors, left, right)
    for name, column in found.items():
        assert column.tolist() == SIMILARITIES[name](vectors[left], vectors[right]).tolist()


def test_a_row_of_zeros_has_no_direction():
    zeros = np.zeros((1, 3), np.float32)
    assert SIMILARITIES["cosine"](zeros, made(1, 3)).tolist() == [0]


def test_the_length_of_vectors_matters_to_all_but_cosine():
    left, right = made(seed=1), made(seed=2)
    for name, measure in SIMILARITIES.items():
        same = np.allclose(measure(left, right), measure(2 * left, right))
        assert same == (name == "cosine")


@given(st.integers(0, 1000))
def test_both_orders_of_a_pair_are_equal(seed):
    left, right = made(seed=seed), made(seed=seed + 1)
    for measure in SIMILARITIES.values():
        assert measure(left, right) == pytest.approx(measure(right, left))


@pytest.mark.parametrize("name", SIMILARITIES)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused(name, value):
    bad = made()
    bad[2, 1] = value
    with pytest.raises(ValueError, match="finite"), np.errstate(invalid="ignore"):
        SIMILARITIES[name](bad, made(seed=1))


def test_matrices_of_different_shape_are_refused():
    with pytest.raises(ValueError, match="one shape"):
        SIMILARITIES["dot"](made(3), made(4))


def test_no_pairs_have_no_similarities():
    assert SIMILARITIES["cosine"](made(0), made(0)).tolist() == []
