"""Folders of cross-encoders: what is read from them and what is refused."""

import json

import numpy as np
import pytest

from core.cross import load_cross_encoder
from core.errors import UserError

PAIRS = [("red bike", "the bike is red"), ("late flight", "cold hotel")]
LINEAR = "torch.nn.modules.linear.Identity"


def change(file, **values):
    held = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    file.write_text(json.dumps({**held, **values}), "utf-8")


def test_a_folder_written_by_sentence_transformers_is_read(make_cross, tmp_path):
    library = pytest.importorskip("sentence_transformers")
    theirs = library.CrossEncoder(str(make_cross("bert", types=True)), device="cpu")
    theirs.save_pretrained(str(tmp_path / "saved"))
    ours = load_cross_encoder(tmp_path / "saved", device="cpu")
    assert np.abs(ours.score(PAIRS) - theirs.predict(PAIRS)).max() <= 1e-5


@pytest.mark.parametrize(
    ("file", "values"),
    [
        ("config_sentence_transformers.json", {"activation_fn": LINEAR}),
        ("config.json", {"sentence_transformers": {"activation_fn": LINEAR}}),
        ("config.json", {"sbert_ce_default_activation_function": LINEAR}),
    ],
)
def test_the_activation_that_a_folder_names_is_used(copied, file, values):
    shares = load_cross_encoder(copied, device="cpu").score(PAIRS)
    change(copied / file, **values)
    logits = load_cross_encoder(copied, device="cpu").score(PAIRS)
    assert np.abs(1 / (1 + np.exp(-logits)) - shares).max() <= 1e-6


def test_an_activation_of_foreign_code_is_refused(copied):
    change(copied / "config.json", sentence_transformers={"activation_fn": "os.system"})
    with pytest.raises(UserError, match=r"activation os\.system"):
        load_cross_encoder(copied)


def test_the_prompt_of_a_folder_stands_before_the_first_text(copied):
    plain = load_cross_encoder(copied, device="cpu").score([("how do i red bike", "red")])
    change(
        copied / "config_sentence_transformers.json",
        prompts={"ask": "how do i "},
        default_prompt_name="ask",
    )
    prompted = load_cross_encoder(copied, device="cpu")
    assert np.abs(prompted.score([("red bike", "red")]) - plain).max() <= 1e-6


def test_the_length_that_a_folder_names_is_kept(copied):
    change(copied / "sentence_bert_config.json", max_seq_length=20)
    assert load_cross_encoder(copied, device="cpu").max_tokens == 20


def test_the_fingerprint_follows_files_and_precision(copied):
    first = load_cross_encoder(copied, device="cpu").fingerprint
    other = load_cross_encoder(copied, device="cpu", precision="bf16").fingerprint
    change(copied / "tokenizer_config.json", remark="changed")
    assert len({first, other, load_cross_encoder(copied, device="cpu").fingerprint}) == 3


def test_an_encoder_of_single_texts_is_refused(tiny_encoder):
    with pytest.raises(UserError, match="not the folder of a cross-encoder"):
        load_cross_encoder(tiny_encoder)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"holds no modules\.json"):
        load_cross_encoder(tmp_path)


def test_pickled_weights_are_not_opened(copied):
    (copied / "model.safetensors").rename(copied / "pytorch_model.bin")
    with pytest.raises(UserError, match="pickle"):
        load_cross_encoder(copied)


def test_a_head_that_is_missing_is_told(copied):
    from safetensors.torch import load_file, save_file

    weights = load_file(copied / "model.safetensors")
    del weights["classifier.weight"]
    save_file(weights, copied / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(UserError, match=r"incomplete: 1 parts are missing, such as classifier"):
        load_cross_encoder(copied)
