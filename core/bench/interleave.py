"""Sides timed in turn, A B A B, so that a machine whose speed moves is unfair to nobody."""

import statistics
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import psutil

from core.freed_memory import give_freed_memory_back
from core.progress import Progress, Steps

LONG_S = 30.0  # a side whose first run takes longer runs less often
LONG_REPEATS = 2
_LOOK_S = 0.01  # between two looks at the memory
_MB = 2**20


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run that keeps its own time says of itself."""

    seconds: float
    outcome: Any = None
    peak_mb: float | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """A side after its runs."""

    seconds: float  # the median
    runs: int
    outcome: Any  # of the last run
    peak_mb: float  # memory the first run took beyond what there was; 0.0 where nobody looked


def interleave(
    sides: Mapping[str, Callable[[], Any]], *, title: str, repeats: int = 5
) -> Steps[dict[str, Timing]]:
    """Run each side once, then each again, `repeats` times; return the medians.

    A side that returns `Measured` has kept the time itself. One that takes 30 s or more at first
    runs twice. The memory of the first side is watched during its first run, before
    any other side has left anything behind.
    """
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    outcomes: dict[str, Any] = {}
    peaks = dict.fromkeys(sides, 0.0)
    total = repeats * len(sides)
    for turn in range(repeats):
        for place, (name, call) in enumerate(sides.items()):
            if turn >= _turns(seconds[name], repeats):
                continue
            yield Progress(title, turn * len(sides) + place, total, "runs")
            outcomes.pop(name, None)
            is_watched = turn == place == 0
            run = _timed(call, watch=is_watched)
            seconds[name].append(run.seconds)
            outcomes[name] = run.outcome
            peaks[name] = max(peaks[name], run.peak_mb or 0.0)
    return {
        name: Timing(statistics.median(times), len(times), outcomes[name], peaks[name])
        for name, times in seconds.items()
    }


def told_runs(timings: Mapping[str, Timing]) -> str:
    """How often the sides ran, in a sentence."""
    most = max(timing.runs for timing in timings.values())
    fewer = [f"{name} {one.runs}" for name, one in timings.items() if one.runs < most]
    told = f"Medians of {most} runs each, in turn" if most > 1 else "One run each"
    if fewer:
        told += f"; of {', '.join(fewer)}, as a run takes {LONG_S:.0f} s or more"
    elif all(one.seconds >= LONG_S for one in timings.values()):
        told += f", as a run takes {LONG_S:.0f} s or more"
    return told + "."


def peak_growth(call: Callable[[], Any]) -> tuple[Any, float]:
    """Return what `call` returns, and by how many MB the process grew at most meanwhile.

    Memory freed before and kept by the process would hide what `call` takes: it goes first.
    """
    give_freed_memory_back()
    process = psutil.Process()
    before = highest = process.memory_info().rss
    is_over = threading.Event()

    def look() -> None:
        nonlocal highest
        while not is_over.wait(_LOOK_S):
            highest = max(highest, process.memory_info().rss)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        outcome = call()
    finally:
        is_over.set()
        watcher.join()
    return outcome, (max(highest, process.memory_info().rss) - before) / _MB


def _turns(seconds: list[float], repeats: int) -> int:
    is_long = bool(seconds) and seconds[0] >= LONG_S
    return min(repeats, LONG_REPEATS) if is_long else repeats


def _timed(call: Callable[[], Any], *, watch: bool) -> Measured:
    begun = time.perf_counter()
    outcome, peak = peak_growth(call) if watch else (call(), 0.0)
    seconds = time.perf_counter() - begun
    if isinstance(outcome, Measured):
        own = outcome.peak_mb
        return Measured(outcome.seconds, outcome.outcome, peak if own is None else own)
    return Measured(seconds, outcome, peak)
