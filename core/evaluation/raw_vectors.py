"""Vectors as they leave pooling and the folder's own layers, not brought to length 1.

`Encoder` gives vectors of length 1, which is all that cosine needs; dot product and distances
ask for the lengths too.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.encoders.batching import fitting, within_memory
from core.encoders.loading import EncoderParts
from core.encoders.tokenizing import window_starts
from core.encoders.transformer import token_budget
from core.errors import UserError
from core.evaluation.similarities import Places, Vectors
from core.progress import Progress, Steps

if TYPE_CHECKING:
    import torch

_Windows: TypeAlias = tuple[Places, Places, Places]  # text, first token, size of each
_Forward: TypeAlias = Callable[[NDArray[np.int32], Places], Vectors]


def raw_vectors(
    parts: EncoderParts, texts: Sequence[str], *, pooling: str | None = None
) -> Steps[Vectors]:
    """Return (n, d) in the order of the texts, pooled as the folder says, or by `pooling` alone.

    A text that needs several windows has the direction that `Encoder` gives it, the mean of
    its windows' directions, and the mean of their lengths; so cosines are the encoder's own.
    Raises `UserError` where the device has no room for one window or numbers are not finite.
    """
    forward = _forward(parts, pooling)
    budget = token_budget(parts.model, parts.place, parts.max_tokens)
    found: list[Vectors] = []
    done = 0
    yield Progress("Encoding the pairs", 0, len(texts), "texts")
    for tokens in parts.tokenizer.tokenize(texts):
        if not parts.tokenizer.specials:  # nothing at all cannot go through a model
            tokens = [text if len(text) else parts.tokenizer.stand_in for text in tokens]
        windows = _windows(tokens, parts.max_tokens - parts.tokenizer.specials)
        pooled: list[Vectors] = []
        at = 0
        while at < len(windows[0]):
            lengths = windows[2][at:] + parts.tokenizer.specials
            stop = at + fitting(lengths, budget=budget, counts_padding=not parts.packed)
            row = _row(parts, tokens, windows, slice(at, stop))
            vectors = _tried(parts, forward, row, lengths[: stop - at])
            if vectors is None:
                budget = max(1, min(budget, len(row)) // 2)
                continue
            pooled.append(vectors)
            at = stop
            yield Progress("Encoding the pairs", done + _texts(windows, at), len(texts), "texts")
        found.append(_joined(np.concatenate(pooled), windows[0], len(tokens)))
        done += len(tokens)
    if not found:
        return np.empty((0, parts.pooler.dimension), np.float32)
    return np.concatenate(found)


def _windows(tokens: list[NDArray[np.int32]], room: int) -> _Windows:
    starts = [window_starts(len(text), room) for text in tokens]
    owners = np.repeat(np.arange(len(tokens)), [len(own) for own in starts])
    sizes = np.minimum(np.array([len(text) for text in tokens], np.int64), room)[owners]
    order = np.argsort(-sizes, kind="stable")
    return owners[order], np.concatenate(starts)[order], sizes[order]


def _texts(windows: _Windows, at: int) -> int:
    return len(np.unique(windows[0][:at]))


def _row(
    parts: EncoderParts, tokens: list[NDArray[np.int32]], windows: _Windows, part: slice
) -> NDArray[np.int32]:
    return np.concatenate(
        [
            parts.tokenizer.with_specials(tokens[owner][begin : begin + size])
            for owner, begin, size in zip(*(column[part] for column in windows), strict=True)
        ]
    )


def _tried(
    parts: EncoderParts, forward: _Forward, row: NDArray[np.int32], lengths: Places
) -> Vectors | None:
    """Return the windows' vectors, None where there is too little memory for so many."""
    vectors = within_memory(lambda: forward(row, lengths), device=str(parts.place))
    name = parts.described.folder.name
    if vectors is None and len(lengths) == 1:
        raise UserError(
            f"There is too little memory on {parts.place} for a text of {len(row)} tokens.",
            "Close other programs that use it, or compute on the processor (device cpu).",
        )
    if vectors is not None and not np.isfinite(vectors).all():
        raise UserError(
            f"The encoder {name} gives numbers that are not finite.",
            "Use the precision fp32; if it is fp32 already, the encoder's files are bad.",
        )
    return vectors


def _joined(pooled: Vectors, owners: Places, texts: int) -> Vectors:
    """Return one vector per text from those of its windows."""
    counts = np.bincount(owners, minlength=texts)
    first = np.empty(texts, np.int64)
    first[owners] = np.arange(len(owners))
    found = pooled[first]
    for text in np.flatnonzero(counts > 1):
        own = pooled[owners == text].astype(np.float64)
        lengths = np.linalg.norm(own, axis=1)
        direction = (own / np.maximum(lengths, 1e-12)[:, None]).sum(axis=0)
        found[text] = direction * (lengths.mean() / max(float(np.linalg.norm(direction)), 1e-12))
    return found


def _forward(parts: EncoderParts, pooling: str | None) -> _Forward:
    import torch

    from core.encoders.packing import runs_of

    poolings = parts.described.poolings if pooling is None else (pooling,)
    layers = parts.pooler.layers if pooling is None else []

    def forward(tokens: NDArray[np.int32], lengths: Places) -> Vectors:
        with torch.inference_mode():
            row = torch.from_numpy(tokens.astype(np.int64)).to(parts.place)
            runs = parts.states(row, runs_of(lengths))
            vectors = torch.cat([_pooled(states.float(), poolings) for states in runs])
            for layer in layers:
                normalised = torch.nn.functional.normalize
                vectors = normalised(vectors, dim=1) if layer is None else layer(vectors)
            found: Vectors = vectors.cpu().numpy()
        return found

    return forward


def _pooled(states: "torch.Tensor", poolings: Sequence[str]) -> "torch.Tensor":
    import torch

    ways: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
        "mean": lambda states: states.mean(1),
        "max": lambda states: states.amax(1),
        "cls": lambda states: states[:, 0],
        "lasttoken": lambda states: states[:, -1],
    }
    return torch.cat([ways[pooling](states) for pooling in poolings], dim=1)
