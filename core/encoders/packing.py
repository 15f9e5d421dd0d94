"""Forward passes over texts of any length: packed without padding, or padded.

Packed, all texts of a batch lie one after another in one long row with restarted positions, and
attention runs once per run of equally long texts. Sentence-BERT (arXiv 1908.10084, section 7)
sorts by length to pad little; packed, nothing is padded at all.

This module loads torch; `core.encoders.loading` imports it with the first encoder.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

ATTENTION = "samesense_packed"
# Architectures whose attention goes through transformers' registry and whose positions can be
# given; each is compared with its padded pass in the tests.
PACKABLE = ("bert", "roberta", "xlm-roberta", "distilbert", "modernbert")
# Architectures that count positions from behind the padding token's number.
OFFSET_POSITIONS = ("roberta", "xlm-roberta", "camembert", "mpnet")


class Run(NamedTuple):
    """Neighbouring texts of one length in a batch."""

    row: int  # where their tokens begin in the packed row
    texts: int
    length: int  # tokens of each, specials included


def prepare_packing(model: Any) -> bool:
    """Switch a model without a head to packed attention; False where it has to be padded."""
    register_packed_attention()
    return model.config.model_type in PACKABLE and packing_agrees(
        model,
        first_position=first_position(model.config),
        avoid=getattr(model.config, "pad_token_id", None) or 0,
    )


def first_position(config: Any) -> int:
    """Return the number of the first token's position."""
    if config.model_type not in OFFSET_POSITIONS:
        return 0
    # MPNet fixes its padding index in code, whatever the config says.
    return 2 if config.model_type == "mpnet" else int(config.pad_token_id) + 1


def register_packed_attention() -> None:
    """Make `ATTENTION` known to transformers; doing it twice is harmless."""
    from transformers import AttentionInterface, AttentionMaskInterface

    AttentionInterface.register(ATTENTION, _packed_attention)
    AttentionMaskInterface.register(ATTENTION, _no_mask)


def runs_of(lengths: NDArray[np.int64]) -> list[Run]:
    """Cut the lengths of a batch, in order, into runs of equal ones."""
    if not len(lengths):
        return []
    firsts = np.flatnonzero(np.diff(lengths, prepend=-1))
    counts = np.diff(firsts, append=len(lengths))
    rows = np.cumsum(lengths) - lengths
    return [
        Run(int(rows[first]), int(count), int(lengths[first]))
        for first, count in zip(firsts, counts, strict=True)
    ]


def packed_states(
    model: Any,
    tokens: torch.Tensor,
    runs: list[Run],
    *,
    first_position: int,
    types: torch.Tensor | None = None,
) -> Iterator[torch.Tensor]:
    """Yield the last hidden states of each run, (texts, length, hidden), from one packed pass.

    `types` are the tokens' types, where the model is to be told of them.
    """
    states = packed_row(model, tokens, runs, first_position=first_position, types=types)
    for run, part in zip(runs, torch.split(states, _sizes(runs)), strict=True):
        yield part.reshape(run.texts, run.length, -1)


def packed_row(
    model: Any,
    tokens: torch.Tensor,
    runs: list[Run],
    *,
    first_position: int,
    types: torch.Tensor | None = None,
) -> torch.Tensor:
    """Return the last hidden states of a row of texts, as the model leaves them."""
    positions = [
        torch.arange(first_position, first_position + run.length).repeat(run.texts) for run in runs
    ]
    states: torch.Tensor = model(
        input_ids=tokens[None],
        position_ids=torch.cat(positions)[None].to(tokens.device),
        packed_runs=runs,
        **({} if types is None else {"token_type_ids": types[None]}),
    ).last_hidden_state[0]
    return states


