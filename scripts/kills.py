"""Kill the program at random moments and look whether anything was lost: `kills.py --kills 50`.

Each turn kills (SIGKILL) either the worker behind a window or a whole command in the middle of
an import, of encoding, of finding pairs, of grouping or of deciding, opens the project again,
looks at everything it holds, and does the step again. Victims are forked from this process,
which has loaded the libraries once; systems that cannot fork cannot run it.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

# A pool of threads would not survive the fork.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"
os.environ["SAMESENSE_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.cli.program import main as run_command
from core.encoders import Encoder, load_encoder
from core.options import EncodeOptions, GroupOptions, PairOptions
from core.progress import run_to_end
from core.records import Verdict
from core.store import Project
from core.worker import door
from core.worker.frames import write_frame
from core.workflows.deciding import decide
from core.workflows.encoding import encode_corpus
from core.workflows.grouping import group_corpus
from core.workflows.importing import import_file, inspect_file, settings_for
from core.workflows.pairing import find_pairs
from scripts.kills_looking import Result, ids_of, look, lost_decisions, result_of
from scripts.kills_victim import Victim

STEPS = ("import", "encode", "pairs", "groups", "decide")
DOORS = ("worker", "command")
TEXTS = 2000
DECISIONS = 150
ENCODER = Path(__file__).resolve().parent.parent / "tests" / "models" / "bert"
_ENCODE = EncodeOptions(str(ENCODER), "cpu", "fp32")
_PAIRS = PairOptions(0.975, True)
_GROUPS = GroupOptions(threshold=0.99, review=0.98)

_WHO = ("customer", "driver", "neighbour", "manager", "courier", "teacher", "nurse", "visitor")
_DID = ("lost", "broke", "returned", "ordered", "cancelled", "praised", "repaired", "sold")
_WHAT = ("parcel", "ticket", "window", "invoice", "bicycle", "phone", "garden", "camera")
_WHEN = ("on Monday", "last week", "before noon", "in March", "after lunch", "at night", "twice")


@dataclass(slots=True)
class Turn:
    """One kill and what was found after it."""

    step: str
    door: str
    delay_s: float
    was_running: bool
    acknowledged: int
    told: str  # what opening the project told of
    faults: list[str] = field(default_factory=list)

    def line(self, number: int) -> str:
        """One line about it."""
        when = f"{self.delay_s * 1000:5.0f} ms{'' if self.was_running else ' (had ended)'}"
        words = "; ".join(self.faults) if self.faults else "nothing lost"
        kept = f", {self.acknowledged} decisions acknowledged" if self.step == "decide" else ""
        return f"{number:3} {self.step:6} {self.door:7} after {when}{kept}, {self.told}: {words}"


class Range:
    """A project at every stage, what an undisturbed run gives, and how long each step takes."""

    def __init__(self, place: Path, rng: random.Random) -> None:
        self._place = place
        self._file = place / "messages.csv"
        self._file.write_text(_corpus(rng), encoding="utf-8")
        self._encoder: Encoder = load_encoder(ENCODER, device="cpu", precision="fp32", threads=1)
        self._stages: dict[str, Path] = {}
        self._pairs: list[tuple[int, int]] = []  # ids in the stage before deciding
        self._bodies: list[tuple[str, str]] = []  # the same; ids move when an import is repeated
        folder = place / "undisturbed"
        for step in STEPS:
            self._stages[step] = place / f"before-{step}"
            with Project.create(folder) as project:
                if step == "decide":
                    self._pairs = _pairs_to_decide(project, rng)
                    told = project.texts.bodies([text for pair in self._pairs for text in pair])
                    self._bodies = list(zip(told[::2], told[1::2], strict=True))
            shutil.copytree(folder, self._stages[step])
            with Project.open(folder) as project:
                self._do(project, step)
        with Project.open(folder) as project:
            self._do(project, "groups")
            self._expected: Result = result_of(project)
        self._seconds = {(step, name): self._time(step, name) for step in STEPS for name in DOORS}

    def turn(self, step: str, door_name: str, rng: random.Random) -> Turn:
        """Kill one run of a step at a random moment of it, look, and do it again."""
        folder = self._fresh(step)
        delay = rng.uniform(0.0, self._seconds[step, door_name])
        victim = self._start(step, door_name, folder)
        was_running = victim.wait(delay)
        victim.kill()
        acknowledged = victim.acknowledged() if step == "decide" else []
        victim.release()
        faults, told = look(folder, step, self._expected, self._encoder, rng)
        try:
            with Project.open(folder) as project:
                faults += lost_decisions(project, self._pairs, acknowledged, _verdict)
                for following in STEPS[STEPS.index(step) :]:
                    self._do(project, following)
                self._do(project, "groups")
                faults += result_of(project).differences(self._expected)
        except Exception as fault:  # noqa: BLE001 - whatever hinders going on is what is looked for
            faults.append(f"going on failed: {fault!r}")
        return Turn(step, door_name, delay, was_running, len(acknowledged), told, faults)

    def words(self) -> str:
        """What there is to kill."""
        found = self._expected
        seconds = ", ".join(
            f"{step} {self._seconds[step, 'command'] * 1000:.0f} ms" for step in STEPS
        )
        return (
            f"{len(found.documents)} rows, {len(found.vectors)} texts, {len(found.pairs)} pairs,"
            f" {len(found.members)} rows in groups; {seconds}"
        )

    def _fresh(self, step: str) -> Path:
        folder = self._place / "victim"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._stages[step], folder)
        return folder

    def _time(self, step: str, door_name: str) -> float:
        victim = self._start(step, door_name, self._fresh(step))
        began = time.monotonic()
        while victim.wait(0.002):
            continue
        seconds = time.monotonic() - began
        victim.kill()
        victim.release()
        return seconds

    def _start(self, step: str, door_name: str, folder: Path) -> Victim:
        if door_name == "worker":
            jobs = self._wishes(step, folder)
            return Victim(door.main, frames=len(jobs), jobs=jobs, lock_of=folder)
        if step == "decide":
            return Victim(lambda: self._decide_aloud(folder), frames=len(self._pairs))
        flags = {
            "import": [str(self._file), "--text", "text", "--id", "id"],
            "encode": ["--encoder", str(ENCODER), "--device", "cpu", "--precision", "fp32"],
            "pairs": ["--threshold", str(_PAIRS.floor), "--yes"],
            "groups": ["--threshold", str(_GROUPS.threshold), "--review", str(_GROUPS.review)],
        }[step]
        return Victim(lambda: run_command([step, str(folder), *flags]))

    def _wishes(self, step: str, folder: Path) -> list[dict[str, Any]]:
        if step == "decide":
            values: list[dict[str, Any]] = [
                {"pairs": [pair], "verdict": str(_verdict(at))}
                for at, pair in enumerate(self._pairs)
            ]
        elif step == "import":
            values = [{"path": str(self._file), "settings": asdict(self._settings())}]
        else:
            options: Any = {"encode": _ENCODE, "pairs": _PAIRS, "groups": _GROUPS}[step]
            values = [asdict(options)]
        return [
            {"job": at, "wish": step, "values": {"project": str(folder), **one}}
            for at, one in enumerate(values)
        ]

    def _settings(self) -> Any:
        return settings_for(inspect_file(self._file), text=("text",), id_column="id")

    def _decide_aloud(self, folder: Path) -> None:
        with Project.open(folder) as project, os.fdopen(1, "wb") as output:
            for at, pair in enumerate(self._pairs):
                decide(project, [pair], _verdict(at))
                write_frame(output, {"job": at, "finished": {}})

    def _do(self, project: Project, step: str) -> None:
        if step == "import":
            run_to_end(import_file(project, self._file, self._settings()))
        elif step == "encode":
            run_to_end(encode_corpus(project, _ENCODE))
        elif step == "pairs":
            run_to_end(find_pairs(project, _PAIRS))
        elif step == "groups":
            run_to_end(group_corpus(project, _GROUPS))
        else:
            ids = ids_of(project)
            for at, (left, right) in enumerate(self._bodies):
                pair = ids[left], ids[right]
                if project.decisions.verdict(*pair) is None:
                    decide(project, [pair], _verdict(at))


def main() -> int:
    """Kill as often as asked for, one line a kill, and return 1 when anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    rng = random.Random(told.seed)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        bench = Range(Path(place), rng)
        _say(f"ready after {time.monotonic() - began:.0f} s: {bench.words()}")
        turns = []
        for number in range(told.kills):
            step = STEPS[number % len(STEPS)]
            door_name = DOORS[number // len(STEPS) % len(DOORS)]
            turns.append(bench.turn(step, door_name, rng))
            _say(turns[-1].line(number + 1))
    bad = sum(bool(turn.faults) for turn in turns)
    running = sum(turn.was_running for turn in turns)
    told_of = Counter(turn.told for turn in turns)
    _say(
        f"{len(turns)} kills, {running} of them in the middle of work, {bad} with anything lost; "
        + ", ".join(f"{count} × {words}" for words, count in sorted(told_of.items()))
        + f"; {time.monotonic() - began:.0f} s"
    )
    return 1 if bad else 0


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def _corpus(rng: random.Random) -> str:
    """Messages of few words, so that some are copies and many are alike."""
    rows = [
        f"{at},The {rng.choice(_WHO)} {rng.choice(_DID)} the {rng.choice(_WHAT)} "
        f"{rng.choice(_WHEN)} and again {rng.choice(_WHEN)}"
        for at in range(TEXTS)
    ]
    return "\n".join(["id,text", *rows]) + "\n"


def _pairs_to_decide(project: Project, rng: random.Random) -> list[tuple[int, int]]:
    pairing = project.pairs.current()
    if pairing is None:
        raise RuntimeError("no pairs were found to decide")
    table = project.pairs.table(pairing)
    chosen = rng.sample(range(len(table.left)), DECISIONS)
    return [(int(table.left[at]), int(table.right[at])) for at in chosen]


def _verdict(at: int) -> Verdict:
    return Verdict.SAME if at % 2 else Verdict.DIFFERENT


if __name__ == "__main__":
    sys.exit(main())
