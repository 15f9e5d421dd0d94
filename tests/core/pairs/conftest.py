"""Vectors like those of texts: many loose ones, some tight clusters."""

import numpy as np
import pytest


def clustered(n: int, d: int = 96, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    centres = random.standard_normal((max(1, n // 8), d))
    noise = random.uniform(0.05, 1.2, (n, 1)) * random.standard_normal((n, d))
    vectors = centres[random.integers(0, len(centres), n)] + noise
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="session")
def make_vectors():
    return clustered


@pytest.fixture(scope="session")
def vectors():
    return clustered(3_000)
