"""A batch in parts gives the gradients of the whole, whatever the objective."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.examples import DECISIONS, LabelledPairs, ScoredPairs, Triplets
from core.options import TrainOptions
from core.progress import run_to_end
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.learner import load_learner
from core.training.tasks import Stage, Task

OPTIONS = TrainOptions(epochs=1, batch=12, hold=0)


def still(learner):
    """A learner whose layers drop nothing out, so that passes can be compared."""
    for module in learner.parts.model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    learner.parts.model.config.attention_probs_dropout_prob = 0.0
    return learner


def tasks(pairs):
    label = pairs.score.astype(np.int64)
    decided = LabelledPairs(pairs.left, pairs.right, label, DECISIONS)
    three = LabelledPairs(pairs.left, pairs.right, np.arange(12) % 3, ("a", "b", "c"))
    triplets = Triplets(pairs.left[:6], pairs.right[:6], pairs.left[6:])
    return {
        "regression": pairs, "classification": three, "triplet": triplets, "ranking": decided,
        "cosent": pairs, "contrastive": decided,
    }  # fmt: skip  # an objective and its examples


NAMES = ("regression", "classification", "triplet", "ranking", "cosent", "contrastive")


@pytest.mark.parametrize("name", NAMES)
def test_parts_add_up_to_the_whole(tiny_encoder, pairs, name):
    found = []
    for budget in (10_000, 30):
        learner = still(replace(load_learner(tiny_encoder, device="cpu"), budget=budget))
        pupil = EncoderPupil(learner)
        stage = Stage((Task(name, tasks(pairs)[name]),), OPTIONS)
        run_to_end(fit(pupil, stage))
        found.append(learner.snapshot())
    for weight, whole in found[0].items():
        assert torch.allclose(whole, found[1][weight], atol=1e-5), weight


@pytest.mark.parametrize("name", NAMES)
def test_the_loss_of_every_objective_falls(tiny_encoder, pairs, name):
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
    options = TrainOptions(epochs=40, rate=1e-3, hold=0, batch=12)
    stage = Stage((Task(name, tasks(pairs)[name]),), options)
    losses = [loss for _, loss in run_to_end(fit(pupil, stage)).curve]
    assert np.mean(losses[-5:]) < 0.9 * np.mean(losses[:5])


def test_dropout_is_the_same_in_both_passes_of_a_cached_gradient(tiny_encoder, pairs):
    """Else the second pass would carry the gradient into another network than the first."""
    found = []
    for _ in range(2):
        learner = replace(load_learner(tiny_encoder, device="cpu"), budget=30)
        stage = Stage((Task("cosent", pairs),), OPTIONS)
        run_to_end(fit(EncoderPupil(learner), stage))
        found.append(learner.snapshot())
    assert all(torch.equal(found[0][name], found[1][name]) for name in found[0])


def test_texts_that_mean_the_same_are_no_negatives_across_batches_and_tasks(tiny_encoder):
    """a = b stands in one task and b = c in the other, so a and c are never apart."""
    one = ScoredPairs(("dog", "the bike"), ("cat", "a tyre"), np.ones(2, np.float32))
    two = ScoredPairs(("cat",), ("a girl",), np.ones(1, np.float32))
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
    run_to_end(pupil.read(["dog", "cat", "a girl", "the bike", "a tyre"]))
    first, second = pupil.lessons([Task("ranking", one), Task("ranking", two)], seed=0)
    dog, girl, bike = (pupil.table.places[text] for text in ("dog", "a girl", "the bike"))
    assert first.groups[dog] == first.groups[girl] != first.groups[bike]
    apart = first.batch(np.array([0, 1]), torch.device("cpu")).apart
    assert apart.tolist() == [[True, False], [False, True]]
    assert second.groups is first.groups
