"""What an encoder is drawn to: the objectives of Sentence-BERT and its later standards.

Importing this package is cheap; torch loads when `make_objective` makes the first one.
"""

from core.training.objectives.catalogue import OBJECTIVES, Declared, make_objective

__all__ = ["OBJECTIVES", "Declared", "make_objective"]
