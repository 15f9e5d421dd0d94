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
import fcntl
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.sentence_bert_cross import CrossRun, load_sides, perform_cross
from scripts.sentence_bert_plan import EXPERIMENTS, FIRST, runs_of
from scripts.sentence_bert_runs import Data, Run, load_data, perform
from scripts.sentence_bert_tables import tables

_PAUSE_S = 5.0


def main() -> None:
    asked = _asked()
    data = load_data(Path(os.environ["SAMESENSE_DATA"]), quick=asked.quick)
    scores = asked.to.with_suffix(".scores")
    scores.mkdir(parents=True, exist_ok=True)
    sys.stderr.write("\n".join(data.notes) + "\n")
    wanted = {*FIRST, *(asked.only or EXPERIMENTS)}
    experiments = [one for one in EXPERIMENTS if one in wanted]
    while not asked.print and _waiting(experiments, _read(asked.to)):
        run = _claimed(experiments, _read(asked.to), scores)
        if run is None:
            time.sleep(_PAUSE_S)
        else:
            row = _performed(run, data, scores, quick=asked.quick)
            _add(asked.to, run.name, row)
    sys.stdout.write(tables(_read(asked.to), scores, data, quick=asked.quick))


def _waiting(experiments: Sequence[str], found: Mapping[str, Any]) -> bool:
    """Tell whether a run is missing, its settings known or not."""
    try:
        return any(run.name not in found for one in experiments for run in runs_of(one, found))
    except KeyError:
        return True


def _claimed(
    experiments: Sequence[str], found: Mapping[str, Any], scores: Path
) -> Run | CrossRun | None:
    """Return the first run that is missing and that no other process is at."""
    for experiment in experiments:
        with suppress(KeyError):
            for run in runs_of(experiment, found):
                if run.name not in found and _claim(scores / f"{run.name}.claim"):
                    return run
    return None


def _claim(file: Path) -> bool:
    try:
        with file.open("x", encoding="utf-8") as held:
            held.write(str(os.getpid()))
    except FileExistsError:
        owner = int(file.read_text("utf-8") or os.getpid())
        if psutil.pid_exists(owner):
            return False
        file.write_text(str(os.getpid()), "utf-8")
    return True


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


def _read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return found


def _add(file: Path, name: str, row: Mapping[str, Any]) -> None:
    """Add one run to the file; another process may be at it too."""
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = {**_read(file), name: row}
        part = file.with_name(file.name + ".part")
        part.write_text(json.dumps(found, indent=1), "utf-8")
        part.replace(file)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--only", nargs="+", choices=EXPERIMENTS)
    parser.add_argument("--quick", action="store_true", help="see that it runs")
    parser.add_argument("--print", action="store_true", help="print what is there, run nothing")
    return parser.parse_args()


if __name__ == "__main__":
    main()
