"""Which rows of a table can be examples, before anything is made of their judgements."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.examples.reading.laying import Laid
from core.examples.reading.tables import Nested, Skipped


@dataclass(frozen=True, slots=True)
class Readable:
    """Rows that have all their texts, by column, and what was left out."""

    texts: tuple[tuple[str, ...], ...]
    judged: tuple[str, ...]  # empty where nothing judges them
    lines: tuple[int, ...]
    places: tuple[int, ...]  # in the table's rows
    skipped: tuple[Skipped, ...]
    unlabelled: int

    def keep(self, kept: Sequence[int], skipped: Sequence[Skipped], unlabelled: int) -> "Readable":
        """These rows alone, and what else was left out."""
        return Readable(
            tuple(tuple(column[at] for at in kept) for column in self.texts),
            tuple(self.judged[at] for at in kept) if self.judged else (),
            tuple(self.lines[at] for at in kept),
            tuple(self.places[at] for at in kept),
            (*self.skipped, *skipped),
            self.unlabelled + unlabelled,
        )


def readable(laid: Laid) -> Readable:
    """Take the rows that have all their texts; an empty judgement is looked at later."""
    layout = laid.layout
    kept: list[tuple[int, int, tuple[str, ...]]] = []
    skipped = list(laid.table.skipped)
    for at, row in enumerate(laid.table.rows):
        cells = [row.cells[place] if place < len(row.cells) else None for place in layout.places]
        fault = _fault(cells[: layout.texts], cells)
        if fault:
            skipped.append((row.line, fault))
        else:
            kept.append((at, row.line, tuple(cell or "" for cell in cells)))
    columns = tuple(tuple(cells[at] for _, _, cells in kept) for at in range(len(layout.places)))
    return Readable(
        columns[: layout.texts],
        columns[layout.texts] if layout.is_judged else (),
        tuple(line for _, line, _ in kept),
        tuple(at for at, _, _ in kept),
        tuple(skipped),
        0,
    )


def _fault(texts: Sequence[str | None], cells: Sequence[str | None]) -> str:
    if any(isinstance(cell, Nested) for cell in cells):
        return "a list or an object stands where a text or a judgement is expected"
    if any(text is None or not text.strip() for text in texts):
        return "a text is missing"
    return ""
