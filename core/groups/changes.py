"""Which groups came, went and changed between two groupings of the same texts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GroupChanges:
    """Groups that differ, the one with the most moved texts first, and the texts that moved.

    Texts are positions from 0 on. The arrays of groups are (g,), -1 stands for no group. The
    arrays of moved texts are (t,), group by group: `group` is a position among the groups,
    `beside` the kept text that the moved one is to be read beside.
    """

    before: Ints  # the kept text of the group before
    after: Ints  # the kept text of the group now
    texts_before: Ints
    texts_after: Ints
    joined: Ints  # how many moved texts joined
    gone: Ints  # how many left
    group: Ints
    text: Ints
    beside: Ints
    is_joined: Truths

    def __len__(self) -> int:
        return len(self.before)

    @property
    def is_gained(self) -> Truths:
        found: Truths = self.before < 0
        return found

    @property
    def is_lost(self) -> Truths:
        found: Truths = self.after < 0
        return found


def changed_groups(kept_before: Ints, kept_after: Ints) -> GroupChanges:
    """Compare two groupings, told as the kept text of each text (n,); a kept one names itself.

    A group is two texts or more. One before and one now are the same group where each is the
    other's best match by the texts they share, and they share two of them or have the same
    kept text. Whole groups that were merged, or split off, show as texts that joined or left
    the group they are matched with; they are no gains or losses of their own.
    """
    n = len(kept_before)
    size_before = np.bincount(kept_before, minlength=n)
    size_after = np.bincount(kept_after, minlength=n)
    matched_before, matched_after = _matched(kept_before, kept_after, size_before, size_after)
    leads_before, leads_after = np.flatnonzero(size_before > 1), np.flatnonzero(size_after > 1)
    lost = np.setdiff1d(leads_before, matched_before)
    gained = np.setdiff1d(leads_after, matched_after)
    nobody = np.full(max(len(lost), len(gained)), -1, np.int64)
    before = np.concatenate([matched_before, lost, nobody[: len(gained)]])
    after = np.concatenate([matched_after, nobody[: len(lost)], gained])
    moved = _moved(kept_before, kept_after, before, after)
    return _in_order(before, after, size_before, size_after, *moved)


def _matched(
    kept_before: Ints, kept_after: Ints, size_before: Ints, size_after: Ints
) -> tuple[Ints, Ints]:
    """The kept texts, before and now, of groups that are each other's best match."""
    n = len(kept_before)
    in_both = (size_before[kept_before] > 1) & (size_after[kept_after] > 1)
    keys, shared = np.unique(kept_before[in_both] * n + kept_after[in_both], return_counts=True)
    b, a = keys // max(n, 1), keys % max(n, 1)
    likely = (shared > 1) | (a == b)
    b, a, shared = b[likely], a[likely], shared[likely]
    best = np.ones(len(b), np.bool_)
    for own, other in ((b, a), (a, b)):
        order = np.lexsort((other, a != b, -shared, own))
        first = np.ones(len(order), np.bool_)
        first[1:] = own[order][1:] != own[order][:-1]
        best[order[~first]] = False
    return b[best], a[best]


def _moved(
    kept_before: Ints, kept_after: Ints, before: Ints, after: Ints
) -> tuple[Ints, Ints, Ints, Truths]:
    """(group, text, beside, joined) of every text that came to or left one of the groups."""
    n = len(kept_before)
    texts = np.arange(n)
    group_before, group_after = np.full(n, -1), np.full(n, -1)
    group_before[before[before >= 0]] = np.flatnonzero(before >= 0)
    group_after[after[after >= 0]] = np.flatnonzero(after >= 0)
    parts = []
    for is_joined, here, there, own, other in (
        (True, group_after[kept_after], group_before[kept_before], after, before),
        (False, group_before[kept_before], group_after[kept_after], before, after),
    ):
        at = np.flatnonzero((here >= 0) & (here != there))
        leader, partner = own[here[at]], other[here[at]]
        kept_there = kept_before if is_joined else kept_after
        # Of a group without a match only those count that its kept text was, or is, apart from.
        apart = (partner >= 0) | (kept_there[texts[at]] != kept_there[leader])
        beside = np.where((texts[at] == leader) & (partner >= 0), partner, leader)
        real = apart & (beside != texts[at])
        parts.append((here[at][real], at[real], beside[real], np.full(int(real.sum()), is_joined)))
    first, second = parts
    group, text, beside, joined = (np.concatenate(two) for two in zip(first, second, strict=True))
    return group, text, beside, joined


def _in_order(
    before: Ints,
    after: Ints,
    size_before: Ints,
    size_after: Ints,
    group: Ints,
    text: Ints,
    beside: Ints,
    is_joined: Truths,
) -> GroupChanges:
    joined = np.bincount(group[is_joined], minlength=len(before))
    gone = np.bincount(group[~is_joined], minlength=len(before))
    leader = np.where(after >= 0, after, before)
    order = np.lexsort((leader, -(joined + gone)))
    order = order[(joined + gone)[order] > 0]
    place = np.full(len(before), -1)
    place[order] = np.arange(len(order))
    lines = np.lexsort((text, ~is_joined, place[group]))
    b, a = before[order], after[order]
    return GroupChanges(
        b, a,
        np.where(b >= 0, size_before[b], 0), np.where(a >= 0, size_after[a], 0),
        joined[order], gone[order],
        place[group][lines], text[lines], beside[lines], is_joined[lines],
    )  # fmt: skip