def padded_states(
    model: Any, tokens: torch.Tensor, runs: list[Run], *, padding: int
) -> Iterator[torch.Tensor]:
    """Yield the last hidden states of each run, (texts, length, hidden), from one padded pass."""
    ids, mask = padded_rows(tokens, runs, padding=padding)
    states = model(input_ids=ids, attention_mask=mask).last_hidden_state
    first = 0
    for run in runs:
        yield states[first : first + run.texts, : run.length]
        first += run.texts


def padded_rows(
    tokens: torch.Tensor, runs: list[Run], *, padding: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (texts, longest) tokens filled up with `padding`, and 1 where a token is."""
    longest = max(run.length for run in runs)
    texts = sum(run.texts for run in runs)
    ids = tokens.new_full((texts, longest), padding)
    mask = tokens.new_zeros((texts, longest))
    first = 0
    for run in runs:
        block = tokens[run.row : run.row + run.texts * run.length]
        ids[first : first + run.texts, : run.length] = block.view(run.texts, run.length)
        mask[first : first + run.texts, : run.length] = 1
        first += run.texts
    return ids, mask


def packing_agrees(model: Any, *, first_position: int, avoid: int) -> bool:
    """Switch `model` to packed attention and tell whether it then still computes the same.

    Three short texts are run one by one the ordinary way, then packed. Where they differ, or
    this version of transformers cannot do it, the ordinary attention is put back.
    """
    ordinary = model.config._attn_implementation
    device = model.device
    lengths = np.array([4, 4, 7], np.int64)
    runs = runs_of(lengths)
    tokens = torch.arange(avoid + 1, avoid + 1 + int(lengths.sum()), device=device)
    tokens %= model.config.vocab_size
    tolerance = 1e-4 if model.dtype == torch.float32 else 5e-2
    with torch.inference_mode():
        alone = torch.cat(
            [
                model(input_ids=text[None]).last_hidden_state[0]
                for text in (tokens[:4], tokens[4:8], tokens[8:])
            ]
        )
        try:
            model.set_attn_implementation(ATTENTION)
            packed = torch.cat(
                [
                    states.flatten(0, 1)
                    for states in packed_states(model, tokens, runs, first_position=first_position)
                ]
            )
        except (AttributeError, KeyError, TypeError, ValueError, RuntimeError):
            packed = torch.full_like(alone, torch.nan)
    agrees = bool((packed - alone).abs().max() <= tolerance * alone.abs().max())
    if not agrees:
        model.set_attn_implementation(ordinary)
    return agrees


def _packed_attention(
    module: torch.nn.Module,
    query: torch.Tensor,  # (1, heads, row, width)
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    packed_runs: list[Run],
    scaling: float | None = None,
    dropout: float = 0.0,
    sliding_window: int | None = None,
    **_: Any,
) -> tuple[torch.Tensor, None]:
    query, key, value = (part[0].transpose(0, 1) for part in (query, key, value))
    heads, width = query.shape[1:]
    # Split and joined, a gradient is copied once; sliced, it would be once for every run.
    sizes = _sizes(packed_runs)
    split = (torch.split(side, sizes) for side in (query, key, value))
    parts = zip(*split, strict=True)
    attended = []
    for run, sides in zip(packed_runs, parts, strict=True):
        q, k, v = (
            part.reshape(run.texts, run.length, heads, width).transpose(1, 2) for part in sides
        )
        states = torch.nn.functional.scaled_dot_product_attention(
            q,
            k,
            v,
            attn_mask=_window_mask(run.length, sliding_window, query.device),
            dropout_p=dropout,
            scale=scaling,
        )
        attended.append(states.transpose(1, 2).reshape(-1, heads, width))
    return torch.cat(attended)[None], None


def _sizes(runs: list[Run]) -> list[int]:
    """How many tokens each run has."""
    return [run.texts * run.length for run in runs]


def _window_mask(length: int, window: int | None, device: torch.device) -> torch.Tensor | None:
    if window is None or length <= window:
        return None
    places = torch.arange(length, device=device)
    return (places[:, None] - places[None, :]).abs() < window


def _no_mask(*_: Any, **__: Any) -> None:
    return None
