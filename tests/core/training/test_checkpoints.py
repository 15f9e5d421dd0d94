"""A training that was broken off goes on to the very weights it would have had."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from core.errors import UserError
from core.evaluation import average_precision
from core.options import TrainOptions
from core.progress import run_to_end
from core.training import random_pairs
from core.training.checkpoints import Checkpoint, State
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.learner import load_learner
from core.training.tasks import Stage, Task, by_scores

OPTIONS = TrainOptions(epochs=8, rate=1e-3, batch=4)


def begin(tiny_encoder, stage, checkpoint, **named):
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
    return pupil, fit(pupil, stage, checkpoint=checkpoint, **named)


def broken_off(steps, after):
    for progress in steps:
        if dict(progress.figures).get("step", 0) > after:
            steps.close()
            return


@pytest.mark.parametrize("objective", ["regression", "classification", "cosent"])
def test_a_broken_off_training_goes_on_to_the_same_weights_and_curves(
    tiny_encoder, pairs, corpus, tmp_path, objective
):
    examples = pairs
    if objective == "classification":
        from core.examples import LabelledPairs

        examples = LabelledPairs(
            pairs.left, pairs.right, pairs.score.astype(np.int64), ("no", "yes")
        )
    stage = Stage((Task(objective, examples),), OPTIONS)
    named = {
        "background": random_pairs(corpus, count=300), "held": pairs,
        "figure": average_precision, "judging": pairs,
    }  # fmt: skip  # what all runs are given
    whole, steps = begin(tiny_encoder, stage, None, **named)
    wanted = run_to_end(steps)
    file = tmp_path / "taught.checkpoint"
    _, steps = begin(tiny_encoder, stage, Checkpoint(file, "same", every_s=0), **named)
    broken_off(steps, wanted.planned // 2)
    pupil, steps = begin(tiny_encoder, stage, Checkpoint(file, "same"), **named)
    told = []
    found = run_to_end(steps, told.append)
    begun_at = min(dict(one.figures)["step"] for one in told if "step" in dict(one.figures))
    assert begun_at >= wanted.planned // 2
    assert (found.curve, found.held_curve, found.step) == (
        wanted.curve, wanted.held_curve, wanted.step,
    )  # fmt: skip  # three figures
    assert found.before.tolist() == wanted.before.tolist()
    assert found.still_after.tolist() == wanted.still_after.tolist()
    ours, theirs = pupil.snapshot(), whole.snapshot()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize(
    "named",
    [
        {"frozen_layers": 1},
        {"gradient_checkpointing": "on"},
        {"precision": "bf16", "schedule": "constant", "warm_up": 0.3, "weight_decay": 0.1},
    ],
    ids=lambda named: next(iter(named)),
)
def test_a_broken_off_training_goes_on_exactly_whatever_its_options(
    tiny_encoder, pairs, tmp_path, named
):
    stage = by_scores(pairs, replace(OPTIONS, hold=0, **named))
    whole, steps = begin(tiny_encoder, stage, None)
    wanted = run_to_end(steps)
    file = tmp_path / "taught.checkpoint"
    _, steps = begin(tiny_encoder, stage, Checkpoint(file, "same", every_s=0))
    broken_off(steps, wanted.planned // 2)
    pupil, steps = begin(tiny_encoder, stage, Checkpoint(file, "same"))
    assert run_to_end(steps).curve == wanted.curve
    ours, theirs = pupil.snapshot(), whole.snapshot()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_the_scale_of_a_loss_in_fp16_is_gone_on_with(tiny_encoder, pairs, tmp_path, monkeypatch):
    """On the processor as a card would: the scale fell at the first steps and stays fallen."""

    def in_fp16(self, options):
        self.learner.passes.precision = "fp16"
        self.learner.passes.scaler = torch.amp.GradScaler(
            "cpu", init_scale=2.0**40, growth_interval=3
        )

    monkeypatch.setattr(EncoderPupil, "prepare", in_fp16)
    stage = by_scores(pairs, replace(OPTIONS, hold=0))
    whole, steps = begin(tiny_encoder, stage, None)
    wanted = run_to_end(steps)
    file = tmp_path / "taught.checkpoint"
    _, steps = begin(tiny_encoder, stage, Checkpoint(file, "same", every_s=0))
    broken_off(steps, wanted.planned // 2)
    pupil, steps = begin(tiny_encoder, stage, Checkpoint(file, "same"))
    run_to_end(steps)
    assert pupil.scaler.state_dict() == whole.scaler.state_dict()
    assert 1 < pupil.scaler.get_scale() < 2.0**40
    ours, theirs = pupil.snapshot(), whole.snapshot()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_a_checkpoint_of_another_training_is_not_gone_on_from(tiny_encoder, pairs, tmp_path):
    file = tmp_path / "taught.checkpoint"
    stage = by_scores(pairs, OPTIONS)
    _, steps = begin(tiny_encoder, stage, Checkpoint(file, "one", every_s=0))
    broken_off(steps, 3)
    _, steps = begin(tiny_encoder, stage, Checkpoint(file, "another"))
    with pytest.raises(UserError, match="other examples or settings"):
        run_to_end(steps)


def test_half_a_checkpoint_is_told_and_not_gone_on_from(tmp_path):
    file = tmp_path / "taught.checkpoint"
    Checkpoint(file, "one").save(State({"a": torch.ones(1000)}, {"step": 3}))
    file.write_bytes(file.read_bytes()[:500])
    with pytest.raises(UserError, match="does not say where"):
        Checkpoint(file, "one").load()


def test_a_file_of_weights_is_no_checkpoint(tmp_path):
    file = tmp_path / "taught.checkpoint"
    save_file({"a": torch.ones(3)}, file)
    with pytest.raises(UserError, match="does not say where"):
        Checkpoint(file, "one").load()


def test_what_was_there_stays_whole_where_the_next_cannot_be_written(tmp_path):
    file = tmp_path / "taught.checkpoint"
    checkpoint = Checkpoint(file, "one")
    checkpoint.save(State({"a": torch.ones(3)}, {"step": 3}))
    (tmp_path / "taught.checkpoint.part").mkdir()
    with pytest.raises((UserError, OSError)):
        checkpoint.save(State({"a": torch.zeros(3)}, {"step": 4}))
    state = checkpoint.load()
    assert state is not None and state.values["step"] == 3


_VICTIM = """
import json, sys
from pathlib import Path
import numpy as np
from core.examples import ScoredPairs
from core.options import TrainOptions
from core.training.checkpoints import Checkpoint
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.learner import load_learner
from core.training.tasks import by_scores
from safetensors.torch import save_file

