"""A triplet loses by how much its counter-example is too near."""

import numpy as np
import pytest

from core.training.objectives import make_objective
from core.training.objectives.choices import DISTANCES

WEIGHTS = [1.0, 0.5, 2.0, 1.0, 0.25, 3.0]
THEIR_NAME = {"euclidean": "EUCLIDEAN", "cosine": "COSINE", "manhattan": "MANHATTAN"}


@pytest.mark.parametrize("margin", [0.25, 1.0])
@pytest.mark.parametrize("kind", DISTANCES)
def test_loss_and_gradients_are_the_papers(
    kind, margin, assert_agrees, distance, make_vectors, make_batch
):
    def formula(anchors, positives, negatives):
        total = 0
        for a, p, n, weight in zip(anchors, positives, negatives, WEIGHTS, strict=True):
            lack = distance[kind](a, p) - distance[kind](a, n) + margin
            total += weight * lack if lack.real > 0 else 0
        return total / sum(WEIGHTS)

    batch = make_batch(6, weight=WEIGHTS, columns=3)
    asked = make_objective("triplet", distance=kind, margin=margin)
    assert_agrees(asked, formula, make_vectors(3), batch)


@pytest.mark.parametrize("margin", [1.0, 5.0])
@pytest.mark.parametrize("kind", DISTANCES)
def test_it_is_sentence_transformers_triplet_loss(
    kind, margin, peer, found, assert_same, make_vectors, make_batch
):
    losses = pytest.importorskip("sentence_transformers.losses")
    metric = getattr(losses.TripletDistanceMetric, THEIR_NAME[kind])
    arrays = make_vectors(3)
    theirs = peer("TripletLoss", arrays, distance_metric=metric, triplet_margin=margin)
    asked = make_objective("triplet", distance=kind, margin=margin)
    assert_same(found(asked, arrays, make_batch(6, columns=3)), theirs)


def test_by_itself_it_is_euclidean_with_a_margin_of_one(found, make_batch):
    arrays = [np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]), np.array([[0.0, 5.5]])]
    loss, _ = found(make_objective("triplet"), arrays, make_batch(1, columns=3))
    assert loss == pytest.approx(5 - 5.5 + 1)


def test_a_counter_example_beyond_the_margin_teaches_nothing(found, make_batch):
    arrays = [np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]), np.array([[0.0, 6.5]])]
    loss, slopes = found(make_objective("triplet"), arrays, make_batch(1, columns=3))
    assert loss == 0
    assert not any(slope.any() for slope in slopes)


@pytest.mark.parametrize("kind", DISTANCES)
def test_two_equal_texts_pass_on_the_gradient_of_the_third_only(kind, found, make_batch):
    same, other = np.array([[0.6, 0.8]]), np.array([[0.8, 0.7]])
    asked = make_objective("triplet", distance=kind)
    loss, (_, positive, negative) = found(asked, [same, same, other], make_batch(1, columns=3))
    assert 0 < loss < 1
    assert np.abs(positive).max() < 1e-12
    assert np.isfinite(negative).all()
    assert negative.any()
