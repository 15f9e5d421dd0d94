"""What an encoder learns from in a project: decisions and imported examples, by their kind."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import UserError
from core.examples import (
    ExampleKind,
    Examples,
    LabelledPairs,
    LabelledTexts,
    ScoredPairs,
    Triplets,
    as_scores,
    with_names,
)
from core.store import JudgedFile, JudgedRow, Project
from core.training import Material
from core.workflows.gathering import Gathered


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a project is learnt from; `files` None means all that are not given sides."""

    files: tuple[int, ...] | None = None
    decisions: bool = True
    dev: int | None = None
    test: int | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """What there is to learn from, and how many judgements on it do not count."""

    material: Material
    contradicted: int  # left out, since a newer one says the contrary
    repeated: int  # left out, since a newer one says the same
    decisions: int  # that count
    files: tuple[JudgedFile, ...] = ()
    odd: tuple[str, ...] = ()  # the texts of the first contradiction

    @property
    def data(self) -> ScoredPairs:
        """The pairs with a score or a decision."""
        return self.material.scored.examples


def lesson_of(project: Project, selection: Selection | None = None) -> Lesson:
    """Everything judged that is selected: decisions are 1 and 0; the newest word counts.

    A decision counts as newer than all imported examples, and than corrected silver pairs, which
    count as newer than these. Raises `UserError` for a file that is
    gone.
    """
    wanted = Selection() if selection is None else selection
    files = files_of(project, wanted)
    gathered = Gathered()
    for file in files:
        gathered.take(file.kind, file.names, project.judged.rows(file.id))
    decisions = 0
    for left, right, score in project.augmentations.corrections():
        gathered.score(left, right, score)
    if wanted.decisions:
        for left, right, score in _decided(project):
            gathered.score(left, right, score)
            decisions += 1
    return Lesson(
        gathered.material(), gathered.contradicted, gathered.repeated, decisions, tuple(files),
        gathered.odd,
    )  # fmt: skip  # in the order of the fields


def lesson_of_examples(files: Iterable[tuple[Examples, Sequence[str]]]) -> Lesson:
    """The same of files that were read just now, each with the topics of its examples."""
    gathered = Gathered()
    for examples, topics in files:
        gathered.take(str(examples.kind), _names(examples), rows_of(examples, topics))
    return Lesson(
        gathered.material(), gathered.contradicted, gathered.repeated, 0, odd=gathered.odd
    )


def files_of(project: Project, selection: Selection) -> list[JudgedFile]:
    """The files that are learnt from."""
    known = {file.id: file for file in project.judged.files()}
    given = {selection.dev, selection.test} - {None}
    numbers = list(known) if selection.files is None else list(selection.files)
    for number in (*numbers, *given):
        if number not in known:
            raise UserError(
                "A file of examples is no longer in the project.", "Import it again, or leave it "
                "out.",
            )  # fmt: skip  # two sentences
    return [known[number] for number in numbers if number not in given]


def given_side(project: Project, file: int | None) -> Examples | None:
    """The examples of a given file as they judge: decisions become scores."""
    if file is None:
        return None
    try:
        found = project.judged.get(file)
    except KeyError as fault:
        raise UserError(
            "The file that is to judge is no longer in the project.", "Import it again."
        ) from fault
    return as_side(examples_of(found, project.judged.rows(file)))


def as_side(examples: Examples) -> Examples:
    """Examples as they judge: decisions become scores."""
    if isinstance(examples, LabelledPairs) and examples.are_decisions:
        return as_scores(examples)
    return examples


def like_main(side: Examples | None, main: Examples) -> Examples | None:
    """Number the labels of a given side as those of the examples learnt from."""
    if isinstance(side, LabelledPairs) and isinstance(main, LabelledPairs):
        return with_names(side, main.names)
    return side


def examples_of(file: JudgedFile, rows: Sequence[JudgedRow]) -> Examples:
    """The examples of a file as they were read."""
    kind = ExampleKind(file.kind)
    if kind is ExampleKind.TRIPLETS:
        return Triplets(
            tuple(row.first for row in rows), tuple(row.second or "" for row in rows),
            tuple(row.third or "" for row in rows),
        )  # fmt: skip  # three columns
    first = tuple(row.first for row in rows)
    told = np.array([row.judgement or 0.0 for row in rows])
    if kind is ExampleKind.LABELLED_TEXTS:
        return LabelledTexts(first, told.astype(np.int64), file.names)
    second = tuple(row.second or "" for row in rows)
    if kind is ExampleKind.SCORED_PAIRS:
        return ScoredPairs(first, second, told.astype(np.float32))
    return LabelledPairs(first, second, told.astype(np.int64), file.names)


def rows_of(examples: Examples, topics: Sequence[str] = ()) -> Iterator[JudgedRow]:
    """Examples as the store keeps them."""
    judged: Sequence[float | None]
    if isinstance(examples, ScoredPairs):
        judged = examples.score.tolist()
    elif isinstance(examples, Triplets):
        judged = [None] * len(examples)
    else:
        judged = [float(label) for label in examples.label.tolist()]
    for at, texts in enumerate(zip(*examples.columns, strict=True)):
        rest: tuple[str | None, ...] = (*texts[1:], None, None)
        yield JudgedRow(texts[0], rest[0], rest[1], judged[at], topics[at] if topics else "")


def _names(examples: Examples) -> tuple[str, ...]:
    return examples.names if isinstance(examples, LabelledPairs | LabelledTexts) else ()


def _decided(project: Project) -> Iterator[tuple[str, str, float]]:
    """Every decision with its score."""
    table = project.decisions.table()
    for rows, score in ((table.same, 1.0), (table.different, 0.0)):
        lefts = project.texts.bodies(rows[:, 0])
        rights = project.texts.bodies(rows[:, 1])
        for left, right in zip(lefts, rights, strict=True):
            yield left, right, score
