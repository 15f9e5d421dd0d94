"""How many tokens texts come to, told by an encoder's tokenizer alone: no weights are loaded."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.encoders.folder import read_folder, read_json

_USUAL_MAX_TOKENS = 512
_AT_ONCE = 1_000  # texts


def token_counter(
    folder: Path,
) -> tuple[Callable[[Sequence[str]], NDArray[np.int64]], int] | None:
    """Return what counts the tokens of texts, special ones included, and the most that are read.

    None where the folder has no tokenizer.json, so that only the whole encoder could tell.
    Raises `UserError` where the folder is no encoder.
    """
    described = read_folder(folder)
    file = described.transformer / "tokenizer.json"
    if not file.is_file():
        return None
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    positions = read_json(described.transformer / "config.json").get("max_position_embeddings")
    bounds = [described.max_tokens or _USUAL_MAX_TOKENS]
    if isinstance(positions, int) and positions > 0:
        bounds.append(positions)

    def count(texts: Sequence[str]) -> NDArray[np.int64]:
        found: list[int] = []
        for start in range(0, len(texts), _AT_ONCE):
            # Half a surrogate pair has no UTF-8 form.
            some = [
                text.encode("utf-8", "replace").decode("utf-8")
                for text in texts[start : start + _AT_ONCE]
            ]
            found += [len(encoding.ids) for encoding in tokenizer.encode_batch_fast(some)]
        return np.array(found, np.int64)

    return count, min(bounds)
