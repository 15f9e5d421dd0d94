"""Many labels from few: gold pairs, a teacher, and the silver pairs it labels.

Augmented SBERT (arXiv 2010.08240). Arrays and examples in, arrays and sentences out; what trains,
scores and stores is above. Importing this package loads no model library.
"""

from core.augmentation.choosing import candidates, most_kept, refuse_top_k
from core.augmentation.gold import (
    FEWEST_GOLD,
    GoldSides,
    gold_sides,
    look_at_gold,
    refuse_early_choice,
)
from core.augmentation.sheet import Band, Sheet, sheet_of
from core.augmentation.silver import Silver, joined, rebalanced
from core.augmentation.verdict import Candidate, TeacherFigure, Verdict, judge_teachers

__all__ = [
    "FEWEST_GOLD",
    "Band",
    "Candidate",
    "GoldSides",
    "Sheet",
    "Silver",
    "TeacherFigure",
    "Verdict",
    "candidates",
    "gold_sides",
    "joined",
    "judge_teachers",
    "look_at_gold",
    "most_kept",
    "rebalanced",
    "refuse_early_choice",
    "refuse_top_k",
    "sheet_of",
]
