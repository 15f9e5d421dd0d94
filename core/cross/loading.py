"""A cross-encoder folder brought to life: offline, from safetensors only, without foreign code."""

import inspect
from pathlib import Path
from typing import Any

from core.cross.cross_encoder import CrossEncoder
from core.cross.folder import CrossFolder, read_cross_folder
from core.cross.pairing import pair_tokenizer
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

_WHAT = "cross-encoder"


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
    from core.cross.forward import forward_of

    if threads is not None:
        torch.set_num_threads(threads)
    place = resolve_device(device)
    model = load_cross_model(described, number_kind(precision, place))
    tokenizer = load_tokenizer(described.transformer)
    has_types = _has_types(model, tokenizer)
    texts = text_tokenizer(tokenizer, prompt="", lower_case=described.lower_case)
    pairs = pair_tokenizer(
        tokenizer,
        texts,
        max_tokens=most_tokens(described.max_tokens, model.config, tokenizer),
        has_types=has_types,
    )
    if pairs is None or pairs.room < 2:
        raise UserError(
            f"The cross-encoder {described.folder.name} leaves no room for two texts in a row.",
            "Correct model_max_length in its tokenizer_config.json, or use another.",
        )
    model = moved_to(place, model, name=described.folder.name, what=_WHAT)
    budget = token_budget(model, place, pairs.max_tokens)
    forward = forward_of(model, padding=texts.padding, has_types=has_types)
    labels = tuple(str(model.config.id2label[label]) for label in range(model.config.num_labels))
    return CrossEncoder(
        name=described.folder.name,
        folder=described.folder,
        labels=labels,
        activation=_activation(described, len(labels)),
        max_tokens=pairs.max_tokens,
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
        tokenizer=pairs,
        prompt=described.prompt,
        forward=forward,
        budget=budget,
        counts_padding=forward.head is None,
    )


def load_cross_model(described: CrossFolder, kind: Any) -> Any:
    """Return the model of a folder with its head, on the processor, in torch's kind of number."""
    _, transformers = libraries()
    place = described.transformer
    loader = transformers.AutoModelForSequenceClassification
    model, missing = load_weights(place, load_config(place, _WHAT), loader, kind=kind, what=_WHAT)
    refuse_missing(place, missing)
    return model


def _has_types(model: Any, tokenizer: Any) -> bool:
    """Whether the tokenizer tells the types of tokens and the model listens."""
    told = "token_type_ids" in tokenizer.model_input_names
    return told and "token_type_ids" in inspect.signature(model.forward).parameters


def _activation(described: CrossFolder, labels: int) -> str:
    if labels == 1:
        return described.activation or "Sigmoid"
    # sentence-transformers writes Identity where nobody chose; shares of the labels are wanted.
    return "Softmax" if described.activation in (None, "Identity") else described.activation
