import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.pairs import Neighbours, nearest
from core.pairs.ranking import NO_COSINE, NOBODY
from core.progress import run_to_end

TILES = "core.pairs.tiles"


def find(vectors, **more):
    return run_to_end(nearest(vectors, device="cpu", threads=1, **more))


def by_force(vectors, k):
    """Every cosine in float64, compared as float32, equal ones by ascending row."""
    n = len(vectors)
    exact = np.where(np.isfinite(vectors), vectors, 0).astype(np.float64)
    lengths = np.sqrt((exact * exact).sum(axis=1))
    products = exact @ exact.T
    index = np.full((n, k), NOBODY, np.int32)
    cosine = np.full((n, k), NO_COSINE, np.float32)
    others = np.flatnonzero(lengths)
    for row in others:
        cosines = products[row, others] / (lengths[others] * lengths[row])
        cosines = np.clip(cosines, -1, 1).astype(np.float32)
        order = np.lexsort((others, -cosines))
        order = order[others[order] != row][:k]
        index[row, : len(order)] = others[order]
        cosine[row, : len(order)] = cosines[order]
    return Neighbours(index, cosine)


def assert_same(found, expected):
    np.testing.assert_array_equal(found.index, expected.index)
    np.testing.assert_allclose(found.cosine, expected.cosine, atol=1e-7)


def assert_identical(found, expected):
    np.testing.assert_array_equal(found.index, expected.index)
    np.testing.assert_array_equal(found.cosine, expected.cosine)


# Small whole numbers make many equal cosines, zeros and opposite vectors.
coarse = arrays.arrays(
    np.float32,
    st.tuples(st.integers(0, 40), st.integers(1, 4)),
    elements=st.integers(-2, 2).map(float),
)


@settings(max_examples=60, deadline=None)
@given(coarse, st.integers(1, 20), st.integers(1, 50))
def test_the_pass_finds_what_brute_force_finds_among_ties(vectors, k, tile):
    assert_same(find(vectors, k=k, tile=tile), by_force(vectors, k))


@settings(max_examples=60, deadline=None)
@given(coarse, st.integers(1, 20), st.integers(1, 50))
def test_pairs_scored_one_by_one_settle_ties_alike(vectors, k, tile):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"{TILES}.DENSE", 0)
        assert_same(find(vectors, k=k, tile=tile), by_force(vectors, k))


@settings(max_examples=60, deadline=None)
@given(coarse, st.integers(1, 8), st.integers(1, 50), st.data())
def test_new_rows_added_to_what_is_known_give_the_whole(vectors, k, tile, data):
    old = data.draw(st.integers(0, len(vectors)))
    known = find(vectors[:old], k=k, tile=tile)
    assert_identical(find(vectors, k=k, tile=tile, known=known), find(vectors, k=k))


@pytest.mark.parametrize("k", [1, 16, 50])
def test_the_pass_finds_what_brute_force_finds_among_clusters(vectors, k):
    some = vectors[:1_500]
    assert_same(find(some, k=k), by_force(some, k))


def test_the_tile_does_not_change_a_bit(vectors):
    whole = find(vectors)
    assert_identical(find(vectors, tile=123), whole)
    assert_identical(find(vectors, tile=5_000), whole)


def test_the_number_of_threads_does_not_change_a_bit(vectors):
    other = run_to_end(nearest(vectors, device="cpu", threads=2))
    assert_identical(other, find(vectors))


def test_a_corpus_grown_in_many_steps_is_the_whole(vectors):
    known = None
    for old in (0, 1, 10, 17, 900, 2_000, 2_000, 2_999, 3_000):
        known = find(vectors[:old], known=known)
    assert_identical(known, find(vectors))


def test_only_new_rows_are_compared(vectors):
    known = find(vectors[:2_990])
    said = list(nearest(vectors, device="cpu", known=known))
    assert said[-1].done == said[-1].total == sum(range(2_990, 3_000))


def test_what_is_known_of_too_few_neighbours_is_not_used(vectors):
    known = find(vectors[:500], k=4)
    assert_identical(find(vectors[:600], known=known), find(vectors[:600]))


def test_what_is_known_of_more_neighbours_is_cut(vectors):
    known = find(vectors[:500], k=30)
    assert_identical(find(vectors[:600], k=5, known=known), find(vectors[:600], k=5))


