"""The tiny backbones, loaded once."""

from pathlib import Path

import pytest

from core.encoders.loading import load_parts

MODELS = Path(__file__).resolve().parents[2] / "models"


@pytest.fixture(scope="session")
def parts_of():
    """Load the parts of a tiny encoder by its folder's name."""
    loaded = {}

    def load(name):
        if name not in loaded:
            loaded[name] = load_parts(MODELS / name, device="cpu")
        return loaded[name]

    return load


@pytest.fixture(scope="session")
def one_by_one():
    """The last hidden states of a text, specials included, by transformers' own classes."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    loaded = {}

    def states(name, text):
        if name not in loaded:
            folder = str(MODELS / name)
            loaded[name] = (
                AutoTokenizer.from_pretrained(folder, local_files_only=True),
                AutoModel.from_pretrained(folder, local_files_only=True).eval(),
            )
        tokenizer, model = loaded[name]
        with torch.inference_mode():
            return model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].numpy()

    return states
