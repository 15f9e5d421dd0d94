"""The map's frames under a moving hand; the window's own code draws and measures."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from core.bench.asked import Asked
from core.bench.fresh import in_fresh_process
from core.bench.interleave import Timing
from core.bench.machine import measure_machine
from core.bench.made import made_places
from core.bench.report import Report, report_of
from core.progress import Progress, Steps

PEER = "pyqtgraph ScatterPlotItem, one colour"
_WIDE, _TALL = 1_200, 900
_PIXEL_BYTES, _POINT_BYTES = 4, 9  # of a point two float32 and a colour


def bench_map(asked: Asked) -> Steps[Report]:
    """Time frames of the real map canvas; `seconds` are those of the median frame."""
    machine = yield from measure_machine()
    yield Progress("Making up a map")
    xy, cluster = made_places(asked.rows, seed=asked.seed)
    with tempfile.TemporaryDirectory(prefix="samesense-bench-") as home:
        points = Path(home) / "points.npz"
        np.savez(points, xy=xy, cluster=cluster)
        yield Progress("Moving about on the map")
        told = in_fresh_process(
            "map",
            {"points": str(points), "repeats": asked.repeats, "peers": asked.peers},
            environment={"QT_QPA_PLATFORM": "offscreen"},
        )
    timings = {"Samesense": _timing(told["ours"], asked.repeats, told["mb"])}
    if told["theirs"]:
        timings[PEER] = _timing(told["theirs"], asked.repeats, 0.0)
    figures = {
        "frame_ms_p50": _quantile(told["ours"], 0.5),
        "frame_ms_p95": _quantile(told["ours"], 0.95),
        "hover_ms_p95": _quantile(told["hover"], 0.95),
        "lasso_ms": _quantile(told["lasso"], 0.5),
        "recolour_ms": _quantile(told["recolour"], 0.5),
    }
    quality: dict[str, Any] = {
        "first_picture_ms": told["first_picture"],
        "frames": len(told["ours"]),
        "late_frames": sum(one > 1000 / 60 for one in told["ours"]),
        "longest_frame_ms": max(told["ours"]),
        "peers_frame_ms_p95": {PEER: _quantile(told["theirs"], 0.95)} if told["theirs"] else {},
        "notes": [
            f"Places are made up (seed {asked.seed}), with clusters, names and stray points; "
            f"{_WIDE} by {_TALL} pixels, painted by the processor without a screen.",
            "A frame lasts from when a motion is due, 60 a second, until it is painted. Sides "
            f"move in turn, {asked.repeats} times.",
            "The first picture lasts from opening the file of points and clusters until they are "
            "painted in their colours.",
            "The limit reads every point and writes every pixel once.",
        ],
    }
    size = asked.rows * _POINT_BYTES + _WIDE * _TALL * _PIXEL_BYTES
    return report_of(
        "map", asked.rows, machine, timings, limit_seconds=size / machine.bytes_per_second,
        quality=quality, figures=figures,
    )  # fmt: skip


def _timing(frames_ms: list[float], runs: int, peak_mb: float) -> Timing:
    return Timing(_quantile(frames_ms, 0.5) / 1000, runs, None, max(0.0, peak_mb))


def _quantile(values: list[float], share: float) -> float:
    return float(np.quantile(values, share))
