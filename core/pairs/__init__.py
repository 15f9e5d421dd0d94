"""Which texts are near each other, exactly, and what tells near texts apart."""

from core.pairs.blocks import PairBlock, pair_blocks, pairs_to_compare
from core.pairs.differences import DifferenceTable, difference_flags
from core.pairs.forecasts import Forecast, floor_for, forecast
from core.pairs.nearest import Neighbours, nearest
from core.pairs.windows import windows_agree
from core.pairs.words import WordTable, words_of

__all__ = [
    "DifferenceTable",
    "Forecast",
    "Neighbours",
    "PairBlock",
    "WordTable",
    "difference_flags",
    "floor_for",
    "forecast",
    "nearest",
    "pair_blocks",
    "pairs_to_compare",
    "windows_agree",
    "words_of",
]
