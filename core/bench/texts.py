"""The texts of a bench: of files, each once, or made up."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.bench.asked import Asked
from core.bench.made import made_texts
from core.corpus import Inspection, composer, normalise, read_rows
from core.corpus.opening import expect_file
from core.errors import UserError
from core.progress import Progress, Steps
from core.workflows.importing import inspect_file, settings_for

_SPOKEN = 5_000  # rows between two words of progress
_PART = 8 << 20


@dataclass(frozen=True, slots=True)
class BenchTexts:
    """Distinct texts and, in a sentence, where they are from."""

    bodies: list[str]
    told: str


def bench_texts(asked: Asked) -> Steps[BenchTexts]:
    """Read the texts of the files, or make some up; at most `asked.rows`, drawn by the seed.

    Texts that stand in several places count once, compared as an import does. A column named
    counts in the files that have it; the others speak for themselves. Raises `UserError` where a
    file cannot be read or its text column is not clear.
    """
    if not asked.files:
        yield Progress("Making up texts")
        bodies = made_texts(asked.rows, seed=asked.seed)
        return BenchTexts(bodies, f"The texts are made up (seed {asked.seed}): {_lengths(bodies)}.")
    found: dict[str, None] = {}
    inspections = [inspect_file(file) for file in asked.files]
    columns = {name for one in inspections for name in one.reading.columns}
    if unknown := [name for name in asked.columns if name not in columns]:
        raise UserError(
            f"There is no column {unknown[0]}.", f"The columns are {', '.join(sorted(columns))}."
        )
    for file, inspection in zip(asked.files, inspections, strict=True):
        yield from _read(file, inspection, asked.columns, found)
    bodies = list(found)
    total = len(bodies)
    if total > asked.rows:
        random = np.random.default_rng(asked.seed)
        chosen = np.sort(random.choice(total, asked.rows, replace=False))
        bodies = [bodies[place] for place in chosen.tolist()]
    names = ", ".join(file.name for file in asked.files)
    told = f"{len(bodies):,} of {total:,} distinct texts of {names}: {_lengths(bodies)}."
    if total < asked.rows:
        told += f" There are no {asked.rows:,} in these files."
    return BenchTexts(bodies, told)


def files_hash(asked: Asked) -> Steps[str]:
    """Hash the bytes of the files and what decides which of their texts are taken."""
    digest = hashlib.sha256(f"{asked.rows} {asked.seed} {asked.columns}\n".encode())
    for given in asked.files:
        expect_file(given)
        for file in sorted(given.rglob("*.txt")) if given.is_dir() else [given]:
            digest.update(file.name.encode("utf-8", "replace") + b"\0")
            with file.open("rb") as stream:
                while part := stream.read(_PART):
                    digest.update(part)
                    yield Progress(f"Reading {file.name}")
    return digest.hexdigest()[:32]


def _read(
    file: Path, inspection: Inspection, columns: tuple[str, ...], found: dict[str, None]
) -> Steps[None]:
    yield Progress(f"Reading {file.name}")
    own = tuple(name for name in columns if name in inspection.reading.columns)
    settings = settings_for(inspection, text=own)
    compose = composer(
        columns=settings.reading.columns,
        text_columns=settings.text_columns,
        template=settings.template,
    )
    for number, row in enumerate(read_rows(file, settings.reading)):
        body = normalise(compose(row.cells))
        if body:
            found[body] = None
        if number % _SPOKEN == 0:
            yield Progress(f"Reading {file.name}", number, inspection.rows, "rows")


def _lengths(bodies: list[str]) -> str:
    if not bodies:
        return "none"
    middle, most = np.quantile([len(body) for body in bodies], (0.5, 0.95)).tolist()
    return f"half of them up to {middle:,.0f} characters, 95 % up to {most:,.0f}"
