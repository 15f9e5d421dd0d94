"""How far a training that was cut off had come, from the heads of its checkpoints alone."""

import json
from pathlib import Path
from typing import Any

_LENGTH = 8  # bytes that tell how long the head of a safetensors file is
_LONGEST_HEAD = 100_000_000
_KEY = "samesense"  # under which a checkpoint keeps its plain values


def steps_reached(folder: Path) -> int:
    """Return the steps of all stages that the files of a folder have behind them.

    A stage that is through left `stage-N-done.safetensors`, one under way `stage-N.safetensors`.
    """
    return sum(_steps(file) for file in folder.glob("stage-*.safetensors"))


def _steps(file: Path) -> int:
    values = _values(file)
    return int(values.get("steps", values.get("step", 0)))


def _values(file: Path) -> dict[str, Any]:
    """The plain values of a checkpoint; none where the file is not whole."""
    try:
        with file.open("rb") as stream:
            length = int.from_bytes(stream.read(_LENGTH), "little")
            head = json.loads(stream.read(min(length, _LONGEST_HEAD)))
        told = json.loads(head["__metadata__"][_KEY])
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return told if isinstance(told, dict) else {}
