"""Forward passes over pairs, packed without padding or padded. This module loads torch."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.cross.first_tokens import keep_first_tokens
from core.encoders.packing import (
    Run,
    first_position,
    packed_row,
    packed_states,
    padded_rows,
    prepare_packing,
    runs_of,
)

Head = Callable[[torch.Tensor], torch.Tensor]  # (pairs, 1, hidden) to (pairs, labels)


@dataclass(frozen=True, slots=True)
class Forward:
    """A model that tells the logits of pairs; make one with `forward_of`."""

    model: Any
    padding: int
    head: Head | None = None  # None: padded, by the whole model
    pools_mean: bool = False
    first_only: bool = False  # the last layer gives the states of first tokens and no others

    def __call__(
        self, row: NDArray[np.int32], types: NDArray[np.int32] | None, lengths: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return the logits, (pairs, labels), of pairs that lie one after another in `row`."""
        with torch.inference_mode():
            found: NDArray[np.float32] = self.logits(row, types, lengths).float().cpu().numpy()
        return found

    def logits(
        self, row: NDArray[np.int32], types: NDArray[np.int32] | None, lengths: NDArray[np.int64]
    ) -> torch.Tensor:
        """Return the same on the model's device, with a graph where torch keeps one."""
        place = self.model.device
        tokens = torch.from_numpy(row.astype(np.int64)).to(place)
        kinds = None if types is None else torch.from_numpy(types.astype(np.int64)).to(place)
        runs = runs_of(lengths)
        if self.head is None:
            return _padded_logits(self.model, tokens, kinds, runs, padding=self.padding)
        return self.head(self._pooled(tokens, kinds, runs))

    def _pooled(
        self, tokens: torch.Tensor, types: torch.Tensor | None, runs: list[Run]
    ) -> torch.Tensor:
        """Return (pairs, 1, hidden): what the head reads of each pair."""
        base = self.model.base_model
        start = first_position(base.config)
        if self.first_only:
            return packed_row(base, tokens, runs, first_position=start, types=types)[:, None]
        parts = packed_states(base, tokens, runs, first_position=start, types=types)
        return torch.cat(
            [part.mean(1, keepdim=True) if self.pools_mean else part[:, :1] for part in parts]
        )


def forward_of(model: Any, *, padding: int, has_types: bool) -> Forward:
    """Return the packed forward pass of a model, the padded one where packing does not agree."""
    padded = Forward(model, padding)
    head = _head_of(model)
    if head is None:
        return padded
    ordinary = model.config._attn_implementation
    trial = _trial(model, padding=padding, has_types=has_types)
    wanted = padded(*trial)
    if not prepare_packing(model.base_model):
        return padded
    mean = getattr(model.config, "classifier_pooling", "cls") == "mean"
    packed = Forward(model, padding, head, pools_mean=mean)
    if not _agrees(packed, trial, wanted):
        model.base_model.set_attn_implementation(ordinary)
        return padded
    undo = None if mean else keep_first_tokens(model.base_model)
    if undo is None:
        return packed
    shortened = replace(packed, first_only=True)
    if _agrees(shortened, trial, wanted):
        return shortened
    undo()
    return packed


def _trial(
    model: Any, *, padding: int, has_types: bool
) -> tuple[NDArray[np.int32], NDArray[np.int32] | None, NDArray[np.int64]]:
    """Three short pairs of token numbers other than the padding's."""
    lengths = np.array([5, 5, 9], np.int64)
    count = int(lengths.sum())
    row = (np.arange(count) + padding + 1) % model.config.vocab_size
    types = (np.arange(count) % 2).astype(np.int32) if has_types else None
    return row.astype(np.int32), types, lengths


def _agrees(forward: Forward, trial: Any, wanted: NDArray[np.float32]) -> bool:
    tolerance = 1e-4 if forward.model.dtype == torch.float32 else 5e-2
    try:
        found = forward(*trial)
    except (AttributeError, KeyError, TypeError, ValueError, RuntimeError):
        return False  # another version of transformers is built otherwise
    return bool(np.abs(found - wanted).max() <= tolerance * max(1.0, np.abs(wanted).max()))


def _head_of(model: Any) -> Head | None:
    """What follows the states of the first token, by architecture; None where it is not known."""
    kind = model.config.model_type
    if kind == "bert":
        return lambda states: model.classifier(model.dropout(model.bert.pooler(states)))
    if kind in ("roberta", "xlm-roberta"):
        return lambda states: model.classifier(states)
    if kind == "distilbert":
        return lambda states: model.classifier(
            model.dropout(torch.relu(model.pre_classifier(states[:, 0])))
        )
    if kind == "modernbert":
        return lambda states: model.classifier(model.drop(model.head(states[:, 0])))
    return None


def _padded_logits(
    model: Any, tokens: torch.Tensor, types: torch.Tensor | None, runs: list[Run], *, padding: int
) -> torch.Tensor:
    ids, mask = padded_rows(tokens, runs, padding=padding)
    told = {} if types is None else {"token_type_ids": padded_rows(types, runs, padding=0)[0]}
    logits: torch.Tensor = model(input_ids=ids, attention_mask=mask, **told).logits
    return logits
