"""Changes by hand, and whether they outlive a re-run."""

import time

import numpy as np
import pytest

from core.clusters import How, Labels, reapply
from core.records import HandEdit, HandOp


def labels_of(cluster) -> Labels:
    cluster = np.array(cluster, np.int32)
    strength = np.where(cluster >= 0, 0.5, 0).astype(np.float32)
    return Labels(cluster, strength, np.zeros(len(cluster), np.uint8))


def texts(*places: int) -> np.ndarray:
    return np.array(places, np.int64)


def span(start: int, stop: int) -> np.ndarray:
    return np.arange(start, stop)


FOUR = labels_of([0] * 10 + [1] * 10 + [2] * 10 + [3] * 10 + [-1] * 10)
A, B, C, D, LOOSE = span(0, 10), span(10, 20), span(20, 30), span(30, 40), span(40, 50)


def rename(anchor, name):
    return HandEdit(HandOp.RENAME, (anchor,), name)


def test_without_edits_the_labels_are_those_of_the_algorithm():
    layered = reapply(FOUR, [])
    assert np.array_equal(layered.labels.cluster, FOUR.cluster)
    assert (layered.names, layered.excluded, layered.resting) == ({}, set(), [])


def test_the_given_labels_stay_as_they_were():
    before = FOUR.cluster.copy()
    reapply(FOUR, [HandEdit(HandOp.MERGE, (A, B)), HandEdit(HandOp.MOVE, texts=C)])
    assert np.array_equal(FOUR.cluster, before)


def test_a_name_is_given_and_taken_back():
    assert reapply(FOUR, [rename(B, "Refunds")]).names == {1: "Refunds"}
    assert reapply(FOUR, [rename(B, "Refunds"), rename(B, "")]).names == {}


def test_merged_clusters_have_the_number_of_the_first():
    layered = reapply(FOUR, [HandEdit(HandOp.MERGE, (C, A))])
    assert set(layered.labels.cluster[:10]) == {2}
    assert layered.by_hand == {2}


def test_a_merged_cluster_keeps_a_name():
    layered = reapply(FOUR, [rename(A, "Fees"), HandEdit(HandOp.MERGE, (C, A))])
    assert layered.names == {2: "Fees"}


def test_selected_texts_become_a_cluster_of_their_own():
    layered = reapply(FOUR, [HandEdit(HandOp.SPLIT, texts=texts(3, 13, 43), name="Odd ones")])
    number = layered.labels.cluster[3]
    assert number == layered.made_from == 4
    assert np.flatnonzero(layered.labels.cluster == number).tolist() == [3, 13, 43]
    assert layered.names == {number: "Odd ones"}
    assert layered.labels.how[3] == How.BY_HAND
    assert layered.labels.strength[3] == 1


def test_a_cluster_is_split_into_its_parts():
    parts = (A, span(0, 5), span(5, 8))
    found = reapply(FOUR, [HandEdit(HandOp.SPLIT, parts)]).labels.cluster
    assert found[:10].tolist() == [0] * 5 + [4] * 3 + [-1] * 2


def test_texts_move_to_another_cluster():
    layered = reapply(FOUR, [HandEdit(HandOp.MOVE, texts=texts(0, 44), target=C)])
    assert layered.labels.cluster[[0, 44]].tolist() == [2, 2]


def test_texts_move_out_of_all_clusters():
    found = reapply(FOUR, [HandEdit(HandOp.MOVE, texts=texts(0, 1))]).labels
    assert found.cluster[:3].tolist() == [-1, -1, 0]
    assert found.strength[0] == 0


def test_texts_move_to_a_new_cluster():
    layered = reapply(FOUR, [HandEdit(HandOp.MOVE, texts=LOOSE, name="New")])
    assert set(layered.labels.cluster[40:]) == {4}


def test_clusters_are_excluded_and_included_again():
    edits = [HandEdit(HandOp.EXCLUDE, (A, B)), HandEdit(HandOp.INCLUDE, (A,))]
    assert reapply(FOUR, edits).excluded == {1}


def test_a_cluster_that_lost_all_texts_has_no_name_left():
    layered = reapply(FOUR, [rename(A, "Gone"), HandEdit(HandOp.MOVE, texts=A, target=B)])
    assert layered.names == {}


def test_edits_build_on_those_before_them():
    edits = [
        HandEdit(HandOp.MERGE, (A, B), "Both"),
        HandEdit(HandOp.MERGE, (np.concatenate([A, B]), C)),
        rename(span(0, 30), "All three"),
        HandEdit(HandOp.EXCLUDE, (span(0, 30),)),
    ]
    layered = reapply(FOUR, edits)
    assert layered.names == {0: "All three"}
    assert layered.excluded == {0}
    assert set(layered.labels.cluster[:30]) == {0}


@pytest.fixture
def rerun():
    """The same four clusters after a re-run: other numbers, two texts of ten changed."""
    number = np.array([3, 0, 1, 2])
    cluster = np.concatenate([np.repeat(number, 10), [-1] * 10])
    cluster[[0, 11, 22, 33]] = -1
    cluster[[9, 19, 29, 39]] = [0, 1, 2, 3]
    return labels_of(cluster)


