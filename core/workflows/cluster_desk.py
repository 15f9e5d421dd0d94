"""What is shown of a clustering: a level of its tree, with a person's edits on top."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.clusters import ClusterTree, How, Layered, assign, labels_at, reapply
from core.errors import UserError
from core.records import HandEdit, HandOp
from core.store import ClusterEdit, ClusterLabels, ClusterRow, Project, Shown, TreeTable
from core.workflows.cluster_faces import Faces, told_apart
from core.workflows.graphing import Surroundings


class ClusterDesk:
    """A clustering in memory, so that the slider of levels can be followed.

    Everything is in the order of `table.texts`, ascending ids.
    """

    def __init__(
        self,
        table: TreeTable,
        levels: Sequence[NDArray[np.int32]],
        *,
        index: NDArray[np.int32],
        cosine: NDArray[np.float32],
        copies: NDArray[np.int64],
    ) -> None:
        self.table = table
        self.levels = list(levels)
        self._index, self._cosine, self._copies = index, cosine, copies
        self._tree = ClusterTree(
            parent=table.parent, birth=table.birth, rows=table.rows,
            persistence=table.persistence, node_of=table.node, fall=table.fall,
        )  # fmt: skip
        self._faces = Faces(table)

    @classmethod
    def of(
        cls, table: TreeTable, levels: Sequence[NDArray[np.int32]], around: Surroundings
    ) -> "ClusterDesk":
        """The desk of a clustering of exactly these texts."""
        order = np.argsort(around.texts)
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        near = around.graph.index[order]
        index = np.where(near >= 0, place[near], -1).astype(np.int32)
        return cls(
            table, levels, index=index, cosine=around.graph.cosine[order],
            copies=around.copies[order],
        )  # fmt: skip

    @classmethod
    def load(cls, project: Project) -> "ClusterDesk":
        """The desk of the project's clustering; texts that came since are not in it."""
        current = project.clusters.current()
        if current is None:
            raise UserError(
                "The clusters have not been found yet.", "Run: samesense clusters PROJECT."
            )
        table = project.clusters.tree(current.id)
        in_use = project.texts.table()
        copies = np.zeros(len(table.texts), np.int64)
        _, ours, theirs = np.intersect1d(table.texts, in_use.ids, return_indices=True)
        copies[ours] = in_use.rows[theirs]
        index = np.full((len(table.texts), 1), -1, np.int32)
        cosine = np.full((len(table.texts), 1), -2, np.float32)
        graph = project.graphs.load(current.encoder)
        if graph is not None:
            place = np.full(len(graph.texts), -1, np.int32)
            _, ours, theirs = np.intersect1d(table.texts, graph.texts, return_indices=True)
            place[theirs] = ours
            index = np.full((len(table.texts), graph.index.shape[1]), -1, np.int32)
            cosine = np.full(index.shape, -2, np.float32)
            near = graph.index[theirs]
            index[ours] = np.where(near >= 0, place[near], -1)
            cosine[ours] = graph.cosine[theirs]
        return cls(
            table, project.clusters.level_nodes(current.id), index=index, cosine=cosine,
            copies=copies,
        )  # fmt: skip

    def shown(
        self, level: int, most_unclustered: float, edits: Sequence[ClusterEdit]
    ) -> tuple[Shown, tuple[int, ...]]:
        """What a level looks like, and the edits that found nothing to hold on to."""
        nodes = self.levels[level] if self.levels else np.empty(0, np.int32)
        base = labels_at(self._tree, nodes)
        filled = assign(
            base, self._index, self._cosine, self._copies, most_unclustered=most_unclustered
        )
        layered = reapply(filled, [self._hand_edit(edit) for edit in edits], clusters=len(nodes))
        shown = self._described(level, most_unclustered, layered, nodes)
        return shown, tuple(edits[at].id for at in layered.resting)

    def parts(self, texts: NDArray[np.int64], level: int) -> list[NDArray[np.int64]]:
        """The parts these texts fall into at the next finer level that parts them, largest first.

        Empty where no level does.
        """
        at = np.flatnonzero(np.isin(self.table.texts, texts))
        for nodes in self.levels[level + 1 :]:
            inside = labels_at(self._tree, nodes).cluster[at]
            numbers, counts = np.unique(inside[inside >= 0], return_counts=True)
            if len(numbers) > 1:
                largest = numbers[np.argsort(-counts, kind="stable")]
                return [self.table.texts[at[inside == number]] for number in largest]
        return []

    def _hand_edit(self, edit: ClusterEdit) -> HandEdit:
        return HandEdit(
            op=HandOp(edit.op),
            name=edit.name,
            anchors=tuple(self._places(anchor) for anchor in edit.anchors),
            texts=self._places(edit.texts),
            target=None if edit.target is None else self._places(edit.target),
            known=int(np.searchsorted(self.table.texts, edit.newest, side="right")),
        )

    def _places(self, texts: Sequence[int]) -> NDArray[np.int64]:
        return np.flatnonzero(np.isin(self.table.texts, np.asarray(texts, np.int64)))

    def _described(
        self, level: int, most_unclustered: float, layered: Layered, nodes: NDArray[np.int32]
    ) -> Shown:
        labels, copies = layered.labels, self._copies
        cluster = np.full(len(labels.cluster), -1, np.int32)
        rows: list[ClusterRow] = []
        for old in np.unique(labels.cluster[labels.cluster >= 0]).tolist():
            at = np.flatnonzero(labels.cluster == old)
            node = int(nodes[old]) if old < layered.made_from else None
            number = node if node is not None else self._faces.behind + old - layered.made_from
            by_hand = old in layered.by_hand
            face = self._faces.of(at, node, by_hand=by_hand)
            cluster[at] = number
            name = layered.names.get(old, "")
            rows.append(
                ClusterRow(
                    number, name or face.name, face.keywords, int(copies[at].sum()), len(at),
                    face.exemplars, bool(name), old in layered.excluded, by_hand,
                    number if node is None else face.color,
                )
            )  # fmt: skip
        rows.sort(key=lambda row: (-row.rows, row.number))
        rows = told_apart(rows)
        is_assigned = (labels.how == How.ASSIGNED) & (cluster >= 0)
        counts = {
            "clusters": len(rows),
            "rows": int(copies.sum()),
            "texts": int(np.count_nonzero(copies)),
            "unclustered": int(copies[cluster < 0].sum()),
            "assigned": int(copies[is_assigned].sum()),
            "excluded": sum(row.rows for row in rows if row.is_excluded),
        }
        told = ClusterLabels(self.table.texts, cluster, labels.strength, labels.how)
        return Shown(level, most_unclustered, counts, tuple(rows), told)
