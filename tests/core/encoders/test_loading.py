"""Folders of every shape: read, or refused with the true cause."""

import json
import shutil
import socket
import subprocess
import sys

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from core.encoders import load_encoder, verify
from core.errors import UserError

TEXTS = ["how do i fix my bike", "the hotel was good", "a"]


def edit(file, **changes):
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


def add_module(folder, path, kind):
    modules = json.loads((folder / "modules.json").read_text())
    modules.append({"idx": len(modules), "name": "x", "path": path, "type": kind})
    (folder / "modules.json").write_text(json.dumps(modules))


def test_importing_the_package_loads_no_torch():
    code = "import sys, core.encoders; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_loading_and_encoding_never_connect(models, monkeypatch):
    def refused(*_):
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    assert len(load_encoder(models / "bert").encode(TEXTS)) == 3


def test_loading_writes_nothing_to_the_terminal(models, capfd):
    load_encoder(models / "bert").encode(TEXTS)
    assert capfd.readouterr() == ("", "")


def test_a_plain_folder_is_pooled_by_mean_and_says_so(load_tiny):
    settings = load_tiny("distilbert").settings
    assert settings["pooling"] == "mean"
    assert "names no pooling" in settings["notes"][0]


def test_the_maximum_length_is_the_one_of_the_folder(load_tiny):
    lengths = [load_tiny(name).max_tokens for name in ("bert", "roberta", "modernbert", "mpnet")]
    assert lengths == [32, 64, 64, 48]


def test_a_maximum_length_beyond_the_positions_is_cut(copied):
    folder = copied("roberta")
    edit(folder / "sentence_bert_config.json", max_seq_length=500)
    assert load_encoder(folder).max_tokens == 64


def test_a_folder_without_config_is_no_encoder(tmp_path):
    with pytest.raises(UserError, match="not the folder of an encoder"):
        load_encoder(tmp_path)


def test_pickled_weights_are_refused_with_the_reason(copied):
    folder = copied("bert")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(UserError, match="pickle can run any code"):
        load_encoder(folder)


def test_missing_weights_are_told(copied):
    folder = copied("bert")
    (folder / "model.safetensors").unlink()
    with pytest.raises(UserError, match=r"model\.safetensors is missing"):
        load_encoder(folder)


def test_damaged_weights_are_told(copied):
    folder = copied("bert")
    (folder / "model.safetensors").write_bytes(b"not weights at all")
    with pytest.raises(UserError, match="could not be loaded"):
        load_encoder(folder)


def test_incomplete_weights_are_never_filled_with_chance(copied):
    folder = copied("bert")
    weights = load_file(folder / "model.safetensors")
    del weights["encoder.layer.1.output.dense.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(UserError, match="incomplete"):
        load_encoder(folder)


def test_a_damaged_json_file_is_named(copied):
    folder = copied("bert")
    (folder / "modules.json").write_text("[{")
    with pytest.raises(UserError, match=r"modules\.json is damaged"):
        load_encoder(folder)


def test_a_missing_tokenizer_is_told(copied):
    folder = copied("bert")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(UserError, match="tokenizer"):
        load_encoder(folder)


def test_an_unknown_architecture_is_told(copied):
    folder = copied("bert")
    edit(folder / "config.json", model_type="own-design", auto_map={"AutoModel": "own.Model"})
    with pytest.raises(UserError, match="could not be loaded"):
        load_encoder(folder)


def test_an_unknown_pooling_is_named(copied):
    folder = copied("roberta")
    edit(folder / "1_Pooling" / "config.json", pooling_mode="weightedmean")
    with pytest.raises(UserError, match="weightedmean"):
        load_encoder(folder)


def test_an_unknown_module_is_named(copied):
    folder = copied("bert")
    add_module(folder, "3_Own", "own_package.Magic")
    with pytest.raises(UserError, match=r"own_package\.Magic"):
        load_encoder(folder)


def test_a_module_outside_the_folder_is_refused(copied):
    folder = copied("bert")
    add_module(folder, "../elsewhere", "sentence_transformers.models.Normalize")
    with pytest.raises(UserError, match="outside its own folder"):
        load_encoder(folder)


@pytest.mark.parametrize("kind", ["models.Dense", "base.modules.dense.Dense"])
def test_a_dense_layer_is_applied(copied, kind):
    folder = copied("bert")
    modules = json.loads((folder / "modules.json").read_text())[:2]
    (folder / "modules.json").write_text(json.dumps(modules))
    add_module(folder, "2_Dense", f"sentence_transformers.{kind}")
    (folder / "2_Dense").mkdir()
    config = {
        "in_features": 16,
        "out_features": 5,
        "bias": True,
        "activation_function": "torch.nn.modules.activation.Tanh",
    }
    (folder / "2_Dense" / "config.json").write_text(json.dumps(config))
    random = np.random.default_rng(1)
    matrix = random.normal(size=(5, 16)).astype(np.float32)
    bias = random.normal(size=5).astype(np.float32)
    save_file(
        {"linear.weight": matrix, "linear.bias": bias}, folder / "2_Dense" / "model.safetensors"
    )
    encoder = load_encoder(folder)
    states = plain_means(folder, TEXTS)
    wanted = np.tanh(states @ matrix.T + bias)
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    assert encoder.dimension == 5
    assert np.abs(encoder.encode(TEXTS).vectors - wanted).max() <= 1e-5


def plain_means(folder, texts):
    import torch
    import transformers

    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    with torch.inference_mode():
        states = [
            model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0)
            for text in texts
        ]
    return torch.stack(states).numpy()


