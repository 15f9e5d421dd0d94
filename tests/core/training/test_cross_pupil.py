"""The loop with a tiny cross-encoder: gradients, parts, orders, labels and resuming."""

import json
import shutil

import numpy as np
import pytest
import torch
import transformers

from core.cross import load_cross_encoder
from core.cross.first_tokens import whole_layers
from core.cross.loading import load_cross_base
from core.errors import UserError
from core.examples import DECISIONS, LabelledPairs, ScoredPairs, Triplets
from core.options import TrainOptions
from core.progress import run_to_end
from core.training.checkpoints import Checkpoint
from core.training.cross_learner import load_cross_learner
from core.training.cross_pupil import CrossPupil, both_ways, cross_stage
from core.training.cross_writing import write_cross_encoder
from core.training.fitting import fit
from core.training.tasks import Stage, Task

NAMES = ("bert", "roberta", "xlm-roberta", "distilbert", "modernbert", "mpnet")
THREE = ("contradiction", "entailment", "neutral")
LONG = "the dog runs in the park and the cat plays with the water of the road " * 8


@pytest.fixture
def cross(model, tmp_path):
    """Make a tiny cross-encoder: of an architecture, with three labels or an activation."""

    def make(name="bert", *, labels=None, activation=None):
        to = tmp_path / f"{name}-{len(labels or '1')}-{activation}"
        parts = load_cross_base(model(name), labels=labels, device="cpu", seed=3)
        run_to_end(write_cross_encoder(parts, to, record={}))
        if activation is not None:
            edit(to / "config.json", sentence_transformers={"activation_fn": activation})
            edit(to / "config_sentence_transformers.json", activation_fn=activation)
        return to

    return make


def edit(file, **changes):
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


def scored(pairs):
    score = np.linspace(0, 1, len(pairs), dtype=np.float32)
    return ScoredPairs(pairs.left, pairs.right, score)


def labelled(pairs):
    return LabelledPairs(pairs.left, pairs.right, np.arange(len(pairs)) % 3, THREE)


def still(learner):
    """A learner that drops nothing out, so that passes can be compared."""
    for module in learner.parts.model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    return learner


def added(learner, examples, *, drops_out=False, seeds=(0,)):
    """The loss of one batch and the gradients of all weights, by the names of the whole model."""
    pupil = CrossPupil(learner)
    run_to_end(pupil.read((*examples.left, *examples.right)))
    (lesson,) = pupil.lessons(cross_stage(examples, TrainOptions()).tasks, seed=0)
    learner.parts.model.zero_grad()
    rows = np.arange(len(examples))
    loss = sum(pupil.add(lesson, rows, total=len(rows), seeds=seeds, drops_out=drops_out))
    with whole_layers(learner.parts.model):
        named = dict(learner.parts.model.named_parameters())
    return loss, {name: one.grad for name, one in named.items() if one.grad is not None}


def written_out(logits, examples, *, activation):
    """The loss of one pair by its formula, in float64."""
    if isinstance(examples, LabelledPairs):
        return [
            -torch.log(torch.exp(row[label]) / torch.exp(row).sum())
            for row, label in zip(logits, examples.label, strict=True)
        ]
    losses = []
    for row, y in zip(logits[:, 0], examples.score.astype(float), strict=True):
        if activation == "Identity":
            losses.append((row - y) ** 2)
        else:
            said = 1 / (1 + torch.exp(-row))
            losses.append(-(y * torch.log(said) + (1 - y) * torch.log(1 - said)))
    return losses


def in_float64(folder, examples, *, activation="Sigmoid"):
    """The same by transformers' whole model, one pair after another and nothing packed."""
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
    model = model.double().eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    logits = torch.cat(
        [
            model(**tokenizer(one, two, truncation=True, return_tensors="pt")).logits
            for one, two in zip(examples.left, examples.right, strict=True)
        ]
    )
    loss = torch.stack(written_out(logits, examples, activation=activation)).mean()
    loss.backward()
    return float(loss.detach()), {name: one.grad for name, one in model.named_parameters()}


def agree(ours, theirs):
    loss, gradients = ours
    assert loss == pytest.approx(theirs[0], abs=1e-5)
    assert len(gradients) > 10
    for name, gradient in gradients.items():
        largest = float(theirs[1][name].abs().max())
        assert float((gradient - theirs[1][name]).abs().max()) < 1e-5 + 1e-4 * largest, name


