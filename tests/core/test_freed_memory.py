"""Memory of forward passes stays with the process."""

import subprocess
import sys

import pytest

from core.freed_memory import keep_freed_memory

_TRIAL = """
import ctypes
import resource
import sys
import torch
from core.freed_memory import keep_freed_memory

# glibc's own thresholds, held still: it would raise them now and then by itself.
for which in (-3, -1):
    ctypes.CDLL(None).mallopt(which, 128 << 10)
if sys.argv[1] == "kept":
    assert keep_freed_memory()
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
def layers():
    a = torch.ones(3_000_000)
    return torch.cat([a * 2, a + 1]).sum()
torch.set_num_threads(1)
for _ in range(10):  # until the heap has the pieces that a round asks for
    layers()
before = faults()
for _ in range(5):
    layers()
print(faults() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc keeps memory on demand")
def test_pages_that_were_freed_are_not_asked_for_again():
    def faults(word: str) -> int:
        done = subprocess.run(
            [sys.executable, "-c", _TRIAL, word], capture_output=True, text=True, check=True
        )
        return int(done.stdout)

    assert faults("kept") < faults("ordinary") / 10


def test_what_a_person_set_in_the_environment_stands(monkeypatch):
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "100000")
    assert not keep_freed_memory()
