"""From texts to one score per pair, whatever gives it: an encoder, a baseline, a cross-encoder."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.cross import CrossEncoder
from core.encoders import Encoder
from core.errors import UserError
from core.evaluation.similarities import SIMILARITIES, Places, Vectors, similarities_of_pairs
from core.progress import Progress, Steps


@dataclass(frozen=True, slots=True)
class Scored:
    """One score per pair by each similarity; where none is named, the first is meant."""

    columns: Mapping[str, NDArray[np.float64]]
    notes: tuple[str, ...] = ()  # sentences about what could not be read

    @property
    def main(self) -> NDArray[np.float64]:
        return next(iter(self.columns.values()))


# Distinct texts and the places of both sides of each pair among them -> scores. All pairs that
# are to be compared come at once: what is fitted on texts (tf-idf) must be one for all.
PairScorer: TypeAlias = Callable[[Sequence[str], Places, Places], Steps[Scored]]
VectorSource: TypeAlias = Callable[[Sequence[str]], Steps[Vectors]]


def by_vectors(
    source: VectorSource, similarities: Iterable[str] = tuple(SIMILARITIES)
) -> PairScorer:
    """Score pairs by the similarities of the vectors that `source` gives their texts."""
    names = tuple(similarities)

    def score(texts: Sequence[str], left: Places, right: Places) -> Steps[Scored]:
        vectors = yield from source(texts)
        return Scored(similarities_of_pairs(vectors, left, right, names))

    return score


def by_encoder(encoder: Encoder) -> PairScorer:
    """Score pairs by the vectors of a loaded encoder, which have length 1."""

    def source(texts: Sequence[str]) -> Steps[Vectors]:
        vectors = np.empty((len(texts), encoder.dimension), np.float32)
        done = 0
        yield Progress("Encoding the pairs", done, len(texts), "texts")
        for part in encoder.encode_stream(texts):
            vectors[part.positions] = part.vectors
            done += len(part)
            yield Progress("Encoding the pairs", done, len(texts), "texts")
        return vectors

    return by_vectors(source)


def by_cross_encoder(cross: CrossEncoder, *, both_orders: bool = False) -> PairScorer:
    """Score pairs by a loaded cross-encoder, `both_orders` by the mean of both ways round.

    Raises `UserError` where it tells labels apart instead of giving one score.
    """

    def score(texts: Sequence[str], left: Places, right: Places) -> Steps[Scored]:
        if len(cross.labels) != 1:
            raise UserError(
                f"The cross-encoder {cross.name} tells {len(cross.labels)} labels apart and gives "
                "no single score.",
                "Use a cross-encoder with one output.",
            )
        pairs = [(texts[a], texts[b]) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
        scores = np.empty(len(pairs))
        done = cut = 0
        yield Progress("Scoring the pairs", done, len(pairs), "pairs")
        for part in cross.score_stream(pairs, both_orders=both_orders):
            scores[part.positions] = part.scores
            done += len(part)
            cut += int(part.cut.sum())
            yield Progress("Scoring the pairs", done, len(pairs), "pairs")
        many = "1 pair is" if cut == 1 else f"{cut:,} pairs are"
        note = f"{many} longer than {cross.name} reads at once, and cut."
        return Scored({"cross-encoder": scores}, (note,) if cut else ())

    return score


def by_words(
    function: Callable[[Sequence[str], Places, Places], NDArray[np.float64]], name: str
) -> PairScorer:
    """Score pairs by a function of their words, which is called at once."""

    def score(texts: Sequence[str], left: Places, right: Places) -> Steps[Scored]:
        yield Progress("Comparing words")
        return Scored({name: function(texts, left, right)})

    return score