@pytest.mark.parametrize("name", NAMES)
def test_loss_and_gradients_of_scores_are_those_of_the_whole_model_in_float64(cross, pairs, name):
    folder = cross(name)
    ours = added(load_cross_learner(folder, device="cpu"), scored(pairs))
    agree(ours, in_float64(folder, scored(pairs)))


def test_loss_and_gradients_of_labels_are_those_of_the_whole_model_in_float64(cross, pairs):
    folder = cross("bert", labels=THREE)
    ours = added(load_cross_learner(folder, labels=THREE, device="cpu"), labelled(pairs))
    agree(ours, in_float64(folder, labelled(pairs)))


def test_a_head_without_an_activation_is_taught_by_the_squared_error(cross, pairs):
    folder = cross("bert", activation="torch.nn.modules.linear.Identity")
    ours = added(load_cross_learner(folder, device="cpu"), scored(pairs))
    agree(ours, in_float64(folder, scored(pairs), activation="Identity"))


@pytest.mark.parametrize("wanted", ["BinaryCrossEntropyLoss", "CrossEntropyLoss", "MSELoss"])
def test_loss_and_gradients_are_those_of_sentence_transformers(cross, pairs, wanted):
    peer = pytest.importorskip("sentence_transformers", reason="sentence-transformers is a peer")
    losses = pytest.importorskip("sentence_transformers.cross_encoder.losses")
    labels = THREE if wanted == "CrossEntropyLoss" else None
    activation = "torch.nn.modules.linear.Identity" if wanted == "MSELoss" else None
    folder = cross("bert", labels=labels, activation=activation)
    examples = scored(pairs) if labels is None else labelled(pairs)
    target = examples.score if labels is None else examples.label
    model = peer.CrossEncoder(str(folder), device="cpu", local_files_only=True).eval()
    columns = [list(examples.left), list(examples.right)]
    loss = getattr(losses, wanted)(model)(columns, torch.from_numpy(target))
    loss.backward()
    theirs = {name: one.grad for name, one in model.model.named_parameters()}
    learner = load_cross_learner(folder, labels=labels, device="cpu")
    agree(added(learner, examples), (float(loss.detach()), theirs))


@pytest.mark.parametrize("name", NAMES)
def test_parts_add_up_to_the_whole(cross, pairs, name):
    learner = still(load_cross_learner(cross(name), device="cpu"))
    learner.budget = 10_000
    whole = added(learner, scored(pairs), drops_out=True)
    learner.budget = 30
    agree(added(learner, scored(pairs), drops_out=True), whole)


def test_dropout_reaches_the_last_layer_which_reads_first_tokens_only(cross, pairs):
    learner = still(load_cross_learner(cross("bert"), device="cpu"))
    calm, _ = added(learner, scored(pairs), drops_out=True)
    last = learner.parts.model.bert.encoder.layer[-1].layer
    last.attention.self.dropout.p = 0.5
    first, _ = added(learner, scored(pairs), drops_out=True)
    again, _ = added(learner, scored(pairs), drops_out=True)
    other, _ = added(learner, scored(pairs), drops_out=True, seeds=(1,))
    assert first == again
    assert len({calm, first, other}) == 3


def test_dropout_reaches_the_head(cross, pairs):
    for name in ("bert", "distilbert"):
        learner = still(load_cross_learner(cross(name), device="cpu"))
        calm, _ = added(learner, scored(pairs), drops_out=True)
        learner.parts.model.dropout.p = 0.5
        assert added(learner, scored(pairs), drops_out=True)[0] != calm


def test_a_look_leaves_dropout_out(cross, pairs):
    pupil = CrossPupil(load_cross_learner(cross(), device="cpu"))
    run_to_end(pupil.read((*pairs.left, *pairs.right)))
    pupil.learner.parts.model.train()
    scores = run_to_end(pupil.scores(pairs.columns))
    ours = load_cross_encoder(pupil.learner.parts.described.folder, device="cpu")
    wanted = ours.score(list(zip(pairs.left, pairs.right, strict=True)))
    assert np.abs(scores - wanted).max() < 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_the_loss_falls(cross, pairs, name):
    pupil = CrossPupil(load_cross_learner(cross(name), device="cpu"))
    options = TrainOptions(epochs=60, rate=3e-3, batch=12)
    losses = [loss for _, loss in run_to_end(fit(pupil, cross_stage(pairs, options))).curve]
    assert np.mean(losses[-5:]) < 0.7 * np.mean(losses[:5])


