"""Classification is the paper's formula, with each concatenation of its ablation."""

import numpy as np
import pytest
import torch

from core.training.objectives import make_objective
from core.training.objectives.choices import CONCATENATIONS

LABELS = [0, 2, 1, 1, 0, 2]
WEIGHTS = [1.0, 0.5, 2.0, 1.0, 0.25, 3.0]


def magnitude(values):
    return np.array([value if value.real > 0 else -value for value in values])


PARTS = {
    "sides": lambda u, v: [u, v],
    "difference": lambda u, v: [magnitude(u - v)],
    "product": lambda u, v: [u * v],
    "difference+product": lambda u, v: [magnitude(u - v), u * v],
    "sides+product": lambda u, v: [u, v, u * v],
    "sides+difference": lambda u, v: [u, v, magnitude(u - v)],
    "sides+difference+product": lambda u, v: [u, v, magnitude(u - v), u * v],
}


def formula(concatenation):
    """Weighted cross-entropy over vectors u, v, a matrix and perhaps a bias, pair by pair."""

    def loss(left, right, matrix, bias=None):
        total = 0
        for u, v, label, weight in zip(left, right, LABELS, WEIGHTS, strict=True):
            seen = np.concatenate(PARTS[concatenation](u, v))
            outcome = [
                sum(matrix[k, place] * seen[place] for place in range(len(seen)))
                + (0 if bias is None else bias[k])
                for k in range(3)
            ]
            total -= weight * (outcome[label] - np.log(sum(np.exp(one) for one in outcome)))
        return total / sum(WEIGHTS)

    return loss


def test_the_ablation_is_whole():
    assert PARTS.keys() == CONCATENATIONS.keys()


@pytest.mark.parametrize("concatenation", PARTS)
def test_loss_and_gradients_are_the_papers(concatenation, assert_agrees, make_vectors, make_batch):
    asked = make_objective("classification", concatenation=concatenation)
    batch = make_batch(6, target=LABELS, weight=WEIGHTS)
    assert_agrees(asked, formula(concatenation), make_vectors(2), batch, asked.head(4))


def test_a_bias_counts_where_it_is_chosen(assert_agrees, make_vectors, make_batch):
    asked = make_objective("classification", bias=True)
    batch = make_batch(6, target=LABELS, weight=WEIGHTS)
    assert_agrees(asked, formula("sides+difference"), make_vectors(2), batch, asked.head(4))


@pytest.mark.parametrize(
    ("concatenation", "flags"),
    [
        ("sides", (True, False, False)),
        ("difference+product", (False, True, True)),
        ("sides+difference", (True, True, False)),
        ("sides+difference+product", (True, True, True)),
    ],
)
def test_with_a_bias_it_is_sentence_transformers_softmax_loss(
    concatenation, flags, peer, found, assert_same, make_vectors, make_batch
):
    asked = make_objective("classification", concatenation=concatenation, bias=True)
    head = asked.head(4).double()
    arrays, batch = make_vectors(2), make_batch(6, target=LABELS)
    theirs = peer(
        "SoftmaxLoss",
        arrays,
        batch.target,
        head=head,
        embedding_dimension=4,
        num_labels=3,
        concatenation_sent_rep=flags[0],
        concatenation_sent_difference=flags[1],
        concatenation_sent_multiplication=flags[2],
    )
    assert_same(found(asked, arrays, batch, head=head), theirs)


@pytest.mark.parametrize(
    ("concatenation", "width"),
    [("sides", 20), ("product", 10), ("sides+difference", 30), ("sides+difference+product", 40)],
)
def test_the_matrix_fits_labels_and_parts(concatenation, width):
    head = make_objective("classification", labels=5, concatenation=concatenation).head(10)
    assert head.weight.shape == (5, width)
    assert head.bias is None


def test_the_matrix_is_drawn_by_its_seed():
    asked = make_objective("classification")
    assert torch.equal(asked.head(8, seed=3).weight, asked.head(8, seed=3).weight)
    assert not torch.equal(asked.head(8, seed=3).weight, asked.head(8, seed=4).weight)


def test_the_matrix_is_within_its_bound_and_fills_it():
    weights = make_objective("classification").head(100).weight
    assert weights.abs().max() <= 1 / 300**0.5
    assert weights.std().item() == pytest.approx((1 / 300**0.5) / 3**0.5, rel=0.1)


def test_drawing_the_matrix_leaves_torchs_random_state_alone():
    before = torch.get_rng_state()
    make_objective("classification", bias=True).head(8)
    assert torch.equal(torch.get_rng_state(), before)


def test_without_its_matrix_it_cannot_be_computed(found, make_vectors, make_batch):
    with pytest.raises(ValueError, match="head"):
        found(make_objective("classification"), make_vectors(2), make_batch(6, target=LABELS))
