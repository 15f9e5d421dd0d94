"""A call beside this thread."""

import sys
import threading
import time
from contextlib import suppress

import pytest

from core.errors import UserError
from core.workflows.aside import Aside


def test_the_outcome_is_there_once_the_block_is_left():
    with Aside(lambda: threading.current_thread() is threading.main_thread()) as call:
        pass
    assert call.outcome is False


def test_the_block_runs_meanwhile():
    met = threading.Barrier(2, timeout=10)
    with Aside(met.wait):
        met.wait()


def test_what_the_call_raises_is_raised_on_leaving():
    def fail():
        raise UserError("The disk is full.", "Free some space.")

    with pytest.raises(UserError, match="disk is full"), Aside(fail):
        pass


def test_a_fault_of_the_block_is_raised_after_the_call_has_ended():
    ended = []

    def slow():
        time.sleep(0.1)
        ended.append(True)

    with pytest.raises(KeyError), Aside(slow):
        raise KeyError
    assert ended == [True]


def test_a_fault_of_the_block_comes_before_that_of_the_call():
    def fail():
        raise OSError

    with pytest.raises(KeyError), Aside(fail):
        raise KeyError


def test_no_thread_is_left():
    before = threading.active_count()
    with Aside(lambda: None):
        pass
    assert threading.active_count() == before


@pytest.mark.parametrize("faults", [False, True])
def test_python_switches_between_threads_as_before(faults: bool):
    before = sys.getswitchinterval()
    during = []
    with suppress(KeyError), Aside(lambda: during.append(sys.getswitchinterval())):
        if faults:
            raise KeyError
    assert during[0] < before
    assert sys.getswitchinterval() == before
