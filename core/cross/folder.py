"""What a cross-encoder folder says about itself; only JSON is read here."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.cross.activations import ACTIVATIONS
from core.encoders.folder import (
    default_prompt,
    listed_modules,
    read_folder,
    read_json,
    told_lengths,
    transformer_files,
)
from core.errors import UserError

_SETTINGS = "config_sentence_transformers.json"
_CLASSIFIES = "ForSequenceClassification"


@dataclass(frozen=True, slots=True)
class CrossFolder:
    """How a folder wants its pairs scored; `files` are all that decide about a score."""

    folder: Path
    transformer: Path
    activation: str | None  # one of ACTIVATIONS; None: what the number of labels asks for
    max_tokens: int | None  # None: the folder does not say
    lower_case: bool
    prompt: str  # before the first text of a pair
    files: tuple[Path, ...]
    notes: tuple[str, ...]  # sentences about what was assumed


def read_cross_folder(folder: Path) -> CrossFolder:
    """Read a cross-encoder folder of sentence-transformers or plain transformers.

    Raises `UserError` where the folder is no cross-encoder, or asks for something that is not
    supported: code of its own, pickled weights, an unknown module or activation.
    """
    folder = folder.expanduser().resolve()  # modules must lie inside, wherever a link leads
    files: list[Path] = []
    transformer = folder
    if (folder / "modules.json").is_file():
        modules = list(listed_modules(folder))
        kinds = [kind for kind, _ in modules]
        if kinds != ["Transformer"]:
            raise _no_cross_encoder(folder, f"it is built as {' → '.join(kinds) or 'nothing'}")
        transformer = modules[0][1]
        files.append(folder / "modules.json")
    elif not (folder / "config.json").is_file():
        raise _no_cross_encoder(folder, "it holds no modules.json or config.json")
    files += transformer_files(transformer)
    config = read_json(transformer / "config.json")
    named = _architecture(config)
    if not named.endswith(_CLASSIFIES):
        raise _no_cross_encoder(folder, f"its model is a {named or 'model without a name'}")
    settings: Mapping[str, Any] = {}
    if (folder / _SETTINGS).is_file():
        settings = read_json(folder / _SETTINGS)
        files.append(folder / _SETTINGS)
    prompt, notes = default_prompt(folder)
    length_file, max_tokens, lower_case = told_lengths(transformer)
    if length_file:
        files.append(length_file)
    return CrossFolder(
        folder=folder,
        transformer=transformer,
        activation=_activation(config, settings),
        max_tokens=max_tokens,
        lower_case=lower_case,
        prompt=prompt,
        files=tuple(files),
        notes=notes,
    )


def read_cross_base(folder: Path) -> CrossFolder:
    """Read what a cross-encoder can be made of: another one, an encoder, or a plain backbone.

    Of an encoder its layers and its tokenizer are taken, not what follows them, and a pair may
    fill all that the layers read, whatever the encoder says of a single text. Raises `UserError`
    where the folder is none of these, as the readers of each do.
    """
    folder = folder.expanduser().resolve()
    if is_cross_folder(folder):
        return read_cross_folder(folder)
    encoder = read_folder(folder)
    return CrossFolder(
        folder=folder,
        transformer=encoder.transformer,
        activation=None,
        max_tokens=None,
        lower_case=encoder.lower_case,
        prompt="",
        files=transformer_files(encoder.transformer),
        notes=(),
    )


def is_cross_folder(folder: Path) -> bool:
    """Whether the model of a folder is made for sequence classification.

    Raises `UserError` where its JSON is damaged.
    """
    folder = folder.expanduser().resolve()
    transformer = folder
    if (folder / "modules.json").is_file():
        transformer = next((place for _, place in listed_modules(folder)), folder)
    if not (transformer / "config.json").is_file():
        return False
    return _architecture(read_json(transformer / "config.json")).endswith(_CLASSIFIES)


def _architecture(config: Mapping[str, Any]) -> str:
    named = config.get("architectures") or [""]
    return str(named[0])


def _activation(config: Mapping[str, Any], settings: Mapping[str, Any]) -> str | None:
    """The activation by name; three releases of sentence-transformers keep it in three places."""
    nested = config.get("sentence_transformers")
    told = (
        settings.get("activation_fn")
        or (nested.get("activation_fn") if isinstance(nested, dict) else None)
        or config.get("sbert_ce_default_activation_function")
    )
    if told is None:
        return None
    name = str(told).rpartition(".")[2]
    if name not in ACTIVATIONS or not str(told).startswith("torch.nn."):
        raise UserError(
            f"The cross-encoder asks for the activation {told}.",
            f"Samesense knows {', '.join(ACTIVATIONS)}.",
        )
    return name


def _no_cross_encoder(folder: Path, why: str) -> UserError:
    return UserError(
        f"{folder} is not the folder of a cross-encoder: {why}.",
        "Choose a folder whose model is made for sequence classification.",
    )
