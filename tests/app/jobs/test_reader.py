"""Reading off the window's thread: newest answer only, faults told once, quick to stop."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.jobs import Reader
from core.store import Project

Until = Callable[..., None]
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "Zoë 文書"
    Project.create(folder).close()
    return folder


@pytest.fixture
def reader(app: QApplication, folder: Path) -> Iterator[Reader]:
    made = Reader(folder)
    made.start()
    yield made
    made.stop()


def endless(project: Project) -> int:
    return int(project._db.conn.execute(ENDLESS).fetchone()[0])


def test_a_value_is_read_on_another_thread_and_received_on_this_one(
    reader: Reader, until: Until
) -> None:
    seen: list[Any] = []
    reader.ask(
        "name",
        lambda project: (project.name, threading.get_ident()),
        lambda value: seen.append((*value, threading.get_ident())),
    )
    until(lambda: seen)
    name, read_on, received_on = seen[0]
    assert name == "Zoë 文書"
    assert read_on != received_on == threading.get_ident()


def test_only_the_newest_answer_of_a_key_is_received(reader: Reader, until: Until) -> None:
    seen: list[object] = []
    for number in range(50):
        reader.ask("same", lambda _, number=number: number, seen.append)
    reader.ask("other", lambda _: "other", seen.append)
    until(lambda: "other" in seen)
    assert seen == [49, "other"]


def test_a_newer_request_breaks_off_the_query_of_an_older_one(reader: Reader, until: Until) -> None:
    seen: list[object] = []
    faults: list[object] = []
    reader.failed.connect(faults.append)
    reader.ask("same", endless, seen.append)
    QTest.qWait(100)
    reader.ask("same", lambda project: project.name, seen.append)
    until(lambda: seen, seconds=3)
    QTest.qWait(30)
    assert (seen, faults) == (["Zoë 文書"], [])


def test_a_forgotten_answer_never_comes(reader: Reader, until: Until) -> None:
    seen: list[object] = []
    reader.ask("same", lambda _: "late", seen.append)
    reader.forget("same")
    reader.ask("other", lambda _: "other", seen.append)
    until(lambda: seen)
    QTest.qWait(30)
    assert seen == ["other"]


def test_a_fault_is_told_once_and_the_next_request_is_answered(
    reader: Reader, until: Until
) -> None:
    seen: list[object] = []
    faults: list[object] = []
    reader.failed.connect(faults.append)
    reader.ask("wrong", lambda project: project.runs.get(99), seen.append)
    reader.ask("right", lambda _: "right", seen.append)
    until(lambda: seen and faults)
    QTest.qWait(30)
    assert seen == ["right"]
    assert [type(fault) for fault in faults] == [KeyError]


def test_a_reader_cannot_write(reader: Reader, until: Until) -> None:
    faults: list[object] = []
    reader.failed.connect(faults.append)
    reader.ask("write", lambda project: project._db.conn.execute("DELETE FROM meta"), print)
    until(lambda: faults)
    assert isinstance(faults[0], sqlite3.OperationalError)


def test_a_project_that_is_not_there_is_told_once(
    app: QApplication, tmp_path: Path, until: Until
) -> None:
    reader = Reader(tmp_path / "nowhere")
    faults: list[object] = []
    reader.failed.connect(faults.append)
    reader.start()
    reader.ask("name", lambda project: project.name, print)
    until(lambda: faults)
    reader.stop()
    assert "There is no project" in str(faults[0])
    assert len(faults) == 1


def test_stop_breaks_off_a_query_and_what_waits(reader: Reader) -> None:
    seen: list[object] = []
    reader.ask("long", endless, seen.append)
    for number in range(20):
        reader.ask(f"long {number}", endless, seen.append)
    QTest.qWait(100)
    began = time.monotonic()
    reader.stop()
    assert time.monotonic() - began < 0.3
    QTest.qWait(30)
    assert seen == []


def test_an_answer_under_way_when_the_reader_stops_is_dropped(reader: Reader) -> None:
    seen: list[object] = []
    reader.ask("name", lambda project: project.name, seen.append)
    time.sleep(0.3)  # without the event loop, so that the answer waits in this thread's queue
    reader.stop()
    QTest.qWait(30)
    assert seen == []
