"""What a cluster looks like: its number, its words, its typical texts and its colour."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.store import ClusterRow, TreeTable

_NAME_WORDS = 3  # keywords that make the name of a cluster
_ALIKE = 0.5  # overlap (Jaccard) from which a node's words serve a cluster made by hand
_EXEMPLARS = 5
_KEYWORDS = 10


@dataclass(frozen=True, slots=True)
class Face:
    """What a person recognises a cluster by."""

    name: str
    keywords: tuple[str, ...]
    exemplars: tuple[int, ...]
    color: int


class Faces:
    """The faces of the clusters of one tree; a node keeps its face at every level."""

    def __init__(self, table: TreeTable) -> None:
        self._table = table
        self._texts = self._below(np.arange(len(table.texts)))
        self._colors = _colors(table)
        self.behind = len(table.parent)  # numbers from here on are no nodes

    def of(self, at: NDArray[np.int64], node: int | None, *, by_hand: bool) -> Face:
        """The face of the texts at these places; `node` is theirs in the tree, None for none."""
        if node is not None and not by_hand:
            keywords, exemplars = self._table.keywords[node], self._table.exemplars[node]
        else:
            keywords, exemplars = self._nearest_words(at)
        name = ", ".join(keywords[:_NAME_WORDS]) or "cluster"
        color = 0 if node is None else int(self._colors[node])
        return Face(name, keywords, exemplars, color)

    def _nearest_words(self, at: NDArray[np.int64]) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The words of the node that is most alike, or of the nodes that the texts come from."""
        inside = self._below(at)
        overlap = inside / np.maximum(self._texts + len(at) - inside, 1)
        overlap[0] = 0  # the whole corpus has no words of its own
        best = int(overlap.argmax())
        nodes = [best]
        if overlap[best] < _ALIKE:
            deepest, counts = np.unique(self._table.node[at], return_counts=True)
            nodes = deepest[np.argsort(-counts, kind="stable")].tolist()
        held = set(self._table.texts[at].tolist())
        typical = _in_turn([self._table.exemplars[node] for node in nodes])
        exemplars = dict.fromkeys(text for text in typical if text in held)
        exemplars.update(dict.fromkeys(self._table.texts[at[:_EXEMPLARS]].tolist()))
        words = _in_turn([self._table.keywords[node] for node in nodes])
        return tuple(words[:_KEYWORDS]), tuple(exemplars)[:_EXEMPLARS]

    def _below(self, at: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many of the texts at these places each node holds, its parts included."""
        counts = np.bincount(self._table.node[at], minlength=len(self._table.parent))
        for node in range(len(counts) - 1, 0, -1):  # a node comes after its whole
            counts[self._table.parent[node]] += counts[node]
        return counts.astype(np.int64)


def told_apart(rows: Sequence[ClusterRow]) -> list[ClusterRow]:
    """The rows with names that differ: by more of their words, or by a number at last."""
    taken = {row.name for row in rows if row.is_named}
    told = []
    for row in rows:
        name = row.name
        if not row.is_named:
            longer = (", ".join(row.keywords[:n]) for n in range(_NAME_WORDS, _KEYWORDS))
            numbered = (f"{row.name} ({n})" for n in range(2, len(rows) + 2))
            names = (name, *longer, *numbered)
            name = next(one for one in names if one and one not in taken)
            taken.add(name)
        told.append(replace(row, name=name))
    return told


def _in_turn(lists: Sequence[Sequence[Any]]) -> list[Any]:
    """The first of each, then the second of each …, each once."""
    gone = object()
    rows = zip_longest(*lists, fillvalue=gone)
    return list(dict.fromkeys(one for row in rows for one in row if one is not gone))


def _colors(table: TreeTable) -> NDArray[np.int64]:
    """A colour for each node: the largest part keeps its whole's, so that levels look alike."""
    colors = np.zeros(len(table.parent), np.int64)
    heir: dict[int, int] = {}
    for node in np.lexsort((np.arange(len(table.rows)), -table.rows)):
        heir.setdefault(int(table.parent[node]), int(node))
    last = 0
    for node in range(len(table.parent)):
        whole = int(table.parent[node])
        if whole > 0 and heir[whole] == node:
            colors[node] = colors[whole]
        elif whole >= 0:
            colors[node] = last
            last += 1
    return colors
