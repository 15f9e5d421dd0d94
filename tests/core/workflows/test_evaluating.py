"""Files of pairs and two names: figures, differences, notes."""

import json
from pathlib import Path

import pytest

from core.errors import UserError
from core.progress import run_to_end
from core.workflows.evaluating import evaluate

LABELS = [("red bus", "red bus stops", 1), ("red bus", "a cold sea", 0)] * 12


def labels(file: Path, rows: int = 24) -> Path:
    lines = (f"{a} {n // 2},{b} {n // 2},{gold}" for n, (a, b, gold) in enumerate(LABELS[:rows]))
    file.write_text("\n".join(["text1,text2,label", *lines]))
    return file


def test_one_encoder_is_told_with_its_file(tmp_path: Path, tiny_encoder: Path) -> None:
    file = labels(tmp_path / "pairs.csv")
    told = run_to_end(evaluate(str(tiny_encoder), file, device="cpu"))
    assert (told["encoder"], told["arithmetic"], told["file"]) == ("bert", "fp32", str(file))
    assert (told["pairs"], told["kind"]) == (24, "label")
    assert 0 <= told["average_precision"] <= 1
    assert "against" not in told


def test_against_another_each_figure_has_a_difference(tmp_path: Path, tiny_encoder: Path) -> None:
    file = labels(tmp_path / "pairs.csv")
    told = run_to_end(
        evaluate("tf-idf", file, against=f"raw-cls:{tiny_encoder}", metrics=["auc"], device="cpu")
    )
    difference = told["differences"]["auc"]
    assert difference["after"] == told["auc"] == 1
    assert difference["before"] == told["against"]["auc"]
    assert difference["change"] == pytest.approx(told["auc"] - told["against"]["auc"])
    assert difference["low"] <= difference["change"] <= difference["high"]


def test_rows_that_cannot_be_read_are_told(tmp_path: Path, tiny_encoder: Path) -> None:
    file, dev = labels(tmp_path / "pairs.csv"), labels(tmp_path / "dev.csv")
    for one in (file, dev):
        one.write_text(one.read_text() + "\na,b,perhaps\n,c,1")
    told = run_to_end(evaluate(str(tiny_encoder), file, dev=dev, device="cpu"))
    assert told["notes"][0].startswith("2 rows of pairs.csv were left out, such as line 26: ")
    assert told["notes"][1].startswith("2 rows of dev.csv were left out")


def test_the_outcome_is_plain_json(tmp_path: Path) -> None:
    file = labels(tmp_path / "pairs.csv")
    told = run_to_end(evaluate("tf-idf", file, against="jaccard", dev=file))
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_dev_chooses_the_threshold_and_shared_pairs_are_noted(tmp_path: Path) -> None:
    file = labels(tmp_path / "pairs.csv")
    dev = labels(tmp_path / "dev.csv", 10)
    told = run_to_end(evaluate("jaccard", file, dev=dev, metrics=["f1"]))
    assert told["dev"] == str(dev)
    assert "10 pairs are among the dev pairs too" in told["notes"][0]


def test_a_name_that_is_neither_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no encoder folder"):
        run_to_end(evaluate("tfidf", labels(tmp_path / "pairs.csv")))


@pytest.mark.slow
def test_the_default_encoder_is_better_than_counting_words(
    data: Path, default_encoder: Path
) -> None:
    file = data / "stsbenchmark" / "sts-test.csv"
    told = run_to_end(evaluate(str(default_encoder), file, against="tf-idf"))
    assert told["spearman"] == pytest.approx(0.820, abs=0.001)
    assert told["differences"]["spearman"]["low"] > 0.05
