"""The words of `samesense ablate`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.cli.program import program
from core.errors import UserError

THINGS = ("hotel", "flight", "bike", "dog", "window", "door", "guitar", "food", "room", "light",
          "park", "road")  # fmt: skip  # one list


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.csv"
    rows = (
        f"the {thing} was good,a big {thing},{('same', 'different')[number % 2]}"
        for number, thing in enumerate(THINGS)
    )
    file.write_text("\n".join(["text1,text2,label", *rows]), "utf-8")
    return file


def tried(pairs: Path, base: Path, *more: object) -> Result:
    told = ["ablate", "--pairs", pairs, "--base", base, "--epochs", 1, "--device", "cpu", *more]
    return CliRunner().invoke(program, [str(one) for one in told])


def test_the_forecast_is_said_before_the_table(pairs: Path, tiny_encoder: Path) -> None:
    told = tried(pairs, tiny_encoder, "--seeds", 1, "--held-out", 0.4)
    first = told.stderr.splitlines()[0]
    assert first.startswith("6 ways × 1 seed = 6 trainings, each from ")
    assert "judged by average precision on " in first
    assert first.endswith("to a factor of two.")


def test_the_table_has_a_row_for_each_way(pairs: Path, tiny_encoder: Path) -> None:
    told = tried(pairs, tiny_encoder, "--held-out", 0.4, "--grid", "concatenation", "--seeds", 2)
    head, *rows = told.stdout.splitlines()
    assert head.split("  ")[0] == "pooling"
    assert len(rows) == 7
    assert all("± " in row and "(n = 2)" in row for row in rows)
    assert any("(|u − v|, u∗v)" in row for row in rows)


def test_json_holds_every_seed(pairs: Path, tiny_encoder: Path, tmp_path: Path) -> None:
    table = tmp_path / "grid.csv"
    told = json.loads(
        tried(
            pairs, tiny_encoder, "--held-out", 0.4, "--grid", "objective", "--seeds", 2,
            "-o", table, "--json",
        ).stdout
    )  # fmt: skip
    assert {one["objective"] for one in told["results"]} == {
        "classification", "regression", "ranking", "cosent", "contrastive",
    }  # fmt: skip
    for one in told["results"]:
        assert one["mean"] == pytest.approx(sum(one["seeds"].values()) / 2)
    assert (told["table"], told["missing"]) == (str(table), 0)
    assert len(table.read_text("utf-8").splitlines()) == 11


def test_one_seed_has_no_deviation(pairs: Path, tiny_encoder: Path) -> None:
    told = json.loads(tried(pairs, tiny_encoder, "--held-out", 0.4, "--seeds", 1, "--json").stdout)
    assert {one["deviation"] for one in told["results"]} == {None}


def test_a_base_that_is_not_there_is_told(pairs: Path, tmp_path: Path) -> None:
    told = tried(pairs, tmp_path / "none")
    assert isinstance(told.exception, UserError)
