"""What the colours of the points mean: kinds with a legend to click, or a scale."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from app.look.cluster_colors import cluster_color, context_color, unclustered_color
from app.look.theme import Theme, theme_named
from app.pages.map_reads import ASSIGNED, Clusters, Picture

BY_CLUSTER, BY_DECISION, BY_SCORE, PLAIN = "cluster", "decision", "score", "single"
COLUMN, DATE = "column:", "date:"
_MOST_KINDS = 9
_ASSIGNED_STRENGTH = 0.5  # of a colour, over the paper


@dataclass(frozen=True, slots=True)
class Kinds:
    """Texts sorted into a few kinds; code -1 is none of them."""

    title: str
    code: NDArray[np.int32]  # (n,)
    words: tuple[str, ...]  # of each code
    none: str = "no value"
    tones: tuple[str, ...] = ()  # of our own colours, in place of those of clusters


@dataclass(frozen=True, slots=True)
class Scale:
    """A figure for each text, nan where there is none."""

    title: str
    values: NDArray[np.float64]  # (n,)
    low: str
    high: str
    none: str = "no date"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A kind in the legend; `code` stands in `Colouring.part`."""

    words: str
    colour: QColor
    rows: int
    code: int
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Colouring:
    """What to draw: `index` into `palette`, or `values` on the ramp; and what it means."""

    title: str
    part: NDArray[np.int32]  # (n,) what an entry of the legend selects
    entries: tuple[LegendEntry, ...]
    index: NDArray[np.int32] | None = None
    palette: tuple[QColor, ...] = ()
    values: NDArray[np.float64] | None = None
    ends: tuple[str, str] | None = None  # of the ramp, in words


def colour_clusters(clusters: Clusters, picture: Picture, theme: Theme) -> Colouring:
    """Each cluster in its colour; texts that their neighbours brought in are lighter."""
    palette: list[QColor] = []
    for row in clusters.listed:
        tone = context_color(theme) if row.is_excluded else cluster_tone(row.color, theme)
        palette += [tone, lighter(tone, theme)]
    assigned, nowhere = clusters.how == ASSIGNED, clusters.place < 0
    index = 2 * clusters.place
    index += assigned
    index[nowhere] = -1
    # 0: by the algorithm or by hand, 1: assigned, 2: in none.
    part = assigned.astype(np.int32)
    part[nowhere] = 2
    rows = [int(picture.rows[part == code].sum()) for code in range(3)]
    tone = QColor(theme.colours.muted)
    told = (
        LegendEntry("in a cluster", tone, rows[0], 0),
        LegendEntry("assigned by neighbours", lighter(tone, theme), rows[1], 1),
        LegendEntry("unclustered", unclustered_color(theme), rows[2], 2, hollow=True),
    )
    entries = tuple(entry for entry in told if entry.rows) if rows[1] or rows[2] else ()
    return Colouring("", part, entries, index, tuple(palette))


def colour_kinds(kinds: Kinds, picture: Picture, theme: Theme) -> Colouring:
    """Each kind in a colour of its own, told by the legend."""
    if kinds.tones:
        palette = tuple(_own(theme, tone) for tone in kinds.tones)
    else:
        palette = tuple(cluster_tone(at, theme) for at in range(len(kinds.words)))
    rows = np.bincount(kinds.code + 1, picture.rows, minlength=len(kinds.words) + 1)
    entries = [
        LegendEntry(words, tone, int(rows[code + 1]), code)
        for code, (words, tone) in enumerate(zip(kinds.words, palette, strict=True))
        if rows[code + 1]
    ]
    if rows[0]:
        entries.append(
            LegendEntry(kinds.none, unclustered_color(theme), int(rows[0]), -1, hollow=True)
        )
    return Colouring(kinds.title, kinds.code, tuple(entries), kinds.code, palette)


def colour_scale(scale: Scale, picture: Picture, theme: Theme) -> Colouring:
    """Low to high on one ramp, grey where there is no figure."""
    missing = np.isnan(scale.values)
    part = np.where(missing, -1, 0).astype(np.int32)
    rows = int(picture.rows[missing].sum())
    entries = (LegendEntry(scale.none, unclustered_color(theme), rows, -1, hollow=True),)
    return Colouring(
        scale.title, part, entries if rows else (), values=scale.values,
        ends=(scale.low, scale.high),
    )  # fmt: skip


def colour_plain(picture: Picture, theme: Theme) -> Colouring:
    """All points alike."""
    nothing = np.zeros(len(picture.texts), np.int32)
    return Colouring("", nothing, (), nothing, (cluster_tone(0, theme),))


def frequent_kinds(
    title: str, code: NDArray[np.int32], words: tuple[str, ...], rows: NDArray[np.int64]
) -> Kinds:
    """The most frequent kinds by rows, the rest as one more; `code` is -1 where there is none."""
    counts = np.bincount(code + 1, rows, minlength=len(words) + 1)[1:]
    ranked = np.lexsort((np.arange(len(words)), -counts))
    kept = ranked[:_MOST_KINDS]
    new = np.full(len(words) + 1, len(kept), np.int32)
    new[kept] = np.arange(len(kept), dtype=np.int32)
    new[-1] = -1  # of code -1
    named = tuple(words[at] for at in kept)
    left = len(words) - len(kept)
    if left == 1:
        named = (*named, words[ranked[-1]])
    elif left:
        named = (*named, f"{left:,} others")
    return Kinds(title, new[code], named, none="empty")


@lru_cache(maxsize=4_096)
def _cluster_tone(color: int, name: str) -> QColor:
    return cluster_color(color, theme_named("dark" if name == "dark" else "light"))


def cluster_tone(color: int, theme: Theme) -> QColor:
    """The colour of a cluster; kept, since mixing one takes longer than painting with it."""
    return _cluster_tone(color, theme.name)


def lighter(tone: QColor, theme: Theme) -> QColor:
    """The colour half way to the paper."""
    paper, share = QColor(theme.colours.paper), _ASSIGNED_STRENGTH
    return QColor.fromRgbF(
        *(
            share * own + (1 - share) * under
            for own, under in zip(tone.getRgbF()[:3], paper.getRgbF()[:3], strict=True)  # type: ignore[index]  # a tuple of four floats, declared as object
        )
    )


def _own(theme: Theme, tone: str) -> QColor:
    return QColor(getattr(theme.colours, tone).mark)
