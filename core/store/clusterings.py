"""Clusters: the tree an algorithm found, the level shown, and who is in which cluster."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from core.store.array_cache import ArrayCache
from core.store.database import writing
from core.store.meta import Meta, bump

_PAGE = 100_000
UNCLUSTERED = -1


@dataclass(frozen=True, slots=True)
class ClusteringRecord:
    """A clustering, what it was made from, and what of it is shown."""

    id: int
    encoder: int
    options: dict[str, Any]
    inputs: dict[str, Any]
    levels: tuple[int, ...]  # how many clusters each level has, coarse to fine
    level: int  # the one shown
    most_unclustered: float  # at most this share of the rows is left without a cluster
    counts: dict[str, int]  # clusters, rows, unclustered, texts, excluded, assigned (rows)
    run: int | None


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """A cluster as it is shown."""

    number: int
    name: str  # given by hand, else its keywords
    keywords: tuple[str, ...]
    rows: int
    texts: int
    exemplars: tuple[int, ...]  # texts, the most typical first
    is_named: bool  # by hand
    is_excluded: bool
    by_hand: bool  # made or changed by hand: merged, split, moved into
    color: int  # the same for the same cluster at every level


@dataclass(frozen=True, slots=True)
class ClusterLabels:
    """Which cluster each text is in, arrays of equal length ordered by text."""

    texts: NDArray[np.int64]
    cluster: NDArray[np.int32]  # -1: none
    strength: NDArray[np.float32]  # 0 to 1
    how: NDArray[np.uint8]  # 0 by the algorithm, 1 assigned by neighbours, 2 by hand


@dataclass(frozen=True, slots=True)
class TreeTable:
    """The tree of clusters, from the whole corpus (node 0) to the finest."""

    parent: NDArray[np.int32]  # (m,), -1 for the root
    birth: NDArray[np.float32]  # (m,)
    persistence: NDArray[np.float32]  # (m,)
    rows: NDArray[np.int64]  # (m,)
    keywords: tuple[tuple[str, ...], ...]
    exemplars: tuple[tuple[int, ...], ...]  # ids of texts
    texts: NDArray[np.int64]  # (n,)
    node: NDArray[np.int32]  # (n,) the deepest node each text is in
    fall: NDArray[np.float32]  # (n,) the density at which it falls out of that node


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a clustering."""

    level: int
    most_unclustered: float
    counts: dict[str, int]
    clusters: tuple[ClusterRow, ...]
    labels: ClusterLabels


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Rows counted by cluster and value of a column: the 20 most frequent, then all others."""

    values: tuple[str, ...]
    clusters: tuple[int, ...]
    rows: NDArray[np.int64]  # (clusters, values)


class Clusterings:
    """The clustering of a project; an older one goes when a new one is stored."""

    def __init__(self, db: Database, cache: Path) -> None:
        self._db = db
        self._cache = ArrayCache(cache)

    def replace(
        self,
        *,
        encoder: int,
        options: Mapping[str, Any],
        inputs: Mapping[str, Any],
        levels: Sequence[Sequence[int]],
        tree: TreeTable,
        shown: Shown,
        run: int | None,
    ) -> int:
        """Store a clustering in place of the last one, in one transaction; return its number."""
        with writing(self._db) as connection:
            connection.execute("DELETE FROM clusterings")
            cursor = connection.execute(
                "INSERT INTO clusterings (encoder, options, inputs, levels, level,"
                " most_unclustered, counts, run) VALUES (?, ?, ?, ?, 0, 0, '{}', ?)",
                (encoder, json.dumps(options), json.dumps(inputs),
                 json.dumps([list(map(int, nodes)) for nodes in levels]), run),
            )  # fmt: skip
            number = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO cluster_nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                ((number, node, parent, birth, persistence, rows,
                  json.dumps(words, ensure_ascii=False), json.dumps(list(map(int, typical))))
                 for node, (parent, birth, persistence, rows, words, typical) in enumerate(
                     zip(tree.parent.tolist(), tree.birth.tolist(), tree.persistence.tolist(),
                         tree.rows.tolist(), tree.keywords, tree.exemplars, strict=True))),
            )  # fmt: skip
            connection.executemany(
                "INSERT INTO cluster_texts VALUES (?, ?, ?, ?)",
                zip([number] * len(tree.texts), tree.texts.tolist(), tree.node.tolist(),
                    tree.fall.tolist(), strict=True),
            )  # fmt: skip
            self._write_shown(number, shown)
        return number

    def show(self, clustering: int, shown: Shown) -> None:
        """Show another level, or the same one after an edit by hand."""
        with writing(self._db) as connection:
            connection.execute("DELETE FROM clusters WHERE clustering = ?", (clustering,))
            connection.execute("DELETE FROM memberships WHERE clustering = ?", (clustering,))
            self._write_shown(clustering, shown)

    def current(self) -> ClusteringRecord | None:
        """The clustering that counts, or None before the first."""
        row = self._db.conn.execute(
            "SELECT id, encoder, options, inputs, levels, level, most_unclustered, counts, run"
            " FROM clusterings ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        levels = tuple(len(nodes) for nodes in json.loads(row[4]))
        return ClusteringRecord(
            row[0], row[1], json.loads(row[2]), json.loads(row[3]), levels, row[5], row[6],
            json.loads(row[7]), row[8],
        )  # fmt: skip

    def level_nodes(self, clustering: int) -> list[NDArray[np.int32]]:
        """The nodes that are the clusters of each level, coarse to fine."""
        row = self._db.conn.execute(
            "SELECT levels FROM clusterings WHERE id = ?", (clustering,)
        ).fetchone()
        return [np.array(nodes, np.int32) for nodes in json.loads(row[0])]

    def listed(self) -> list[ClusterRow]:
        """The clusters shown, the largest first; texts without a cluster are in no row."""
        rows = self._db.conn.execute(
            "SELECT number, name, keywords, rows, texts, exemplars, is_named, is_excluded, by_hand,"
            " color FROM clusters WHERE clustering = (SELECT max(id) FROM clusterings)"
            " ORDER BY rows DESC, number"
        )
        return [
            ClusterRow(
                row[0], row[1], tuple(json.loads(row[2])), row[3], row[4],
                tuple(json.loads(row[5])), bool(row[6]), bool(row[7]), bool(row[8]), row[9],
            )
            for row in rows.fetchall()
        ]  # fmt: skip

    def labels(self) -> ClusterLabels:
        """The cluster of every text that rows hold now."""
        meta = Meta(self._db)
        key = f"{self._newest()}-{meta.revision('clusters')}-{meta.revision('corpus')}"
        held = self._cache.load("labels", key)
        if held is None or set(held) != {"texts", "cluster", "strength", "how"}:
            held = self._read_labels()
            self._cache.save("labels", key, held)
        return ClusterLabels(held["texts"], held["cluster"], held["strength"], held["how"])

    def of_texts(self, texts: Sequence[int]) -> dict[int, int]:
        """The cluster of each of these texts that a clustering knows, -1 for none."""
        found: dict[int, int] = {}
        for start in range(0, len(texts), 900):
            part = [int(text) for text in texts[start : start + 900]]
            marks = ",".join("?" * len(part))
            found.update(
                self._db.conn.execute(
                    "SELECT text, cluster FROM memberships WHERE clustering ="
                    f" (SELECT max(id) FROM clusterings) AND text IN ({marks})",
                    part,
                )
            )
        return found

    def tree(self, clustering: int) -> TreeTable:
        """The tree that the algorithm found."""
        nodes = self._db.conn.execute(
            "SELECT parent, birth, persistence, rows, keywords, exemplars FROM cluster_nodes"
            " WHERE clustering = ? ORDER BY node",
            (clustering,),
        ).fetchall()
        key = str(clustering)
        held = self._cache.load("tree", key)
        if held is None or set(held) != {"texts", "node", "fall"}:
            rows = self._db.conn.execute(
                "SELECT text, node, fall FROM cluster_texts WHERE clustering = ? ORDER BY text",
                (clustering,),
            ).fetchall()
            columns = np.array(rows, np.float64).reshape(-1, 3).T
            held = {
                "texts": columns[0].astype(np.int64),
                "node": columns[1].astype(np.int32),
                "fall": columns[2].astype(np.float32),
            }
            self._cache.save("tree", key, held)
        return TreeTable(
            np.array([row[0] for row in nodes], np.int32),
            np.array([row[1] for row in nodes], np.float32),
            np.array([row[2] for row in nodes], np.float32),
            np.array([row[3] for row in nodes], np.int64),
            tuple(tuple(json.loads(row[4])) for row in nodes),
            tuple(tuple(json.loads(row[5])) for row in nodes),
            held["texts"], held["node"], held["fall"],
        )  # fmt: skip

    def cross_table(self, column: str, *, most: int = 20) -> CrossTable:
        """Count rows by cluster and value of a column; blank cells are the value ""."""
        rows = self._db.conn.execute(
            "SELECT m.cluster, d.source, d.cells FROM memberships m"
            " JOIN documents d ON d.text = m.text AND d.live = 1"
            " WHERE m.clustering = (SELECT max(id) FROM clusterings)"
        )
        places: dict[int, int | None] = {}
        for number, told in self._db.conn.execute("SELECT id, columns FROM sources").fetchall():
            names = json.loads(told)
            places[number] = names.index(column) if column in names else None
        counts: dict[tuple[int, str], int] = {}
        for cluster, source, cells in rows:
            at = places[source]
            value = "" if at is None else (json.loads(cells)[at] or "")
            counts[cluster, value] = counts.get((cluster, value), 0) + 1
        return _crossed(counts, most)

    def _write_shown(self, clustering: int, shown: Shown) -> None:
        connection, labels = self._db.conn, shown.labels
        connection.executemany(
            "INSERT INTO clusters VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(clustering, row.number, row.name, json.dumps(row.keywords, ensure_ascii=False),
              row.rows, row.texts, json.dumps(row.exemplars), row.is_named, row.is_excluded,
              row.by_hand, row.color) for row in shown.clusters],
        )  # fmt: skip
        connection.executemany(
            "INSERT INTO memberships VALUES (?, ?, ?, ?, ?)",
            zip([clustering] * len(labels.texts), labels.texts.tolist(), labels.cluster.tolist(),
                labels.strength.tolist(), labels.how.tolist(), strict=True),
        )  # fmt: skip
        connection.execute(
            "UPDATE clusterings SET level = ?, most_unclustered = ?, counts = ? WHERE id = ?",
            (shown.level, shown.most_unclustered, json.dumps(shown.counts), clustering),
        )
        bump(connection, "clusters")

    def _newest(self) -> int:
        row = self._db.conn.execute("SELECT coalesce(max(id), 0) FROM clusterings").fetchone()
        return int(row[0])

    def _read_labels(self) -> dict[str, NDArray[Any]]:
        rows = self._db.conn.execute(
            "SELECT m.text, m.cluster, m.strength, m.how FROM memberships m"
            " JOIN texts t ON t.id = m.text AND t.rows > 0"
            " WHERE m.clustering = (SELECT max(id) FROM clusterings) ORDER BY m.text"
        )
        parts = [np.zeros((0, 4))]
        while page := rows.fetchmany(_PAGE):
            parts.append(np.array(page, np.float64))
        columns = np.concatenate(parts).T
        return {
            "texts": columns[0].astype(np.int64),
            "cluster": columns[1].astype(np.int32),
            "strength": columns[2].astype(np.float32),
            "how": columns[3].astype(np.uint8),
        }


def _crossed(counts: Mapping[tuple[int, str], int], most: int) -> CrossTable:
    totals: dict[str, int] = {}
    for (_, value), rows in counts.items():
        totals[value] = totals.get(value, 0) + rows
    frequent = sorted(totals, key=lambda value: (-totals[value], value))
    values = frequent[:most]
    place = {value: at for at, value in enumerate(values)}
    clusters = sorted({cluster for cluster, _ in counts})
    row_of = {cluster: at for at, cluster in enumerate(clusters)}
    width = len(values) + (len(frequent) > most)
    table = np.zeros((len(clusters), width), np.int64)
    for (cluster, value), count in counts.items():
        table[row_of[cluster], place.get(value, most)] += count
    named = (*values, "other") if width > len(values) else tuple(values)
    return CrossTable(named, tuple(clusters), table)
