"""Pairs and triplets from labelled texts: what carries one label means the same.

Nothing is paired with itself or its copy, and no pair comes twice in either order. All pairs of a
large label are never written down.
"""

from dataclasses import dataclass

import numpy as np

from core.errors import UserError
from core.examples.drawing import all_pairs, draw, shares, unordered_pairs
from core.examples.joining import numbered, pair_keys
from core.examples.kinds import DECISIONS, LabelledPairs, LabelledTexts, Rows, Triplets

_TRIES = 50  # rounds of drawing evenly over labels before any different pair is taken


@dataclass(frozen=True, slots=True)
class MadePairs:
    """Decisions that follow from labels, and what a person must know of them."""

    pairs: LabelledPairs
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MadeTriplets:
    """Triplets that follow from labels or pairs, and what a person must know of them."""

    triplets: Triplets
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _ByLabel:
    """Distinct texts in the order of their labels; label l holds starts[l] to starts[l + 1]."""

    texts: tuple[str, ...]
    starts: Rows  # (labels + 1,)
    notes: tuple[str, ...]

    @property
    def sizes(self) -> Rows:
        return np.diff(self.starts)


def pairs_from_texts(
    texts: LabelledTexts, *, same: int, different: int, seed: int = 0
) -> MadePairs:
    """Make so many pairs of one label (same) and of two (different), in a random order.

    Same pairs are dealt evenly over the labels as far as their texts reach; different pairs take
    each label about as often. Where there are fewer, all are made and that is told. Texts that
    stand under two labels are left out. Raises `UserError` where nothing can be made.
    """
    random = np.random.default_rng(seed)
    grouped = _by_label(texts)
    left_same, right_same = _same_pairs(grouped, same, random)
    left_other, right_other = _different_pairs(grouped, different, random)
    left, right = np.concatenate((left_same, left_other)), np.concatenate((right_same, right_other))
    label = np.repeat(np.array((1, 0), np.int64), (len(left_same), len(left_other)))
    if not len(left):
        raise UserError(
            "No pair can be made of these labelled texts.",
            "Give at least two texts to a label, or texts with two labels.",
        )
    turned = random.random(len(left)) < 0.5
    left, right = np.where(turned, right, left), np.where(turned, left, right)
    order = random.permutation(len(left))
    pairs = LabelledPairs(
        _texts(grouped, left[order]), _texts(grouped, right[order]), label[order], DECISIONS
    )
    fewer = _fewer(len(left_same), same, "same pairs") + _fewer(
        len(left_other), different, "different pairs"
    )
    return MadePairs(pairs, grouped.notes + fewer)


