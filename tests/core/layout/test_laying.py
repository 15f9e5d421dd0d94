import hashlib
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from core.layout import align, fuzzy_graph, lay_out
from core.layout.laying import place_new
from core.progress import run_to_end

IN_ANOTHER_PROCESS = """
import hashlib, sys
import numpy as np
from core.layout import fuzzy_graph, lay_out
from core.progress import run_to_end

held = np.load(sys.argv[1])
graph = run_to_end(fuzzy_graph(held["index"], held["cosine"]))
xy = run_to_end(lay_out(held["vectors"], graph, dimensions=2, epochs=60))
print(hashlib.sha256(xy.tobytes()).hexdigest())
loaded = {"tensorflow", "keras", "torch"} & set(sys.modules)
print(*loaded)
"""


@pytest.fixture(scope="module")
def large(vectors_of, case_of):
    """3,200 texts, as if 200 had been added to the first 3,000."""
    return case_of(vectors_of(3_200, clusters=40))


@pytest.fixture(scope="module")
def before(large, case_of):
    """The same texts before 200 were added, and their map."""
    case = case_of(large.vectors[:3_000])
    return run_to_end(lay_out(case.vectors, case.graph, dimensions=2))


@pytest.fixture(scope="module")
def placed(large, before):
    return run_to_end(place_new(before, large.graph, np.arange(3_200) >= 3_000))


@pytest.mark.parametrize("dimensions", [2, 5])
def test_the_same_seed_gives_the_same_coordinates(dimensions, vectors_of, case_of):
    case = case_of(vectors_of(400))
    once, again = (
        run_to_end(lay_out(case.vectors, case.graph, dimensions=dimensions, epochs=60))
        for _ in range(2)
    )
    assert np.array_equal(once, again)


def test_another_seed_gives_other_coordinates(vectors_of, case_of):
    case = case_of(vectors_of(100))
    one, other = (
        run_to_end(lay_out(case.vectors, case.graph, dimensions=2, epochs=60, seed=seed))
        for seed in (0, 1)
    )
    assert not np.allclose(one, other)


def test_another_process_gives_the_same_coordinates_and_says_nothing(vectors_of, case_of, tmp_path):
    case = case_of(vectors_of(400))
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=2, epochs=60))
    held = tmp_path / "case.npz"
    np.savez(held, vectors=case.vectors, index=case.index, cosine=case.cosine)
    done = subprocess.run(
        [sys.executable, "-W", "default", "-c", IN_ANOTHER_PROCESS, str(held)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == [hashlib.sha256(xy.tobytes()).hexdigest(), ""]
    assert done.stderr == ""


def test_without_a_seed_neighbours_are_still_neighbours(vectors_of, case_of):
    case = case_of(vectors_of(600))
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=2, seed=None))
    assert _typical_rank(xy, case.index) < 60


@pytest.mark.parametrize(("dimensions", "min_dist"), [(2, 0.1), (5, 0.0)])
def test_neighbours_lie_near_each_other(dimensions, min_dist, vectors_of, case_of):
    case = case_of(vectors_of(600))
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=dimensions, min_dist=min_dist))
    assert _typical_rank(xy, case.index) < 30


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 10, 14, 15, 17])
@pytest.mark.parametrize("dimensions", [2, 5])
def test_few_texts_have_finite_places_apart_from_each_other(n, dimensions, vectors_of, case_of):
    case = case_of(vectors_of(max(n, 1))[:n])
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=dimensions))
    assert xy.shape == (n, dimensions)
    assert _least_distance(xy) > 0.03 * _width(xy)


@pytest.mark.parametrize("n", [3, 14, 40])
def test_unrelated_texts_are_not_put_on_one_spot(n, case_of):
    case = case_of(np.eye(n, 48, dtype=np.float32))
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=2))
    assert _least_distance(xy) > 0.02 * _width(xy)


def test_the_nearest_of_few_texts_lie_nearest(vectors_of, case_of):
    vectors = vectors_of(9)
    vectors[8] = vectors[0] + 0.1 * vectors[1]
    vectors[8] /= np.linalg.norm(vectors[8])
    case = case_of(vectors)
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=2))
    assert np.linalg.norm(xy[:8] - xy[8], axis=1).argmin() == 0


