"""Trainings run one at a time, and can be paused, ended early and cancelled."""

import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import psutil
import pytest
from PySide6.QtTest import QTest

from app.jobs import Ticket, TrainingThread

Until = Callable[..., None]
LONG = {"steps": 1000, "pause": 0.02}


@pytest.fixture
def make(make_lane: Callable[..., Any]) -> Callable[..., tuple[TrainingThread, Any]]:
    return partial(make_lane, kind=TrainingThread)


@pytest.fixture
def lane_and_heard(make: Callable[..., Any]) -> tuple[TrainingThread, Any]:
    return make()


def begun(thread: TrainingThread, heard: Any, until: Until) -> Ticket:
    ticket = thread.ask("learn", LONG, title="Learning")
    until(lambda: heard.points)
    return ticket


def paused(thread: TrainingThread, heard: Any, until: Until) -> Ticket:
    ticket = begun(thread, heard, until)
    thread.pause(ticket)
    until(lambda: heard.pauses)
    return ticket


def test_every_figure_of_a_training_is_told(lane_and_heard: tuple[TrainingThread, Any]) -> None:
    thread, heard = lane_and_heard
    ticket = thread.ask("learn", {"steps": 150, "pause": 0.002}, title="Learning")
    assert heard.end(ticket).kind == "finished"
    assert heard.points == [{"loss": 1 / (step + 1)} for step in range(150)]
    assert len(heard.progressed) < 20


def test_a_second_training_is_refused_while_one_runs_and_welcome_after(
    lane_and_heard: tuple[TrainingThread, Any], until: Until
) -> None:
    thread, heard = lane_and_heard
    first = begun(thread, heard, until)
    second = thread.ask("learn", LONG, title="Learning")
    end = heard.end(second)
    assert (end.kind, end.what) == ("failed", "A training is running already.")
    assert "keep the best" in end.remedy
    assert second.number not in heard.started
    thread.cancel(first)
    assert heard.end(first).kind == "cancelled"
    third = thread.ask("learn", {"steps": 2}, title="Learning")
    assert heard.end(third).kind == "finished"


def test_a_training_ended_early_finishes_with_its_best(
    lane_and_heard: tuple[TrainingThread, Any], until: Until
) -> None:
    thread, heard = lane_and_heard
    ticket = begun(thread, heard, until)
    thread.finish_early(ticket)
    assert heard.end(ticket).outcome["reason"] == "enough"


def test_a_paused_training_stands_still_until_it_is_resumed(
    lane_and_heard: tuple[TrainingThread, Any], until: Until
) -> None:
    thread, heard = lane_and_heard
    ticket = paused(thread, heard, until)
    standing = len(heard.points)
    QTest.qWait(400)
    assert len(heard.points) == standing
    thread.resume(ticket)
    until(lambda: len(heard.points) > standing)
    assert heard.pauses == [True, False]


def test_pause_and_resume_arrive_in_the_order_they_were_given(
    lane_and_heard: tuple[TrainingThread, Any], until: Until
) -> None:
    thread, heard = lane_and_heard
    ticket = begun(thread, heard, until)
    for _ in range(200):
        thread.pause(ticket)
        thread.resume(ticket)
    standing = len(heard.points)
    until(lambda: len(heard.points) > standing + 20)
    assert heard.pauses[-1:] in ([], [False])


def test_orders_given_while_the_worker_starts_reach_it(
    lane_and_heard: tuple[TrainingThread, Any], until: Until
) -> None:
    thread, heard = lane_and_heard
    ticket = thread.ask("learn", LONG, title="Learning")
    thread.pause(ticket)
    until(lambda: heard.pauses == [True])
    assert len(heard.points) == 1
    thread.finish_early(ticket)
    assert heard.end(ticket).outcome == {"steps": 0, "reason": "enough"}


def test_cancel_of_a_paused_training_needs_no_patience_and_kills_nothing(
    lane_and_heard: tuple[TrainingThread, Any], until: Until
) -> None:
    thread, heard = lane_and_heard
    ticket = paused(thread, heard, until)
    QTest.qWait(2_200)  # longer than the patience that a cancelled job is given
    asked = time.monotonic()
    thread.cancel(ticket)
    end = heard.end(ticket)
    assert (end.kind, end.worker_lost) == ("cancelled", False)
    assert time.monotonic() - asked < 1


def test_a_training_that_does_not_heed_cancel_is_cut_off(
    lane_and_heard: tuple[TrainingThread, Any], until: Until
) -> None:
    thread, heard = lane_and_heard
    ticket = thread.ask("sleep_in_c", {"seconds": 60}, title="Sleeping")
    until(lambda: len(heard.progressed) == 2)
    thread.cancel(ticket)
    end = heard.end(ticket)
    assert (end.kind, end.worker_lost) == ("cancelled", True)


def test_its_worker_ends_with_the_training(lane_and_heard: tuple[TrainingThread, Any]) -> None:
    thread, heard = lane_and_heard
    pid = heard.end(thread.ask("nice", {}, title="Looking")).outcome["pid"]
    assert not psutil.pid_exists(pid)
    assert thread.worker_pid is None


@pytest.mark.skipif(sys.platform == "win32", reason="niceness is counted elsewhere only")
def test_its_worker_gives_way_to_the_workers_of_lanes(
    make: Callable[..., Any], make_lane: Callable[..., Any]
) -> None:
    niceness = []
    for make_one in (make, make_lane):
        lane, heard = make_one()
        niceness.append(heard.end(lane.ask("nice", {}, title="Looking")).outcome["nice"])
    training, other = niceness
    assert training == 19
    assert training > other or os.nice(0) > 9


def test_a_killed_worker_fails_the_training_with_what_is_safe(
    lane_and_heard: tuple[TrainingThread, Any], until: Until
) -> None:
    thread, heard = lane_and_heard
    ticket = paused(thread, heard, until)
    pid = thread.worker_pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    end = heard.end(ticket)
    assert (end.kind, end.worker_lost) == ("failed", True)
    assert "Everything stored before is safe" in end.what


def test_orders_about_a_training_that_has_ended_are_nothing(
    lane_and_heard: tuple[TrainingThread, Any],
) -> None:
    thread, heard = lane_and_heard
    ticket = thread.ask("learn", {"steps": 1}, title="Learning")
    heard.end(ticket)
    for order in (thread.pause, thread.resume, thread.finish_early, thread.cancel):
        order(ticket)
    again = thread.ask("learn", {"steps": 3}, title="Learning")
    assert heard.end(again).outcome == {"steps": 2, "reason": "done"}
    assert heard.pauses == []


def test_stop_ends_a_paused_training_at_once(
    lane_and_heard: tuple[TrainingThread, Any], until: Until
) -> None:
    thread, heard = lane_and_heard
    ticket = paused(thread, heard, until)
    began = time.monotonic()
    thread.stop()
    assert time.monotonic() - began < 0.5
    assert heard.end(ticket).kind == "cancelled"
