"""A hard stop at any moment loses nothing that was acknowledged."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "kills.py"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the victims are forked, which Windows cannot")
def test_kills_at_random_moments_lose_nothing() -> None:
    """In a process of its own, which may fork: this one may hold threads of earlier tests."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--kills", "8", "--seed", "7"],
        capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "8 kills, " in done.stdout
    assert "0 with anything lost" in done.stdout
