"""What decisions imply: the same as the same is the same; what differs differs from its kin."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.examples.drawing import all_pairs, draw, shares, unordered_pairs
from core.examples.joining import joined, numbered, pair_keys
from core.examples.kinds import DECISIONS, LabelledPairs, Rows, need_decisions


@dataclass(frozen=True, slots=True)
class Spread:
    """Decisions and what follows from them, each pair once."""

    pairs: LabelledPairs  # those a person made, then those that follow
    follows: NDArray[np.bool_]  # (pairs,)
    contradictions: Rows  # places, in what was given, of "different" between texts bound as same
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Groups:
    """Texts bound by "same": the members of each group, and the pairs of groups that differ."""

    members: tuple[Rows, ...]
    apart: Rows  # (m, 2), places in `members`, smaller first


def contradictions(decisions: LabelledPairs) -> Rows:
    """Return the places of "different" between texts that others bind as the same, rising."""
    need_decisions(decisions)
    numbers, (left, right) = numbered(decisions.left, decisions.right)
    group = _same_groups(len(numbers), left, right, decisions.label)
    return np.flatnonzero((decisions.label == 0) & (group[left] == group[right]))


def spread_decisions(decisions: LabelledPairs, *, most: int = 100_000, seed: int = 0) -> Spread:
    """Add the pairs that decisions imply, at most `most` the same and `most` different, at random.

    Texts bound by "same", directly or in a chain, are the same; where one of them was judged
    different from a text, so is each of them from all that text is bound to. Where a chain and a
    decision contradict each other, nothing follows from that chain, the "different" is left out
    and told, and so is a "same" on the very same pair. Pairs of a text with itself are left out.
    """
    need_decisions(decisions)
    random = np.random.default_rng(seed)
    numbers, (left, right) = numbered(decisions.left, decisions.right)
    group = _same_groups(len(numbers), left, right, decisions.label)
    against = (decisions.label == 0) & (group[left] == group[right])
    keys = pair_keys(left, right, len(numbers))
    sound = (left != right) & ~np.isin(keys, keys[against])
    _, first = np.unique(keys[sound], return_index=True)
    told = np.flatnonzero(sound)[np.sort(first)]
    groups = _sound_groups(group, left[told], right[told], decisions.label[told], against, left)
    drawn = (_within(groups, most + len(told), random), _between(groups, most + len(told), random))
    same, other = (
        _fresh(pairs, pair_keys(*pairs, len(numbers)), keys[told], most, random) for pairs in drawn
    )
    texts = tuple(numbers)
    lefts = np.concatenate((left[told], same[0], other[0]))
    rights = np.concatenate((right[told], same[1], other[1]))
    implied = np.repeat(np.array((1, 0), np.int64), (len(same[0]), len(other[0])))
    pairs = LabelledPairs(
        tuple(texts[at] for at in lefts.tolist()), tuple(texts[at] for at in rights.tolist()),
        np.concatenate((decisions.label[told], implied)), DECISIONS,
    )  # fmt: skip  # left and right in one line
    odd = np.flatnonzero(against)
    return Spread(pairs, np.arange(len(pairs)) >= len(told), odd, _notes(decisions, odd))


def _same_groups(count: int, left: Rows, right: Rows, label: Rows) -> Rows:
    return joined(count, np.column_stack((left, right))[label == 1])


def _sound_groups(
    group: Rows, left: Rows, right: Rows, label: Rows, against: NDArray[np.bool_], all_left: Rows
) -> _Groups:
    """Leave out the groups in which decisions contradict each other."""
    order = np.argsort(group, kind="stable")
    names, starts = np.unique(group[order], return_index=True)
    spoilt = np.isin(names, group[all_left[against]])
    parts = np.split(order, starts[1:]) if len(order) else []
    place = np.full(len(group), -1, np.int64)
    place[names[~spoilt]] = np.arange(int((~spoilt).sum()))
    differ = np.column_stack((place[group[left]], place[group[right]]))[label == 0]
    differ = np.sort(differ[(differ >= 0).all(axis=1)], axis=1)
    members = tuple(part for part, bad in zip(parts, spoilt.tolist(), strict=True) if not bad)
    return _Groups(members, np.unique(differ, axis=0))


def _within(groups: _Groups, most: int, random: np.random.Generator) -> tuple[Rows, Rows]:
    capacity = np.array([all_pairs(len(members)) for members in groups.members], np.int64)
    dealt = shares(capacity, most, random)
    lefts, rights = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for at in np.flatnonzero(dealt).tolist():
        one, two = unordered_pairs(draw(int(capacity[at]), int(dealt[at]), random))
        lefts.append(groups.members[at][one])
        rights.append(groups.members[at][two])
    return np.concatenate(lefts), np.concatenate(rights)


def _between(groups: _Groups, most: int, random: np.random.Generator) -> tuple[Rows, Rows]:
    sizes = np.array([len(members) for members in groups.members], np.int64)
    capacity = sizes[groups.apart].prod(axis=1)
    dealt = shares(capacity, most, random)
    lefts, rights = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for at in np.flatnonzero(dealt).tolist():
        one, two = (groups.members[place] for place in groups.apart[at].tolist())
        codes = draw(int(capacity[at]), int(dealt[at]), random)
        lefts.append(one[codes // len(two)])
        rights.append(two[codes % len(two)])
    return np.concatenate(lefts), np.concatenate(rights)


def _fresh(
    pairs: tuple[Rows, Rows], keys: Rows, told: Rows, most: int, random: np.random.Generator
) -> tuple[Rows, Rows]:
    """Keep what nobody said yet, at most `most` at random."""
    fresh = random.permutation(np.flatnonzero(~np.isin(keys, told)))[:most]
    return pairs[0][fresh], pairs[1][fresh]


def _notes(decisions: LabelledPairs, odd: Rows) -> tuple[str, ...]:
    if not len(odd):
        return ()
    at = int(odd[0])
    return (
        f"Judged different, although other decisions bind them as the same: {len(odd):,}, such as "
        f"“{decisions.left[at][:60]}” and “{decisions.right[at][:60]}”.",
    )
