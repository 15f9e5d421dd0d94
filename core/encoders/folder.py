"""What an encoder folder says about itself; only JSON is read here."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import UserError

POOLINGS = ("mean", "max", "cls", "lasttoken")
ACTIVATIONS = ("Identity", "Tanh", "ReLU", "GELU", "Sigmoid", "SiLU")

_OLD_POOLING_KEYS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
_LENGTH_FILES = (
    "sentence_bert_config.json",
    "sentence_roberta_config.json",
    "sentence_distilbert_config.json",
    "sentence_camembert_config.json",
    "sentence_albert_config.json",
    "sentence_xlm-roberta_config.json",
    "sentence_xlnet_config.json",
)
_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "sentencepiece.bpe.model",
    "spiece.model",
    "tokenizer.model",
)


@dataclass(frozen=True, slots=True)
class Normalizing:
    """The step that brings a vector to length 1."""


@dataclass(frozen=True, slots=True)
class DenseLayer:
    """The step that puts a vector through a linear layer and an activation."""

    weights: Path
    activation: str  # one of ACTIVATIONS


@dataclass(frozen=True, slots=True)
class EncoderFolder:
    """How a folder wants its texts encoded; `files` are all that decide about a vector."""

    folder: Path
    transformer: Path
    poolings: tuple[str, ...]  # put side by side where there are several
    steps: tuple[Normalizing | DenseLayer, ...]  # after pooling, in order
    max_tokens: int | None  # None: the folder does not say
    lower_case: bool
    prompt: str
    files: tuple[Path, ...]
    notes: tuple[str, ...]  # sentences about what was assumed


def read_folder(folder: Path) -> EncoderFolder:
    """Read a sentence-transformers folder, or a plain transformers folder with mean pooling.

    Raises `UserError` where the folder is no encoder, or asks for something that is not
    supported: code of its own, pickled weights, an unknown module or pooling.
    """
    folder = folder.expanduser().resolve()  # modules must lie inside, wherever a link leads
    if (folder / "modules.json").is_file():
        return _read_modules(folder)
    if not (folder / "config.json").is_file():
        raise UserError(
            f"{folder} is not the folder of an encoder: it holds no modules.json or config.json.",
            "Choose the folder that holds config.json and model.safetensors.",
        )
    return EncoderFolder(
        folder=folder,
        transformer=folder,
        poolings=("mean",),
        steps=(),
        max_tokens=None,
        lower_case=False,
        prompt="",
        files=transformer_files(folder),
        notes=("The folder names no pooling: the mean over all tokens is used.",),
    )


def read_json(file: Path, *, kind: type = dict) -> Any:
    """Return what a JSON file holds; raise `UserError` where it is missing or no such value."""
    try:
        held = json.loads(file.read_text("utf-8"))
        if not isinstance(held, kind):
            raise _misshapen(file, f"it holds no {'list' if kind is list else 'object'}")
        return held
    except FileNotFoundError as error:
        raise UserError(
            f"The encoder's file {file} is missing.", "Fetch the encoder's folder again."
        ) from error
    except (ValueError, RecursionError) as error:
        raise UserError(
            f"The encoder's file {file} is damaged: it is not JSON ({error}).",
            "Fetch the encoder's folder again.",
        ) from error


def _misshapen(file: Path, why: str) -> UserError:
    return UserError(
        f"The encoder's file {file} is damaged: {why}.", "Fetch the encoder's folder again."
    )


def _read_modules(folder: Path) -> EncoderFolder:
    modules = list(listed_modules(folder))
    kinds = [kind for kind, _ in modules]
    if kinds[:2] != ["Transformer", "Pooling"]:
        raise UserError(
            f"The encoder {folder.name} is built as {' → '.join(kinds) or 'nothing'}.",
            "Samesense reads encoders that begin with a Transformer followed by Pooling.",
        )
    transformer, pooling = modules[0][1], modules[1][1]
    prompt, notes = default_prompt(folder)
    length_file, max_tokens, lower_case = told_lengths(transformer)
    files = [folder / "modules.json", *transformer_files(transformer), pooling / "config.json"]
    if length_file:
        files.append(length_file)
    if (folder / "config_sentence_transformers.json").is_file():
        files.append(folder / "config_sentence_transformers.json")
    steps: list[Normalizing | DenseLayer] = []
    for kind, place in modules[2:]:
        if kind == "Normalize":
            steps.append(Normalizing())
        elif kind == "Dense":
            steps.append(_dense(place))
            files += [place / "config.json", place / "model.safetensors"]
        elif kind != "Dropout":  # it does nothing outside training
            raise _unsupported(folder, kind)
    return EncoderFolder(
        folder=folder,
        transformer=transformer,
        poolings=_poolings(pooling / "config.json", prompt=prompt),
        steps=tuple(steps),
        max_tokens=max_tokens,
        lower_case=lower_case,
        prompt=prompt,
        files=tuple(files),
        notes=notes,
    )


def told_lengths(transformer: Path) -> tuple[Path | None, int | None, bool]:
    """Return which file tells how much is read at once, the most tokens, and if in lower case."""
    file = next(
        (transformer / name for name in _LENGTH_FILES if (transformer / name).is_file()), None
    )
    if file is None:
        return None, None, False
    told = read_json(file)
    most = told.get("max_seq_length")
    if most is not None and (not isinstance(most, int) or most < 1):
        raise _misshapen(file, f"max_seq_length is {most!r}")
    return file, most, bool(told.get("do_lower_case", False))


def listed_modules(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the place of each module of a sentence-transformers folder, in order."""
    file = folder / "modules.json"
    listed = read_json(file, kind=list)
    for module in listed:
        wanted = (("idx", int), ("type", str), ("path", str))
        whole = isinstance(module, dict) and all(
            isinstance(module.get(key), kind) for key, kind in wanted
        )
        if not whole:
            raise _misshapen(file, "a module has no idx, type and path")
    for module in sorted(listed, key=lambda entry: int(entry["idx"])):
        kind = str(module["type"])
        if not kind.startswith("sentence_transformers."):
            raise _unsupported(folder, kind)
        place = (folder / module["path"]).resolve()
        if not place.is_relative_to(folder):
            raise UserError(
                f"The encoder {folder.name} points outside its own folder ({module['path']}).",
                "Use an encoder that is whole in one folder.",
            )
        yield kind.rpartition(".")[2], place


