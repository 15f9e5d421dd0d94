"""How good an encoder is on pairs that people have judged."""

from core.evaluation.comparing import Difference, compare, matching_threshold
from core.evaluation.encoder_quality import evaluate_encoder
from core.evaluation.metrics import (
    BestF1,
    average_precision,
    best_f1,
    pair_scores,
    pearson,
    spearman,
)
from core.evaluation.pair_files import PairSet, read_pairs

__all__ = [
    "BestF1",
    "Difference",
    "PairSet",
    "average_precision",
    "best_f1",
    "compare",
    "evaluate_encoder",
    "matching_threshold",
    "pair_scores",
    "pearson",
    "read_pairs",
    "spearman",
]
