"""What any encoder has to beat: scores of pairs that need no further weights, one way per file."""

from core.evaluation.baselines.last_layer import last_layer_vectors
from core.evaluation.baselines.tf_idf import tf_idf, tf_idf_cosines
from core.evaluation.baselines.token_table import token_table, token_table_vectors
from core.evaluation.baselines.word_overlap import jaccard
from core.evaluation.baselines.word_vectors import (
    AveragedWords,
    WordVectors,
    averaged_words,
    read_word_vectors,
)

__all__ = [
    "AveragedWords",
    "WordVectors",
    "averaged_words",
    "jaccard",
    "last_layer_vectors",
    "read_word_vectors",
    "tf_idf",
    "tf_idf_cosines",
    "token_table",
    "token_table_vectors",
]
