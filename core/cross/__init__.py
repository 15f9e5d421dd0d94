"""Pairs of texts in, scores out: cross-encoder folders and packed forward passes over pairs.

A cross-encoder reads both texts at once (Sentence-BERT, arXiv 1908.10084, section 1): more exact
than the cosine of two vectors, but one pass for every pair. Importing this package is cheap; torch
and transformers load with the first cross-encoder.
"""

from core.cross.cross_encoder import CrossEncoder
from core.cross.loading import load_cross_encoder
from core.cross.scored import Scored

__all__ = ["CrossEncoder", "Scored", "load_cross_encoder"]
