"""Clusterings: the tree, what is shown of it, and edits that can be undone."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.store import (
    ClusterLabels,
    ClusterRow,
    DocumentFilter,
    Project,
    Shown,
    TreeTable,
    VectorBatch,
)


@pytest.fixture
def clustered(project: Project, bring: Callable[..., object]) -> Project:
    """Four texts, two of them in a cluster."""
    bring(project, [("1", "a card"), ("2", "a card too"), ("3", "a parcel"), ("4", "a parcel too")])
    encoder = project.vectors.encoder(
        "f", name="tiny", folder="tiny", dimension=2, precision="fp32", settings={}
    )
    texts = project.texts.without_vector(encoder.id)
    project.vectors.append(
        encoder,
        VectorBatch(
            texts, np.eye(2, dtype=np.float32)[[0, 0, 1, 1]], np.ones(4, np.int32),
            np.ones(4, np.int32), np.zeros(4, bool), np.zeros((0, 2), np.float32),
        ),
    )  # fmt: skip
    project.meta.set("encoder", str(encoder.id))
    tree = TreeTable(
        np.array([-1, 0, 0], np.int32), np.array([0, 1, 1], np.float32),
        np.array([0, 2, 2], np.float32), np.array([4, 2, 2]),
        ((), ("card", "Karte"), ("parcel",)), ((), (1, 2), (3,)),
        np.array([1, 2, 3, 4]), np.array([1, 1, 2, 2], np.int32), np.ones(4, np.float32),
    )  # fmt: skip
    project.clusters.replace(
        encoder=encoder.id, options={"min_size": 2}, inputs=project.inputs_of_layout(),
        levels=[[1], [1, 2]], tree=tree, shown=shown(0), run=None,
    )  # fmt: skip
    return project


def shown(level: int) -> Shown:
    return Shown(
        level, 1.0, {"clusters": 1, "unclustered": 2},
        (ClusterRow(1, "card", ("card", "Karte"), 2, 2, (1, 2), False, False, False, 3),),
        ClusterLabels(
            np.array([1, 2, 3, 4]), np.array([1, 1, -1, -1], np.int32),
            np.array([1, 0.5, 0, 0], np.float32), np.array([0, 1, 0, 0], np.uint8),
        ),
    )  # fmt: skip


def test_a_clustering_comes_back_as_it_was_stored(clustered: Project):
    current = clustered.clusters.current()
    assert (current.levels, current.level) == ((1, 2), 0)
    assert [nodes.tolist() for nodes in clustered.clusters.level_nodes(current.id)] == [[1], [1, 2]]
    assert clustered.clusters.listed()[0].keywords == ("card", "Karte")
    labels = clustered.clusters.labels()
    assert labels.cluster.tolist() == [1, 1, -1, -1]
    assert labels.strength.tolist() == [1, 0.5, 0, 0]
    assert labels.how.tolist() == [0, 1, 0, 0]


def test_the_tree_is_the_same_with_and_without_its_cache(clustered: Project):
    number = clustered.clusters.current().id
    first = clustered.clusters.tree(number)
    second = clustered.clusters.tree(number)  # from the cache
    for file in (clustered.folder / "cache").iterdir():
        file.write_bytes(b"nonsense")
    third = clustered.clusters.tree(number)
    for one, two, three in zip(*(_arrays(tree) for tree in (first, second, third)), strict=True):
        assert one.tolist() == two.tolist() == three.tolist()
    assert first.keywords == ((), ("card", "Karte"), ("parcel",))


def _arrays(tree: TreeTable) -> list[np.ndarray]:
    return [tree.parent, tree.birth, tree.persistence, tree.rows, tree.texts, tree.node, tree.fall]


def test_showing_another_level_replaces_clusters_and_members(clustered: Project):
    number = clustered.clusters.current().id
    clustered.clusters.labels()
    other = shown(1)
    labels = ClusterLabels(
        other.labels.texts, np.array([1, 1, 2, 2], np.int32), other.labels.strength,
        other.labels.how,
    )  # fmt: skip
    clustered.clusters.show(number, Shown(1, 0.1, {"clusters": 1}, other.clusters, labels))
    assert clustered.clusters.current().level == 1
    assert clustered.clusters.labels().cluster.tolist() == [1, 1, 2, 2]  # no stale cache


def test_rows_are_filtered_by_cluster(clustered: Project):
    documents = clustered.documents
    assert documents.order(DocumentFilter(cluster=1)).tolist() == [1, 2]
    assert documents.texts(DocumentFilter(cluster=-1)).tolist() == [3, 4]


def test_rows_are_filtered_by_decision(clustered: Project):
    clustered.decisions.decide([(1, 3)], "same", title="Same")
    documents = clustered.documents
    assert documents.order(DocumentFilter(decision="same")).tolist() == [1, 3]
    assert documents.order(DocumentFilter(decision="different")).tolist() == []
    assert documents.order(DocumentFilter(decision="undecided")).tolist() == [2, 4]


def test_new_rows_make_the_clusters_stale(clustered: Project, bring: Callable[..., object]):
    assert not clustered.state().clusters_stale
    bring(clustered, [("5", "another")], name="more")
    assert clustered.state().clusters_stale


def test_an_edit_can_be_undone_and_redone(clustered: Project):
    clustered.cluster_edits.add("rename", title="Rename", name="cards", anchors=[[1, 2]])
    (edit,) = clustered.cluster_edits.active()
    assert (edit.op, edit.name, edit.anchors, edit.target) == ("rename", "cards", ((1, 2),), None)
    assert clustered.decisions.kinds_of_next(back=True) == {"cluster"}
    assert clustered.decisions.undo() == "Rename"
    assert clustered.cluster_edits.active() == []
    assert clustered.decisions.redo() == "Rename"
    assert clustered.cluster_edits.active() == [edit]


def test_edits_of_one_step_are_undone_together(clustered: Project):
    clustered.cluster_edits.add_all(
        [("split", "", [[1, 2]], [1], None), ("move", "", [], [3], [1])], title="Both"
    )
    assert [edit.op for edit in clustered.cluster_edits.active()] == ["split", "move"]
    clustered.decisions.undo()
    assert clustered.cluster_edits.active() == []


def test_an_edit_leaves_groups_as_fresh_as_they_were(clustered: Project):
    before = clustered.inputs_of_groups(None)
    clustered.cluster_edits.add("exclude", title="Leave out", anchors=[[1, 2]])
    assert clustered.inputs_of_groups(None) == before


def test_a_cross_table_counts_rows_by_cluster_and_value(clustered: Project):
    table = clustered.clusters.cross_table("text", most=1)
    assert table.clusters == (-1, 1)
    assert table.rows.sum() == 4
    assert table.values[-1] == "other"


def test_a_full_disk_costs_the_cache_only(
    clustered: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    assert clustered.clusters.labels().cluster.tolist() == [1, 1, -1, -1]
    assert not list((clustered.folder / "cache").glob("labels*"))
