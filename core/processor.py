"""What the processor is and can do, as far as the system tells."""

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

_TORCH_NAMES = {"avx512": "avx512f", "avx512_f": "avx512f"}


def processor_name() -> str:
    """The processor's name, or at least its kind."""
    named = next((told for name, told in _cpuinfo() if name == "model name"), "")
    return named or platform.processor() or platform.machine()


def instruction_sets() -> frozenset[str]:
    """Its instruction sets under the names that Linux gives them."""
    found = next((told.split() for name, told in _cpuinfo() if name in ("flags", "Features")), [])
    return frozenset(found or _told_by_torch())


def has_bf16() -> bool:
    """Whether it multiplies bfloat16; many only emulate that, up to ten times slower."""
    return any(name.endswith("bf16") for name in instruction_sets())


@contextmanager
def numpy_threads(count: int) -> Iterator[None]:
    """Let numpy's matrix products use so many threads within, wherever in the process."""
    with _pools().limit(limits=count, user_api="blas"):
        yield


@cache
def _pools() -> Any:
    """The thread pools of this process; looking for them takes some milliseconds."""
    import threadpoolctl

    return threadpoolctl.ThreadpoolController()


def _told_by_torch() -> list[str]:
    import torch

    try:
        told = torch.cpu.get_capabilities()
    except (AttributeError, RuntimeError):  # older than 2.10
        return []
    return [_TORCH_NAMES.get(name, name) for name, has in told.items() if has is True]


def _cpuinfo() -> list[tuple[str, str]]:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    parts = (line.partition(":") for line in lines)
    return [(name.strip(), told.strip()) for name, _, told in parts]
