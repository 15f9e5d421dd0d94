"""What a grouping needs, in memory, so that a slider can be followed."""

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.groups import (
    Counts,
    Grouping,
    LinkTable,
    counts,
    degrees,
    group_texts,
    histogram,
    prepare,
    priorities,
    review_pairs,
)
from core.options import GroupOptions
from core.records import Flag
from core.store import Pairing, Project

Ints = NDArray[np.int64]

GUARDS = Flag.NUMBERS | Flag.NEGATION | Flag.NAMES
ALWAYS_HELD = Flag.PARTS | Flag.UNREADABLE | Flag.SHORT
_NO_DATE = np.iinfo(np.int64).min


class GroupingDesk:
    """Everything a grouping needs, in memory, so that a slider can be followed.

    Texts are positions into `ids`. Loading reads the pair cache once; after that a new
    threshold costs no reading at all. Make a new desk when `is_current` says no.
    """

    def __init__(self, project: Project) -> None:
        pairing = project.pairs.current()
        if pairing is None:
            raise UserError("The pairs have not been found yet.", "Run: samesense pairs PROJECT.")
        self.pairing: Pairing = pairing
        self.corpus = project.meta.revision("corpus")
        self._texts = project.texts.table()
        self.ids: Ints = self._texts.ids
        self._load_pairs(project)
        self._links: dict[bool, LinkTable] = {}
        self._dates: dict[str, Ints] = {}
        self._facts = project.documents.keeping_facts()
        self.blank = project.documents.count() - len(self._facts)
        self.load_decisions(project)

    def load_decisions(self, project: Project) -> None:
        """Read the decisions again; everything else is as it was."""
        self.decisions = project.meta.revision("decisions")
        table = project.decisions.table()
        self.same = self._positions(table.same)
        self.different = self._positions(table.different)
        self.unsure = self._positions(table.unsure)
        self.kept_by_hand = set(project.decisions.kept_by_hand())

    def is_current(self, project: Project) -> bool:
        """Whether rows and pairs are still those that were loaded."""
        return (
            project.pairs.current() == self.pairing
            and project.meta.revision("corpus") == self.corpus
        )

    def group(self, project: Project, options: GroupOptions) -> tuple[Grouping, Ints]:
        """Group with these options; also the priority (smaller is rather kept) of each text."""
        links = self.links(options.hold_back)
        rule, _, column = options.keep.partition(":")
        first, pinned = self._places()
        # Only "central" asks for degrees, which cost a pass over the links.
        degree = (
            degrees(len(self.ids), links, threshold=options.threshold)
            if rule == "central"
            else np.zeros(len(self.ids), np.int64)
        )
        priority = priorities(
            rule, place=first, length=self._texts.length, date=self._date(project, column),
            degree=degree, pinned=pinned, hash_rank=self._texts.hash_rank,
        )  # fmt: skip
        grouping = group_texts(
            len(self.ids), links, threshold=options.threshold, priority=priority,
            same=self.same, different=self.different, unsure=self.unsure,
        )  # fmt: skip
        return grouping, priority

    def waiting(self, grouping: Grouping, options: GroupOptions) -> NDArray[np.intp]:
        """Which links wait for a person: positions in `links`."""
        return review_pairs(
            grouping, self.links(options.hold_back), low=options.review,
            threshold=options.threshold, same=self.same, different=self.different,
            unsure=self.unsure,
        )  # fmt: skip

    def counts(self, grouping: Grouping, waiting: int) -> dict[str, int]:
        """Counts over rows; blank rows stay and are counted among the kept."""
        found: Counts = counts(grouping, self._texts.rows, review=waiting)
        told = {**asdict(found), "removed": found.removed, "blank": self.blank}
        told["rows"] += self.blank
        told["kept"] += self.blank
        return told

    def links(self, hold_back: bool) -> LinkTable:
        """The links with the guards applied; made once for each choice."""
        if hold_back not in self._links:
            held = ALWAYS_HELD | (GUARDS if hold_back else 0)
            self._links[hold_back] = prepare(
                self._left, self._right, self._cosine, (self.flags & int(held)) > 0
            )
        return self._links[hold_back]

    def histogram(self, bins: int) -> tuple[list[int], float]:
        """Counts of pairs by cosine from the floor to 1, and that floor."""
        low = min(self.pairing.floor, 0.999)
        found = histogram(self.links(False).cosine, bins, low=low)
        return found.counts.tolist(), low

    def words_of(self, left: Ints, right: Ints) -> NDArray[np.float32]:
        """The word overlap of pairs of positions, nan where they are no measured pair."""
        return self._looked_up(self._words, left, right)

    def flags_of(self, left: Ints, right: Ints) -> NDArray[np.uint8]:
        """The flags of measured pairs of positions."""
        found: NDArray[np.uint8] = np.nan_to_num(
            self._looked_up(self.flags.astype(np.float32), left, right)
        ).astype(np.uint8)
        return found

    def keepers(self, grouping: Grouping, options: GroupOptions) -> Ints:
        """For each text the row that stays of it: chosen by hand, newest, or first."""
        newest = options.keep.startswith("newest:")
        best: dict[int, tuple[bool, str, int]] = {}
        keeper: dict[int, int] = {}
        for document, text, place, _ in self._facts:
            date = self._dates_of_rows.get(document, "") if newest else ""
            rank = (document in self.kept_by_hand, date, -place)
            if text not in best or rank > best[text]:
                best[text], keeper[text] = rank, document
        return np.array([keeper[int(text)] for text in self.ids], np.int64)

    def rows_by_text(self) -> dict[int, list[int]]:
        """The rows of each text (by id of the text), by place."""
        found: dict[int, list[int]] = {}
        for document, text, _, _ in self._facts:
            found.setdefault(text, []).append(document)
        return found

    def _load_pairs(self, project: Project) -> None:
        table = project.pairs.table(self.pairing)
        left, right = self._position(table.left), self._position(table.right)
        used = (left >= 0) & (right >= 0)
        self._left, self._right = left[used], right[used]
        self._cosine = np.asarray(table.cosine[used])
        self._words = np.asarray(table.words[used])
        self.flags = np.asarray(table.flags[used])
        self._key_order: NDArray[np.intp] | None = None

    def _position(self, texts: NDArray[Any]) -> Ints:
        if not len(self.ids):
            return np.full(len(texts), -1, np.int64)
        at = np.searchsorted(self.ids, texts)
        at = np.minimum(at, len(self.ids) - 1)
        return np.where(self.ids[at] == texts, at, -1).astype(np.int64)

    def _positions(self, pairs: Ints) -> Ints:
        at = self._position(pairs.ravel()).reshape(-1, 2)
        return at[(at >= 0).all(axis=1)]

    def _places(self) -> tuple[Ints, NDArray[np.bool_]]:
        first = np.zeros(len(self.ids), np.int64)
        pinned = np.zeros(len(self.ids), np.bool_)
        if self._facts:
            texts = self._position(np.array([fact[1] for fact in self._facts], np.int64))
            places = np.array([fact[2] for fact in self._facts], np.int64)
            first[texts[::-1]] = places[::-1]
            by_hand = np.array([fact[0] in self.kept_by_hand for fact in self._facts])
            pinned[texts[by_hand]] = True
        return first, pinned

    def _date(self, project: Project, column: str) -> Ints:
        if not column:
            return np.zeros(len(self.ids), np.int64)
        if column not in self._dates:
            facts = project.documents.keeping_facts(column)
            if not any(fact[3] for fact in facts):
                raise UserError(
                    f"The column {column} was not imported as dates.",
                    "Import with --date, or choose another rule for the row that stays.",
                )
            self._dates_of_rows = {fact[0]: fact[3] for fact in facts}
            newest = np.full(len(self.ids), _NO_DATE, np.int64)
            told = np.array([fact[3][:19] or "NaT" for fact in facts], "datetime64[s]")
            texts = self._position(np.array([fact[1] for fact in facts], np.int64))
            np.maximum.at(newest, texts, told.astype(np.int64))
            self._dates = {column: newest}
        return self._dates[column]

    def _looked_up(self, values: NDArray[Any], left: Ints, right: Ints) -> NDArray[np.float32]:
        n = len(self.ids)
        keys = np.minimum(self._left, self._right) * n + np.maximum(self._left, self._right)
        if self._key_order is None:
            self._key_order = np.argsort(keys)
        wanted = np.minimum(left, right) * n + np.maximum(left, right)
        if not len(keys):
            return np.full(len(wanted), np.nan, np.float32)
        ordered = keys[self._key_order]
        at = np.minimum(np.searchsorted(ordered, wanted), len(keys) - 1)
        found = np.where(ordered[at] == wanted, values[self._key_order[at]], np.nan)
        return found.astype(np.float32)
