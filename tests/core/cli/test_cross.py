"""Teaching a cross-encoder and checking again, by command."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.cli.program import program

TINY = Path(__file__).parents[2] / "models" / "bert"
TEXTS = [f"{what} number {n}" for n in range(8)
         for what in ("my card was charged", "parcel late", "the app shows error")]  # fmt: skip


def run(*words, code=0):
    outcome = CliRunner().invoke(program, list(map(str, words)))
    assert outcome.exit_code == code, outcome.output + str(outcome.exception)
    return outcome


def ask(*words):
    return json.loads(run(*words, "--json").stdout)


@pytest.fixture
def gold(tmp_path):
    rows = ["sentence1,sentence2,label"]
    for n in range(60):
        rows += [f"card {n} charged,the card {n} was charged,1", f"late {n},app {n} closes,0"]
    file = tmp_path / "gold.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def cross(gold, tmp_path):
    run("train-cross", tmp_path / "cross", "--pairs", gold, "--base", TINY, "--epochs", 1,
        "--device", "cpu")  # fmt: skip
    return tmp_path / "cross"


@pytest.fixture
def project(tmp_path):
    file = tmp_path / "messages.csv"
    rows = [f"k{n},{text}" for n, text in enumerate(TEXTS)]
    file.write_text("\n".join(["id,text", *rows]) + "\n", encoding="utf-8")
    folder = tmp_path / "p.samesense"
    ask("import", folder, file, "--text", "text", "--id", "id")
    ask("encode", folder, "--encoder", TINY)
    ask("pairs", folder, "--threshold", 0.8)
    return folder


def test_teaching_tells_how_it_stands_beside_the_cosine(gold, tmp_path):
    told = run("train-cross", tmp_path / "out", "--pairs", gold, "--base", TINY, "--epochs", 2,
               "--both-orders", "--device", "cpu")  # fmt: skip
    assert "average precision on 24 pairs held out" in told.stdout
    assert "cosine of bert" in told.stdout
    assert (tmp_path / "out" / "model.safetensors").is_file()


def test_what_was_taught_can_be_evaluated(gold, cross):
    told = ask("evaluate", "--encoder", f"cross:{cross}", "--pairs", gold, "--device", "cpu")
    assert told["pairs"] == 120


def test_a_search_is_ordered_by_the_cross_encoder(project, cross):
    told = ask("search", project, "parcel late", "-k", 5, "--recheck", cross)
    scores = [hit["checked"] for hit in told["hits"]]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)
    assert told["cross_encoder"] == "cross"
    assert "Ordered by cross" in run("search", project, "parcel", "--recheck", cross).stdout


def test_only_the_first_texts_are_read_again(project, cross):
    told = ask("search", project, "parcel late", "-k", 6, "--recheck", cross, "--recheck-first", 2)
    assert [hit["checked"] is not None for hit in told["hits"]] == [True] * 2 + [False] * 4


def test_pairs_are_checked_and_known_the_next_time(project, cross):
    words = ("recheck", project, "--cross-encoder", cross, "--from", 0.86, "--to", 0.97)
    forecast = ask(*words, "--forecast")
    first, second = ask(*words), ask(*words)
    assert first["pairs"] == forecast["pairs"] > 0
    assert (first["known"], second["known"]) == (0, first["pairs"])
    assert "had a score" in run(*words).stdout


def test_an_upper_cosine_alone_is_refused(project, cross):
    told = run("recheck", project, "--cross-encoder", cross, "--to", 0.9, code=2)
    assert "--from" in told.output
