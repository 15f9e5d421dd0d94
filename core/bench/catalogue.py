"""The benches by name, each with the rows it takes where nobody says."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.bench.asked import Asked
from core.progress import Steps

if TYPE_CHECKING:
    from core.bench.report import Report


@dataclass(frozen=True, slots=True)
class Bench:
    """Where a bench is, its usual size, and whether files mean anything to it.

    The module loads when it runs: the command, and with it the window, starts sooner.
    """

    place: str  # module:function
    rows: int
    takes_files: bool = True

    def run(self, asked: Asked) -> Steps["Report"]:
        """Do the work and return what was found."""
        module, _, name = self.place.partition(":")
        bench: Callable[[Asked], Steps[Report]] = getattr(importlib.import_module(module), name)
        return (yield from bench(asked))


BENCHES = {
    "encode": Bench("core.bench.encode:bench_encode", 2_000),
    "rerank": Bench("core.bench.rerank:bench_rerank", 1_000),
    "pairs": Bench("core.bench.pairs:bench_pairs", 20_000),
    "search": Bench("core.bench.search:bench_search", 50_000),
    "layout": Bench("core.bench.layout:bench_layout", 20_000),
    "import": Bench("core.bench.importing:bench_import", 100_000),
    "start": Bench("core.bench.start:bench_start", 1_000),
    "map": Bench("core.bench.map:bench_map", 1_000_000, takes_files=False),
    "train": Bench("core.bench.train:bench_train", 200),
    "augment": Bench("core.bench.augment:bench_augment", 200),
}
