"""Which objective teaches a head. This module loads torch."""

from core.training.cross_objectives.cross_entropy_of_labels import CrossEntropyOfLabels
from core.training.cross_objectives.cross_entropy_of_scores import CrossEntropyOfScores
from core.training.cross_objectives.squared_error import SquaredError
from core.training.objectives.objective import Objective


def objective_of_head(labels: int, activation: str) -> Objective:
    """Return the objective of a head with so many labels and that activation behind it."""
    if labels > 1:
        return CrossEntropyOfLabels()
    return CrossEntropyOfScores() if activation == "Sigmoid" else SquaredError(activation)
