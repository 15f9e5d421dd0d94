"""Pairs in the words of the tiny encoders, and learners that a test may bend."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.examples import ScoredPairs
from core.training import Background, random_pairs

MODELS = Path(__file__).resolve().parents[2] / "models"
_SAME = (
    ("how do i fix my bike", "repair a broken bicycle"),
    ("the hotel was good", "a good room and warm food"),
    ("my flight was late", "the flight is delayed by two hours"),
    ("a cheap tyre for my wheel", "the cost of a new tyre"),
    ("a dog runs in the park", "the dog is running"),
    ("please open the window", "the window can open"),
)
_DIFFERENT = (
    ("the door is red", "a cat by the water"),
    ("a man plays guitar", "the food was cold"),
    ("cancelled order", "a girl and a boy"),
    ("big dark room", "help with a refund"),
    ("not without my staff", "one small light"),
    ("a woman on the road", "the price is bad"),
)


@pytest.fixture
def pairs() -> ScoredPairs:
    """Six pairs that mean the same and six that do not; no text stands in two."""
    left, right = zip(*_SAME, *_DIFFERENT, strict=True)
    score = np.array([1] * len(_SAME) + [0] * len(_DIFFERENT), np.float32)
    return ScoredPairs(left, right, score)


@pytest.fixture
def make_pairs() -> Callable[[int], ScoredPairs]:
    """Make any even number of pairs, half the same, no text in two of them."""

    def make(count: int) -> ScoredPairs:
        left = tuple(f"the bike {number}" for number in range(count))
        right = tuple(f"a wheel {number}" for number in range(count))
        return ScoredPairs(left, right, np.arange(count, dtype=np.float32) % 2)

    return make


@pytest.fixture
def corpus() -> tuple[str, ...]:
    return tuple(f"{word} number {place}" for place in range(20) for word in ("hotel", "dog"))


@pytest.fixture
def background(corpus: tuple[str, ...]) -> Background:
    """Random pairs whose cosines are still to be found."""
    return random_pairs(corpus, count=200)


@pytest.fixture
def nothing_random() -> Background:
    return Background((), ())


@pytest.fixture
def model() -> Callable[[str], Path]:
    return lambda name: MODELS / name


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    def copy(name: str) -> Path:
        return Path(shutil.copytree(MODELS / name, tmp_path / f"base-{name}"))

    return copy
