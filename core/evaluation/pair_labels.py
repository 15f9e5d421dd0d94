"""How well a pair's label can be told from its two vectors, where cosine alone tells none.

A straight cut through (u, v, |u − v|), the features of Sentence-BERT's classification objective
(arXiv 1908.10084, section 3.1), fitted anew over the vectors of each encoder that is measured: so
an encoder taught by other objectives is measured the same way.
"""

import numpy as np
from numpy.typing import NDArray

from core.evaluation.similarities import Vectors

_Numbers = NDArray[np.int64]
_MOST_ROUNDS = 1_000  # of the solver
_STRENGTH = 1.0  # inverse, of the squared penalty


def label_features(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """Return (n, 3d): both vectors of each pair and how far they are apart in each place."""
    u, v = np.asarray(left, np.float64), np.asarray(right, np.float64)
    return np.concatenate((u, v, np.abs(u - v)), axis=1)


def label_probabilities(
    train: NDArray[np.float64], labels: _Numbers, test: NDArray[np.float64], *, count: int
) -> NDArray[np.float64]:
    """Fit logistic regression and return how likely each of `count` labels is, (n, count).

    A label that no training pair carries is never likely. Raises `ValueError` where all training
    pairs carry one label.
    """
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=_STRENGTH, max_iter=_MOST_ROUNDS)
    with warnings.catch_warnings():
        # The last weights are used all the same.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(train, labels)
    found = np.zeros((len(test), count))
    found[:, model.classes_] = model.predict_proba(test)
    return found
