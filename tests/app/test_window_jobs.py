"""Lines for the strip, from what the workspace tells of its jobs."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.jobs import JobEnd, Ticket
from app.window_jobs import JobBook
from app.workspace import Workspace
from core.progress import Progress

TICKET = Ticket(1, "train", "Teaching")


class Clock:
    """A clock that is set by hand, in seconds."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def workspace(app: QApplication) -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.stop()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(workspace: Workspace, clock: Clock) -> JobBook:
    made = JobBook(workspace, clock=clock)
    workspace.job_queued.emit(TICKET)
    workspace.job_started.emit(TICKET)
    return made


def go_on(
    workspace: Workspace, clock: Clock, *done: int, figures: tuple[tuple[str, float], ...] = ()
) -> None:
    """A step a second up to each of these."""
    for number in done:
        clock.now += 1
        workspace.job_progressed.emit(TICKET, Progress("Teaching", number, 100, "steps", figures))


def test_the_time_left_follows_from_the_pace(
    book: JobBook, workspace: Workspace, clock: Clock
) -> None:
    go_on(workspace, clock, 0, 10, 20, 30)
    assert book.current is not None
    assert book.current.rate == pytest.approx(10)
    assert book.current.remaining_s == pytest.approx(7)


def test_a_job_that_forecasts_its_end_is_believed(
    book: JobBook, workspace: Workspace, clock: Clock
) -> None:
    go_on(workspace, clock, 0, 10, 20, 30, figures=(("seconds", 42.0),))
    assert book.current is not None
    assert book.current.remaining_s == 42


def test_while_paused_there_is_neither_pace_nor_time_left(
    book: JobBook, workspace: Workspace, clock: Clock
) -> None:
    go_on(workspace, clock, 0, 10, 20, 30)
    workspace.job_paused.emit(TICKET, True)
    line = book.current
    assert line is not None
    assert (line.title, line.rate, line.remaining_s) == ("Teaching (paused)", None, None)


def test_what_ended_in_a_project_is_forgotten_when_it_is_closed(
    book: JobBook, workspace: Workspace
) -> None:
    workspace.job_ended.emit(TICKET, JobEnd("finished", outcome={}))
    assert book.current is not None
    workspace.closed.emit()
    assert book.current is None
    assert book.history == ()


def test_a_pause_is_no_part_of_the_pace(book: JobBook, workspace: Workspace, clock: Clock) -> None:
    go_on(workspace, clock, 0, 10, 20, 30)
    workspace.job_paused.emit(TICKET, True)
    clock.now += 3_600
    workspace.job_paused.emit(TICKET, False)
    go_on(workspace, clock, 30, 40, 50, 60)
    assert book.current is not None
    assert book.current.title == "Teaching"
    assert book.current.rate == pytest.approx(10)
