"""Clusters changed by hand: shown at once, undone, and found again after a re-run."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.errors import UserError
from core.options import ClusterOptions, EncodeOptions
from core.progress import run_to_end
from core.store import Project
from core.workflows.charting import chart
from core.workflows.cluster_desk import ClusterDesk
from core.workflows.cluster_editing import edit_clusters, show_level
from core.workflows.encoding import encode_corpus

TOPICS = (
    "my card was charged twice", "parcel late", "zzz qqq xxx", "the the the the the the the the",
)  # fmt: skip


@pytest.fixture
def clustered(
    project: Project, table: Callable[..., Path], bring: Callable[..., object], tiny_encoder: Path
) -> Project:
    """Four piles of alike texts."""
    texts = [f"{topic} {['a', 'b', 'c', 'd', 'e', 'f'][n % 6] * (n // 6 + 1)}"
             for topic in TOPICS for n in range(15)]  # fmt: skip
    bring(project, table(texts))
    run_to_end(encode_corpus(project, EncodeOptions(encoder=str(tiny_encoder))))
    run_to_end(chart(project, ClusterOptions(min_size=5), None))
    show_level(project, ClusterDesk.load(project), 99, 0.0)
    assert len(project.clusters.listed()) >= 3
    return project


@pytest.fixture
def edit(clustered: Project) -> Callable[..., str]:
    return lambda op, **more: edit_clusters(clustered, ClusterDesk.load(clustered), op, **more)


def undo(project: Project) -> None:
    project.decisions.undo()
    show_level(project, ClusterDesk.load(project))


def texts_of(project: Project, number: int) -> set[int]:
    labels = project.clusters.labels()
    return set(labels.texts[labels.cluster == number].tolist())


def test_renaming_shows_and_can_be_undone(clustered: Project, edit: Callable[..., str]):
    row = clustered.clusters.listed()[0]
    assert edit("rename", clusters=[row.number], name="  payments ").endswith("“payments”")
    renamed = next(one for one in clustered.clusters.listed() if one.number == row.number)
    assert (renamed.name, renamed.is_named) == ("payments", True)
    undo(clustered)
    back = next(one for one in clustered.clusters.listed() if one.number == row.number)
    assert (back.name, back.is_named) == (row.name, False)


@pytest.mark.parametrize("name", ["Unclustered", " unclustered "])
def test_no_cluster_is_called_as_the_rows_in_none_are(
    clustered: Project, edit: Callable[..., str], name: str
):
    first = clustered.clusters.listed()[0]
    before = first.name
    some = sorted(texts_of(clustered, first.number))[:2]
    with pytest.raises(UserError, match="rows in no cluster"):
        edit("rename", clusters=[first.number], name=name)
    with pytest.raises(UserError, match="rows in no cluster"):
        edit("split", texts=some, name=name)
    assert clustered.clusters.listed()[0].name == before


def test_no_two_clusters_are_given_one_name(clustered: Project, edit: Callable[..., str]):
    first, second = clustered.clusters.listed()[:2]
    edit("rename", clusters=[first.number], name="payments")
    with pytest.raises(UserError, match="already"):
        edit("rename", clusters=[second.number], name="Payments")
    edit("rename", clusters=[first.number], name="Payments")
    assert "Payments" in [row.name for row in clustered.clusters.listed()]


def test_merging_makes_one_of_two(clustered: Project, edit: Callable[..., str]):
    first, second = clustered.clusters.listed()[:2]
    both = texts_of(clustered, first.number) | texts_of(clustered, second.number)
    count = len(clustered.clusters.listed())
    edit("merge", clusters=[first.number, second.number])
    merged = next(row for row in clustered.clusters.listed() if row.by_hand)
    assert texts_of(clustered, merged.number) == both
    assert len(clustered.clusters.listed()) == count - 1
    undo(clustered)
    assert len(clustered.clusters.listed()) == count


def test_texts_become_a_cluster_of_their_own(clustered: Project, edit: Callable[..., str]):
    row = clustered.clusters.listed()[0]
    some = sorted(texts_of(clustered, row.number))[:4]
    edit("split", texts=some, name="mine")
    made = next(one for one in clustered.clusters.listed() if one.name == "mine")
    assert texts_of(clustered, made.number) == set(some)
    assert made.by_hand
    assert set(made.exemplars) <= set(some)


def test_texts_move_to_another_cluster_and_out_of_all(clustered: Project, edit: Callable[..., str]):
    first, second = clustered.clusters.listed()[:2]
    moved = sorted(texts_of(clustered, first.number))[:2]
    edit("move", texts=moved, target=second.number)
    assert set(moved) <= texts_of(clustered, second.number)
    edit("move", texts=moved, target=None)
    assert set(moved) <= texts_of(clustered, -1)
    labels = clustered.clusters.labels()
    assert (labels.how[np.isin(labels.texts, moved)] == 2).all()


def test_a_cluster_is_left_out_and_taken_in_again(clustered: Project, edit: Callable[..., str]):
    row = clustered.clusters.listed()[0]
    edit("exclude", clusters=[row.number])
    assert clustered.clusters.current().counts["excluded"] == row.rows
    edit("include", clusters=[row.number])
    assert clustered.clusters.current().counts["excluded"] == 0


def test_splitting_at_a_coarse_level_shows_the_parts(clustered: Project, edit: Callable[..., str]):
    desk = ClusterDesk.load(clustered)
    show_level(clustered, desk, 0, 0.0)
    rows = clustered.clusters.listed()
    parted = [row for row in rows if desk.parts(
        np.array(sorted(texts_of(clustered, row.number))), 0)]  # fmt: skip
    if not parted:
        with pytest.raises(UserError, match="no parts"):
            edit("split", clusters=[rows[0].number])
        return
    edit("split", clusters=[parted[0].number])
    assert len(clustered.clusters.listed()) > len(rows)


def test_a_cluster_that_is_not_shown_any_more_is_told(edit: Callable[..., str]):
    with pytest.raises(UserError, match="not shown"):
        edit("rename", clusters=[987], name="gone")


def test_edits_are_there_after_a_re_run(clustered: Project, edit: Callable[..., str]):
    first, second, *_ = clustered.clusters.listed()
    both = texts_of(clustered, first.number) | texts_of(clustered, second.number)
    edit("merge", clusters=[first.number, second.number], name="both")
    run_to_end(chart(clustered, ClusterOptions(min_size=5), None))
    show_level(clustered, ClusterDesk.load(clustered), 99, 0.0)
    merged = next(row for row in clustered.clusters.listed() if row.name == "both")
    assert texts_of(clustered, merged.number) == both


def test_no_row_is_lost_at_any_level(clustered: Project):
    desk = ClusterDesk.load(clustered)
    for level in range(len(desk.levels)):
        for most in (1.0, 0.1, 0.0):
            counts = show_level(clustered, desk, level, most)
            held = sum(row.rows for row in clustered.clusters.listed())
            assert held + counts["unclustered"] == counts["rows"] == 60


def test_a_colour_stays_with_the_larger_part(clustered: Project):
    desk = ClusterDesk.load(clustered)
    show_level(clustered, desk, 0)
    coarse = {row.number: row.color for row in clustered.clusters.listed()}
    show_level(clustered, desk, 99)
    fine = {row.number: row.color for row in clustered.clusters.listed()}
    assert set(coarse.values()) <= set(fine.values())
    assert len(set(fine.values())) == len(fine)
