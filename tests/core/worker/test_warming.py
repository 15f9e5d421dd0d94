import queue
import subprocess
import sys
import time

from core.worker.door import when_idle

LOADED = """
import sys
from core.worker.warming import warm
warm()
print("core.layout.kernels" in sys.modules, "hdbscan" in sys.modules, "torch" in sys.modules)
"""


def test_warming_loads_what_a_first_map_needs_and_nothing_of_an_encoder():
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "True", "False"]


def test_the_door_warms_and_ends_when_told_to():
    done = subprocess.run([sys.executable, "-m", "core.worker", "--warm"], stdin=subprocess.DEVNULL)
    assert done.returncode == 0


def test_an_idle_worker_makes_the_call_once_the_time_has_passed():
    calls = []
    assert when_idle(queue.Queue(), lambda: calls.append(1), after_s=0.0)
    assert calls == [1]


def test_a_wish_that_waits_comes_first():
    inbox = queue.Queue()
    inbox.put({"job": 1})
    calls = []
    begun = time.monotonic()
    assert not when_idle(inbox, lambda: calls.append(1), after_s=30)
    assert (calls, time.monotonic() - begun < 0.2) == ([], True)
