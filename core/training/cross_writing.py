"""A trained cross-encoder written as a folder of its own: whole, or not at all.

The folder is one for sentence-transformers' CrossEncoder, older releases and plain transformers
included: weights and configuration with the labels' names, tokenizer, and what is done with the
logits. This module loads torch.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.cross.first_tokens import whole_layers
from core.cross.folder import is_cross_folder
from core.cross.loading import CrossParts
from core.progress import Progress, Steps
from core.training.placing import RECORD, whole_folder
from core.training.writing import kept_files, write_json

TITLE = "Writing the cross-encoder"
_WHAT = "cross-encoder"
_SETTINGS = "config_sentence_transformers.json"
_LICENCES = ("LICENSE", "LICENCE", "NOTICE", "COPYING")
_MODULE = {
    "idx": 0,
    "name": "0",
    "path": "",
    "type": "sentence_transformers.base.modules.transformer.Transformer",
}
_TASK = {
    "transformer_task": "sequence-classification",
    "modality_config": {"text": {"method": "forward", "method_output_name": "logits"}},
    "module_output_name": "scores",
}


def write_cross_encoder(parts: CrossParts, to: Path, *, record: Mapping[str, Any]) -> Steps[None]:
    """Write the cross-encoder with its present weights to `to`, which must not exist yet.

    Of a cross-encoder all files are copied except its weights, of anything else the tokenizer and
    the licence: the rest speaks of an encoder. Weights are written in fp32 as safetensors. All lies
    in `NAME.part` until it is complete; closing leaves nothing behind. `record` is kept as
    training.json.
    """
    described = parts.described
    goes_on = is_cross_folder(described.folder)
    inner = described.transformer.relative_to(described.folder) if goes_on else Path()
    with whole_folder(to, what=_WHAT) as part:
        write_json(part / RECORD, record)
        for done, (file, name) in enumerate(_carried(parts, goes_on=goes_on), 1):
            target = part / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            yield Progress(TITLE, done, None, "files")
        yield Progress(TITLE)
        _write_weights(parts, part, part / inner)
        if not goes_on:
            _write_modules(parts, part)
        _tell_activation(parts, part, part / inner)
        yield Progress(TITLE)


def _carried(parts: CrossParts, *, goes_on: bool) -> list[tuple[Path, Path]]:
    """The files that are taken over as they are, and their names in the new folder."""
    described = parts.described
    if goes_on:
        return [(file, file.relative_to(described.folder)) for file in kept_files(described.folder)]
    tokenizer = [
        file
        for file in described.files
        if "safetensors" not in file.name and file.name != "config.json"
    ]
    licences = [file for file in kept_files(described.folder) if file.stem.upper() in _LICENCES]
    return [(file, Path(file.name)) for file in (*tokenizer, *licences)]


def _write_weights(parts: CrossParts, part: Path, place: Path) -> None:
    scratch = part / ".weights"
    # transformers knows which names weights are stored under, and which share their memory.
    with whole_layers(parts.model):
        parts.model.save_pretrained(scratch, max_shard_size="1TB")
    shutil.move(scratch / "model.safetensors", place / "model.safetensors")
    shutil.move(scratch / "config.json", place / "config.json")
    shutil.rmtree(scratch)


def _write_modules(parts: CrossParts, part: Path) -> None:
    """Say how pairs are read: in lower case where the base did so, and up to which length."""
    longest = parts.tokenizer.max_tokens
    write_json(part / "modules.json", [_MODULE])
    lengths = {"max_seq_length": longest, "do_lower_case": parts.described.lower_case}
    write_json(part / "sentence_bert_config.json", {**_TASK, **lengths})
    settings: dict[str, Any] = {"model_type": "CrossEncoder", "prompts": {}}
    write_json(part / _SETTINGS, {**settings, "default_prompt_name": None})
    tokenizer = part / "tokenizer_config.json"
    told = json.loads(tokenizer.read_text("utf-8")) if tokenizer.is_file() else {}
    write_json(tokenizer, {**told, "model_max_length": longest})


def _tell_activation(parts: CrossParts, part: Path, place: Path) -> None:
    """Name the activation wherever one of the releases of sentence-transformers looks for it.

    They take the shares of labels when they are asked to, and write the identity for them.
    """
    name = "Identity" if len(parts.labels) > 1 else parts.activation
    told = {"activation_fn": f"torch.nn.modules.{_module_of(name)}.{name}"}
    config = json.loads((place / "config.json").read_text("utf-8"))
    config.pop("sbert_ce_default_activation_function", None)
    nested = config.get("sentence_transformers") or {}
    write_json(place / "config.json", {**config, "sentence_transformers": {**nested, **told}})
    settings = part / _SETTINGS
    if settings.is_file():
        write_json(settings, {**json.loads(settings.read_text("utf-8")), **told})


def _module_of(activation: str) -> str:
    return "linear" if activation == "Identity" else "activation"
