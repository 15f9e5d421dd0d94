"""From a folder to a cross-encoder's folder, read by us and by sentence-transformers alike."""

import hashlib
import json

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from core.cross import load_cross_encoder
from core.errors import UserError
from core.evaluation import average_precision
from core.examples import LabelledPairs
from core.options import TrainOptions
from core.progress import Enough, run_to_end
from core.training.cross_training import train_cross

NAMES = ("bert", "roberta", "xlm-roberta", "distilbert", "modernbert", "mpnet")
OPTIONS = TrainOptions(epochs=3, rate=2e-3, batch=4)
PAIRS = [
    ("how do i fix my bike", "repair a broken Bicycle"),
    ("a", "The red door"),
    ("the dog runs in the park " * 12, "the dog runs in the park and the cat " * 9),
]
THREE = ("one", "two", "three")


def teach(base, data, to, **named):
    return run_to_end(train_cross(base, data, None, OPTIONS, to, device="cpu", **named))


def labelled(pairs):
    return LabelledPairs(pairs.left, pairs.right, np.arange(len(pairs)) % 3, THREE)


def ours(folder, pairs=PAIRS, **named):
    return load_cross_encoder(folder, device="cpu").score(pairs, **named)


def theirs(folder, pairs=PAIRS, *, softmax=False):
    peer = pytest.importorskip("sentence_transformers", reason="sentence-transformers is a peer")
    model = peer.CrossEncoder(str(folder), device="cpu", local_files_only=True)
    return model.predict(pairs, apply_softmax=softmax, show_progress_bar=False)


@pytest.mark.parametrize("name", NAMES)
def test_sentence_transformers_gives_the_same_scores(model, name, pairs, tmp_path):
    teach(model(name), pairs, tmp_path / "taught")
    assert np.ptp(ours(tmp_path / "taught")) > 1e-4
    assert np.abs(ours(tmp_path / "taught") - theirs(tmp_path / "taught")).max() < 1e-5


@pytest.mark.parametrize("name", ["bert", "roberta", "modernbert"])
def test_sentence_transformers_gives_the_same_shares_of_labels(model, name, pairs, tmp_path):
    teach(model(name), labelled(pairs), tmp_path / "taught")
    found = ours(tmp_path / "taught")
    assert np.abs(found - theirs(tmp_path / "taught", softmax=True)).max() < 1e-5
    assert load_cross_encoder(tmp_path / "taught", device="cpu").labels == THREE


def test_what_sentence_transformers_taught_is_read_and_taught_on(tiny_encoder, pairs, tmp_path):
    peer = pytest.importorskip("sentence_transformers", reason="sentence-transformers is a peer")
    model = peer.CrossEncoder(str(tiny_encoder), num_labels=1, device="cpu", local_files_only=True)
    losses = pytest.importorskip("sentence_transformers.cross_encoder.losses")
    loss = losses.BinaryCrossEntropyLoss(model)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(3):
        optimiser.zero_grad()
        loss([list(pairs.left), list(pairs.right)], torch.from_numpy(pairs.score)).backward()
        optimiser.step()
    model.eval().save_pretrained(str(tmp_path / "theirs"))
    assert np.abs(ours(tmp_path / "theirs") - theirs(tmp_path / "theirs")).max() < 1e-5
    teach(tmp_path / "theirs", pairs, tmp_path / "ours")
    assert np.abs(ours(tmp_path / "ours") - theirs(tmp_path / "ours")).max() < 1e-5
    assert np.abs(ours(tmp_path / "ours") - ours(tmp_path / "theirs")).max() > 1e-4


