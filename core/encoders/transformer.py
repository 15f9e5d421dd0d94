"""A transformers model and its tokenizer from one folder, as encoders and cross-encoders share it.

Offline, from safetensors only, without foreign code.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.encoders.tokenizing import TextTokenizer
from core.errors import UserError
from core.freed_memory import keep_freed_memory

if TYPE_CHECKING:
    import torch

PRECISIONS = ("fp32", "bf16", "fp16")
_FEWEST_CUDA_TOKENS, _MOST_CUDA_TOKENS, _MOST_CPU_TOKENS = 4_096, 65_536, 4_096
_CPU_WORK, _CUDA_WORK = 4e10, 5e12  # operations in about half a second on modest hardware
_USUAL_MAX_TOKENS = 512


def libraries() -> tuple[Any, Any]:
    """Import torch and transformers, which then stay silent and never connect anywhere."""
    os.environ["HF_HUB_OFFLINE"] = "1"  # read once, when transformers is first imported
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    import torch
    import transformers

    logging: Any = transformers.utils.logging
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    return torch, transformers


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


def number_kind(precision: str, place: "torch.device") -> "torch.dtype":
    """Turn the name of a precision into torch's, where the device can compute in it."""
    import torch

    if precision not in PRECISIONS:
        raise UserError(f"There is no precision {precision}.", f"Use {', '.join(PRECISIONS)}.")
    if precision == "fp16" and place.type != "cuda":
        raise UserError("fp16 needs a CUDA device.", "Use bf16 or fp32.")
    return {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]


def load_config(folder: Path, what: str) -> Any:
    """Return transformers' configuration of a folder; `what` names the folder in errors."""
    _, transformers = libraries()
    try:
        return transformers.AutoConfig.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
    except Exception as error:
        raise _not_loaded(folder, what, error) from error


def load_weights(
    folder: Path, config: Any, loader: Any, *, kind: Any, what: str, other_head: bool = False
) -> tuple[Any, list[str]]:
    """Return the model that `loader` makes of a folder, and which of its weights are missing.

    With `other_head` weights of another shape than the model wants are as if they were missing.
    """
    try:
        model, report = loader.from_pretrained(
            str(folder),
            config=config,
            dtype=kind,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
            ignore_mismatched_sizes=other_head,
        )
    except Exception as error:
        raise _not_loaded(folder, what, error) from error
    return model, sorted(report["missing_keys"])


def refuse_missing(folder: Path, missing: list[str]) -> None:
    """Raise `UserError` where weights are missing."""
    if missing:
        raise UserError(
            f"The weights in {folder} are incomplete: {len(missing)} parts are missing, "
            f"such as {missing[0]}.",
            "Fetch the encoder's folder again.",
        )


def moved_to(place: "torch.device", model: Any, *, name: str, what: str) -> Any:
    """Return the model in evaluation mode on its device."""
    import torch

    if place.type == "cpu":
        keep_freed_memory()
    try:
        return model.to(place).eval()
    except torch.OutOfMemoryError as error:
        raise UserError(
            f"The {what} {name} does not fit into the memory of {place}.",
            "Close other programs that use it, or encode on the processor (device cpu).",
        ) from error


def load_tokenizer(folder: Path) -> Any:
    """Return the fast tokenizer of a folder."""
    _, transformers = libraries()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False, use_fast=True
        )
    except Exception as error:
        raise UserError(
            f"The tokenizer in {folder} could not be loaded: {_first_line(error)}",
            "Check that tokenizer.json is there and whole.",
        ) from error
    if not tokenizer.is_fast:
        raise UserError(
            f"The tokenizer in {folder} exists in Python only, which is too slow for a corpus.",
            "Use an encoder whose folder holds tokenizer.json.",
        )
    return tokenizer


def text_tokenizer(tokenizer: Any, *, prompt: str, lower_case: bool) -> TextTokenizer:
    """Return the tokenizer of texts that a fast tokenizer of transformers holds."""
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    bare = backend.encode("a", add_special_tokens=False).ids
    whole = backend.encode("a", add_special_tokens=True).ids
    start = next(place for place in range(len(whole)) if whole[place : place + len(bare)] == bare)
    read = prompt.lower() if lower_case else prompt
    unknown, padding = tokenizer.unk_token_id, tokenizer.pad_token_id
    return TextTokenizer(
        backend=backend,
        before=np.array(whole[:start], np.int32),
        after=np.array(whole[start + len(bare) :], np.int32),
        unknown=-1 if unknown is None else int(unknown),
        padding=0 if padding is None else int(padding),
        lower_case=lower_case,
        prompt=prompt,
        prompt_tokens=len(backend.encode(read, add_special_tokens=False).ids) if read else 0,
    )


def most_tokens(told: int | None, config: Any, tokenizer: Any) -> int:
    """Return how many tokens the model reads at once; `told` is what the folder says itself."""
    from core.encoders.packing import first_position

    bounds = [told, getattr(config, "max_position_embeddings", None)]
    if bounds[1] is not None:
        bounds[1] -= first_position(config)
    if told is None and tokenizer.model_max_length < 1_000_000:
        bounds.append(tokenizer.model_max_length)
    known = [int(bound) for bound in bounds if bound]
    return min(known) if known else _USUAL_MAX_TOKENS


def token_budget(model: Any, place: "torch.device", max_tokens: int) -> int:
    """Return how many tokens make a batch of about half a second on modest hardware."""
    table = model.get_input_embeddings().weight.numel()
    weights = max(1, sum(part.numel() for part in model.parameters()) - table)
    if place.type == "cuda":
        fitting = int(_CUDA_WORK / (2 * weights))
        return max(max_tokens, _FEWEST_CUDA_TOKENS, min(fitting, _MOST_CUDA_TOKENS))
    return max(max_tokens, min(int(_CPU_WORK / (2 * weights)), _MOST_CPU_TOKENS))


def _not_loaded(folder: Path, what: str, error: Exception) -> UserError:
    return UserError(
        f"The {what} in {folder} could not be loaded: {_first_line(error)}",
        "Check that the folder is complete and needs no code of its own.",
    )


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