def triplets_from_texts(texts: LabelledTexts, *, count: int, seed: int = 0) -> MadeTriplets:
    """Make so many triplets, in a random order: two texts of one label and one of another.

    They are dealt evenly over the labels that have two texts. No two triplets agree in all three
    texts, whichever of the first two is the anchor. Otherwise as `pairs_from_texts`.
    """
    random = np.random.default_rng(seed)
    grouped = _by_label(texts)
    total = len(grouped.texts)
    inside = np.array([all_pairs(size) for size in grouped.sizes.tolist()], np.int64)
    outside = total - grouped.sizes
    parts: list[Rows] = []
    wanted = shares(inside * outside, count, random)
    for label in np.flatnonzero(wanted):
        start, end = grouped.starts[label : label + 2]
        codes = draw(int(inside[label] * outside[label]), int(wanted[label]), random)
        one, two = unordered_pairs(codes // outside[label])
        negative = codes % outside[label]
        negative = np.where(negative < start, negative, negative + end - start)
        parts.append(np.column_stack((one + start, two + start, negative)))
    if not parts:
        raise UserError(
            "No triplet can be made of these labelled texts.",
            "Give two texts to one label at least, and a text to another.",
        )
    rows = random.permutation(np.concatenate(parts))
    turned = random.random(len(rows)) < 0.5
    rows[turned, 0], rows[turned, 1] = rows[turned, 1], rows[turned, 0]
    triplets = Triplets(*(_texts(grouped, column) for column in rows.T))
    return MadeTriplets(triplets, grouped.notes + _fewer(len(rows), count, "triplets"))


def _by_label(texts: LabelledTexts) -> _ByLabel:
    """Take each text once; those that stand under two labels are left out and told."""
    _, (number,) = numbered(texts.text)
    _, first, place = np.unique(number, return_index=True, return_inverse=True)
    told = texts.label[first]
    odd = np.zeros(len(first), np.bool_)
    odd[place.reshape(-1)[texts.label != told[place.reshape(-1)]]] = True
    kept = np.flatnonzero(~odd)
    kept = kept[np.argsort(told[kept], kind="stable")]
    starts = np.searchsorted(told[kept], np.arange(len(texts.names) + 1))
    count = int(odd.sum())
    notes = (f"Texts that stand under more than one label were left out: {count:,}.",)
    distinct = tuple(texts.text[at] for at in first[kept].tolist())
    return _ByLabel(distinct, starts, notes if count else ())


def _same_pairs(grouped: _ByLabel, count: int, random: np.random.Generator) -> tuple[Rows, Rows]:
    capacity = np.array([all_pairs(size) for size in grouped.sizes.tolist()], np.int64)
    wanted = shares(capacity, count, random)
    lefts, rights = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for label in np.flatnonzero(wanted):
        one, two = unordered_pairs(draw(int(capacity[label]), int(wanted[label]), random))
        lefts.append(one + grouped.starts[label])
        rights.append(two + grouped.starts[label])
    return np.concatenate(lefts), np.concatenate(rights)


def _different_pairs(
    grouped: _ByLabel, count: int, random: np.random.Generator
) -> tuple[Rows, Rows]:
    """Draw pairs over labels evenly; where nearly all pairs are wanted, over pairs evenly.

    Each text is followed by the texts of later labels: these pairs have the codes ends[i - 1] to
    ends[i] of text i, so that any pair can be had without the others.
    """
    size = len(grouped.texts)
    labels = np.repeat(np.arange(len(grouped.sizes)), grouped.sizes)
    after = size - grouped.starts[labels + 1]
    ends = np.cumsum(after)
    total = int(ends[-1]) if size else 0
    count = min(count, total)
    if count > total // 2:
        return _of_codes(draw(total, count, random), grouped.starts[labels + 1], after, ends)
    keys = np.empty(0, np.int64)
    for _ in range(_TRIES):
        if len(keys) >= count:
            break
        keys = _added(keys, _over_labels(grouped, count - len(keys), random), count, size)
    while len(keys) < count:
        codes = random.integers(0, total, count - len(keys))
        more = _of_codes(codes, grouped.starts[labels + 1], after, ends)
        keys = _added(keys, more, count, size)
    return keys // max(size, 1), keys % max(size, 1)


def _over_labels(grouped: _ByLabel, count: int, random: np.random.Generator) -> tuple[Rows, Rows]:
    """Draw pairs of two labels, each label first as often as any, and a text of each."""
    filled = np.flatnonzero(grouped.sizes)
    turns = -(-count // len(filled))
    one = np.concatenate([random.permutation(len(filled)) for _ in range(turns)])[:count]
    two = (one + random.integers(1, len(filled), count)) % len(filled)
    chosen = []
    for place in (one, two):
        label = filled[place]
        chosen.append(grouped.starts[label] + random.integers(0, grouped.sizes[label]))
    return chosen[0], chosen[1]


def _of_codes(codes: Rows, later: Rows, after: Rows, ends: Rows) -> tuple[Rows, Rows]:
    left = np.searchsorted(ends, codes, side="right")
    return left, later[left] + codes - (ends[left] - after[left])


def _added(keys: Rows, pairs: tuple[Rows, Rows], most: int, size: int) -> Rows:
    """Add pairs that are not there yet, in the order they were drawn, as far as `most`."""
    both = np.concatenate((keys, pair_keys(pairs[0], pairs[1], size)))
    _, first = np.unique(both, return_index=True)
    return both[np.sort(first)][:most]


def _texts(grouped: _ByLabel, places: Rows) -> tuple[str, ...]:
    return tuple(grouped.texts[place] for place in places.tolist())


def _fewer(made: int, asked: int, things: str) -> tuple[str, ...]:
    if made >= asked:
        return ()
    return (f"{asked:,} {things} were asked for; the texts make only {made:,}.",)
