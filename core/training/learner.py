"""An encoder whose weights move: loaded parts, passes with a graph, snapshots.

This module loads torch.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import psutil
import torch
from numpy.typing import NDArray

from core.encoders.folder import EncoderFolder, read_folder
from core.encoders.loading import EncoderParts, load_parts
from core.encoders.packing import runs_of
from core.encoders.transformer import resolve_device
from core.errors import UserError
from core.examples import Rows
from core.progress import Progress, Steps
from core.training.forecast import sizes_of_weights
from core.training.token_table import TokenTable

Weights: TypeAlias = dict[str, torch.Tensor]

_CPU_WORK, _CUDA_WORK = 2e10, 5e12  # operations in under half a second on modest hardware
_FEWEST_TOKENS, _MOST_TOKENS = 64, 16_384  # at once, whatever the speed: their graph takes memory
_COPIES = 5  # of the weights: themselves, gradients, two moments, the best so far
_SILENCE_S = 0.4


@dataclass(slots=True)
class Learner:
    """An encoder that can be trained; make one with `load_learner`."""

    parts: EncoderParts
    budget: int  # tokens that go through at once: half a second of work, and the memory it takes
    in_bf16: bool

    def tokenize(self, texts: Iterable[str]) -> Steps[TokenTable]:
        """Make the token table of `texts`."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        tokenizer = self.parts.tokenizer
        room = self.parts.max_tokens - tokenizer.specials
        tokens: list[NDArray[np.int32]] = []
        cut = 0
        for some in tokenizer.tokenize(list(places)):
            for text in some:
                cut += len(text) > room
                whole = tokenizer.with_specials(text[:room])
                tokens.append(whole if len(whole) else tokenizer.stand_in)
            yield Progress("Reading the texts", len(tokens), len(places), "texts")
        return TokenTable(places, tokens, cut)

    def raw(self, tokens: Sequence[NDArray[np.int32]]) -> torch.Tensor:
        """Return (texts, d) in the given order, with a graph where torch keeps one.

        Vectors are as the folder's own steps leave them, of length 1 only where it normalises.
        """
        lengths = np.array([len(text) for text in tokens], np.int64)
        order = np.argsort(-lengths, kind="stable")
        row = np.concatenate([tokens[place] for place in order]).astype(np.int64)
        place = self.parts.place
        with torch.autocast(place.type, torch.bfloat16, enabled=self.in_bf16):
            states = list(
                self.parts.states(torch.from_numpy(row).to(place), runs_of(lengths[order]))
            )
        back = torch.from_numpy(np.argsort(order)).to(place)
        return self.parts.pooler.raw(states)[back]

    def unit_vectors(self, table: TokenTable, rows: Rows) -> Steps[NDArray[np.float32]]:
        """Return (rows, d) of length 1, of rows of `table`, computed without dropout."""
        lengths = table.lengths[rows]
        order = np.argsort(-lengths, kind="stable")
        self.parts.model.eval()
        vectors = np.empty((len(rows), self.parts.pooler.dimension), np.float32)
        done, spoken = 0, time.monotonic()
        while done < len(order):
            # Without a graph a token costs a third, and takes next to no memory.
            stop = done + _fitting(lengths[order[done:]], 3 * self.budget)
            with torch.no_grad():
                some = torch.nn.functional.normalize(self.raw(table.of(rows[order[done:stop]])))
            vectors[order[done:stop]] = some.cpu().numpy()
            done = stop
            if time.monotonic() - spoken > _SILENCE_S:
                yield Progress("Measuring the encoder", done, len(rows), "texts")
                spoken = time.monotonic()
        return vectors

    def portions(self, pair_tokens: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
        """Cut a batch of pairs with so many tokens each into ranges that fit the budget."""
        start = 0
        while start < len(pair_tokens):
            stop = start + _fitting(pair_tokens[start:], self.budget)
            yield start, stop
            start = stop

    def named(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        """All weights that learn: the transformer's and those of dense layers behind it."""
        yield from self.parts.model.named_parameters()
        for place, layer in enumerate(self.parts.pooler.layers):
            if layer is not None:
                for name, weight in layer.named_parameters():
                    yield f"pooler.{place}.{name}", weight

    def is_finite(self) -> bool:
        """Tell whether every weight is a number."""
        return all(bool(torch.isfinite(weight.sum())) for _, weight in self.named())

    def snapshot(self) -> Weights:
        """Copy all weights to the main memory."""
        return {name: weight.detach().to("cpu", copy=True) for name, weight in self.named()}

    def restore(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Bring back the weights of a snapshot."""
        with torch.no_grad():
            for name, weight in self.named():
                weight.copy_(weights[name])


def load_learner(folder: Path, *, device: str = "auto") -> Learner:
    """Load the encoder in `folder` in fp32 for training; computes in bf16 where CUDA is fast at it.

    Raises `UserError` for everything that is wrong with the folder, and before loading where
    the memory will not do.
    """
    described = read_folder(folder)
    place = resolve_device(device)
    _refuse_without_memory(described, place)
    parts = load_parts(folder, device=device)
    table: Any = parts.model.get_input_embeddings()
    moving = sum(part.numel() for part in parts.model.parameters()) - table.weight.numel()
    work = _CUDA_WORK if place.type == "cuda" else _CPU_WORK
    return Learner(
        parts=parts,
        budget=min(_MOST_TOKENS, max(_FEWEST_TOKENS, int(work / (6 * max(1, moving))))),
        in_bf16=place.type == "cuda" and torch.cuda.get_device_capability(place)[0] >= 8,
    )


def _refuse_without_memory(described: EncoderFolder, place: torch.device) -> None:
    needed = sum(sizes_of_weights(described)) * 4 * _COPIES
    if place.type == "cuda":
        free = torch.cuda.mem_get_info(place)[0]
    else:
        free = psutil.virtual_memory().available
    if needed > free:
        raise UserError(
            f"Training {described.folder.name} needs about {needed / 2**30:.1f} GiB of memory; "
            f"{free / 2**30:.1f} GiB are free.",
            "Close other programs, or train a smaller encoder.",
        )


def _fitting(tokens: NDArray[np.int64], room: int) -> int:
    """Return how many of the first ones fit into the room, but at least one."""
    return max(1, int(np.searchsorted(np.cumsum(tokens[:room]), room, side="right")))
