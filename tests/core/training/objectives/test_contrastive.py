"""What is the same is drawn together, what is not is pushed apart, the hard ones only if wished."""

import numpy as np
import pytest
import torch

from core.training.objectives import make_objective
from core.training.objectives.choices import DISTANCES
from core.training.objectives.contrastive import hard

SAME = [1, 0, 1, 0, 1, 0, 0, 1]
KINDS = {"both kinds": SAME, "the same only": [1] * 8, "different only": [0] * 8}
EQUAL = [1.0] * 8
WEIGHTS = [1.0, 0.5, 2.0, 1.0, 0.25, 3.0, 0.0, 1.0]


def one_loss(distance, same, margin):
    if same:
        return distance**2
    lack = margin - distance
    return lack**2 if lack.real > 0 else 0


def hard_pairs(distances, same, weight):
    """By the words of the docstring, over those that have a weight."""
    counted = [i for i in range(len(same)) if weight[i] > 0]
    together = [distances[i].real for i in counted if same[i]]
    parted = [distances[i].real for i in counted if not same[i]]
    mean = sum(weight[i] * distances[i].real for i in counted) / sum(weight)
    floor = min(parted) if parted else mean
    ceiling = max(together) if together else mean
    return [
        i
        for i in counted
        if (same[i] and distances[i].real > floor) or (not same[i] and distances[i].real < ceiling)
    ]


@pytest.mark.parametrize("weight", [EQUAL, WEIGHTS])
@pytest.mark.parametrize("same", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("kind", DISTANCES)
def test_online_loss_and_gradients_are_the_formulas(
    kind, same, weight, assert_agrees, distance, make_vectors, make_batch
):
    margin = 0.9 if kind == "cosine" else 3.5

    def formula(left, right):
        distances = [distance[kind](u, v) for u, v in zip(left, right, strict=True)]
        chosen = hard_pairs(distances, same, weight)
        total = sum(weight[i] * one_loss(distances[i], same[i], margin) for i in chosen)
        return total / sum(weight)

    batch = make_batch(8, target=same, weight=weight)
    asked = make_objective("contrastive", distance=kind, margin=margin)
    assert_agrees(asked, formula, make_vectors(2, 8), batch)


@pytest.mark.parametrize("weight", [EQUAL, WEIGHTS])
@pytest.mark.parametrize("kind", DISTANCES)
def test_plain_loss_and_gradients_are_the_papers(
    kind, weight, assert_agrees, distance, make_vectors, make_batch
):
    margin = 0.9 if kind == "cosine" else 3.5

    def formula(left, right):
        total = 0
        for u, v, same, weighs in zip(left, right, SAME, weight, strict=True):
            total += weighs * one_loss(distance[kind](u, v), same, margin) / 2
        return total / sum(weight)

    batch = make_batch(8, target=SAME, weight=weight)
    asked = make_objective("contrastive", form="plain", distance=kind, margin=margin)
    assert_agrees(asked, formula, make_vectors(2, 8), batch)


@pytest.mark.parametrize("same", KINDS.values(), ids=KINDS)
def test_online_is_sentence_transformers_online_contrastive_loss_over_the_count(
    same, peer, found, assert_same, make_vectors, make_batch
):
    arrays, batch = make_vectors(2, 8), make_batch(8, target=same)
    theirs = peer("OnlineContrastiveLoss", arrays, batch.target, margin=0.9)
    asked = make_objective("contrastive", margin=0.9)
    assert_same(found(asked, arrays, batch), theirs, times=1 / 8)


def test_plain_is_sentence_transformers_contrastive_loss(
    peer, found, assert_same, make_vectors, make_batch
):
    arrays, batch = make_vectors(2, 8), make_batch(8, target=SAME)
    theirs = peer("ContrastiveLoss", arrays, batch.target, margin=0.9)
    asked = make_objective("contrastive", form="plain", margin=0.9)
    assert_same(found(asked, arrays, batch), theirs)


def test_by_itself_it_is_online_over_cosine_distances_with_a_margin_of_a_half(found, make_batch):
    # Distances: 0.4 the same, 0.2 and 0.7 different. The last is beyond the farthest same one.
    right = [[0.6, 0.8], [0.8, 0.6], [0.3, np.sqrt(0.91)]]
    arrays = [np.array([[1.0, 0.0]] * 3), np.array(right)]
    loss, _ = found(make_objective("contrastive"), arrays, make_batch(3, target=[1, 0, 0]))
    assert loss == pytest.approx((0.4**2 + 0.3**2) / 3)


def test_pairs_in_nobodys_way_are_not_hard():
    distance = torch.tensor([0.1, 0.4, 0.3, 0.6])
    same = torch.tensor([True, True, False, False])
    assert hard(distance, same, torch.ones(4)).tolist() == [False, True, True, False]


def test_a_pair_without_weight_makes_no_other_hard():
    distance = torch.tensor([0.1, 0.4, 0.3, 0.6])
    same = torch.tensor([True, True, False, False])
    weight = torch.tensor([1.0, 1.0, 0.0, 1.0])
    assert hard(distance, same, weight).tolist() == [False, False, False, False]


def test_among_one_kind_the_mean_distance_is_weighted():
    distance, weight = torch.tensor([0.1, 0.2, 0.6]), torch.tensor([6.0, 1.0, 1.0])
    same = torch.tensor([True, True, True])  # the mean is 0.175, without weights 0.3
    assert hard(distance, same, weight).tolist() == [False, True, True]


def test_different_texts_beyond_the_margin_are_left_alone(found, make_batch):
    arrays = [np.array([[1.0, 0.0]]), np.array([[-1.0, 0.2]])]
    loss, slopes = found(
        make_objective("contrastive", form="plain"), arrays, make_batch(1, target=[0])
    )
    assert loss == 0
    assert not any(slope.any() for slope in slopes)
