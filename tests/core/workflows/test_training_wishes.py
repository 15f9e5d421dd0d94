"""Wishes about teaching take plain values and answer in values that go through a pipe."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import UserError
from core.progress import run_to_end
from core.records import Verdict
from core.store import Project
from core.workflows.catalogue import WISHES, Answer
from core.workflows.desk import Desk


@pytest.fixture
def folder(prepared: Project) -> Path:
    """A project with six decisions, held by the test as by a window."""
    prepared.decisions.decide([(1, 2), (3, 4), (5, 6)], Verdict.SAME, title="Same")
    prepared.decisions.decide([(1, 3), (2, 5), (1, 6)], Verdict.DIFFERENT, title="Different")
    return prepared.folder


@pytest.fixture
def wish(folder: Path) -> Callable[..., Answer]:
    desk = Desk()

    def run(name: str, **values: Any) -> Answer:
        told = json.loads(json.dumps({"project": str(folder), **values}))
        answer = run_to_end(WISHES[name](desk, told))
        json.dumps(answer.outcome)
        return answer

    yield run
    desk.close()


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    file = tmp_path / "nli.csv"
    rows = [f"parcel {n},sent {n},{('x', 'y', 'z')[n % 3]}" for n in range(30)]
    file.write_text("\n".join(["premise,hypothesis,label", *rows]) + "\n", "utf-8")
    return file


def test_recipes_are_told_with_the_one_proposed_and_why_others_do_not_fit(wish):
    told = wish("recipes").outcome
    named = {recipe["name"]: recipe for recipe in told["recipes"]}
    assert (told["proposed"], named["decisions"]["fits"]) == ("decisions", True)
    assert told["reason"] == "Every pair was decided the same or different."
    assert named["two-stage"]["why_not"] == "There are no pairs with labels."
    assert [one["name"] for one in named["decisions"]["objectives"]] == [
        "regression", "contrastive", "cosent",
    ]  # fmt: skip
    margin = next(
        one for one in named["decisions"]["objectives"][1]["choices"] if one["name"] == "margin"
    )
    assert (margin["title"], margin["default"]) == ("Margin", 0.5)


def test_recipes_need_no_project():
    told = run_to_end(WISHES["recipes"](Desk(), {})).outcome
    assert all(recipe["fits"] for recipe in told["recipes"])
    assert told["proposed"] == ""


def test_a_file_comes_and_goes(wish, labels: Path):
    answer = wish("import-examples", path=str(labels))
    assert answer.changes.trainings
    assert (answer.outcome["kind"], answer.outcome["examples"]) == ("labelled pairs", 30)
    assert answer.outcome["counts"] == (("x", 10), ("y", 10), ("z", 10))
    wish("remove-examples", file=answer.outcome["file"])
    assert wish("train-forecast").outcome["imported"] == 0


def test_a_forecast_tells_recipe_stages_and_reason(wish, labels: Path):
    wish("import-examples", path=str(labels))
    told = wish("train-forecast", epochs=1).outcome
    assert (told["recipe"], len(told["stages"])) == ("two-stage", 2)
    assert told["reason"].startswith("There are labelled pairs")
    assert told["problem"] == ""
    assert told["seconds"] >= 20


def test_a_forecast_of_one_recipe_takes_its_settings(wish):
    told = wish("train-forecast", recipe="decisions", objective="contrastive", epochs=2).outcome
    assert told["stages"][0]["objectives"] == ["contrastive"]
    assert wish("train-forecast", recipe="triplets").outcome["problem"] == ""


def test_the_report_marks_what_stops(wish):
    told = wish("check-examples", recipe="labels").outcome
    assert told["stops"]
    assert told["findings"][0]["severity"] == "stops"
    assert not wish("check-examples").outcome["stops"]


def test_a_training_is_made_repeated_and_removed(wish):
    made = wish("train", epochs=1, batch=8, choices={}, files=None, decisions=True).outcome
    again = wish("repeat-training", training=made["training"]).outcome
    assert again["training"] != made["training"]
    for number in (made["training"], again["training"]):
        wish("remove-training", training=number)
    with pytest.raises(UserError, match="no longer"):
        wish("repeat-training", training=again["training"])


def test_what_never_was_cut_off_cannot_be_gone_on_with(wish):
    with pytest.raises(UserError, match="not kept"):
        wish("resume-training", run=99)
    wish("remove-interrupted", run=99)


def test_memory_is_forecast_where_it_is_asked_for(wish):
    assert wish("train-forecast").outcome["memory"] is None
    told = wish("train-forecast", memory=True).outcome["memory"]
    assert told["fits"]
    assert told["words"].startswith("about ")
