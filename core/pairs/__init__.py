"""Which texts are near each other, exactly, and what tells near texts apart."""

from core.pairs.blocks import PairBlock, pair_blocks, pairs_to_compare
from core.pairs.differences import DifferenceTable, difference_flags
from core.pairs.forecasts import Forecast, floor_for, forecast
from core.pairs.windows import all_windows_agree, windows_agree
from core.pairs.words import WordTable, words_of

__all__ = [
    "DifferenceTable",
    "Forecast",
    "PairBlock",
    "WordTable",
    "all_windows_agree",
    "difference_flags",
    "floor_for",
    "forecast",
    "pair_blocks",
    "pairs_to_compare",
    "windows_agree",
    "words_of",
]
