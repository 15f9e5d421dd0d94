"""A course becomes stages, and what is made for them is told."""

import numpy as np
import pytest

from core.errors import UserError
from core.examples import LabelledPairs, LabelledTexts, ScoredPairs, Triplets
from core.training import Material, Part, course_of, stages_of

NLI = ("contrary", "related", "same")


def scored(count: int, *, same: float = 1.0, different: float = 0.0) -> Part[ScoredPairs]:
    return Part(
        ScoredPairs(
            tuple(f"a {n}" for n in range(count)), tuple(f"b {n}" for n in range(count)),
            np.array([different if n % 2 else same for n in range(count)], np.float32),
        )
    )  # fmt: skip


def labelled(count: int, names: tuple[str, ...] = NLI) -> Part[LabelledPairs]:
    return Part(
        LabelledPairs(
            tuple(f"p {n}" for n in range(count)), tuple(f"h {n}" for n in range(count)),
            np.arange(count) % len(names), names,
        )
    )  # fmt: skip


def triplets(count: int) -> Part[Triplets]:
    columns = (tuple(f"{side} {n}" for n in range(count)) for side in "xyz")
    return Part(Triplets(*columns))


def texts(count: int) -> Part[LabelledTexts]:
    return Part(
        LabelledTexts(tuple(f"t {n}" for n in range(count)), np.arange(count) % 3, ("p", "q", "r"))
    )


def stages(material: Material, **values):
    course = course_of(material, values)
    return stages_of(course, material)


def test_decisions_are_one_stage_by_regression():
    (stage,) = stages(Material(scored(6))).stages
    (task,) = stage.tasks
    assert (task.objective, len(task.examples)) == ("regression", 6)
    assert stage.options.hold == 0.5


def test_an_objective_and_its_choices_are_taken():
    course = course_of(Material(scored(6)), {"objective": "contrastive"}, choices={"margin": 0.3})
    (task,) = stages_of(course, course.material).stages[0].tasks
    assert (task.objective, task.choices["margin"]) == ("contrastive", 0.3)


@pytest.mark.parametrize("choices", [{"width": 1}, {"margin": -1}])
def test_a_choice_that_does_not_exist_or_fit_is_refused_before_the_work(choices):
    with pytest.raises(UserError):
        course_of(Material(scored(6)), {"objective": "contrastive"}, choices=choices)


def test_the_hold_is_an_option_of_every_recipe():
    for material in (Material(scored(4)), Material(triplets=triplets(3))):
        (stage,) = stages(material, hold=0.1).stages
        assert stage.options.hold == 0.1


def test_labels_come_first_and_scores_after_them():
    first, second = stages(Material(scored(4), (labelled(6),))).stages
    assert [task.objective for task in first.tasks] == ["classification"]
    assert [task.objective for task in second.tasks] == ["regression"]


def test_side_by_side_is_one_stage_of_all_kinds():
    material = Material(scored(4), (labelled(3), labelled(2, ("yes", "perhaps"))), triplets(2))
    (stage,) = stages(material, recipe="side-by-side").stages
    assert [task.objective for task in stage.tasks] == [
        "regression", "classification", "classification", "triplet",
    ]  # fmt: skip


def test_pairs_are_made_of_labelled_texts_and_the_sampling_is_told():
    told = stages(Material(texts=(texts(12),)), made=40)
    (task,) = told.stages[0].tasks
    label = {f"t {n}": n % 3 for n in range(12)}
    pairs = task.examples
    for left, right, score in zip(pairs.left, pairs.right, pairs.score, strict=True):
        assert (label[left] == label[right]) == (score == 1)
    # 3 labels of 4 texts make 3 * 6 = 18 same pairs, and 3 * 16 = 48 different ones
    assert int((pairs.score == 1).sum()) == 18
    assert "38 pairs were drawn at random from 12 labelled texts: 18 of one label, 20 of two" in (
        " ".join(told.notes)
    )


def test_triplets_are_made_of_pairs_that_share_a_text():
    pairs = ScoredPairs(("a", "a", "b"), ("same", "other", "else"), np.array([1, 0, 0], np.float32))
    told = stages(Material(Part(pairs)), recipe="triplets", made=20)
    (task,) = told.stages[0].tasks
    assert task.examples.columns == (("a",), ("same",), ("other",))
    assert "1 triplets were drawn" in told.notes[0]


def test_texts_of_one_label_are_never_each_others_negatives_in_a_batch():
    with pytest.raises(UserError, match="texts of one label are not"):
        stages(Material(texts=(texts(12),)), recipe="triplets", objective="ranking")
    (stage,) = stages(Material(texts=(texts(12),)), recipe="triplets").stages
    label = {f"t {n}": n % 3 for n in range(12)}
    for anchor, positive, negative in zip(*stage.tasks[0].examples.columns, strict=True):
        assert label[anchor] == label[positive] != label[negative]


def test_near_texts_stand_beside_the_pairs_that_have_none():
    material = Material(scored(6))
    near = Part(Triplets(("a 0",), ("b 0",), ("b 4",)))
    course = course_of(Material(material.scored, hard=near), {"recipe": "search"})
    rest, hard = stages_of(course, course.material).stages[0].tasks
    assert (rest.objective, hard.objective) == ("ranking", "ranking")
    assert "a 0" not in rest.examples.left
    assert hard.examples.columns == (("a 0",), ("b 0",), ("b 4",))


def test_search_takes_large_batches_unless_told_otherwise():
    material = Material(scored(6))
    assert course_of(material, {"recipe": "search"}).options.batch == 64
    assert course_of(material, {"recipe": "search", "batch": 8}).options.batch == 8


def test_a_settled_course_stays_what_it_was_when_material_is_left_out():
    material = Material(scored(6, same=0.9))
    course = course_of(material)
    assert course.asked.recipe == "scores"
