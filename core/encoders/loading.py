"""An encoder folder brought to life: offline, from safetensors only, without foreign code."""

import os
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
from core.errors import UserError

if TYPE_CHECKING:
    import torch

    from core.encoders.packing import Run
    from core.encoders.pooling import Pooler

PRECISIONS = ("fp32", "bf16", "fp16")
_FEWEST_CUDA_TOKENS, _MOST_CUDA_TOKENS, _MOST_CPU_TOKENS = 4_096, 65_536, 4_096
_CPU_WORK, _CUDA_WORK = 4e10, 5e12  # operations in about half a second on modest hardware
_USUAL_MAX_TOKENS = 512


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
        budget=_budget(parts.model, parts.place, parts.max_tokens),
        counts_padding=not parts.packed,
    )


def load_parts(
    folder: Path, *, device: str = "auto", precision: str = "fp32", threads: int | None = None
) -> EncoderParts:
    """Load the parts of the encoder in `folder`; arguments and errors are `load_encoder`'s."""
    described = read_folder(folder.expanduser().resolve())
    torch, transformers = _libraries()
    if threads is not None:
        torch.set_num_threads(threads)
    place = resolve_device(device)
    if precision not in PRECISIONS:
        raise UserError(f"There is no precision {precision}.", f"Use {', '.join(PRECISIONS)}.")
    if precision == "fp16" and place.type != "cuda":
        raise UserError("fp16 needs a CUDA device.", "Use bf16 or fp32.")
    kind = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]
    config, model = _load_model(described, transformers, kind)
    tokenizer = _load_tokenizer(described, transformers)
    try:
        model = model.to(place).eval()
    except torch.OutOfMemoryError as error:
        raise UserError(
            f"The encoder {described.folder.name} does not fit into the memory of {place}.",
            "Close other programs that use it, or encode on the processor (device cpu).",
        ) from error
    text_tokenizer = _text_tokenizer(described, tokenizer)
    max_tokens = _max_tokens(described, config, tokenizer)
    if max_tokens <= text_tokenizer.specials:
        raise UserError(
            f"The encoder {described.folder.name} reads at most {max_tokens} tokens at once, "
            "which leaves no room for a text.",
            "Correct max_seq_length in its sentence_bert_config.json.",
        )
    packed, first_position = _prepare_packing(config, model)
    return EncoderParts(
        described=described,
        config=config,
        model=model,
        tokenizer=text_tokenizer,
        pooler=_pooler(described, config, place),
        place=place,
        max_tokens=max_tokens,
        packed=packed,
        first_position=first_position,
    )


def resolve_device(device: str) -> "torch.device":
    """Turn the name of a device into one that is there; "auto" prefers CUDA."""
    import torch

    if device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        place = torch.device(device)
    except RuntimeError as error:
        raise UserError(f"There is no device called {device}.", "Use auto, cpu or cuda.") from error
    if place.type == "cuda" and (place.index or 0) >= torch.cuda.device_count():
        raise UserError(
            f"The device {device} is not there: torch sees no such CUDA device.",
            "Use the device cpu, or check the driver.",
        )
    return place


def _libraries() -> tuple[Any, Any]:
    os.environ["HF_HUB_OFFLINE"] = "1"  # read once, when transformers is first imported
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    import torch
    import transformers

    logging: Any = transformers.utils.logging
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    return torch, transformers


