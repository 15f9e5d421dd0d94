"""Precisions and gradient checkpointing: what a pass computes stays the same, or nearly."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.errors import UserError
from core.options import TrainOptions
from core.progress import run_to_end
from core.training.computing import (
    gradient_scaler,
    layers_of,
    recompute_layers,
    training_precision,
)
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.frozen import count_layers
from core.training.gradients import Gradients
from core.training.learner import load_learner
from core.training.tasks import Stage, Task, by_scores

CPU = torch.device("cpu")
NAMES = ("bert", "distilbert", "modernbert", "mpnet", "roberta", "xlm-roberta")


def gradients(folder, pairs, *, twice, drops_out, objective="regression", frozen=None):
    options = TrainOptions(
        gradient_checkpointing="on" if twice else "off", frozen_layers=frozen, hold=0
    )
    pupil = EncoderPupil(load_learner(folder, device="cpu", options=options))
    run_to_end(pupil.read([*pairs.left, *pairs.right]))
    (lesson,) = pupil.lessons([Task(objective, pairs)], seed=0)
    adding = Gradients(pupil.learner, pupil.table).add(
        lesson, np.arange(len(pairs)), total=len(pairs), seeds=(1, 2), drops_out=drops_out
    )
    losses = list(adding)
    found = {name: w.grad for name, w in pupil.named() if w.grad is not None}
    return sum(losses), found


def count_passes(folder, *, training):
    learner = load_learner(
        folder, device="cpu", options=TrainOptions(gradient_checkpointing="on", hold=0)
    )
    counted = []
    layer = layers_of(learner.parts.model)[0]
    inner = next(part for part in layer.modules() if isinstance(part, torch.nn.Linear))
    inner.register_forward_hook(lambda *_: counted.append(1))
    learner.parts.model.train(training)
    learner.raw([np.array([2, 5, 9, 3], np.int32)]).sum().backward()
    return len(counted)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("drops_out", [True, False])
def test_computed_twice_the_gradients_are_the_same_dropout_included(model, pairs, name, drops_out):
    loss, wanted = gradients(model(name), pairs, twice=False, drops_out=drops_out)
    other_loss, found = gradients(model(name), pairs, twice=True, drops_out=drops_out)
    assert other_loss == pytest.approx(loss, abs=1e-7)
    assert found.keys() == wanted.keys()
    assert max(float((found[one] - wanted[one]).abs().max()) for one in wanted) <= 1e-6


@pytest.mark.parametrize("training", [True, False])
def test_layers_are_computed_twice_also_while_nothing_is_dropped(tiny_encoder, training):
    assert count_passes(tiny_encoder, training=training) == 2


def test_computed_twice_with_frozen_layers_below(tiny_encoder, pairs):
    _, wanted = gradients(tiny_encoder, pairs, twice=False, drops_out=True, frozen=1)
    _, found = gradients(tiny_encoder, pairs, twice=True, drops_out=True, frozen=1)
    assert found.keys() == wanted.keys()
    assert max(float((found[one] - wanted[one]).abs().max()) for one in wanted) <= 1e-6


def test_computing_twice_can_be_taken_back(tiny_encoder):
    learner = load_learner(tiny_encoder, device="cpu")
    layer = layers_of(learner.parts.model)[0]
    recompute_layers(learner.parts.model, wanted=True)
    assert "forward" in vars(layer)
    recompute_layers(learner.parts.model, wanted=False)
    assert "forward" not in vars(layer)


@pytest.mark.parametrize("name", NAMES)
def test_the_layers_of_every_architecture_are_known(model, name):
    """As many as their weights tell, by which they are frozen."""
    learner = load_learner(model(name), device="cpu")
    assert len(layers_of(learner.parts.model)) == count_layers(dict(learner.named())) >= 2


def test_bf16_learns_nearly_the_same(tiny_encoder, pairs):
    found = {}
    for precision in ("fp32", "bf16"):
        learner = load_learner(tiny_encoder, device="cpu")
        options = TrainOptions(epochs=10, rate=1e-3, hold=0, precision=precision)
        fitted = run_to_end(fit(EncoderPupil(learner), by_scores(pairs, options), judging=pairs))
        found[precision] = fitted.after
        assert learner.passes.precision == precision
        assert all(weight.dtype == torch.float32 for _, weight in learner.named())
    change = np.abs(found["fp32"] - found["bf16"])
    assert 0 < change.max() < 0.1


def test_on_the_processor_auto_is_fp32():
    assert training_precision("auto", CPU) == "fp32"


def test_fp16_on_the_processor_is_refused(tiny_encoder):
    with pytest.raises(UserError, match="fp16 needs a CUDA device"):
        load_learner(tiny_encoder, device="cpu", options=TrainOptions(precision="fp16"))


def in_fp16(pupil):
    """Let a pupil on the processor compute as a card would, whatever it is told."""
    passes = pupil.learner.passes
    passes.precision, passes.scaler = "fp16", gradient_scaler("fp16", CPU)


def test_in_fp16_the_loss_is_scaled_and_the_gradients_brought_back(
    tiny_encoder, pairs, monkeypatch
):
    options = TrainOptions(epochs=10, rate=1e-3, hold=0)
    after = []
    for half in (False, True):
        pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
        if half:
            monkeypatch.setattr(EncoderPupil, "prepare", lambda self, options: in_fp16(self))
        fitted = run_to_end(fit(pupil, by_scores(pairs, options), judging=pairs))
        after.append(fitted.after)
        assert fitted.stopped == "done"
        assert half == (pupil.scaler.get_scale() > 1)
    assert 0 < np.abs(after[0] - after[1]).max() < 0.1


def test_a_scale_too_large_leaves_a_step_out_and_falls(tiny_encoder, pairs, monkeypatch):
    def too_large(self, options):
        in_fp16(self)
        self.learner.passes.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**100)

    monkeypatch.setattr(EncoderPupil, "prepare", too_large)
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
    base = pupil.snapshot()
    found = run_to_end(fit(pupil, by_scores(pairs, TrainOptions(epochs=1, hold=0))))
    assert found.stopped == "done"
    assert pupil.scaler.get_scale() == 2.0**99
    assert all(torch.equal(base[name], weight) for name, weight in pupil.snapshot().items())


def test_a_scale_that_falls_below_one_is_no_number_any_more(tiny_encoder, pairs, monkeypatch):
    def hopeless(self, options):
        in_fp16(self)
        self.learner.passes.scaler = torch.amp.GradScaler("cpu", init_scale=1.5)

    monkeypatch.setattr(EncoderPupil, "prepare", hopeless)
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
    options = TrainOptions(epochs=20, rate=1e30, hold=0)
    found = run_to_end(fit(pupil, by_scores(pairs, options)))
    assert found.stopped == "not finite"
    assert pupil.is_finite()


@pytest.mark.parametrize("objective", ["cosent", "ranking"])
def test_a_cached_gradient_is_scaled_once(tiny_encoder, pairs, objective):
    """In parts the gradient of the vectors is scaled already, and its way back is not again."""
    found = []
    for scale in (1.0, 1024.0):
        learner = replace(load_learner(tiny_encoder, device="cpu"), budget=30)
        if scale > 1:
            learner.passes.scaler = torch.amp.GradScaler("cpu", init_scale=scale)
        pupil = EncoderPupil(learner)
        run_to_end(pupil.read([*pairs.left, *pairs.right]))
        (lesson,) = pupil.lessons([Task(objective, pairs)], seed=0)
        rows = np.arange(len(lesson))
        list(pupil.add(lesson, rows, total=float(len(rows)), seeds=(0,), drops_out=False))
        found.append({name: w.grad / scale for name, w in pupil.named() if w.grad is not None})
    assert max(float((found[0][one] - found[1][one]).abs().max()) for one in found[0]) <= 1e-6


def test_every_objective_learns_with_all_of_it(tiny_encoder, pairs):
    options = TrainOptions(
        epochs=20, rate=1e-3, hold=0, gradient_checkpointing="on", frozen_layers=1,
        precision="bf16",
    )  # fmt: skip  # all that is not usual
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu", options=options))
    stage = Stage((Task("regression", pairs), Task("cosent", pairs)), options)
    losses = [loss for _, loss in run_to_end(fit(pupil, stage)).curve]
    assert np.mean(losses[-8:]) < np.mean(losses[:8])
