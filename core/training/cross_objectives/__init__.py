"""What the head of a cross-encoder is taught by, one objective per file.

They are objectives like those of encoders (core/training/objectives), over one column: the logits
of the pairs, as the head computes them before any activation. Which one it is follows from the
head, so nobody chooses: a score behind a sigmoid is taught by `cross_entropy_of_scores`, a score
behind anything else by `squared_error`, labels by `cross_entropy_of_labels`. Importing this package
loads torch.
"""

from core.training.cross_objectives.heads import objective_of_head

__all__ = ["objective_of_head"]
