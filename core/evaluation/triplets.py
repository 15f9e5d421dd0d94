"""Triplets: is the anchor nearer to the positive than to the negative?"""

from dataclasses import dataclass

from core.evaluation.similarities import SIMILARITIES, Vectors


@dataclass(frozen=True, slots=True)
class TripletAccuracy:
    """The share of triplets in the right order; a tie counts as half a triplet."""

    accuracy: float  # 0 to 1
    triplets: int
    ties: int


def triplet_accuracy(
    anchors: Vectors, positives: Vectors, negatives: Vectors, *, similarity: str = "euclidean"
) -> TripletAccuracy:
    """Compare each anchor's distance to its positive and its negative, rows of (n, d).

    Sentence-BERT (arXiv 1908.10084, section 4.4) takes the Euclidean distance. A tie, where chance
    decides what is shown first, counts half: a collapsed encoder scores 0.5. Raises
    `ValueError` without triplets.
    """
    if not len(anchors):
        raise ValueError("at least one triplet is needed")
    measure = SIMILARITIES[similarity]
    ahead = measure(anchors, positives) - measure(anchors, negatives)
    ties = int((ahead == 0).sum())
    right = int((ahead > 0).sum())
    return TripletAccuracy((right + ties / 2) / len(ahead), len(ahead), ties)
