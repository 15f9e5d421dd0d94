"""An import in batches: what others see meanwhile, and what a stop at any of them leaves."""

import gc
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.errors import UserError
from core.progress import Progress, Steps, run_to_end
from core.records import ImportReport
from core.store import DATABASE, DocumentFilter, Project
from core.store.database import writing
from core.store.documents import Documents
from core.store.sources import Sources
from core.word_query import WordQuery
from core.workflows import import_batches, importing
from core.workflows.import_batches import uncollected
from core.workflows.importing import import_file, inspect_file, remove_import, settings_for

Bring = Callable[[Project, Path], ImportReport]
Table = Callable[..., Path]

TEXTS = [f"text {n % 700} of a café in 京都, row {n % 1100}" for n in range(2000)]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FIRST_ROWS", "_FEWEST_ROWS", "_MOST_ROWS"):
        monkeypatch.setattr(importing, name, 150)


def test_the_words_are_those_of_an_index_made_anew(
    project: Project, table: Table, bring: Bring
) -> None:
    bring(project, table(TEXTS))
    expect_true_words(project)
    told = words_of(project)
    for name in ("texts_words", "texts_trigrams"):
        project._db.conn.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")
    assert words_of(project) == told


def test_the_words_are_true_after_a_newer_file_and_its_removal(
    project: Project, table: Table, bring: Bring
) -> None:
    bring(project, table(TEXTS))
    changed = [text.replace("café", "bar") if n % 3 else text for n, text in enumerate(TEXTS)]
    report = bring(project, table(changed))
    assert (report.updated, report.unchanged) == (1333, 667)
    expect_true_words(project)
    assert project.words.search(WordQuery.parse("bar"), limit=5)
    run_to_end(remove_import(project, report.source))
    expect_true_words(project)
    assert not project.words.search(WordQuery.parse("bar"), limit=5)


@pytest.mark.parametrize("batches", [1, 2, 5])
def test_the_words_are_true_after_cancelling(
    project: Project, table: Table, bring: Bring, batches: int
) -> None:
    bring(project, table(["text 1 stays", "and another"], name="before.csv"))
    before = words_of(project)
    steps = started(project, table(TEXTS))
    for _ in range(batches):
        next(steps)
    steps.close()
    assert project.texts.count() == 2
    assert words_of(project) == before
    expect_true_words(project)


