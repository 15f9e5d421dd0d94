"""What a person does to clusters and texts: wishes to the engine, and what came of them."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.jobs import JobEnd
from app.workspace import Workspace
from core.records import Verdict

MOST_DECIDED = 20  # texts that can be decided together
_DONE = {
    "Rename": "Renamed", "Name": "Named", "Merge": "Merged", "Move": "Moved", "Make": "Made",
    "Take": "Took", "Leave": "Left",
}  # fmt: skip


class MapHand(QObject):
    """Sends edits and decisions to the live lane; each is one step of undo."""

    done = Signal(str)  # what was done, in words
    failed = Signal(object)  # JobEnd

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._under_way = 0
        workspace.closed.connect(self.reset)

    @property
    def is_busy(self) -> bool:
        """Whether something done is not stored yet."""
        return self._under_way > 0

    def reset(self) -> None:
        """Forget what is under way; the project was closed."""
        self._under_way = 0

    def rename(self, cluster: int, name: str) -> None:
        self._edit("rename", clusters=[cluster], name=name)

    def merge(self, clusters: Sequence[int], name: str = "") -> None:
        """Make one cluster of several; without a name it keeps what the largest was given."""
        self._edit("merge", clusters=clusters, name=name)

    def split(self, cluster: int) -> None:
        """Part a cluster as the tree parts it."""
        self._edit("split", clusters=[cluster])

    def split_off(self, texts: Sequence[int], name: str) -> None:
        """Make a cluster of texts."""
        self._edit("split", texts=texts, name=name)

    def move(self, texts: Sequence[int], target: int | None) -> None:
        """Put texts into another cluster, or into none."""
        self._edit("move", texts=texts, target=target)

    def exclude(self, clusters: Sequence[int], *, excluded: bool) -> None:
        """Leave clusters out, or take them back in."""
        self._edit("exclude" if excluded else "include", clusters=clusters)

    def decide(self, texts: Sequence[int], verdict: Verdict) -> None:
        """Say that these texts are the same, or that each differs from each.

        Sameness passes on, so the first text with each other one says it all.
        """
        if verdict == Verdict.SAME:
            pairs = [[texts[0], other] for other in texts[1:]]
            title = f"{len(texts)} texts are the same"
        else:
            pairs = [list(pair) for pair in combinations(texts, 2)]
            title = f"{len(texts)} texts are different"
        values = {"pairs": pairs, "verdict": str(verdict), "title": title}
        self._start("decide", values, title)

    def undo(self) -> None:
        """Take back what was done last."""
        self._start("undo", {}, None)

    def _edit(
        self,
        op: str,
        *,
        clusters: Sequence[int] = (),
        texts: Sequence[int] = (),
        name: str = "",
        target: int | None = None,
    ) -> None:
        values = {
            "op": op, "clusters": list(clusters), "texts": list(texts), "name": name,
            "target": target,
        }  # fmt: skip
        self._start("edit-clusters", values, "")

    def _start(self, wish: str, values: dict[str, Any], words: str | None) -> None:
        self._under_way += 1
        self._workspace.start(
            wish, values, title="Changing the clusters", lane="live",
            then=lambda end: self._settle(end, words),
        )  # fmt: skip

    def _settle(self, end: JobEnd, words: str | None) -> None:
        self._under_way = max(self._under_way - 1, 0)
        if end.kind == "failed":
            self.failed.emit(end)
        elif end.kind == "finished" and words is not None:
            self.done.emit(_past(words or end.outcome["title"]))


def _past(title: str) -> str:
    """The title of a step, which is a request, as something that was done."""
    for verb, done in _DONE.items():
        if title.startswith(f"{verb} "):
            return done + title.removeprefix(verb)
    return title
