"""Which weights stay, told by their names, and that they do stay."""

import re
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from core.errors import UserError
from core.options import TrainOptions
from core.progress import run_to_end
from core.training.checkpoints import Checkpoint
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.frozen import count_layers, is_frozen, refuse_too_many
from core.training.learner import load_learner
from core.training.tasks import by_scores

OPTIONS = TrainOptions(epochs=3, rate=1e-3, hold=0)


@pytest.mark.parametrize(
    ("name", "frozen"),
    [
        ("embeddings.word_embeddings.weight", [False, True, True]),
        ("encoder.layer.0.attention.self.query.weight", [False, False, True]),
        ("encoder.layer.1.output.dense.bias", [False, False, False]),
        ("layers.0.mlp.Wi.weight", [False, False, True]),
        ("embeddings.tok_embeddings.weight", [False, True, True]),
        ("encoder.block.10.layer.0.SelfAttention.q.weight", [False, False, False]),
        ("shared.weight", [False, True, True]),
        ("pooler.dense.weight", [False, False, False]),
    ],
)
def test_the_embeddings_and_the_lowest_layers_are_told_by_their_names(name, frozen):
    assert [is_frozen(name, layers) for layers in (None, 0, 1)] == frozen


def test_layers_are_counted():
    assert count_layers(["encoder.layer.0.a", "encoder.layer.11.b", "pooler.c"]) == 12
    assert count_layers(["encoder.albert_layer_groups.0.albert_layers.0.a"]) == 0


@pytest.mark.parametrize(
    ("layers", "words"), [(2, "Freeze 1 layer at most"), (0, "share their weights")]
)
def test_freezing_every_layer_is_refused(layers, words):
    with pytest.raises(UserError, match=words):
        refuse_too_many(2, layers, name="it")


@pytest.mark.parametrize("name", ["bert", "distilbert", "modernbert", "mpnet", "xlm-roberta"])
@pytest.mark.parametrize("layers", [0, 1])
def test_frozen_weights_do_not_move_and_all_others_do(model, pairs, name, layers):
    learner = load_learner(model(name), device="cpu")
    base = learner.snapshot()
    run_to_end(fit(EncoderPupil(learner), by_scores(pairs, replace(OPTIONS, frozen_layers=layers))))
    moved = {name for name, weight in learner.named() if not torch.equal(base[name], weight)}
    assert moved
    for weight in base:
        below = re.search(r"embed", weight) or (layers and re.search(r"layers?\.0\.", weight))
        assert not (below and weight in moved)
    assert any(re.search(r"layers?\.1\.", weight) for weight in moved)
    assert bool(layers) != any(re.search(r"layers?\.0\.", weight) for weight in moved)


def test_the_optimiser_remembers_nothing_of_frozen_weights(tiny_encoder, pairs, tmp_path):
    file = tmp_path / "standing"
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
    options = replace(OPTIONS, frozen_layers=1)
    steps = fit(pupil, by_scores(pairs, options), checkpoint=Checkpoint(file, "one", every_s=0))
    run_to_end(steps)
    moments = [tensor for name, tensor in load_file(file).items() if name.endswith(".exp_avg")]
    learning = [w for _, w in pupil.named() if w.requires_grad and w.grad is not None]
    assert sum(one.numel() for one in moments) == sum(one.numel() for one in learning)
    assert sum(one.numel() for one in moments) < sum(w.numel() for _, w in pupil.named()) / 2


def test_the_next_stage_may_thaw_them(tiny_encoder, pairs):
    pupil = EncoderPupil(load_learner(tiny_encoder, device="cpu"))
    run_to_end(fit(pupil, by_scores(pairs, replace(OPTIONS, frozen_layers=1))))
    between = pupil.snapshot()
    run_to_end(fit(pupil, by_scores(pairs, OPTIONS), number=1))
    after = pupil.snapshot()
    table = "embeddings.word_embeddings.weight"
    assert not torch.equal(between[table], after[table])


def test_more_layers_than_there_are_cannot_be_frozen(tiny_encoder):
    with pytest.raises(UserError, match="it has 2, and one has to learn"):
        load_learner(tiny_encoder, device="cpu", options=TrainOptions(frozen_layers=2))
