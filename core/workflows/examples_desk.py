"""Files of judged examples brought into a project, and the report before a training."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.encoders import token_counter
from core.errors import UserError
from core.examples import (
    ExampleFile,
    ExampleKind,
    Finding,
    Report,
    Severity,
    examine,
    read_examples,
)
from core.examples.findings import counted
from core.examples.report import reading_findings
from core.folders import folder_in_use, told
from core.progress import Progress, Steps
from core.store import JudgedFile, Project
from core.training import Course, keep_aside, parts_used, unused_note
from core.workflows.asking import Asked
from core.workflows.courses import course_in
from core.workflows.lessons import Lesson, rows_of

OF_READING = "of_reading"  # marks findings that only the reading of a file could tell
_SHOWN = 60  # characters of a text in a sentence
_MOST_COUNTED = 20_000  # examples whose texts are tokenized for the report


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is to be read where its columns and values do not tell."""

    kind: str | None = None
    labels: tuple[str, ...] | None = None
    scale: tuple[float, float] | None = None
    columns: Mapping[str, str | int] | None = None
    topic: str | None = None  # a column


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What was found in the examples before they teach."""

    recipe: str
    counts: tuple[tuple[str, int], ...]
    findings: tuple[dict[str, Any], ...]
    stops: bool
    sentence: str
    costs: str = ""  # time and memory in words, where they were asked for


def read_file(path: Path, reading: Reading | None = None) -> tuple[ExampleFile, tuple[str, ...]]:
    """Read a file of examples; return it and the topic of each example, where one was named."""
    how = reading or Reading()
    found = read_examples(
        path,
        kind=None if how.kind is None else _kind(how.kind),
        columns=how.columns,
        labels=how.labels,
        scale=how.scale,
        beside=() if how.topic is None else (how.topic,),
    )
    return found, () if how.topic is None else found.beside[how.topic]


def import_examples(
    project: Project, path: Path, reading: Reading | None = None
) -> tuple[JudgedFile, bool]:
    """Take a file of judged examples into the project; return it and whether it is new."""
    found, topics = read_file(path, reading)
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as fault:
        raise UserError(f"The file {path} could not be read: {fault}.") from fault
    report = examine(found.examples)
    findings = [{**plain_finding(one), OF_READING: True} for one in reading_findings(found)]
    names = getattr(found.examples, "names", ())
    return project.judged.add(
        name=told(path.name), path=told(path), sha256=digest, kind=str(found.examples.kind),
        names=names, note=found.sentence, counts=report.counts,
        findings=[*findings, *map(plain_finding, report.findings)],
        rows=rows_of(found.examples, topics),
    )  # fmt: skip  # the columns of the store


def check_examples(project: Project, asked: Asked) -> Steps[CheckOutcome]:
    """Report on what a training would learn from: the gravest first, each with its remedy."""
    yield Progress("Looking at the examples")
    try:
        found = course_in(project, asked)
    except UserError as fault:
        finding = Finding(Severity.STOPS, fault.what, fault.remedy)
        return told_check("", Report((), (finding,)))
    folder = None
    active = project.active_encoder()
    if active is not None:
        folder = folder_in_use(active.folder, name=active.name)
    kept = [
        Finding(Severity(one["severity"]), one["sentence"], one["remedy"], one["examples"])
        for file in found.lesson.files
        for one in file.findings
        if one.get(OF_READING)
    ]
    return (yield from check_course(found.course, folder, lesson=found.lesson, reading=kept))


def check_course(
    course: Course,
    folder: Path | None,
    *,
    lesson: Lesson,
    files: Sequence[ExampleFile] = (),
    reading: Sequence[Finding] = (),
) -> Steps[CheckOutcome]:
    """The same of a course; texts are measured by the encoder in `folder`, where one is named.

    `lesson` is what its examples were gathered from, `reading` are findings from when files were
    read.
    """
    sides = {"dev": course.dev, "test": course.test}
    given = {name: side for name, side in sides.items() if side is not None}
    counter = None
    if folder is not None:
        yield Progress("Counting words")
        counter = token_counter(folder)
    main = course.material.main(course.main).examples
    findings: list[Finding] = [*reading, *_findings_aside(course), *_not_counted(lesson, course)]
    counts: list[tuple[str, int]] = []
    for part in parts_used(course):
        examples = part.examples
        yield Progress("Looking at the examples")
        is_main = examples is main
        tokens, reads = counter or (None, None)
        if len(examples) > _MOST_COUNTED:
            tokens = reads = None
        report = examine(
            examples, sides=given if is_main else {}, files=files if is_main else (),
            tokens=tokens, reads=reads, negatives_in_batch=course.objective == "ranking",
        )  # fmt: skip  # one call
        counts += report.counts
        findings += report.findings
    order = tuple(Severity)
    findings.sort(key=lambda one: order.index(one.severity))
    return told_check(course.recipe.name, Report(tuple(counts), tuple(findings)))


def _not_counted(lesson: Lesson, course: Course) -> Iterator[Finding]:
    """Yield judgements that a later one took the place of, and kinds the recipe has no use for."""
    count = lesson.contradicted
    if count:
        shown = " and ".join(f"“{text[:_SHOWN]}”" for text in lesson.odd)
        yield Finding(
            Severity.WARNS,
            f"{counted(count, 'judgement contradicts', 'judgements contradict')} an earlier one "
            f"on the same texts, such as {shown}; the later counts.",
            "Decide which of them is right and remove the other.",
            count,
        )
    if lesson.repeated:
        yield Finding(
            Severity.TELLS,
            f"{counted(lesson.repeated, 'judgement repeats', 'judgements repeat')} an earlier one "
            f"and {'counts' if lesson.repeated == 1 else 'count'} once.",
            "",
            lesson.repeated,
        )
    unused = unused_note(course)
    if unused:
        remedy = "Take the recipe `side-by-side`, which learns from all kinds, or leave these out."
        yield Finding(Severity.WARNS, unused, remedy)


def _findings_aside(course: Course) -> list[Finding]:
    """What stands in the way of judging, as where all examples hang together."""
    try:
        note = keep_aside(course).plan.note
    except UserError as fault:
        return [Finding(Severity.STOPS, fault.what, fault.remedy)]
    if not note or course.asked.split == "topic":
        return []
    return [Finding(Severity.WARNS, note, "Judge pairs of other texts too, or hold out by topic.")]


def told_check(recipe: str, report: Report) -> CheckOutcome:
    """A report in plain values, with one sentence that sums it up."""
    return CheckOutcome(
        recipe, report.counts, tuple(plain_finding(one) for one in report.findings),
        report.stops, _sentence(report),
    )  # fmt: skip  # in the order of the fields


def plain_finding(finding: Finding) -> dict[str, Any]:
    return {**asdict(finding), "severity": str(finding.severity)}


def _sentence(report: Report) -> str:
    if report.stops:
        return "Something stands in the way of a training."
    if not report.findings:
        return "Nothing stands in the way, and nothing is odd."
    count = len(report.findings)
    things = "1 thing" if count == 1 else f"{count} things"
    return f"{things} to know before training; nothing stands in the way."


def _kind(name: str) -> ExampleKind:
    try:
        return ExampleKind(name)
    except ValueError as fault:
        kinds = ", ".join(ExampleKind)
        raise UserError(f"`{name}` is no kind of example.", f"Use one of {kinds}.") from fault
