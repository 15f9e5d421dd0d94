"""Tokens are counted as the encoder itself would read them."""

import shutil
from pathlib import Path

from core.encoders import load_encoder, token_counter

TEXTS = ["how do i fix my bike", "a", "the hotel was good and the food was cold"]


def test_tokens_are_those_of_the_encoder(tiny_encoder: Path):
    count, reads = token_counter(tiny_encoder)
    encoder = load_encoder(tiny_encoder, device="cpu")
    own = encoder.encode(TEXTS).tokens + encoder.tokenizer.specials
    assert count(TEXTS).tolist() == own.tolist()
    assert reads == encoder.max_tokens


def test_a_folder_without_a_fast_tokenizer_tells_nothing(tiny_encoder: Path, tmp_path: Path):
    own = Path(shutil.copytree(tiny_encoder, tmp_path / "own"))
    next(own.rglob("tokenizer.json")).unlink()
    assert token_counter(own) is None
