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

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

from core.errors import UserError
from core.progress import Enough, Progress, Steps
from core.records import Changes
from core.store import JudgedRow, Project
from core.worker.door import main
from core.workflows.catalogue import WISHES, Answer
from core.workflows.desk import Desk

QUICK, FAILING, NOT_FINITE, SLOW, TOO_FEW = range(5)
MOVED = Changes(trainings=True)


def train(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project, seed = desk.project(values["project"]), values.get("seed", QUICK)
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
        {"training": add_training(project, figures_told, curve, held, values), **figures_told},
        MOVED,
    )


def figures_of(stopped: str, how: str) -> dict[str, Any]:
    """What a training measured."""
    told = {
        "metric": "average precision", "before": 0.71, "after": 0.79, "low": 0.03, "high": 0.12,
        "held_out": 43, "how": how, "threshold_before": 0.97, "threshold": 0.94,
        "precision": 0.95, "drift": 0.012, "stopped": stopped, "seconds": 320.0,
        "judged_by": "pairs", "labels": [], "apart": None, "overlap": [], "notes": [],
        "stages": [],
    }  # fmt: skip
    if how == "too few to tell":
        told.update(before=None, after=None, low=None, high=None, threshold=None)
    return told


def add_training(
    project: Project,
    figures: Mapping[str, Any],
    curve: list[list[float]],
    held: list[list[float]],
    values: Mapping[str, Any],
) -> int:
    """Write down a training, with one pair that got better and one that got worse."""
    number = len(project.trainings.listed()) + 1
    pair = {"left": "My card was charged twice.", "right": "My card was charged two times.",
            "third": "", "label": "", "gold": 1.0}  # fmt: skip
    other = {**pair, "left": "Where is my parcel?", "right": "Where is my refund?", "gold": 0.0}
    asked = {name: value for name, value in values.items() if name not in ("project", "read_only")}
    return project.trainings.add(
        run=None, name=f"Training {number}", folder=f"encoders/{number}",
        base_name="all-MiniLM-L6-v2", base_folder="first",
        options={"epochs": None, "used_epochs": 4, "hold": 0.5, "seed": values.get("seed", 0)},
        data={"same": 100, "different": 71, "imported": 0, "trained_on": 171, "decisions": 171,
              "files": [], "examples": 171},
        figures=figures, curve=curve, held_curve=held,
        examples={"better": [{**pair, "before": 0.62, "after": 0.91}],
                  "worse": [{**other, "before": 0.55, "after": 0.66}]},
        how={"recipe": "decisions", "title": "My decisions are yes or no",
             "objective": "regression", "asked": asked, "stages": [], "seed": 0,
             "versions": {"torch": "2.5"}, "device": "cpu", "threads": 1, "lesson": "kept",
             "base_fingerprint": "first"},
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
    outcome = {"threshold_before": 0.97, "threshold": 0.94, "words": words, "difference": 1}
    return Answer(outcome, Changes.everything())


def remove_training(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Discarding")
    desk.project(values["project"]).trainings.remove(values["training"])
    return Answer({}, MOVED)


def repeat_training(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    asked = desk.project(values["project"]).trainings.get(values["training"]).how["asked"]
    return (yield from train(desk, {**asked, "project": values["project"]}))


def train_forecast(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = desk.project(values["project"], read_only=bool(values["read_only"]))
    yield Progress("Looking")
    counts, imported = project.decisions.counts(), project.judged.count()
    told = {name: counts.get(name, 0) for name in ("same", "different", "unsure")}
    pairs = told["same"] + told["different"] + imported
    verdict = "cross-validated" if pairs < 100 else "enough"
    verdict = "none" if not pairs else "too-few" if pairs < 20 else verdict
    held = pairs // 5 if verdict == "enough" else 0
    learnt = pairs - held
    stage = {"objectives": ["regression"], "titles": ["Regression"], "examples": [learnt],
             "steps": 4 * learnt // 16, "first_step": 0}  # fmt: skip
    return Answer(
        {**told, "imported": imported, "texts": project.texts.count(), "seconds": 360.0,
         "verdict": verdict, "words": "", "held_out": held, "choosing": 0,
         "used_same": told["same"], "used_different": told["different"], "contradicted": 0,
         "repeated": 0, "recipe": "decisions", "title": "My decisions are yes or no", "reason": "",
         "metric": "average precision", "judged_by": "pairs", "examples": learnt,
         "stages": [stage] if learnt else [], "notes": [], "overlap": [], "problem": "",
         "remedy": ""}
    )  # fmt: skip


def check_examples(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    """Find what the name of a file says."""
    project = desk.project(values["project"], read_only=bool(values["read_only"]))
    yield Progress("Checking")
    files = values["files"]
    names = [one.name for one in project.judged.files() if files is None or one.id in files]
    found = [
        {"severity": severity, "sentence": f"{name} {severity}.", "remedy": "Leave it aside.",
         "examples": 3}
        for severity in ("tells", "warns", "stops")
        for name in names
        if severity in name
    ]  # fmt: skip
    stops = any(one["severity"] == "stops" for one in found)
    return Answer({"recipe": "decisions", "counts": [["same", 3]], "findings": found,
                   "stops": stops, "sentence": f"{len(found)} things to know."})  # fmt: skip


def import_examples(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project, path = desk.project(values["project"]), Path(values["path"])
    yield Progress("Reading")
    if "wrong" in path.name:
        raise UserError(f"{path.name} holds no pairs.", "Name two columns of texts and a score.")
    file, _ = project.judged.add(
        name=path.name, path=str(path), sha256=path.name, kind="scored pairs",
        note="Scores from 0 to 5 were taken as 0 to 1.",
        rows=[JudgedRow("a", "b", judgement=1.0)] * 1200,
    )  # fmt: skip
    told = {"file": file.id, "examples": file.examples, "kind": file.kind, "note": file.note,
            "is_new": True, "findings": []}  # fmt: skip
    return Answer(told, MOVED)


def remove_examples(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Removing")
    desk.project(values["project"]).judged.remove(values["file"])
    return Answer({}, MOVED)


if __name__ == "__main__":
    for wish in (
        train, use_training, remove_training, repeat_training, train_forecast, check_examples,
        import_examples, remove_examples,
    ):  # fmt: skip
        WISHES[wish.__name__.replace("_", "-")] = wish
    main()
