import numpy as np
import pytest

from core.layout import align

OLD = np.random.default_rng(0).normal(size=(200, 2)) * [5, 2]


def turned(xy, *, angle=2.0, mirror=False, scale=3.0, shift=(40, -7)):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return xy @ turn * scale * [1, -1 if mirror else 1] + shift


@pytest.mark.parametrize("mirror", [False, True], ids=["turned", "mirrored"])
def test_a_moved_picture_is_laid_over_the_old_one(mirror):
    assert np.allclose(align(turned(OLD, mirror=mirror), OLD), OLD, atol=1e-4)


def test_texts_without_an_old_place_follow_the_others():
    xy = align(turned(OLD), OLD[50:], rows=np.arange(50, 200))
    assert np.allclose(xy, OLD, atol=1e-4)


def test_rows_that_are_not_finite_have_no_old_place():
    to = OLD.copy()
    to[:20] = np.nan
    assert np.allclose(align(turned(OLD), to), OLD, atol=1e-4)


def test_one_cluster_gone_elsewhere_does_not_shift_the_rest():
    new = OLD.copy()
    new[:30] += [60, 60]
    assert np.abs(align(turned(new), OLD)[30:] - OLD[30:]).max() < 0.2


def test_a_pile_on_one_spot_does_not_hide_how_the_rest_is_turned():
    piled = np.concatenate([OLD, np.tile(OLD[:1], (600, 1))])
    assert np.allclose(align(turned(piled), piled), piled, atol=1e-4)


def test_distances_are_only_scaled():
    """Nothing is bent, even where the old picture was another."""
    xy = np.random.default_rng(1).normal(size=(100, 2))
    moved = align(xy, OLD[:100])
    ratio = np.linalg.norm(np.diff(moved, axis=0), axis=1) / np.linalg.norm(
        np.diff(xy, axis=0), axis=1
    )
    assert np.ptp(ratio) < 1e-3 * ratio.mean()


@pytest.mark.parametrize(
    ("xy", "to", "expected"),
    [
        (np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2))),
        ([[1.0, 1.0]], [[5.0, 5.0]], [[5.0, 5.0]]),
        ([[1.0, 1.0], [1.0, 1.0]], [[5.0, 5.0], [5.0, 5.0]], [[5.0, 5.0], [5.0, 5.0]]),
        ([[1.0, 2.0]], [[np.nan, 0.0]], [[1.0, 2.0]]),
    ],
    ids=["no text", "one text", "texts on one spot", "no old place"],
)
def test_too_little_to_turn_by_is_only_shifted(xy, to, expected):
    assert np.allclose(align(np.array(xy), np.array(to)), expected)
