"""CoSENT asks for the order of the scores, and for nothing else."""

import numpy as np
import pytest
import torch

from core.training.objectives import make_objective

SCORES = [0.0, 0.25, 0.5, 0.25, 1.0, 0.125]
WEIGHTS = [1.0, 0.5, 2.0, 1.0, 0.25, 3.0]


@pytest.mark.parametrize("scale", [1.0, 20.0])
@pytest.mark.parametrize("weight", [[1.0] * 6, WEIGHTS])
def test_loss_and_gradients_are_the_formulas(
    scale, weight, assert_agrees, cosine, make_vectors, make_batch
):
    def formula(left, right):
        found = [cosine(u, v) for u, v in zip(left, right, strict=True)]
        total = 1
        for i in range(6):
            for j in range(6):
                if SCORES[i] > SCORES[j]:
                    total += weight[i] * weight[j] * np.exp(scale * (found[j] - found[i]))
        return np.log(total)

    batch = make_batch(6, target=SCORES, weight=weight)
    assert_agrees(make_objective("cosent", scale=scale), formula, make_vectors(2), batch)


@pytest.mark.parametrize("scale", [1.0, 20.0])
def test_it_is_sentence_transformers_cosent_loss(
    scale, peer, found, assert_same, make_vectors, make_batch
):
    arrays, batch = make_vectors(2), make_batch(6, target=SCORES)
    theirs = peer("CoSENTLoss", arrays, batch.target, scale=scale)
    assert_same(found(make_objective("cosent", scale=scale), arrays, batch), theirs)


def test_only_the_order_of_scores_counts(found, make_vectors, make_batch):
    arrays = make_vectors(2)
    squared = make_batch(6, target=[score**2 for score in SCORES])
    plain = make_batch(6, target=SCORES)
    assert found(make_objective("cosent"), arrays, plain)[0] == pytest.approx(
        found(make_objective("cosent"), arrays, squared)[0], rel=1e-12
    )


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_equal_scores_teach_nothing(score, found, make_vectors, make_batch):
    loss, slopes = found(
        make_objective("cosent"), make_vectors(2), make_batch(6, target=[score] * 6)
    )
    assert loss == 0
    assert not any(slope.any() for slope in slopes)


def test_sums_beyond_float32_do_not_overflow(found, make_batch):
    arrays = [np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[-1.0, 0.1], [1.0, 0.1]])]
    batch = make_batch(2, target=[1.0, 0.0])
    loss, slopes = found(make_objective("cosent", scale=200.0), arrays, batch, dtype=torch.float32)
    assert loss == pytest.approx(400 / np.sqrt(1.01), rel=1e-5)
    assert all(np.isfinite(slope).all() for slope in slopes)


def test_a_larger_total_counts_the_batch_in_proportion(found, make_vectors, make_batch):
    arrays, batch = make_vectors(2), make_batch(6, target=SCORES)
    whole, _ = found(make_objective("cosent"), arrays, batch)
    half, _ = found(make_objective("cosent"), arrays, batch, total=12.0)
    assert half == pytest.approx(whole / 2, rel=1e-12)
