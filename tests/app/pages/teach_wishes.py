"""The real worker's door with a training that obeys its seed; run as a program.

Seed 0 makes twelve quick steps, 1 fails, 2 meets a loss that is no number, 3 makes very many
slow steps, 4 has too few pairs to tell. Everything else is as in the program.
"""

import math
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.errors import UserError
from core.progress import Enough, Progress, Steps
from core.records import Changes
from core.store import Project
from core.worker.door import main
from core.workflows.catalogue import WISHES, Answer
from core.workflows.desk import Desk

QUICK, FAILING, NOT_FINITE, SLOW, TOO_FEW = range(5)
MOVED = Changes(trainings=True)


def train(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project, seed = desk.project(values["project"]), values["seed"]
    steps, pause, every = (400, 0.02, 20) if seed == SLOW else (12, 0.01, 4)
    curve: list[list[float]] = []
    held = [[0.0, 0.71]]
    stopped = "done"
    try:
        for step in range(1, steps + 1):
            part = step / steps
            loss = 0.03 + 0.08 * math.exp(-4 * part) + 0.02 * math.sin(step * 2.1) ** 2
            curve.append([step, loss])
            if step % every == 0:
                held.append([step, 0.71 + 0.08 * (1 - math.exp(-5 * part)) - 0.03 * part**2])
            figures = (("step", float(step)), ("loss", loss), ("held_out", held[-1][1]))
            yield Progress("Teaching", step, steps, "steps", (*figures, ("seconds", 60.0)))
            time.sleep(pause)
            if seed == FAILING and step == 3:
                raise UserError("The disk is full.", "Free some space and start again.")
            if seed == NOT_FINITE and step == 6:
                stopped = "not finite"
                break
    except Enough:
        stopped = "enough"
    figures_told = figures_of(stopped, "too few to tell" if seed == TOO_FEW else "held out")
    return Answer(
        {"training": add_training(project, figures_told, curve, held), **figures_told}, MOVED
    )


def figures_of(stopped: str, how: str) -> dict[str, Any]:
    """What a training measured."""
    told = {
        "metric": "average precision", "before": 0.71, "after": 0.79, "low": 0.03, "high": 0.12,
        "held_out": 43, "how": how, "threshold_before": 0.97, "threshold": 0.94,
        "precision": 0.95, "drift": 0.012, "stopped": stopped, "seconds": 320.0,
    }  # fmt: skip
    if how == "too few to tell":
        told.update(before=None, after=None, low=None, high=None, threshold=None)
    return told


def add_training(
    project: Project,
    figures: Mapping[str, Any],
    curve: list[list[float]],
    held: list[list[float]],
) -> int:
    """Write down a training, with one pair that got better and one that got worse."""
    number = len(project.trainings.listed()) + 1
    pair = {"left": "My card was charged twice.", "right": "I paid two times.", "gold": 1.0}
    other = {"left": "Where is my parcel?", "right": "Where is my refund?", "gold": 0.0}
    return project.trainings.add(
        run=None, name=f"Training {number}", folder=f"encoders/{number}",
        base_name="all-MiniLM-L6-v2", base_folder="first", options={},
        data={"same": 100, "different": 71, "imported": 0, "trained_on": 171},
        figures=figures, curve=curve, held_curve=held,
        examples={"better": [{**pair, "before": 0.62, "after": 0.91}],
                  "worse": [{**other, "before": 0.55, "after": 0.66}]},
    )  # fmt: skip


def use_training(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = desk.project(values["project"])
    yield Progress("Encoding texts", 1, 2, "texts")
    if values["training"]:
        record = project.trainings.get(values["training"])
        folder, name = str(project.folder / record.folder), record.name
    else:
        folder, name = values["folder"], "all-MiniLM-L6-v2"
    encoder = project.vectors.encoder(
        folder, name=name, folder=folder, dimension=4, precision="fp32", settings={}
    )
    project.meta.set("encoder", str(encoder.id))
    words = "Threshold 0.97 → 0.94 keeps the precision on the held-out pairs."
    outcome = {"threshold_before": 0.97, "threshold": 0.94, "words": words}
    return Answer(outcome, Changes.everything())


def discard_training(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Discarding")
    desk.project(values["project"]).trainings.mark(values["training"], "discarded")
    return Answer({}, MOVED)


def train_forecast(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = desk.project(values["project"], read_only=bool(values["read_only"]))
    yield Progress("Looking")
    counts, imported = project.decisions.counts(), project.judged.count()
    told = {name: counts.get(name, 0) for name in ("same", "different", "unsure")}
    pairs = told["same"] + told["different"] + imported
    verdict = "cross-validated" if pairs < 100 else "enough"
    verdict = "none" if not pairs else "too-few" if pairs < 20 else verdict
    return Answer(
        {**told, "imported": imported, "texts": project.texts.count(), "seconds": 360.0,
         "verdict": verdict, "words": "", "held_out": pairs // 5}
    )  # fmt: skip


def import_pairs(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project, path = desk.project(values["project"]), Path(values["path"])
    yield Progress("Reading")
    if "wrong" in path.name:
        raise UserError(f"{path.name} holds no pairs.", "Name two columns of texts and a score.")
    file, _ = project.judged.add(
        name=path.name, path=str(path), sha256=path.name, kind="score",
        note="Scores from 0 to 5 were taken as 0 to 1.", pairs=[("a", "b", 1.0)] * 1200,
    )  # fmt: skip
    return Answer({"file": file.id, "pairs": file.pairs, "kind": file.kind, "note": file.note},
                  MOVED)  # fmt: skip


def remove_pairs(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Removing")
    desk.project(values["project"]).judged.remove(values["file"])
    return Answer({}, MOVED)


if __name__ == "__main__":
    for wish in (
        train, use_training, discard_training, train_forecast, import_pairs, remove_pairs
    ):  # fmt: skip
        WISHES[wish.__name__.replace("_", "-")] = wish
    main()
