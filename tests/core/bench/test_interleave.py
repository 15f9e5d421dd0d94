"""Sides in turn."""

import subprocess
import sys
import time

import numpy as np
import pytest

from core.bench.interleave import LONG_S, Measured, interleave, peak_growth, told_runs
from core.progress import run_to_end


def sides(**seconds):
    """Sides that tell these times, one after another, and the order in which they ran."""
    order = []

    def side(name, told):
        waiting = iter(told)

        def run():
            order.append(name)
            return Measured(next(waiting), len(order))

        return run

    return {name: side(name, told) for name, told in seconds.items()}, order


def test_sides_run_in_turn():
    both, order = sides(a=[1] * 5, b=[2] * 5)
    run_to_end(interleave(both, title=""))
    assert order == ["a", "b"] * 5


def test_the_median_counts():
    both, _ = sides(a=[9, 1, 2, 3, 1], b=[1, 1, 8, 8, 8])
    told = run_to_end(interleave(both, title=""))
    assert (told["a"].seconds, told["b"].seconds) == (2, 8)


def test_a_long_side_runs_twice_and_the_others_as_often_as_before():
    both, order = sides(a=[1] * 5, b=[LONG_S] * 2)
    told = run_to_end(interleave(both, title=""))
    assert order == ["a", "b", "a", "b", "a", "a", "a"]
    assert "of b 2, as a run takes 30 s or more" in told_runs(told)


def test_the_outcome_is_that_of_the_last_run():
    both, _ = sides(a=[1] * 3)
    assert run_to_end(interleave(both, title="", repeats=3))["a"].outcome == 3


def test_a_side_that_keeps_no_time_is_timed():
    told = run_to_end(interleave({"a": lambda: sum(range(20_000))}, title="", repeats=2))
    assert told["a"].seconds > 0
    assert told["a"].runs == 2


def test_memory_is_watched_while_a_call_lasts():
    def take():
        taken = np.ones(64 * 2**20, np.uint8)
        time.sleep(0.1)  # longer than between two looks
        return int(taken.sum())

    outcome, grown_mb = peak_growth(take)
    assert outcome == 64 * 2**20
    assert grown_mb > 32


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc keeps memory on demand")
def test_memory_freed_before_and_kept_does_not_hide_what_a_call_takes():
    done = subprocess.run([sys.executable, "-c", _KEPT], capture_output=True, text=True, check=True)
    assert float(done.stdout) > 32


# In a process of its own: what it keeps would stay with the other tests.
_KEPT = """
import time
import numpy as np
from core.bench.interleave import peak_growth
from core.freed_memory import keep_freed_memory

assert keep_freed_memory()
pieces = [np.ones(2**20, np.uint8) for _ in range(128)]
del pieces

def take():
    taken = [np.ones(2**20, np.uint8) for _ in range(64)]
    time.sleep(0.1)  # longer than between two looks
    return taken

print(peak_growth(take)[1])
"""
