"""The regression objective: the cosine of a pair is drawn to its score.

Sentence-BERT (arXiv 1908.10084, section 3, "Regression Objective Function"): both texts go through
the same encoder, and with vectors u, v and gold score y of each pair

    loss = sum(w * (cos(u, v) - y)^2) / sum(w)

Random pairs of the corpus whose y is the old encoder's cosine ride in the same batch and the
same sum: they hold still what nobody judged. This module loads torch.
"""

import torch


def regression_loss(
    left: torch.Tensor, right: torch.Tensor, score: torch.Tensor, weight: torch.Tensor
) -> torch.Tensor:
    """Return the weighted sum of the squared errors, no mean: parts of a batch add up.

    `left` and `right` are (pairs, d) of length 1, `score` and `weight` (pairs,).
    """
    cosine = (left * right).sum(1)
    return (weight * (cosine - score) ** 2).sum()
