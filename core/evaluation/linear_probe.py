"""How much of a text's label a straight cut through its vector tells: SentEval's protocol.

Conneau and Kiela, "SentEval" (arXiv 1803.05449); Sentence-BERT (arXiv 1908.10084, section 5)
reports it for the vectors of a fixed encoder. It asks whether the knowledge is there, not whether
cosine shows it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.evaluation.similarities import Places, Vectors
from core.evaluation.thresholds import majority
from core.progress import Progress, Steps

# Inverse strengths of the squared penalty. SentEval's grid ends at 8; vectors of length 1, which
# it did not foresee, want less of a penalty.
STRENGTHS = tuple(4.0**power for power in range(-1, 5))
_MOST_ROUNDS = 1_000  # of the solver
_Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Probe:
    """The outcome of a linear probe; each figure is a share of texts labelled rightly."""

    accuracy: float  # the mean over the folds, or that of the test texts
    fold_accuracies: tuple[float, ...]  # one where the split was given
    strengths: tuple[float, ...]  # chosen for each of them, out of STRENGTHS
    majority: float  # of always saying the most frequent label
    texts: int
    labels: int


def probe_folds(
    vectors: Vectors, labels: Sequence[Hashable], *, folds: int = 10, seed: int = 0
) -> Steps[Probe]:
    """Fit and judge logistic regression on (n, d) by stratified folds, as SentEval does for CR.

    The penalty is chosen inside the training part of each fold, by as many folds again: about
    6 · `folds`² fits. Raises `UserError` where there is one label, or a label has fewer texts
    than there are folds.
    """
    numbers = _numbered(labels)
    _require(labels, numbers, folds, rows=len(vectors))
    wide = _finite(vectors)
    accuracies: list[float] = []
    strengths: list[float] = []
    for train, test in _stratified(numbers, folds, seed):
        fewest = int(np.bincount(numbers[train]).min())
        strength = yield from _chosen(
            wide[train], numbers[train], min(folds, fewest), seed,
            done=len(accuracies), total=folds,
        )  # fmt: skip
        model = _fitted(wide[train], numbers[train], strength)
        accuracies.append(float((model.predict(wide[test]) == numbers[test]).mean()))
        strengths.append(strength)
    return Probe(
        accuracy=float(np.mean(accuracies)),
        fold_accuracies=tuple(accuracies),
        strengths=tuple(strengths),
        majority=majority(labels).accuracy,
        texts=len(labels),
        labels=int(numbers.max()) + 1,
    )


def probe_split(
    train: Vectors,
    train_labels: Sequence[Hashable],
    test: Vectors,
    test_labels: Sequence[Hashable],
    *,
    folds: int = 10,
    seed: int = 0,
) -> Steps[Probe]:
    """Fit logistic regression on a given training part and judge it on the test, as for TREC.

    The penalty is chosen by folds of the training part. A label that only the test knows is
    always wrong. Raises `UserError` as `probe_folds` does, and where there is nothing to test.
    """
    numbers = _numbered(train_labels)
    _require(train_labels, numbers, folds, rows=len(train))
    if not len(test_labels):
        raise UserError("There is no text to test with.", "Add labelled texts to the test file.")
    if len(test) != len(test_labels):
        raise ValueError(f"{len(test)} vectors cannot have {len(test_labels)} labels")
    known = dict(zip(train_labels, numbers.tolist(), strict=True))
    wanted = np.array([known.get(label, -1) for label in test_labels], np.int64)
    wide = _finite(train)
    strength = yield from _chosen(wide, numbers, folds, seed, done=0, total=1)
    right = _fitted(wide, numbers, strength).predict(_finite(test)) == wanted
    return Probe(
        accuracy=float(right.mean()),
        fold_accuracies=(float(right.mean()),),
        strengths=(strength,),
        majority=majority(test_labels, learnt_from=train_labels).accuracy,
        texts=len(test_labels),
        labels=int(numbers.max()) + 1,
    )


def _chosen(
    vectors: NDArray[np.float64], labels: _Numbers, folds: int, seed: int, *, done: int, total: int
) -> Steps[float]:
    """Return the strength with the best mean accuracy over folds, the strictest of equals."""
    right = np.zeros(len(STRENGTHS))
    for train, test in _stratified(labels, folds, seed):
        model = None
        for place, strength in enumerate(STRENGTHS):
            yield Progress("Probing the vectors", done, total, "folds")
            model = _fitted(vectors[train], labels[train], strength, start=model)
            right[place] += (model.predict(vectors[test]) == labels[test]).mean()
    return STRENGTHS[int(np.argmax(np.round(right, 9)))]


def _fitted(
    vectors: NDArray[np.float64], labels: _Numbers, strength: float, *, start: Any = None
) -> Any:
    """Fit, from the weights of `start` where it is given, which is changed."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    model = start
    if model is None:
        # Newton's method takes few steps, but its matrix grows with the square of the labels.
        solver = "newton-cholesky" if int(labels.max()) < 2 else "lbfgs"
        model = LogisticRegression(solver=solver, max_iter=_MOST_ROUNDS, warm_start=True)
    model.set_params(C=strength)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ConvergenceWarning
        )  # the last weights are used all the same
        return model.fit(vectors, labels)


def _stratified(labels: _Numbers, folds: int, seed: int) -> list[tuple[Places, Places]]:
    from sklearn.model_selection import StratifiedKFold

    splitter = StratifiedKFold(n_splits=folds, shuffle=True, random_state=seed)
    return list(splitter.split(np.zeros(len(labels)), labels))


def _numbered(labels: Sequence[Hashable]) -> _Numbers:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], np.int64)


def _require(labels: Sequence[Hashable], numbers: _Numbers, folds: int, *, rows: int) -> None:
    if folds < 2:
        raise ValueError(f"at least two folds are needed, not {folds}")
    if rows != len(labels):
        raise ValueError(f"{rows} vectors cannot have {len(labels)} labels")
    counts = np.bincount(numbers) if len(numbers) else np.zeros(0, np.int64)
    if len(counts) < 2:
        raise UserError(
            f"All {len(labels):,} texts carry the same label, so there is nothing to tell apart."
            if len(labels)
            else "There are no labelled texts.",
            "Use texts of at least two labels.",
        )
    rarest = int(counts.argmin())
    fewest = int(counts[rarest])
    left_over = fewest - -(-fewest // folds)  # at least, in the training part of a fold
    if fewest < folds or left_over < 2:
        label = labels[int(np.flatnonzero(numbers == rarest)[0])]
        texts = "1 text" if fewest == 1 else f"{fewest:,} texts"
        raise UserError(
            f"The label “{label}” has {texts}, too few for {folds:,} folds.",
            "Take fewer folds, or leave out or join rare labels.",
        )


def _finite(vectors: Vectors) -> NDArray[np.float64]:
    wide = np.asarray(vectors, np.float64)
    if wide.ndim != 2 or not np.isfinite(wide).all():
        raise ValueError("a matrix of finite numbers is needed")
    return wide
