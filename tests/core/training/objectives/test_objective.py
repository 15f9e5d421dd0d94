"""What holds for every objective: parts add up, weights count, edges are finite."""

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.training.objectives import OBJECTIVES, make_objective
from core.training.objectives.objective import Batch

DIMENSION = 4
ASKED = [
    ("classification", {}),
    ("classification", {"concatenation": "sides+difference+product", "bias": True}),
    ("regression", {}),
    ("triplet", {"distance": "euclidean"}),
    ("triplet", {"distance": "cosine"}),
    ("triplet", {"distance": "manhattan"}),
    ("ranking", {}),
    ("ranking", {"symmetric": True}),
    ("ranking", {"negatives": True}),
    ("cosent", {}),
    ("contrastive", {"form": "online"}),
    ("contrastive", {"form": "plain"}),
    ("contrastive", {"form": "plain", "distance": "euclidean"}),
    ("hold", {}),
]
IDS = [" ".join(map(str, (name, *values.values()))) for name, values in ASKED]
every = pytest.mark.parametrize(("name", "values"), ASKED, ids=IDS)
CUTTABLE = [
    (name, values) for name, values in ASKED if not make_objective(name, **values).whole_batch
]
TARGETED = [(name, values) for name, values in ASKED if OBJECTIVES[name].target != "none"]
# In ranking a pair that comes twice is also twice a candidate of others.
COUNTED = [(name, values) for name, values in ASKED if name != "ranking"]


def drawn(name: str, values: dict[str, Any], count: int, seed: int = 0):
    """An objective, vectors and a batch with random weights, and a head where it needs one."""
    asked = make_objective(name, **values)
    random = np.random.default_rng(seed)
    arrays = [random.normal(size=(count, DIMENSION)) for _ in range(asked.columns)]
    target = {
        "score": torch.tensor(random.uniform(size=count)),
        "label": torch.tensor(random.integers(0, 3, count)),
        "same": torch.tensor(random.integers(0, 2, count)),
        "none": None,
    }[asked.target]
    weight = torch.tensor(random.uniform(0.5, 2, count))
    texts = torch.arange(asked.columns * count).reshape(asked.columns, count)
    head = asked.head(DIMENSION)
    return asked, arrays, Batch(target, weight, tuple(texts)), head and head.double()


def rows(arrays, batch: Batch, places):
    places = torch.as_tensor(places)
    return [some[places.numpy()] for some in arrays], Batch(
        None if batch.target is None else batch.target[places],
        batch.weight[places],
        tuple(some[places] for some in batch.texts),
    )


def asked_for(asked, arrays, batch, head, total=None):
    """Loss, and gradients in the vectors and the head."""
    vectors = [torch.tensor(some, requires_grad=True) for some in arrays]
    weights = [] if head is None else list(head.parameters())
    loss = asked.loss(vectors, batch, head=head, total=total)
    slopes = torch.autograd.grad(loss, [*vectors, *weights])
    count = len(vectors)
    return loss.item(), [one.numpy() for one in slopes[:count]], [s.numpy() for s in slopes[count:]]


def assert_finite(asked, arrays, batch, head):
    loss, slopes, weights = asked_for(asked, arrays, batch, head)
    assert np.isfinite(loss)
    assert all(np.isfinite(slope).all() for slope in (*slopes, *weights))


@pytest.mark.parametrize(("name", "values"), CUTTABLE)
@settings(max_examples=10, deadline=None)
@given(cuts=st.sets(st.integers(1, 8), max_size=4), seed=st.integers(0, 5))
def test_parts_of_a_batch_add_up_to_the_whole(name, values, cuts, seed):
    asked, arrays, batch, head = drawn(name, values, 9, seed)
    whole, slopes, weights = asked_for(asked, arrays, batch, head)
    total = float(batch.weight.sum())
    parts = [
        asked_for(asked, *rows(arrays, batch, places), head, total)
        for places in np.split(np.arange(9), sorted(cuts))
    ]
    assert sum(part[0] for part in parts) == pytest.approx(whole, rel=1e-9)
    for column, slope in enumerate(slopes):
        joined = np.concatenate([part[1][column] for part in parts])
        np.testing.assert_allclose(joined, slope, rtol=0, atol=1e-12)
    for place, weight in enumerate(weights):
        np.testing.assert_allclose(sum(part[2][place] for part in parts), weight, atol=1e-12)


@every
def test_a_weight_of_zero_is_as_if_the_example_were_not_there(name, values):
    asked, arrays, batch, head = drawn(name, values, 7)
    weight = batch.weight.clone()
    weight[2] = weight[5] = 0
    loss, slopes, weights = asked_for(
        asked, arrays, dataclasses.replace(batch, weight=weight), head
    )
    kept = [0, 1, 3, 4, 6]
    wanted, wanted_slopes, wanted_weights = asked_for(asked, *rows(arrays, batch, kept), head)
    assert loss == pytest.approx(wanted, rel=1e-9)
    for slope, wanted_slope in zip(slopes, wanted_slopes, strict=True):
        assert not slope[[2, 5]].any()
        np.testing.assert_allclose(slope[kept], wanted_slope, rtol=0, atol=1e-12)
    for one, wanted_one in zip(weights, wanted_weights, strict=True):
        np.testing.assert_allclose(one, wanted_one, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("name", "values"), COUNTED)
