"""The objectives are known by name before torch is loaded."""

import subprocess
import sys
from dataclasses import asdict

import pytest

from core.errors import UserError
from core.training.objectives import OBJECTIVES, make_objective
from core.training.objectives.choices import CONCATENATIONS

NAMES = list(OBJECTIVES)


def test_the_catalogue_is_read_without_torch():
    code = (
        "import sys\n"
        "from core.training.objectives.catalogue import OBJECTIVES\n"
        "told = [(one.title, one.prefer, one.parameters()) for one in OBJECTIVES.values()]\n"
        "sys.exit(not told or 'torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_all_the_standards_are_there():
    assert set(NAMES) == {
        "classification", "regression", "triplet", "ranking", "cosent", "contrastive", "hold",
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_an_objective_is_what_its_declaration_says(name):
    made, declared = make_objective(name), OBJECTIVES[name]
    assert (made.name, made.title, made.target) == (name, declared.title, declared.target)
    assert made.columns in declared.columns


@pytest.mark.parametrize("name", NAMES)
def test_an_objective_as_it_comes_has_the_declared_defaults(name):
    defaults = {key: value for key, (_, value) in OBJECTIVES[name].parameters().items()}
    assert asdict(make_objective(name).choices) == defaults


@pytest.mark.parametrize("name", NAMES)
def test_every_objective_and_every_choice_is_explained(name):
    declared = OBJECTIVES[name]
    told = [declared.title, declared.data, declared.prefer]
    for choice, _ in declared.parameters().values():
        told += [choice.title, choice.help]
    assert all(told)


def test_only_the_hold_cannot_stand_alone():
    assert [name for name in NAMES if not OBJECTIVES[name].alone] == ["hold"]


def test_a_choice_reaches_the_objective():
    assert make_objective("triplet", margin=0.25, distance="cosine").choices.margin == 0.25


def test_ranking_takes_a_third_column_where_counter_examples_are_chosen():
    assert (
        make_objective("ranking").columns,
        make_objective("ranking", negatives=True).columns,
    ) == (2, 3)


@pytest.mark.parametrize(
    ("name", "values", "whole"),
    [
        ("classification", {}, False),
        ("regression", {}, False),
        ("triplet", {}, False),
        ("ranking", {}, True),
        ("cosent", {}, True),
        ("contrastive", {"form": "online"}, True),
        ("contrastive", {"form": "plain"}, False),
        ("hold", {}, False),
    ],
)
def test_an_objective_says_whether_its_batches_may_be_cut(name, values, whole):
    assert make_objective(name, **values).whole_batch is whole


@pytest.mark.parametrize("concatenation", CONCATENATIONS)
def test_every_concatenation_of_the_ablation_can_be_chosen(concatenation):
    made = make_objective("classification", concatenation=concatenation)
    assert made.choices.concatenation == concatenation


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [
        ("regresion", {}, "There is no objective `regresion`"),
        ("triplet", {"scale": 20.0}, "`triplet` has no choice `scale`"),
        ("regression", {"margin": 1.0}, "It has none"),
        ("triplet", {"distance": "taxi"}, "`taxi` is no value"),
        ("ranking", {"scale": 0.0}, "out of range"),
        ("cosent", {"scale": float("nan")}, "out of range"),
        ("classification", {"labels": 1}, "out of range"),
    ],
)
def test_a_wrong_wish_is_told_in_words(name, values, told):
    with pytest.raises(UserError, match=told):
        make_objective(name, **values)