def test_labels_are_learnt(cross, pairs):
    pupil = CrossPupil(load_cross_learner(cross(labels=THREE), labels=THREE, device="cpu"))
    options = TrainOptions(epochs=150, rate=3e-3, batch=12)

    def accuracy(gold, shares):
        return float((shares.argmax(1) == gold).mean())

    data = labelled(pairs)
    fitted = run_to_end(
        fit(pupil, cross_stage(data, options), held=data, figure=accuracy, judging=data)
    )
    assert fitted.after.shape == (len(data), 3)
    assert fitted.held_curve[-1][1] > max(0.6, fitted.held_curve[0][1])


def test_decisions_teach_the_same_as_scores_of_0_and_1(cross, pairs):
    decided = LabelledPairs(pairs.left, pairs.right, pairs.score.astype(np.int64), DECISIONS)
    folder = cross("roberta")
    found = [added(load_cross_learner(folder, device="cpu"), one) for one in (decided, pairs)]
    assert found[0][0] == found[1][0]


def test_labels_keep_the_places_that_the_head_gave_them(cross, pairs):
    """A head knows its labels by name, whatever order a file tells them in."""
    turned = LabelledPairs(pairs.left, pairs.right, 2 - np.arange(12) % 3, THREE[::-1])
    folder = cross(labels=THREE)
    found = [
        added(load_cross_learner(folder, labels=one.names, device="cpu"), one)
        for one in (labelled(pairs), turned)
    ]
    assert found[0][0] == found[1][0]


def test_the_seed_draws_the_head_and_leaves_torch_as_it_was(model):
    torch.manual_seed(1)
    before = torch.get_rng_state()
    heads = [
        load_cross_base(model("bert"), device="cpu", seed=seed).model.classifier.weight
        for seed in (0, 0, 1)
    ]
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(heads[0], heads[1])
    assert not torch.equal(heads[0], heads[2])


def test_a_cross_encoder_goes_on_from_its_head_and_another_kind_of_head_is_new(cross, pairs):
    folder = cross(labels=THREE)
    kept = load_cross_base(folder, labels=THREE, device="cpu", seed=9)
    other = load_cross_base(folder, device="cpu", seed=9)
    assert (kept.new_head, other.new_head) == (False, True)
    assert torch.equal(
        kept.model.classifier.weight,
        load_cross_base(folder, labels=THREE, device="cpu", seed=4).model.classifier.weight,
    )
    assert other.model.classifier.weight.shape == (1, 16)
    assert torch.equal(other.model.bert.pooler.dense.weight, kept.model.bert.pooler.dense.weight)


def test_both_orders_score_the_mean_of_the_two(cross, pairs):
    learner = load_cross_learner(cross(), device="cpu")
    pupil = CrossPupil(learner, both_orders=True)
    run_to_end(pupil.read((*pairs.left, *pairs.right)))
    encoder = load_cross_encoder(learner.parts.described.folder, device="cpu")
    wanted = encoder.score(list(zip(pairs.left, pairs.right, strict=True)), both_orders=True)
    assert np.abs(run_to_end(pupil.scores(pairs.columns)) - wanted).max() < 1e-6


def test_both_ways_doubles_the_examples_with_their_judgements_and_weights(pairs):
    weighted = ScoredPairs(pairs.left, pairs.right, pairs.score, np.arange(12, dtype=np.float32))
    found = both_ways(weighted)
    assert found.left[:2] + found.left[12:14] == pairs.left[:2] + pairs.right[:2]
    assert found.right[12:] == pairs.left
    assert (found.score[12:] == pairs.score).all()
    assert (found.weight[12:] == np.arange(12)).all()
    assert (both_ways(labelled(pairs)).label[12:] == np.arange(12) % 3).all()


def test_a_prompt_stands_before_the_first_text(cross, pairs):
    folder = cross()
    edit(
        folder / "config_sentence_transformers.json",
        prompts={"ask": "help: "}, default_prompt_name="ask",
    )  # fmt: skip  # one thought
    pupil = CrossPupil(load_cross_learner(folder, device="cpu"))
    run_to_end(pupil.read((*pairs.left, *pairs.right)))
    wanted = load_cross_encoder(folder, device="cpu").score(
        list(zip(pairs.left, pairs.right, strict=True))
    )
    assert np.abs(run_to_end(pupil.scores(pairs.columns)) - wanted).max() < 1e-6


def test_pairs_longer_than_is_read_are_counted(cross):
    data = ScoredPairs(("a", LONG), ("b", LONG), np.array([0, 1], np.float32))
    pupil = CrossPupil(load_cross_learner(cross(), device="cpu"))
    fitted = run_to_end(fit(pupil, cross_stage(data, TrainOptions(epochs=1))))
    assert fitted.cut == 1
    assert np.isfinite(fitted.curve[-1][1])


