"""The workspace with its real workers: opening, closing, and ends of jobs in their order."""

import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from PySide6.QtCore import QThread
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from app.jobs import JobEnd, Ticket
from app.workspace import Workspace
from core.corpus import inspect
from core.errors import UserError
from core.records import Changes
from core.store import Project
from core.store.lock import take_lock
from core.workflows.importing import settings_for

WISHES = Path(__file__).resolve().parents[1] / "core" / "worker" / "wishes.py"
MakeWorkspace = Callable[[], Workspace]


def wait_for(condition: Callable[[], Any], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        QTest.qWait(5)


@pytest.fixture
def make(app: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeWorkspace]:
    """Make workspaces whose workers know the wishes of `wishes.py` too."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setattr("app.jobs.lane.worker_command", lambda: [sys.executable, str(WISHES)])
    made: list[Workspace] = []

    def make_now() -> Workspace:
        made.append(Workspace())
        return made[-1]

    yield make_now
    for workspace in made:
        workspace.stop()


@pytest.fixture
def workspace(make: MakeWorkspace) -> Workspace:
    return make()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "one.samesense"
    Project.create(folder).close()
    return folder


@pytest.fixture
def other(tmp_path: Path) -> Path:
    folder = tmp_path / "other.samesense"
    Project.create(folder).close()
    return folder


@pytest.fixture
def import_values(tmp_path: Path) -> dict[str, Any]:
    from dataclasses import asdict

    file = tmp_path / "messages.csv"
    rows = "".join(f"{i},message number {i}\n" for i in range(60_000))
    file.write_text(f"id,message\n{rows}", encoding="utf-8")
    return {"path": str(file), "settings": asdict(settings_for(inspect(file)))}


def opened(workspace: Workspace, folder: Path, **how: Any) -> JobEnd:
    ends: list[JobEnd] = []
    workspace.open(folder, then=ends.append, **how)
    wait_for(lambda: ends)
    return ends[0]


def ended(workspace: Workspace, wish: str, lane: str = "live", **values: Any) -> JobEnd:
    ends: list[JobEnd] = []
    workspace.start(wish, values, title=wish, lane=lane, then=ends.append)
    wait_for(lambda: ends)
    return ends[0]


def is_free(folder: Path) -> bool:
    lock = take_lock(folder)
    if lock is not None:
        lock.release()
    return lock is not None


def test_opening_takes_the_lock_reads_the_state_and_tells(
    workspace: Workspace, folder: Path
) -> None:
    told: list[str] = []
    workspace.opened.connect(lambda: told.append("opened"))
    workspace.changed.connect(lambda changes: told.append("changed"))
    workspace.state_changed.connect(lambda state: told.append(state.name))
    end = opened(workspace, folder)
    assert (end.kind, end.outcome) == ("finished", {"interrupted": [], "dropped_imports": []})
    wait_for(lambda: workspace.state)
    assert told == ["opened", "changed", "one"]
    assert (workspace.folder, workspace.read_only) == (folder, False)
    assert not is_free(folder)


def test_closing_frees_the_lock_and_leaves_one_whole_database_file(
    workspace: Workspace, folder: Path
) -> None:
    opened(workspace, folder)
    ended(workspace, "undo")
    ended(workspace, "undo", lane="work")
    workspace.close()
    assert is_free(folder)
    assert (workspace.folder, workspace.state, workspace.read_only) == (None, None, False)
    wait_for(lambda: not list(folder.glob("*-wal")))


def test_a_folder_without_a_project_is_told_and_left_alone(
    workspace: Workspace, tmp_path: Path
) -> None:
    end = opened(workspace, tmp_path / "nowhere")
    assert end.kind == "failed"
    assert "There is no project" in end.what
    assert workspace.folder is None
    assert not (tmp_path / "nowhere").exists()


def test_a_failed_opening_frees_the_lock(workspace: Workspace, folder: Path) -> None:
    (folder / "project.sqlite").write_bytes(b"this is no database at all" * 99)
    assert "cannot be opened as a project" in opened(workspace, folder).what
    assert (workspace.folder, workspace.read_only) == (None, False)
    assert is_free(folder)


def test_a_new_project_in_a_folder_of_other_things_is_refused_and_leaves_no_trace(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    assert "holds other things" in opened(workspace, tmp_path, create=True).what
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


def test_a_new_project_where_a_file_is_raises_in_plain_words(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(UserError, match="cannot be made"):
        workspace.open(tmp_path / "letter.txt", create=True)


def test_a_second_window_reads_only_and_may_write_once_the_first_is_gone(
    make: MakeWorkspace, folder: Path
) -> None:
    first, second = make(), make()
    opened(first, folder)
    assert opened(second, folder).kind == "finished"
    assert second.read_only
    with pytest.raises(RuntimeError, match="reading only"):
        second.start("undo", title="Undo")
    names: list[str] = []
    second.read("name", lambda project: project.name, names.append)
    wait_for(lambda: names)
    first.close()
    assert opened(second, folder).kind == "finished"
    assert not second.read_only


def test_a_job_ends_in_order_changed_then_its_own_then_job_ended(
    workspace: Workspace, folder: Path
) -> None:
    opened(workspace, folder)
    QTest.qWait(50)
    told: list[str] = []
    workspace.changed.connect(lambda _: told.append("changed"))
    workspace.job_ended.connect(lambda *_: told.append("job_ended"))
    workspace.start("fault", {"kind": "bug"}, title="", then=lambda _: told.append("then"))
    wait_for(lambda: "job_ended" in told)
    assert told == ["changed", "then", "job_ended"]


def test_a_fault_in_what_follows_a_job_rises_and_the_end_is_told_all_the_same(
    workspace: Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(workspace, folder)
    risen: list[type] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: risen.append(kind))
    ends: list[JobEnd] = []
    workspace.job_ended.connect(lambda _, end: ends.append(end))
    workspace.start("count", {"steps": 0}, title="", then=lambda _: {}["no such key"])
    wait_for(lambda: ends)
    assert risen == [KeyError]


def test_a_fault_in_reading_rises_once_on_the_windows_thread(
    workspace: Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(workspace, folder)
    risen: list[type] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: risen.append(kind))
    workspace.read("wrong", lambda project: project.runs.get(99), lambda _: None)
    wait_for(lambda: risen)
    QTest.qWait(50)
    assert risen == [KeyError]


def test_a_failed_look_into_a_file_moves_nothing(workspace: Workspace, folder: Path) -> None:
    opened(workspace, folder)
    QTest.qWait(50)
    moved: list[Changes] = []
    workspace.changed.connect(moved.append)
    ends: list[JobEnd] = []
    workspace.start_without_project(
        "inspect", {"path": "/nowhere.csv"}, title="Looking", then=ends.append
    )
    wait_for(lambda: ends)
    assert (ends[0].kind, moved) == ("failed", [])


def test_the_live_lane_answers_while_a_long_job_runs(workspace: Workspace, folder: Path) -> None:
    opened(workspace, folder)
    workspace.start("count", {"steps": 600, "pause": 0.05}, title="Long")
    assert workspace.is_busy
    assert ended(workspace, "count", steps=1).kind == "finished"
    assert workspace.is_busy


def test_closing_cuts_off_jobs_each_of_which_ends_before_it_returns(
    workspace: Workspace, folder: Path
) -> None:
    opened(workspace, folder)
    ends: list[str] = []
    told: list[Ticket] = []
    workspace.job_ended.connect(lambda ticket, _: told.append(ticket))
    begun: list[Ticket] = []
    workspace.job_started.connect(begun.append)
    tickets = [
        workspace.start(
            "count", {"steps": 600, "pause": 0.05}, title="Long", lane=lane,
            then=lambda end: ends.append(end.kind),
        )
        for lane in ("work", "work", "live")
    ]  # fmt: skip
    wait_for(lambda: len(begun) == 2)
    pids = workspace.worker_pids
    began = time.monotonic()
    workspace.close()
    assert time.monotonic() - began < 0.5
    assert ends == ["cancelled"] * 3
    assert {ticket.number for ticket in told} == {ticket.number for ticket in tickets}
    assert not [pid for pid in pids if psutil.pid_exists(pid)]
    QTest.qWait(100)
    assert len(ends) == 3
    assert is_free(folder)


def test_another_project_opened_during_a_job_hears_nothing_of_it(
    workspace: Workspace, folder: Path, other: Path
) -> None:
    opened(workspace, folder)
    late: list[str] = []
    workspace.start("count", {"steps": 600, "pause": 0.01}, title="Long")
    workspace.read("slow", lambda project: time.sleep(0.2) or project.name, late.append)
    QTest.qWait(50)
    assert opened(workspace, other).kind == "finished"
    heard: list[object] = []
    workspace.job_ended.connect(lambda *end: heard.append(end))
    workspace.job_progressed.connect(lambda *progress: heard.append(progress))
    QTest.qWait(300)
    assert (heard, late) == ([], [])
    assert workspace.folder == other
    assert not workspace.is_busy
    assert is_free(folder)
    assert ended(workspace, "undo", lane="work").kind == "finished"


def test_a_second_opening_gives_up_the_first(
    workspace: Workspace, folder: Path, other: Path
) -> None:
    first: list[JobEnd] = []
    workspace.open(folder, then=first.append)
    assert opened(workspace, other).kind == "finished"
    assert [end.kind for end in first] == ["cancelled"]
    assert workspace.folder == other
    assert is_free(folder)
    assert not is_free(other)


def test_closing_while_a_project_opens_gives_it_up(workspace: Workspace, folder: Path) -> None:
    ends: list[JobEnd] = []
    workspace.open(folder, then=ends.append)
    workspace.close()
    assert [end.kind for end in ends] == ["cancelled"]
    QTest.qWait(100)
    assert workspace.folder is None
    assert is_free(folder)


def test_a_killed_import_is_tidied_up_and_can_be_done_again(
    workspace: Workspace, folder: Path, import_values: dict[str, Any]
) -> None:
    opened(workspace, folder)
    ends: list[JobEnd] = []
    seen: list[int] = []
    workspace.job_progressed.connect(lambda _, progress: seen.append(progress.done))
    workspace.start("import", import_values, title="Importing", then=ends.append)
    wait_for(lambda: seen and seen[-1] >= 2000 and len(seen) > 3)
    (killed,) = [lane.worker_pid for name, lane in workspace._lanes.items() if name == "work"]
    os.kill(killed, signal.SIGKILL)
    wait_for(lambda: ends)
    assert ends[0].kind == "failed"
    wait_for(lambda: not workspace.is_busy)
    with Project.open_read_only(folder) as project:
        assert project._db.conn.execute("SELECT count(*) FROM documents").fetchone() == (0,)
        assert [run.state for run in project.runs.latest()] == ["interrupted"]
    assert ended(workspace, "import", "work", **import_values).outcome["rows"] == 60_000


def test_cancel_reaches_the_lane_of_the_job(workspace: Workspace, folder: Path) -> None:
    opened(workspace, folder)
    ends: list[str] = []
    for lane in ("work", "live"):
        ticket = workspace.start(
            "count", {"steps": 600, "pause": 0.05}, title="", lane=lane,
            then=lambda end: ends.append(end.kind),
        )  # fmt: skip
        QTest.qWait(200)
        workspace.cancel(ticket)
    wait_for(lambda: len(ends) == 2)
    assert ends == ["cancelled", "cancelled"]


def test_reading_without_a_project_asks_nobody(workspace: Workspace) -> None:
    seen: list[object] = []
    workspace.read("name", lambda project: project.name, seen.append)
    QTest.qWait(50)
    assert seen == []


def test_stop_ends_every_job_and_leaves_no_thread_and_no_process(
    workspace: Workspace, folder: Path
) -> None:
    opened(workspace, folder)
    ends: list[str] = []
    for lane in ("work", "live"):
        workspace.start(
            "sleep_in_c", {"seconds": 60}, title="", lane=lane,
            then=lambda end: ends.append(end.kind),
        )  # fmt: skip
    wait_for(lambda: len(workspace.worker_pids) == 2)
    QTest.qWait(300)
    pids = workspace.worker_pids
    began = time.monotonic()
    workspace.stop()
    workspace.stop()
    assert time.monotonic() - began < 0.5
    assert ends == ["cancelled", "cancelled"]
    assert not [pid for pid in pids if psutil.pid_exists(pid)]
    threads = [t for t in gc.get_objects() if isinstance(t, QThread) and isValid(t)]
    assert not [t for t in threads if t.isRunning() and t is not QThread.currentThread()]
    assert is_free(folder)


def test_a_window_that_only_reads_exports_without_writing_to_the_project(
    app: QApplication, tmp_path: Path
) -> None:
    folder = tmp_path / "held.samesense"
    with Project.create(folder) as holder:
        reading = Workspace()
        ends: list[JobEnd] = []
        try:
            reading.open(folder)
            wait_for(lambda: reading.folder is not None)
            assert reading.read_only
            to = str(tmp_path / "documents.csv")
            reading.start(
                "export", {"what": "documents", "to": to}, title="Exporting", then=ends.append
            )
            wait_for(lambda: ends)
        finally:
            reading.stop()
        assert ends[0].kind == "finished", ends[0].what
        assert holder.runs.latest() == []


def test_a_training_is_told_measured_paused_and_ended_early_beside_long_work(
    workspace: Workspace, folder: Path
) -> None:
    opened(workspace, folder)
    queued: list[Ticket] = []
    points: list[dict[str, float]] = []
    pauses: list[bool] = []
    ends: list[JobEnd] = []
    workspace.job_queued.connect(queued.append)
    workspace.job_measured.connect(lambda _, new: points.extend(new))
    workspace.job_paused.connect(lambda _, is_paused: pauses.append(is_paused))
    values = {"steps": 1000, "pause": 0.02}
    ticket = workspace.start("learn", values, title="Learn", lane="training", then=ends.append)
    wait_for(lambda: points)
    assert queued == [ticket]
    assert not workspace.is_busy
    assert ended(workspace, "count", lane="work", steps=1).kind == "finished"
    workspace.pause(ticket)
    wait_for(lambda: pauses)
    workspace.resume(ticket)
    wait_for(lambda: pauses == [True, False])
    workspace.finish_early(ticket)
    wait_for(lambda: ends)
    assert ends[0].outcome["reason"] == "enough"


def test_closing_the_project_cuts_off_a_paused_training(workspace: Workspace, folder: Path) -> None:
    opened(workspace, folder)
    pauses: list[bool] = []
    ends: list[JobEnd] = []
    workspace.job_paused.connect(lambda _, is_paused: pauses.append(is_paused))
    values = {"steps": 1000, "pause": 0.02}
    ticket = workspace.start("learn", values, title="Learn", lane="training", then=ends.append)
    workspace.pause(ticket)
    wait_for(lambda: pauses)
    workspace.close()
    assert [end.kind for end in ends] == ["cancelled"]
    assert is_free(folder)
