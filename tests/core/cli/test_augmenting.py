"""Many labels from few, by command."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.cli.program import main, program

TINY = Path(__file__).parents[2] / "models" / "bert"
NOUNS = ("dog", "cat", "boy", "girl", "man", "woman", "bike", "bicycle", "food", "water")
QUICK = ("--base", TINY, "--seeds", 1, "--epochs", 1, "--teacher-epochs", 1, "--teacher-rate",
         0.001, "--hold", 0, "--device", "cpu")  # fmt: skip  # one training of each kind


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    rows = ["sentence1,sentence2,label"]
    for n in range(30):
        noun, other = NOUNS[n % 10], NOUNS[(n + 3) % 10]
        rows += [
            f"the {noun} {n} runs,a {noun} {n} running,1",
            f"{noun} {n} old,{other} x{n} new,0",
        ]
    file = tmp_path / "gold.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def run(*words: object, code: int = 0):
    outcome = CliRunner().invoke(program, list(map(str, words)))
    assert outcome.exit_code == code, outcome.output + str(outcome.exception)
    return outcome


def fails(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    with pytest.raises(SystemExit):
        main(list(map(str, words)))
    return capsys.readouterr().err


def test_words_tell_teachers_the_sheet_and_what_it_brought(gold: Path, tmp_path: Path):
    told = run("augment", tmp_path / "out", "--pairs", gold, *QUICK, "--insist")
    assert "average precision on 18 held-out pairs" in told.output
    assert "cross-encoder (" in told.output
    assert "silver pairs beside 42 gold ones" in told.output
    assert "by the gold pairs alone" in told.stdout
    assert "by gold and silver" in told.stdout
    assert "AUC(0.05)" in told.stdout
    assert (tmp_path / "out" / "model.safetensors").is_file()


def test_one_json_document_holds_all(gold: Path, tmp_path: Path):
    outcome = run("augment", tmp_path / "out", "--pairs", gold, *QUICK, "--insist", "--json")
    told = json.loads(outcome.stdout)
    assert told["gold"] == 42
    assert told["silver"] > 20
    assert told["figures"]["augmented"]["runs"]
    assert told["verdict"]["teachers"][0]["kind"] == "cross-encoder"


def test_the_check_alone_does_nothing(gold: Path, tmp_path: Path):
    told = run("augment", tmp_path / "out", "--pairs", gold, "--check-only")
    assert "42 gold pairs would teach, 18 compare teachers, 18 judge." in told.stdout
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "out.checkpoint").exists()


def test_too_little_gold_is_said_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "few.csv"
    rows = [f"a {n},b {n},{n % 2}" for n in range(20)]
    file.write_text("\n".join(["sentence1,sentence2,label", *rows]) + "\n", encoding="utf-8")
    said = fails(capsys, "augment", tmp_path / "out", "--pairs", file)
    assert "There are 20 judged pairs; 50 are the least" in said
    assert "Decide 30 more pairs" in said


def test_what_contradicts_itself_is_refused(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "out"
    assert "No gold pairs are named" in fails(capsys, "augment", out)
    assert "Leave the files out" in fails(capsys, "augment", out, "--pairs", gold, "--resume")
    assert "No work on" in fails(capsys, "augment", out, "--resume")
    wrong = fails(capsys, "augment", out, "--pairs", gold, "--top-k", 100, *QUICK)
    assert "100 were asked for" in wrong
    given = fails(capsys, "augment", out, "--pairs", gold, "--teacher", "given", *QUICK)
    assert "Name one with --given" in given
    out.mkdir()
    assert "already" in fails(capsys, "augment", out, "--pairs", gold, *QUICK)