def test_a_fault_in_storing_is_told_and_leaves_nothing(
    project: Project, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Documents.take_up
    calls = []

    def failing(self: Documents, source: int) -> int:
        calls.append(source)
        if len(calls) == 3:
            raise UserError("The disk is full.", "Free some space.")
        return whole(self, source)

    monkeypatch.setattr(Documents, "take_up", failing)
    with pytest.raises(UserError, match="disk is full"):
        run_to_end(started(project, table(TEXTS)))
    assert table_counts(project) == (0, 0)
    expect_true_words(project)


def test_a_fault_in_reading_waits_for_the_batch_before(project: Project, tmp_path: Path) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text('{"text": "a whole line"}\n' * 400)
    settings = settings_for(inspect_file(file), text=("text",))
    with file.open("a") as stream:
        stream.write('{"text": "half a li')
    threads = threading.active_count()
    with pytest.raises(UserError):
        run_to_end(import_file(project, file, settings))
    assert threading.active_count() == threads
    assert table_counts(project) == (0, 0)


def test_between_batches_others_may_write_and_no_thread_is_left(
    project: Project, table: Table
) -> None:
    other = sqlite3.connect(project.folder / DATABASE, timeout=0, isolation_level=None)
    threads = threading.active_count()
    for said in started(project, table(TEXTS)):
        if said.title.startswith("Importing"):
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
            assert threading.active_count() == threads
    other.close()


def test_a_reader_sees_nothing_before_the_end(project: Project, table: Table) -> None:
    with Project.open_read_only(project.folder) as reader:
        for _ in started(project, table(TEXTS)):
            assert reader.documents.count() == reader.texts.count() == 0
            assert reader.words.search(WordQuery.parse("café"), limit=5) == []
        assert reader.documents.count() == 2000
        assert len(reader.words.search(WordQuery.parse("café"), limit=5)) == 5


def test_cancelling_the_last_step_breaks_it_off(
    project: Project, table: Table, bring: Bring, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(project, table(["text 1 stays", "and another"]))
    before = words_of(project)

    def endless(self: Sources, source: int, report: ImportReport) -> ImportReport:
        with writing(self._db) as connection:
            connection.execute("UPDATE documents SET live = 1")
            connection.execute("UPDATE texts SET rows = 7")
            connection.execute(_ENDLESS)
        return report

    monkeypatch.setattr(Sources, "finish", endless)
    steps = started(project, table(TEXTS))
    cancel_late(steps)
    assert not project._db.conn.in_transaction
    assert project.texts.count() == project.documents.count() == 2
    assert words_of(project) == before


def test_cancelling_when_the_last_step_is_done_takes_everything_back(
    project: Project, table: Table, bring: Bring, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(project, table(["text 1 stays", "and another"]))
    before = words_of(project)
    whole = Sources.finish

    def slow(self: Sources, source: int, report: ImportReport) -> ImportReport:
        final = whole(self, source, report)
        time.sleep(0.5)
        return final

    monkeypatch.setattr(Sources, "finish", slow)
    cancel_late(started(project, table(TEXTS)))
    assert len(project.sources.all()) == 1
    assert bodies(project) == ["text 1 stays", "and another"]
    assert project.texts.count() == 2
    assert words_of(project) == before
    expect_true_words(project)


def test_the_last_step_speaks_while_it_lasts(
    project: Project, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Sources.finish

    def slow(self: Sources, source: int, report: ImportReport) -> ImportReport:
        time.sleep(0.7)
        return whole(self, source, report)

    monkeypatch.setattr(Sources, "finish", slow)
    said = progress_of(started(project, table(TEXTS[:100])))
    assert sum(one.title.startswith("Storing") for one in said) >= 3
    assert project.documents.count() == 100


_ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"


@pytest.mark.parametrize("stop", ["between", "storing"])
@pytest.mark.parametrize("batch", [1, 3])
def test_a_hard_stop_leaves_nothing_and_true_words(
    tmp_path: Path, table: Table, stop: str, batch: int
) -> None:
    folder = tmp_path / "p.samesense"
    with Project.create(folder):
        pass
    told = [sys.executable, "-c", _VICTIM, str(folder), str(table(TEXTS)), stop, str(batch)]
    done = subprocess.run(told, capture_output=True, text=True, timeout=60, check=False,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})  # fmt: skip
    assert done.returncode == 9, done.stderr
    with Project.open(folder) as project:
        assert project.recovery.dropped_imports == ("messages.csv",)
        assert table_counts(project) == (0, 0)
        expect_true_words(project)
        run_to_end(started(project, tmp_path / "messages.csv"))
        assert project.documents.count() == 2000
        expect_true_words(project)


_VICTIM = """
import os, sys
from pathlib import Path
from core.store import Project
from core.store.documents import Documents
from core.store.sources import Sources
from core.store import documents
from core.workflows import import_batches, importing
from core.workflows.importing import import_file, inspect_file, settings_for

folder, file, stop, batch = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
importing._FIRST_ROWS = importing._FEWEST_ROWS = importing._MOST_ROWS = 150
whole, calls = documents.take_up, []

def dying(connection, source):
    calls.append(source)
    known = whole(connection, source)
    if len(calls) == batch and stop == "storing":
        os._exit(9)  # everything is written, nothing committed
    return known

documents.take_up = dying
project = Project.open(folder)
settings = settings_for(inspect_file(file), text=("text",), id_column="id")
for progress in import_file(project, file, settings):
    if len(calls) == batch:
        os._exit(9)
"""


def test_rows_that_are_long_come_in_smaller_batches(
    project: Project, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_batches, "_MOST_CHARACTERS", 5000)
    done = [said.done for said in progress_of(started(project, table(["x" * 990] * 12)))]
    assert done == [6, 12, 12]


def test_rows_that_are_slow_to_read_come_in_smaller_batches(
    project: Project, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_batches, "_READ_S", 0.0)
    done = [said.done for said in progress_of(started(project, table(TEXTS[:100])))]
    assert done == [64, 100, 100]


def test_progress_adds_up_and_names_the_file(project: Project, table: Table) -> None:
    said = progress_of(started(project, table(TEXTS)))
    assert [one.done for one in said[:3]] == [150, 300, 450]
    assert said[-1] == Progress("Storing messages.csv", 2000, 2000, "rows")


def started(project: Project, file: Path) -> Steps[ImportReport]:
    return import_file(
        project, file, settings_for(inspect_file(file), text=("text",), id_column="id")
    )


def cancel_late(steps: Steps[ImportReport]) -> None:
    """Cancel once the last step has spoken while at work."""
    while not next(steps).title.startswith("Storing"):
        pass
    next(steps)
    steps.close()


def progress_of(steps: Iterator[Progress]) -> list[Progress]:
    return [said for said in steps if said.unit == "rows"]


def expect_true_words(project: Project) -> None:
    """SQLite compares its tables of words with the texts; a word too many or too few is a fault."""
    for name in ("texts_words", "texts_trigrams"):
        project._db.conn.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")


def words_of(project: Project) -> list[tuple[object, ...]]:
    """Every word of both tables, with the text and the place it stands at."""
    found = []
    for name in ("texts_words", "texts_trigrams"):
        project._db.conn.execute(
            f"CREATE VIRTUAL TABLE temp.seen USING fts5vocab (main, {name}, instance)"
        )
        found += project._db.conn.execute("SELECT * FROM temp.seen").fetchall()
        project._db.conn.execute("DROP TABLE temp.seen")
    return sorted(found, key=repr)


def bodies(project: Project) -> list[str]:
    return [row.body for row in project.documents.get(project.documents.order(DocumentFilter()))]


def table_counts(project: Project) -> tuple[int, int]:
    ask = project._db.conn.execute
    return (
        ask("SELECT count(*) FROM documents").fetchone()[0],
        ask("SELECT count(*) FROM texts").fetchone()[0],
    )


@pytest.mark.parametrize("was_on", [True, False])
def test_rows_are_read_without_looking_for_cycles_and_then_as_before(was_on: bool):
    try:
        (gc.enable if was_on else gc.disable)()
        with pytest.raises(KeyError), uncollected():
            assert not gc.isenabled()
            raise KeyError
        assert gc.isenabled() is was_on
    finally:
        gc.enable()
