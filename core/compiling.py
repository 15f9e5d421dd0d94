"""Machine code for the inner loops, compiled once per machine and found again at each start."""

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.folders import user_cache

# What rounds alike wherever in a register a number stands; a quick reciprocal, which "fastmath"
# would allow as well, does not, and the outcome would depend on how places are shared out.
_LIBERTIES = {"contract", "nnan", "ninf", "nsz"}


def compiled(function: Callable[..., Any], *kinds: str, **settings: Any) -> Callable[..., Any]:
    """Compile `function` so that it leaves the interpreter free, and keep its machine code.

    With the `kinds` of its arguments, in numba's words, at once, else when it is first called.

    It is kept beside the source where that can be written, else in the user's cache folder,
    as in a bundle; where neither can be, each start compiles anew. Divisions by zero give
    infinity: a check before each would keep the processor from doing eight at once. Loads numba.
    """
    numba: Any = importlib.import_module("numba")
    usual: dict[str, Any] = {"nogil": True, "fastmath": _LIBERTIES, "error_model": "numpy"}
    given = (f"({', '.join(kinds)})",) if kinds else ()
    _choose_folder(Path(function.__code__.co_filename).parent)
    try:
        found: Callable[..., Any] = numba.njit(*given, cache=True, **(usual | settings))(function)
    except (RuntimeError, OSError):  # no folder to keep the machine code in
        found = numba.njit(*given, **(usual | settings))(function)
    return found


def cores() -> int:
    """How many processors this process may use; OMP_NUM_THREADS, as for torch, bounds them."""
    told = os.environ.get("OMP_NUM_THREADS", "")
    if told.isdecimal() and int(told):
        return int(told)
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _choose_folder(source: Path) -> None:
    """Have numba keep its files in the user's cache folder where those of a bundle stand."""
    is_bundle = bool(getattr(sys, "frozen", False))
    settings: Any = importlib.import_module("numba.core.config")
    if not settings.CACHE_DIR and (is_bundle or not os.access(source, os.W_OK)):
        settings.CACHE_DIR = str(user_cache() / "compiled")
