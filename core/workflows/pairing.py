"""Pairs: every two texts at or above a floor, streamed from the vectors into the store."""

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.options import PairOptions
from core.pairs import (
    DifferenceTable,
    Forecast,
    Neighbours,
    PairBlock,
    WordTable,
    compare,
    floor_for,
    forecast,
    pairs_to_compare,
    windows_agree,
)
from core.progress import Progress, Steps, telling
from core.records import Flag
from core.store import EncoderRecord, GraphTable, Pairing, PairTable, Project, VectorTable
from core.workflows.graphing import NEAREST, graph_before
from core.workflows.recorded import recorded

MOST_PAIRS = 5_000_000
LEAST_FLOOR = 0.70
WINDOW_LEVEL = 0.85  # cosine from which on two windows say the same


@dataclass(frozen=True, slots=True)
class PairForecast:
    """How many pairs are to be expected, before the work."""

    floor: float
    expected: int
    texts: int
    seconds: float
    too_many: bool
    floor_for_most: float  # the floor that would give about `MOST_PAIRS`


@dataclass(frozen=True, slots=True)
class PairsOutcome:
    """What the pass found."""

    pairs: int
    floor: float
    texts: int


class TooManyPairsError(UserError):
    """A floor so low that the pairs would be too many to be of use; a person must confirm."""

    def __init__(self, told: PairForecast) -> None:
        self.forecast = told
        super().__init__(
            f"From {told.floor:.2f} on there would be about {told.expected:,} pairs; "
            "nothing was started.",
            f"From {told.floor_for_most:.2f} on it would be about {MOST_PAIRS:,}. "
            "Choose a higher floor, or confirm that you want them all.",
        )


def forecast_pairs(project: Project, options: PairOptions) -> Steps[PairForecast]:
    """Estimate from a sample how many pairs a floor gives and how long they take."""
    encoder = _ready_encoder(project)
    yield Progress("Estimating the number of pairs")
    table = project.vectors.table(encoder)
    told = forecast(table.vectors, thresholds=np.linspace(0.3, 1.0, 71))
    best = floor_for(told, most=MOST_PAIRS, least=LEAST_FLOOR)
    floor = best if options.floor is None else options.floor
    expected = _expected(told, floor)
    return PairForecast(
        floor, expected, len(table.texts), told.seconds(floor), expected > MOST_PAIRS,
        floor_for(told, most=MOST_PAIRS, least=0.0),
    )  # fmt: skip


def find_pairs(project: Project, options: PairOptions) -> Steps[PairsOutcome]:
    """Find all pairs of the active encoder's vectors at or above the floor.

    Goes on where a stopped pass was, and compares only new texts with all when the floor is
    as before. Raises `TooManyPairsError` when a floor asked for needs to be confirmed.
    """
    encoder = _ready_encoder(project)
    known, counts = project.pairs.of_encoder(encoder.id), project.pairs.current()
    if known is not None and counts is not None and known.id < counts.id:
        known = None  # a pass of another encoder took its place, and clears its pairs away
    if known is None or (options.floor is not None and options.floor < known.floor):
        told = yield from forecast_pairs(project, options)
        if told.too_many and not options.confirmed:
            raise TooManyPairsError(told)
        known = None
        floor = told.floor
    else:
        floor = known.floor
    return (
        yield from recorded(
            project,
            "pairs",
            asdict(options),
            lambda run: _pass(
                project, encoder, known or project.pairs.begin(encoder.id, floor=floor, run=run)
            ),
            inputs={"encoder": encoder.fingerprint, "floor": floor},
        )
    )


def _pass(project: Project, encoder: EncoderRecord, pairing: Pairing) -> Steps[PairsOutcome]:
    table = project.vectors.table(encoder)
    rows = len(table.vectors)
    total = pairs_to_compare(rows, start=pairing.rows_done)
    if pairing.rows_done < rows:
        yield Progress("Reading the texts", 0, total, "comparisons")
        likeness = _Likeness(project, encoder, table)
        yield Progress("Finding pairs", 0, total, "comparisons")
        graph = _Graph.of(project, encoder, table, pairing.rows_done)
        blocks = compare(
            table.vectors, floor=pairing.floor, start=pairing.rows_done,
            k=graph.neighbours, known=graph.before,
        )  # fmt: skip

        def store(block: PairBlock) -> Progress:
            if len(block.left) or block.done > pairing.rows_done:
                pairs = likeness.describe(block.left, block.right, block.cosine)
                project.pairs.add(pairing.id, pairs, rows_done=block.done)
            return Progress("Finding pairs", block.compared, total, "comparisons")

        found = yield from telling(blocks, store)
        graph.save(project, encoder, table, found)
    for _gone in project.pairs.finish(pairing.id):
        yield Progress("Clearing the pairs before", total, total, "comparisons")
    return PairsOutcome(project.pairs.count(pairing.id), pairing.floor, len(table.texts))