def test_all_equal_vectors_share_one_finite_place(vectors_of, case_of):
    case = case_of(np.tile(vectors_of(1), (300, 1)))
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=2))
    assert np.isfinite(xy).all()
    assert len(np.unique(xy, axis=0)) == 1


def test_a_pile_of_60_percent_leaves_the_rest_spread(vectors_of, case_of):
    vectors = vectors_of(400)
    vectors[:240] = vectors[0]
    case = case_of(vectors)
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=2))
    assert len(np.unique(xy[:240], axis=0)) == 1
    assert len(np.unique(xy[240:], axis=0)) == 160


def test_piles_that_name_only_themselves_lie_near_their_likes(vectors_of, case_of):
    """Two families of ten piles each; no neighbour list leads out of a pile."""
    rng = np.random.default_rng(0)
    families = np.repeat(vectors_of(2), 10, axis=0)
    kinds = families + 0.05 * rng.normal(size=families.shape)
    kinds /= np.linalg.norm(kinds, axis=1, keepdims=True)
    case = case_of(np.repeat(kinds, 20, axis=0).astype(np.float32))
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=2))[::20]
    apart = np.linalg.norm(xy[:, None] - xy[None], axis=2)
    assert apart[:10, :10].mean() < 0.7 * apart[:10, 10:].mean()


def test_texts_without_a_usable_vector_lie_beside_the_others(vectors_of, case_of):
    vectors = vectors_of(200)
    vectors[20:40], vectors[50] = 0, np.nan
    lost = [*range(20, 40), 50]
    case = case_of(vectors)
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=2, epochs=60))
    assert np.isfinite(xy).all()
    assert xy[lost, 0].min() > np.delete(xy, lost, axis=0)[:, 0].max()


def test_parts_that_nothing_links_leave_no_empty_middle(case_of):
    rng = np.random.default_rng(0)
    centres = np.eye(4, 48)[np.arange(400) % 4]
    vectors = centres + 0.02 * rng.normal(size=(400, 48))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    case = case_of(vectors.astype(np.float32))
    xy = run_to_end(lay_out(case.vectors, case.graph, dimensions=2))
    middles = np.array([xy[part::4].mean(axis=0) for part in range(4)])
    reach = max(np.ptp(xy[part::4], axis=0).max() for part in range(4))
    assert _least_distance(middles) < 2 * reach


def test_progress_is_told_all_the_time_and_counts_epochs(large):
    steps = lay_out(large.vectors, large.graph, dimensions=2, epochs=100)
    told, times = [], [time.monotonic()]
    for progress in steps:
        told.append(progress)
        times.append(time.monotonic())
    assert max(np.diff(times)) < 0.5
    assert told[-1].total == 100
    assert [p.done for p in told] == sorted(p.done for p in told)


def test_closing_stops_long_before_the_last_epoch(large):
    steps = lay_out(large.vectors, large.graph, dimensions=2, epochs=100_000)
    while next(steps).done < 1:
        pass
    started = time.monotonic()
    steps.close()
    assert time.monotonic() - started < 1
    assert "layout" not in [thread.name for thread in threading.enumerate()]


def test_what_goes_wrong_in_the_thread_is_raised_to_the_caller(vectors_of, case_of):
    case = case_of(vectors_of(20))
    with pytest.raises(IndexError):
        run_to_end(lay_out(case.vectors[:10], case.graph, dimensions=2))


def test_old_texts_stay_where_they_are_when_new_ones_are_placed(before, placed):
    assert np.array_equal(placed[:3_000], before)


def test_new_texts_are_placed_near_their_neighbours(large, placed):
    assert _nearness(placed, large.index) < 0.1


def test_placing_new_texts_twice_gives_the_same_coordinates(large, before, placed):
    again = run_to_end(place_new(before, large.graph, np.arange(3_200) >= 3_000))
    assert np.array_equal(again, placed)


def test_a_new_layout_from_old_coordinates_keeps_the_picture(large, before):
    start = np.full((3_200, 2), np.nan)
    start[:3_000] = before
    fresh = run_to_end(lay_out(large.vectors, large.graph, dimensions=2, start=start))
    xy = align(fresh, before, rows=np.arange(3_000))
    moved = np.linalg.norm(xy[:3_000] - before, axis=1)
    assert np.median(moved) < 0.05 * _width(before)
    assert _nearness(xy, large.index) < 0.1


