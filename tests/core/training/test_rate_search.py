"""The short search over learning rates."""

import math

import numpy as np
import pytest
import torch

from core.evaluation import average_precision, spearman
from core.options import TrainOptions
from core.progress import Enough, run_to_end
from core.training import random_pairs, train
from core.training.encoder_pupil import EncoderPupil
from core.training.learner import load_learner
from core.training.rate_search import search_rates
from core.training.tasks import Stage, Task, by_scores

RATES = (1e-9, 3e-3, 1e30)
OPTIONS = TrainOptions(batch=4, hold=0, rate=7e-5)


@pytest.fixture
def pupil(tiny_encoder):
    return EncoderPupil(load_learner(tiny_encoder, device="cpu"))


def nearness(gold, scores):
    return -float(np.abs(gold - scores).mean())


def search(pupil, pairs, figure=nearness, **named):
    return search_rates(
        pupil, by_scores(pairs, OPTIONS), held=pairs, figure=figure, rates=RATES, **named
    )


def test_the_rate_that_does_best_on_what_is_held_out_is_taken(pupil, pairs):
    found = run_to_end(search(pupil, pairs))
    assert found.rate == 3e-3
    assert [one.rate for one in found.tried] == list(RATES)
    assert found.tried[1].figure > found.tried[0].figure
    assert math.isnan(found.tried[2].figure)  # whose loss was no number
    assert "0.003" in found.why


def test_the_pupil_ends_with_the_weights_it_came_with(pupil, pairs):
    base = pupil.snapshot()
    run_to_end(search(pupil, pairs))
    assert all(torch.equal(base[name], weight) for name, weight in pupil.snapshot().items())


def test_the_same_seed_finds_the_same(tiny_encoder, pairs, corpus):
    found = []
    for _ in range(2):
        pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
        stage = by_scores(pairs, TrainOptions(batch=4))
        steps = search_rates(pupil, stage, random_pairs(corpus, count=50), held=pairs,
                             figure=nearness, rates=RATES[:2])  # fmt: skip  # what is tried
        found.append(run_to_end(steps))
    assert found[0] == found[1]


def test_a_trial_is_one_epoch_of_a_share_of_the_examples(pupil, make_pairs):
    data = make_pairs(600)
    steps = search_rates(pupil, by_scores(data, TrainOptions(batch=50, hold=0)),
                         held=data, figure=nearness, rates=(1e-5,))  # fmt: skip  # as above
    assert run_to_end(steps).tried[0].steps == 500 // 50


def test_enough_ends_it_with_the_best_of_the_whole_trials(pupil, pairs):
    base = pupil.snapshot()
    steps = search(pupil, pairs)
    for progress in steps:
        if progress.title == "Trying learning rate 2 of 3" and progress.done:
            break
    with pytest.raises(StopIteration) as stop:
        steps.throw(Enough())
        while True:
            next(steps)
    found = stop.value.value
    assert found.rate == 1e-9 and len(found.tried) == 1
    assert "by hand" in found.why
    assert all(torch.equal(base[name], weight) for name, weight in pupil.snapshot().items())


def test_enough_before_any_trial_is_whole_takes_the_rate_that_was_set(pupil, pairs):
    steps = search(pupil, pairs)
    next(steps)
    with pytest.raises(StopIteration) as stop:
        steps.throw(Enough())
        while True:
            next(steps)
    assert stop.value.value.rate == OPTIONS.rate


def test_a_figure_that_says_nothing_takes_the_rate_that_was_set(pupil, pairs):
    found = run_to_end(search(pupil, pairs, figure=lambda *_: math.nan))
    assert found.rate == OPTIONS.rate and "the one that was set" in found.why


def test_several_tasks_are_tried_together(pupil, pairs):
    stage = Stage((Task("regression", pairs), Task("cosent", pairs)), OPTIONS)
    found = run_to_end(search_rates(pupil, stage, held=pairs, figure=nearness, rates=RATES[:2]))
    assert found.rate == 3e-3


def test_a_training_takes_the_rate_it_found_and_records_it(
    tiny_encoder, make_pairs, nothing_random, tmp_path
):
    options = TrainOptions(epochs=1, batch=8, hold=0, search_rates=True)
    data = make_pairs(40)
    found = run_to_end(
        train(
            tiny_encoder, [by_scores(data, options)], nothing_random, tmp_path / "taught",
            held=data, figure=average_precision, device="cpu",
        )
    )  # fmt: skip  # one line for the arguments
    assert found.searched is not None
    assert found.searched.rate in (2e-5, 5e-5, 1e-4)
    record = (tmp_path / "taught" / "training.json").read_text("utf-8")
    assert f'"rate": {found.searched.rate}' in record


def test_pairs_that_only_judge_the_encoder_judge_no_rate(
    tiny_encoder, make_pairs, nothing_random, tmp_path
):
    seen = []

    def figure(gold, cosines):
        seen.append(len(gold))
        return float(spearman(gold, cosines))

    options = TrainOptions(epochs=1, batch=8, hold=0, search_rates=True)
    run_to_end(
        train(
            tiny_encoder, [by_scores(make_pairs(50), options)], nothing_random,
            tmp_path / "taught", held=make_pairs(30), figure=figure, choose=False, device="cpu",
        )
    )  # fmt: skip  # one line for the arguments
    assert seen[:3] == [10, 10, 10]  # a fifth of what is learnt from, once for each rate
