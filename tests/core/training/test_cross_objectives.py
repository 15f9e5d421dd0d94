"""The losses of heads against formulas written out in float64, values and gradients."""

import math

import numpy as np
import pytest
import torch

from core.training.cross_objectives import objective_of_head
from core.training.objectives.objective import Batch

LOGITS = ((-3.0,), (-0.2,), (0.0,), (0.7,), (40.0,), (-40.0,))
SCORES = (0.0, 0.3, 1.0, 0.5, 1.0, 1.0)
THREE = ((0.5, -1.0, 2.0), (0.0, 0.0, 0.0), (30.0, -30.0, 1.0), (-0.3, 0.4, 0.1))
LABELS = (2, 0, 1, 1)
WEIGHTS = (1.0, 2.0, 0.0, 0.5, 1.0, 1.0)


def sigmoid(z):
    return 1 / (1 + math.exp(-z)) if z > 0 else math.exp(z) / (1 + math.exp(z))


def softplus(z):
    return max(z, 0) + math.log1p(math.exp(-abs(z)))


def by_hand(labels, activation):
    """The loss and the gradient of every logit, example by example."""
    rows, gold = (THREE, LABELS) if labels == 3 else (LOGITS, SCORES)
    losses, gradients = [], []
    for row, told in zip(rows, gold, strict=True):
        if labels == 3:
            total = math.log(sum(math.exp(z - max(row)) for z in row)) + max(row)
            losses.append(total - row[told])
            shares = [math.exp(z - total) for z in row]
            gradients.append([share - (place == told) for place, share in enumerate(shares)])
            continue
        z = row[0]
        if activation == "Sigmoid":
            losses.append(told * softplus(-z) + (1 - told) * softplus(z))
            gradients.append([sigmoid(z) - told])
        else:
            said, slope = (math.tanh(z), 1 - math.tanh(z) ** 2) if activation == "Tanh" else (z, 1)
            losses.append((said - told) ** 2)
            gradients.append([2 * (said - told) * slope])
    return np.array(losses), np.array(gradients)


def measured(labels, activation, *, kind=torch.float64):
    rows, gold = (THREE, LABELS) if labels == 3 else (LOGITS, SCORES)
    logits = torch.tensor(rows, dtype=kind, requires_grad=True)
    weight = torch.tensor(WEIGHTS[: len(rows)], dtype=kind)
    target = torch.tensor(gold)
    objective = objective_of_head(labels, activation)
    batch = Batch(target=target, weight=weight, texts=())
    losses = objective.losses([logits], batch, None)
    loss = objective.loss([logits], batch)
    loss.backward()
    return losses.detach().numpy(), float(loss.detach()), logits.grad.numpy(), weight.numpy()


HEADS = [(1, "Sigmoid"), (1, "Identity"), (1, "Tanh"), (3, "Softmax")]


@pytest.mark.parametrize(("labels", "activation"), HEADS)
def test_the_loss_is_the_formula(labels, activation):
    wanted, _ = by_hand(labels, activation)
    losses, loss, _, weight = measured(labels, activation)
    assert np.abs(losses - wanted).max() < 1e-7  # scores are given in float32
    assert loss == pytest.approx((weight * wanted).sum() / weight.sum(), abs=1e-7)


@pytest.mark.parametrize(("labels", "activation"), HEADS)
def test_the_gradient_is_the_formula(labels, activation):
    _, wanted = by_hand(labels, activation)
    _, _, gradient, weight = measured(labels, activation)
    assert np.abs(gradient - weight[:, None] / weight.sum() * wanted).max() < 1e-7


def test_a_head_that_is_sure_and_wrong_still_has_a_finite_loss_in_single_precision():
    losses, *_ = measured(1, "Sigmoid", kind=torch.float32)
    assert losses[5] == pytest.approx(40, abs=1e-4)


def test_the_squared_error_of_shares_is_their_mean():
    logits = torch.tensor([[0.0, 0.0]])
    objective = objective_of_head(1, "Identity").__class__("Softmax")
    batch = Batch(torch.tensor([[1.0, 0.0]]), torch.ones(1), ())
    assert float(objective.loss([logits], batch)) == pytest.approx(0.25)
