"""Which texts a search may find: a value that becomes chips and goes to the engine."""

from dataclasses import dataclass, replace
from typing import Any

MARKS = {
    "copy": "Copies",
    "kept": "Kept",
    "removed": "Removed",
    "long": "Longer than the encoder reads at once",
    "very short": "Very short",
    "unreadable": "Unreadable for the encoder",
}
DECISIONS = {
    "same": "Decided the same",
    "different": "Decided different",
    "unsure": "Unsure",
    "undecided": "Not decided",
}
UNCLUSTERED = -1


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """What is asked of a text beside the question; empty fields ask for nothing."""

    columns: tuple[tuple[str, str], ...] = ()  # (column, words it holds)
    source: tuple[int, str] | None = None  # a file, with its name
    mark: str = ""
    cluster: tuple[int, str] | None = None  # a number, -1 for none, with its name
    decision: str = ""

    @property
    def is_empty(self) -> bool:
        return self == NO_FILTER

    @property
    def chips(self) -> tuple[str, ...]:
        """What each part asks for, in words, in a steady order."""
        told = [f"{name}: {words}" for name, words in self.columns]
        if self.source is not None:
            told.append(f"File: {self.source[1]}")
        if self.mark:
            told.append(MARKS[self.mark])
        if self.cluster is not None:
            told.append(f"Cluster: {self.cluster[1]}")
        if self.decision:
            told.append(DECISIONS[self.decision])
        return tuple(told)

    def without(self, at: int) -> "SearchFilter":
        """The filter with the part of one chip taken away."""
        if at < len(self.columns):
            return replace(self, columns=self.columns[:at] + self.columns[at + 1 :])
        parts = ("source", "mark", "cluster", "decision")
        set_parts = [name for name in parts if getattr(self, name)]
        name = set_parts[at - len(self.columns)]
        return replace(self, **{name: getattr(NO_FILTER, name)})

    def with_column(self, name: str, words: str) -> "SearchFilter":
        """The filter narrowed to rows whose column holds these words."""
        if (name, words) in self.columns:
            return self
        return replace(self, columns=(*self.columns, (name, words)))

    def values(self) -> dict[str, Any]:
        """The fields of a filter on rows that are set."""
        told: dict[str, Any] = {}
        if self.columns:
            told["columns"] = [list(pair) for pair in self.columns]
        if self.source is not None:
            told["source"] = self.source[0]
        if self.mark:
            told["mark"] = self.mark
        if self.cluster is not None:
            told["cluster"] = self.cluster[0]
        if self.decision:
            told["decision"] = self.decision
        return told


NO_FILTER = SearchFilter()
