"""Texts, vectors and places made up from a seed."""

import numpy as np
import pytest

from core.bench.made import made_places, made_texts, made_vectors


def test_made_texts_are_distinct():
    texts = made_texts(5_000)
    assert len(texts) == len(set(texts)) == 5_000


def test_the_same_seed_makes_the_same_texts():
    assert made_texts(50, seed=3) == made_texts(50, seed=3)


def test_another_seed_makes_other_texts():
    assert not set(made_texts(50, seed=3)) & set(made_texts(50, seed=4))


def test_made_texts_are_of_very_different_lengths():
    words = np.array([len(text.split()) for text in made_texts(2_000)])
    assert np.quantile(words, 0.95) > 4 * np.quantile(words, 0.05)


@pytest.mark.parametrize("rows", [32, 3_000, 20_000])
def test_made_vectors_are_as_many_as_wanted_and_of_length_one(rows):
    vectors = made_vectors(rows, 64)
    assert vectors.shape == (rows, 64)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_made_vectors_are_distinct():
    vectors = made_vectors(3_000, 64)
    assert len(np.unique(vectors, axis=0)) == 3_000


def test_the_same_seed_makes_the_same_vectors():
    assert np.array_equal(made_vectors(200, 64, seed=1), made_vectors(200, 64, seed=1))
    assert not np.array_equal(made_vectors(200, 64, seed=1), made_vectors(200, 64, seed=2))


def test_random_cosines_are_low_and_nearest_ones_high_as_those_of_sentences():
    vectors = made_vectors(2_000)
    cosine = vectors @ vectors.T
    np.fill_diagonal(cosine, np.nan)
    assert 0.05 < np.nanmean(cosine) < 0.2
    assert 0.05 < np.nanstd(cosine) < 0.2
    assert np.median(np.nanmax(cosine, axis=1)) > 0.6


def test_dense_groups_do_not_lie_together():
    vectors = made_vectors(2_000)
    beside = np.einsum("ij,ij->i", vectors[1:], vectors[:-1])
    assert (beside > 0.5).mean() < 0.05


def test_made_places_are_finite_and_seeded():
    places, clusters = made_places(2_000, seed=5)
    assert places.shape == (2_000, 2)
    assert np.isfinite(places).all()
    assert np.array_equal(places, made_places(2_000, seed=5)[0])
    assert set(clusters.tolist()) >= {-1, 0}
