"""Batches by hand, what an objective makes of them, and derivatives found without torch."""

import dataclasses
import importlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from core.training.objectives.objective import Batch

_STEP = 1e-30  # nothing is subtracted, so it can be as small as that


@pytest.fixture
def make_vectors() -> Callable[..., list[np.ndarray]]:
    """Random float64 vectors, not of length 1: one array for each column of texts."""

    def make(columns: int, examples: int = 6, dimension: int = 4, seed: int = 0):
        random = np.random.default_rng(seed)
        return [random.normal(size=(examples, dimension)) for _ in range(columns)]

    return make


@pytest.fixture
def make_batch() -> Callable[..., Batch]:
    """A batch in float64; without `texts` every text is another one."""

    def make(examples: int, *, target=None, weight=None, texts=None, columns=2, apart=None):
        if texts is None:
            texts = np.arange(columns * examples).reshape(columns, examples)
        return Batch(
            target=None if target is None else torch.tensor(np.asarray(target)),
            weight=torch.tensor(np.ones(examples) if weight is None else weight).double(),
            texts=tuple(torch.tensor(np.asarray(row, np.int64)) for row in texts),
            apart=None if apart is None else torch.tensor(apart),
        )

    return make


@pytest.fixture
def derived() -> Callable[..., tuple[float, list[np.ndarray]]]:
    """The value of a function of float64 arrays, and its gradient in each of them.

    By complex steps: f'(x) = Im f(x + ih) / h, exact to the last digits. The function must be
    analytic where it is asked: it compares real parts and conjugates nothing.
    """

    def derive(function, arrays):
        gradients = []
        for place, array in enumerate(arrays):
            gradient = np.zeros(array.shape)
            for index in np.ndindex(array.shape):
                moved = [some.astype(np.complex128) for some in arrays]
                moved[place][index] += _STEP * 1j
                gradient[index] = np.imag(function(*moved)) / _STEP
            gradients.append(gradient)
        value = function(*(some.astype(np.complex128) for some in arrays))
        return float(np.real(value)), gradients

    return derive


@pytest.fixture
def found() -> Callable[..., tuple[float, list[np.ndarray]]]:
    """What an objective says: the loss, and its gradient in each column and weight of the head."""

    def find(objective, arrays, batch, *, head=None, total=None, dtype=torch.float64):
        vectors = [torch.tensor(some, dtype=dtype, requires_grad=True) for some in arrays]
        target = batch.target
        if target is not None and target.is_floating_point():
            target = target.to(dtype)
        batch = dataclasses.replace(batch, weight=batch.weight.to(dtype), target=target)
        weights = []
        if head is not None:
            head = head.to(dtype)
            head.zero_grad()
            weights = list(head.parameters())
        loss = objective.loss(vectors, batch, total=total, head=head)
        loss.backward()
        return loss.item(), [some.grad.double().numpy().copy() for some in (*vectors, *weights)]

    return find


@pytest.fixture
def assert_agrees(derived, found) -> Callable[..., None]:
    """Hold an objective against its formula: 1e-9 in float64, 1e-5 in float32."""

    def check(objective, formula, arrays, batch, head=None):
        weights = () if head is None else head.double().parameters()
        held = [some.detach().numpy() for some in weights]
        value, gradients = derived(formula, [*arrays, *held])
        for dtype, near in ((torch.float64, 1e-9), (torch.float32, 1e-5)):
            loss, slopes = found(objective, arrays, batch, head=head, dtype=dtype)
            assert loss == pytest.approx(value, rel=near, abs=near)
            for slope, gradient in zip(slopes, gradients, strict=True):
                scale = max(1.0, np.abs(gradient).max())
                np.testing.assert_allclose(slope, gradient, rtol=0, atol=near * scale)

    return check


@pytest.fixture
def cosine() -> Callable[[np.ndarray, np.ndarray], Any]:
    """The cosine of two vectors, real or with a complex step."""
    return lambda a, b: (a * b).sum() / (np.sqrt((a * a).sum()) * np.sqrt((b * b).sum()))


@pytest.fixture
def distance(cosine) -> dict[str, Callable[[np.ndarray, np.ndarray], Any]]:
    """Distances of two different vectors, real or with a complex step."""
    return {
        "euclidean": lambda a, b: np.sqrt(((a - b) * (a - b)).sum()),
        "manhattan": lambda a, b: sum(x if x.real > 0 else -x for x in a - b),
        "cosine": lambda a, b: 1 - cosine(a, b),
    }


class Given(torch.nn.Module):
    """Stands where sentence-transformers has an encoder: hands back the vectors it is given."""

    device = torch.device("cpu")

    def forward(self, features: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return features


@pytest.fixture
def peer() -> Callable[..., tuple[float, list[np.ndarray]]]:
    """Loss and gradients of a loss of sentence-transformers; skips where that is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("sentence_transformers", reason="sentence-transformers is a peer")
        losses = importlib.import_module("sentence_transformers.losses")

    def ask(kind, arrays, labels=None, *, head=None, **options):
        loss = getattr(losses, kind)(Given(), **options).double()
        if head is not None:
            loss.classifier.load_state_dict(head.state_dict())
        vectors = [torch.tensor(some, requires_grad=True) for some in arrays]
        value = loss([{"sentence_embedding": some} for some in vectors], labels)
        value.backward()
        gradients = [some.grad for some in (*vectors, *loss.parameters())]
        return value.item(), [some.numpy() for some in gradients]

    return ask


@pytest.fixture
def assert_same() -> Callable[..., None]:
    """Hold two losses with their gradients against each other, to 1e-9."""

    def check(ours, theirs, times: float = 1.0):
        assert ours[0] == pytest.approx(times * theirs[0], rel=1e-9, abs=1e-9)
        for mine, other in zip(ours[1], theirs[1], strict=True):
            np.testing.assert_allclose(mine, times * other, rtol=0, atol=1e-9)

    return check
