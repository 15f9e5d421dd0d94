"""Searching, clusters, the map and teaching by command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.cli.program import program

TINY = Path(__file__).parents[2] / "models" / "bert"
TEXTS = [f"{what} number {n}" for n in range(12)
         for what in ("my card was charged", "parcel late", "the app shows error")]  # fmt: skip


@pytest.fixture
def ask() -> Callable[..., Any]:
    """Run a sub-command and return its JSON document."""

    def run(*words: object) -> Any:
        outcome = CliRunner().invoke(program, [*map(str, words), "--json"])
        assert outcome.exit_code == 0, outcome.output + str(outcome.exception)
        return json.loads(outcome.stdout)

    return run


@pytest.fixture
def project(tmp_path: Path, ask: Callable[..., Any]) -> Path:
    file = tmp_path / "messages.csv"
    rows = [f"k{n},{text}" for n, text in enumerate(TEXTS)]
    file.write_text("\n".join(["id,text", *rows]) + "\n", encoding="utf-8")
    folder = tmp_path / "p.samesense"
    ask("import", folder, file, "--text", "text", "--id", "id")
    ask("encode", folder, "--encoder", TINY)
    return folder


def test_search_tells_hits_best_first(project: Path, ask: Callable[..., Any]):
    told = ask("search", project, "parcel late number 3", "-k", 5)
    assert len(told["hits"]) == 5
    assert told["hits"][0]["body"] == "parcel late number 3"


def test_search_by_words_finds_words(project: Path, ask: Callable[..., Any]):
    told = ask("search", project, "parcel", "--by", "words", "-k", 100)
    assert len(told["hits"]) == 12


def test_neighbours_are_named_by_number_or_by_key(project: Path, ask: Callable[..., Any]):
    by_number = ask("neighbours", project, 1, "-k", 3)
    by_key = ask("neighbours", project, "k0", "-k", 3)
    assert [hit["text"] for hit in by_number["hits"]] == [hit["text"] for hit in by_key["hits"]]
    outcome = CliRunner().invoke(program, ["neighbours", str(project), "nobody"])
    assert "no row nobody" in str(outcome.exception)


def test_clusters_add_up(project: Path, ask: Callable[..., Any]):
    told = ask("clusters", project, "--min-size", 3)
    assert sum(row["rows"] for row in told["list"]) + told["unclustered"] == told["rows"] == 36


def test_a_smallest_cluster_of_one_is_not_offered(project: Path):
    outcome = CliRunner().invoke(program, ["clusters", str(project), "--min-size", "1"])
    assert outcome.exit_code != 0


@pytest.mark.parametrize("suffix", ["png", "svg", "csv"])
def test_the_map_is_drawn_once_and_written_in_each_format(
    project: Path, ask: Callable[..., Any], tmp_path: Path, suffix: str
):
    to = tmp_path / f"map.{suffix}"
    assert ask("map", project, "--to", to)["drawn"]
    assert to.stat().st_size > 1_000
    assert not ask("map", project)["drawn"]
    assert ask("map", project, "--redraw")["texts"] == 36


def test_train_makes_an_encoder_that_can_be_named(
    tmp_path: Path, ask: Callable[..., Any], project: Path
):
    file = tmp_path / "gold.csv"
    rows = [f"card {n},the card {n},1\nlate {n},app {n},0" for n in range(60)]
    file.write_text("\n".join(["sentence1,sentence2,label", *rows]) + "\n", encoding="utf-8")
    to = tmp_path / "taught"
    told = ask("train", to, "--pairs", file, "--base", TINY, "--epochs", 1, "--seed", 3)
    assert told["figures"]["metric"] == "average precision"
    assert ask("evaluate", "--pairs", file, "--encoder", to)["pairs"] == 120
    assert ask("encode", project, "--encoder", to)["encoder"] == "taught"
