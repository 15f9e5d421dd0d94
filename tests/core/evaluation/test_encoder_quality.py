"""An encoder measured on pairs, tiny and real."""

from pathlib import Path

import numpy as np
import pytest

from core.encoders import load_encoder
from core.errors import UserError
from core.evaluation import (
    SIMILARITIES,
    Scored,
    compare_measured,
    evaluate_encoder,
    evaluate_scorer,
)
from core.examples import PairSet
from core.progress import Progress, run_to_end

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


def column_scorer(scores):
    """A scorer that knows the scores of a file's pairs, in order."""

    def score(texts, left, right):
        yield Progress("Looking up")
        return Scored({"known": np.array(scores, float)})

    return score


def many(gold, kind="label", first="l"):
    texts = [f"{first}{number}" for number in range(len(gold))]
    return PairSet(tuple(texts), tuple(f"{t}'" for t in texts), np.array(gold, float), kind, "", ())


def measured(scores, pairs, **named):
    return run_to_end(evaluate_scorer(column_scorer(scores), pairs, **named))


TEST, DEV = many([1, 0, 1, 0, 0]), many([1, 1, 0, 0], first="d")
SCORES = [0.9, 0.8, 0.7, 0.2, 0.1]


def test_metrics_may_be_chosen(tiny):
    asked = ["auc", "auc05", "accuracy", "majority", "spearman"]
    outcome = run_to_end(evaluate_encoder(tiny, pair_set([0, 0, 0, 1], "label"), metrics=asked))
    assert set(outcome) == {
        "pairs", "kind", "auc", "auc05", "accuracy", "accuracy_threshold", "majority_accuracy",
        "all_same_f1", "spearman",
    }  # fmt: skip
    assert (outcome["auc"], outcome["accuracy"], outcome["majority_accuracy"]) == (1, 1, 0.75)
    assert outcome["all_same_f1"] == pytest.approx(2 * 1 / (4 + 1))


def test_every_similarity_is_measured_by_both_correlations(tiny):
    pairs = pair_set([0.7, 0.6, 0.1, 1], "score")
    outcome = run_to_end(evaluate_encoder(tiny, pairs, metrics=["similarities", "pearson"]))
    assert {f"{f}_{s}" for f in ("spearman", "pearson") for s in SIMILARITIES} < set(outcome)
    assert outcome["pearson_cosine"] == outcome["pearson"]


def test_the_threshold_of_dev_is_applied_to_the_pairs():
    found = measured([*SCORES, 0.9, 0.75, 0.65, 0.3], TEST, dev=DEV, metrics=["f1", "accuracy"])
    # Dev parts 0.75 from 0.65, so three of the pairs are taken, two of them rightly.
    assert found.figures["threshold"] == pytest.approx(0.7)
    assert found.figures["f1"] == pytest.approx(4 / 5)
    assert found.figures["precision"] == pytest.approx(2 / 3)
    assert found.figures["recall"] == 1
    assert found.figures["accuracy"] == pytest.approx(4 / 5)


def test_a_threshold_from_dev_is_never_better_than_that_of_the_pairs_themselves():
    random = np.random.default_rng(0)
    gold, scores = random.integers(0, 2, 60), random.random(100)
    pairs, dev = many(gold), many(random.integers(0, 2, 40), first="d")
    told = measured(scores, pairs, dev=dev, metrics=["f1", "accuracy"]).figures
    own = measured(scores[:60], pairs, metrics=["f1", "accuracy"]).figures
    assert told["f1"] <= own["f1"]
    assert told["accuracy"] <= own["accuracy"]


def test_the_majority_is_learnt_from_dev():
    found = measured([*SCORES, 1, 2, 3], TEST, dev=many([1, 1, 0], first="d"), metrics=["majority"])
    assert found.figures["majority_accuracy"] == pytest.approx(2 / 5)


def test_pairs_that_dev_has_too_are_told():
    dev = PairSet(TEST.right[:2], TEST.left[:2], np.array([1.0, 0]), "label", "", ())
    found = measured([*SCORES, 0.9, 0.1], TEST, dev=dev)
    assert "2 pairs are among the dev pairs too" in found.notes[0]


def test_texts_of_both_files_are_scored_at_once():
    seen = []

    def score(texts, left, right):
        yield Progress("Looking")
        seen.append((len(texts), len(left), len(right)))
        return Scored({"known": np.arange(len(left), dtype=float)})

    run_to_end(evaluate_scorer(score, TEST, dev=DEV))
    assert seen == [(18, 9, 9)]


@pytest.mark.parametrize(
    ("pairs", "named", "message"),
    [
        (many([0.1, 0.5], "score"), {"metrics": ["f1"]}, "wants labels"),
        (TEST, {"metrics": ["bleu"]}, "no metric bleu"),
        (TEST, {"dev": many([1, 1], first="d")}, "dev pairs carry the same judgement"),
        (TEST, {"dev": many([0.2, 0.4], "score", "d")}, "choose a threshold"),
        (many([0.1, 0.5], "score"), {"dev": DEV}, "choose a threshold"),
        (many([0, 0]), {}, "same judgement"),
    ],
)
def test_what_cannot_be_measured_is_told_before_any_work(pairs, named, message):
    with pytest.raises(UserError, match=message):
        next(evaluate_scorer(column_scorer([]), pairs, **named))


def test_scores_that_are_all_equal_measure_nothing():
    with pytest.raises(UserError, match="Words gives all 5 pairs the same score"):
        measured([0.5] * 5, TEST, name="Words")


def test_two_scorers_are_compared_on_the_same_pairs():
    random = np.random.default_rng(0)
    gold = np.arange(200) % 2
    pairs = many(gold)
    good, bad = (gold + random.normal(0, noise, 200) for noise in (0.3, 3))
    metrics = ["average-precision", "f1", "auc05"]
    before, after = (measured(scores, pairs, metrics=metrics) for scores in (bad, good))
    found = run_to_end(compare_measured(pairs, before, after, resamples=200))
    assert set(found.differences) == {"average_precision", "f1", "auc05"}
    for name, told in found.differences.items():
        assert told.change == pytest.approx(after.figures[name] - before.figures[name])
        assert 0 < told.low < told.change < told.high


def test_thresholds_of_dev_stay_with_their_scorer():
    gold, dev = many(np.arange(40) % 2), many([0, 1, 0, 1], first="d")
    scores = np.r_[np.arange(40) % 2, 0, 1, 0, 1] + 0.0
    before, after = (measured(scores + 5 * side, gold, dev=dev) for side in (0, 1))
    found = run_to_end(compare_measured(gold, before, after, resamples=50))
    assert (found.differences["f1"].before, found.differences["f1"].after) == (1, 1)
    assert (found.differences["f1"].low, found.differences["f1"].high) == (0, 0)


def test_pairs_that_share_texts_are_drawn_together():
    gold = np.arange(60) % 2
    pairs = PairSet(
        tuple(f"l{n // 3}" for n in range(60)), tuple(f"r{n}" for n in range(60)), gold + 0.0,
        "label", "", (),
    )  # fmt: skip
    one = measured(gold + np.random.default_rng(0).normal(0, 1, 60), pairs)
    found = run_to_end(compare_measured(pairs, one, one, resamples=20))
    assert found.differences["f1"].resampled == "components"
