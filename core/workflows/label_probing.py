"""How surely the label of a pair can be told from its vectors, before and after a training."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.encoders import load_encoder
from core.evaluation import label_features, label_probabilities
from core.examples import LabelledPairs
from core.progress import Progress, Steps

_MOST_FITTED = 4_000  # pairs that the probe is fitted on
TITLE = "Probing the labels"


def probabilities_of_labels(
    folder: Path, learn: LabelledPairs, judge: LabelledPairs, *, device: str, seed: int
) -> Steps[NDArray[np.float64]]:
    """Return how likely each label of `judge` is by an encoder, (judged, labels).

    A probe is fitted on up to 4,000 pairs of `learn`, drawn by the seed.
    """
    if len(learn) > _MOST_FITTED:
        drawn = np.random.default_rng(seed).permutation(len(learn))[:_MOST_FITTED]
        learn = learn.rows(np.sort(drawn))
    yield Progress(TITLE)
    encoder = load_encoder(folder, device=device)
    texts = list(dict.fromkeys((*learn.left, *learn.right, *judge.left, *judge.right)))
    vectors = np.empty((len(texts), encoder.dimension), np.float32)
    done = 0
    for part in encoder.encode_stream(texts):
        vectors[part.positions] = part.vectors
        done += len(part)
        yield Progress(TITLE, done, len(texts), "texts")
    places = {text: place for place, text in enumerate(texts)}

    def features(pairs: LabelledPairs) -> NDArray[np.float64]:
        left, right = ([places[text] for text in column] for column in pairs.columns)
        return label_features(vectors[left], vectors[right])

    return label_probabilities(
        features(learn), learn.label, features(judge), count=len(judge.names)
    )
