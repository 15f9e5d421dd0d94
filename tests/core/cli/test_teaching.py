"""The command that teaches: words for people, JSON for scripts."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.cli.program import main
from core.cli.teaching import train

TINY = Path(__file__).resolve().parents[2] / "models" / "bert"


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    rows = [f"card {n},the card {n},1\nlate {n},app {n},0" for n in range(60)]
    file = tmp_path / "gold.csv"
    file.write_text("\n".join(["sentence1,sentence2,label", *rows]) + "\n", "utf-8")
    return file


def run(*words: object):
    return CliRunner().invoke(train, [str(word) for word in words])


def fails(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    with pytest.raises(SystemExit) as told:
        main(["train", *(str(word) for word in words)])
    assert told.value.code == 1
    return capsys.readouterr().err


def test_words_tell_stage_figure_and_place(tmp_path: Path, gold: Path):
    told = run(tmp_path / "taught", "--examples", gold, "--base", TINY, "--epochs", 1)
    assert told.exit_code == 0, told.output
    assert "Stage 1: scores (96 examples)" in told.output
    assert "average precision on 24 pairs held out" in told.output


def test_a_recipe_an_objective_and_a_choice_are_taken(tmp_path: Path, gold: Path):
    told = run(
        tmp_path / "taught", "--pairs", gold, "--base", TINY, "--epochs", 1, "--json",
        "--recipe", "decisions", "--objective", "contrastive", "--choice", "margin=0.4",
    )  # fmt: skip
    figures = json.loads(told.stdout)["figures"]
    assert figures["stages"][0]["objectives"] == ["contrastive"]


def test_the_check_alone_writes_nothing_and_ends_well(tmp_path: Path, gold: Path):
    told = run("--examples", gold, "--base", TINY, "--check-only", "--json")
    assert told.exit_code == 0
    report = json.loads(told.stdout)
    assert (report["recipe"], report["stops"]) == ("decisions", False)
    assert [one.name for one in tmp_path.iterdir()] == ["gold.csv"]


def test_columns_of_other_names_are_named(tmp_path: Path, gold: Path, capsys):
    words = gold.read_text("utf-8").replace("sentence1,sentence2,label", "frage,antwort,gleich")
    gold.write_text(words, "utf-8")
    named = [word for role in ("left=frage", "right=antwort", "label=gleich")
             for word in ("--column", role)]  # fmt: skip  # one list
    told = run("--examples", gold, "--base", TINY, "--check-only", "--json", *named)
    assert told.exit_code == 0, told.output
    counts = dict(json.loads(told.stdout)["counts"])
    assert (counts["0 to 0.2"], counts["0.8 to 1"]) == (60, 60)
    wrong = fails(capsys, "--examples", gold, "--base", TINY, "--check-only", "--column", "left")
    assert "ROLE=NAME" in wrong


def test_a_check_that_stops_ends_with_a_fault(tmp_path: Path):
    file = tmp_path / "three.csv"
    file.write_text("sentence1,sentence2,label\na,b,1\nc,d,0\ne,f,1\n", "utf-8")
    told = run("--examples", file, "--base", TINY, "--check-only")
    assert told.exit_code == 1
    assert "✗ There are only 3 examples." in told.output


def test_what_stops_is_refused_unless_asked_for_anyway(tmp_path: Path, capsys):
    file = tmp_path / "three.csv"
    file.write_text("sentence1,sentence2,label\na,b,1\nc,d,0\ne,f,1\n", "utf-8")
    words = (tmp_path / "taught", "--examples", file, "--base", TINY, "--epochs", 1)
    assert "--anyway" in fails(capsys, *words)
    assert not (tmp_path / "taught").exists()
    assert run(*words, "--anyway").exit_code == 0


def test_the_recipes_are_listed_with_when_to_take_which():
    told = run("--recipes")
    assert "two-stage: Labels first, then scores" in told.output
    assert len(json.loads(run("--recipes", "--json").stdout)["recipes"]) == 7


def test_resume_takes_no_files(tmp_path: Path, gold: Path, capsys):
    said = fails(capsys, tmp_path / "taught", "--resume", "--examples", gold)
    assert "Leave the files out" in said
    assert "No training into" in fails(capsys, tmp_path / "taught", "--resume")


def test_without_examples_or_a_folder_it_says_what_is_missing(tmp_path: Path, gold: Path, capsys):
    assert "--examples" in fails(capsys, tmp_path / "taught")
    assert "No folder is named" in fails(capsys, "--examples", gold, "--base", TINY)
