"""Stages follow each other on one encoder, and go on after a kill."""

import numpy as np
import pytest
import torch

from core.evaluation import average_precision
from core.examples import LabelledPairs
from core.options import TrainOptions
from core.progress import Enough, run_to_end
from core.training import KeptStages, Stage, Task, by_scores
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.learner import load_learner
from core.training.stages import fit_stages

OPTIONS = TrainOptions(epochs=4, rate=1e-3, batch=4)


@pytest.fixture
def two(pairs):
    labels = LabelledPairs(pairs.left, pairs.right, np.arange(12) % 3, ("x", "y", "z"))
    return Stage((Task("classification", labels),), OPTIONS), by_scores(pairs, OPTIONS)


@pytest.fixture
def pupil(tiny_encoder):
    return lambda: EncoderPupil(load_learner(tiny_encoder, device="cpu"))


def same(one, other):
    ours, theirs = one.snapshot(), other.snapshot()
    return all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_one_stage_is_what_the_loop_makes_of_it(pupil, pairs, background):
    one, other = pupil(), pupil()
    stage = by_scores(pairs, OPTIONS)
    found = run_to_end(fit_stages(one, (stage,), background, judging=pairs))
    wanted = run_to_end(fit(other, stage, background, judging=pairs))
    assert same(one, other)
    assert (found.curve, found.steps) == (wanted.curve, wanted.steps)


def test_a_second_stage_begins_where_the_first_ended(pupil, pairs, two):
    one, other = pupil(), pupil()
    found = run_to_end(fit_stages(one, two, judging=pairs))
    first = run_to_end(fit(other, two[0], judging=pairs, choose=False))
    second = run_to_end(fit(other, two[1], judging=pairs, choose=False, number=1))
    assert same(one, other)
    assert found.steps == first.steps + second.steps
    assert found.before.tolist() == first.before.tolist()
    assert found.after.tolist() == second.after.tolist()
    assert [step for step, _ in found.curve] == list(range(1, found.steps + 1))


def test_background_is_held_to_the_cosines_that_the_encoder_came_with(
    pupil, pairs, two, background
):
    one, other = pupil(), pupil()
    run_to_end(fit_stages(one, two, background, judging=pairs))
    run_to_end(other.read(text for column in background.columns for text in column))
    old = run_to_end(other.scores(background.columns))
    told = type(background)(background.left, background.right, old)
    run_to_end(fit(other, two[0], told, choose=False))
    run_to_end(fit(other, two[1], told, choose=False, number=1))
    assert same(one, other)


def test_only_the_last_stage_chooses_among_weights(pupil, pairs, two):
    told = run_to_end(fit_stages(pupil(), two, held=pairs, figure=average_precision, judging=pairs))
    assert told.step >= 12 * 4 / 4  # never a step of the first stage, which has 12


@pytest.mark.parametrize("after", [5, 12, 17])
def test_a_training_that_was_cut_off_in_any_stage_goes_on_to_the_same_weights(
    pupil, pairs, two, background, tmp_path, after
):
    whole = pupil()
    wanted = run_to_end(fit_stages(whole, two, background, judging=pairs))
    kept = KeptStages(tmp_path, "this", every_s=0)
    steps = fit_stages(pupil(), two, background, judging=pairs, kept=kept)
    while dict(next(steps).figures).get("step", 0) <= after:
        pass
    steps.close()
    again = pupil()
    told = []
    found = run_to_end(fit_stages(again, two, background, judging=pairs, kept=kept), told.append)
    assert min(dict(one.figures).get("step", np.inf) for one in told) >= after
    assert same(whole, again)
    assert (found.curve, found.steps) == (wanted.curve, wanted.steps)
    assert found.before.tolist() == wanted.before.tolist()
    assert found.still_before.tolist() == wanted.still_before.tolist()
    kept.remove()
    assert list(tmp_path.iterdir()) == []


def test_progress_counts_over_all_stages(pupil, two):
    told = []
    run_to_end(fit_stages(pupil(), two), told.append)
    seen = [(one, dict(one.figures)) for one in told if "step" in dict(one.figures)]
    assert {figures["stages"] for _, figures in seen} == {2.0}
    assert all(one.done == figures["step"] and one.total == 24 for one, figures in seen)
    assert seen[-1][1]["stage"] == 2


def test_enough_in_the_first_stage_ends_it_all(pupil, two):
    one = pupil()
    steps = fit_stages(one, two)
    while dict(next(steps).figures).get("step", 0) < 3:
        pass
    try:
        steps.throw(Enough())
        while True:
            next(steps)
    except StopIteration as stop:
        found = stop.value
    assert (found.stopped, found.planned) == ("enough", 24)
    assert found.steps < 12
    assert found.why.startswith("In stage 1 of 2: ")
