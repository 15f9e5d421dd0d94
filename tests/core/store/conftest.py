import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.records import ImportReport, ImportSettings, Reading
from core.store import EncoderRecord, PairTable, Project, StagedRow, VectorBatch

Row = tuple[str | None, ...]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "talk.samesense") as made:
        yield made


@pytest.fixture
def stage() -> Callable[..., int]:
    """Begin an import of (key, text) rows and leave it unfinished; the number of the source."""
    return _stage


@pytest.fixture
def bring() -> Callable[..., ImportReport]:
    """Import (key, text) rows as a file and finish."""

    def brought(project: Project, rows: Sequence[Row], **more: object) -> ImportReport:
        source = _stage(project, rows, **more)
        return project.sources.finish(source, ImportReport(source, "file", rows=len(rows)))

    return brought


@pytest.fixture
def bodies() -> Callable[[Project], list[str]]:
    """The texts of all rows that can be seen, by place."""
    return lambda project: [row.body for page in project.documents.stream() for row in page]


@pytest.fixture
def drop() -> Callable[[Project, int], None]:
    """Remove an import to the end."""

    def dropped(project: Project, source: int) -> None:
        for _ in project.sources.remove(source):
            pass

    return dropped


@pytest.fixture
def encode() -> Callable[..., tuple[EncoderRecord, np.ndarray]]:
    """Append a vector for each text that waits; the encoder and the ids that got one."""

    def encoded(project: Project, *, windows: int = 1) -> tuple[EncoderRecord, np.ndarray]:
        encoder = project.vectors.encoder(
            "f1", name="tiny", folder="/nowhere", dimension=4, precision="fp32", settings={}
        )
        project.meta.set("encoder", str(encoder.id))
        waiting = project.texts.without_vector(encoder.id)
        project.vectors.append(encoder, _batch(waiting, windows))
        return encoder, waiting

    return encoded


@pytest.fixture
def pair_table() -> Callable[..., PairTable]:
    """Pairs (left, right, cosine) as the store takes them."""

    def made(*pairs: tuple[int, int, float]) -> PairTable:
        left, right, cosine = zip(*pairs, strict=True) if pairs else ((), (), ())
        return PairTable(
            np.array(left, np.int64), np.array(right, np.int64), np.array(cosine, np.float32),
            np.full(len(pairs), 0.5, np.float32), np.zeros(len(pairs), np.uint8),
        )  # fmt: skip

    return made


def _stage(
    project: Project,
    rows: Sequence[Row],
    *,
    name: str = "file.csv",
    columns: tuple[str, ...] = ("id", "text"),
    id_column: str | None = "id",
    updates: bool = True,
    dates: Sequence[dict[str, str] | None] | None = None,
) -> int:
    settings = ImportSettings(
        Reading("table", columns), ("text",), id_column=id_column, updates=updates
    )
    run = project.runs.begin("import", {})
    source = project.sources.begin(name, path=name, sha256=name, size=1, settings=settings, run=run)
    told = dates or [None] * len(rows)
    project.documents.stage(
        source,
        [
            _row(place, row, date)
            for place, (row, date) in enumerate(zip(rows, told, strict=True), 1)
        ],
    )
    return source


def _row(place: int, row: Row, dates: dict[str, str] | None) -> StagedRow:
    body = row[1]
    digest = None if body is None else hashlib.sha256(body.encode("utf-8", "replace")).hexdigest()
    return StagedRow(
        place, place + 1, row[0], row, dates, body, None if digest is None else digest[:32],
        body is not None and len(body) < 3,
    )  # fmt: skip


def _batch(texts: np.ndarray, windows: int) -> VectorBatch:
    n = len(texts)
    return VectorBatch(
        texts, np.repeat(texts.astype(np.float32)[:, None], 4, 1), np.full(n, 7, np.int32),
        np.full(n, windows, np.int32), np.zeros(n, bool),
        np.arange(n * windows * 4, dtype=np.float32).reshape(-1, 4)
        if windows > 1 else np.zeros((0, 4), np.float32),
    )  # fmt: skip
