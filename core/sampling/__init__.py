"""Which pairs of texts are worth a label: Augmented SBERT (arXiv 2010.08240, section 3.1).

Arrays in, pairs out, one way per file. Texts are numbers from 0; every way returns (p, 2) pairs
with the smaller number first, none of them known already in either order, none twice, no text with
itself.
"""

from core.sampling.at_random import sample_random
from core.sampling.bm25 import sample_bm25
from core.sampling.both import sample_both
from core.sampling.densities import Density, density
from core.sampling.pairs import Pairs, fresh
from core.sampling.semantic import sample_semantic
from core.sampling.thinning import keep_ratio, thin

__all__ = [
    "Density",
    "Pairs",
    "density",
    "fresh",
    "keep_ratio",
    "sample_bm25",
    "sample_both",
    "sample_random",
    "sample_semantic",
    "thin",
]
