"""The real worker process, spoken to in frames."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FRESH = 50  # the number of a job that no earlier test cancelled after its end


def test_it_starts_by_module_and_serves_the_catalogue(start: Callable[..., Any]) -> None:
    worker = start("-m", "core.worker")
    assert worker.ready == {"ready": worker.process.pid}
    end = worker.ask(
        1, "compose", columns=["a", "b"], text_columns=["a", "b"], template="", rows=[["x", "y"]]
    )[-1]
    assert end["finished"] == {"texts": ["x\ny"]}


def test_it_starts_by_the_programs_own_flag(start: Callable[..., Any]) -> None:
    worker = start("-m", "core.cli", "--worker")
    assert worker.ready == {"ready": worker.process.pid}


def test_a_job_tells_its_progress_and_its_outcome(worker: Any) -> None:
    messages = worker.ask(7, "count", steps=5, pause=0.12)
    first = {"title": "Counting", "done": 0, "total": 5, "unit": "", "figures": []}
    assert messages[0]["progress"] == first
    assert messages[-1]["finished"] == {"steps": 5}
    assert not any(messages[-1]["changes"].values())


def test_progress_comes_ten_times_a_second_at_most(worker: Any) -> None:
    assert len(worker.ask(1, "count", steps=100, pause=0.005)) < 20


def test_what_libraries_print_and_read_never_disturbs_the_frames(worker: Any) -> None:
    assert worker.ask(1, "chatter")[-1]["finished"] == {"read": ""}
    assert worker.ask(2, "count", steps=1)[-1]["finished"] == {"steps": 1}
    for speaker in ("a C library", "a child"):
        assert f"{speaker} says hello" in worker.errors


def test_it_ends_when_its_input_ends(own_worker: Any) -> None:
    own_worker.process.stdin.close()
    assert own_worker.ended_within(2)


def test_it_ends_when_its_input_ends_in_the_middle_of_a_job(own_worker: Any) -> None:
    own_worker.send({"job": 1, "wish": "count", "values": {"steps": 2, "pause": 60}})
    assert "progress" in own_worker.read()
    own_worker.process.stdin.close()
    assert own_worker.ended_within(2)


def test_it_ends_when_what_it_hears_is_no_frame(own_worker: Any) -> None:
    own_worker.process.stdin.write(b"\xff\xff\xff\xff nonsense")
    own_worker.process.stdin.flush()
    assert own_worker.ended_within(2)


@pytest.mark.skipif(sys.platform == "win32", reason="niceness is counted elsewhere only")
def test_it_works_at_low_priority(worker: Any) -> None:
    assert worker.ask(1, "nice")[-1]["finished"]["nice"] >= min(19, os.nice(0) + 1, 10)


@pytest.mark.parametrize(
    ("kind", "what", "remedy", "details"),
    [
        ("user", "The disk is full.", "Free some space.", ""),
        ("bug", "Something went wrong inside the program: 'no such thing'", "report", "KeyError"),
        ("damage", "The file of the project is damaged", "Restore the project", ""),
        ("memory", "The machine ran out of memory", "Close other programs", "MemoryError"),
        ("torch", "The machine ran out of memory", "Close other programs", "can't allocate"),
    ],
)
def test_a_fault_ends_the_job_once_with_cause_and_remedy(
    worker: Any, kind: str, what: str, remedy: str, details: str
) -> None:
    (end,) = [m for m in worker.ask(1, "fault", kind=kind) if "progress" not in m]
    assert what in end["failed"]["what"]
    assert remedy in end["failed"]["remedy"]
    assert details in end["failed"]["details"]
    # Exactly once: the next thing said is about the next job.
    assert worker.ask(2, "count", steps=0)[-1]["finished"] == {"steps": 0}


def test_a_wish_nobody_knows_fails_its_job_only(worker: Any) -> None:
    assert "nothing of the kind" in worker.ask(1, "nothing of the kind")[-1]["failed"]["what"]
    assert worker.ask(2, "count", steps=0)[-1]["finished"] == {"steps": 0}


def test_an_outcome_that_is_no_plain_value_fails_its_job_only(worker: Any) -> None:
    assert "not JSON serializable" in worker.ask(1, "untellable")[-1]["failed"]["what"]
    assert worker.ask(2, "count", steps=0)[-1]["finished"] == {"steps": 0}


def test_cancel_between_two_progresses_closes_the_workflow(worker: Any, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    values = {"steps": 1000, "pause": 0.05, "mark": str(mark)}
    worker.send({"job": 1, "wish": "count", "values": values})
    assert "progress" in worker.read()
    asked = time.monotonic()
    worker.send({"cancel": 1})
    assert worker.until_end(1)[-1] == {"job": 1, "cancelled": {}}
    assert time.monotonic() - asked < 2
    assert int(mark.read_text(encoding="utf-8")) < 1000


def test_a_job_cancelled_before_its_turn_never_begins(worker: Any, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    worker.send({"job": 1, "wish": "count", "values": {"steps": 4, "pause": 0.1}})
    worker.send({"job": 2, "wish": "count", "values": {"steps": 1, "mark": str(mark)}})
    worker.send({"cancel": 2})
    assert worker.until_end(1)[-1]["finished"] == {"steps": 4}
    assert worker.until_end(2) == [{"job": 2, "cancelled": {}}]
    assert not mark.exists()


def test_cancel_of_a_job_that_has_ended_is_nothing(worker: Any) -> None:
    worker.ask(1, "count", steps=0)
    worker.send({"cancel": 1})
    assert worker.ask(2, "count", steps=1)[-1]["finished"] == {"steps": 1}


def test_every_figure_is_told_although_progress_comes_rarely(worker: Any) -> None:
    messages = worker.ask(FRESH, "learn", steps=200, pause=0.002)
    assert len(messages) < 30
    points = [point for message in messages for point in message.get("points", [])]
    assert points == [{"loss": 1 / (step + 1)} for step in range(200)]


def test_stop_lets_a_job_end_early_with_the_best_so_far(worker: Any) -> None:
    worker.send({"job": FRESH, "wish": "learn", "values": {"steps": 1000, "pause": 0.02}})
    assert "progress" in worker.read()
    worker.send({"stop": FRESH})
    end = worker.until_end(FRESH)[-1]["finished"]
    assert end["reason"] == "enough"
    assert end["steps"] < 1000


def test_stop_before_a_job_begins_ends_it_at_its_first_step(worker: Any) -> None:
    worker.send({"stop": FRESH})
    worker.send({"job": FRESH, "wish": "learn", "values": {"steps": 1000, "pause": 0.02}})
    assert worker.until_end(FRESH)[-1]["finished"] == {"steps": 0, "reason": "enough"}


def test_stop_of_a_job_that_keeps_nothing_cancels_it(worker: Any) -> None:
    worker.send({"job": FRESH, "wish": "count", "values": {"steps": 1000, "pause": 0.02}})
    assert "progress" in worker.read()
    worker.send({"stop": FRESH})
    assert worker.until_end(FRESH)[-1] == {"job": FRESH, "cancelled": {}}


def paused(worker: Any, tmp_path: Path) -> Path:
    """Begin a job of fifty short steps and see it pause; its file tells how far it came."""
    mark = tmp_path / "mark"
    values = {"steps": 50, "pause": 0.02, "mark": str(mark)}
    worker.send({"job": FRESH, "wish": "learn", "values": values})
    assert "progress" in worker.read()
    worker.send({"pause": FRESH})
    while (message := worker.read()) != {"job": FRESH, "paused": True}:
        assert "progress" in message
    return mark


def test_a_paused_job_makes_no_step_until_it_is_resumed(worker: Any, tmp_path: Path) -> None:
    mark = paused(worker, tmp_path)
    time.sleep(1.5)
    assert not mark.exists()
    worker.send({"resume": FRESH})
    messages = worker.until_end(FRESH)
    assert messages[0] == {"job": FRESH, "paused": False}
    assert messages[-1]["finished"] == {"steps": 49, "reason": "done"}


@pytest.mark.parametrize(
    ("order", "end"), [("cancel", "cancelled"), ("stop", "finished")], ids=["cancel", "stop"]
)
def test_a_paused_job_heeds_cancel_and_stop_at_once(
    worker: Any, tmp_path: Path, order: str, end: str
) -> None:
    mark = paused(worker, tmp_path)
    asked = time.monotonic()
    worker.send({order: FRESH})
    assert end in worker.until_end(FRESH)[-1]
    assert time.monotonic() - asked < 0.5
    assert int(mark.read_text(encoding="utf-8")) < 49


def test_it_ends_when_its_input_ends_while_a_job_is_paused(own_worker: Any, tmp_path: Path) -> None:
    paused(own_worker, tmp_path)
    own_worker.process.stdin.close()
    assert own_worker.ended_within(2)


def test_a_job_after_a_paused_and_cancelled_one_runs_on(worker: Any, tmp_path: Path) -> None:
    paused(worker, tmp_path)
    worker.send({"cancel": FRESH})
    worker.until_end(FRESH)
    assert worker.ask(FRESH, "learn", steps=3)[-1]["finished"] == {"steps": 2, "reason": "done"}
