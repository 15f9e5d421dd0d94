"""What is taken from umap-learn, loaded quietly and compiled once per machine."""

import importlib
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import ModuleType
from typing import Any

_PARAMETRIC = "umap.parametric_umap"


def load(module: str) -> ModuleType:
    """Import a module of umap-learn without its Keras part; takes seconds the first time.

    The parametric part would load TensorFlow or torch where they are installed and warn
    where not; it is never used here. `None` in `sys.modules` makes Python report a module as
    missing, which umap-learn expects, telling so with one `ImportWarning`.
    """
    if "umap" in sys.modules:
        return importlib.import_module(module)
    sys.modules[_PARAMETRIC] = None  # type: ignore[assignment]  # how Python bars a module
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Tensorflow not installed", ImportWarning)
            return importlib.import_module(module)
    finally:
        del sys.modules[_PARAMETRIC]


@cache
def fuzzy_set() -> Callable[..., tuple[Any, Any, Any]]:
    """UMAP's `fuzzy_simplicial_set`, its two inner loops kept compiled from run to run."""
    umap = load("umap.umap_")
    for name in ("smooth_knn_dist", "compute_membership_strengths"):
        with suppress(RuntimeError):  # no folder to keep the machine code in
            getattr(umap, name).enable_caching()
    found: Callable[..., tuple[Any, Any, Any]] = umap.fuzzy_simplicial_set
    return found


@cache
def epoch_kernel(*, parallel: bool) -> Callable[..., None]:
    """UMAP's pass over the edges of one epoch, compiled to leave the interpreter free.

    umap-learn compiles the same function anew in each process and holds the interpreter's
    lock while it runs; here the machine code is kept beside the library, or in the user's
    cache folder where that cannot be written, and the lock is released.
    """
    numba = importlib.import_module("numba")
    # A private name: the public function around it can neither be stopped nor watched.
    epoch = load("umap.layouts")._optimize_layout_euclidean_single_epoch
    settings: dict[str, Any] = {"fastmath": True, "nogil": True, "parallel": parallel}
    try:
        compiled: Callable[..., None] = numba.njit(epoch, cache=True, **settings)
    except RuntimeError:  # no folder to keep the machine code in, as in some bundles
        compiled = numba.njit(epoch, **settings)
    return compiled
