"""What taking another encoder into use gained and lost: a look before, a comparison after."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.groups import GroupChanges, changed_groups
from core.pairs import CosineTable, Measured, changed_pairs, cosines, most_telling
from core.progress import Progress, Steps
from core.store import EncoderRecord, GroupingRecord, Pairing, Project
from core.store.differences import Bounds, NewDifference
from core.workflows.grouping_desk import ALWAYS_HELD, GUARDS

MOST_PAIRS = 20_000  # kept of those gained and lost, the most telling ones
MOST_GROUPS = 5_000
MOST_TEXTS = 20_000  # that joined or left the groups kept
MOST_TEXTS_OF_GROUP = 200

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Seen:
    """How pairs and groups stood before: some 21 bytes a pair and 16 a grouped text."""

    encoder: EncoderRecord
    bounds: Bounds
    rows_done: int  # of its matrix, that were compared with each other
    left: Ints  # ids of texts
    right: Ints
    cosine: Floats
    held: NDArray[np.bool_]
    texts: Ints  # ids of the texts in groups …
    kept: Ints  # … and the text kept for each


def look_before(project: Project) -> Seen | None:
    """Keep in memory what is about to be made again with another encoder.

    None where there is nothing to compare with: no groups yet, groups whose pairs are gone, or
    an encoder that is the one they were found with. Call it before the pairs are found again.
    """
    grouping, pairing = project.groupings.current(), project.pairs.current()
    used = project.active_encoder()
    if grouping is None or pairing is None or used is None:
        return None
    if grouping.pairing != pairing.id or pairing.encoder == used.id:
        return None
    before = next(one for one in project.vectors.encoders() if one.id == pairing.encoder)
    return _seen(project, before, grouping, pairing)


def keep_difference(project: Project, seen: Seen | None) -> Steps[int | None]:
    """Compare how things stand now with how they stood, and keep what differs.

    Only texts count that both encoders compared. Nothing is stored before all is known; the
    number of the difference is None where there is none to be told.
    """
    grouping, pairing = project.groupings.current(), project.pairs.current()
    used = project.active_encoder()
    if seen is None or grouping is None or pairing is None or used is None:
        return None
    is_told = pairing.encoder == used.id != seen.encoder.id and grouping.pairing == pairing.id
    if not is_told or not project.vectors.is_whole(seen.encoder):
        return None
    yield Progress("Comparing before and after")
    now = _seen(project, used, grouping, pairing)
    common = _Common.of(project, seen, now)
    yield Progress("Comparing before and after")
    difference = yield from _difference(seen, now, common, grouping)
    return project.differences.replace(difference)


def _seen(
    project: Project, encoder: EncoderRecord, grouping: GroupingRecord, pairing: Pairing
) -> Seen:
    table = project.pairs.table(pairing)
    held = ALWAYS_HELD | (GUARDS if _holds_back(project, grouping) else 0)
    texts, kept = project.groupings.kept_texts()
    return Seen(
        encoder, Bounds(grouping.threshold, grouping.review), pairing.rows_done,
        np.array(table.left), np.array(table.right), np.array(table.cosine),
        (np.asarray(table.flags) & int(held)) > 0, texts, kept,
    )  # fmt: skip  # copies: the cache they are mapped from is about to go


def _holds_back(project: Project, grouping: GroupingRecord) -> bool:
    if grouping.run is None:
        return True
    return bool(project.runs.get(grouping.run).options.get("hold_back", True))


@dataclass(frozen=True, slots=True)
class _Common:
    """The texts that both encoders compared, by position, and where their vectors are."""

    ids: Ints
    vectors: tuple[Floats, Floats]  # before, after: the whole matrices
    rows: tuple[Ints, Ints]
    kept: tuple[Ints, Ints]  # the kept text of each, by position
    in_use: int  # texts that rows hold now

    @staticmethod
    def of(project: Project, seen: Seen, now: Seen) -> "_Common":
        sides = []
        for side in (seen, now):
            matrix, texts, rows = project.vectors.text_rows(side.encoder)
            done = rows < side.rows_done
            order = np.argsort(texts[done])
            sides.append((matrix, texts[done][order], rows[done][order]))
        ids = np.intersect1d(sides[0][1], sides[1][1], assume_unique=True)
        ids = _led_by_known(ids, (seen, now))
        (matrix, texts, rows), (other_matrix, other_texts, other_rows) = sides
        return _Common(
            ids, (matrix, other_matrix),
            (rows[np.searchsorted(texts, ids)], other_rows[np.searchsorted(other_texts, ids)]),
            (_kept_of(ids, seen), _kept_of(ids, now)), project.texts.count(),
        )  # fmt: skip

    def measured(self, side: Seen) -> Measured:
        """The pairs of one side among these texts, as positions."""
        left, right = _positions(self.ids, side.left), _positions(self.ids, side.right)
        known = (left >= 0) & (right >= 0)
        left, right = left[known], right[known]
        return Measured(
            np.minimum(left, right), np.maximum(left, right), side.cosine[known],
            side.held[known], side.bounds.threshold, side.bounds.review,
        )  # fmt: skip

    def fill(self, cosine: Floats, left: Ints, right: Ints, side: int) -> Steps[Floats]:
        """Measure the pairs that `cosine` has no number for, by one side's vectors."""
        missing = np.flatnonzero(np.isnan(cosine))
        rows, filled, done = self.rows[side], cosine.copy(), 0
        for part in cosines(self.vectors[side], rows[left[missing]], rows[right[missing]]):
            filled[missing[done : done + len(part)]] = part
            done += len(part)
            yield Progress("Comparing before and after", done, len(missing), "pairs")
        return filled


