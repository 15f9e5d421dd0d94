"""Which texts are near each other, exactly, and what tells near texts apart."""

from core.pairs.blocks import pair_blocks
from core.pairs.changes import (
    CosineTable,
    Measured,
    PairChanges,
    changed_pairs,
    cosines,
    most_telling,
)
from core.pairs.comparing import Neighbours, PairBlock, compare, pairs_to_compare
from core.pairs.differences import DifferenceTable, difference_flags
from core.pairs.forecasts import Forecast, floor_for, forecast
from core.pairs.nearest import nearest
from core.pairs.windows import windows_agree
from core.pairs.words import WordTable, words_of

__all__ = [
    "CosineTable",
    "DifferenceTable",
    "Forecast",
    "Measured",
    "Neighbours",
    "PairBlock",
    "PairChanges",
    "WordTable",
    "changed_pairs",
    "compare",
    "cosines",
    "difference_flags",
    "floor_for",
    "forecast",
    "most_telling",
    "nearest",
    "pair_blocks",
    "pairs_to_compare",
    "windows_agree",
    "words_of",
]
