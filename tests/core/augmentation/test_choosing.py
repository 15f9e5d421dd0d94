"""Which pairs are chosen by which sampling, and what is refused."""

import numpy as np
import pytest

from core.augment_options import AugmentOptions
from core.augmentation import candidates, refuse_top_k
from core.errors import UserError
from core.progress import run_to_end

TEXTS = tuple(f"word{at // 4} shared{at // 4} own{at}" for at in range(40))
NOTHING = np.empty((0, 2), np.int64)


def neighbours(k: int):
    yield from ()
    return np.array([[(at + step) % 40 for step in range(1, k + 1)] for at in range(40)], np.int64)


def chosen(known=NOTHING, gold=100, **options) -> set[tuple[int, int]]:
    asked = AugmentOptions(**options)
    found = run_to_end(candidates(TEXTS, known, asked, gold=gold, neighbours=neighbours))
    told = {tuple(sorted(pair)) for pair in found.tolist()}
    assert len(told) == len(found)  # no pair and its twin
    assert all(left != right for left, right in told)
    return told


def test_words_pair_texts_that_share_rare_ones():
    found = chosen(sampling="bm25", top_k=3)
    assert found == {(a, b) for a in range(40) for b in range(a + 1, 40) if a // 4 == b // 4}


def test_meaning_asks_for_as_many_neighbours_as_wanted():
    assert chosen(sampling="semantic", top_k=2) == {
        tuple(sorted((at, (at + step) % 40))) for at in range(40) for step in (1, 2)
    }


def test_both_is_the_union():
    words, near = (chosen(sampling=one, top_k=2) for one in ("bm25", "semantic"))
    assert chosen(sampling="both", top_k=2) == words | near


@pytest.mark.parametrize("sampling", ["bm25", "semantic", "both", "random", "kde"])
def test_known_pairs_are_never_chosen_in_either_order(sampling: str):
    known = np.array([(1, 0), (2, 3), (5, 4)], np.int64)
    found = chosen(known, sampling=sampling, top_k=3, pool=700)
    assert not found & {(0, 1), (2, 3), (4, 5)}
    assert found


def test_no_more_stay_than_may_beside_the_gold():
    assert len(chosen(sampling="bm25", top_k=3, gold=4, most=5.0)) == 20
    assert len(chosen(sampling="random", gold=4, most=5.0)) == 20


def test_the_pool_of_kde_is_as_large_as_asked():
    assert len(chosen(sampling="kde", pool=300, gold=4)) == 300


def test_the_same_seed_draws_the_same_pairs():
    assert chosen(sampling="random", gold=4, seed=3) == chosen(sampling="random", gold=4, seed=3)
    assert chosen(sampling="random", gold=4, seed=3) != chosen(sampling="random", gold=4, seed=4)


def test_more_others_than_there_are_is_refused():
    with pytest.raises(UserError, match="has 39 others; 40 were asked for"):
        chosen(sampling="bm25", top_k=40)
    with pytest.raises(UserError, match="fewer than two texts"):
        refuse_top_k(1, AugmentOptions(sampling="random"))
    refuse_top_k(3, AugmentOptions(sampling="random", top_k=50))
