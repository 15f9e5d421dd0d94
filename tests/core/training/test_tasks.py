"""What an objective takes of the examples it is given, and what it refuses."""

import numpy as np
import pytest
import torch

from core.errors import UserError
from core.examples import DECISIONS, LabelledPairs, LabelledTexts, ScoredPairs, Triplets
from core.options import TrainOptions
from core.progress import run_to_end
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.learner import load_learner
from core.training.tasks import Stage, Task, by_scores, choices_of, gold_of, matter_of

A, B, C = ("a dog", "the bike", "a girl"), ("the dog", "a tyre", "a boy"), ("x", "y", "z")
DECIDED = LabelledPairs(A, B, np.array([1, 0, 1]), DECISIONS)
SCORED = ScoredPairs(A, B, np.array([0.9, 0.2, 0.5], np.float32))
NAMED = LabelledPairs(A, B, np.array([0, 1, 2]), ("entails", "neutral", "contrary"))
TRIPLETS = Triplets(A, B, C)


def test_decisions_are_scores_of_one_and_nothing():
    assert matter_of(Task("regression", DECIDED)).target.tolist() == [1, 0, 1]


def test_ranking_learns_from_the_pairs_that_mean_the_same():
    for examples in (DECIDED, SCORED):
        assert matter_of(Task("ranking", examples)).columns == (
            ("a dog", "a girl"), ("the dog", "a boy"),
        )  # fmt: skip  # columns


def test_ranking_takes_triplets_with_their_negatives():
    task = Task("ranking", TRIPLETS)
    assert len(matter_of(task).columns) == 3 and choices_of(task)["negatives"]


def test_classification_counts_its_labels():
    task = Task("classification", NAMED)
    assert choices_of(task)["labels"] == 3
    assert matter_of(task).target.dtype == np.int64


@pytest.mark.parametrize(
    ("objective", "examples", "words"),
    [
        ("triplet", SCORED, "Examples and counter-examples.* needs a text"),
        ("classification", SCORED, "needs two texts and a label"),
        ("regression", TRIPLETS, "needs two texts and a score"),
        ("ranking", NAMED, "examples are labelled pairs"),
        ("contrastive", SCORED, "some are scored"),
        ("regression", LabelledTexts(A, np.array([0, 1, 1]), ("x", "y")), "labelled texts"),
        ("hold", SCORED, "no objective to learn by"),
        ("magic", SCORED, "no objective to learn by"),
    ],
)
def test_examples_that_do_not_fit_are_refused_before_anything_is_loaded(objective, examples, words):
    with pytest.raises(UserError, match=words):
        Task(objective, examples)


def test_what_is_held_out_has_a_gold_score():
    assert gold_of(DECIDED).tolist() == [1, 0, 1]
    assert gold_of(TRIPLETS).tolist() == [1, 1, 1]
    with pytest.raises(UserError, match="cannot be held against a score"):
        gold_of(NAMED)


def test_two_stages_go_on_from_one_another(tiny_encoder, pairs):
    """Labels first, then scores, as the paper's two-stage recipe has it."""
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
    label = pairs.score.astype(np.int64)
    named = LabelledPairs(pairs.left, pairs.right, label, ("no", "yes"))
    options = TrainOptions(epochs=20, rate=1e-3, hold=0)
    first = run_to_end(fit(pupil, Stage((Task("classification", named),), options), judging=pairs))
    second = run_to_end(fit(pupil, by_scores(pairs, options), judging=pairs, number=1))
    assert first.after.tolist() == pytest.approx(second.before.tolist(), abs=1e-6)
    assert np.abs(second.after - pairs.score).mean() < np.abs(first.after - pairs.score).mean()


def test_two_tasks_of_one_stage_both_learn(tiny_encoder, pairs):
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
    triplets = Triplets(pairs.left[:6], pairs.right[:6], pairs.left[6:])
    stage = Stage(
        (Task("regression", pairs), Task("triplet", triplets)),
        TrainOptions(epochs=30, rate=1e-3, hold=0),
    )
    found = run_to_end(
        fit(pupil, stage, held=triplets, figure=lambda _, ahead: float((ahead > 0).mean()))
    )
    assert found.held_curve[-1][1] >= found.held_curve[0][1]
    assert max(score for _, score in found.held_curve) == 1.0


def test_nothing_better_for_long_ends_the_training_early(tiny_encoder, pairs):
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
    base = pupil.snapshot()
    figures = iter(range(100, 0, -1))
    stage = by_scores(pairs, TrainOptions(epochs=30, hold=0, patience=3))
    found = run_to_end(fit(pupil, stage, held=pairs, figure=lambda *_: float(next(figures))))
    assert (found.stopped, found.step) == ("early", 0) and found.steps == 9
    assert "3 looks" in found.why
    assert all(torch.equal(base[name], weight) for name, weight in pupil.snapshot().items())
