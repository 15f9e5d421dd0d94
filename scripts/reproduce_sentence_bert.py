"""Sentence-BERT's experiments: `python scripts/reproduce_sentence_bert.py --to FILE.json`.

Reads the evaluation data named by SAMESENSE_DATA and trains the default encoder. Each run is
written to FILE.json when it ends, with its settings, seconds and versions, and its cosines to
the folder FILE.scores; a second call goes on where the first ended, and two calls side by side
share the runs (with OMP_NUM_THREADS=1 on two processors faster than one with two threads). At the
end, or with --print at once, it prints Markdown tables with the published figures beside. With
--quick every run takes seconds and its figures mean nothing. Choices are made on dev alone; every
run looks once at the test.
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

from scripts.sentence_bert_cross import CrossRun, load_sides, perform_cross
from scripts.sentence_bert_plan import EXPERIMENTS, FIRST, runs_of
from scripts.sentence_bert_runs import Data, Run, load_data, perform
from scripts.sentence_bert_tables import tables
from scripts.shared_runs import add_found, claimed, read_found

_PAUSE_S = 5.0


def main() -> None:
    asked = _asked()
    data = load_data(Path(os.environ["SAMESENSE_DATA"]), quick=asked.quick)
    scores = asked.to.with_suffix(".scores")
    scores.mkdir(parents=True, exist_ok=True)
    sys.stderr.write("\n".join(data.notes) + "\n")
    wanted = {*FIRST, *(asked.only or EXPERIMENTS)}
    experiments = [one for one in EXPERIMENTS if one in wanted]
    while not asked.print and _waiting(experiments, read_found(asked.to)):
        found = read_found(asked.to)
        run = claimed(_known(experiments, found), found, scores)
        if run is None:
            time.sleep(_PAUSE_S)
        else:
            row = _performed(run, data, scores, quick=asked.quick)
            add_found(asked.to, run.name, row)
    sys.stdout.write(tables(read_found(asked.to), scores, data, quick=asked.quick))


def _waiting(experiments: Sequence[str], found: Mapping[str, Any]) -> bool:
    """Tell whether a run is missing, its settings known or not."""
    try:
        return any(run.name not in found for one in experiments for run in runs_of(one, found))
    except KeyError:
        return True


def _known(experiments: Sequence[str], found: Mapping[str, Any]) -> Iterator[Run | CrossRun]:
    """Yield the runs whose settings are known by now."""
    for experiment in experiments:
        with suppress(KeyError):
            yield from runs_of(experiment, found)


def _performed(run: Run | CrossRun, data: Data, scores: Path, *, quick: bool) -> dict[str, Any]:
    if isinstance(run, CrossRun):
        sides = load_sides(Path(os.environ["SAMESENSE_DATA"]), run.data, quick=quick)
        row, columns = perform_cross(run, sides)
    else:
        row, columns = perform(run, data)
    for side, column in columns.items():
        np.save(scores / f"{run.name} {side}.npy", column)
    clock = time.strftime("%H:%M:%S")
    sys.stderr.write(
        f"{clock} {run.name}: dev {row['dev']:.4f}, test {row['test']:.4f}, "
        f"{row['seconds']:.0f} s\n"
    )
    return row


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--only", nargs="+", choices=EXPERIMENTS)
    parser.add_argument("--quick", action="store_true", help="see that it runs")
    parser.add_argument("--print", action="store_true", help="print what is there, run nothing")
    return parser.parse_args()


if __name__ == "__main__":
    main()