@dataclass(frozen=True, slots=True)
class _Graph:
    """The graph that comes of the same pass, where it is the graph of the texts in use."""

    neighbours: int  # 0 where it is not wanted: known already, or of other texts than the matrix
    before: Neighbours | None  # of the rows that the pass does not compare any more

    @staticmethod
    def of(project: Project, encoder: EncoderRecord, table: VectorTable, start: int) -> "_Graph":
        in_use = np.isin(table.texts, project.texts.table().ids)
        if not (in_use.all() and len(table.texts) == len(table.vectors)):
            return _Graph(0, None)
        before = graph_before(project, encoder, table.texts)
        known = 0 if before is None else len(before.index)
        if known == len(table.texts) or known < start:
            return _Graph(0, None)
        return _Graph(NEAREST, before)

    def save(
        self, project: Project, encoder: EncoderRecord, table: VectorTable, found: Neighbours
    ) -> None:
        if self.neighbours:
            project.graphs.save(encoder.id, GraphTable(table.texts, found.index, found.cosine))


class _Likeness:
    """What a pair's texts share besides their cosine."""

    def __init__(self, project: Project, encoder: EncoderRecord, table: VectorTable) -> None:
        self._text_of = np.full(len(table.vectors), -1, np.int64)
        self._text_of[table.rows] = table.texts
        bodies = project.texts.bodies(table.texts)
        self._body = np.full(len(table.vectors), -1, np.int64)
        self._body[table.rows] = np.arange(len(table.rows))
        self._words = WordTable.of(bodies)
        self._differences = DifferenceTable.of(bodies, self._words)
        short = project.texts.very_short_among(table.texts)
        self._single = (
            np.where(table.unreadable, int(Flag.UNREADABLE), 0)
            | np.where(short, int(Flag.SHORT), 0)
        ).astype(np.uint8)
        self._windows = project.vectors.windows(encoder)
        self._first, self._count = table.first_window, table.windows
        self._vectors, self._rows = table.vectors, table.rows

    def describe(
        self, left: NDArray[np.int32], right: NDArray[np.int32], cosine: NDArray[np.float32]
    ) -> PairTable:
        """The pairs of matrix rows as pairs of texts; rows of dropped texts are left out."""
        used = (self._text_of[left] >= 0) & (self._text_of[right] >= 0)
        left, right, cosine = left[used], right[used], cosine[used]
        a, b = self._body[left], self._body[right]
        words = self._words.overlap(a, b)
        flags = self._differences.flags(a, b, overlap=words)
        flags = flags | self._single[a] | self._single[b]
        for at in np.flatnonzero((self._count[a] > 1) | (self._count[b] > 1)):
            if not windows_agree(self._of(a[at]), self._of(b[at]), level=WINDOW_LEVEL):
                flags[at] |= int(Flag.PARTS)
        return PairTable(self._text_of[left], self._text_of[right], cosine, words, flags)

    def _of(self, at: int) -> NDArray[np.float32]:
        first, count = int(self._first[at]), int(self._count[at])
        source, start = (
            (self._vectors, int(self._rows[at])) if count == 1 else (self._windows, first)
        )
        found: NDArray[np.float32] = source[start : start + count]
        return found


def _expected(told: Forecast, floor: float) -> int:
    return round(float(np.interp(floor, told.thresholds, told.pairs)))


def _ready_encoder(project: Project) -> EncoderRecord:
    if project.texts.count() == 0:
        raise UserError("The project holds no texts to compare.", "Import a file first.")
    encoder = project.active_encoder()
    if encoder is None or project.texts.without_vector(encoder.id).size:
        raise UserError(
            "Some texts have no vector yet.", "Run: samesense encode PROJECT, then do it again."
        )
    return encoder
