"""Texts in, vectors out: encoder folders, packed forward passes, precision and fingerprints.

Importing this package is cheap; torch and transformers load with the first encoder.
"""

from core.encoders.counting import token_counter
from core.encoders.encoded import Encoded
from core.encoders.encoder import Encoder
from core.encoders.fingerprint import verify
from core.encoders.loading import load_encoder
from core.encoders.precision import PrecisionChoice, choose_precision

__all__ = [
    "Encoded",
    "Encoder",
    "PrecisionChoice",
    "choose_precision",
    "load_encoder",
    "token_counter",
    "verify",
]