def test_a_plain_transformers_folder_is_enough_for_others(tiny_encoder, pairs, tmp_path):
    transformers = pytest.importorskip("transformers")
    teach(tiny_encoder, pairs, tmp_path / "taught")
    model = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path / "taught")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "taught")
    with torch.no_grad():
        logit = model.eval()(**tokenizer(*PAIRS[0], return_tensors="pt")).logits
    assert float(logit.sigmoid()) == pytest.approx(float(ours(tmp_path / "taught")[0]), abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_the_written_scores_are_those_that_were_measured(model, name, pairs, tmp_path):
    trained = teach(model(name), pairs, tmp_path / "taught", judging=pairs)
    told = ours(tmp_path / "taught", list(zip(pairs.left, pairs.right, strict=True)))
    assert np.abs(told - trained.fitted.after).max() < 1e-5


def test_both_orders_are_learnt_and_measured(tiny_encoder, pairs, tmp_path):
    trained = teach(tiny_encoder, pairs, tmp_path / "taught", judging=pairs, both_orders=True)
    both = list(zip(pairs.left, pairs.right, strict=True))
    told = ours(tmp_path / "taught", both, both_orders=True)
    assert np.abs(told - trained.fitted.after).max() < 1e-5
    assert trained.fitted.planned == 3 * 24 / 4


def test_two_stages_labels_first_then_scores(tiny_encoder, pairs, tmp_path):
    teach(tiny_encoder, labelled(pairs), tmp_path / "labels")
    teach(tmp_path / "labels", pairs, tmp_path / "scores")
    assert ours(tmp_path / "scores").shape == (3,)
    assert np.abs(ours(tmp_path / "scores") - theirs(tmp_path / "scores")).max() < 1e-5


def test_the_best_look_is_kept(tiny_encoder, pairs, tmp_path):
    options = TrainOptions(epochs=60, rate=3e-3, batch=12)
    trained = run_to_end(
        train_cross(
            tiny_encoder, pairs, pairs, options, tmp_path / "taught",
            figure=average_precision, device="cpu",
        )
    )  # fmt: skip  # one call
    best = max(score for _, score in trained.fitted.held_curve)
    assert average_precision(pairs.score, trained.fitted.after) == pytest.approx(best)
    assert best > trained.fitted.held_curve[0][1]


def test_the_same_seed_writes_the_same_files(tiny_encoder, pairs, tmp_path):
    sums = []
    for name in ("one", "two"):
        teach(tiny_encoder, pairs, tmp_path / name)
        files = sorted(file for file in (tmp_path / name).rglob("*") if file.is_file())
        sums.append([(f.name, hashlib.sha256(f.read_bytes()).hexdigest()) for f in files])
    assert sums[0] == sums[1]


def test_the_folder_tells_how_it_came_about(tiny_encoder, pairs, tmp_path):
    teach(tiny_encoder, pairs, tmp_path / "one")
    teach(tmp_path / "one", pairs, tmp_path / "two")
    told = [json.loads((tmp_path / name / "training.json").read_text()) for name in ("one", "two")]
    assert [one["base"] for one in told] == ["bert", "one"]
    assert [one["head"] for one in told] == ["new", "gone on from"]
    assert told[0]["pairs"] == 12


def test_weights_have_the_names_of_the_whole_model(tiny_encoder, pairs, tmp_path):
    teach(tiny_encoder, pairs, tmp_path / "taught")
    names = load_file(tmp_path / "taught" / "model.safetensors").keys()
    assert "bert.encoder.layer.1.attention.self.query.weight" in names
    assert not any("layer.1.layer" in name for name in names)


def test_closing_leaves_nothing(tiny_encoder, pairs, tmp_path):
    steps = train_cross(tiny_encoder, pairs, None, OPTIONS, tmp_path / "taught", device="cpu")
    while dict(next(steps).figures).get("step", 0) < 2:
        pass
    steps.close()
    assert not any(tmp_path.iterdir())


def test_enough_writes_what_was_learnt_so_far(tiny_encoder, pairs, tmp_path):
    options = TrainOptions(epochs=100, batch=4)
    steps = train_cross(tiny_encoder, pairs, None, options, tmp_path / "taught", device="cpu")
    while dict(next(steps).figures).get("step", 0) < 2:
        pass
    try:
        steps.throw(Enough())
        while True:
            next(steps)
    except StopIteration as stop:
        assert stop.value.fitted.stopped == "enough"
    assert np.isfinite(ours(tmp_path / "taught")).all()


def test_a_name_that_is_taken_is_refused_before_any_work(tiny_encoder, pairs, tmp_path):
    (tmp_path / "taught").mkdir()
    with pytest.raises(UserError, match="already something"):
        next(train_cross(tiny_encoder, pairs, None, OPTIONS, tmp_path / "taught"))


def test_three_rates_can_be_tried_first(tiny_encoder, pairs, tmp_path):
    options = TrainOptions(epochs=2, batch=4, search_rates=True)
    trained = run_to_end(
        train_cross(
            tiny_encoder, pairs, pairs, options, tmp_path / "taught",
            figure=average_precision, device="cpu",
        )
    )  # fmt: skip  # one call
    told = json.loads((tmp_path / "taught" / "training.json").read_text())
    assert len(told["rates"]["tried"]) == 3
    assert trained.searched.rate == told["rates"]["rate"]
