"""The machine: what it is, and how fast it multiplies and reads at its best."""

import importlib.metadata
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import psutil

from core.processor import instruction_sets, processor_name
from core.progress import Progress, Steps

PRECISIONS = ("fp32", "bf16")
_TOKENS = 4_096  # in one product, as in a batch of the encoder
_CUDA_TOKENS = 32_768  # fewer leave a card idle
_MINI_LM = ((384, 384), (384, 1_536), (1_536, 384))  # in, out: the matrices of all-MiniLM-L6-v2
_TRIALS, _TRIAL_S = 5, 0.15
_STREAM_BYTES = 2**28
_WANTED = (
    "avx2", "avx512f", "avx512_bf16", "avx512_vnni", "amx_tile", "amx_bf16", "amx_int8",
    "asimd", "sve", "i8mm", "bf16",
)  # fmt: skip
_LIBRARIES = (
    "numpy", "torch", "transformers", "faiss-cpu", "umap-learn", "hdbscan", "scikit-learn",
    "PySide6-Essentials", "pyqtgraph", "sentence-transformers", "semhash", "bertopic",
)  # fmt: skip

Shape = tuple[int, int]  # numbers in, numbers out


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine and its limits, as they were measured at the start of a bench."""

    processor: str
    cores: int
    memory_gb: float
    instruction_sets: tuple[str, ...]
    device: str  # where products are computed: cpu or the CUDA card by name
    threads: int  # of torch
    versions: dict[str, str]
    gemm_gflops: dict[str, dict[str, float]]  # by precision and shape
    stream_gb_s: float  # bytes read from memory

    @property
    def bytes_per_second(self) -> float:
        return self.stream_gb_s * 1e9


def measure_machine() -> Steps[Machine]:
    """Describe the machine and measure its limits; takes about two seconds."""
    import torch

    yield Progress("Measuring the machine")
    device = work_device()
    rates: dict[str, dict[str, float]] = {}
    for precision in PRECISIONS:
        rates[precision] = {}
        for shape in _MINI_LM[:2]:
            yield Progress("Measuring the machine")
            rate = gemm_rate(shape, precision=precision)
            rates[precision][_told(usual_tokens(), shape)] = round(rate / 1e9, 1)
    yield Progress("Measuring the machine")
    found = instruction_sets()
    return Machine(
        processor=processor_name(),
        cores=psutil.cpu_count() or 1,
        memory_gb=round(psutil.virtual_memory().total / 2**30, 1),
        instruction_sets=tuple(name for name in _WANTED if name in found),
        device=torch.cuda.get_device_name() if device == "cuda" else "cpu",
        threads=torch.get_num_threads(),
        versions=_versions(),
        gemm_gflops=rates,
        stream_gb_s=round(stream_rate() / 1e9, 2),
    )


def work_device() -> str:
    """The device that the product takes by itself: cuda or cpu."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def usual_tokens() -> int:
    """How many tokens go through the encoder's matrices at once, about."""
    return _TOKENS if work_device() == "cpu" else _CUDA_TOKENS


def gemm_rate(shape: Shape, *, rows: int | None = None, precision: str = "fp32") -> float:
    """Operations per second of (rows, in) times (in, out): the best of five trials or more.

    Without `rows`, of as many as a batch of the encoder has.
    """
    import torch

    kind = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]
    device = work_device()
    rows = rows or usual_tokens()
    left = torch.full((rows, shape[0]), 0.01, dtype=kind, device=device)
    right = torch.full((shape[1], shape[0]), 0.01, dtype=kind, device=device)
    out = torch.empty((rows, shape[1]), dtype=kind, device=device)

    def multiply() -> None:
        torch.mm(left, right.T, out=out)
        if device == "cuda":
            torch.cuda.synchronize()

    return 2.0 * rows * shape[0] * shape[1] / _best(multiply)


def best_gemm_rate(shape: Shape, *, rows: int) -> float:
    """The same in the precision in which this machine is fastest."""
    return max(gemm_rate(shape, rows=rows, precision=one) for one in PRECISIONS)


def gemm_seconds(shapes: Mapping[Shape, int], *, rows: int, precision: str) -> float:
    """How long `rows` rows need to go once through so many matrices of each shape."""
    return sum(
        count * 2.0 * rows * shape[0] * shape[1] / gemm_rate(shape, precision=precision)
        for shape, count in shapes.items()
    )


def stream_rate() -> float:
    """Bytes per second read from memory, one after another, by all threads."""
    import torch

    room = min(_STREAM_BYTES, psutil.virtual_memory().available // 8)
    numbers = torch.ones(max(1, room // 4), dtype=torch.float32)
    return 4.0 * len(numbers) / _best(lambda: numbers.sum())


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _best(call: Callable[[], Any]) -> float:
    """The least seconds of a call, after one that warms up."""
    call()
    best, spent, trials = float("inf"), 0.0, 0
    while trials < _TRIALS or spent < _TRIAL_S:
        begun = time.perf_counter()
        call()
        seconds = time.perf_counter() - begun
        best, spent, trials = min(best, seconds), spent + seconds, trials + 1
        if spent > 2 * _TRIAL_S:  # arithmetic that the processor only emulates
            break
    return best


def _told(rows: int, shape: Shape) -> str:
    return f"{rows}x{shape[0]}x{shape[1]}"
