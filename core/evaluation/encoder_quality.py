"""One encoder measured on judged pairs."""

import numpy as np

from core.encoders import Encoder
from core.errors import UserError
from core.evaluation.metrics import average_precision, best_f1, pair_scores, pearson, spearman
from core.evaluation.pair_files import PairSet
from core.progress import Progress, Steps


def evaluate_encoder(encoder: Encoder, pairs: PairSet) -> Steps[dict[str, int | float | str]]:
    """Compare the cosines of `pairs` with what people said of them.

    The outcome always holds `pairs` and `kind`; for scores `spearman` and `pearson` (-1 to 1),
    for labels `average_precision`, `f1`, `threshold`, `precision` and `recall`, where the
    threshold was chosen on these very pairs. Raises `UserError` where all pairs were judged the
    same, so that there is nothing to measure.
    """
    if len(np.unique(pairs.gold)) < 2:
        raise UserError(
            f"All {len(pairs.gold)} pairs carry the same judgement, so nothing can be measured.",
            "Use pairs of which some mean the same and some do not.",
        )
    texts = list(dict.fromkeys((*pairs.left, *pairs.right)))
    places = {text: place for place, text in enumerate(texts)}
    vectors = np.empty((len(texts), encoder.dimension), np.float32)
    done = 0
    yield Progress("Encoding the pairs", done, len(texts), "texts")
    for part in encoder.encode_stream(texts):
        vectors[part.positions] = part.vectors
        done += len(part)
        yield Progress("Encoding the pairs", done, len(texts), "texts")
    cosines = pair_scores(
        vectors[[places[text] for text in pairs.left]],
        vectors[[places[text] for text in pairs.right]],
    )
    outcome: dict[str, int | float | str] = {"pairs": len(cosines), "kind": pairs.kind}
    if pairs.kind == "score":
        outcome["spearman"] = spearman(pairs.gold, cosines)
        outcome["pearson"] = pearson(pairs.gold, cosines)
    else:
        outcome["average_precision"] = average_precision(pairs.gold, cosines)
        outcome.update(best_f1(pairs.gold, cosines)._asdict())
    return outcome
