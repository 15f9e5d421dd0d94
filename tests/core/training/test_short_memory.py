"""A device that runs out of memory: smaller parts, the same gradients, and one word about it."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.errors import UserError
from core.examples import ScoredPairs
from core.options import TrainOptions
from core.progress import run_to_end
from core.training.checkpoints import Checkpoint
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.learner import load_learner
from core.training.tasks import Stage, Task, by_scores

OPTIONS = TrainOptions(epochs=4, rate=1e-3, hold=0, gradient_checkpointing="off")


def pupil_of(folder, *, drops_out=False):
    learner = load_learner(folder, device="cpu", options=OPTIONS)
    if not drops_out:
        for module in learner.parts.model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        learner.parts.model.config.attention_probs_dropout_prob = 0.0
    return EncoderPupil(learner)


def cramp(pupil, *, most):
    """Let passes of more tokens fail as on a card that is full; return the sizes that came."""
    model, sizes = pupil.learner.parts.model, []
    whole = model.forward

    def cramped(*inputs, **named):
        sizes.append(named["input_ids"].numel())
        if sizes[-1] > most:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return whole(*inputs, **named)

    model.forward = cramped
    return sizes


def largest_difference(first, second):
    ours, theirs = first.snapshot(), second.snapshot()
    return max(float((ours[name] - theirs[name]).abs().max()) for name in ours)


@pytest.mark.parametrize("objective", ["regression", "cosent", "ranking"])
def test_smaller_parts_give_the_same_weights(tiny_encoder, pairs, objective):
    # At a rate at which the optimiser makes no more of what the order of sums leaves over.
    stage = Stage((Task(objective, pairs),), replace(OPTIONS, rate=1e-5))
    roomy, cramped, base = (pupil_of(tiny_encoder) for _ in range(3))
    run_to_end(fit(roomy, stage))
    sizes = cramp(cramped, most=40)
    found = run_to_end(fit(cramped, stage))
    assert max(sizes) > 40 and sizes[-1] <= 40
    assert largest_difference(roomy, cramped) <= 1e-6
    assert largest_difference(base, cramped) > 2e-5
    assert found.stopped == "done" and cramped.budget <= 40


def test_gradients_added_before_memory_ran_out_count_once(tiny_encoder, pairs):
    """The second part of the batch fails, when those of the first are there already."""
    stage = by_scores(pairs, OPTIONS)
    small, cramped = pupil_of(tiny_encoder), pupil_of(tiny_encoder)
    cramped.budget = 60
    learner, passes = cramped.learner, []
    whole = learner.parts.model.forward

    def failing(*inputs, **named):
        passes.append(torch.is_grad_enabled())
        if sum(passes) == 2:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return whole(*inputs, **named)

    learner.parts.model.forward = failing
    run_to_end(fit(cramped, stage))
    assert cramped.budget < 60
    small.budget = cramped.budget  # from the start
    run_to_end(fit(small, stage))
    assert largest_difference(small, cramped) == 0


def test_it_is_said_once_while_it_happens_and_once_at_the_end(tiny_encoder, pairs):
    pupil, told = pupil_of(tiny_encoder), []
    cramp(pupil, most=40)
    found = run_to_end(fit(pupil, by_scores(pairs, OPTIONS)), told.append)
    assert sum("memory was short" in one.title for one in told) == 1
    (note,) = found.notes
    assert "smaller parts" in note and "the same" in note


def test_where_memory_suffices_nothing_is_said(tiny_encoder, pairs):
    pupil = pupil_of(tiny_encoder)
    assert run_to_end(fit(pupil, by_scores(pairs, OPTIONS))).notes == ()


def test_measuring_goes_on_with_fewer_texts_at_once(tiny_encoder, pairs):
    roomy, cramped = pupil_of(tiny_encoder), pupil_of(tiny_encoder)
    found = []
    for pupil in (roomy, cramped):
        run_to_end(pupil.read([*pairs.left, *pairs.right]))
        if pupil is cramped:
            cramp(pupil, most=30)
        found.append(run_to_end(pupil.scores(pairs.columns)))
    assert np.abs(found[0] - found[1]).max() <= 1e-6


def test_a_single_example_too_large_is_told_with_what_to_do(tiny_encoder, pairs):
    pupil = pupil_of(tiny_encoder)
    cramp(pupil, most=0)
    with pytest.raises(UserError, match=r"too little memory .* one example.*device cpu"):
        run_to_end(fit(pupil, by_scores(pairs, OPTIONS)))


def test_a_long_example_is_computed_twice_before_it_is_given_up(tiny_encoder):
    """Only kept activations are too much, as a layer alone would still find room."""
    long = ScoredPairs(("the bike " * 20,), ("a wheel " * 20,), np.ones(1, np.float32))
    pupil = pupil_of(tiny_encoder)
    pupil.budget = 16
    whole = pupil.learner.parts.model.forward

    def cramped(*inputs, **named):
        if torch.is_grad_enabled() and not pupil.learner.passes.computes_twice:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return whole(*inputs, **named)

    pupil.learner.parts.model.forward = cramped
    options = replace(OPTIONS, gradient_checkpointing="auto")
    assert run_to_end(fit(pupil, by_scores(long, options))).stopped == "done"
    assert pupil.learner.passes.computes_twice


def test_after_memory_ran_short_a_broken_off_training_goes_on_exactly(
    tiny_encoder, pairs, tmp_path
):
    """What dropout drops is drawn for each part, so the parts must be as small as they were."""
    stage = by_scores(pairs, replace(OPTIONS, epochs=10, batch=4, frozen_layers=1))
    whole = pupil_of(tiny_encoder, drops_out=True)
    cramp(whole, most=40)
    wanted = run_to_end(fit(whole, stage))
    file = tmp_path / "standing"
    first = pupil_of(tiny_encoder, drops_out=True)
    cramp(first, most=40)
    steps = fit(first, stage, checkpoint=Checkpoint(file, "same", every_s=0))
    for progress in steps:
        if dict(progress.figures).get("step", 0) > wanted.planned // 2:
            steps.close()
            break
    again = pupil_of(tiny_encoder, drops_out=True)  # with room enough
    found = run_to_end(fit(again, stage, checkpoint=Checkpoint(file, "same")))
    assert found.curve == wanted.curve and found.notes == wanted.notes
    assert largest_difference(whole, again) == 0
