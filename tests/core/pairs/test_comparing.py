"""One pass, three ways to run it: in numpy, in compiled loops, in the terms of an accelerator."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.pairs import compare, nearest, pair_blocks
from core.pairs.comparing import Neighbours
from core.pairs.ranking import OPEN, keys_of, take_pairs
from core.progress import run_to_end

FLOOR = 0.6


def together(vectors, *, k=16, floor=FLOOR, **more):
    """All blocks of a pass in one, and what it returns."""
    steps = compare(vectors, floor=floor, k=k, **{"device": "cpu", **more})
    blocks = []
    while True:
        try:
            blocks.append(next(steps))
        except StopIteration as stop:
            parts = (
                np.concatenate([getattr(block, name) for block in blocks])
                for name in ("left", "right", "cosine")
            )
            found = {(a, b): c for a, b, c in zip(*(part.tolist() for part in parts), strict=True)}
            assert len(found) == sum(len(block.left) for block in blocks)
            return found, stop.value


def pairs_of(vectors, *, floor=FLOOR, **more):
    return together(vectors, k=0, floor=floor, **more)[0]


def assert_alike(found, expected):
    """Equal but for a last bit of a cosine."""
    (pairs, near), (wanted, graph) = found, expected
    assert {p for p, c in pairs.items() if abs(c - FLOOR) > 1e-6} == {
        p for p, c in wanted.items() if abs(c - FLOOR) > 1e-6
    }
    assert all(abs(pairs[pair] - wanted[pair]) < 1e-6 for pair in pairs.keys() & wanted.keys())
    np.testing.assert_allclose(near.cosine, graph.cosine, atol=2e-7)
    differs = near.index != graph.index
    # Another neighbour may only stand where two cosines are the same but for that bit.
    np.testing.assert_allclose(near.cosine[differs], graph.cosine[differs], atol=2e-7)
    assert differs.mean() < 0.001


@pytest.fixture
def compiled(monkeypatch):
    """Let even a handful of vectors take the way of many."""
    monkeypatch.setattr("core.pairs.comparing.MANY", 1)
    monkeypatch.setattr("core.pairs.comparing._NEW", 1)
    monkeypatch.setattr("core.pairs.comparing.has_bf16", lambda: False)


@pytest.fixture
def brief(compiled, monkeypatch):
    """And take it in bfloat16."""
    monkeypatch.setattr("core.pairs.comparing.has_bf16", lambda: True)
    monkeypatch.setattr("core.pairs.comparing.bfloat16_gain", lambda _: 10.0)


def test_one_pass_finds_what_two_find(vectors):
    pairs, near = together(vectors)
    assert pairs == pairs_of(vectors)
    alone = run_to_end(nearest(vectors, device="cpu"))
    np.testing.assert_array_equal(near.index, alone.index)
    np.testing.assert_array_equal(near.cosine, alone.cosine)


@pytest.mark.parametrize("tile", [None, 300])
def test_compiled_loops_find_the_same(vectors, compiled, tile, monkeypatch):
    found = together(vectors, tile=tile)
    monkeypatch.undo()
    assert_alike(found, together(vectors))


@pytest.mark.parametrize("k", [1, 16, 50])
def test_compiled_loops_find_the_same_neighbours_alone(vectors, compiled, k, monkeypatch):
    found = run_to_end(nearest(vectors, k=k, device="cpu", tile=500))
    monkeypatch.undo()
    assert_alike(({}, found), ({}, run_to_end(nearest(vectors, k=k, device="cpu"))))


@pytest.mark.parametrize("floor", [0.3, 0.6, 0.95])
def test_compiled_loops_find_the_same_pairs_alone(vectors, compiled, floor, monkeypatch):
    found = pairs_of(vectors, floor=floor)
    monkeypatch.undo()
    wanted = pairs_of(vectors, floor=floor)
    assert {p for p, c in found.items() if c > floor + 1e-6} == {
        p for p, c in wanted.items() if c > floor + 1e-6
    }


def test_bfloat16_finds_the_same(vectors, brief, monkeypatch):
    found = together(vectors[:1_500], tile=400)
    monkeypatch.undo()
    assert_alike(found, together(vectors[:1_500]))


def test_the_arithmetic_of_an_accelerator_finds_the_same(vectors):
    """Run on the processor under another name, for want of an accelerator on every machine."""
    some = vectors[:900]
    assert_alike(together(some, device="cpu:0", tile=300), together(some))


def test_an_accelerator_finds_the_same_pairs_in_bfloat16(vectors):
    some = vectors[:900]
    found = pairs_of(some, device="cpu:0", tile=300)
    wanted = pairs_of(some)
    assert {p for p, c in found.items() if abs(c - FLOOR) > 1e-6} == {
        p for p, c in wanted.items() if abs(c - FLOOR) > 1e-6
    }


def test_the_worst_rounding_of_bfloat16_stays_within_the_margin(brief):
    """Equal coordinates that all round down by nearly half a step, the worst there is."""
    d = 256
    vectors = np.full((2, d), 1 / 16, np.float32) * np.float32(1 + 2**-8 - 2**-20)
    assert pairs_of(vectors, floor=1.0) == {(0, 1): 1.0}


def test_threads_and_tiles_do_not_change_a_bit_of_the_compiled_way(vectors, compiled):
    pairs, near = together(vectors, threads=1, tile=2_048)
    again, other = together(vectors, threads=3, tile=311)
    assert pairs == again
    np.testing.assert_array_equal(near.index, other.index)
    np.testing.assert_array_equal(near.cosine, other.cosine)


# Small whole numbers make many equal cosines, zeros and opposite vectors.
coarse = arrays.arrays(
    np.float32,
    st.tuples(st.integers(0, 40), st.integers(1, 4)),
    elements=st.integers(-2, 2).map(float),
)


@settings(max_examples=40, deadline=None)
@given(coarse, st.integers(1, 20), st.integers(1, 50))
def test_compiled_loops_settle_ties_alike(vectors, k, tile):
    expected = run_to_end(nearest(vectors, k=k, device="cpu"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.pairs.comparing.MANY", 1)
        patch.setattr("core.pairs.comparing._NEW", 1)
        found = run_to_end(nearest(vectors, k=k, device="cpu", tile=tile))
    np.testing.assert_array_equal(found.index, expected.index)
    np.testing.assert_allclose(found.cosine, expected.cosine, atol=1e-7)


def test_vectors_of_which_nearly_all_are_equal_end_in_time(compiled):
    """Every pair is a candidate: tile after tile is scored whole."""
    vectors = np.tile(np.float32([0.6, 0.8]), (1_200, 1))
    pairs, near = together(vectors, k=2, tile=256)
    assert len(pairs) == 1_200 * 1_199 // 2
    assert (near.index[2:] == [0, 1]).all()


def test_new_vectors_complete_what_is_known_of_the_old_ones(vectors, compiled):
    first, known = together(vectors[:2_000])
    more, grown = together(vectors, start=2_000, known=known)
    pairs, whole = together(vectors)
    assert first | more == pairs
    assert not first.keys() & more.keys()
    np.testing.assert_array_equal(grown.index, whole.index)


def test_what_is_known_of_rows_that_are_met_again_counts_once(vectors):
    known = together(vectors[:2_000])[1]
    again = together(vectors, start=1_500, known=known)[1]
    np.testing.assert_array_equal(again.index, together(vectors)[1].index)


@pytest.mark.parametrize("value", [0, np.nan, np.inf])
def test_empty_and_broken_vectors_are_left_out_by_the_compiled_way(vectors, compiled, value):
    some = vectors[:1_000].copy()
    some[[0, 17, 18, 999]] = value
    pairs, near = together(some)
    assert not {0, 17, 18, 999} & {end for pair in pairs for end in pair}
    assert (near.index[[0, 17, 18, 999]] == -1).all()
    assert not np.isin(near.index, [0, 17, 18, 999]).any()


def test_the_last_block_says_that_all_is_done(vectors, compiled):
    blocks = list(pair_blocks(vectors[:700], floor=0.9, device="cpu", start=300))
    assert (blocks[-1].done, blocks[-1].compared) == (700, sum(range(300, 700)))


def test_a_word_comes_before_a_person_grows_impatient(make_vectors):
    steps = compare(make_vectors(20_000, 128), k=16, floor=0.9, device="cpu", threads=1)
    next(steps)
    began = time.thread_time()  # not the clock: other programs may be busy
    words = 0
    for _ in steps:
        words += 1
    assert time.thread_time() - began < words * 0.6


def test_what_comes_first_is_kept_of_equal_keys():
    best = np.full((1, 2), OPEN, np.int64)
    keys = keys_of(np.float32([0.5, 0.5, 0.7]), np.array([9, 3, 5]))
    take_pairs(best, np.zeros(3, np.int64), keys)
    assert (best[0] & 0xFFFFFFFF).tolist() == [5, 3]


def test_neighbours_are_plain_arrays(vectors):
    near = together(vectors[:50], k=3)[1]
    assert isinstance(near, Neighbours)
    assert near.index.dtype == np.int32
    assert near.cosine.dtype == np.float32
