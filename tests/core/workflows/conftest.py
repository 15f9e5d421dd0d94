"""A project on a disk, and tables to import."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.options import EncodeOptions, GroupOptions, PairOptions
from core.progress import run_to_end
from core.records import ImportReport
from core.store import Project
from core.workflows.importing import import_file, inspect_file, settings_for
from core.workflows.preparing import prepare

MESSAGES = [
    "My card was charged twice for the same order",
    "My card was charged twice for the same order",
    "my card was charged twice for the same order!",
    "Where is my parcel? It should have come on Monday",
    "Where is my parcel? It should have come on Friday",
    "The app closes when I open the camera",
    "The app closes whenever I open the camera",
    "I want to cancel my subscription",
    "",
    "ok",
]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "p.samesense") as made:
        yield made


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    """Write a CSV file of ids and texts."""

    def write(texts: list[str], name: str = "messages.csv", first: int = 1) -> Path:
        file = tmp_path / name
        rows = [
            f'{first + i},"{text.replace(chr(34), chr(34) * 2)}"' for i, text in enumerate(texts)
        ]
        file.write_text("\n".join(["id,text", *rows]) + "\n", encoding="utf-8")
        return file

    return write


@pytest.fixture
def bring() -> Callable[..., ImportReport]:
    """Import a file with the columns id and text."""

    def run(project: Project, file: Path) -> ImportReport:
        settings = settings_for(inspect_file(file), text=("text",), id_column="id")
        return run_to_end(import_file(project, file, settings))

    return run


@pytest.fixture
def prepared(
    project: Project,
    table: Callable[..., Path],
    bring: Callable[..., ImportReport],
    tiny_encoder: Path,
) -> Project:
    """A project whose messages are imported, encoded, paired and grouped."""
    bring(project, table(MESSAGES))
    run_to_end(
        prepare(
            project, EncodeOptions(encoder=str(tiny_encoder)), PairOptions(floor=0.7),
            GroupOptions(threshold=0.99, review=0.9),
        )
    )  # fmt: skip
    return project
