"""Augmented SBERT's experiments: `python scripts/reproduce_augmented_sbert.py --to FILE.json`.

Reads the evaluation data named by SAMESENSE_DATA and trains the default encoder. Each run is
written to FILE.json when it ends, with its settings, seconds and versions, and its scores to the
folder FILE.scores; a second call goes on where the first ended, and two calls side by side share
the runs (with OMP_NUM_THREADS=1 on two processors faster than one with two threads). At the end,
or with --print at once, it prints Markdown tables with the published figures beside. With --quick
every run takes seconds and its figures mean nothing. Choices are made on dev alone; every run
looks once at the test.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.augmented_sbert_data import load_sides
from scripts.augmented_sbert_plan import EXPERIMENTS, FIRST, SAMPLINGS, Run, runs_of, teachers
from scripts.augmented_sbert_runs import perform
from scripts.augmented_sbert_tables import tables
from scripts.shared_runs import add_found, claimed, read_found

_PAUSE_S = 5.0


def main() -> None:
    asked = _asked()
    data = Path(os.environ["SAMESENSE_DATA"])
    scores = asked.to.with_suffix(".scores")
    scores.mkdir(parents=True, exist_ok=True)
    wanted = {*FIRST, *(asked.only or EXPERIMENTS)}
    experiments = [one for one in EXPERIMENTS if one in wanted]
    while not asked.print and _waiting(experiments, read_found(asked.to)):
        found = read_found(asked.to)
        run = claimed(_ready(experiments, found), found, scores)
        if run is None:
            time.sleep(_PAUSE_S)
            continue
        sides = load_sides(data, run.split, quick=asked.quick)
        row, arrays = perform(run, sides, found, scores)
        for name, array in arrays.items():
            np.save(scores / f"{run.name} {name}.npy", array)
        add_found(asked.to, run.name, row)
        sys.stderr.write(
            f"{time.strftime('%H:%M:%S')} {run.name}: dev {row['dev']:.4f}, "
            f"test {row['test']:.4f}, {row['seconds']:.0f} s\n"
        )
    sys.stdout.write(tables(read_found(asked.to), scores, data, quick=asked.quick))


def _waiting(experiments: Sequence[str], found: Mapping[str, Any]) -> bool:
    """Tell whether a run is missing, its settings known or not."""
    try:
        return any(run.name not in found for one in experiments for run in runs_of(one, found))
    except KeyError:
        return True


def _ready(experiments: Sequence[str], found: Mapping[str, Any]) -> Iterator[Run]:
    """Yield the runs whose settings are known by now and whose teachers are through."""
    for experiment in experiments:
        with suppress(KeyError):
            for run in runs_of(experiment, found):
                if run.kind not in SAMPLINGS or all(
                    one.name in found for one in teachers(run.split, found)
                ):
                    yield run


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--only", nargs="+", choices=EXPERIMENTS)
    parser.add_argument("--quick", action="store_true", help="see that it runs")
    parser.add_argument("--print", action="store_true", help="print what is there, run nothing")
    return parser.parse_args()


if __name__ == "__main__":
    main()
