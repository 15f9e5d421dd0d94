"""Benches small enough for tests: few rows, a tiny encoder, a machine measured in a blink."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.bench import layout, machine, pairs
from core.cli.program import program

KEYS = ["bench", "rows", "machine", "ours", "peers", "limit", "quality"]


@pytest.fixture
def quick_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure the machine with small products and short trials."""
    monkeypatch.setattr(machine, "_MINI_LM", ((32, 32), (32, 64)))
    monkeypatch.setattr(machine, "_TRIAL_S", 0.0)
    monkeypatch.setattr(machine, "_STREAM_BYTES", 2**20)
    for module in (pairs, layout):
        monkeypatch.setattr(module, "_TILE", 256)


@pytest.fixture
def bench(quick_machine: None, tiny_encoder: Path) -> Callable[..., dict[str, Any]]:
    """Run `samesense bench`, check what every bench promises, return its document."""

    def run(*words: object, repeats: int = 2) -> dict[str, Any]:
        asked = ["bench", *map(str, words), "--encoder", str(tiny_encoder)]
        asked += ["--repeats", str(repeats)]
        outcome = CliRunner().invoke(program, [*asked, "--json"])
        assert outcome.exit_code == 0, outcome.output + str(outcome.exception)
        told: dict[str, Any] = json.loads(outcome.stdout)
        assert list(told)[: len(KEYS)] == KEYS
        _expect_consistent(told)
        return told

    return run


def _expect_consistent(told: dict[str, Any]) -> None:
    ours = told["ours"]
    assert sorted(ours) == ["peak_mb", "rate", "seconds"]
    assert ours["seconds"] > 0
    assert ours["peak_mb"] >= 0
    assert ours["rate"] == pytest.approx(told["rows"] / ours["seconds"])
    assert sorted(told["limit"]) == ["seconds", "share"]
    assert told["limit"]["seconds"] > 0
    assert told["limit"]["share"] == pytest.approx(told["limit"]["seconds"] / ours["seconds"])
    for peer in told["peers"].values():
        assert sorted(peer) == ["rate", "ratio", "seconds"]
        assert peer["ratio"] == pytest.approx(peer["seconds"] / ours["seconds"])
        assert peer["rate"] == pytest.approx(told["rows"] / peer["seconds"])