def _unsupported(folder: Path, kind: str) -> UserError:
    return UserError(
        f"The encoder {folder.name} needs the module {kind}, which Samesense does not run.",
        "Use an encoder made of Transformer, Pooling, Dense and Normalize only.",
    )


def _poolings(file: Path, *, prompt: str) -> tuple[str, ...]:
    config: Mapping[str, Any] = read_json(file)
    mode = config.get("pooling_mode")
    if mode is None:
        mode = [name for key, name in _OLD_POOLING_KEYS.items() if config.get(key)] or "mean"
    modes = tuple(mode) if isinstance(mode, list) else (mode,)
    for name in modes:
        if name not in POOLINGS:
            raise UserError(
                f"The encoder pools its tokens by “{name}”, which Samesense does not know.",
                f"Use an encoder with one of these poolings: {', '.join(POOLINGS)}.",
            )
    if prompt and not config.get("include_prompt", True):
        raise UserError(
            "The encoder leaves its prompt out of the pooling, which Samesense does not do.",
            "Use an encoder without a default prompt.",
        )
    return modes


def default_prompt(folder: Path) -> tuple[str, tuple[str, ...]]:
    """Return what a folder puts before texts, and the sentences that tell so."""
    file = folder / "config_sentence_transformers.json"
    config: Mapping[str, Any] = read_json(file) if file.is_file() else {}
    name = config.get("default_prompt_name")
    if name is None:
        return "", ()
    prompts = config.get("prompts")
    if not isinstance(prompts, dict) or name not in prompts:
        raise UserError(
            f"The encoder {folder.name} names the default prompt “{name}” but does not hold it.",
            "Correct prompts in its config_sentence_transformers.json.",
        )
    prompt = str(prompts[name])
    note = f"The encoder's default prompt “{name}” is put before every text: {prompt!r}."
    return prompt, ((note,) if prompt else ())


def _dense(place: Path) -> DenseLayer:
    config: Mapping[str, Any] = read_json(place / "config.json")
    activation = str(config.get("activation_function") or "torch.nn.Identity")
    name = activation.rpartition(".")[2]
    reads = config.get("module_input_name") or "sentence_embedding"
    writes = config.get("module_output_name") or reads
    if name not in ACTIVATIONS or not activation.startswith("torch.nn."):
        raise UserError(
            f"The encoder's dense layer asks for the activation {activation}.",
            f"Samesense knows {', '.join(ACTIVATIONS)}.",
        )
    if config.get("use_residual") or (reads, writes) != ("sentence_embedding",) * 2:
        raise UserError(
            "The encoder's dense layer is wired in a way that Samesense does not know.",
            "Use an encoder whose dense layers follow its pooling, without a residual.",
        )
    _require_safetensors(place)
    return DenseLayer(place / "model.safetensors", name)


def transformer_files(place: Path) -> tuple[Path, ...]:
    """Return the files of configuration, weights and tokenizer; refuse pickles and adapters."""
    if not (place / "config.json").is_file():
        raise UserError(
            f"The encoder's file {place / 'config.json'} is missing.",
            "Fetch the encoder's folder again.",
        )
    if (place / "adapter_config.json").is_file():
        raise UserError(
            f"The folder {place} holds an adapter, not whole weights.",
            "Merge the adapter into its model, save that, and use its folder.",
        )
    tokenizer = [place / name for name in _TOKENIZER_FILES if (place / name).is_file()]
    return (place / "config.json", *_require_safetensors(place), *tokenizer)


def _require_safetensors(place: Path) -> tuple[Path, ...]:
    if (place / "model.safetensors").is_file():
        return (place / "model.safetensors",)
    index = place / "model.safetensors.index.json"
    if index.is_file():
        weights = read_json(index).get("weight_map")
        if not isinstance(weights, dict) or not all(isinstance(v, str) for v in weights.values()):
            raise _misshapen(index, "it names no files of weights")
        names = sorted(set(weights.values()))
        return (index, *(place / name for name in names))
    if any(place.glob("pytorch_model*.bin")):
        raise UserError(
            f"The encoder in {place} has its weights as pytorch_model.bin only. That is a pickle, "
            "and opening a pickle can run any code hidden in it, so it was not opened.",
            "Get the same encoder with model.safetensors, or convert it where you trust it.",
        )
    raise UserError(
        f"There are no weights in {place}: model.safetensors is missing.",
        "Choose the folder that holds config.json and model.safetensors.",
    )
