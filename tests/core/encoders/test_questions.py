"""Questions read without torch have the vectors of the encoder itself."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

from core.encoders import load_encoder
from core.encoders.questions import read_questions

QUESTIONS = [
    "speed up a slow query",
    "My card was charged TWICE!",
    "wo ist mein Paket, ß und Ä?",
    "我的包裹没有到",
    "لم تصل الطرود",
    "🙂 emoji and e\u0301 accents",
    "a",
    "x" * 300,
    "one two three " * 30,
    "half a pair \ud83d here",
    "tabs\tand\nlines [MASK] [SEP]",
]


@pytest.fixture(scope="module")
def default(default_encoder):
    folder = default_encoder
    return folder, load_encoder(folder, device="cpu"), read_questions(folder)


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_has_the_vector_of_the_encoder(default, text):
    _, encoder, reader = default
    np.testing.assert_allclose(reader.read(text), encoder.encode([text]).vectors[0], atol=1e-5)


@pytest.mark.parametrize("text", ["", "  ", "\u200b", "word " * 400])
def test_what_is_long_or_nothing_is_left_to_the_encoder(default, text):
    assert default[2].read(text) is None


def test_a_tiny_bert_is_read_as_well(tiny_encoder):
    encoder, reader = load_encoder(tiny_encoder, device="cpu"), read_questions(tiny_encoder)
    if reader is None:
        pytest.skip("the tiny encoder is not plain")
    for text in QUESTIONS[:3]:
        np.testing.assert_allclose(reader.read(text), encoder.encode([text]).vectors[0], atol=1e-5)


@pytest.mark.parametrize(
    ("file", "name", "value"),
    [
        ("config.json", "hidden_act", "relu"),
        ("config.json", "model_type", "roberta"),
        ("config.json", "position_embedding_type", "relative_key"),
        ("1_Pooling/config.json", "pooling_mode_cls_token", True),
        ("tokenizer_config.json", "do_lower_case", False),
        ("sentence_bert_config.json", "do_lower_case", True),
    ],
)
def test_what_is_not_plain_is_left_to_the_encoder(default, tmp_path, file, name, value):
    copy = tmp_path / "encoder"
    shutil.copytree(default[0], copy, symlinks=False)
    told = json.loads((copy / file).read_text("utf-8"))
    (copy / file).unlink()
    (copy / file).write_text(json.dumps({**told, name: value}), "utf-8")
    assert read_questions(copy) is None


def test_missing_weights_are_left_to_the_encoder_to_tell(default, tmp_path):
    from safetensors.numpy import load_file, save_file

    copy = tmp_path / "encoder"
    shutil.copytree(default[0], copy)
    held = load_file(copy / "model.safetensors")
    del held["encoder.layer.3.output.dense.bias"]
    (copy / "model.safetensors").unlink()
    save_file(held, copy / "model.safetensors")
    assert read_questions(copy) is None


def test_reading_a_question_loads_neither_torch_nor_transformers(default):
    code = (
        "import sys; from pathlib import Path; from core.encoders.questions import read_questions;"
        f"read_questions(Path({str(default[0])!r})).read('a question');"
        "print({'torch', 'transformers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
