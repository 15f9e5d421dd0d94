"""The words of `samesense evaluate`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.cli.program import program
from core.errors import UserError


def evaluated(*arguments: object) -> Result:
    return CliRunner().invoke(program, ["evaluate", *map(str, arguments)])


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.csv"
    rows = (
        f"red bus {n},red bus {n} stops{' now' * (n % 3)},1\nold car {n},a cold sea {n * n},0"
        for n in range(12)
    )
    file.write_text("\n".join(["text1,text2,label", *rows]))
    return file


def test_one_line_tells_the_figures(pairs: Path) -> None:
    told = evaluated("--encoder", "jaccard", "--pairs", pairs).stdout
    assert told.startswith("24 pairs, jaccard in counted words: average precision 1.0000")
    assert "best F1 1.0000 · threshold" in told


def test_two_are_told_in_a_table_with_an_interval(pairs: Path) -> None:
    told = evaluated(
        "--encoder", "jaccard", "--against", "tf-idf", "--pairs", pairs, "--metric", "auc05",
        "--metric", "majority",
    ).stdout.splitlines()  # fmt: skip
    assert "encoder: jaccard" in told[0] and "against: tf-idf" in told[0]
    assert told[1].split() == ["encoder", "against", "difference", "95", "%", "interval"]
    assert told[2].split() == ["AUC(0.05)", *["1.0000"] * 2, "+0.0000", "+0.0000", "to", "+0.0000"]
    assert told[3].split() == ["accuracy", "of", "the", "majority", "0.5000", "0.5000"]
    assert told[-1] == "Intervals: paired bootstrap over components."


def test_the_threshold_of_dev_is_said(pairs: Path) -> None:
    told = evaluated("--encoder", "tf-idf", "--pairs", pairs, "--dev", pairs, "--metric", "f1")
    assert "F1 at dev's threshold 1.0000" in told.stdout
    assert "24 pairs are among the dev pairs too" in told.stdout


def test_json_holds_all_of_it(pairs: Path) -> None:
    done = evaluated("--encoder", "jaccard", "--against", "tf-idf", "--pairs", pairs, "--json")
    told = json.loads(done.stdout)
    assert set(told["differences"]["f1"]) == {
        "before", "after", "change", "low", "high", "pairs", "resampled",
    }  # fmt: skip


def test_similarities_have_their_names(pairs: Path, tiny_encoder: Path) -> None:
    told = evaluated("--encoder", tiny_encoder, "--pairs", pairs, "--metric", "similarities")
    assert "Spearman, manhattan" in told.stdout


def test_an_unknown_metric_is_wrong_usage(pairs: Path) -> None:
    assert evaluated("--pairs", pairs, "--metric", "bleu").exit_code == 2


def test_a_metric_that_does_not_fit_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text("text1,text2,score\na b,a c,0.5\nd,e,0.1\n")
    done = evaluated("--encoder", "jaccard", "--pairs", file, "--metric", "f1")
    assert isinstance(done.exception, UserError)
