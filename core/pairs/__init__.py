"""Which texts are near each other, exactly, and what tells near texts apart."""

from core.pairs.blocks import pair_blocks
from core.pairs.comparing import Neighbours, PairBlock, compare, pairs_to_compare
from core.pairs.differences import DifferenceTable, difference_flags
from core.pairs.forecasts import Forecast, floor_for, forecast
from core.pairs.nearest import nearest
from core.pairs.windows import windows_agree
from core.pairs.words import WordTable, words_of

__all__ = [
    "DifferenceTable",
    "Forecast",
    "Neighbours",
    "PairBlock",
    "WordTable",
    "compare",
    "difference_flags",
    "floor_for",
    "forecast",
    "nearest",
    "pair_blocks",
    "pairs_to_compare",
    "windows_agree",
    "words_of",
]
