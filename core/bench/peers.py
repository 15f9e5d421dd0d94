"""Other programs to compare with: loaded only when they are asked for, never connected."""

import importlib
import os
from typing import Any

from core.bench.machine import Machine, work_device

_NAMES = {"sentence_transformers": "sentence-transformers"}


def load_peer(module: str) -> Any | None:
    """Import a peer without a network; None where it, or something it needs, is missing."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def told_missing(module: str) -> str:
    """Say that a peer was left out."""
    name = _NAMES.get(module, module)
    return f"{name} is not installed and was left out; the extra “peers” of samesense brings it."


def peer_precisions(machine: Machine) -> dict[str, Any]:
    """Return torch's kinds of number, by name, in which a peer may be fastest on a machine."""
    import torch

    kinds = {"fp32": torch.float32}
    device = work_device()
    if any(name.endswith("bf16") for name in machine.instruction_sets) or device == "cuda":
        kinds["bf16"] = torch.bfloat16
    if device == "cuda":
        kinds["fp16"] = torch.float16
    return kinds
