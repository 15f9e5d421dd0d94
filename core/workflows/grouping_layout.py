"""A grouping turned from arrays of texts into the rows that are stored."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.groups import Grouping, Reason
from core.options import GroupOptions
from core.store import GroupRow, MemberRow, ReviewRow
from core.workflows.grouping_desk import GroupingDesk, Ints


class Layout:
    """The groups, members and waiting pairs of one grouping."""

    def __init__(
        self,
        desk: GroupingDesk,
        grouping: Grouping,
        options: GroupOptions,
        priority: Ints,
        waiting: NDArray[np.intp],
    ) -> None:
        self._desk, self._grouping = desk, grouping
        self._keeper = desk.keepers(grouping, options)
        self._rows = desk.rows_by_text()
        links = desk.links(options.hold_back)
        left, right = links.left[waiting], links.right[waiting]
        swap = priority[left] > priority[right]
        self._kept = np.where(swap, right, left)
        self._candidate = np.where(swap, left, right)
        self._cosine = links.cosine[waiting]

    def groups(self) -> Iterator[GroupRow]:
        ids, of = self._desk.ids, self._grouping.kept_of
        n = len(ids)
        counted = np.array([len(self._rows[int(text)]) for text in ids], np.int64)
        rows = np.bincount(of, weights=counted, minlength=n).astype(np.int64)
        texts = np.bincount(of, minlength=n)
        weakest = np.full(n, np.inf, np.float32)
        np.minimum.at(weakest, of, np.nan_to_num(self._grouping.cosine, nan=np.inf))
        review = np.bincount(self._kept, minlength=n)
        strongest = np.zeros(n, np.float32)
        np.maximum.at(strongest, self._kept, self._cosine)
        for at in np.flatnonzero((self._grouping.is_kept & (rows > 1)) | (review > 0)):
            yield GroupRow(
                int(ids[at]), int(self._keeper[at]), int(rows[at]), int(texts[at]),
                float(weakest[at]) if np.isfinite(weakest[at]) else None, int(review[at]),
                float(strongest[at]) if review[at] else None,
            )  # fmt: skip

    def members(self) -> Iterator[MemberRow]:
        ids, of = self._desk.ids, self._grouping.kept_of
        in_group = np.bincount(of, minlength=len(ids))
        words = self._desk.words_of(np.arange(len(ids)), of)
        for at in range(len(ids)):
            kept = int(of[at])
            rows = self._rows[int(ids[at])]
            if len(rows) == 1 and in_group[kept] == 1:
                continue
            yield from self._of_text(at, kept, rows, float(words[at]))

    def _of_text(self, at: int, kept: int, rows: list[int], words: float) -> Iterator[MemberRow]:
        ids, keeper = self._desk.ids, int(self._keeper[kept])
        reason = Reason(int(self._grouping.reason[at]))
        cosine = float(self._grouping.cosine[at])
        for document in rows:
            if reason is Reason.KEPT:
                told, alike, shared = "kept" if document == keeper else "copy", 1.0, 1.0
            else:
                told, alike, shared = reason.name.lower(), cosine, words
            yield MemberRow(
                document, int(ids[at]), int(ids[kept]), keeper, told,
                None if np.isnan(alike) else round(alike, 6),
                None if np.isnan(shared) else round(shared, 4),
            )  # fmt: skip

    def review(self) -> Iterator[ReviewRow]:
        words = self._desk.words_of(self._kept, self._candidate)
        flags = self._desk.flags_of(self._kept, self._candidate)
        ids = self._desk.ids
        for i in range(len(self._kept)):
            yield ReviewRow(
                int(ids[self._kept[i]]), int(ids[self._candidate[i]]), float(self._cosine[i]),
                float(words[i]), int(flags[i]),
            )  # fmt: skip
