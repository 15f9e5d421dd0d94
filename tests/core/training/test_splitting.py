"""Pairs go to sides by the texts they share."""

import numpy as np

from core.training import TrainData, components, folds, split


def data_of(pairs, score):
    return TrainData(
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
