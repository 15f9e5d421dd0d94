"""An encoder measured on pairs, tiny and real."""

from pathlib import Path

import numpy as np
import pytest

from core.encoders import load_encoder
from core.errors import UserError
from core.evaluation import PairSet, evaluate_encoder
from core.progress import run_to_end

MODELS = Path(__file__).resolve().parents[2] / "models"


@pytest.fixture(scope="module")
def tiny():
    return load_encoder(MODELS / "bert", device="cpu")


def pair_set(gold, kind):
    left = ("fix the bike", "the hotel was good", "dog", "late flight")
    right = ("fix the bicycle", "the hotel was bad", "water", "late flight")
    return PairSet(left, right, np.array(gold, float), kind, "", ())


def test_scores_are_measured_by_correlation(tiny):
    outcome = run_to_end(evaluate_encoder(tiny, pair_set([0.7, 0.6, 0.1, 1], "score")))
    assert set(outcome) == {"pairs", "kind", "spearman", "pearson"}
    assert outcome["pearson"] > 0.3


def test_labels_are_measured_by_precision_and_f1(tiny):
    outcome = run_to_end(evaluate_encoder(tiny, pair_set([0, 0, 0, 1], "label")))
    assert outcome["average_precision"] == outcome["f1"] == 1
    assert {"threshold", "precision", "recall"} < set(outcome)


def test_the_progress_counts_every_text(tiny):
    seen = []
    run_to_end(evaluate_encoder(tiny, pair_set([0, 0, 0, 1], "label")), seen.append)
    assert seen[-1].done == seen[-1].total == 7


def test_pairs_that_are_all_the_same_cannot_measure_anything(tiny):
    with pytest.raises(UserError, match="same judgement"):
        run_to_end(evaluate_encoder(tiny, pair_set([1, 1, 1, 1], "label")))