def _difference(
    seen: Seen, now: Seen, common: _Common, grouping: GroupingRecord
) -> Steps[NewDifference]:
    n = len(common.ids)
    sides = common.measured(seen), common.measured(now)
    changes = changed_pairs(n, *sides)
    yield Progress("Comparing before and after")
    changes = changes.filled(
        (yield from common.fill(changes.before, changes.left, changes.right, 0)),
        (yield from common.fill(changes.after, changes.left, changes.right, 1)),
    )
    chosen = most_telling(
        changes, review_before=seen.bounds.review, review_after=now.bounds.review, most=MOST_PAIRS
    )
    groups = changed_groups(*common.kept)
    counts = {
        "gained": int(changes.gained.sum()), "lost": int((~changes.gained).sum()),
        "stayed": changes.stayed, "risen": changes.risen, "fallen": changes.fallen,
        "groups_gained": int(groups.is_gained.sum()), "groups_lost": int(groups.is_lost.sum()),
        "groups_changed": int((~groups.is_gained & ~groups.is_lost).sum()),
        "texts": n, "texts_left_out": common.in_use - n,
    }  # fmt: skip
    ids = common.ids
    pairs = tuple(
        column[chosen]
        for column in (ids[changes.left], ids[changes.right], changes.gained, changes.before,
                       changes.after, changes.stood, changes.stands)
    )  # fmt: skip
    told = yield from _groups_told(groups, common, sides)
    inputs = {kind: int(grouping.inputs.get(kind) or 0) for kind in ("corpus", "decisions")}
    return NewDifference(
        (seen.encoder.id, now.encoder.id), (seen.bounds, now.bounds), inputs, counts, pairs, *told
    )


def _groups_told(
    groups: GroupChanges, common: _Common, sides: tuple[Measured, Measured]
) -> Steps[tuple[tuple[NDArray[Any], ...], tuple[NDArray[Any], ...]]]:
    """The columns of the groups kept, and of the texts that joined or left them."""
    texts = groups.joined + groups.gone
    listed = np.minimum(texts, MOST_TEXTS_OF_GROUP)
    kept = min(int(np.searchsorted(np.cumsum(listed), MOST_TEXTS, side="right")), MOST_GROUPS)
    first = np.concatenate([[0], np.cumsum(texts)]).astype(np.int64)
    of = groups.group
    lines = np.flatnonzero((of < kept) & (np.arange(len(of)) - first[of] < MOST_TEXTS_OF_GROUP))
    beside, text = groups.beside[lines], groups.text[lines]
    found = []
    for side, measured in enumerate(sides):
        cosine, stands = CosineTable(len(common.ids), measured).stands(beside, text)
        found.append(((yield from common.fill(cosine, beside, text, side)), stands))
    (before, stood), (after, stands) = found
    kind = np.where(groups.is_gained, "gained", np.where(groups.is_lost, "lost", "changed"))
    leader = np.where(groups.is_lost, groups.before, groups.after)
    some = slice(0, kept)
    return (
        (kind[some], common.ids[leader[some]], groups.texts_before[some],
         groups.texts_after[some], groups.joined[some], groups.gone[some]),
        (groups.group[lines], common.ids[beside], common.ids[text], groups.is_joined[lines],
         before, after, stood, stands),
    )  # fmt: skip


def _led_by_known(ids: Ints, sides: tuple[Seen, Seen]) -> Ints:
    """Leave out the texts of groups whose kept text is not among the ids either."""
    while True:
        gone = [side.texts[np.isin(side.kept, ids, invert=True)] for side in sides]
        left = np.setdiff1d(ids, np.concatenate(gone), assume_unique=True)
        if len(left) == len(ids):
            return ids
        ids = left


def _kept_of(ids: Ints, side: Seen) -> Ints:
    """For each text the position of the one kept for it; a text in no group keeps itself."""
    kept = np.arange(len(ids))
    at = _positions(ids, side.texts)
    known = at >= 0
    kept[at[known]] = _positions(ids, side.kept[known])
    return kept


def _positions(ids: Ints, texts: NDArray[Any]) -> Ints:
    """Where each text is among the sorted ids, -1 where it is not."""
    if not len(ids):
        return np.full(len(texts), -1, np.int64)
    at = np.minimum(np.searchsorted(ids, texts), len(ids) - 1)
    return np.where(ids[at] == texts, at, -1).astype(np.int64)
