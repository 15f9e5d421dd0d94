"""What each batch is made of."""

import numpy as np
import pytest

from core.options import TrainOptions
from core.training.batches import automatic_epochs, batches, planned_steps, share_of_rate

JUDGED, BACKGROUND = 21, 30


def everything(options, side):
    return np.concatenate([turn[side] for turn in batches([JUDGED], BACKGROUND, options)])


def test_every_judged_pair_comes_once_an_epoch():
    assert np.bincount(everything(TrainOptions(epochs=3), 1)).tolist() == [3] * JUDGED


def test_half_of_a_batch_is_background():
    _, judged, still = next(batches([JUDGED], BACKGROUND, TrainOptions()))
    assert (len(judged), len(still)) == (8, 8)


def test_without_background_the_batch_is_all_judged():
    _, judged, still = next(batches([JUDGED], 0, TrainOptions()))
    assert (len(judged), len(still)) == (16, 0)


def test_a_share_of_nothing_holds_nothing_still():
    assert len(next(batches([JUDGED], BACKGROUND, TrainOptions(hold=0))).still) == 0


def test_the_background_goes_round():
    counts = np.bincount(everything(TrainOptions(epochs=3), 2), minlength=BACKGROUND)
    assert counts.min() == 2 and counts.max() == 3


@pytest.mark.parametrize("hold", [0, 0.3, 0.5, 0.9])
def test_as_many_steps_come_as_were_planned(hold):
    options = TrainOptions(epochs=2, hold=hold)
    planned = planned_steps([JUDGED], options, has_background=True)
    assert len(list(batches([JUDGED], BACKGROUND, options))) == planned


def test_the_seed_decides_the_order():
    orders = [everything(TrainOptions(seed=seed), 1) for seed in (1, 1, 2)]
    assert (orders[0] == orders[1]).all() and (orders[0] != orders[2]).any()


def test_the_rate_warms_up_over_a_tenth_and_ends_at_nothing():
    shares = [share_of_rate(step, 100) for step in range(101)]
    assert shares[0] == 0.1 and shares[9] == 1.0 and shares[100] == 0.0
    assert max(shares) == 1.0


@pytest.mark.parametrize(("warm_up", "wanted"), [(0.0, 1.0), (0.5, 0.02)])
def test_the_warm_up_may_be_longer_or_left_out(warm_up, wanted):
    shares = [share_of_rate(step, 100, warm_up=warm_up) for step in range(100)]
    assert shares[0] == pytest.approx(wanted)
    assert shares.index(max(shares)) == max(0, round(100 * warm_up) - 1)


def test_few_pairs_are_seen_more_often():
    assert automatic_epochs(200) > automatic_epochs(200_000) >= 1


def test_a_constant_rate_stays_after_the_warm_up():
    shares = [share_of_rate(step, 100, schedule="constant") for step in range(100)]
    assert shares[0] == 0.1 and set(shares[9:]) == {1.0}


def test_batches_of_several_tasks_are_mixed_and_each_example_comes_once_an_epoch():
    sizes, options = [100, 40], TrainOptions(epochs=2, batch=10, hold=0)
    turns = list(batches(sizes, 0, options))
    assert len(turns) == planned_steps(sizes, options, has_background=False) == 28
    for task, size in enumerate(sizes):
        seen = np.concatenate([turn.taught for turn in turns if turn.task == task])
        assert np.bincount(seen).tolist() == [2] * size
    tasks = [turn.task for turn in turns[:14]]
    assert tasks != sorted(tasks) and sorted(tasks) == [0] * 10 + [1] * 4
