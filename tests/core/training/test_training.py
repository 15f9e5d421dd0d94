"""From one encoder folder to another, read by us and by sentence-transformers alike."""

import hashlib
import json
import subprocess
import sys

import numpy as np
import psutil
import pytest
from safetensors.numpy import load_file, save_file

from core.encoders import load_encoder
from core.errors import UserError
from core.options import TrainOptions
from core.progress import Enough, run_to_end
from core.training import by_scores, train

TEXTS = ["how do i fix my bike", "the hotel was good", "a", "cold food and a cold room"]
OPTIONS = TrainOptions(epochs=2, rate=1e-3)


def stages(pairs):
    return (by_scores(pairs, OPTIONS),)


def teach(base, pairs, background, to, **named):
    return run_to_end(train(base, stages(pairs), background, to, device="cpu", **named))


def sums(folder):
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return [(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in files]


def vectors(folder):
    return load_encoder(folder, device="cpu").encode(TEXTS).vectors


def edit(file, **changes):
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


def add_module(folder, path, kind):
    modules = json.loads((folder / "modules.json").read_text())
    modules.append({"idx": len(modules), "name": "x", "path": path, "type": kind})
    (folder / "modules.json").write_text(json.dumps(modules))


def add_dense(folder):
    add_module(folder, "3_Dense", "sentence_transformers.models.Dense")
    (folder / "3_Dense").mkdir()
    config = {
        "in_features": 16, "out_features": 8, "bias": True,
        "activation_function": "torch.nn.modules.activation.Tanh",
    }  # fmt: skip  # one thought
    (folder / "3_Dense" / "config.json").write_text(json.dumps(config))
    random = np.random.default_rng(0)
    weights = {
        "linear.weight": random.normal(size=(8, 16)).astype(np.float32),
        "linear.bias": np.zeros(8, np.float32),
    }
    save_file(weights, folder / "3_Dense" / "model.safetensors")


def test_importing_the_package_loads_no_torch():
    code = "import sys, core.training; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "name", ["bert", "distilbert", "roberta", "xlm-roberta", "modernbert", "mpnet"]
)
def test_sentence_transformers_gives_the_same_vectors(model, name, pairs, background, tmp_path):
    peer = pytest.importorskip("sentence_transformers", reason="sentence-transformers is a peer")
    to = tmp_path / "taught"
    teach(model(name), pairs, background, to)
    theirs = peer.SentenceTransformer(str(to), device="cpu", local_files_only=True).encode(TEXTS)
    assert np.abs(vectors(to) - theirs).max() < 1e-5


def test_sentence_transformers_reads_a_trained_dense_layer(copied, pairs, background, tmp_path):
    peer = pytest.importorskip("sentence_transformers", reason="sentence-transformers is a peer")
    base, to = copied("bert"), tmp_path / "taught"
    add_dense(base)
    teach(base, pairs, background, to)
    theirs = peer.SentenceTransformer(str(to), device="cpu", local_files_only=True).encode(TEXTS)
    assert np.abs(vectors(to) - theirs).max() < 1e-5
    before = load_file(base / "3_Dense" / "model.safetensors")["linear.weight"]
    after = load_file(to / "3_Dense" / "model.safetensors")["linear.weight"]
    assert np.abs(before - after).max() > 1e-4


def test_a_base_in_half_precision_is_written_in_full(copied, pairs, background, tmp_path):
    base, to = copied("bert"), tmp_path / "taught"
    halves = {
        name: part.astype(np.float16)
        for name, part in load_file(base / "model.safetensors").items()
    }
    save_file(halves, base / "model.safetensors", {"format": "pt"})
    edit(base / "config.json", dtype="float16")
    teach(base, pairs, background, to)
    assert json.loads((to / "config.json").read_text())["dtype"] == "float32"
    assert {part.dtype.name for part in load_file(to / "model.safetensors").values()} == {"float32"}


def test_the_written_vectors_are_those_that_were_measured(
    tiny_encoder, pairs, background, tmp_path
):
    trained = teach(tiny_encoder, pairs, background, tmp_path / "taught", judging=pairs)
    encoder = load_encoder(trained.folder, device="cpu")
    left, right = (encoder.encode(side).vectors for side in (pairs.left, pairs.right))
    assert np.abs((left * right).sum(1) - trained.fitted.after).max() < 1e-5


def test_the_new_encoder_is_another_one(tiny_encoder, pairs, background, tmp_path):
    teach(tiny_encoder, pairs, background, tmp_path / "taught")
    assert np.abs(vectors(tiny_encoder) - vectors(tmp_path / "taught")).max() > 1e-3


def test_the_base_stays_as_it_was(copied, pairs, background, tmp_path):
    base = copied("bert")
    before = sums(base)
    teach(base, pairs, background, tmp_path / "taught")
    assert sums(base) == before


def test_the_same_seed_writes_the_same_files(tiny_encoder, pairs, background, tmp_path):
    for name in ("one", "two"):
        teach(tiny_encoder, pairs, background, tmp_path / name)
    assert sums(tmp_path / "one") == sums(tmp_path / "two")


