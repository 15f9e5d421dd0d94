import time
import tracemalloc

import numpy as np
import pytest

from core.pairs import pair_blocks, pairs_to_compare
from core.pairs.rounding import margin

BORDER = 1e-6  # so near to the floor either answer is right


def collect(blocks):
    blocks = list(blocks)
    left, right, cosine = (
        np.concatenate([getattr(block, name) for block in blocks])
        for name in ("left", "right", "cosine")
    )
    return {(a, b): c for a, b, c in zip(left.tolist(), right.tolist(), cosine, strict=True)}


def by_double_loop(vectors, floor):
    exact = vectors.astype(np.float64)
    found = {}
    for i in range(len(exact)):
        cosines = exact[i + 1 :] @ exact[i]
        for j in np.flatnonzero(cosines >= floor).tolist():
            found[i, i + 1 + j] = cosines[j]
    return found


def assert_same_pairs(found, expected, floor):
    for pair in found.keys() ^ expected.keys():
        assert abs(found.get(pair, expected.get(pair)) - floor) < BORDER
    for pair in found.keys() & expected.keys():
        assert abs(found[pair] - expected[pair]) < BORDER


@pytest.mark.parametrize("floor", [0.5, 0.75, 0.95])
def test_the_pass_finds_what_a_double_loop_finds(vectors, floor):
    found = collect(pair_blocks(vectors, floor=floor, device="cpu", tile=700))
    assert_same_pairs(found, by_double_loop(vectors, floor), floor)


def test_the_margin_without_rounding_is_that_of_the_sum_alone():
    assert 0 < margin(384, norm=1.0, delta=0.0) < 1e-4


def test_each_pair_comes_once_and_in_order(vectors):
    blocks = list(pair_blocks(vectors, floor=0.6, device="cpu", tile=500))
    left = np.concatenate([block.left for block in blocks])
    right = np.concatenate([block.right for block in blocks])
    assert (left < right).all()
    assert len(set(zip(left.tolist(), right.tolist(), strict=True))) == len(left)


def test_the_tile_does_not_change_a_bit(vectors):
    some = vectors[:1_000]
    whole = collect(pair_blocks(some, floor=0.6, device="cpu"))
    assert whole == collect(pair_blocks(some, floor=0.6, device="cpu", tile=123))


def test_a_pass_resumes_where_it_was_cancelled(vectors, monkeypatch):
    monkeypatch.setattr("core.pairs.comparing._BLOCK_S", 0)
    blocks = pair_blocks(vectors, floor=0.6, device="cpu", tile=400)
    kept = []
    for block in blocks:
        kept.append(block)
        if block.done >= 1_200 and len(kept) > 10:
            break
    blocks.close()
    done = kept[-1].done
    before = {pair: c for pair, c in collect(kept).items() if pair[1] < done}
    after = collect(pair_blocks(vectors, floor=0.6, device="cpu", tile=400, start=done))
    assert 0 < done < len(vectors)
    assert not before.keys() & after.keys()
    assert before | after == collect(pair_blocks(vectors, floor=0.6, device="cpu"))


def test_new_vectors_are_compared_with_all_old_ones_only(vectors):
    last = list(pair_blocks(vectors, floor=0.6, device="cpu", start=2_990))[-1]
    assert last.compared == pairs_to_compare(3_000, start=2_990) == sum(range(2_990, 3_000))


@pytest.mark.parametrize("start", [0, 450])
def test_compared_ends_at_the_promised_number(vectors, start):
    last = list(pair_blocks(vectors[:1_000], floor=0.9, device="cpu", start=start, tile=300))[-1]
    assert (last.done, last.compared) == (1_000, pairs_to_compare(1_000, start=start))


@pytest.mark.parametrize(("n", "pairs"), [(0, 0), (1, 0), (2, 1), (300, 300 * 299 // 2)])
def test_equal_vectors_all_pair(n, pairs):
    vectors = np.tile(np.float32([0.6, 0.8]), (n, 1))
    assert len(collect(pair_blocks(vectors, floor=0.99))) == pairs


def test_unrelated_vectors_do_not_pair():
    assert collect(pair_blocks(np.eye(2, dtype=np.float32), floor=0.5)) == {}


@pytest.mark.parametrize("value", [0, np.nan, np.inf])
def test_empty_and_broken_vectors_pair_with_nothing(vectors, value):
    some = vectors[:500].copy()
    some[[3, 4, 250]] = value
    found = collect(pair_blocks(some, floor=0.5, device="cpu"))
    expected = collect(pair_blocks(vectors[:500], floor=0.5, device="cpu"))
    assert found == {p: c for p, c in expected.items() if not {3, 4, 250} & set(p)}


def test_thousands_of_blank_vectors_make_no_pairs():
    assert collect(pair_blocks(np.zeros((5_000, 16), np.float32), floor=0.1)) == {}


def test_a_floor_of_nothing_is_refused(vectors):
    with pytest.raises(ValueError, match="above 0"):
        next(pair_blocks(vectors, floor=0.0))


def test_no_cosine_is_above_one(vectors):
    twice = np.concatenate([vectors[:300], vectors[:300]])
    assert max(collect(pair_blocks(twice, floor=0.9)).values()) == 1


def test_vectors_on_disk_are_read_where_they_are(vectors, tmp_path):
    np.save(tmp_path / "vectors.npy", vectors[:600])
    mapped = np.load(tmp_path / "vectors.npy", mmap_mode="r")
    found = collect(pair_blocks(mapped, floor=0.6, device="cpu"))
    assert found == collect(pair_blocks(vectors[:600], floor=0.6, device="cpu"))


def test_a_floor_at_which_everything_pairs_ends_within_bounded_memory(make_vectors):
    """4.5 million pairs handed on in blocks: far less than their 54 MB at any time."""
    vectors = np.abs(make_vectors(3_000, 32))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    tracemalloc.start()
    pairs = largest = 0
    for block in pair_blocks(vectors, floor=1e-6, device="cpu", tile=512):
        pairs += len(block.left)
        largest = max(largest, len(block.left))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert pairs == pairs_to_compare(3_000)
    assert largest < 300_000
    assert peak < 40e6


def test_a_block_comes_before_a_person_grows_impatient(make_vectors):
    vectors = make_vectors(20_000, 128)
    began = time.monotonic()
    blocks = pair_blocks(vectors, floor=0.9, device="cpu", threads=1)
    next(blocks)
    blocks.close()
    assert time.monotonic() - began < 2


def test_the_number_of_threads_is_given_back(vectors):
    import torch

    before = torch.get_num_threads()
    next(pair_blocks(vectors, floor=0.9, device="cpu", threads=before + 1))
    assert torch.get_num_threads() == before
