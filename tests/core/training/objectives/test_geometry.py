"""Cosines and distances are right, and finite at the edges."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.spatial import distance as scipy_distance

from core.training.objectives.geometry import cosines, distances, unit

KINDS = {"euclidean": "euclidean", "manhattan": "cityblock", "cosine": "cosine"}


def double(rows):
    return torch.tensor(rows, dtype=torch.float64, requires_grad=True)


def test_vectors_come_out_at_length_one_in_their_direction():
    found = unit(double([[3.0, 4.0], [0.0, -2.0]]))
    assert torch.allclose(found, double([[0.6, 0.8], [0.0, -1.0]]))


def test_a_zero_vector_stays_zero():
    assert unit(double([[0.0, 0.0]])).tolist() == [[0.0, 0.0]]


def test_a_zero_vector_gets_no_gradient():
    left = double([[0.0, 0.0]])
    cosines(left, double([[1.0, 2.0]])).sum().backward()
    assert left.grad.tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("size", [1e-38, 1e-20, 1e-13, 1e-11, 1e-6, 1e6, 1e15])
def test_gradients_are_finite_in_float32_however_long_a_vector_is(size):
    left = torch.tensor([[size, -size]], requires_grad=True)
    cosines(left, torch.tensor([[1.0, 2.0]])).sum().backward()
    assert left.grad.isfinite().all()


@pytest.mark.parametrize("kind", KINDS)
def test_distances_are_scipys(kind, make_vectors):
    left, right = make_vectors(2)
    wanted = [getattr(scipy_distance, KINDS[kind])(a, b) for a, b in zip(left, right, strict=True)]
    ours = distances(torch.tensor(left), torch.tensor(right), kind=kind)
    np.testing.assert_allclose(ours.numpy(), wanted, rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_equal_vectors_are_at_distance_zero_without_a_gradient(kind):
    left, right = double([[0.6, 0.8]]), double([[0.6, 0.8]])
    apart = distances(left, right, kind=kind)
    apart.sum().backward()
    assert apart.item() == pytest.approx(0, abs=1e-12)
    assert left.grad.abs().max().item() == pytest.approx(0, abs=1e-12)


def test_an_unknown_distance_is_refused():
    with pytest.raises(ValueError, match="taxi"):
        distances(double([[1.0]]), double([[1.0]]), kind="taxi")


@given(
    arrays.arrays(np.float32, (3, 4), elements=st.floats(-1e6, 1e6, width=32)),
    arrays.arrays(np.float32, (3, 4), elements=st.floats(-1e6, 1e6, width=32)),
)
def test_a_cosine_never_leaves_its_bounds(left, right):
    found = cosines(torch.from_numpy(left), torch.from_numpy(right))
    assert (found.abs() <= 1 + 1e-5).all()