def test_all_edits_outlive_a_rerun(rerun):
    edits = [
        rename(A, "Fees"),
        HandEdit(HandOp.EXCLUDE, (D,)),
        HandEdit(HandOp.MERGE, (B, C), "Parcels"),
        HandEdit(HandOp.MOVE, texts=LOOSE[:2], target=A),
        HandEdit(HandOp.SPLIT, (A, span(0, 5), span(5, 10))),
        HandEdit(HandOp.SPLIT, texts=LOOSE[5:], name="Selected"),
    ]
    layered = reapply(rerun, edits)
    found = layered.labels.cluster
    assert layered.resting == []
    assert layered.names == {3: "Fees", 0: "Parcels", found[49]: "Selected"}
    assert layered.excluded == {2}
    assert found[15] == found[25] == 0
    assert found[2] == 3
    assert found[7] == 4
    assert found[45:].tolist() == [5] * 5


def test_an_edit_whose_cluster_is_gone_rests_and_is_told():
    scattered = labels_of(np.arange(50) % 4)
    assert reapply(scattered, [rename(A, "Fees"), HandEdit(HandOp.EXCLUDE, (B,))]).resting == [0, 1]


def test_an_edit_rests_where_all_is_unclustered():
    nothing = labels_of([-1] * 50)
    move = HandEdit(HandOp.MOVE, texts=A, target=B)
    edits = [rename(A, "Fees"), HandEdit(HandOp.MERGE, (A, B)), move]
    assert reapply(nothing, edits).resting == [0, 1, 2]


def test_a_coarser_cluster_is_not_taken_for_one_it_swallowed():
    coarse = labels_of([0] * 40 + [-1] * 10)
    layered = reapply(coarse, [rename(A, "Fees"), HandEdit(HandOp.EXCLUDE, (B,))])
    assert (layered.names, layered.excluded, layered.resting) == ({}, set(), [0, 1])


def test_merging_what_is_one_already_is_done():
    coarse = labels_of([0] * 40 + [-1] * 10)
    assert reapply(coarse, [HandEdit(HandOp.MERGE, (A, B))]).resting == []


def test_texts_move_into_the_coarser_cluster_that_holds_the_target():
    coarse = labels_of([0] * 20 + [1] * 20 + [-1] * 10)
    layered = reapply(coarse, [HandEdit(HandOp.MOVE, texts=LOOSE, target=D)])
    assert set(layered.labels.cluster[40:]) == {1}


def test_a_cluster_in_pieces_is_excluded_and_merged_with_all_of_them():
    fine = labels_of([0] * 4 + [1] * 3 + [2] * 3 + [3] * 10 + [4] * 20 + [-1] * 10)
    assert reapply(fine, [HandEdit(HandOp.EXCLUDE, (A,))]).excluded == {0, 1, 2}
    merged = reapply(fine, [HandEdit(HandOp.MERGE, (A, B))]).labels.cluster
    assert set(merged[:20]) == {0}


def test_a_split_that_a_finer_level_makes_itself_is_done():
    fine = labels_of([0] * 5 + [4] * 5 + [1] * 10 + [2] * 10 + [3] * 10 + [-1] * 10)
    layered = reapply(fine, [HandEdit(HandOp.SPLIT, (A, span(0, 5), span(5, 10)))])
    assert np.array_equal(layered.labels.cluster, fine.cluster)
    assert layered.resting == []


def test_a_cluster_grown_by_new_texts_is_found_again():
    grown = labels_of([0] * 10 + [1] * 10 + [0] * 80)
    known = HandEdit(HandOp.RENAME, (A,), "Fees", known=20)
    assert reapply(grown, [known]).names == {0: "Fees"}


@pytest.mark.parametrize("op", list(HandOp))
def test_an_edit_without_texts_rests(op):
    assert reapply(FOUR, [HandEdit(op), HandEdit(op, (texts(),))]).resting == [0, 1]


@pytest.mark.parametrize("op", list(HandOp))
def test_edits_of_an_empty_corpus_rest(op):
    assert reapply(labels_of([]), [HandEdit(op, (texts(),))]).resting == [0]


def test_empty_clusters_of_the_algorithm_keep_their_numbers():
    layered = reapply(FOUR, [HandEdit(HandOp.SPLIT, texts=A)], clusters=9)
    assert layered.labels.cluster[0] == layered.made_from == 9


def test_200_edits_of_20_000_texts_take_less_than_a_tenth_of_a_second():
    noise = np.random.default_rng(4)
    labels = labels_of(noise.integers(-1, 300, 20_000))
    held = [np.flatnonzero(labels.cluster == number) for number in range(300)]
    edits = [
        HandEdit(
            op, tuple(held[i] for i in noise.integers(0, 300, 3)), f"name of {op}",
            noise.integers(0, 20_000, 50) if op == HandOp.MOVE else texts(),
        )
        for op in list(HandOp) * 34
    ]  # fmt: skip
    best = min(_seconds(labels, edits) for _ in range(5))
    assert best < 0.1


def _seconds(labels: Labels, edits: list[HandEdit]) -> float:
    start = time.process_time()  # of this process alone: other work on the machine does not count
    reapply(labels, edits)
    return time.process_time() - start
