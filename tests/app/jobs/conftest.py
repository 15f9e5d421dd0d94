"""Lanes with small workers of every kind, and a way to wait for signals."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.jobs import JobEnd, Lane, Ticket, TrainingThread

WISHES = Path(__file__).resolve().parents[2] / "core" / "worker" / "wishes.py"


class Heard:
    """What a lane told, in order."""

    def __init__(self, lane: Lane) -> None:
        self.started: list[int] = []
        self.progressed: list[int] = []
        self.ends: list[tuple[int, JobEnd]] = []
        lane.started_job.connect(lambda ticket: self.started.append(ticket.number))
        lane.progressed.connect(lambda ticket, _: self.progressed.append(ticket.number))
        lane.ended.connect(lambda ticket, end: self.ends.append((ticket.number, end)))
        self.points: list[dict[str, float]] = []
        self.pauses: list[bool] = []
        if isinstance(lane, TrainingThread):
            lane.measured.connect(lambda _, points: self.points.extend(points))
            lane.pause_changed.connect(lambda _, is_paused: self.pauses.append(is_paused))

    def kinds(self, ticket: Ticket) -> list[str]:
        return [end.kind for number, end in self.ends if number == ticket.number]

    def end(self, ticket: Ticket) -> JobEnd:
        """Wait for a job's end, and a little for a second one that must not come."""
        wait_for(lambda: self.kinds(ticket))
        QTest.qWait(30)
        (end,) = [end for number, end in self.ends if number == ticket.number]
        return end


def wait_for(condition: Callable[[], Any], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        QTest.qWait(5)


@pytest.fixture
def until() -> Callable[..., None]:
    """Wait, with the event loop running, until something is true."""
    return wait_for


@pytest.fixture
def make_lane(app: QApplication) -> Iterator[Callable[..., tuple[Lane, Heard]]]:
    """Make and start a lane with a worker command; it is stopped after the test."""
    lanes: list[Lane] = []

    def make(*command: str, kind: type[Lane] = Lane) -> tuple[Lane, Heard]:
        lane = kind(command=list(command) or [sys.executable, str(WISHES)])
        lanes.append(lane)
        heard = Heard(lane)
        lane.start()
        return lane, heard

    yield make
    for lane in lanes:
        lane.stop()
