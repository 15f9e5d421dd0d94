"""A lane's jobs end exactly once, whatever becomes of the worker."""

import os
import signal
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from PySide6.QtTest import QTest

from app.jobs import Lane
from app.jobs.worker_process import worker_command
from core.records import Changes

MakeLane = Callable[..., tuple[Lane, Any]]
Until = Callable[..., None]


def test_a_job_tells_start_progress_and_end(make_lane: MakeLane) -> None:
    lane, heard = make_lane()
    ticket = lane.ask("count", {"steps": 3, "pause": 0.11}, title="Counting")
    assert heard.end(ticket).outcome == {"steps": 3}
    assert heard.started == [ticket.number]
    assert set(heard.progressed) == {ticket.number}


def test_jobs_run_one_after_the_other_in_one_worker(make_lane: MakeLane) -> None:
    lane, heard = make_lane()
    tickets = [lane.ask("nice", {}, title="Looking") for _ in range(3)]
    pids = {heard.end(ticket).outcome["pid"] for ticket in tickets}
    assert pids == {lane.worker_pid}
    assert [number for number, _ in heard.ends] == [ticket.number for ticket in tickets]


def test_a_lane_is_busy_from_the_asking_to_the_end(make_lane: MakeLane) -> None:
    lane, heard = make_lane()
    assert not lane.is_busy
    ticket = lane.ask("count", {"steps": 1}, title="Counting")
    while not heard.kinds(ticket):
        assert lane.is_busy or not lane._pending
        QTest.qWait(5)
    assert not lane.is_busy


def test_a_users_fault_and_a_bug_fail_their_job_only(make_lane: MakeLane) -> None:
    lane, heard = make_lane()
    user = lane.ask("fault", {"kind": "user"}, title="Failing")
    bug = lane.ask("fault", {"kind": "bug"}, title="Failing")
    after = lane.ask("count", {"steps": 0}, title="Counting")
    assert (heard.end(user).what, heard.end(user).remedy) == (
        "The disk is full.", "Free some space.",
    )  # fmt: skip
    assert "KeyError" in heard.end(bug).details
    assert heard.end(after).kind == "finished"


def test_values_that_are_no_plain_values_fail_their_job_only(make_lane: MakeLane) -> None:
    lane, heard = make_lane()
    wrong = lane.ask("count", {"steps": object()}, title="Counting")
    after = lane.ask("count", {"steps": 0}, title="Counting")
    assert heard.end(wrong).kind == "failed"
    assert heard.end(after).kind == "finished"


def test_cancel_ends_a_job_that_heeds_it_and_keeps_the_worker(
    make_lane: MakeLane, until: Until
) -> None:
    lane, heard = make_lane()
    ticket = lane.ask("count", {"steps": 1000, "pause": 0.05}, title="Counting")
    until(lambda: heard.progressed)
    pid = lane.worker_pid
    lane.cancel(ticket)
    lane.cancel(ticket)
    end = heard.end(ticket)
    assert (end.kind, end.changes) == ("cancelled", Changes.everything())
    assert heard.end(lane.ask("nice", {}, title="Looking")).outcome["pid"] == pid


def test_a_worker_that_does_not_heed_cancel_is_killed_after_two_seconds(
    make_lane: MakeLane, until: Until
) -> None:
    lane, heard = make_lane()
    ticket = lane.ask("sleep_in_c", {"seconds": 60}, title="Sleeping")
    until(lambda: len(heard.progressed) == 2)
    pid = lane.worker_pid
    asked = time.monotonic()
    lane.cancel(ticket)
    assert heard.end(ticket).kind == "cancelled"
    assert 1.9 < time.monotonic() - asked < 4
    assert heard.end(lane.ask("nice", {}, title="Looking")).outcome["pid"] != pid


def test_a_cancelled_job_that_waits_ends_at_once_without_running(make_lane: MakeLane) -> None:
    lane, heard = make_lane()
    first = lane.ask("count", {"steps": 20, "pause": 0.1}, title="Counting")
    second = lane.ask("count", {"steps": 1}, title="Counting")
    lane.cancel(second)
    assert heard.end(second).kind == "cancelled"
    assert not heard.kinds(first)
    lane.cancel(first)
    assert heard.end(first).kind == "cancelled"
    assert second.number not in heard.started


def test_a_job_cancelled_while_its_worker_starts_never_reaches_it(
    make_lane: MakeLane, until: Until, tmp_path: Path
) -> None:
    lane, heard = make_lane()
    mark = tmp_path / "mark"
    ticket = lane.ask("count", {"steps": 1, "mark": str(mark)}, title="Counting")
    until(lambda: heard.started)
    lane.cancel(ticket)
    assert heard.end(ticket).kind == "cancelled"
    assert not mark.exists()


def test_cancel_just_as_a_job_ends_harms_neither_it_nor_the_next(make_lane: MakeLane) -> None:
    lane, heard = make_lane()
    heard.end(lane.ask("count", {"steps": 0}, title="Counting"))
    pid = lane.worker_pid
    for _ in range(60):
        ticket = lane.ask("count", {"steps": 2, "pause": 0.001}, title="Counting")
        following = lane.ask("count", {"steps": 1}, title="Counting")
        time.sleep(0.003)
        lane.cancel(ticket)
        assert heard.end(ticket).kind in ("finished", "cancelled")
        assert heard.end(following).kind == "finished"
    assert lane.worker_pid == pid


