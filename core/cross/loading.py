"""A cross-encoder folder brought to life: offline, from safetensors only, without foreign code."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.cross.cross_encoder import CrossEncoder
from core.cross.folder import CrossFolder, is_cross_folder, read_cross_base, read_cross_folder
from core.cross.pairing import PairTokenizer, pair_tokenizer
from core.encoders.fingerprint import fingerprint_of
from core.encoders.transformer import (
    libraries,
    load_config,
    load_tokenizer,
    load_weights,
    most_tokens,
    moved_to,
    number_kind,
    refuse_missing,
    resolve_device,
    text_tokenizer,
    token_budget,
)
from core.errors import UserError

if TYPE_CHECKING:
    import torch

    from core.cross.forward import Forward

_WHAT = "cross-encoder"


@dataclass(frozen=True, slots=True)
class CrossParts:
    """The parts of a loaded cross-encoder; `load_cross_encoder` joins them, training takes them."""

    described: CrossFolder
    model: Any  # in evaluation mode, on `place`
    tokenizer: PairTokenizer
    forward: "Forward"
    labels: tuple[str, ...]
    activation: str  # one of ACTIVATIONS
    place: "torch.device"
    new_head: bool = False  # nothing has been learnt by it yet


def load_cross_encoder(
    folder: Path, *, device: str = "auto", precision: str = "fp32", threads: int | None = None
) -> CrossEncoder:
    """Load the cross-encoder in `folder` for `device` ("auto", "cpu", "cuda", "cuda:1").

    Takes seconds, reads every file once more for the fingerprint, and never connects anywhere.
    `threads` bounds torch's threads for the whole process. fp16 needs CUDA. Raises `UserError`
    for everything that is wrong with the folder or the choice.
    """
    described = read_cross_folder(folder)
    torch, transformers = libraries()
    if threads is not None:
        torch.set_num_threads(threads)
    place = resolve_device(device)
    model = load_cross_model(described, number_kind(precision, place))
    parts = _joined(described, model, place)
    forward = parts.forward
    return CrossEncoder(
        name=described.folder.name,
        folder=described.folder,
        labels=parts.labels,
        activation=parts.activation,
        max_tokens=parts.tokenizer.max_tokens,
        device=str(place),
        precision=precision,
        fingerprint=fingerprint_of(described.folder, described.files, precision=precision),
        settings={
            "prompt": described.prompt,
            "lower_case": described.lower_case,
            "batching": "packed, no padding" if forward.head else "padded, sorted by length",
            "last_layer": "first tokens" if forward.first_only else "all tokens",
            "threads": torch.get_num_threads(),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "notes": list(described.notes),
        },
        tokenizer=parts.tokenizer,
        prompt=described.prompt,
        forward=forward,
        budget=token_budget(parts.model, place, parts.tokenizer.max_tokens),
        counts_padding=forward.head is None,
    )


def load_cross_base(
    folder: Path, *, labels: Sequence[str] | None = None, device: str = "auto", seed: int = 0
) -> CrossParts:
    """Load in fp32 what a cross-encoder is taught from; `labels` are None where it tells a score.

    A cross-encoder with as many labels goes on from its head: labels of the same names keep their
    places, others are renamed. Of any other, of an encoder and of a plain backbone the layers are
    taken, and the seed draws the head as transformers does. Raises `UserError` for everything
    that is wrong with the folder.
    """
    described = read_cross_base(folder)
    torch, _ = libraries()
    place = resolve_device(device)
    config = load_config(described.transformer, _WHAT)
    wanted = 1 if labels is None else len(labels)
    goes_on = is_cross_folder(described.folder) and config.num_labels == wanted
    if goes_on:
        model = load_cross_model(described, torch.float32)
    else:
        config.num_labels = wanted
        model = _with_new_head(described, config, seed=seed)
    own = [str(model.config.id2label[place]) for place in range(wanted)]
    if labels is not None and set(own) != set(labels):
        model.config.id2label = dict(enumerate(labels))
        model.config.label2id = {name: place for place, name in enumerate(labels)}
    parts = _joined(described, model, place, new_head=not goes_on)
    return parts if wanted == 1 else replace(parts, activation="Softmax")


def load_pair_tokenizer(folder: Path) -> PairTokenizer:
    """Load what tells how long a pair is for the cross-encoder in a folder, or made of it.

    Without the weights, so in a moment once transformers is loaded. Raises `UserError` for
    everything that is wrong with the folder.
    """
    described = read_cross_base(folder)
    config = load_config(described.transformer, _WHAT)
    return _pair_tokenizer(described, config, load_tokenizer(described.transformer))


def load_cross_model(described: CrossFolder, kind: Any) -> Any:
    """Return the model of a folder with its head, on the processor, in torch's kind of number."""
    _, transformers = libraries()
    place = described.transformer
    loader = transformers.AutoModelForSequenceClassification
    model, missing = load_weights(place, load_config(place, _WHAT), loader, kind=kind, what=_WHAT)
    refuse_missing(place, missing)
    return model


def _with_new_head(described: CrossFolder, config: Any, *, seed: int) -> Any:
    torch, transformers = libraries()
    loader = transformers.AutoModelForSequenceClassification
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model, missing = load_weights(
            described.transformer, config, loader, kind=torch.float32, what=_WHAT, other_head=True
        )
    layers = f"{model.base_model_prefix}."
    body = [key for key in missing if key.startswith(layers) and "pooler" not in key]
    refuse_missing(described.transformer, body)
    return model


def _joined(
    described: CrossFolder, model: Any, place: "torch.device", *, new_head: bool = False
) -> CrossParts:
    from core.cross.forward import forward_of

    tokenizer = load_tokenizer(described.transformer)
    has_types = _has_types(model, tokenizer)
    pairs = _pair_tokenizer(described, model.config, tokenizer, has_types=has_types)
    model = moved_to(place, model, name=described.folder.name, what=_WHAT)
    labels = tuple(str(model.config.id2label[label]) for label in range(model.config.num_labels))
    return CrossParts(
        described=described,
        model=model,
        tokenizer=pairs,
        forward=forward_of(model, padding=pairs.texts.padding, has_types=has_types),
        labels=labels,
        activation=_activation(None if new_head else described.activation, len(labels)),
        place=place,
        new_head=new_head,
    )


def _pair_tokenizer(
    described: CrossFolder, config: Any, tokenizer: Any, *, has_types: bool = False
) -> PairTokenizer:
    pairs = pair_tokenizer(
        tokenizer,
        text_tokenizer(tokenizer, prompt="", lower_case=described.lower_case),
        max_tokens=most_tokens(described.max_tokens, config, tokenizer),
        has_types=has_types,
    )
    if pairs is None or pairs.room < 2:
        raise UserError(
            f"The cross-encoder {described.folder.name} leaves no room for two texts in a row.",
            "Correct model_max_length in its tokenizer_config.json, or use another.",
        )
    return pairs


def _has_types(model: Any, tokenizer: Any) -> bool:
    """Whether the tokenizer tells the types of tokens and the model listens."""
    told = "token_type_ids" in tokenizer.model_input_names
    return told and "token_type_ids" in inspect.signature(model.forward).parameters


def _activation(told: str | None, labels: int) -> str:
    if labels == 1:
        return told or "Sigmoid"
    # sentence-transformers writes Identity where nobody chose; shares of the labels are wanted.
    return "Softmax" if told in (None, "Identity") else told