@pytest.mark.parametrize("n", [0, 1, 2, 3, 16, 17])
def test_few_vectors_have_few_neighbours(vectors, n):
    found = find(vectors[:n])
    assert found.index.shape == found.cosine.shape == (n, 16)
    assert ((found.index >= 0).sum(axis=1) == min(16, max(n - 1, 0))).all()
    assert ((found.cosine == NO_COSINE) == (found.index == NOBODY)).all()


def test_equal_vectors_are_neighbours_by_row(make_vectors):
    found = find(np.tile(make_vectors(1), (2_500, 1)), k=3)
    assert (found.cosine == 1).all()
    assert found.index[:4].tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
    assert (found.index[4:] == [0, 1, 2]).all()


@pytest.mark.parametrize("dense", [0, 10**9])
def test_a_lower_row_that_comes_later_takes_the_place_of_its_equal(monkeypatch, dense):
    monkeypatch.setattr(f"{TILES}.DENSE", dense)
    found = find(np.ones((90, 3), np.float32), k=2, tile=8)
    assert (found.index[2:] == [0, 1]).all()


def test_vectors_that_differ_by_less_than_the_quick_error_are_told_apart(make_vectors):
    base = make_vectors(1, 384)
    noise = np.random.default_rng(1).standard_normal((1_100, 384)).astype(np.float32)
    near = base + 1e-3 * noise / np.sqrt(np.float32(384))
    assert_same(find(near, k=5), by_force(near, 5))


def test_unrelated_vectors_take_the_first_rows():
    found = find(np.eye(40, dtype=np.float32), k=2)
    assert (found.index[2:] == [0, 1]).all()
    assert (found.cosine == 0).all()


@pytest.mark.parametrize("value", [0, np.nan, np.inf, 3e38])
def test_empty_and_broken_vectors_have_no_neighbours_and_are_nobodys(vectors, value):
    some = vectors[:500].copy()
    expected = some.copy()
    some[[0, 4, 250, 499]] = value
    expected[[0, 4, 250, 499]] = 0
    assert_same(find(some, tile=100), by_force(expected, 16))


def test_a_blank_vector_has_no_neighbours():
    assert find(np.float32([[0, 0], [0, 1], [1, 1]]), k=1).index.tolist() == [[NOBODY], [2], [1]]


def test_thousands_of_blank_vectors_find_nobody():
    found = find(np.zeros((5_000, 16), np.float32))
    assert (found.index == NOBODY).all()


def test_the_length_of_vectors_does_not_matter(vectors):
    scale = np.random.default_rng(2).uniform(1e-3, 1e3, (800, 1)).astype(np.float32)
    scale[:4, 0] = 1e-20, 1e-22, 1e17, 1e18
    assert_same(find(vectors[:800] * scale), by_force(vectors[:800] * scale, 16))


def test_a_corpus_in_which_the_nearest_come_last_loses_none(make_vectors):
    vectors = make_vectors(2_000, 32)
    order = np.argsort(vectors @ vectors[0])
    assert_same(find(vectors[order], tile=128), by_force(vectors[order], 16))


def test_vectors_on_disk_are_read_where_they_are(vectors, tmp_path):
    file = tmp_path / "文書 Zoë.npy"
    np.save(file, vectors[:600])
    assert_identical(find(np.load(file, mmap_mode="r"), tile=200), find(vectors[:600]))


def test_progress_rises_to_its_total(vectors, monkeypatch):
    monkeypatch.setattr("core.pairs.comparing._BLOCK_S", -1)
    said = [one for one in nearest(vectors, device="cpu", tile=300) if one.unit == "pairs"]
    done = [one.done for one in said]
    assert len(done) > 50
    assert done == sorted(done)
    assert {one.total for one in said} == {done[-1]} == {3_000 * 2_999 // 2}


def test_a_word_of_progress_comes_before_a_person_grows_impatient(make_vectors):
    steps = nearest(make_vectors(20_000, 128), device="cpu", threads=1)
    next(steps)
    began = time.thread_time()  # not the clock: other programs may be busy
    for _ in range(3):
        next(steps)
    steps.close()
    assert time.thread_time() - began < 3 * 0.5


def test_memory_stays_that_of_a_few_tiles(make_vectors):
    vectors = make_vectors(6_000, 32)
    tracemalloc.start()
    find(vectors, tile=512)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12e6


@pytest.mark.parametrize(("k", "known"), [(0, None), (3, 21)])
def test_impossible_wishes_are_refused(vectors, k, known):
    told = None if known is None else find(vectors[:known])
    with pytest.raises(ValueError, match=r"k must be|are known"):
        find(vectors[:20], k=k, known=told)
