"""Each text finds its partner in the batch, and what may mean the same is never a negative."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.training.objectives import make_objective
from core.training.objectives.objective import Batch

N = 5
# Pair 1 shares its first text with pair 0, pair 2 its second with pair 3 turned round.
SHARED = [[0, 0, 2, 7, 4], [5, 6, 7, 8, 9]]


def plain_cosine(a, b):
    return (a * b).sum() / (np.sqrt((a * a).sum()) * np.sqrt((b * b).sum()))


def formula(texts, weight, apart, *, scale=20.0, symmetric=False, cosine=plain_cosine):
    """The weighted mean, pair by pair; what is barred is found by sets of texts."""
    count = len(weight)
    pairs = [{texts[0][i], texts[1][i]} for i in range(count)]

    def may_be_same(i, text):
        return any(weight[k] > 0 and pairs[k] & pairs[i] and text in pairs[k] for k in range(count))

    def lost(own, others):
        """−log of the share of `own`, the others being a list."""
        return np.log(sum(np.exp(scale * one) for one in [own, *others])) - scale * own

    def loss(first, *rest):
        total = 0
        for i in range(count):
            own = cosine(first[i], rest[0][i])
            forward, back = [], []
            for column, vectors in enumerate(rest):
                for j in range(count):
                    barred = may_be_same(i, texts[column + 1][j]) or weight[j] == 0
                    barred = barred or apart[i, column * count + j]
                    if not barred and (column, j) != (0, i):
                        forward.append(cosine(first[i], vectors[j]))
            for j in range(count):
                barred = may_be_same(i, texts[0][j]) or weight[j] == 0 or apart[j, i]
                if not barred and j != i:
                    back.append(cosine(first[j], rest[0][i]))
            one = lost(own, forward)
            total += weight[i] * ((one + lost(own, back)) / 2 if symmetric else one)
        return total / sum(weight)

    return loss


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize("case", ["all texts differ", "texts come twice", "pairs are apart"])
def test_loss_and_gradients_are_the_formulas(
    case, columns, symmetric, assert_agrees, make_vectors, make_batch
):
    texts = np.arange(columns * N).reshape(columns, N)
    apart = np.zeros((N, N * (columns - 1)), bool)
    weight = [1.0, 0.5, 2.0, 1.0, 3.0]
    if case == "texts come twice":
        texts[:2] = SHARED
        if columns == 3:
            texts[2] = [10, 11, 5, 13, 9]  # a partner of another, and a copy of its own partner
    if case == "pairs are apart":
        apart[0, [2, -1]] = apart[3, 1] = True
    asked = make_objective("ranking", negatives=columns == 3, symmetric=symmetric)
    batch = make_batch(N, weight=weight, texts=texts, apart=apart)
    told = formula(texts, weight, apart, symmetric=symmetric)
    assert_agrees(asked, told, make_vectors(columns, N), batch)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_is_shared_or_apart_the_loss_is_the_formulas(data):
    count = data.draw(st.integers(1, 5))
    columns = data.draw(st.sampled_from([2, 3]))
    row = st.lists(st.integers(0, 7), min_size=count, max_size=count)
    texts = [data.draw(row) for _ in range(columns)]
    width = count * (columns - 1)
    flags = data.draw(st.lists(st.booleans(), min_size=count * width, max_size=count * width))
    apart = np.array(flags).reshape(count, width)
    weights = st.sampled_from([0.0, 0.5, 1.0, 2.0])
    weight = data.draw(
        st.lists(weights, min_size=count, max_size=count).filter(lambda some: sum(some) > 0)
    )
    symmetric = data.draw(st.booleans())
    random = np.random.default_rng(0)
    arrays = [random.normal(size=(count, 3)) for _ in range(columns)]
    batch = Batch(
        None,
        torch.tensor(weight, dtype=torch.float64),
        tuple(torch.tensor(some) for some in texts),
        torch.tensor(apart),
    )
    asked = make_objective("ranking", negatives=columns == 3, symmetric=symmetric)
    loss = asked.loss([torch.tensor(some) for some in arrays], batch).item()
    wanted = formula(texts, weight, apart, symmetric=symmetric)(*arrays)
    assert loss == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("scale", [1.0, 20.0])
@pytest.mark.parametrize("columns", [2, 3])
def test_it_is_sentence_transformers_multiple_negatives_ranking_loss(
    columns, scale, peer, found, assert_same, make_vectors, make_batch
):
    arrays = make_vectors(columns)
    theirs = peer("MultipleNegativesRankingLoss", arrays, scale=scale)
    asked = make_objective("ranking", scale=scale, negatives=columns == 3)
    assert_same(found(asked, arrays, make_batch(6, columns=columns)), theirs)


@pytest.mark.parametrize("columns", [2, 3])
def test_in_both_directions_it_is_theirs_too(
    columns, peer, found, assert_same, make_vectors, make_batch
):
    arrays = make_vectors(columns)
    theirs = peer(
        "MultipleNegativesRankingLoss",
        arrays,
        directions=("query_to_doc", "doc_to_query"),
        partition_mode="per_direction",
    )
    asked = make_objective("ranking", symmetric=True, negatives=columns == 3)
    assert_same(found(asked, arrays, make_batch(6, columns=columns)), theirs)


def test_a_case_by_hand(found, make_batch):
    arrays = [np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 5.0]])]
    loss, _ = found(make_objective("ranking", scale=1.0), arrays, make_batch(2))
    assert loss == pytest.approx(np.log(1 + np.exp(-1)))


def slopes_of_first_loss(batch, arrays, **choices):
    """Gradient of the first pair's own loss in every column."""
    vectors = [torch.tensor(some, requires_grad=True) for some in arrays]
    asked = make_objective("ranking", negatives=len(arrays) == 3, **choices)
    asked.losses(vectors, batch, None)[0].backward()
    return [some.grad.numpy() for some in vectors]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([0, 1, 2], [3, 3, 4]),  # a copy of its partner
        ([0, 1, 2], [3, 0, 4]),  # a copy of itself
        ([0, 0, 2], [3, 4, 5]),  # another partner of the same text
        ([0, 3, 2], [3, 4, 5]),  # its partner's partner
    ],
)
def test_what_shares_a_text_gets_no_gradient_as_a_negative(first, second, make_vectors, make_batch):
    batch = make_batch(3, texts=[first, second])
    _, candidates = slopes_of_first_loss(batch, make_vectors(2, 3))
    assert not candidates[1].any()
    assert candidates[2].any()