told = json.loads(sys.argv[1])
pupil = EncoderPupil(load_learner(Path(told["encoder"]), device="cpu"))
pairs = ScoredPairs(tuple(told["left"]), tuple(told["right"]), np.array(told["score"], np.float32))
checkpoint = Checkpoint(Path(told["checkpoint"]), "same", every_s=0) if told["checkpoint"] else None
for progress in fit(pupil, by_scores(pairs, TrainOptions(epochs=8, rate=1e-3, batch=4, hold=0)),
                    checkpoint=checkpoint):
    print(int(dict(progress.figures).get("step", 0)), flush=True)
save_file(pupil.snapshot(), told["to"])
"""


def test_killed_at_half_and_begun_again_the_weights_are_those_of_an_undisturbed_run(
    tiny_encoder, pairs, tmp_path: Path
):
    told = {
        "encoder": str(tiny_encoder), "left": pairs.left, "right": pairs.right,
        "score": pairs.score.tolist(), "checkpoint": "", "to": str(tmp_path / "whole.safetensors"),
    }  # fmt: skip  # what the process is given
    run(told)
    told |= {"checkpoint": str(tmp_path / "c"), "to": str(tmp_path / "again.safetensors")}
    victim = subprocess.Popen(
        [sys.executable, "-c", _VICTIM, json.dumps(told)], stdout=subprocess.PIPE, text=True
    )
    assert victim.stdout is not None
    for line in victim.stdout:
        if int(line) >= 12:
            os.kill(victim.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
            break
    victim.stdout.close()
    victim.wait()
    assert not Path(told["to"]).exists()
    run(told)
    whole, again = (load_file(tmp_path / f"{one}.safetensors") for one in ("whole", "again"))
    assert max(float((whole[name] - again[name]).abs().max()) for name in whole) <= 1e-6


def run(told):
    subprocess.run([sys.executable, "-c", _VICTIM, json.dumps(told)], check=True)