def test_a_killed_worker_fails_its_job_and_the_next_gets_another(
    make_lane: MakeLane, until: Until
) -> None:
    lane, heard = make_lane()
    ticket = lane.ask("count", {"steps": 1000, "pause": 0.05}, title="Counting")
    after = lane.ask("nice", {}, title="Looking")
    until(lambda: heard.progressed)
    pid = lane.worker_pid
    os.kill(pid, signal.SIGKILL)
    end = heard.end(ticket)
    assert (end.kind, end.worker_lost, end.changes) == ("failed", True, Changes.everything())
    assert "killed" in end.what
    assert "Start the step again" in end.remedy
    assert heard.end(after).outcome["pid"] not in (pid, None)


def test_a_worker_killed_between_jobs_is_replaced(make_lane: MakeLane) -> None:
    lane, heard = make_lane()
    first = heard.end(lane.ask("nice", {}, title="Looking")).outcome["pid"]
    os.kill(first, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(first)] if psutil.pid_exists(first) else [], timeout=2)
    assert heard.end(lane.ask("nice", {}, title="Looking")).outcome["pid"] != first


def test_a_crash_names_its_signal_and_the_workers_last_words(
    make_lane: MakeLane, tmp_path: Path
) -> None:
    worker = tmp_path / "crash.py"
    worker.write_text(
        textwrap.dedent("""
        import os, sys
        sys.stdout.buffer.write(b'\\x00\\x00\\x00\\x02{}'); sys.stdout.buffer.flush()
        sys.stdin.buffer.read(4)
        sys.stderr.write('free(): invalid pointer'); sys.stderr.flush()
        os.abort()
    """),
        encoding="utf-8",
    )
    lane, heard = make_lane(sys.executable, str(worker))
    end = heard.end(lane.ask("count", {}, title="Counting"))
    assert "SIGABRT" in end.what
    assert "free(): invalid pointer" in end.details


def test_a_worker_that_dies_before_it_is_ready_fails_the_job_with_its_words(
    make_lane: MakeLane,
) -> None:
    lane, heard = make_lane(sys.executable, "-c", "raise ImportError('no library of that name')")
    for _ in range(2):
        end = heard.end(lane.ask("count", {}, title="Counting"))
        assert "could not be started (exit status 1)" in end.what
        assert "no library of that name" in end.details


def test_a_program_that_is_not_there_fails_the_job_with_the_cause(make_lane: MakeLane) -> None:
    lane, heard = make_lane("/nowhere/no-such-program")
    for _ in range(2):
        end = heard.end(lane.ask("count", {}, title="Counting"))
        assert end.kind == "failed"
        assert "No such file" in end.what
        assert end.remedy


def test_a_worker_that_speaks_no_frames_fails_the_job(make_lane: MakeLane) -> None:
    lane, heard = make_lane(sys.executable, "-c", "print('hello, I am no worker'); input()")
    assert heard.end(lane.ask("count", {}, title="Counting")).kind == "failed"


@pytest.mark.parametrize("wait_until", ["asked", "started", "progressed"])
def test_stop_cuts_off_the_running_job_and_ends_all_that_wait(
    make_lane: MakeLane, until: Until, wait_until: str
) -> None:
    lane, heard = make_lane()
    tickets = [lane.ask("count", {"steps": 99, "pause": 0.1}, title="Counting") for _ in range(3)]
    if wait_until != "asked":
        until(lambda: getattr(heard, wait_until))
    pid, began = lane.worker_pid, time.monotonic()
    lane.stop()
    assert time.monotonic() - began < 0.5
    assert [heard.end(ticket).kind for ticket in tickets] == ["cancelled"] * 3
    assert not lane.isRunning()
    assert pid is None or not psutil.pid_exists(pid)
    assert lane.worker_pid is None


def test_stop_does_not_wait_for_a_c_call(make_lane: MakeLane, until: Until) -> None:
    lane, heard = make_lane()
    lane.ask("sleep_in_c", {"seconds": 60}, title="Sleeping")
    until(lambda: len(heard.progressed) == 2)
    began = time.monotonic()
    lane.stop()
    assert time.monotonic() - began < 0.5


def test_a_job_asked_of_a_stopped_lane_ends_cancelled(make_lane: MakeLane) -> None:
    lane, heard = make_lane()
    lane.stop()
    lane.stop()
    assert heard.end(lane.ask("count", {"steps": 1}, title="Counting")).kind == "cancelled"


def test_no_thread_and_no_open_file_is_left_after_stop(make_lane: MakeLane, until: Until) -> None:
    threads, files = threading.active_count(), psutil.Process().num_fds()
    for _ in range(2):
        lane, heard = make_lane()
        ticket = lane.ask("count", {"steps": 99, "pause": 0.1}, title="Counting")
        until(lambda: heard.progressed)  # noqa: B023 - read within this turn of the loop
        lane.cancel(ticket)
        heard.end(ticket)
        lane.stop()
    until(lambda: threading.active_count() <= threads)
    assert psutil.Process().num_fds() <= files


def test_threads_of_the_worker_are_held_to_what_was_told(
    monkeypatch: pytest.MonkeyPatch, make_lane: MakeLane
) -> None:
    script = "import os; raise SystemExit(' '.join(os.environ[n] for n in " + (
        "('OMP_NUM_THREADS', 'MKL_NUM_THREADS', 'SAMESENSE_THREADS')))"
    )
    lane, heard = make_lane(sys.executable, "-c", script)
    lane._threads = 1
    assert heard.end(lane.ask("count", {}, title="Counting")).details == "1 1 1"


def test_a_package_called_core_in_the_working_folder_is_not_taken_for_ours(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, make_lane: MakeLane
) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    monkeypatch.chdir(tmp_path)
    lane, heard = make_lane(*worker_command())
    values = {"columns": ["a"], "text_columns": ["a"], "template": "", "rows": [["x"]]}
    assert heard.end(lane.ask("compose", values, title="Composing")).outcome == {"texts": ["x"]}
