import time

import numpy as np
import pytest

from core.layout.background import Watch
from core.layout.epochs import Pace, curve, run_epochs, usual_epochs


@pytest.mark.parametrize(("dimensions", "min_dist"), [(2, 0.1), (5, 0.0)])
def test_places_come_to_rest_as_far_apart_as_by_umap(dimensions, min_dist, vectors_of, case_of):
    """What one moves after another and the other in groups differs by chance alone."""
    case = case_of(vectors_of(1_200))
    start = np.random.default_rng(1).uniform(0, 10, (1_200, dimensions)).astype(np.float32)
    ours = run_epochs(
        start, case.graph.matrix, Pace(200, 1.0, min_dist), rng=np.random.default_rng(5),
        watch=Watch(),
    )  # fmt: skip
    theirs = _by_umap(start, case.graph.matrix, epochs=200, min_dist=min_dist)
    wide, wide_theirs = (np.sort(xy.std(axis=0)).sum() for xy in (ours, theirs))
    link, link_theirs = (_link_lengths(xy, case.graph.matrix) for xy in (ours, theirs))
    assert wide == pytest.approx(wide_theirs, rel=0.15)
    assert link == pytest.approx(link_theirs, rel=0.15)


@pytest.mark.parametrize("min_dist", [0.0, 0.1, 0.5])
def test_the_curve_of_forces_is_that_of_umap(min_dist):
    from umap.umap_ import find_ab_params

    assert curve(min_dist) == pytest.approx(find_ab_params(1.0, min_dist))


def test_the_outcome_does_not_depend_on_the_number_of_threads(vectors_of, case_of):
    case = case_of(vectors_of(2_500))
    start = np.random.default_rng(1).uniform(0, 10, (2_500, 2)).astype(np.float32)
    one, three = (
        run_epochs(
            start, case.graph.matrix, Pace(30), rng=np.random.default_rng(0), watch=Watch(),
            threads=threads,
        )
        for threads in (1, 3)
    )  # fmt: skip
    assert np.array_equal(one, three)


def test_only_moving_places_move(vectors_of, case_of):
    case = case_of(vectors_of(100))
    start = np.random.default_rng(1).normal(size=(100, 2)).astype(np.float32)
    moving = np.arange(100) >= 80
    xy = run_epochs(
        start, case.graph.matrix, Pace(20), rng=np.random.default_rng(0), watch=Watch(),
        moving=moving,
    )  # fmt: skip
    assert np.array_equal((xy != start).any(axis=1), moving)


def test_places_are_shown_while_they_move(vectors_of, case_of, monkeypatch):
    monkeypatch.setattr("core.layout.background._FIRST_SHOWN_S", 0.0)
    monkeypatch.setattr("core.layout.background._SHOWN_EVERY_S", 0.0)
    case = case_of(vectors_of(200))
    start = np.random.default_rng(1).normal(size=(200, 2)).astype(np.float32)
    watch, shown = Watch(), []
    watch.show_to(shown.append)
    xy = run_epochs(start, case.graph.matrix, Pace(20), rng=np.random.default_rng(0), watch=watch)
    far = [float(np.abs(picture - xy).max()) for picture in shown]
    assert watch.sketches == len(shown) == 20
    assert far[-1] < far[0]


def test_many_places_are_given_fewer_epochs():
    assert [usual_epochs(n) for n in (0, 4_000, 8_000, 10_000, 1_000_000)] == [
        500, 500, 250, 200, 200,
    ]  # fmt: skip


@pytest.mark.speed
def test_one_thread_takes_less_than_two_thirds_of_umaps_time(vectors_of, case_of):
    case = case_of(vectors_of(4_000))
    start = np.random.default_rng(1).uniform(0, 10, (4_000, 2)).astype(np.float32)

    def ours(epochs):
        run_epochs(
            start, case.graph.matrix, Pace(epochs), rng=np.random.default_rng(0), watch=Watch(),
            threads=1,
        )  # fmt: skip

    def theirs(epochs):
        _by_umap(start, case.graph.matrix, epochs=epochs, min_dist=0.1)

    seconds = {ours: [], theirs: []}
    for epochs in (2, 100, 100, 100):  # the first round compiles
        for way, taken in seconds.items():
            begun = time.thread_time()
            way(epochs)
            taken.append(time.thread_time() - begun)
    assert min(seconds[ours][1:]) < 0.67 * min(seconds[theirs][1:])


def _by_umap(start, matrix, *, epochs, min_dist):
    from umap.umap_ import find_ab_params, simplicial_set_embedding

    a, b = find_ab_params(1.0, min_dist)
    found, _ = simplicial_set_embedding(
        start, matrix.copy(), start.shape[1], 1.0, a, b, 1.0, 5, epochs, start,
        np.random.RandomState(5), "cosine", {}, False, {}, False,
    )  # fmt: skip
    return found


def _link_lengths(xy, matrix):
    links = matrix.tocoo()
    return np.median(np.linalg.norm(xy[links.row] - xy[links.col], axis=1)[links.data > 0.5])
