"""Cosines and distances of vectors, with finite gradients where vectors are zero or equal.

This module loads torch.
"""

import torch

_SHORTEST = 1e-12  # a shorter vector has no direction


def unit(vectors: torch.Tensor) -> torch.Tensor:
    """Return (…, d) of length 1; a vector of length 0 stays 0 and gets no gradient."""
    squares = (vectors * vectors).sum(-1, keepdim=True)
    short = squares < _SHORTEST**2
    # Put in before the root is drawn: a gradient of infinity times 0 would be no number.
    scale = torch.where(short, torch.ones_like(squares), squares).rsqrt()
    return vectors * torch.where(short, torch.zeros_like(scale), scale)


def cosines(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return (n,) cosines of the rows of two (n, d); 0 where a vector is 0."""
    return (unit(left) * unit(right)).sum(-1)


def distances(left: torch.Tensor, right: torch.Tensor, *, kind: str) -> torch.Tensor:
    """Return (n,) distances of the rows of two (n, d); between equal rows no gradient flows.

    `kind` is one of `choices.DISTANCES`; the cosine distance is 1 − cosine.
    """
    if kind == "cosine":
        return 1 - cosines(left, right)
    if kind == "manhattan":
        return (left - right).abs().sum(-1)
    if kind == "euclidean":
        length: torch.Tensor = torch.linalg.vector_norm(left - right, dim=-1)
        return length
    raise ValueError(f"`{kind}` is no distance")