def test_the_default_prompt_is_put_before_every_text(copied, tiny):
    folder = copied("bert")
    config = {"prompts": {"search": "the bike: "}, "default_prompt_name": "search"}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(config))
    encoder = load_encoder(folder)
    wanted = tiny.encode([f"the bike: {text}" for text in TEXTS]).vectors
    assert np.abs(encoder.encode(TEXTS).vectors - wanted).max() <= 1e-5
    assert "the bike: " in encoder.settings["notes"][0]


def test_the_prompt_does_not_count_as_the_texts_tokens(copied, tiny):
    folder = copied("bert")
    config = {"prompts": {"search": "the bike: "}, "default_prompt_name": "search"}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(config))
    encoded = load_encoder(folder).encode(["😀", *TEXTS])
    assert encoded.unreadable.tolist() == [True, False, False, False]
    assert encoded.tokens[1:].tolist() == tiny.encode(TEXTS).tokens.tolist()


def test_fp16_is_refused_on_a_processor(models):
    with pytest.raises(UserError, match="fp16 needs a CUDA device"):
        load_encoder(models / "bert", device="cpu", precision="fp16")


@pytest.mark.parametrize("device", ["cuda:99", "toaster"])
def test_a_device_that_is_not_there_is_told(models, device):
    with pytest.raises(UserError, match=device):
        load_encoder(models / "bert", device=device)


def test_the_fingerprint_does_not_depend_on_the_place(copied, tiny):
    assert load_encoder(copied("bert")).fingerprint == tiny.fingerprint


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json", "1_Pooling/config.json"])
def test_the_fingerprint_changes_with_every_loaded_file(copied, tiny, name):
    folder = copied("bert")
    (folder / name).write_text((folder / name).read_text() + "\n")
    assert load_encoder(folder).fingerprint != tiny.fingerprint


def test_the_fingerprint_changes_with_the_precision(models, tiny):
    assert load_encoder(models / "bert", precision="bf16").fingerprint != tiny.fingerprint


def test_a_file_with_another_sum_is_named(models):
    with pytest.raises(UserError, match=r"config\.json"):
        verify(models / "bert", {"config.json": "0" * 64})


@pytest.mark.parametrize("name", ["bert", "roberta", "xlm-roberta", "modernbert", "mpnet"])
def test_sentence_transformers_gives_the_same_vectors(load_tiny, models, name):
    peer = pytest.importorskip("sentence_transformers", reason="sentence-transformers is a peer")
    theirs = peer.SentenceTransformer(str(models / name), device="cpu").encode(
        TEXTS, normalize_embeddings=True
    )
    assert np.abs(load_tiny(name).encode(TEXTS).vectors - theirs).max() <= 1e-5


def test_the_default_encoder_reads_no_emoji_only_rows(default_folder):
    encoded = load_encoder(default_folder, device="cpu").encode(["😀😀", "how are you"])
    assert encoded.unreadable.tolist() == [True, False]


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("modules.json", "{}"),
        ("modules.json", '[{"idx": 0}]'),
        ("sentence_bert_config.json", "5"),
        ("sentence_bert_config.json", '{"max_seq_length": "long"}'),
        ("1_Pooling/config.json", "[]"),
    ],
)
def test_json_of_another_shape_is_told_as_damage(tmp_path, tiny_encoder, name, held):
    folder = tmp_path / "broken"
    shutil.copytree(tiny_encoder, folder)
    (folder / name).write_text(held)
    with pytest.raises(UserError, match="is damaged"):
        load_encoder(folder)