def _load_model(described: EncoderFolder, transformers: Any, kind: Any) -> tuple[Any, Any]:
    place = str(described.transformer)
    try:
        config = transformers.AutoConfig.from_pretrained(
            place, local_files_only=True, trust_remote_code=False
        )
        loader: Any = transformers.AutoModel
        if config.model_type in ("t5", "mt5"):  # AutoModel would bring the decoder along
            loader = getattr(transformers, f"{config.model_type.upper()}EncoderModel")
        model, report = loader.from_pretrained(
            place,
            config=config,
            dtype=kind,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
        )
    except Exception as error:
        raise UserError(
            f"The encoder in {place} could not be loaded: {_first_line(error)}",
            "Check that the folder is complete and needs no code of its own.",
        ) from error
    missing = sorted(key for key in report["missing_keys"] if "pooler" not in key)
    if missing:
        raise UserError(
            f"The weights in {place} are incomplete: {len(missing)} parts are missing, "
            f"such as {missing[0]}.",
            "Fetch the encoder's folder again.",
        )
    if config.is_encoder_decoder and loader is transformers.AutoModel:
        raise UserError(
            f"The model in {place} ({config.model_type}) writes texts; it is no encoder.",
            "Use the folder of a text encoder.",
        )
    return config, model


def _load_tokenizer(described: EncoderFolder, transformers: Any) -> Any:
    place = str(described.transformer)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            place, local_files_only=True, trust_remote_code=False, use_fast=True
        )
    except Exception as error:
        raise UserError(
            f"The tokenizer in {place} could not be loaded: {_first_line(error)}",
            "Check that tokenizer.json is there and whole.",
        ) from error
    if not tokenizer.is_fast:
        raise UserError(
            f"The tokenizer in {place} exists in Python only, which is too slow for a corpus.",
            "Use an encoder whose folder holds tokenizer.json.",
        )
    return tokenizer


def _text_tokenizer(described: EncoderFolder, tokenizer: Any) -> TextTokenizer:
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    bare = backend.encode("a", add_special_tokens=False).ids
    whole = backend.encode("a", add_special_tokens=True).ids
    start = next(place for place in range(len(whole)) if whole[place : place + len(bare)] == bare)
    prompt = described.prompt.lower() if described.lower_case else described.prompt
    unknown, padding = tokenizer.unk_token_id, tokenizer.pad_token_id
    return TextTokenizer(
        backend=backend,
        before=np.array(whole[:start], np.int32),
        after=np.array(whole[start + len(bare) :], np.int32),
        unknown=-1 if unknown is None else int(unknown),
        padding=0 if padding is None else int(padding),
        lower_case=described.lower_case,
        prompt=described.prompt,
        prompt_tokens=len(backend.encode(prompt, add_special_tokens=False).ids) if prompt else 0,
    )


def _prepare_packing(config: Any, model: Any) -> tuple[bool, int]:
    from core.encoders import packing

    packing.register_packed_attention()
    first_position = _first_position(config)
    packed = config.model_type in packing.PACKABLE and packing.packing_agrees(
        model, first_position=first_position, avoid=getattr(config, "pad_token_id", None) or 0
    )
    return packed, first_position


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


def _first_position(config: Any) -> int:
    from core.encoders.packing import OFFSET_POSITIONS

    if config.model_type not in OFFSET_POSITIONS:
        return 0
    # MPNet fixes its padding index in code, whatever the config says.
    return 2 if config.model_type == "mpnet" else int(config.pad_token_id) + 1


def _max_tokens(described: EncoderFolder, config: Any, tokenizer: Any) -> int:
    bounds = [described.max_tokens, getattr(config, "max_position_embeddings", None)]
    if bounds[1] is not None:
        bounds[1] -= _first_position(config)
    if described.max_tokens is None and tokenizer.model_max_length < 1_000_000:
        bounds.append(tokenizer.model_max_length)
    known = [int(bound) for bound in bounds if bound]
    return min(known) if known else _USUAL_MAX_TOKENS


def _budget(model: Any, place: Any, max_tokens: int) -> int:
    table = model.get_input_embeddings().weight.numel()
    weights = max(1, sum(part.numel() for part in model.parameters()) - table)
    if place.type == "cuda":
        fitting = int(_CUDA_WORK / (2 * weights))
        return max(max_tokens, _FEWEST_CUDA_TOKENS, min(fitting, _MOST_CUDA_TOKENS))
    return max(max_tokens, min(int(_CPU_WORK / (2 * weights)), _MOST_CPU_TOKENS))


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