def test_what_is_apart_gets_no_gradient_as_a_negative(make_vectors, make_batch):
    apart = np.zeros((3, 3), bool)
    apart[0, 1] = True
    _, candidates = slopes_of_first_loss(make_batch(3, apart=apart), make_vectors(2, 3))
    assert not candidates[1].any()
    assert candidates[2].any()


def test_what_is_apart_is_so_in_the_other_direction(make_vectors, make_batch):
    apart = np.zeros((3, 3), bool)
    apart[1, 0] = True  # the first text of pair 1 and the second of pair 0
    batch = make_batch(3, apart=apart)
    firsts, _ = slopes_of_first_loss(batch, make_vectors(2, 3), symmetric=True)
    assert not firsts[1].any()
    assert firsts[2].any()


def test_a_counter_example_that_is_another_pairs_partner_is_no_negative_of_its_first_text(
    make_vectors, make_batch
):
    batch = make_batch(3, texts=[[0, 0, 2], [3, 4, 5], [6, 7, 4]])
    _, _, negatives = slopes_of_first_loss(batch, make_vectors(3, 3))
    assert negatives[0].any()
    assert negatives[1].any()
    assert not negatives[2].any()


def test_a_counter_example_without_weight_is_no_negative(make_vectors, make_batch):
    batch = make_batch(3, weight=[1.0, 0.0, 1.0], columns=3)
    _, candidates, negatives = slopes_of_first_loss(batch, make_vectors(3, 3))
    assert not candidates[1].any()
    assert not negatives[1].any()
    assert negatives[2].any()


@pytest.mark.parametrize("symmetric", [False, True])
def test_pairs_without_a_usable_negative_lose_nothing(symmetric, found, make_vectors, make_batch):
    batch = make_batch(4, texts=[[0, 0, 0, 0], [1, 2, 3, 4]])
    asked = make_objective("ranking", symmetric=symmetric)
    loss, slopes = found(asked, make_vectors(2, 4), batch)
    assert loss == 0
    assert not any(slope.any() for slope in slopes)


def test_a_pair_of_copies_keeps_its_own_place(found, make_vectors, make_batch):
    batch = make_batch(2, texts=[[0, 1], [0, 2]])
    loss, _ = found(make_objective("ranking"), make_vectors(2, 2), batch)
    assert np.isfinite(loss)
    assert loss > 0


def test_a_pair_without_weight_is_no_evidence_that_others_are_the_same(make_vectors, make_batch):
    batch = make_batch(3, texts=[[0, 3, 2], [3, 5, 5]], weight=[1.0, 0.0, 1.0])
    _, candidates = slopes_of_first_loss(batch, make_vectors(2, 3))
    assert candidates[2].any()
