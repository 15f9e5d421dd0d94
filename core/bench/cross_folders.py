"""The cross-encoder of a bench: a folder that was named, or one made of an encoder."""

import shutil
from pathlib import Path
from typing import Any

from core.cross.folder import read_cross_folder
from core.encoders.folder import read_folder
from core.encoders.transformer import libraries
from core.errors import UserError
from core.folders import encoder_folder

_TRIAL_TOKENS = (16, 12)  # texts and tokens by which the head is brought to scale


def cross_folder(named: str | Path, home: Path, *, seed: int) -> tuple[Path, str]:
    """Return the folder of a cross-encoder, and where it is from in a sentence.

    Where `named` is an encoder of single texts, a cross-encoder is made under `home` of its
    layers and a head drawn by the seed: how fast it is does not depend on its weights.
    """
    folder = encoder_folder(named).resolve()
    try:
        read_cross_folder(folder)
    except UserError:
        return _made(folder, home / f"cross-{folder.name}", seed=seed), (
            f"The cross-encoder is made of the layers of {folder.name} and a head drawn by the "
            f"seed {seed}: its scores mean nothing, its speed does not depend on weights."
        )
    return folder, f"The cross-encoder is {folder.name}."


def _made(folder: Path, target: Path, *, seed: int) -> Path:
    encoder = read_folder(folder)
    torch, transformers = libraries()
    torch.manual_seed(seed)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        str(encoder.transformer), num_labels=1, local_files_only=True, use_safetensors=True
    )
    _bring_to_scale(model.eval())
    model.save_pretrained(target)
    for file in encoder.files:
        is_told = file.parent == encoder.transformer and file.suffix in (".json", ".txt", ".model")
        if is_told and "safetensors" not in file.name and file.name not in _OF_THE_ENCODER:
            shutil.copy(file, target)
    return target


# The cross-encoder has a configuration of its own, and reads two texts where one was read.
_OF_THE_ENCODER = (
    "config.json", "modules.json", "config_sentence_transformers.json",
    "sentence_bert_config.json",
)  # fmt: skip


def _bring_to_scale(model: Any) -> None:
    """Let the scores of different pairs lie apart: a head that is merely drawn says 0.5 to all."""
    import torch

    head = getattr(model.classifier, "out_proj", model.classifier)
    texts, length = _TRIAL_TOKENS
    tokens = torch.randint(5, model.config.vocab_size, (texts, length))
    with torch.no_grad():
        logits = model(input_ids=tokens).logits
        head.weight /= logits.std(0)[:, None]
        head.bias.copy_(-(logits - head.bias).mean(0) / logits.std(0))
