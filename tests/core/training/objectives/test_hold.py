"""What is held keeps its cosine, beside whatever else is learnt."""

import numpy as np
import pytest
import torch

from core.training.objectives import make_objective
from core.training.objectives.hold import joined

COSINES = [-0.4, 0.25, 0.5, 0.0, 0.9, 0.125]
WEIGHTS = [1.0, 0.5, 2.0, 1.0, 0.25, 3.0]


def test_loss_and_gradients_are_the_formulas(assert_agrees, cosine, make_vectors, make_batch):
    def formula(left, right):
        total = 0
        for u, v, old, weight in zip(left, right, COSINES, WEIGHTS, strict=True):
            total += weight * (cosine(u, v) - old) ** 2
        return total / sum(WEIGHTS)

    batch = make_batch(6, target=COSINES, weight=WEIGHTS)
    assert_agrees(make_objective("hold"), formula, make_vectors(2), batch)


def test_an_encoder_that_has_not_moved_loses_nothing(found, cosine, make_vectors, make_batch):
    left, right = make_vectors(2)
    old = [cosine(u, v) for u, v in zip(left, right, strict=True)]
    loss, slopes = found(make_objective("hold"), [left, right], make_batch(6, target=old))
    assert loss == pytest.approx(0, abs=1e-30)
    assert max(np.abs(slope).max() for slope in slopes) < 1e-15


def test_beside_regression_it_is_one_mean_over_all_pairs(found, make_vectors, make_batch):
    left, right = make_vectors(2, 8)
    target = np.array([1.0, 0.0, *COSINES])
    together, _ = found(make_objective("regression"), [left, right], make_batch(8, target=target))
    main, _ = found(
        make_objective("regression"), [left[:2], right[:2]], make_batch(2, target=target[:2])
    )
    hold, _ = found(make_objective("hold"), [left[2:], right[2:]], make_batch(6, target=target[2:]))
    both = joined(torch.tensor(main), torch.tensor(hold), 6 / 8)
    assert both.item() == pytest.approx(together, rel=1e-6)


def test_the_gradients_of_both_are_joined_in_proportion():
    main, hold = torch.tensor(2.0, requires_grad=True), torch.tensor(8.0, requires_grad=True)
    both = joined(main, hold, 0.25)
    both.backward()
    assert (both.item(), main.grad.item(), hold.grad.item()) == (3.5, 0.75, 0.25)


@pytest.mark.parametrize("share", [-0.1, 1.0, float("nan")])
def test_a_share_that_leaves_nothing_to_learn_is_refused(share):
    with pytest.raises(ValueError, match="share"):
        joined(torch.tensor(1.0), torch.tensor(1.0), share)
