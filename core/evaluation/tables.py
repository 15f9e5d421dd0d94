"""Figures side by side, as Markdown for a page of results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.evaluation.aggregating import Aggregate
from core.evaluation.overlap import OverlapTable

_BESIDE = ("pairs",)  # counted, not measured


@dataclass(frozen=True, slots=True)
class FigureTable:
    """One row per figure, one cell per scorer; None where a scorer has no such figure."""

    scorers: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | Aggregate | None, ...]], ...]

    def markdown(self, *, scale: float = 100) -> str:
        """Write the table with numbers times `scale`, means with their deviation."""
        lines = [f"| | {' | '.join(self.scorers)} |", "|---|" + "---:|" * len(self.scorers)]
        for name, cells in self.rows:
            told = " | ".join(_cell(cell, scale) for cell in cells)
            lines.append(f"| {name} | {told} |")
        return "\n".join(lines)


def figure_table(
    figures: Mapping[str, Mapping[str, float | str | Aggregate | None]],
) -> FigureTable:
    """Put the figures of several scorers side by side, in order of first appearance.

    Words (the kind of the pairs) and the count of pairs are left out.
    """
    names = dict.fromkeys(
        name
        for own in figures.values()
        for name, value in own.items()
        if name not in _BESIDE and not isinstance(value, str)
    )
    rows = []
    for name in names:
        values = (own.get(name) for own in figures.values())
        rows.append((name, tuple(None if isinstance(cell, str) else cell for cell in values)))
    return FigureTable(tuple(figures), tuple(rows))


def overlap_markdown(table: OverlapTable) -> str:
    """Write errors by lexical overlap: a row per band, then each difference with its interval."""
    scorers = [told.scorer for told in table.bands[0].errors]
    heads = ["overlap", "pairs", *scorers]
    heads += [f"{name} − {table.first} (95 %)" for name in scorers[1:]]
    lines = [_row(heads), "|---|" + "---:|" * (len(heads) - 1)]
    for band in table.bands:
        cells = [f"{band.low:.1f}–{band.high:.1f}", f"{band.pairs:,}"]
        cells += [_cell(told.error, 1, places=3) for told in band.errors]
        cells += [
            f"{_cell(told.error, 1, places=3, sign='+')} "
            f"({_cell(told.error_low, 1, places=3, sign='+')} to "
            f"{_cell(told.error_high, 1, places=3, sign='+')})"
            for told in band.differences
        ]
        lines.append(_row(cells))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: float | Aggregate | None, scale: float, *, places: int = 2, sign: str = "") -> str:
    if isinstance(value, Aggregate):
        return value.words(scale=scale)
    if value is None or value != value:
        return "–"
    return f"{value * scale:{sign}.{places}f}"
