"""Raw mean or raw CLS of a backbone's last layer, without any training for similarity.

Sentence-BERT (arXiv 1908.10084, table 1): on the unsupervised STS sets the mean of raw BERT gives
54.81 and its CLS 29.19, both below the mean of GloVe vectors.
"""

from collections.abc import Sequence

from core.encoders.loading import EncoderParts
from core.evaluation.raw_vectors import raw_vectors
from core.evaluation.similarities import Vectors
from core.progress import Steps

LAST_LAYER_POOLINGS = ("mean", "cls")


def last_layer_vectors(
    parts: EncoderParts, texts: Sequence[str], *, pooling: str = "mean"
) -> Steps[Vectors]:
    """Return (n, hidden): the mean over all tokens, special ones included, or the first token.

    Whatever the folder says of pooling, dense layers and normalising is left out.
    """
    if pooling not in LAST_LAYER_POOLINGS:
        raise ValueError(f"the pooling is {' or '.join(LAST_LAYER_POOLINGS)}, not {pooling}")
    return (yield from raw_vectors(parts, texts, pooling=pooling))
