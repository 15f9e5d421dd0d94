"""What of a course is learnt from, what chooses among the weights, and what judges."""

from dataclasses import dataclass

import numpy as np

from core.errors import UserError
from core.examples import (
    Examples,
    LabelledTexts,
    Rows,
    ScoredPairs,
    Triplets,
    components,
    disjoint,
    overlap,
)
from core.options import FEWEST_JUDGED
from core.training.courses import Course, made_pairs, parts_used
from core.training.material import Material
from core.training.planning import ENOUGH, SAME, TOO_FEW, Plan, can_judge, kinds_of, plan_lesson

_OTHERS = 8  # other texts that each pair is judged against, where no pair was judged different


@dataclass(frozen=True, slots=True)
class Aside:
    """The sides of a course; `judge` is None where too little is there to tell."""

    plan: Plan
    learn: Material
    choose: Examples | None
    judge: Examples | None
    groups: Rows  # the components of the judging examples
    apart: Rows | None  # of a given split: places that share no text with what is learnt from
    overlap: tuple[str, ...]  # sentences
    notes: tuple[str, ...]  # what was left out of what is learnt, and how it is judged

    @property
    def verdict(self) -> str:
        return self.plan.verdict


def keep_aside(course: Course) -> Aside:
    """Part a course; nothing that is learnt from shares a text with what was held out.

    Given files are kept as they are instead, and what they share with the rest is told.
    """
    if course.dev is not None or course.test is not None:
        return _given(course)
    material, name = course.material, course.main
    part = material.main(name)
    one_kind = judges_one_kind(course)
    topics = part.topics if course.asked.split == "topic" else ()
    if course.asked.split == "topic" and len(set(filter(None, topics))) < 2:
        raise UserError(
            "The examples do not tell at least two topics.",
            "Name the column of the topics when the file is read, or hold out by texts.",
        )
    plan = plan_lesson(part.examples, course.options, topics=topics, one_kind=one_kind)
    nothing = np.empty(0, np.int64)
    if plan.verdict != ENOUGH:
        return Aside(plan, material, None, None, nothing, None, (), ())
    held = part.examples.rows(np.concatenate((plan.choose, plan.judge)))
    learn, notes = _without(course, material.with_main(name, part.rows(plan.learn)), held)
    judge, told = _to_judge(part.examples.rows(plan.judge), course)
    choose = None
    if plan.chooses:
        choose, _ = _to_judge(part.examples.rows(plan.choose), course)
    groups = plan.groups if len(judge) == len(plan.judge) else _components(judge)
    shared: tuple[str, ...] = ()
    if topics:
        shared = (overlap(learn.main(name).examples, judge).sentence("other", "held-out"),)
    apart = disjoint(learn.main(name).examples, judge) if topics else None
    return Aside(plan, learn, choose, judge, groups, apart, shared, (*notes, *told))


def judges_one_kind(course: Course) -> bool:
    """Whether no pair was judged different, so that pairs are judged against others' texts."""
    examples = course.material.main(course.main).examples
    return course.recipe.name == "search" and isinstance(examples, ScoredPairs) and not (
        examples.score < SAME
    ).any()  # fmt: skip  # one condition


def _given(course: Course) -> Aside:
    judging = course.dev if course.test is None else course.test
    choosing = None if course.test is None else course.dev
    if judging is None:
        raise ValueError("a course without given files has no given sides")
    name = course.main
    main = course.material.main(name).examples
    judge, notes = _to_judge(_of_kind(judging, main), course)
    choose = None if choosing is None else _to_judge(_of_kind(choosing, main), course)[0]
    same, different = kinds_of(main)
    everything, nothing = np.arange(len(main)), np.empty(0, np.int64)
    verdict = ENOUGH if can_judge(judge) else TOO_FEW
    plan = Plan(verdict, same, different, everything, nothing, nothing, nothing)
    shared = [overlap(main, judge).sentence("training", "test" if course.test else "dev")]
    if choose is not None:
        shared.append(overlap(main, choose).sentence("training", "dev"))
        shared.append(overlap(choose, judge).sentence("dev", "test"))
    apart = disjoint(main, judge)
    if verdict == TOO_FEW:
        return Aside(plan, course.material, choose, None, nothing, None, tuple(shared), notes)
    return Aside(
        plan, course.material, choose, judge, _components(judge), apart, tuple(shared), notes
    )


def _of_kind(given: Examples, main: Examples) -> Examples:
    if given.kind != main.kind and not isinstance(main, LabelledTexts):
        raise UserError(
            f"The file that is to judge holds {given.kind}, the recipe is judged by {main.kind}.",
            "Take a file of the same kind, or another recipe.",
        )
    return given


def _without(
    course: Course, material: Material, held: Examples
) -> tuple[Material, tuple[str, ...]]:
    """Leave out whatever else shares a text with the held-out examples, and say so."""
    main = material.main(course.main)
    apart = material.without_texts_of(held).with_main(course.main, main)
    before, after = (sum(map(len, parts_used(course, some))) for some in (material, apart))
    left_out = before - after + len(material.hard) - len(apart.hard)
    if not left_out:
        return apart, ()
    are = "example is" if left_out == 1 else "examples are"
    return apart, (f"{left_out:,} {are} not learnt from, since a held-out one has the same text.",)


def _to_judge(held: Examples, course: Course) -> tuple[Examples, tuple[str, ...]]:
    """Return examples that figures can be had of."""
    seed = course.options.seed
    if isinstance(held, LabelledTexts):
        count = max(FEWEST_JUDGED, round(course.asked.made * course.options.held_out))
        return made_pairs(held, count, seed)
    if judges_one_kind(course) and isinstance(held, ScoredPairs):
        judged = against_others(held, seed=seed)
        return judged, (
            f"No pair was judged different: each of {len(held):,} pairs is judged against the "
            "texts of others, and the figure is how often its own text is nearer.",
        )
    return held, ()


def against_others(pairs: ScoredPairs, *, seed: int = 0) -> Triplets:
    """Return each pair with up to eight texts of other pairs that hang together with it nowhere."""
    groups = components(*pairs.columns)
    random = np.random.default_rng(seed)
    anchors: list[int] = []
    others: list[int] = []
    for at in range(len(pairs)):
        drawn = random.permutation(len(pairs))[: 2 * _OTHERS]
        apart = drawn[groups[drawn] != groups[at]][:_OTHERS]
        anchors += [at] * len(apart)
        others += apart.tolist()
    return Triplets(
        tuple(pairs.left[at] for at in anchors),
        tuple(pairs.right[at] for at in anchors),
        tuple(pairs.right[at] for at in others),
    )


def _components(judge: Examples) -> Rows:
    """Components by the first two texts: a counter-example drawn at random binds nothing."""
    return components(*judge.columns[:2])
