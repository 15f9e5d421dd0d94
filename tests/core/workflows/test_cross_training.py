"""A cross-encoder from a file of judged pairs, held against the encoder; and bad files."""

import json

import numpy as np
import pytest

from core.cross import load_cross_encoder
from core.encoders import load_encoder
from core.errors import UserError
from core.evaluation import average_precision
from core.examples import split
from core.options import TrainOptions
from core.progress import run_to_end
from core.records import Verdict
from core.workflows.cross_training import (
    look_at_pairs,
    teach_cross_from_file,
    teach_cross_project,
)

FAST = TrainOptions(epochs=1, batch=8, rate=1e-3)
WORDS = ("dog", "cat", "boy", "girl", "man", "woman")


def write(file, rows, header="sentence1,sentence2,label"):
    file.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def gold(tmp_path):
    """120 decided pairs whose texts hang together in pairs only."""
    rows = []
    for n in range(60):
        rows += [f"card {n} charged,the card {n} was charged,1", f"late {n},app {n} closes,0"]
    return write(tmp_path / "gold.csv", rows)


def teach(to, file, base, options=FAST, **named):
    return run_to_end(
        teach_cross_from_file(to, file, options, base=str(base), device="cpu", **named)
    )


def test_it_is_held_against_the_cosine_on_the_same_pairs(gold, tiny_encoder, tmp_path):
    outcome = teach(tmp_path / "out", gold, tiny_encoder)
    seen = look_at_pairs(gold, tiny_encoder).pairs
    held = seen.rows(split(seen, share=FAST.held_out, seed=FAST.seed).held)
    encoder = load_encoder(tiny_encoder, device="cpu")
    left, right = (encoder.encode(side).vectors for side in held.columns)
    cosines = (left * right).sum(1)
    scores = load_cross_encoder(tmp_path / "out", device="cpu").score(
        list(zip(held.left, held.right, strict=True))
    )
    figures = outcome.figures
    assert figures["held_out"] == len(held)
    assert figures["metric"] == "average precision"
    assert figures["before"] == pytest.approx(average_precision(held.score, cosines))
    assert figures["after"] == pytest.approx(average_precision(held.score, scores), abs=1e-6)
    assert figures["low"] <= figures["after"] - figures["before"] <= figures["high"]
    assert figures["baseline"] == "cosine of bert"


def test_scores_are_judged_by_their_order(tiny_encoder, tmp_path):
    rows = [f"a dog {n} runs,the cat {n} plays,{n % 11 / 10:.1f}" for n in range(120)]
    outcome = teach(tmp_path / "out", write(tmp_path / "gold.csv", rows), tiny_encoder)
    assert outcome.figures["metric"] == "Spearman"
    assert outcome.labels == ()


def test_labels_are_held_against_the_most_frequent_one(tiny_encoder, tmp_path):
    names = ("entailment", "neutral", "neutral", "contradiction")
    rows = [f"a dog {n} runs,the cat {n} plays,{names[n % 4]}" for n in range(120)]
    outcome = teach(tmp_path / "out", write(tmp_path / "gold.csv", rows), tiny_encoder)
    assert outcome.figures["metric"] == "accuracy"
    assert outcome.figures["baseline"] == "always “neutral”"
    assert outcome.figures["before"] == pytest.approx(0.5, abs=0.1)
    assert set(outcome.labels) == set(names)
    assert load_cross_encoder(tmp_path / "out", device="cpu").score([("a", "b")]).shape == (1, 3)


def test_few_pairs_are_judged_out_of_fold(tiny_encoder, tmp_path):
    rows = [f"the {word} {n},a {word} {n},{n % 2}" for n, word in enumerate(WORDS * 6)]
    outcome = teach(tmp_path / "out", write(tmp_path / "gold.csv", rows), tiny_encoder)
    assert outcome.figures["how"] == "cross-validated"
    assert outcome.figures["held_out"] == 36


def test_very_few_pairs_teach_but_tell_nothing(tiny_encoder, tmp_path):
    rows = [f"the {word},a {word},{n % 2}" for n, word in enumerate(WORDS)]
    outcome = teach(tmp_path / "out", write(tmp_path / "gold.csv", rows), tiny_encoder)
    assert outcome.figures["after"] is None
    assert (tmp_path / "out" / "model.safetensors").is_file()
    assert "too few to tell" in outcome.note


