"""A project's course: its examples, the recipe that was asked for, and what holds it still."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.examples import (
    Triplets,
    as_triplets,
    hard_negatives,
    same_texts,
)
from core.progress import Progress, Steps
from core.store import EncoderRecord, Project
from core.training import Background, Course, Material, Part, course_of, random_pairs
from core.workflows.asking import Asked
from core.workflows.gathering import SAME
from core.workflows.graphing import surroundings
from core.workflows.lessons import Lesson, given_side, lesson_of, like_main

_MOST_TEXTS = 50_000  # of the corpus, that random pairs are drawn from


@dataclass(frozen=True, slots=True)
class ProjectCourse:
    """A course of a project, and what it was made of."""

    course: Course
    lesson: Lesson
    notes: tuple[str, ...] = ()


def course_in(project: Project, asked: Asked) -> ProjectCourse:
    """What would be learnt, without the random pairs and the hard negatives; quick.

    Raises `UserError` where there is nothing to learn from or the recipe does not fit.
    """
    lesson = lesson_of(project, asked.selection)
    if not len(lesson.material):
        raise UserError(
            "There are no judged pairs to learn from.",
            "Decide some pairs as same or different, or import judged pairs.",
        )
    course = course_of(lesson.material, asked.values, choices=asked.choices)
    main = lesson.material.main(course.main).examples
    dev = like_main(given_side(project, asked.selection.dev), main)
    test = like_main(given_side(project, asked.selection.test), main)
    return ProjectCourse(replace(course, dev=dev, test=test), lesson)


def completed(
    project: Project, found: ProjectCourse, active: EncoderRecord
) -> Steps[ProjectCourse]:
    """Add what is drawn from the corpus: random pairs to hold still, and hard negatives."""
    course = found.course
    background = background_of(project, active, course.options.seed)
    course = replace(course, background=background)
    if not course.asked.hard_negatives or not course.recipe.takes_hard_negatives:
        return replace(found, course=course)
    hard, told = yield from _hard(project, course.material, course.asked.hard_negatives)
    material = replace(course.material, hard=Part(hard))
    return ProjectCourse(replace(course, material=material), found.lesson, (*found.notes, told))


def background_of(project: Project, active: EncoderRecord, seed: int) -> Background:
    """Random pairs of the corpus with the cosines they have now."""
    table = project.vectors.table(active)
    used = np.flatnonzero(np.isin(table.texts, project.texts.table().ids))
    if len(used) > _MOST_TEXTS:
        used = np.sort(np.random.default_rng(seed).choice(used, _MOST_TEXTS, replace=False))
    bodies = project.texts.bodies(table.texts[used])
    return random_pairs(bodies, np.array(table.vectors[table.rows[used]]), seed=seed)


def _hard(project: Project, material: Material, most: int) -> Steps[tuple[Triplets, str]]:
    """Find near texts for the pairs that mean the same, as far as their texts are in the corpus.

    Texts bound by decisions or examples as the same, in a chain too, are never negatives.
    """
    yield Progress("Finding hard negatives")
    around = yield from surroundings(project)
    bodies = project.texts.bodies(around.texts)
    places = {body: place for place, body in enumerate(bodies)}
    pairs = _known(_same(material), places)
    everywhere = _known(_bound(material), places)
    if not len(pairs):
        return Triplets((), (), ()), "No pair that means the same has both its texts in the corpus."
    anchors, positives = pairs.T
    vectors = around.vectors
    cosine = np.einsum("ij,ij->i", vectors[anchors], vectors[positives])
    found = hard_negatives(
        around.graph.index, around.graph.cosine, anchors, positives,
        same_texts(len(bodies), everywhere), positive_cosine=cosine, most=most,
    )  # fmt: skip  # the graph, then the pairs
    return as_triplets(found, bodies, anchors, positives), found.sentence()


def _same(material: Material) -> list[tuple[str, str]]:
    """Pairs that mean the same: those of triplets where there are any, else the scored ones."""
    triplets = material.triplets.examples
    if len(triplets):
        return list(zip(triplets.anchor, triplets.positive, strict=True))
    return _scored_same(material)


def _bound(material: Material) -> list[tuple[str, str]]:
    triplets = material.triplets.examples
    return [*zip(triplets.anchor, triplets.positive, strict=True), *_scored_same(material)]


def _scored_same(material: Material) -> list[tuple[str, str]]:
    scored = material.scored.examples
    rows = np.flatnonzero(scored.score >= SAME).tolist()
    return [(scored.left[row], scored.right[row]) for row in rows]


def _known(pairs: list[tuple[str, str]], places: dict[str, int]) -> NDArray[np.int64]:
    found = [
        (places[left], places[right]) for left, right in pairs
        if left in places and right in places and left != right
    ]  # fmt: skip  # one condition
    return np.array(found, np.int64).reshape(-1, 2)
