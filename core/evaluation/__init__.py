"""How good encoders are: on judged pairs, triplets, labelled texts, searches and clusters.

Every figure is a function of arrays; `scoring` makes the arrays from texts, `baselines` does so
without an encoder.
"""

from core.evaluation.aggregating import Aggregate, aggregated, aggregated_by_name
from core.evaluation.agreement import Agreement, cluster_agreement
from core.evaluation.comparing import (
    Difference,
    RunDifference,
    compare,
    compare_results,
    compare_runs,
    matching_threshold,
)
from core.evaluation.correlations import Correlation, correlations
from core.evaluation.encoder_quality import (
    ComparedScorers,
    Measured,
    compare_measured,
    evaluate_encoder,
    evaluate_scorer,
)
from core.evaluation.figures import METRICS
from core.evaluation.hubs import Hubness, hubness, hubness_of_vectors
from core.evaluation.linear_probe import Probe, probe_folds, probe_split
from core.evaluation.metrics import (
    BestF1,
    average_precision,
    best_f1,
    pair_scores,
    pearson,
    spearman,
)
from core.evaluation.overlap import OverlapTable, content_overlap, errors_by_overlap
from core.evaluation.pair_labels import label_features, label_probabilities
from core.evaluation.raw_vectors import raw_vectors
from core.evaluation.retrieval import RetrievalQuality, quality_of_ranks, retrieval_quality
from core.evaluation.roc import area_under_roc, roc_curve
from core.evaluation.scoring import (
    PairScorer,
    Scored,
    by_cross_encoder,
    by_encoder,
    by_vectors,
    by_words,
)
from core.evaluation.similarities import SIMILARITIES, similarities_of_pairs
from core.evaluation.tables import FigureTable, figure_table, overlap_markdown
from core.evaluation.thresholds import (
    AtThreshold,
    BestAccuracy,
    Majority,
    accuracy_at,
    apply_threshold,
    best_accuracy,
    majority,
)
from core.evaluation.triplets import TripletAccuracy, triplet_accuracy

__all__ = [
    "METRICS",
    "SIMILARITIES",
    "Aggregate",
    "Agreement",
    "AtThreshold",
    "BestAccuracy",
    "BestF1",
    "ComparedScorers",
    "Correlation",
    "Difference",
    "FigureTable",
    "Hubness",
    "Majority",
    "Measured",
    "OverlapTable",
    "PairScorer",
    "Probe",
    "RetrievalQuality",
    "RunDifference",
    "Scored",
    "TripletAccuracy",
    "accuracy_at",
    "aggregated",
    "aggregated_by_name",
    "apply_threshold",
    "area_under_roc",
    "average_precision",
    "best_accuracy",
    "best_f1",
    "by_cross_encoder",
    "by_encoder",
    "by_vectors",
    "by_words",
    "cluster_agreement",
    "compare",
    "compare_measured",
    "compare_results",
    "compare_runs",
    "content_overlap",
    "correlations",
    "errors_by_overlap",
    "evaluate_encoder",
    "evaluate_scorer",
    "figure_table",
    "hubness",
    "hubness_of_vectors",
    "label_features",
    "label_probabilities",
    "majority",
    "matching_threshold",
    "overlap_markdown",
    "pair_scores",
    "pearson",
    "probe_folds",
    "probe_split",
    "quality_of_ranks",
    "raw_vectors",
    "retrieval_quality",
    "roc_curve",
    "similarities_of_pairs",
    "spearman",
    "triplet_accuracy",
]
