"""A course: all that decides how an encoder learns; and the stages that its recipe makes of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from core.errors import UserError
from core.examples import (
    Examples,
    LabelledPairs,
    LabelledTexts,
    ScoredPairs,
    Triplets,
    as_scores,
    pairs_from_texts,
    triplets_from_pairs,
    triplets_from_texts,
)
from core.options import TrainOptions, options_from
from core.training.data import Background, nothing_random
from core.training.material import AnyPart, Material, Part
from core.training.objectives.catalogue import OBJECTIVES
from core.training.recipe_options import RecipeOptions
from core.training.recipes import Recipe, main_of, objective_of, recipe_named
from core.training.tasks import Stage, Task, matter_of


@dataclass(frozen=True, slots=True)
class Course:
    """What is learnt, how, and by what it is judged; the same course makes the same encoder.

    `dev` and `test` are given files: kept as they are and never learnt from. Raises `UserError`
    where the recipe does not fit.
    """

    material: Material
    asked: RecipeOptions = field(default_factory=RecipeOptions)
    options: TrainOptions = field(default_factory=TrainOptions)
    choices: Mapping[str, Any] = field(default_factory=dict)  # of the objective
    background: Background = field(default_factory=nothing_random)
    dev: Examples | None = None
    test: Examples | None = None

    @property
    def recipe(self) -> Recipe:
        return recipe_named(self.asked.recipe, self.material)

    @property
    def objective(self) -> str:
        """That of the last stage."""
        return objective_of(self.recipe, self.asked.objective)

    @property
    def main(self) -> str:
        """The part of the material that judges."""
        return main_of(self.recipe, self.material)

    def settled(self) -> "Course":
        """The same with the recipe and the objective by their names, whatever is added later."""
        asked = replace(self.asked, recipe=self.recipe.name, objective=self.objective)
        return replace(self, asked=asked)


@dataclass(frozen=True, slots=True)
class Stages:
    """Stages in their order, and what a person must know of the examples made for them."""

    stages: tuple[Stage, ...]
    notes: tuple[str, ...]


def course_of(
    material: Material,
    values: Mapping[str, Any] | None = None,
    *,
    choices: Mapping[str, Any] | None = None,
    background: Background | None = None,
    dev: Examples | None = None,
    test: Examples | None = None,
) -> Course:
    """Make a course of what a person set; the rest is as usual for the recipe.

    `values` holds options of `RecipeOptions` and `TrainOptions` by name. Raises `UserError` for
    a value out of bounds and a recipe that does not fit.
    """
    told = dict(values or {})
    own = {name: told.pop(name) for name in asdict(RecipeOptions()) if name in told}
    asked = options_from(RecipeOptions, own)
    recipe = recipe_named(asked.recipe, material)
    options = options_from(TrainOptions, {**recipe.usual, **told})
    course = Course(
        material, asked, options, dict(choices or {}), background or nothing_random(), dev, test
    ).settled()
    _check_choices(course.objective, course.choices)
    return course


def parts_used(course: Course, material: Material | None = None) -> tuple[AnyPart, ...]:
    """Return what the recipe learns from, of the course or of some of its material.

    What judges comes first; empty parts are left out.
    """
    given = course.material if material is None else material
    main = given.main(course.main)
    others: tuple[AnyPart, ...] = ()
    if course.recipe.name == "side-by-side":
        others = tuple(given.parts())
    elif course.recipe.name == "two-stage":
        others = given.labelled
    return tuple(part for part in (main, *(one for one in others if one is not main)) if len(part))


def unused_note(course: Course) -> str:
    """Say which kinds of examples the recipe does not learn from; nothing where it takes all."""
    used = parts_used(course)
    left: dict[str, int] = {}
    for part in course.material.parts():
        if not any(part is one for one in used):
            kind = str(part.examples.kind)
            left[kind] = left.get(kind, 0) + len(part)
    if not left:
        return ""
    told = " and ".join(f"{count:,} {kind}" for kind, count in left.items())
    return f"“{course.recipe.title}” does not learn from {told}."


def by_scores_alone(
    pairs: ScoredPairs, options: TrainOptions, background: Background | None = None
) -> Course:
    """The usual course: cosines are drawn to the scores of pairs."""
    name = "decisions" if pairs.is_labelled else "scores"
    asked = RecipeOptions(recipe=name, objective="regression")
    return Course(Material(Part(pairs)), asked, options, {}, background or nothing_random())


def stages_of(course: Course, material: Material) -> Stages:
    """Make the stages of a course over some of its material, such as what is not held out."""
    made = _stages_of(course, material)
    unused = unused_note(course)
    return replace(made, notes=(*made.notes, unused)) if unused else made


def _stages_of(course: Course, material: Material) -> Stages:
    recipe, options = course.recipe, course.options
    if recipe.name == "two-stage":
        labels = Stage(tuple(map(_by_labels, filter(len, material.labelled))), options)
        last, notes = _main_task(course, material, "scored")
        return Stages((labels, Stage((last,), options)), notes)
    if recipe.name == "side-by-side":
        return _side_by_side(course, material)
    task, notes = _main_task(course, material, course.main)
    if not (recipe.takes_hard_negatives and len(material.hard)):
        return Stages((Stage((task,), options),), notes)
    told = f"{len(material.hard):,} near texts stand against pairs as different."
    near = Task(course.objective, material.hard.examples, course.choices, "near texts")
    rest = _beside(task, material.hard.examples)
    tasks = (near,) if rest is None else (rest, near)
    return Stages((Stage(tasks, options),), (*notes, told))


def _check_choices(objective: str, choices: Mapping[str, Any]) -> None:
    """Refuse before the work what `make_objective` would refuse once torch is loaded."""
    declared = OBJECTIVES[objective]
    known = declared.parameters()
    unknown = next((name for name in choices if name not in known), None)
    if unknown is not None:
        raise UserError(
            f"“{declared.title}” has no choice `{unknown}`.",
            f"Its choices are {', '.join(known)}." if known else "It has none; leave it out.",
        )
    options_from(declared.choices, choices)


def _side_by_side(course: Course, material: Material) -> Stages:
    tasks: list[Task] = []
    notes: tuple[str, ...] = ()
    if len(material.scored):
        tasks.append(Task(course.objective, material.scored.examples, course.choices, "scores"))
    tasks += [_by_labels(part) for part in material.labelled if len(part)]
    if len(material.triplets):
        tasks.append(Task("triplet", material.triplets.examples, {}, "triplets"))
    for part in material.texts:
        if len(part):
            pairs, told = made_pairs(part.examples, course.asked.made, course.options.seed)
            tasks.append(Task(course.objective, pairs, course.choices, "labelled texts"))
            notes += told
    return Stages((Stage(tuple(tasks), course.options),), notes)


def _beside(task: Task, near: Triplets) -> Task | None:
    """Leave out of a task the pairs that stand among triplets; None where nothing is left."""
    if isinstance(task.examples, Triplets):
        return task
    known = set(zip(near.anchor, near.positive, strict=True))
    left, right, *_ = task.examples.columns
    rows = [at for at, pair in enumerate(zip(left, right, strict=True)) if pair not in known]
    if not rows:
        return None
    rest = replace(task, examples=task.examples.rows(np.array(rows, np.int64)))
    return rest if len(matter_of(rest)) else None


def _by_labels(part: Part[LabelledPairs]) -> Task:
    return Task("classification", part.examples, {}, "labels")


def _main_task(course: Course, material: Material, main: str) -> tuple[Task, tuple[str, ...]]:
    objective, seed, made = course.objective, course.options.seed, course.asked.made
    notes: tuple[str, ...] = ()
    examples = material.main(main).examples
    if objective == "ranking" and isinstance(examples, LabelledTexts):
        raise UserError(
            "Ranking takes all other texts of a batch as different, which texts of one label are "
            "not.",
            "Take the objective `triplet`, or pairs that mean the same.",
        )
    if course.recipe.name == "triplets":
        examples, notes = as_made_triplets(examples, made, seed)
    elif isinstance(examples, LabelledTexts):
        examples, notes = made_pairs(examples, made, seed)
    return Task(objective, examples, course.choices, main), notes


def as_made_triplets(examples: Examples, count: int, seed: int) -> tuple[Triplets, tuple[str, ...]]:
    """Return triplets as they are, or so many made of pairs or of labelled texts, and notes."""
    if isinstance(examples, Triplets):
        return examples, ()
    if isinstance(examples, LabelledTexts):
        made = triplets_from_texts(examples, count=count, seed=seed)
        source = f"{len(examples):,} labelled texts"
    else:
        made = triplets_from_pairs(examples, count=count, seed=seed)
        source = f"{len(examples):,} pairs"
    told = f"{len(made.triplets):,} triplets were drawn at random from {source}."
    return made.triplets, (told, *_wanted_fewer(made.notes))


def made_pairs(texts: LabelledTexts, count: int, seed: int) -> tuple[ScoredPairs, tuple[str, ...]]:
    """Return pairs made of labelled texts, half of one label and half of two, and notes."""
    made = pairs_from_texts(texts, same=count // 2, different=count - count // 2, seed=seed)
    pairs = as_scores(made.pairs)
    same = int(np.count_nonzero(pairs.score))
    told = (
        f"{len(pairs):,} pairs were drawn at random from {len(texts):,} labelled texts: {same:,} "
        f"of one label, {len(pairs) - same:,} of two."
    )
    return pairs, (told, *_wanted_fewer(made.notes))


def _wanted_fewer(notes: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out that fewer could be made than the most that was allowed."""
    return tuple(note for note in notes if "were asked for" not in note)


def refuse_nothing(stages: Stages) -> None:
    """Raise `UserError` where a stage has nothing to learn from."""
    counts = [[len(matter_of(task)) for task in stage.tasks] for stage in stages.stages]
    if not all(stage and all(stage) for stage in counts):
        raise UserError(
            "Nothing is left to learn from beside what is held out.",
            "Judge more pairs, or hold out a smaller share.",
        )