def test_both_orders_are_written_down(gold, tiny_encoder, tmp_path):
    teach(tmp_path / "out", gold, tiny_encoder, both_orders=True)
    told = json.loads((tmp_path / "out" / "training.json").read_text("utf-8"))
    assert told["both_orders"] is True


def test_a_cross_encoder_is_gone_on_from(gold, tiny_encoder, tmp_path):
    teach(tmp_path / "one", gold, tiny_encoder)
    outcome = teach(tmp_path / "two", gold, tmp_path / "one")
    told = json.loads((tmp_path / "two" / "training.json").read_text("utf-8"))
    assert (told["head"], told["base"]) == ("gone on from", "one")
    assert outcome.figures["after"] is not None


@pytest.mark.parametrize(
    ("rows", "header", "said"),
    [
        ([f"a {n},b {n},1" for n in range(30)], "sentence1,sentence2,label", "have the label"),
        ([f"a {n},b {n},0.4" for n in range(30)], "sentence1,sentence2,score", "have the score"),
        (["a,b,1", "c,d,0", "e,f,1"], "sentence1,sentence2,label", "only 3 examples"),
        (["a,b,c", "d,e,f"], "anchor,positive,negative", "holds triplets"),
    ],
    ids=["one label", "one score", "three pairs", "triplets"],
)
def test_pairs_that_can_teach_nothing_are_refused_before_training(
    tiny_encoder, tmp_path, rows, header, said
):
    file = write(tmp_path / "gold.csv", rows, header)
    with pytest.raises(UserError, match=said) as fault:
        teach(tmp_path / "out", file, tiny_encoder)
    assert fault.value.remedy
    assert not (tmp_path / "out").exists()


def test_what_is_odd_is_told_before_training(tiny_encoder, tmp_path):
    long = "the dog runs in the park and the cat plays with the water of the road " * 4
    rows = [f"the {word} {n},a {word} {n},{n % 2}" for n, word in enumerate(WORDS * 5)]
    file = write(tmp_path / "gold.csv", [*rows, f"{long},{long} day,1", "only one cell"])
    told = []
    steps = teach_cross_from_file(
        tmp_path / "out", file, FAST, base=str(tiny_encoder), device="cpu", tell=told.append
    )
    while not dict(next(steps).figures):
        pass
    steps.close()
    said = " ".join(found.sentence for found in told)
    assert "1 of 31 pairs is longer than the 48 tokens" in said
    assert "1 row of 32 could not be read" in said


def test_scores_out_of_range_are_refused_with_the_remedy(tiny_encoder, tmp_path):
    rows = [f"a {n},b {n},{n - 3}.5" for n in range(30)]
    file = write(tmp_path / "gold.csv", rows, "sentence1,sentence2,score")
    seen = look_at_pairs(file, tiny_encoder)
    assert np.ptp(seen.pairs.score) == 1
    assert any(
        "no known scale" in found.sentence and found.remedy for found in seen.report.findings
    )


def test_a_taken_name_is_refused_before_the_file_is_read(tiny_encoder, tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(UserError, match="already something"):
        teach(tmp_path / "out", tmp_path / "none.csv", tiny_encoder)


def test_a_project_teaches_one_by_its_decisions(prepared, tmp_path):
    prepared.decisions.decide([(1, 2), (3, 4), (5, 6)], Verdict.SAME, title="Same")
    prepared.decisions.decide([(1, 3), (2, 5), (1, 6)], Verdict.DIFFERENT, title="Different")
    outcome = run_to_end(teach_cross_project(prepared, FAST, device="cpu"))
    assert outcome.pairs == 6
    assert prepared.runs.latest(1)[0].workflow == "train-cross"
    (folder,) = (prepared.folder / "encoders").iterdir()
    assert folder.name == f"cross-{prepared.runs.latest(1)[0].id}"
    assert load_cross_encoder(folder, device="cpu").score([("a", "b")]).shape == (1,)


def test_a_project_without_decisions_teaches_none(prepared):
    with pytest.raises(UserError, match="no judged pairs"):
        run_to_end(teach_cross_project(prepared, FAST, device="cpu"))
