"""Which weights stay as they are: the embeddings and the lowest layers, told by their names."""

import re
from collections.abc import Iterable

from core.errors import UserError

# As transformers names the layers of a model, lowest 0: encoder.layer.3., layers.3., block.3.
_LAYER = re.compile(r"(?:^|\.)(?:layer|layers|block)\.(\d+)\.")
_EMBEDDINGS = re.compile(r"embed|(?:^|\.)shared\.")


def is_frozen(name: str, layers: int | None) -> bool:
    """Tell whether a weight stays where so many of the lowest layers do; None freezes nothing.

    With 0 the embeddings alone stay.
    """
    if layers is None:
        return False
    found = _LAYER.search(name)
    return int(found[1]) < layers if found else bool(_EMBEDDINGS.search(name))


def count_layers(names: Iterable[str]) -> int:
    """Return how many layers the weights of these names make; 0 where they name none."""
    found = (_LAYER.search(name) for name in names)
    return 1 + max((int(one[1]) for one in found if one), default=-1)


def refuse_too_many(frozen: int | None, layers: int, *, name: str) -> None:
    """Raise `UserError` where fewer than one layer would be left to learn."""
    if not frozen or frozen < layers:
        return
    if not layers:
        raise UserError(
            f"The layers of {name} share their weights, so none of them can be frozen alone.",
            "Freeze 0 layers, which is the embeddings alone, or none.",
        )
    raise UserError(
        f"{frozen} layers of {name} cannot be frozen: it has {layers}, and one has to learn.",
        f"Freeze {'1 layer' if layers == 2 else f'{layers - 1} layers'} at most.",
    )
