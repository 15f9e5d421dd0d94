"""Regression is the squared difference of cosine and score."""

import numpy as np
import pytest

from core.training.objectives import make_objective

SCORES = [0.0, 0.25, 0.5, 0.75, 1.0, 0.125]
WEIGHTS = [1.0, 0.5, 2.0, 1.0, 0.25, 3.0]


def test_loss_and_gradients_are_the_papers(assert_agrees, cosine, make_vectors, make_batch):
    def formula(left, right):
        errors = [
            weight * (cosine(u, v) - score) ** 2
            for u, v, score, weight in zip(left, right, SCORES, WEIGHTS, strict=True)
        ]
        return sum(errors) / sum(WEIGHTS)

    batch = make_batch(6, target=SCORES, weight=WEIGHTS)
    assert_agrees(make_objective("regression"), formula, make_vectors(2), batch)


def test_it_is_sentence_transformers_cosine_similarity_loss(
    peer, found, assert_same, make_vectors, make_batch
):
    arrays, batch = make_vectors(2), make_batch(6, target=SCORES)
    theirs = peer("CosineSimilarityLoss", arrays, batch.target)
    assert_same(found(make_objective("regression"), arrays, batch), theirs)


def test_the_length_of_a_vector_does_not_matter(found, make_vectors, make_batch):
    left, right = make_vectors(2)
    batch = make_batch(6, target=SCORES)
    loss, _ = found(make_objective("regression"), [left, right], batch)
    longer, _ = found(make_objective("regression"), [7 * left, right / 3], batch)
    assert longer == pytest.approx(loss, rel=1e-12)


def test_a_case_by_hand(found, make_batch):
    arrays = [np.array([[1.0, 0.0], [2.0, 2.0]]), np.array([[0.0, 3.0], [1.0, 1.0]])]
    batch = make_batch(2, target=[0.5, 0.9], weight=[1.0, 3.0])
    loss, _ = found(make_objective("regression"), arrays, batch)
    assert loss == pytest.approx((0.25 + 3 * 0.01) / 4)
