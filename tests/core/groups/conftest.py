"""Link tables made at random or by hand."""

from dataclasses import dataclass

import numpy as np
import pytest

from core.groups import LinkTable, prepare


def table(*links: tuple[int, int, float], held: tuple[int, ...] = ()) -> LinkTable:
    left, right, cosine = (np.array(part) for part in zip(*links, strict=True))
    marks = np.isin(np.arange(len(links)), held)
    return prepare(left, right, cosine, marks)


@dataclass(frozen=True)
class Case:
    """A whole question to `group_texts`."""

    n: int
    left: np.ndarray
    right: np.ndarray
    cosine: np.ndarray
    held: np.ndarray
    priority: np.ndarray
    same: np.ndarray
    different: np.ndarray
    unsure: np.ndarray

    @property
    def links(self) -> LinkTable:
        return prepare(self.left, self.right, self.cosine, self.held)

    @property
    def decided(self) -> dict[str, np.ndarray]:
        return {"same": self.same, "different": self.different, "unsure": self.unsure}


def random_case(seed: int) -> Case:
    """Few texts, coarse cosines (so that ties occur) and decisions that may contradict."""
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 24))
    low, high = np.triu_indices(n, 1)
    chosen = random.random(len(low)) < random.choice([0.1, 0.3, 0.8])
    left, right = low[chosen], high[chosen]
    turned = random.random(len(left)) < 0.5
    left, right = np.where(turned, right, left), np.where(turned, left, right)
    m = len(left)
    verdict = random.random(len(low))
    rate = random.choice([0.0, 0.03, 0.1])
    pairs = np.stack([low, high], axis=1)
    return Case(
        n=n,
        left=left,
        right=right,
        cosine=(random.integers(70, 101, m) / 100).astype(np.float32),
        held=random.random(m) < 0.1,
        priority=random.permutation(n) * 3,
        same=pairs[verdict < rate],
        different=pairs[(verdict >= rate) & (verdict < 2 * rate)],
        unsure=pairs[(verdict >= 2 * rate) & (verdict < 2.5 * rate)],
    )


@pytest.fixture(scope="session")
def make_table():
    return table


@pytest.fixture(scope="session")
def make_case():
    return random_case
