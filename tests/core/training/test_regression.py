"""The regression objective is the paper's formula."""

import pytest
import torch

from core.training.regression import regression_loss


def unit(*rows):
    return torch.nn.functional.normalize(torch.tensor(rows), dim=1)


def test_the_loss_is_the_squared_distance_of_cosine_and_score():
    left, right = unit([1.0, 0.0], [1.0, 1.0]), unit([0.0, 1.0], [1.0, 1.0])
    loss = regression_loss(left, right, torch.tensor([0.5, 0.9]), torch.ones(2))
    assert loss.item() == pytest.approx(0.5**2 + 0.1**2)


def test_a_weight_counts_a_pair_so_often():
    left, right = unit([1.0, 0.0]), unit([0.0, 1.0])
    loss = regression_loss(left, right, torch.ones(1), torch.tensor([3.0]))
    assert loss.item() == pytest.approx(3)


def test_the_gradient_turns_vectors_towards_a_score_of_one():
    left = unit([1.0, 0.0]).requires_grad_()
    right = unit([0.6, 0.8])
    regression_loss(left, right, torch.ones(1), torch.ones(1)).backward()
    assert (left.grad @ right.T).item() < 0
