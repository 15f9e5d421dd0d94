"""The real worker's door with long steps that obey the seed; run as a program.

`seeds` tells how a comparison goes: 1 finds a teacher that is better, 2 one that is not, 5 fails,
4 takes very long. Labelling and teaching by the whole corpus take very long too. What is counted,
forecast, corrected and dropped is the program's own.
"""

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

from core.errors import UserError
from core.progress import Progress, Steps
from core.records import Changes
from core.store import Project
from core.worker.door import main
from core.workflows.catalogue import WISHES, Answer
from core.workflows.desk import Desk

BETTER, NOT_BETTER, FAILING, SLOW = 1, 2, 5, 4
MOVED = Changes(trainings=True)


def measure(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project, how = desk.project(values["project"]), values.get("seeds", BETTER)
    yield from _steps("Teaching by the gold pairs alone, 1 of 1", slow=how == SLOW)
    if how == FAILING:
        raise UserError("The disk is full.", "Free some space and start again.")
    verdict = verdict_of(is_better=how != NOT_BETTER)
    record = project.augmentations.listed()[0] if project.augmentations.listed() else None
    number = project.augmentations.add(
        run=None if record is None else record.run,
        options={"sampling": "bm25", "top_k": 3, "most": 5.0, "source": "gold", "seeds": how},
        gold={"learn": 42, "dev": 18, "test": 18, "chooses": False, "notes": [],
              "decisions_revision": project.meta.revision("decisions")},
        teachers=verdict,
    )  # fmt: skip  # one record
    return Answer({"augmentation": number, "verdict": verdict}, MOVED)


def label(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = desk.project(values["project"])
    yield from _steps("Labelling", slow=values.get("source") == "corpus", unit="pairs")
    number = int(values["augmentation"])
    record = project.augmentations.get(number)
    pairs = [(f"text {at}", f"other {at}", at / 40) for at in range(40)]
    sheet = {**record.sheet, "pairs": 40, "dropped": 0, "corrected": 0}
    chosen = {name: values[name] for name in ("sampling", "top_k", "most", "source")}
    options = {**record.options, **chosen}
    project.augmentations.label(number, pairs, options=options, sheet=sheet)
    told = {"augmentation": number, "silver": 40, "teacher": "cross-encoder", "sheet": sheet}
    return Answer(told, MOVED)


def learn(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project, number = desk.project(values["project"]), int(values["augmentation"])
    record = project.augmentations.get(number)
    yield from _steps(
        "Teaching by gold and silver, 1 of 1", slow=record.options.get("source") == "corpus"
    )
    figures = figures_of(low=0.004)
    training = add_training(project, figures)
    project.augmentations.mark(number, "trained", training=training)
    told = {"training": training, "figures": figures, "sentence": "The silver pairs paid."}
    return Answer(told, MOVED)


def use_training(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = desk.project(values["project"])
    yield Progress("Encoding texts", 1, 2, "texts")
    record = project.trainings.get(values["training"])
    folder = str(project.folder / record.folder)
    encoder = project.vectors.encoder(
        folder, name=record.name, folder=folder, dimension=4, precision="fp32", settings={}
    )
    project.meta.set("encoder", str(encoder.id))
    return Answer({"words": f"{record.name} is in use."}, Changes.everything())


def verdict_of(*, is_better: bool) -> dict[str, Any]:
    """What a comparison of teachers found."""
    change = 0.041 if is_better else -0.02
    teachers = [
        {"name": "cross-encoder", "kind": "cross-encoder", "figure": 0.8 + change,
         "change": change, "low": change - 0.03, "high": change + 0.03, "by_chance": 0.55},
        {"name": "mean of 3 encoders taught by gold", "kind": "encoders", "figure": 0.795,
         "change": -0.005, "low": -0.02, "high": 0.01, "by_chance": 0.54},
    ]  # fmt: skip  # one after the other
    return {
        "metric": "average precision", "pairs": 18, "pupil": 0.8, "spread": 0.006,
        "teachers": teachers, "best": 0, "is_better": is_better, "is_sure": is_better,
        "is_chance": False, "sentence": "The cross-encoder is measured.",
        "alternatives": [] if is_better else ["Give it a larger teacher.", "Decide more pairs."],
    }  # fmt: skip  # one verdict


def figures_of(*, low: float) -> dict[str, Any]:
    """What an outcome was measured by; its change is 0.021."""
    return {
        "metric": "average precision", "held_out": 18, "dev": 18, "base": 0.71,
        "gold_only": {"mean": 0.8, "sd": 0.006, "runs": [0.79, 0.8, 0.81]},
        "augmented": {"mean": 0.821, "sd": 0.004, "runs": [0.82, 0.82, 0.823]},
        "change": 0.021, "low": low, "high": low + 0.034, "resampled": "seeds and components",
        "base_change": 0.111, "base_low": 0.08, "base_high": 0.14, "jaccard": 0.55,
        "majority": 0.5, "f1_base": 0.7, "f1_gold_only": 0.76, "f1_augmented": 0.78,
        "auc_005_base": 0.3, "auc_005_gold_only": 0.4, "auc_005_augmented": 0.42,
    }  # fmt: skip  # one figure after the other


def add_training(project: Project, figures: Mapping[str, Any]) -> int:
    """Write down an encoder that learnt gold and silver."""
    number = len(project.trainings.listed()) + 1
    diagnosis = (
        [] if float(figures["low"]) > 0 else ["Only 18 pairs judge, so the interval is wide."]
    )
    told = {"figures": dict(figures), "sentence": "", "diagnosis": diagnosis,
            "teacher": "cross-encoder", "gold": 42, "silver": 40}  # fmt: skip  # one outcome
    return project.trainings.add(
        run=None, name=f"tiny taught {number}", folder=f"encoders/{number}", base_name="tiny",
        base_folder="first", options={}, data={"files": []},
        figures={"metric": "average precision", "before": 0.71, "after": 0.82, "low": 0.08,
                 "high": 0.14, "held_out": 18, "augmentation": told},
        curve=[], held_curve=[], examples={}, how={"recipe": "decisions", "asked": {}},
    )  # fmt: skip  # one record


def _steps(title: str, *, slow: bool, unit: str = "steps") -> Steps[None]:
    steps, pause = (2000, 0.02) if slow else (6, 0.01)
    for step in range(1, steps + 1):
        yield Progress(title, step, steps, unit)
        time.sleep(pause)


if __name__ == "__main__":
    for name, wish in (
        ("augment-measure", measure), ("augment-label", label), ("augment-learn", learn),
        ("use-training", use_training),
    ):  # fmt: skip  # the long ones
        WISHES[name] = wish
    main()
