"""Making the machine ready for a first map, in a process of its own while nothing is asked.

The inner loops of pairs and layouts are compiled into the cache, and the libraries of the map and
of clusters are read once, so that they are in the system's memory when they are wanted. It is a
process and not a thread, since loading holds the interpreter: no wish waits for it.
"""

import importlib
import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

import numpy as np

from core.layout import fuzzy_graph, lay_out
from core.pairs.compiled import load_loops
from core.progress import run_to_end

FLAG = "--warm"
_TEXTS, _WIDTH, _NEIGHBOURS = 40, 8, 6  # as few as take the way of many
_NO_CONSOLE = getattr(subprocess, "CREATE_NO_WINDOW", 0)


def start_warming() -> None:
    """Start the process at the lowest priority, and forget it: it ends by itself."""
    door = ["--worker"] if getattr(sys, "frozen", False) else ["-P", "-m", "core.worker"]
    told = {**os.environ, "SAMESENSE_PRIORITY": "lowest", "OMP_NUM_THREADS": "1"}
    nothing = subprocess.DEVNULL
    with suppress(OSError):  # then the first map takes longer, and is drawn all the same
        subprocess.Popen(
            [sys.executable, *door, FLAG], env=told, stdin=nothing, stdout=nothing,
            stderr=nothing, creationflags=_NO_CONSOLE,
        )  # fmt: skip


def warm() -> None:
    """Lay a few vectors out for the map and for clusters, and load what finds clusters."""
    vectors: Any = np.random.default_rng(0).normal(size=(_TEXTS, _WIDTH)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosine = vectors @ vectors.T
    np.fill_diagonal(cosine, -2)
    index = np.argsort(-cosine, axis=1)[:, :_NEIGHBOURS].astype(np.int32)
    best = np.take_along_axis(cosine, index, axis=1)
    graph = run_to_end(fuzzy_graph(index, best, neighbours=_NEIGHBOURS))
    for dimensions in (2, 5):
        run_to_end(lay_out(vectors, graph, dimensions=dimensions, epochs=2))
    importlib.import_module("hdbscan")
    for _ in load_loops():  # of the pass over all pairs
        pass