def test_new_texts_may_stand_anywhere_among_the_rows(vectors_of, case_of):
    case = case_of(vectors_of(120))
    is_new = np.arange(120) % 6 == 0
    old = np.random.default_rng(0).normal(size=(100, 2)).astype(np.float32)
    xy = run_to_end(place_new(old, case.graph, is_new))
    assert np.array_equal(xy[~is_new], old)
    assert np.isfinite(xy).all()


def test_a_new_text_that_equals_an_old_one_shares_its_place(vectors_of, case_of):
    vectors = vectors_of(60)
    vectors[59] = vectors[3]
    case = case_of(vectors)
    old = np.random.default_rng(0).normal(size=(59, 2)).astype(np.float32)
    xy = run_to_end(place_new(old, case.graph, np.arange(60) == 59))
    assert np.array_equal(xy[59], old[3])


def test_new_texts_that_nothing_leads_to_are_placed_beside_the_picture(vectors_of, case_of):
    """A new topic, an unusable text, and none old they are near to."""
    rng = np.random.default_rng(0)
    vectors = np.zeros((91, 48), np.float32)
    vectors[:60, :24] = rng.normal(size=(60, 24))
    vectors[60:90, 24] = 1
    vectors[60:90, 25:] = 0.2 * rng.normal(size=(30, 23))
    vectors[:90] /= np.linalg.norm(vectors[:90], axis=1, keepdims=True)
    case = case_of(vectors)
    old = rng.normal(size=(60, 2)).astype(np.float32)
    xy = run_to_end(place_new(old, case.graph, np.arange(91) >= 60, vectors=vectors))
    assert np.isfinite(xy).all()
    assert xy[60:, 0].min() > old[:, 0].max()


@pytest.mark.parametrize(("old", "new"), [(0, 3), (1, 1), (2, 1), (3, 0), (0, 0)])
def test_placing_works_for_the_smallest_corpora(old, new, vectors_of, case_of):
    n = old + new
    case = case_of(vectors_of(max(n, 1))[:n])
    xy = run_to_end(place_new(np.zeros((old, 2)), case.graph, np.arange(n) >= old))
    assert xy.shape == (n, 2)
    assert np.isfinite(xy).all()


def test_a_start_of_nothing_but_nan_is_no_start(vectors_of, case_of):
    case = case_of(vectors_of(100))
    fresh, started = (
        run_to_end(lay_out(case.vectors, case.graph, dimensions=2, epochs=60, start=start))
        for start in (None, np.full((100, 2), np.nan))
    )
    assert np.array_equal(fresh, started)


def test_the_graph_is_not_changed_by_a_layout(vectors_of, case_of):
    case = case_of(vectors_of(100))
    untouched = run_to_end(fuzzy_graph(case.index, case.cosine)).matrix
    run_to_end(lay_out(case.vectors, case.graph, dimensions=5, min_dist=0, epochs=60))
    assert abs(case.graph.matrix - untouched).max() == 0


def _typical_rank(xy, index):
    """How many texts lie nearer than a listed neighbour, in the median."""
    apart = np.linalg.norm(xy[:, None] - xy[None], axis=2)
    near = np.take_along_axis(apart, index[:, :10], axis=1)
    return np.median((apart[:, None, :] < near[:, :, None]).sum(axis=2))


def _nearness(xy, index):
    """Distance of the last 200 texts to their old neighbours, as a share of that to any."""
    apart = np.linalg.norm(xy[-200:, None] - xy[None, :-200], axis=2)
    near = index[-200:]
    is_old = near < len(xy) - 200
    row = np.broadcast_to(np.arange(200)[:, None], near.shape)
    return apart[row[is_old], near[is_old]].mean() / apart.mean()


def _width(xy):
    return (xy.max(axis=0, initial=-np.inf) - xy.min(axis=0, initial=np.inf)).max()


def _least_distance(xy):
    apart = np.linalg.norm(xy[:, None] - xy[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return apart.min(initial=np.inf)
