"""What judges shares no text with what teaches, whatever its kind."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import UserError
from core.examples import LabelledPairs, LabelledTexts, ScoredPairs, Triplets
from core.training import Material, Part, course_of, keep_aside
from core.training.keeping_aside import against_others

NLI = ("contrary", "related", "same")


def scored(count: int, *, mark: str = "") -> ScoredPairs:
    return ScoredPairs(
        tuple(f"{mark}a {n}" for n in range(count)), tuple(f"{mark}b {n}" for n in range(count)),
        np.arange(count, dtype=np.float32) % 2,
    )  # fmt: skip


def labelled(count: int) -> LabelledPairs:
    pairs = scored(count)
    return LabelledPairs(pairs.left, pairs.right, np.arange(count) % 3, NLI)


def texts_of(*examples):
    return {text for one in examples for column in one.columns for text in column}


def test_other_kinds_lose_what_shares_a_text_with_the_held_out_pairs():
    material = Material(Part(scored(200)), (Part(labelled(200)),))
    aside = keep_aside(course_of(material))
    learn = aside.learn
    assert (aside.verdict, len(aside.judge)) == ("enough", 40)
    held = texts_of(aside.judge)
    assert held.isdisjoint(texts_of(learn.scored.examples, learn.labelled[0].examples))
    assert len(learn.labelled[0]) == 160
    assert aside.notes == (
        "40 examples are not learnt from, since a held-out one has the same text.",
    )


def test_labelled_texts_are_parted_before_pairs_are_made_of_them():
    texts = LabelledTexts(tuple(f"t {n}" for n in range(300)), np.arange(300) % 3, ("p", "q", "r"))
    aside = keep_aside(course_of(Material(texts=(Part(texts),)), {"made": 500}))
    assert aside.verdict == "enough"
    assert isinstance(aside.judge, ScoredPairs)
    assert texts_of(aside.judge).isdisjoint(texts_of(aside.learn.texts[0].examples))
    assert len(aside.groups) == len(aside.judge)


@pytest.mark.parametrize(("count", "verdict"), [(19, "too-few"), (99, "too-few"), (150, "enough")])
def test_labels_are_never_judged_out_of_fold(count: int, verdict: str):
    assert keep_aside(course_of(Material(labelled=(Part(labelled(count)),)))).verdict == verdict


@pytest.mark.parametrize(
    ("count", "verdict"), [(19, "too-few"), (50, "cross-validated"), (100, "enough")]
)
def test_triplets_are_judged_as_pairs_are(count: int, verdict: str):
    columns = [tuple(f"{side} {n}" for n in range(count)) for side in "xyz"]
    triplets = Triplets(*columns)
    assert keep_aside(course_of(Material(triplets=Part(triplets)))).verdict == verdict


def test_pairs_that_all_mean_the_same_are_judged_against_the_texts_of_others():
    pairs = replace(scored(200), score=np.ones(200, np.float32))
    aside = keep_aside(course_of(Material(Part(pairs)), {"recipe": "search"}))
    assert aside.verdict == "enough"
    assert isinstance(aside.judge, Triplets)
    assert texts_of(aside.judge).isdisjoint(texts_of(aside.learn.scored.examples))


def test_the_texts_of_others_never_hang_together_with_the_pair():
    pairs = ScoredPairs(("a", "b", "x"), ("b", "c", "y"), np.ones(3, np.float32))
    rows = set(zip(*against_others(pairs).columns, strict=True))
    assert rows == {("a", "b", "y"), ("b", "c", "y"), ("x", "y", "b"), ("x", "y", "c")}


def test_a_given_dev_file_judges_whole_and_nothing_is_held_out():
    course = replace(course_of(Material(Part(scored(150)))), dev=scored(60, mark="other "))
    aside = keep_aside(course)
    assert (len(aside.learn.scored), len(aside.judge), aside.choose) == (150, 60, None)
    assert aside.overlap == ("The training and the dev examples share no text.",)
    assert len(aside.apart) == 60


def test_beside_a_test_file_dev_chooses():
    course = course_of(Material(Part(scored(150))))
    given = replace(course, dev=scored(60, mark="dev "), test=scored(50))
    aside = keep_aside(given)
    assert (len(aside.choose), len(aside.judge)) == (60, 50)
    assert "share 100 of 100 texts" in aside.overlap[0]
    assert len(aside.apart) == 0


def test_a_given_file_of_another_kind_is_refused():
    course = replace(course_of(Material(Part(scored(150)))), dev=labelled(50))
    with pytest.raises(UserError, match="the recipe is judged by scored pairs"):
        keep_aside(course)


def test_whole_topics_are_held_out_and_pairs_without_one_teach():
    topics = tuple("" if n < 50 else "abcde"[n % 5] for n in range(200))
    material = Material(Part(scored(200), topics))
    aside = keep_aside(course_of(material, {"split": "topic"}))
    held = set(aside.plan.judge.tolist())
    assert {topics[at] for at in held} == {topics[next(iter(held))]}
    assert len(held) == 30
    assert len(aside.learn.scored) == 170
    assert "Judged on the topic" in aside.plan.note
