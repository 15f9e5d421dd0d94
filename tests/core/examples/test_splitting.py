"""Pairs go to sides by the texts they share."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.examples import LabelledTexts, ScoredPairs, Triplets, components, folds, split


def data_of(pairs, score):
    return ScoredPairs(
        tuple(left for left, _ in pairs),
        tuple(right for _, right in pairs),
        np.array(score, np.float32),
    )


def random_data(count, texts, seed=0):
    random = np.random.default_rng(seed)
    numbers = random.integers(0, texts, (count, 2))
    return data_of([(f"t{a}", f"t{b}") for a, b in numbers], random.integers(0, 2, count))


def texts_of(data, rows):
    return {data.left[row] for row in rows} | {data.right[row] for row in rows}


def test_pairs_that_share_a_text_are_one_component_however_long_the_chain():
    chain = [(f"t{place}", f"t{place + 1}") for place in range(3_000)]
    found = components(*zip(*chain, ("x", "y"), strict=True))
    assert set(found[:-1]) == {0} and found[-1] == 1


def test_the_sides_share_no_text():
    data = random_data(400, texts=1_000)
    sides = split(data, share=0.3)
    assert not texts_of(data, sides.train) & texts_of(data, sides.held)


def test_every_pair_is_on_one_side():
    sides = split(random_data(400, texts=1_000))
    assert sorted((*sides.train, *sides.held)) == list(range(400))


def test_the_share_is_met_for_each_label():
    score = [1] * 40 + [0] * 160
    data = data_of([(f"l{row}", f"r{row}") for row in range(200)], score)
    held = data.score[split(data, share=0.2).held]
    assert (held.sum(), len(held)) == (8, 40)


def test_the_share_is_met_for_each_band_of_scores():
    score = np.repeat((0.1, 0.3, 0.5, 0.7, 0.9), 40)
    data = data_of([(f"l{row}", f"r{row}") for row in range(200)], score)
    held = data.score[split(data, share=0.25).held]
    assert np.unique(held, return_counts=True)[1].tolist() == [10] * 5


def test_the_same_seed_splits_the_same_and_another_differently():
    data = random_data(400, texts=1_000)
    first, again, other = (split(data, seed=seed).held.tolist() for seed in (3, 3, 4))
    assert first == again != other


def test_one_huge_component_is_said_and_still_judges():
    data = data_of([("hub", f"t{row}") for row in range(100)], [row % 2 for row in range(100)])
    sides = split(data, share=0.2)
    assert (len(sides.held), sides.shares_texts) == (20, True)
    assert "100 of 100 pairs hang together" in sides.note


def test_sides_kept_apart_need_no_note():
    sides = split(random_data(400, texts=1_000))
    assert (sides.note, sides.shares_texts) == ("", False)


def test_no_pair_and_one_pair_hold_out_nothing():
    for data in (data_of([], []), data_of([("a", "b")], [1])):
        assert len(split(data).held) == 0


def test_folds_share_no_text():
    data = random_data(300, texts=900)
    fold, cut = folds(data)
    sides = [texts_of(data, np.flatnonzero(fold == part)) for part in range(5)]
    assert not cut
    assert sum(map(len, sides)) == len(set().union(*sides))


def test_folds_hold_both_labels_evenly():
    data = data_of([(f"l{row}", f"r{row}") for row in range(50)], [row < 10 for row in range(50)])
    fold, _ = folds(data)
    assert [data.score[fold == part].sum() for part in range(5)] == [2] * 5
    assert np.bincount(fold).tolist() == [10] * 5


def test_folds_cut_a_component_that_holds_most_pairs_and_say_so():
    data = data_of([("hub", f"t{row}") for row in range(50)], [row % 2 for row in range(50)])
    fold, cut = folds(data)
    assert cut and np.bincount(fold).tolist() == [10] * 5


def test_triplets_are_kept_together_by_each_of_their_texts():
    triplets = Triplets(("a", "b", "x", "y"), ("p", "q", "r", "s"), ("n", "p", "m", "x"))
    assert components(*triplets.columns).tolist() == [0, 0, 1, 1]


def test_labelled_texts_are_held_out_label_by_label():
    label = np.repeat(np.arange(4), 25)
    texts = LabelledTexts(tuple(f"t{at}" for at in range(100)), label, tuple("abcd"))
    held = split(texts, share=0.2).held
    assert np.bincount(texts.label[held]).tolist() == [5, 5, 5, 5]


def test_copies_of_a_labelled_text_stay_on_one_side():
    texts = LabelledTexts(tuple(f"t{at % 30}" for at in range(90)), np.zeros(90, np.int64), ("a",))
    sides = split(texts, share=0.3)
    assert not {texts.text[at] for at in sides.train} & {texts.text[at] for at in sides.held}


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.booleans()), max_size=60),
    st.integers(0, 5),
)
def test_a_split_that_claims_apart_sides_has_them(rows, seed):
    data = data_of([(f"t{a}", f"t{b}") for a, b, _ in rows], [same for *_, same in rows])
    sides = split(data, share=0.3, seed=seed)
    shared = texts_of(data, sides.train) & texts_of(data, sides.held)
    assert sorted((*sides.train, *sides.held)) == list(range(len(rows)))
    assert sides.shares_texts or not shared


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=25))
def test_components_are_those_of_a_search_through_shared_texts(pairs):
    left = [f"t{a}" for a, _ in pairs]
    right = [f"t{b}" for _, b in pairs]
    number, expected = 0, [-1] * len(pairs)
    for start in range(len(pairs)):
        if expected[start] >= 0:
            continue
        reached = {left[start], right[start]}
        while True:
            hit = [at for at in range(len(pairs)) if {left[at], right[at]} & reached]
            more = reached.union(*({left[at], right[at]} for at in hit))
            if more == reached:
                break
            reached = more
        for at in hit:
            expected[at] = number
        number += 1
    assert components(left, right).tolist() == expected