def test_a_pair_held_still_keeps_its_score(cross, pairs):
    pupil = CrossPupil(load_cross_learner(cross(), device="cpu"))
    run_to_end(pupil.read((*pairs.left, *pairs.right)))
    pupil.lessons(cross_stage(pairs, TrainOptions()).tasks, seed=0)
    scores = run_to_end(pupil.scores(pairs.columns))
    lesson = pupil.held_still(pairs.columns, scores)
    rows = np.arange(12)
    assert sum(pupil.add(lesson, rows, total=12, seeds=(0,), drops_out=False)) < 1e-10


def test_triplets_do_not_teach_a_cross_encoder(pairs):
    triplets = Triplets(pairs.left[:6], pairs.right[:6], pairs.left[6:])
    with pytest.raises(UserError, match="learns from judged pairs"):
        cross_stage(triplets, TrainOptions())


def test_labels_do_not_teach_a_head_that_tells_a_score(cross, pairs):
    pupil = CrossPupil(load_cross_learner(cross(), device="cpu"))
    stage = Stage((Task("classification", labelled(pairs)),), TrainOptions(epochs=1))
    with pytest.raises(UserError, match="tells a score"):
        run_to_end(fit(pupil, stage))


def test_a_killed_training_goes_on_to_the_same_weights(cross, pairs, tmp_path):
    folder, options = cross(), TrainOptions(epochs=6, rate=1e-3, batch=4)
    whole = CrossPupil(load_cross_learner(folder, device="cpu"))
    run_to_end(fit(whole, cross_stage(pairs, options)))
    saved = Checkpoint(tmp_path / "state", "this", every_s=0)
    steps = fit(
        CrossPupil(load_cross_learner(folder, device="cpu")),
        cross_stage(pairs, options),
        checkpoint=saved,
    )
    while dict(next(steps).figures).get("step", 0) < 9:
        pass
    steps.close()
    shutil.copy(tmp_path / "state", tmp_path / "kept")
    again = CrossPupil(load_cross_learner(folder, device="cpu"))
    run_to_end(
        fit(again, cross_stage(pairs, options), checkpoint=Checkpoint(tmp_path / "kept", "this"))
    )
    for name, weight in whole.snapshot().items():
        assert torch.equal(weight, again.snapshot()[name]), name


def test_frozen_layers_stay_and_the_head_learns(cross, pairs):
    options = TrainOptions(epochs=2, rate=1e-2, frozen_layers=1)
    pupil = CrossPupil(load_cross_learner(cross(), device="cpu", options=options))
    before = pupil.snapshot()
    run_to_end(fit(pupil, cross_stage(pairs, options)))
    moved = {name for name, weight in pupil.snapshot().items() if not weight.equal(before[name])}
    assert "classifier.weight" in moved
    assert any(".layer.1." in name for name in moved)
    assert not any(".layer.0." in name or "embeddings" in name for name in moved)


@pytest.mark.parametrize("name", ["bert", "modernbert", "mpnet"])
def test_layers_computed_twice_give_the_same_gradients(cross, pairs, name):
    learner = load_cross_learner(cross(name), device="cpu")
    learner.prepare(TrainOptions(gradient_checkpointing="off"))
    once = added(learner, scored(pairs), drops_out=True)
    learner.prepare(TrainOptions(gradient_checkpointing="on"))
    assert learner.passes.computes_twice
    agree(added(learner, scored(pairs), drops_out=True), once)


def test_short_memory_halves_what_goes_through_and_learns_the_same(cross, pairs, monkeypatch):
    folder, options = cross(), TrainOptions(epochs=1, batch=12)
    whole = CrossPupil(still(load_cross_learner(folder, device="cpu")))
    run_to_end(fit(whole, cross_stage(pairs, options)))
    cramped = CrossPupil(still(load_cross_learner(folder, device="cpu")))
    ordinary = type(cramped.learner).raw

    def raw(self, tokens):
        if len(tokens) > 4:
            self.passes.tokens = 10 * len(tokens)
            raise torch.OutOfMemoryError("CUDA out of memory")
        return ordinary(self, tokens)

    monkeypatch.setattr(type(cramped.learner), "raw", raw)
    fitted = run_to_end(fit(cramped, cross_stage(pairs, options)))
    assert "smaller parts" in " ".join(fitted.notes)
    for key, weight in whole.snapshot().items():
        assert torch.allclose(weight, cramped.snapshot()[key], atol=1e-5), key
