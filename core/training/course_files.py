"""A course as a file, so that a training can be gone on with, or done again, to the same weights.

The file is gzipped JSON: numbers of float32 are written so that they come back exactly.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from core.errors import UserError
from core.examples import (
    ExampleKind,
    Examples,
    LabelledPairs,
    LabelledTexts,
    ScoredPairs,
    Triplets,
)
from core.options import TrainOptions
from core.training.courses import Course
from core.training.data import Background
from core.training.material import Material, Part
from core.training.recipe_options import RecipeOptions

COURSE = "course.json.gz"  # the name of the file in a training's folder
_Options = TypeVar("_Options", TrainOptions, RecipeOptions)


@dataclass(frozen=True, slots=True)
class KeptCourse:
    """A course, the encoder it begins with, and what else its record is to tell."""

    course: Course
    base: str  # folder
    base_name: str
    base_fingerprint: str
    told: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """Changes with anything that decides how the training goes."""
        course = json.dumps(plain_course(self.course), ensure_ascii=False)
        return hashlib.sha256(f"{self.base_fingerprint} {course}".encode()).hexdigest()


def keep_course(kept: KeptCourse, folder: Path) -> None:
    """Write a course into a training's folder; raises `UserError` where there is no room."""
    told = {
        "base": kept.base, "base_name": kept.base_name, "told": dict(kept.told),
        "base_fingerprint": kept.base_fingerprint, "course": plain_course(kept.course),
    }  # fmt: skip  # one thing beside another
    part = folder / f"{COURSE}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with gzip.open(part, "wt", encoding="utf-8", compresslevel=3) as stream:
            json.dump(told, stream, ensure_ascii=False)
        part.replace(folder / COURSE)
    except OSError as fault:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise UserError(
            f"What is to be learnt could not be written to {folder} ({fault.strerror or fault}).",
            "Make room on that disk, or choose another place.",
        ) from fault


def kept_course(folder: Path) -> KeptCourse:
    """Read the course of a training's folder; raises `UserError` where there is none."""
    file = folder / COURSE
    try:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            told = json.load(stream)
        return KeptCourse(
            _course(told["course"]), told["base"], told["base_name"], told["base_fingerprint"],
            told["told"],
        )  # fmt: skip  # in the order of the fields
    except FileNotFoundError as fault:
        raise UserError(
            f"What was learnt from is not kept in {folder}.", f"Remove {folder} and begin again."
        ) from fault
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError) as fault:
        raise UserError(
            f"{file} cannot be read ({fault}).", f"Remove {folder} and begin again."
        ) from fault


def drop_course(folder: Path) -> None:
    """Remove the course of a training's folder; what else lies there stays."""
    for name in (COURSE, f"{COURSE}.part"):
        (folder / name).unlink(missing_ok=True)


def plain_course(course: Course) -> dict[str, Any]:
    """A course as plain values, the reverse of what reading makes of them."""
    material = course.material
    return {
        "asked": asdict(course.asked), "options": asdict(course.options),
        "choices": dict(course.choices),
        "scored": _part(material.scored), "triplets": _part(material.triplets),
        "labelled": [_part(part) for part in material.labelled],
        "texts": [_part(part) for part in material.texts], "hard": _part(material.hard),
        "dev": None if course.dev is None else _examples(course.dev),
        "test": None if course.test is None else _examples(course.test),
        "background": _background(course.background),
    }  # fmt: skip  # one thing beside another


def _course(told: Mapping[str, Any]) -> Course:
    material = Material(
        _part_of(told["scored"]), tuple(_part_of(one) for one in told["labelled"]),
        _part_of(told["triplets"]), tuple(_part_of(one) for one in told["texts"]),
        _part_of(told["hard"]),
    )  # fmt: skip  # in the order of the fields
    background = told["background"]
    cosine = background["cosine"]
    return Course(
        material, _options(RecipeOptions, told["asked"]), _options(TrainOptions, told["options"]),
        told["choices"],
        Background(
            tuple(background["left"]), tuple(background["right"]),
            None if cosine is None else np.array(cosine, np.float32),
        ),
        None if told["dev"] is None else _examples_of(told["dev"]),
        None if told["test"] is None else _examples_of(told["test"]),
    )  # fmt: skip  # in the order of the fields


def _options(kind: type[_Options], told: Mapping[str, Any]) -> _Options:
    """Options as they were; those of a later version than they know keep their defaults."""
    known = {one.name for one in fields(kind)}
    if set(told) - known:
        raise ValueError(f"made by a newer version: {', '.join(sorted(set(told) - known))}")
    return kind(**told)


def _background(background: Background) -> dict[str, Any]:
    cosine = background.cosine
    return {
        "left": background.left, "right": background.right,
        "cosine": None if cosine is None else cosine.tolist(),
    }  # fmt: skip  # three columns


def _part(part: "Part[Any]") -> dict[str, Any]:
    return {"examples": _examples(part.examples), "topics": part.topics}


def _part_of(told: Mapping[str, Any]) -> "Part[Any]":
    return Part(_examples_of(told["examples"]), tuple(told["topics"]))


def _examples(examples: Examples) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": str(examples.kind), "columns": examples.columns}
    if isinstance(examples, ScoredPairs):
        told["score"] = examples.score.tolist()
        told["weight"] = None if examples.weight is None else examples.weight.tolist()
    elif isinstance(examples, LabelledPairs | LabelledTexts):
        told["label"], told["names"] = examples.label.tolist(), examples.names
    return told


def _examples_of(told: Mapping[str, Any]) -> Examples:
    columns = [tuple(column) for column in told["columns"]]
    kind = ExampleKind(told["kind"])
    if kind is ExampleKind.TRIPLETS:
        return Triplets(*columns)
    if kind is ExampleKind.SCORED_PAIRS:
        weight = told["weight"]
        return ScoredPairs(
            columns[0], columns[1], np.array(told["score"], np.float32),
            None if weight is None else np.array(weight, np.float32),
        )  # fmt: skip  # two columns, two rows of numbers
    label, names = np.array(told["label"], np.int64), tuple(told["names"])
    if kind is ExampleKind.LABELLED_TEXTS:
        return LabelledTexts(columns[0], label, names)
    return LabelledPairs(columns[0], columns[1], label, names)