def test_a_weight_of_two_is_the_example_twice(name, values):
    asked, arrays, batch, head = drawn(name, values, 6)
    ones = dataclasses.replace(batch, weight=torch.ones(6, dtype=torch.float64))
    twice = torch.ones(6, dtype=torch.float64)
    twice[3] = 2
    loss, _, _ = asked_for(asked, arrays, dataclasses.replace(batch, weight=twice), head)
    wanted, _, _ = asked_for(asked, *rows(arrays, ones, [0, 1, 2, 3, 3, 4, 5]), head)
    assert loss == pytest.approx(wanted, rel=1e-9)


@every
@settings(max_examples=10, deadline=None)
@given(order=st.permutations(range(6)))
def test_the_order_of_examples_does_not_matter(name, values, order):
    asked, arrays, batch, head = drawn(name, values, 6)
    loss, _, _ = asked_for(asked, arrays, batch, head)
    turned, _, _ = asked_for(asked, *rows(arrays, batch, order), head)
    assert turned == pytest.approx(loss, rel=1e-9)


@every
def test_a_total_of_twice_the_weights_halves_the_loss(name, values):
    asked, arrays, batch, head = drawn(name, values, 6)
    loss, _, _ = asked_for(asked, arrays, batch, head)
    half, _, _ = asked_for(asked, arrays, batch, head, total=2 * float(batch.weight.sum()))
    assert half == pytest.approx(loss / 2, rel=1e-9)


@every
@pytest.mark.parametrize("total", [None, 0.0])
def test_without_any_weight_nothing_is_lost(name, values, total):
    asked, arrays, batch, head = drawn(name, values, 4)
    batch = dataclasses.replace(batch, weight=torch.zeros(4, dtype=torch.float64))
    loss, slopes, _ = asked_for(asked, arrays, batch, head, total)
    assert loss == 0
    assert not any(slope.any() for slope in slopes)


@every
def test_one_example_is_finite(name, values):
    assert_finite(*drawn(name, values, 1))


@every
def test_equal_vectors_are_finite(name, values):
    asked, arrays, batch, head = drawn(name, values, 5)
    assert_finite(asked, [np.ones_like(some) for some in arrays], batch, head)


@every
def test_zero_vectors_are_finite(name, values):
    asked, arrays, batch, head = drawn(name, values, 5)
    assert_finite(asked, [np.zeros_like(some) for some in arrays], batch, head)


@every
def test_one_zero_vector_gets_no_gradient_where_cosines_count(name, values):
    asked, arrays, batch, head = drawn(name, values, 5)
    arrays[0][1] = 0
    assert_finite(asked, arrays, batch, head)
    if name in ("regression", "ranking", "cosent", "hold"):
        assert not asked_for(asked, arrays, batch, head)[1][0][1].any()


@pytest.mark.parametrize(("name", "values"), TARGETED)
@pytest.mark.parametrize("target", [0, 1])
def test_one_target_for_all_is_finite(name, values, target):
    asked, arrays, batch, head = drawn(name, values, 5)
    assert_finite(
        asked,
        arrays,
        dataclasses.replace(batch, target=torch.full_like(batch.judged, target)),
        head,
    )


@every
@pytest.mark.parametrize("precision", [torch.bfloat16, torch.float16])
def test_half_precision_is_computed_with_in_float32(name, values, precision):
    asked, arrays, batch, head = drawn(name, values, 5)
    halves = [torch.tensor(some).to(precision) for some in arrays]
    single = dataclasses.replace(batch, weight=batch.weight.float())
    head = head and head.float()
    with torch.autocast("cpu", torch.bfloat16):
        loss = asked.loss(halves, single, head=head)
    exact = asked.loss([some.double() for some in halves], batch, head=head and head.double())
    assert loss.item() == pytest.approx(exact.item(), rel=1e-5)


@every
def test_a_wrong_number_of_columns_is_refused(name, values):
    asked, arrays, batch, head = drawn(name, values, 3)
    vectors = [torch.tensor(some) for some in (*arrays, arrays[0])]
    with pytest.raises(ValueError, match="columns"):
        asked.loss(vectors, batch, head=head)


@pytest.mark.parametrize(("name", "values"), TARGETED)
def test_a_missing_target_is_refused(name, values):
    asked, arrays, batch, head = drawn(name, values, 3)
    vectors = [torch.tensor(some) for some in arrays]
    with pytest.raises(ValueError, match="target"):
        asked.loss(vectors, dataclasses.replace(batch, target=None), head=head)


@pytest.mark.parametrize("name", [name for name in OBJECTIVES if name != "classification"])
def test_only_classification_has_weights_of_its_own(name):
    assert make_objective(name).head(DIMENSION) is None
