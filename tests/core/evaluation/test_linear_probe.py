"""The linear probe against scikit-learn's own grid search, and on labels that teach nothing."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from core.errors import UserError
from core.evaluation import probe_folds, probe_split
from core.evaluation.linear_probe import STRENGTHS
from core.progress import run_to_end


def made(labels, apart, *, seed=0, width=4):
    """Vectors around one corner per label, `apart` from each other."""
    random = np.random.default_rng(seed)
    corners = random.normal(size=(max(labels) + 1, width)) * apart
    return (corners[labels] + random.normal(size=(len(labels), width))).astype(np.float32)


LABELS = np.arange(60) % 3


def test_labels_that_lie_apart_are_all_found():
    found = run_to_end(probe_folds(made(LABELS, 40), LABELS.tolist(), folds=5))
    assert found.accuracy == 1
    assert (found.texts, found.labels, len(found.fold_accuracies)) == (60, 3, 5)


@pytest.mark.parametrize("labels", [LABELS, np.arange(60) % 2], ids=["three", "two"])
def test_each_fold_equals_a_grid_search_of_its_training_part(labels):
    vectors = made(labels, 0.8)
    found = run_to_end(probe_folds(vectors, labels.tolist(), folds=4, seed=7))
    wide = vectors.astype(float)
    outer = StratifiedKFold(4, shuffle=True, random_state=7)
    wanted = []
    for train, test in outer.split(wide, labels):
        search = GridSearchCV(
            LogisticRegression(max_iter=1000),
            {"C": STRENGTHS},
            cv=StratifiedKFold(4, shuffle=True, random_state=7),
        )
        wanted.append(search.fit(wide[train], labels[train]).score(wide[test], labels[test]))
    assert found.fold_accuracies == pytest.approx(wanted)
    assert found.accuracy == pytest.approx(np.mean(wanted))


def test_vectors_that_know_nothing_do_no_better_than_chance():
    labels = (np.arange(200) % 2).tolist()
    vectors = np.random.default_rng(1).normal(size=(200, 3)).astype(np.float32)
    found = run_to_end(probe_folds(vectors, labels, folds=4))
    assert found.accuracy == pytest.approx(found.majority, abs=0.12)


def test_the_same_seed_gives_the_same_figures():
    vectors = made(LABELS, 0.5)
    first, again = (run_to_end(probe_folds(vectors, LABELS.tolist(), folds=3)) for _ in range(2))
    assert first == again


def test_labels_may_be_words():
    words = [("positive", "negative", "neither")[label] for label in LABELS]
    assert run_to_end(probe_folds(made(LABELS, 40), words, folds=5)).accuracy == 1


def test_a_given_split_is_kept():
    test_labels = np.arange(30) % 3
    vectors = made(np.concatenate((LABELS, test_labels)), 40)
    found = run_to_end(
        probe_split(vectors[:60], LABELS.tolist(), vectors[60:], test_labels.tolist(), folds=5)
    )
    assert (found.accuracy, found.texts, len(found.strengths)) == (1, 30, 1)


def test_a_label_that_only_the_test_has_is_never_right():
    vectors = made(LABELS, 40)
    labels = ["new", *LABELS.tolist()[1:]]
    found = run_to_end(probe_split(vectors, LABELS.tolist(), vectors, labels, folds=5))
    assert found.accuracy == pytest.approx(59 / 60)


def test_the_floor_of_a_split_is_the_majority_of_its_training_part():
    vectors = made(LABELS, 40)
    train = [0] * 30 + [1] * 30
    found = run_to_end(probe_split(vectors, train, vectors, [1] * 45 + [0] * 15, folds=5))
    assert found.majority == pytest.approx(15 / 60)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a"] * 30, "same label"),
        ([], "no labelled texts"),
        (["a"] * 27 + ["rare"] * 3, "“rare” has 3 texts, too few for 10 folds"),
    ],
)
def test_labels_that_cannot_be_cut_into_folds_are_told(labels, message):
    vectors = np.zeros((len(labels), 2), np.float32)
    with pytest.raises(UserError, match=message):
        run_to_end(probe_folds(vectors, labels))


def test_numbers_that_are_not_finite_are_refused():
    vectors = made(LABELS, 1)
    vectors[0, 0] = np.nan
    with pytest.raises(ValueError, match="finite"):
        run_to_end(probe_folds(vectors, LABELS.tolist(), folds=3))


def test_a_test_without_texts_is_told():
    none = np.empty((0, 4), np.float32)
    with pytest.raises(UserError, match="no text to test"):
        run_to_end(probe_split(made(LABELS, 1), LABELS.tolist(), none, []))
