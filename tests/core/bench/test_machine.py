"""What the machine is and how fast."""

import pytest

from core.bench import machine
from core.progress import run_to_end


@pytest.fixture
def measured(quick_machine: None) -> machine.Machine:
    return run_to_end(machine.measure_machine())


def test_a_machine_is_described(measured: machine.Machine):
    assert measured.processor
    assert measured.cores >= 1
    assert measured.memory_gb > 0
    assert {"python", "torch", "numpy"} <= set(measured.versions)


def test_limits_are_measured_in_both_precisions(measured: machine.Machine):
    assert sorted(measured.gemm_gflops) == ["bf16", "fp32"]
    assert all(rate > 0 for rates in measured.gemm_gflops.values() for rate in rates.values())
    assert measured.stream_gb_s > 0


def test_twice_the_matrices_take_twice_as_long(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "gemm_rate", lambda shape, *, precision: 1e9 * shape[1])
    once = machine.gemm_seconds({(10, 20): 1}, rows=100, precision="fp32")
    assert once == pytest.approx(2 * 100 * 10 / 1e9)
    twice = machine.gemm_seconds({(10, 20): 1, (10, 40): 1}, rows=100, precision="fp32")
    assert twice == pytest.approx(2 * once)
