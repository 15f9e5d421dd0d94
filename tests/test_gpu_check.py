"""The check of a device, on the processor, with tiny encoders and memory that runs out."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts" / "gpu_check.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gpu_check", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["gpu_check"] = module  # dataclasses look for it there
    spec.loader.exec_module(module)
    return module


def test_on_the_processor_every_check_passes_and_tells_its_figures(tiny_encoder: Path) -> None:
    words = ["--device", "cpu", "--quick", "--encoder", str(tiny_encoder)]
    done = subprocess.run(
        [sys.executable, SCRIPT, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *lines, last = done.stdout.splitlines()
    told = json.loads(last)
    assert told["passed"] and told["failures"] == []
    assert told["seconds"] < 30
    checks = told["checks"]
    assert len(lines) == len(checks) + 1
    assert checks["teaching, memory short"]["refused"] > 0
    assert checks["encoding, memory short"]["refused"] > 0
    assert checks["teaching, broken off"]["largest_change"] <= 1e-6
    assert checks["encoding"]["fp32_least_cosine"] > 0.99999


def test_a_check_that_fails_is_named_and_those_after_it_run(
    script: ModuleType, tiny_encoder: Path, tmp_path: Path
) -> None:
    def wrong(_: object) -> dict[str, float]:
        raise script.CheckFailed("7 pairs were missed")

    def broken(_: object) -> dict[str, float]:
        raise RuntimeError("no kernel image")

    checks = {"pairs": wrong, "encoding": broken, "labelling": lambda _: {"rate": 3.0}}
    work = script.Work("cpu", tiny_encoder, tmp_path, 1, 1, 1, 1)
    told = script.run_checks(checks, work)
    assert not told["passed"]
    assert told["failures"] == ["pairs", "encoding"]
    assert told["checks"]["encoding"]["failed"] == "RuntimeError: no kernel image"
    assert told["checks"]["labelling"]["passed"] and told["checks"]["labelling"]["rate"] == 3.0
    assert "FAILED: 7 pairs were missed" in script.table(told)


def test_it_ends_with_one_where_a_check_failed(
    script: ModuleType, tiny_encoder: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip  # fixtures
    def wrong(_: object) -> dict[str, float]:
        raise script.CheckFailed("vectors are off")

    monkeypatch.setattr(script, "CHECKS", {"encoding": wrong})
    monkeypatch.setattr(
        sys, "argv", ["gpu_check", "--device", "cpu", "--encoder", str(tiny_encoder)]
    )
    assert script.main() == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["failures"] == ["encoding"]


def test_vectors_that_are_off_fail_the_check(
    script: ModuleType, tiny_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tolerance that cannot be met stands for a device that computes wrongly."""
    monkeypatch.setitem(script.LEAST_COSINE, "bf16", 1.0 + 1e-3)
    work = script.Work("cpu", tiny_encoder, tmp_path, 100, 100, 16, 16)
    told = script.run_checks({"encoding": script.check_encoding}, work)
    assert "bf16 vectors are" in told["checks"]["encoding"]["failed"]
