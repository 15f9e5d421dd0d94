"""Ranks and their figures against sorted lists made one by one."""

import math

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from core.errors import UserError
from core.evaluation import quality_of_ranks, retrieval, retrieval_quality
from core.evaluation.retrieval import relevant_ranks
from core.progress import run_to_end


@pytest.fixture
def searched():
    random = np.random.default_rng(0)
    rows = random.normal(size=(40, 5)).astype(np.float32)
    questions = random.normal(size=(12, 5)).astype(np.float32)
    relevant = [set(random.choice(40, random.integers(1, 6), replace=False)) for _ in range(12)]
    return questions, rows, relevant


def cosines(question, rows):
    return [
        float(np.dot(question.astype(float), row.astype(float)))
        / math.dist(question, [0] * 5)
        / math.dist(row, [0] * 5)
        for row in rows
    ]


def by_hand(questions, rows, relevant, depth):
    recall, mrr, ndcg = [], [], []
    for question, wanted in zip(questions, relevant, strict=True):
        told = cosines(question, rows)
        order = sorted(range(len(rows)), key=lambda row: -told[row])
        hits = [row in wanted for row in order]
        recall.append(sum(hits[:depth]) / len(wanted))
        mrr.append(next((1 / (at + 1) for at in range(depth) if hits[at]), 0))
        gain = sum(1 / math.log2(at + 2) for at in range(depth) if hits[at])
        best = sum(1 / math.log2(at + 2) for at in range(min(depth, len(wanted))))
        ndcg.append(gain / best)
    return [sum(column) / len(column) for column in (recall, mrr, ndcg)]


@pytest.mark.parametrize("depth", [1, 3, 10, 40])
def test_figures_equal_those_of_sorted_lists(searched, depth):
    found = run_to_end(retrieval_quality(*searched, depths=[depth])).at[0]
    assert [found.recall, found.mrr, found.ndcg] == pytest.approx(by_hand(*searched, depth))


def test_discounted_gain_equals_that_of_another_library(searched):
    questions, rows, relevant = searched
    truth = [[row in wanted for row in range(40)] for wanted in relevant]
    told = [cosines(question, rows) for question in questions]
    found = run_to_end(retrieval_quality(*searched, depths=[7])).at[0]
    assert found.ndcg == pytest.approx(ndcg_score(truth, told, k=7))


def test_blocks_change_nothing(searched, monkeypatch):
    whole = run_to_end(retrieval_quality(*searched))
    monkeypatch.setattr(retrieval, "_COSINES_AT_ONCE", 100)
    monkeypatch.setattr(retrieval, "_NUMBERS_AT_ONCE", 35)
    assert run_to_end(retrieval_quality(*searched)) == whole


def test_the_order_of_rows_does_not_matter_even_with_copies(searched):
    questions, rows, relevant = searched
    rows[20:] = rows[:20]  # each text twice
    shuffled = np.random.default_rng(5).permutation(40)
    place = np.argsort(shuffled)
    moved = [{int(place[row]) for row in wanted} for wanted in relevant]
    first = run_to_end(retrieval_quality(questions, rows, relevant))
    assert run_to_end(retrieval_quality(questions, rows[shuffled], moved)) == first


def test_rows_that_tie_and_do_not_belong_stand_first():
    rows = np.array([[1, 0], [1, 0], [2, 0], [0, 1]], np.float32)
    ranks = run_to_end(relevant_ranks(rows[:1], rows, [{0}]))
    assert ranks[0].tolist() == [3]


def test_an_encoder_that_finds_everything_alike_finds_nothing():
    rows = np.ones((30, 4), np.float32)
    found = run_to_end(retrieval_quality(rows[:3], rows, [{0}, {1}, {2}], depths=[10]))
    assert (found.at[0].recall, found.at[0].mrr, found.at[0].ndcg) == (0, 0, 0)


def test_a_question_among_the_rows_does_not_find_itself():
    rows = np.array([[1, 0], [1, 0.1], [0, 1]], np.float32)
    ranks = run_to_end(relevant_ranks(rows[:2], rows, [{0, 1}, {2}], own=[0, 1]))
    assert [own.tolist() for own in ranks] == [[1], [2]]


def test_questions_without_a_relevant_row_are_left_out():
    found = quality_of_ranks([np.array([1]), np.array([], int)], depths=[1])
    assert (found.questions, found.left_out, found.at[0].recall) == (1, 1, 1)


def test_no_relevant_row_at_all_is_told():
    with pytest.raises(UserError, match="None of 1 questions"):
        quality_of_ranks([np.array([], int)])


def test_relevant_rows_that_are_not_there_are_refused():
    rows = np.ones((2, 2), np.float32)
    with pytest.raises(ValueError, match="from 0 to 1"):
        run_to_end(retrieval_quality(rows, rows, [{2}, {0}]))


def test_numbers_that_are_not_finite_are_refused():
    rows = np.array([[np.nan, 1]], np.float32)
    with pytest.raises(ValueError, match="finite"):
        run_to_end(retrieval_quality(rows, rows, [{0}]))


def test_a_depth_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        quality_of_ranks([np.array([1])], depths=[0])
