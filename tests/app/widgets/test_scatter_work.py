"""Work in slices on the window's own thread."""

import pytest
from PySide6.QtCore import QObject

from app.widgets.scatter_work import SlicedWork, finish


@pytest.fixture
def work(app):
    owner = QObject()
    yield SlicedWork(owner)
    owner.deleteLater()


def counting(to, done):
    for number in range(to):
        done.append(number)
        yield
    return to


def run(app, work):
    while work.is_busy:
        app.processEvents()


def test_work_is_done_between_events_and_its_result_is_given(app, work):
    done, results = [], []
    work.start(counting(5, done), results.append)
    assert done == []
    run(app, work)
    assert (done, results) == ([0, 1, 2, 3, 4], [5])


def test_new_work_takes_the_place_of_old(app, work):
    old, results = [], []
    work.start(counting(5, old), results.append)
    work.start(counting(2, []), results.append)
    run(app, work)
    assert (old, results) == ([], [2])


def test_stopped_work_gives_nothing(app, work):
    results = []
    work.start(counting(5, []), results.append)
    work.stop()
    app.processEvents()
    assert (results, work.is_busy) == ([], False)


def test_finishing_does_what_follows_too(work):
    results = []

    def again(number):
        results.append(number)
        if number > 1:
            work.start(counting(number - 1, []), again)

    work.start(counting(3, []), again)
    work.finish()
    assert results == [3, 2, 1]


def test_steps_can_be_run_to_the_end_at_once():
    assert finish(counting(4, [])) == 4
