"""Judged examples: read from files, looked at, split, and made of one another.

Importing this package loads no model library.
"""

from core.examples.findings import Finding, Severity
from core.examples.kinds import (
    DECISIONS,
    SCORE_BANDS,
    Columned,
    ExampleKind,
    Examples,
    LabelledPairs,
    LabelledTexts,
    Rows,
    ScoredPairs,
    Triplets,
    as_scores,
    score_bands,
    with_names,
)
from core.examples.making import MadePairs, MadeTriplets, pairs_from_texts, triplets_from_texts
from core.examples.negatives import (
    Guards,
    HardNegatives,
    apart_mask,
    as_triplets,
    hard_negatives,
    same_texts,
)
from core.examples.overlapping import Overlap, disjoint, overlap
from core.examples.pair_files import PairSet, read_pairs
from core.examples.pair_triplets import triplets_from_pairs
from core.examples.reading import ExampleFile, read_examples, read_label_first, read_line_files
from core.examples.report import Report, examine
from core.examples.sides import (
    GivenSplit,
    keep_given,
    random_sides,
    rows_of_topics,
    topic_folds,
    topic_sides,
)
from core.examples.splitting import Split, components, folds, split
from core.examples.spreading import Spread, contradictions, spread_decisions

__all__ = [
    "DECISIONS",
    "SCORE_BANDS",
    "Columned",
    "ExampleFile",
    "ExampleKind",
    "Examples",
    "Finding",
    "GivenSplit",
    "Guards",
    "HardNegatives",
    "LabelledPairs",
    "LabelledTexts",
    "MadePairs",
    "MadeTriplets",
    "Overlap",
    "PairSet",
    "Report",
    "Rows",
    "ScoredPairs",
    "Severity",
    "Split",
    "Spread",
    "Triplets",
    "apart_mask",
    "as_scores",
    "as_triplets",
    "components",
    "contradictions",
    "disjoint",
    "examine",
    "folds",
    "hard_negatives",
    "keep_given",
    "overlap",
    "pairs_from_texts",
    "random_sides",
    "read_examples",
    "read_label_first",
    "read_line_files",
    "read_pairs",
    "rows_of_topics",
    "same_texts",
    "score_bands",
    "split",
    "spread_decisions",
    "topic_folds",
    "topic_sides",
    "triplets_from_pairs",
    "triplets_from_texts",
    "with_names",
]
