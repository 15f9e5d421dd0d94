"""Edit clusters by hand: each call is one step of undo, and is applied again after re-runs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.store import ClusterRow, Project
from core.workflows.cluster_desk import ClusterDesk

_LEFT_OVER = "unclustered"  # what lists call the rows that no cluster holds
OPERATIONS = ("rename", "merge", "split", "move", "exclude", "include")


def show_level(
    project: Project,
    desk: ClusterDesk,
    level: int | None = None,
    most_unclustered: float | None = None,
) -> dict[str, int]:
    """Show a level of the tree with the edits on top; None keeps what is shown."""
    current = project.clusters.current()
    if current is None:
        raise UserError("The clusters have not been found yet.", "Run: samesense clusters PROJECT.")
    level = current.level if level is None else min(max(level, 0), max(len(desk.levels) - 1, 0))
    most = current.most_unclustered if most_unclustered is None else most_unclustered
    shown, resting = desk.shown(level, most, project.cluster_edits.active())
    project.clusters.show(current.id, shown)
    return {**shown.counts, "resting": len(resting)}


def edit_clusters(
    project: Project,
    desk: ClusterDesk,
    op: str,
    *,
    clusters: Sequence[int] = (),
    texts: Sequence[int] = (),
    name: str = "",
    target: int | None = None,
) -> str:
    """Do one edit and show its outcome; return the title of the step.

    rename: `clusters[0]` is called `name`, or by its words again where that is empty. merge:
    `clusters` become one. split: `clusters[0]` into its parts in the tree, or `texts` become a
    cluster of their own, called `name`. move: `texts` go to the cluster `target`, or to none.
    exclude, include: `clusters` are left out, or taken in again.
    """
    now = _Now(project)
    title = _EDITS[op](project, desk, now, list(clusters), _ids(texts), name.strip(), target)
    show_level(project, desk)
    return title


class _Now:
    """The clusters as they are shown."""

    def __init__(self, project: Project) -> None:
        self._rows = {row.number: row for row in project.clusters.listed()}
        self._labels = project.clusters.labels()
        current = project.clusters.current()
        self.level = 0 if current is None else current.level

    def row(self, number: int) -> ClusterRow:
        """A cluster; raises `UserError` for one that is not shown any more."""
        if number not in self._rows:
            raise UserError(
                "This cluster is not shown any more; nothing was changed.",
                "Look at the list of clusters again.",
            )
        return self._rows[number]

    def refuse_taken(self, name: str, *, but: Sequence[int]) -> None:
        """Raise `UserError` for a name that a person gave to another than these clusters."""
        wanted = " ".join(name.split()).casefold()
        others = [row for row in self._rows.values() if row.is_named and row.number not in but]
        if wanted == _LEFT_OVER:
            raise UserError(
                f"“{name}” is what the rows in no cluster are called.", "Choose another name."
            )
        if wanted and wanted in (row.name.casefold() for row in others):
            raise UserError(
                f"Another cluster is called “{name}” already.",
                "Choose another name, or merge the two.",
            )

    def texts(self, number: int) -> NDArray[np.int64]:
        """The texts of a cluster."""
        self.row(number)
        texts: NDArray[np.int64] = self._labels.texts[self._labels.cluster == number]
        return texts


def _rename(
    project: Project, _desk: ClusterDesk, now: _Now, clusters: list[int],
    _texts: NDArray[np.int64], name: str, _target: int | None,
) -> str:  # fmt: skip
    row = now.row(clusters[0])
    now.refuse_taken(name, but=clusters[:1])
    title = f"Rename “{row.name}” to “{name}”" if name else f"Name “{row.name}” by its words"
    project.cluster_edits.add("rename", title=title, name=name, anchors=[now.texts(clusters[0])])
    return title


def _merge(
    project: Project, _desk: ClusterDesk, now: _Now, clusters: list[int],
    _texts: NDArray[np.int64], name: str, _target: int | None,
) -> str:  # fmt: skip
    chosen = list(dict.fromkeys(clusters))
    if len(chosen) < 2:
        raise UserError("One cluster alone cannot be merged.", "Select two or more.")
    rows = [now.row(number) for number in chosen]
    largest = max(rows, key=lambda row: row.rows)
    now.refuse_taken(name, but=chosen)
    named = name or (largest.name if largest.is_named else "")
    title = f"Merge {len(chosen)} clusters into “{named or largest.name}”"
    project.cluster_edits.add(
        "merge", title=title, name=named, anchors=[now.texts(number) for number in chosen]
    )
    return title


def _split(
    project: Project, desk: ClusterDesk, now: _Now, clusters: list[int],
    texts: NDArray[np.int64], name: str, _target: int | None,
) -> str:  # fmt: skip
    now.refuse_taken(name, but=())
    if len(texts):
        count = "1 text" if len(texts) == 1 else f"{len(texts):,} texts"
        title = f"Make a cluster of {count}" + (f": “{name}”" if name else "")
        project.cluster_edits.add("split", title=title, name=name, texts=texts)
        return title
    row, held = now.row(clusters[0]), now.texts(clusters[0])
    parts = desk.parts(held, now.level)
    if not parts:
        raise UserError(
            f"“{row.name}” has no parts that the texts themselves suggest.",
            "Select some of its texts on the map and make a cluster of them.",
        )
    title = f"Split “{row.name}” into {len(parts)}"
    project.cluster_edits.add("split", title=title, anchors=[held, *parts])
    return title


def _move(
    project: Project, _desk: ClusterDesk, now: _Now, _clusters: list[int],
    texts: NDArray[np.int64], _name: str, target: int | None,
) -> str:  # fmt: skip
    if not len(texts):
        raise UserError("No texts are selected.", "Select the texts to move first.")
    count = "1 text" if len(texts) == 1 else f"{len(texts):,} texts"
    if target is None:
        title = f"Take {count} out of clusters"
    else:
        title = f"Move {count} to “{now.row(target).name}”"
    project.cluster_edits.add(
        "move", title=title, texts=texts, target=None if target is None else now.texts(target)
    )
    return title


def _exclude(
    project: Project, _desk: ClusterDesk, now: _Now, clusters: list[int],
    _texts: NDArray[np.int64], _name: str, _target: int | None,
) -> str:  # fmt: skip
    return _set_aside(project, now, clusters, "exclude", "Leave out")


def _include(
    project: Project, _desk: ClusterDesk, now: _Now, clusters: list[int],
    _texts: NDArray[np.int64], _name: str, _target: int | None,
) -> str:  # fmt: skip
    return _set_aside(project, now, clusters, "include", "Take in again")


def _set_aside(project: Project, now: _Now, clusters: list[int], op: str, verb: str) -> str:
    rows = [now.row(number) for number in clusters]
    what = f"“{rows[0].name}”" if len(rows) == 1 else f"{len(rows)} clusters"
    title = f"{verb} {what}"
    project.cluster_edits.add(op, title=title, anchors=[now.texts(number) for number in clusters])
    return title


_EDITS = {
    "rename": _rename,
    "merge": _merge,
    "split": _split,
    "move": _move,
    "exclude": _exclude,
    "include": _include,
}


def _ids(texts: Sequence[int]) -> NDArray[np.int64]:
    return np.unique(np.asarray(list(texts), np.int64))
