"""What an augmentation leaves on the way: its plan, and what each step found, by its name."""

import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.augment_options import AugmentOptions
from core.augmentation import GoldSides
from core.errors import UserError
from core.examples import ScoredPairs, components
from core.options import TrainOptions, options_from
from core.training import (
    Background,
    Course,
    KeptCourse,
    Material,
    Part,
    RecipeOptions,
    keep_course,
    kept_course,
)

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """All that decides an augmentation; the same plan makes the same encoder."""

    base: str  # folder of the encoder that learns
    base_name: str
    base_fingerprint: str
    gold: GoldSides
    texts: tuple[str, ...]  # that new pairs are made of, none of them held out
    source: str  # what these texts are, in a word
    options: AugmentOptions
    train: TrainOptions  # of encoders
    teach: TrainOptions  # of the cross-encoder
    background: Background
    cross_base: str = ""  # that the cross-encoder begins with; "": the base
    first: ScoredPairs | None = None  # general pairs that it learns first
    given: tuple[str, ...] = ()  # other scorers that may teach, as `evaluate` names them
    told: Mapping[str, Any] | None = None  # what records are to tell beside it

    def digest_of(self, course: Course) -> str:
        """Return what changes with anything that decides how a training from the base goes."""
        return KeptCourse(course, self.base, self.base_name, self.base_fingerprint, {}).digest

    def course(self, learn: ScoredPairs, seed: int) -> Course:
        """The course of an encoder that learns these pairs, judged as the gold ones are."""
        name = "decisions" if learn.is_labelled else "scores"
        options = options_from(TrainOptions, {**asdict(self.train), "seed": seed})
        dev, test = (self.gold.dev, self.gold.test) if self.gold.chooses else (self.gold.dev, None)
        asked = RecipeOptions(recipe=name, objective="regression")
        return Course(Material(Part(learn)), asked, options, {}, self.background, dev, test)

    def keep(self, folder: Path) -> None:
        """Write the plan; raises `UserError` where there is no room."""
        keep_course(self._kept(), folder)

    def _kept(self) -> KeptCourse:
        first = self.first
        told = {
            "texts": list(self.texts), "source": self.source, "options": asdict(self.options),
            "teach": asdict(self.teach), "cross_base": self.cross_base, "given": list(self.given),
            "chooses": self.gold.chooses, "notes": list(self.gold.notes),
            "test": _plain(self.gold.test), "first": None if first is None else _plain(first),
            "told": dict(self.told or {}),
        }  # fmt: skip  # one thing beside another
        course = self.course(self.gold.learn, self.options.seed)
        return KeptCourse(course, self.base, self.base_name, self.base_fingerprint, told)


def kept_plan(folder: Path) -> Plan:
    """Read the plan of a folder; raises `UserError` where there is none."""
    kept = kept_course(folder)
    told, course = kept.told, kept.course
    learn, dev = course.material.scored.examples, course.dev
    if not isinstance(dev, ScoredPairs):
        raise UserError(f"{folder} holds no augmentation.", "Begin it again.")
    chooses = bool(told["chooses"])
    test = _pairs(told["test"]) if chooses else dev
    gold = GoldSides(
        learn, dev, test, components(*dev.columns), components(*test.columns), chooses,
        tuple(told["notes"]),
    )  # fmt: skip  # in the order of the fields
    first = told["first"]
    return Plan(
        kept.base, kept.base_name, kept.base_fingerprint, gold, tuple(told["texts"]),
        told["source"], options_from(AugmentOptions, told["options"]), course.options,
        options_from(TrainOptions, told["teach"]), course.background, told["cross_base"],
        None if first is None else _pairs(first), tuple(told["given"]), told["told"],
    )  # fmt: skip  # in the order of the fields


@dataclass(frozen=True, slots=True)
class StepFolder:
    """The steps of an augmentation that are through, each a row of plain values and arrays."""

    folder: Path

    def row(self, name: str) -> dict[str, Any] | None:
        """What a step found; None where it is not through."""
        try:
            found: dict[str, Any] = json.loads((self.folder / f"{name}.json").read_text("utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as fault:
            raise UserError(
                f"{self.folder / name}.json cannot be read ({fault}).",
                "Remove that file; the step is then done again.",
            ) from fault
        return found

    def arrays(self, name: str) -> dict[str, Array]:
        """The arrays of a step that is through."""
        try:
            with np.load(self.folder / f"{name}.npz", allow_pickle=False) as held:
                return {key: held[key] for key in held.files}
        except (OSError, ValueError) as fault:
            raise UserError(
                f"{self.folder / name}.npz cannot be read ({fault}).",
                f"Remove {name}.json there; the step is then done again.",
            ) from fault

    def keep(self, name: str, row: Mapping[str, Any], **arrays: Array) -> dict[str, Any]:
        """Keep what a step found; it counts from the moment its row is there."""
        part = self.folder / f"{name}.part"
        try:
            if arrays:
                with part.open("wb") as stream:
                    np.savez(stream, allow_pickle=False, **arrays)
                part.replace(self.folder / f"{name}.npz")
            part.write_text(json.dumps(row), "utf-8")
            part.replace(self.folder / f"{name}.json")
        except OSError as fault:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise UserError(
                f"What was found could not be written to {self.folder} "
                f"({fault.strerror or fault}).",
                "Make room on that disk, then go on.",
            ) from fault
        return dict(row)

    def drop(self, *patterns: str) -> None:
        """Forget steps by the patterns of their names."""
        for pattern in patterns:
            for found in self.folder.glob(pattern):
                if found.is_dir():
                    shutil.rmtree(found, ignore_errors=True)
                else:
                    found.unlink(missing_ok=True)


def _plain(pairs: ScoredPairs) -> dict[str, Any]:
    return {"left": pairs.left, "right": pairs.right, "score": pairs.score.tolist()}


def _pairs(told: Mapping[str, Any]) -> ScoredPairs:
    return ScoredPairs(
        tuple(told["left"]), tuple(told["right"]), np.array(told["score"], np.float32)
    )
