"""From the start of the program's process to a window that can be used."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from core.bench.asked import Asked
from core.bench.fresh import fresh_command, fresh_environment
from core.bench.importing import import_into, write_table
from core.bench.interleave import Measured, interleave, told_runs
from core.bench.machine import measure_machine
from core.bench.made import made_vectors
from core.bench.report import Report, report_of
from core.bench.search_words import give_vectors
from core.bench.texts import bench_texts
from core.encoders import load_encoder
from core.folders import encoder_folder
from core.progress import Progress, Steps
from core.store import Project

BARE = "bare window"
_QUESTION = "a parcel that came late"
_USABLE, _OPEN, _ANSWERED = "usable", "open", "answered"  # what the window's code says


@dataclass(slots=True)
class _Starts:
    """What was seen of the starts besides when the window could be used."""

    open_seconds: list[float] = field(default_factory=list)
    answer_seconds: list[float] = field(default_factory=list)
    heavy: list[str] = field(default_factory=list)


def bench_start(asked: Asked) -> Steps[Report]:
    """Time the start with a project of so many rows; `seconds` end when the window is usable."""
    machine = yield from measure_machine()
    texts = yield from bench_texts(asked)
    seen = _Starts()
    with tempfile.TemporaryDirectory(prefix="samesense-bench-") as home:
        yield Progress("Making a project")
        table, project = Path(home) / "table.csv", Path(home) / "made.samesense"
        write_table(table, texts.bodies)
        import_into(project, table)
        loaded = load_encoder(encoder_folder(asked.encoder), device="cpu", threads=1)
        with Project.open(project) as made:
            vectors = made_vectors(len(texts.bodies), loaded.dimension, seed=asked.seed)
            give_vectors(made, vectors, loaded)
        sides: dict[str, Callable[[], Any]] = {
            "Samesense": lambda: _start(project, Path(home), seen),
            BARE: lambda: _bare(Path(home)),
        }
        yield Progress("Starting once, so that the files are at hand")
        for side in sides.values():
            side()
        seen.open_seconds.clear()
        seen.answer_seconds.clear()
        timings = yield from interleave(sides, title="Starting", repeats=asked.repeats)
    told = told_runs(timings)
    bare = timings.pop(BARE).seconds
    quality = {
        "open_seconds": statistics.median(seen.open_seconds),
        "first_answer_seconds": statistics.median(seen.answer_seconds),
        "heavy_libraries": seen.heavy,
        "notes": [
            f"{told} Warm starts, drawn without a screen, settings of nobody.",
            f"The window opens a project of {len(texts.bodies):,} rows; open seconds end when it "
            "is read and told of, the first answer when texts are found by meaning.",
            "The limit is an empty window of the toolkit in a process of its own.",
        ],
    }
    return report_of(
        "start", len(texts.bodies), machine, timings, limit_seconds=bare, quality=quality
    )


def _start(project: Path, home: Path, seen: _Starts) -> Measured:
    """Start the program as its command does and listen to what it says."""
    line = fresh_command("start", {"project": str(project), "question": _QUESTION})
    begun = time.perf_counter()
    with _process(line, home) as process:
        _listen(process, _USABLE)
        usable = time.perf_counter() - begun
        _listen(process, _OPEN)
        seen.open_seconds.append(time.perf_counter() - begun)
        size = _size_mb(process)
        _listen(process, _ANSWERED)
        seen.answer_seconds.append(time.perf_counter() - begun)
        rest, said = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the window ended with {process.returncode}: {said[-2_000:]}")
    heavy = _answer(rest)
    seen.heavy = sorted({*seen.heavy, *heavy})
    return Measured(usable, None, size)


def _bare(home: Path) -> Measured:
    if getattr(sys, "frozen", False):
        line = fresh_command("bare", {})
    else:
        line = [sys.executable, "-P", "-c", "import app.bench.start as s; s.bare_window()"]
    begun = time.perf_counter()
    with _process(line, home) as process:
        _listen(process, _USABLE)
        seconds = time.perf_counter() - begun
        process.communicate()
    return Measured(seconds, None, 0.0)


def _process(line: list[str], home: Path) -> "subprocess.Popen[str]":
    environment = {
        **fresh_environment(),
        "QT_QPA_PLATFORM": "offscreen",
        "SAMESENSE_HOME": str(home / "home"),
    }
    return subprocess.Popen(
        line, env=environment, text=True, encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def _listen(process: "subprocess.Popen[str]", word: str) -> None:
    """Read lines until the word is said; raise `RuntimeError` where it never is."""
    for line in process.stdout or ():
        if line.strip() == word:
            return
    said = process.communicate()[1]
    raise RuntimeError(f"the window never said “{word}”: {said[-2_000:]}")


def _size_mb(process: "subprocess.Popen[str]") -> float:
    try:
        return float(psutil.Process(process.pid).memory_info().rss) / 2**20
    except psutil.NoSuchProcess:
        return 0.0


def _answer(rest: str) -> list[str]:
    told: list[str] = json.loads(rest.splitlines()[-1])["heavy"]
    return told
