"""The mean of a token table against a loop over tokens."""

import numpy as np
import pytest
from transformers import AutoTokenizer

from core.evaluation.baselines import token_table, token_table_vectors
from core.progress import run_to_end

TEXTS = ["the dog and the dog", "late flight", "☃", "", "hotel ☃"]


@pytest.fixture(params=["bert", "roberta"])
def parts(request, parts_of):
    return parts_of(request.param)


def test_the_tokens_of_a_text_are_averaged_without_special_ones(parts):
    table = token_table(parts)
    tokenizer = AutoTokenizer.from_pretrained(
        str(parts.described.transformer), local_files_only=True
    )
    found = run_to_end(token_table_vectors(table, parts.tokenizer, TEXTS))
    for vector, text in zip(found, TEXTS, strict=True):
        tokens = tokenizer(text, add_special_tokens=False)["input_ids"]
        known = [table[token] for token in tokens if token != tokenizer.unk_token_id]
        wanted = np.mean(known, axis=0) if known else np.zeros(table.shape[1])
        assert vector == pytest.approx(wanted, abs=1e-6)


def test_a_text_that_comes_to_nothing_is_zeros(parts):
    found = run_to_end(token_table_vectors(token_table(parts), parts.tokenizer, [""]))
    assert not found.any()


def test_the_table_is_that_of_the_backbone(parts):
    assert token_table(parts).shape == (parts.config.vocab_size, parts.config.hidden_size)


def test_texts_longer_than_the_model_are_read_whole(parts):
    table, long = token_table(parts), " ".join(["dog"] * 300)
    whole, one = run_to_end(token_table_vectors(table, parts.tokenizer, [f"{long} water", "dog"]))
    water = run_to_end(token_table_vectors(table, parts.tokenizer, [" water"]))[0]
    assert np.linalg.norm(whole - water) > 0
    assert np.linalg.norm(whole - one) < np.linalg.norm(water - one)
