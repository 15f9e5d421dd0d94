"""What a bench found: one document with fixed keys, and a table for people."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from core.bench.interleave import Timing
from core.bench.machine import Machine


@dataclass(frozen=True, slots=True)
class Report:
    """A bench's outcome; `rate` is everywhere rows / seconds, `ratio` theirs / ours."""

    bench: str
    rows: int
    machine: Machine
    ours: Timing
    peers: dict[str, Timing]
    limit_seconds: float  # what this machine would need at its own limit
    quality: dict[str, Any]  # `notes` are sentences
    figures: dict[str, float] = field(default_factory=dict)  # beside the others, of the map

    def document(self) -> dict[str, Any]:
        """The fixed keys of `samesense bench --json`."""
        ours = self.ours.seconds
        return {
            "bench": self.bench,
            "rows": self.rows,
            "machine": asdict(self.machine),
            "ours": {
                "seconds": ours, "rate": self.rows / ours, "peak_mb": round(self.ours.peak_mb, 1),
            },
            "peers": {
                name: {
                    "seconds": peer.seconds, "rate": self.rows / peer.seconds,
                    "ratio": peer.seconds / ours,
                }
                for name, peer in self.peers.items()
            },
            "limit": {"seconds": self.limit_seconds, "share": self.limit_seconds / ours},
            "quality": self.quality,
            **self.figures,
        }  # fmt: skip

    def words(self) -> str:
        """The same for people, the machine first."""
        told = self.document()
        names = ["Samesense", *self.peers, "this machine's limit"]
        wide = max(map(len, names))
        lines = [*_machine_words(self.machine), "", f"{self.bench}, {self.rows:,} rows"]
        lines.append(f"{'':{wide}}  {'seconds':>10}  {'rows/s':>12}  {'times ours':>10}")
        lines.append(_row("Samesense", wide, told["ours"]))
        lines += [_row(name, wide, peer) for name, peer in told["peers"].items()]
        seconds, share = told["limit"]["seconds"], told["limit"]["share"]
        lines.append(
            f"{names[-1]:{wide}}  {_figure(seconds):>10}  {_figure(self.rows / seconds):>12}  "
            f"{share:>10.2f}"
        )
        lines.append(f"Memory beyond what there was: {told['ours']['peak_mb']:,.0f} MB")
        lines += [f"{name}: {_figure(value)}" for name, value in self.figures.items()]
        lines += [
            f"{name.replace('_', ' ')}: {_figure(value)}"
            for name, value in self.quality.items()
            if name != "notes"
        ]
        return "\n".join([*lines, *self.quality.get("notes", ())])


def report_of(
    bench: str,
    rows: int,
    machine: Machine,
    timings: Mapping[str, Timing],
    *,
    limit_seconds: float,
    quality: dict[str, Any],
    figures: dict[str, float] | None = None,
) -> Report:
    """Make a report of timings whose first is ours."""
    ours, *peers = timings.items()
    return Report(bench, rows, machine, ours[1], dict(peers), limit_seconds, quality, figures or {})


def _machine_words(machine: Machine) -> list[str]:
    sets = ", ".join(machine.instruction_sets) or "no instruction sets known"
    lines = [
        f"{machine.processor}, {machine.cores} cores, {machine.memory_gb:g} GB, {sets}; "
        f"device {machine.device}, {machine.threads} threads"
    ]
    for precision, rates in machine.gemm_gflops.items():
        told = ", ".join(f"{rate:,.0f} GFLOP/s ({shape})" for shape, rate in rates.items())
        lines.append(f"{precision} products: {told}")
    return [*lines, f"memory stream: {machine.stream_gb_s:g} GB/s"]


def _row(name: str, wide: int, side: Mapping[str, float]) -> str:
    return (
        f"{name:{wide}}  {_figure(side['seconds']):>10}  {_figure(side['rate']):>12}  "
        f"{side.get('ratio', 1.0):>10.2f}"
    )


def _figure(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}"
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {_figure(one)}" for name, one in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(_figure, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)
