"""An encoder folder brought to life: offline, from safetensors only, without foreign code."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.encoders.encoder import Encoder
from core.encoders.fingerprint import fingerprint_of
from core.encoders.folder import EncoderFolder, read_folder
from core.encoders.tokenizing import TextTokenizer
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

    from core.encoders.packing import Run
    from core.encoders.pooling import Pooler


@dataclass(frozen=True, slots=True)
class EncoderParts:
    """The parts of a loaded encoder; `load_encoder` joins them for use, training takes them."""

    described: EncoderFolder
    config: Any
    model: Any  # in evaluation mode, on `place`
    tokenizer: TextTokenizer
    pooler: "Pooler"
    place: "torch.device"
    max_tokens: int  # of one window, special tokens included
    packed: bool
    first_position: int

    def states(self, row: "torch.Tensor", runs: list["Run"]) -> "Iterator[torch.Tensor]":
        """Yield the last hidden states of each run; a graph is kept where torch keeps one."""
        from core.encoders import packing

        if self.packed:
            return packing.packed_states(self.model, row, runs, first_position=self.first_position)
        return packing.padded_states(self.model, row, runs, padding=self.tokenizer.padding)


def load_encoder(
    folder: Path, *, device: str = "auto", precision: str = "fp32", threads: int | None = None
) -> Encoder:
    """Load the encoder in `folder` for `device` ("auto", "cpu", "cuda", "cuda:1").

    Takes seconds, reads every file once more for the fingerprint, and never connects anywhere.
    `threads` bounds torch's threads for the whole process. fp16 needs CUDA. Raises `UserError`
    for everything that is wrong with the folder or the choice.
    """
    parts = load_parts(folder, device=device, precision=precision, threads=threads)
    import torch
    import transformers

    described = parts.described
    return Encoder(
        name=described.folder.name,
        folder=described.folder,
        dimension=parts.pooler.dimension,
        max_tokens=parts.max_tokens,
        device=str(parts.place),
        precision=precision,
        fingerprint=fingerprint_of(described.folder, described.files, precision=precision),
        settings={
            "pooling": "+".join(described.poolings),
            "steps_after_pooling": [type(step).__name__ for step in described.steps],
            "prompt": described.prompt,
            "lower_case": described.lower_case,
            "batching": "packed, no padding" if parts.packed else "padded, sorted by length",
            "threads": torch.get_num_threads(),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "notes": list(described.notes),
        },
        tokenizer=parts.tokenizer,
        forward=_forward(parts),
        budget=token_budget(parts.model, parts.place, parts.max_tokens),
        counts_padding=not parts.packed,
    )


def load_parts(
    folder: Path, *, device: str = "auto", precision: str = "fp32", threads: int | None = None
) -> EncoderParts:
    """Load the parts of the encoder in `folder`; arguments and errors are `load_encoder`'s."""
    described = read_folder(folder)
    torch, transformers = libraries()
    from core.encoders.packing import first_position, prepare_packing

    if threads is not None:
        torch.set_num_threads(threads)
    place = resolve_device(device)
    config, model = _load_model(described, transformers, number_kind(precision, place))
    tokenizer = load_tokenizer(described.transformer)
    model = moved_to(place, model, name=described.folder.name, what="encoder")
    texts = text_tokenizer(tokenizer, prompt=described.prompt, lower_case=described.lower_case)
    max_tokens = most_tokens(described.max_tokens, config, tokenizer)
    if max_tokens <= texts.specials:
        raise UserError(
            f"The encoder {described.folder.name} reads at most {max_tokens} tokens at once, "
            "which leaves no room for a text.",
            "Correct max_seq_length in its sentence_bert_config.json.",
        )
    return EncoderParts(
        described=described,
        config=config,
        model=model,
        tokenizer=texts,
        pooler=_pooler(described, config, place),
        place=place,
        max_tokens=max_tokens,
        packed=prepare_packing(model),
        first_position=first_position(config),
    )


def _load_model(described: EncoderFolder, transformers: Any, kind: Any) -> tuple[Any, Any]:
    place = described.transformer
    config = load_config(place, "encoder")
    loader: Any = transformers.AutoModel
    if config.model_type in ("t5", "mt5"):  # AutoModel would bring the decoder along
        loader = getattr(transformers, f"{config.model_type.upper()}EncoderModel")
    model, missing = load_weights(place, config, loader, kind=kind, what="encoder")
    refuse_missing(place, [key for key in missing if "pooler" not in key])
    if config.is_encoder_decoder and loader is transformers.AutoModel:
        raise UserError(
            f"The model in {place} ({config.model_type}) writes texts; it is no encoder.",
            "Use the folder of a text encoder.",
        )
    return config, model


def _pooler(described: EncoderFolder, config: Any, place: Any) -> "Pooler":
    from core.encoders.pooling import Pooler

    hidden = getattr(config, "hidden_size", None) or config.d_model
    return Pooler(described.poolings, described.steps, hidden=hidden, device=place)


def _forward(
    parts: EncoderParts,
) -> Callable[[NDArray[np.int32], NDArray[np.int64]], NDArray[np.float32]]:
    import torch

    from core.encoders.packing import runs_of

    def forward(tokens: NDArray[np.int32], lengths: NDArray[np.int64]) -> NDArray[np.float32]:
        with torch.inference_mode():
            row = torch.from_numpy(tokens.astype(np.int64)).to(parts.place)
            states = parts.states(row, runs_of(lengths))
            vectors: NDArray[np.float32] = parts.pooler(states).cpu().numpy()
        return vectors

    return forward
