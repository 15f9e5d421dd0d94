import subprocess
import sys

import pytest

from core.compiling import compiled, cores

FROM_A_BUNDLE = """
import os, sys
sys.frozen = True
from core.layout.kernels import weighing_kernel
import numpy as np
far = np.full((3, 2), 0.5, np.float32)
weighing_kernel()(0, 3, far, 3, 0.3, np.zeros(3, np.float32), np.zeros(3, np.float32))
"""


def test_a_compiled_function_gives_what_the_plain_one_does():
    assert compiled(_half)(3) == pytest.approx(_half(3))


def test_a_bundle_keeps_its_machine_code_in_the_users_cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SAMESENSE_HOME", str(tmp_path))
    subprocess.run([sys.executable, "-c", FROM_A_BUNDLE], check=True)
    assert list((tmp_path / "cache" / "compiled").rglob("*.nbi"))


def test_importing_the_layout_does_not_load_numba():
    told = "import sys, core.layout; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_number_of_processors_can_be_bounded(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert cores() == 3


def _half(x):
    return x / 2
