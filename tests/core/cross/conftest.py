"""Tiny cross-encoders: the tiny encoders of the tests, each with a seeded head."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.cross import CrossEncoder, load_cross_encoder

os.environ["HF_HUB_OFFLINE"] = "1"  # before transformers is first imported

MODELS = Path(__file__).resolve().parents[2] / "models"


@pytest.fixture(scope="session")
def make_cross(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Make the folder of a cross-encoder of one architecture, once for each wish."""
    home = tmp_path_factory.mktemp("cross")
    made: dict[tuple[str, int, bool], Path] = {}

    def make(name: str, labels: int = 1, *, types: bool = False) -> Path:
        import torch
        import transformers

        wish = (name, labels, types)
        if wish in made:
            return made[wish]
        folder = home / f"{name}-{labels}{'-types' if types else ''}"
        torch.manual_seed(7)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(
            MODELS / name, num_labels=labels, local_files_only=True
        )
        _spread(model.eval())
        model.save_pretrained(folder)
        shutil.copy(MODELS / name / "tokenizer.json", folder)
        told = json.loads((MODELS / name / "tokenizer_config.json").read_text("utf-8"))
        if types:
            told["model_input_names"] = ["input_ids", "token_type_ids", "attention_mask"]
        (folder / "tokenizer_config.json").write_text(json.dumps(told), "utf-8")
        made[wish] = folder
        return folder

    return make


@pytest.fixture(scope="session")
def load_tiny(make_cross: Callable[..., Path]) -> Callable[..., CrossEncoder]:
    loaded: dict[tuple[str, int, bool], CrossEncoder] = {}

    def load(name: str, labels: int = 1, *, types: bool = False) -> CrossEncoder:
        wish = (name, labels, types)
        if wish not in loaded:
            loaded[wish] = load_cross_encoder(make_cross(name, labels, types=types), device="cpu")
        return loaded[wish]

    return load


@pytest.fixture
def tiny(load_tiny: Callable[..., CrossEncoder]) -> CrossEncoder:
    return load_tiny("bert", types=True)


@pytest.fixture
def copied(make_cross: Callable[..., Path], tmp_path: Path) -> Path:
    """A folder of its own for a test that changes it."""
    return Path(shutil.copytree(make_cross("bert"), tmp_path / "copied"))


def _spread(model: Any) -> None:
    """Let the scores of different pairs lie far apart and around the middle."""
    import torch

    head = getattr(model.classifier, "out_proj", model.classifier)
    tokens = torch.arange(5, 5 + 16 * 8).reshape(16, 8) % model.config.vocab_size
    with torch.no_grad():
        logits = model(input_ids=tokens).logits
        head.weight /= logits.std(0)[:, None]
        head.bias.copy_(-(logits - head.bias).mean(0) / logits.std(0))
