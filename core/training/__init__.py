"""Teaching an encoder by judged pairs: the loop, the new folder, what it changed.

Importing this package is cheap; torch and transformers load with the first training.
"""

from core.training.batches import automatic_epochs
from core.training.data import Background, Judged, random_pairs
from core.training.forecast import forecast_seconds
from core.training.teaching import Plan, Taught, plan_lesson, teach
from core.training.telling import TellingPair, TellingPairs, telling_pairs
from core.training.training import Trained, train

__all__ = [
    "Background",
    "Judged",
    "Plan",
    "Taught",
    "TellingPair",
    "TellingPairs",
    "Trained",
    "automatic_epochs",
    "forecast_seconds",
    "plan_lesson",
    "random_pairs",
    "teach",
    "telling_pairs",
    "train",
]
