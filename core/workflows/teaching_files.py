"""Teach an encoder by files of judged examples, without a project; the command's own way."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.errors import UserError
from core.examples import ExampleFile, Examples, LabelledPairs
from core.examples.report import reading_findings
from core.folders import encoder_folder
from core.progress import Steps
from core.training import (
    Course,
    KeptCourse,
    KeptStages,
    base_fingerprint,
    course_of,
    drop_course,
    keep_aside,
    keep_course,
    kept_course,
    random_pairs,
    teach,
)
from core.training.forecast import refuse_frozen
from core.workflows.checkpoint_folder import can_go_on, checkpoint_folder, owned_checkpoints
from core.workflows.costs import costs_of
from core.workflows.examples_desk import CheckOutcome, Reading, check_course, read_file
from core.workflows.lessons import Lesson, as_side, lesson_of_examples, like_main
from core.workflows.stage_telling import told_stages
from core.workflows.teaching import TeachOutcome
from core.workflows.teaching_figures import figure_of, figures_of

_AUTO = ("auto", None)


@dataclass(frozen=True, slots=True)
class FilesAsked:
    """Files to learn from, `then` after them in a second stage, and files that judge."""

    examples: tuple[Path, ...]
    then: tuple[Path, ...] = ()
    dev: Path | None = None
    test: Path | None = None
    reading: Reading = field(default_factory=Reading)
    values: Mapping[str, Any] = field(default_factory=dict)  # of the recipe and the loop
    choices: Mapping[str, Any] = field(default_factory=dict)  # of the objective


@dataclass(frozen=True, slots=True)
class FilesCourse:
    """A course of files, and what they were taken for."""

    course: Course
    lesson: Lesson
    files: tuple[ExampleFile, ...]
    given: Mapping[str, ExampleFile] = field(default_factory=dict)  # dev and test


def course_of_files(asked: FilesAsked) -> FilesCourse:
    """Read the files and make their course; raises `UserError` where no recipe fits."""
    values = dict(asked.values)
    plain = replace(asked.reading, topic=None, columns=None, kind=None)
    first = [read_file(path, asked.reading) for path in asked.examples]
    later = [read_file(path, plain) for path in asked.then]
    if later:
        if values.get("recipe") not in (*_AUTO, "two-stage"):
            raise UserError(
                "A second stage belongs to the recipe `two-stage`.", "Leave the recipe out."
            )
        values["recipe"] = "two-stage"
        _expect_labels_first([found.examples for found, _ in first])
    read = [*first, *later]
    lesson = lesson_of_examples([(found.examples, topics) for found, topics in read])
    main_reading = replace(asked.reading, topic=None)
    course = course_of(lesson.material, values, choices=asked.choices)
    main = lesson.material.main(course.main).examples
    sides = {"dev": asked.dev, "test": asked.test}
    given = {
        name: read_file(path, main_reading)[0] for name, path in sides.items() if path is not None
    }
    background = random_pairs(_texts(course), seed=course.options.seed)
    dev, test = (_side(given[name].examples if name in given else None, main) for name in sides)
    course = replace(course, background=background, dev=dev, test=test)
    return FilesCourse(course, lesson, tuple(found for found, _ in read), given)


def check_files(
    asked: FilesAsked, *, base: str = "default", device: str = "auto"
) -> Steps[CheckOutcome]:
    """Report on what would be learnt and what it takes: the gravest first, with its remedy."""
    found = course_of_files(asked)
    folder = encoder_folder(base)
    refuse_frozen(folder, found.course.options.frozen_layers)
    reading = [
        replace(finding, sentence=f"The {name} file: {finding.sentence}")
        for name, file in found.given.items()
        for finding in reading_findings(file)
    ]
    report = yield from check_course(
        found.course, folder, lesson=found.lesson, files=found.files, reading=reading
    )
    if report.stops:
        return report
    costs = costs_of(folder, found.course, keep_aside(found.course), device=device)
    if costs.fits:
        return replace(report, costs=costs.words())
    lacking = {
        "severity": "stops", "sentence": f"There is too little memory: {costs.memory}.",
        "remedy": "Close other programs, or take a smaller encoder.", "examples": 0,
    }  # fmt: skip  # a finding in plain values
    return replace(report, findings=(lacking, *report.findings), stops=True)


def teach_from_files(
    to: Path,
    asked: FilesAsked,
    *,
    base: str = "default",
    device: str = "auto",
    every_s: float | None = None,
) -> Steps[TeachOutcome]:
    """Teach an encoder by files of judged examples and write the new one to the folder `to`.

    The random pairs that hold it where it is are drawn from the texts of the files. Beside `to`
    lies `to`.checkpoint until the training is through; closing and a kill leave it, once there
    is something to go on from. Raises `UserError` for a name that is taken, and beside another
    training into it.
    """
    found = course_of_files(asked)
    folder = encoder_folder(base)
    told = {
        "notes": _notes(found), "contradicted": found.lesson.contradicted,
        "repeated": found.lesson.repeated, "files": _files(asked),
    }  # fmt: skip  # one thing beside another
    kept = KeptCourse(found.course, str(folder), folder.name, base_fingerprint(folder), told)
    with owned_checkpoints(to) as checkpoints:
        if can_go_on(to):
            raise UserError(
                f"A training into {to} was cut off and can go on.",
                f"Go on with --resume, or remove {checkpoints}.",
            )
        keep_course(kept, checkpoints)
        return (yield from _learn(to, kept, checkpoints, device=device, every_s=every_s))


def resume_from_files(
    to: Path, *, device: str = "auto", every_s: float | None = None
) -> Steps[TeachOutcome]:
    """Go on with a training into `to` that was cut off, to the weights it would have had."""
    if not checkpoint_folder(to).is_dir():
        raise UserError(
            f"No training into {to} was cut off.", "Leave --resume out and name the examples."
        )
    if to.exists():
        raise UserError(
            f"There is already something at {to}.",
            "Move it away, then go on with --resume; what was learnt so far is kept.",
        )
    with owned_checkpoints(to) as checkpoints:
        kept = kept_course(checkpoints)
        if base_fingerprint(encoder_folder(kept.base)) != kept.base_fingerprint:
            raise UserError(
                f"The encoder that this training began with has changed ({kept.base}).",
                f"Put the old one back, or remove {checkpoints} and begin again.",
            )
        return (yield from _learn(to, kept, checkpoints, device=device, every_s=every_s))


def _learn(
    to: Path, kept: KeptCourse, checkpoints: Path, *, device: str, every_s: float | None
) -> Steps[TeachOutcome]:
    started = time.monotonic()
    course, base, is_through = kept.course, Path(kept.base), False
    main = course.material.main(course.main).examples
    files = KeptStages(checkpoints, kept.digest, every_s)
    record = {"recipe": course.recipe.name, "files": kept.told["files"]}
    try:
        with files.same_threads():
            taught = yield from teach(
                base, course, to, figure_of=figure_of, device=device, kept=files, record=record
            )
        is_through = True
    finally:
        if is_through or not can_go_on(to):
            files.remove()
            drop_course(checkpoints)
    figures, examples = yield from figures_of(
        taught, taught.judged, base=base, threshold=None, seed=course.options.seed
    )
    notes = [*kept.told["notes"], *figures["notes"]]
    figures |= {
        "seconds": time.monotonic() - started, "stages": told_stages(course, taught.aside),
        "notes": notes, "recipe": course.recipe.name, "title": course.recipe.title,
        "contradicted": kept.told["contradicted"], "repeated": kept.told["repeated"],
        "examples": examples,
    }  # fmt: skip  # beside what was measured
    return TeachOutcome(0, str(to), len(main), figures, " ".join(notes))


def _expect_labels_first(examples: list[Examples]) -> None:
    is_labelled = [isinstance(one, LabelledPairs) and not one.are_decisions for one in examples]
    if not all(is_labelled):
        raise UserError(
            "The first stage of two learns from pairs with labels, such as entailment.",
            "Name files with labels first and those with scores after --then.",
        )


def _side(examples: Examples | None, main: Examples) -> Examples | None:
    return None if examples is None else like_main(as_side(examples), main)


def _texts(course: Course) -> list[str]:
    return list(
        dict.fromkeys(
            text
            for part in course.material.parts()
            for column in part.examples.columns
            for text in column
        )
    )


def _files(asked: FilesAsked) -> list[dict[str, str]]:
    named = [("examples", asked.examples), ("then", asked.then)]
    named += [(name, (path,)) for name, path in (("dev", asked.dev), ("test", asked.test)) if path]
    return [
        {"as": role, "name": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for role, paths in named
        for path in paths
    ]


def _notes(found: FilesCourse) -> list[str]:
    """What a person should know of the examples, in sentences."""
    said = [skipped for file in found.files if (skipped := _skipped(file))]
    said += [
        f"The {name} file: {skipped}"
        for name, file in found.given.items()
        if (skipped := _skipped(file))
    ]
    if found.lesson.contradicted:
        said.append(_counted(found.lesson.contradicted, "contradicts", "contradict"))
    if found.lesson.repeated:
        said.append(_counted(found.lesson.repeated, "repeats", "repeat"))
    return said


def _skipped(file: ExampleFile) -> str:
    if not file.skipped:
        return ""
    count = len(file.skipped)
    rows = "1 row was" if count == 1 else f"{count:,} rows were"
    line, why = file.skipped[0]
    return f"{rows} left out, such as line {line}: {why.rstrip('.')}."


def _counted(count: int, one: str, many: str) -> str:
    if count == 1:
        return f"1 example {one} a later one and was left out."
    return f"{count:,} examples {many} later ones and were left out."