def test_the_folder_tells_how_it_came_about(tiny_encoder, pairs, background, tmp_path):
    teach(tiny_encoder, pairs, background, tmp_path / "taught")
    record = json.loads((tmp_path / "taught" / "training.json").read_text())
    assert (record["base"], record["options"]["epochs"]) == ("bert", 2)
    assert record["stages"] == [
        [{"objective": "regression", "choices": {}, "data": "", "examples": 12}]
    ]


def test_weights_in_other_formats_are_not_carried_along(copied, pairs, background, tmp_path):
    base = copied("bert")
    for name in ("pytorch_model.bin", "tf_model.h5", "model.onnx"):
        (base / name).write_bytes(b"old weights")
    (base / "README.md").write_text("The licence.")
    teach(base, pairs, background, tmp_path / "taught")
    assert {file.suffix for file in (tmp_path / "taught").iterdir()} == {
        "",
        ".json",
        ".md",
        ".safetensors",
    }


def test_a_name_that_is_taken_is_refused_before_any_work(tiny_encoder, pairs, background, tmp_path):
    with pytest.raises(UserError, match="already something"):
        next(train(tiny_encoder, stages(pairs), background, tmp_path))


def test_a_folder_of_somebody_under_the_working_name_is_left_alone(
    tiny_encoder, pairs, background, tmp_path
):
    other = tmp_path / "taught.part"
    other.mkdir()
    (other / "thesis.txt").write_text("years of work")
    with pytest.raises(UserError, match="already something"):
        next(train(tiny_encoder, stages(pairs), background, tmp_path / "taught"))
    assert (other / "thesis.txt").exists()


def test_what_a_kill_left_under_the_working_name_is_replaced(
    tiny_encoder, pairs, background, tmp_path
):
    left_over = tmp_path / "taught.part"
    left_over.mkdir()
    (left_over / "training.json").write_text("{}")
    (left_over / "model.safetensors").write_bytes(b"half")
    teach(tiny_encoder, pairs, background, tmp_path / "taught")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["taught"]


def test_no_pairs_are_refused(tiny_encoder, pairs, background, tmp_path):
    none = pairs.rows(np.empty(0, np.int64))
    with pytest.raises(UserError, match="no judged pairs"):
        next(train(tiny_encoder, stages(none), background, tmp_path / "taught"))


def test_closing_at_any_moment_leaves_nothing(tiny_encoder, pairs, background, tmp_path):
    total = sum(1 for _ in train(tiny_encoder, stages(pairs), background, tmp_path / "all"))
    for moment in {1, 2, total // 2, total - 3, total - 1, total}:
        steps = train(tiny_encoder, stages(pairs), background, tmp_path / "taught")
        for _ in range(moment):
            next(steps)
        steps.close()
        assert [file.name for file in tmp_path.iterdir()] == ["all"], moment


def test_enough_writes_the_encoder(tiny_encoder, pairs, background, tmp_path):
    steps = train(tiny_encoder, stages(pairs), background, tmp_path / "taught")
    while next(steps).done != 1 or not next(steps).figures:
        pass
    with pytest.raises(StopIteration) as stop:
        steps.throw(Enough())
        while True:
            next(steps)
    trained = stop.value.value
    assert trained.fitted.stopped == "enough"
    assert len(vectors(trained.folder)) == len(TEXTS)


def test_enough_before_the_encoder_was_loaded_is_told(tiny_encoder, pairs, background, tmp_path):
    steps = train(tiny_encoder, stages(pairs), background, tmp_path / "taught")
    next(steps)
    with pytest.raises(UserError, match="before anything was learnt"):
        steps.throw(Enough())
    assert list(tmp_path.iterdir()) == []


def test_enough_while_writing_changes_nothing(tiny_encoder, pairs, background, tmp_path):
    steps = train(tiny_encoder, stages(pairs), background, tmp_path / "taught")
    while next(steps).title != "Writing the encoder":
        pass
    with pytest.raises(StopIteration) as stop:
        while True:
            steps.throw(Enough())
    assert (stop.value.value.folder / "model.safetensors").exists()


def test_a_model_too_large_for_the_memory_is_refused_with_a_forecast(
    tiny_encoder, pairs, background, tmp_path, monkeypatch
):
    short = psutil.virtual_memory()._replace(available=1_000)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: short)
    with pytest.raises(UserError, match=r"of memory: .*smaller encoder"):
        teach(tiny_encoder, pairs, background, tmp_path / "taught")


def test_a_folder_that_cannot_be_written_is_told(tiny_encoder, pairs, background, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="No folder can be made"):
        teach(tiny_encoder, pairs, background, tmp_path / "file" / "taught")


def test_a_path_in_any_script_works(tiny_encoder, pairs, background, tmp_path):
    to = tmp_path / "Zoë" / "文書 taught"
    teach(tiny_encoder, pairs, background, to)
    assert len(vectors(to)) == len(TEXTS)
