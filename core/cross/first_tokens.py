"""The last layer for the first token of each text only. This module loads torch.

A head reads one state of each pair. The last layer needs the keys and values of all tokens for it,
but queries, sums and the wide matrices behind them for that one token: of a layer's products five
sixths are left out, a seventh of the work of six layers.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from core.encoders.packing import Run

_BERT_LIKE = ("bert", "roberta", "xlm-roberta")


def keep_first_tokens(model: Any) -> Callable[[], None] | None:
    """Let the last layer of a packed model answer for first tokens; return what undoes it.

    None where the architecture is not known. `last_hidden_state` is then (1, texts, hidden).
    """
    layers: Any
    kind: type[_BertFirst] | type[_DistilBertFirst]
    if model.config.model_type in _BERT_LIKE:
        layers, kind = model.encoder.layer, _BertFirst
    elif model.config.model_type == "distilbert":
        layers, kind = model.transformer.layer, _DistilBertFirst
    else:
        return None
    whole = layers[-1]
    layers[-1] = kind(whole).train(whole.training)

    def undo() -> None:
        layers[-1] = whole

    return undo


@contextmanager
def whole_layers(model: Any) -> Iterator[None]:
    """Give a model its own last layer back for as long as it is saved, under its own names."""
    kinds = (_BertFirst, _DistilBertFirst)
    lists = [part for part in model.modules() if isinstance(part, torch.nn.ModuleList)]
    shortened = [(some, some[-1]) for some in lists if len(some) and isinstance(some[-1], kinds)]
    for layers, last in shortened:
        layers[-1] = last.layer
    try:
        yield
    finally:
        for layers, last in shortened:
            layers[-1] = last


class _BertFirst(torch.nn.Module):
    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.layer = layer

    def forward(
        self, states: torch.Tensor, *_: Any, packed_runs: list[Run], **__: Any
    ) -> torch.Tensor:
        own = self.layer.attention.self
        first = states[0, _first_tokens(packed_runs, states.device)]
        attended = _attend(
            own.query(first),
            own.key(states[0]),
            own.value(states[0]),
            packed_runs,
            heads=own.num_attention_heads,
            dropout=own.dropout.p if self.training else 0.0,
        )
        answer: torch.Tensor = self.layer.feed_forward_chunk(
            self.layer.attention.output(attended, first)
        )
        return answer[None]


class _DistilBertFirst(torch.nn.Module):
    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.layer = layer

    def forward(
        self, states: torch.Tensor, *_: Any, packed_runs: list[Run], **__: Any
    ) -> torch.Tensor:
        own = self.layer.attention
        first = states[0, _first_tokens(packed_runs, states.device)]
        attended = _attend(
            own.q_lin(first),
            own.k_lin(states[0]),
            own.v_lin(states[0]),
            packed_runs,
            heads=self.layer.attention.n_heads,
            dropout=own.dropout.p if self.training else 0.0,
        )
        attended = self.layer.sa_layer_norm(own.out_lin(attended) + first)
        answer: torch.Tensor = self.layer.output_layer_norm(self.layer.ffn(attended) + attended)
        return answer[None]


def _first_tokens(runs: list[Run], device: torch.device) -> torch.Tensor:
    places = [torch.arange(run.texts) * run.length + run.row for run in runs]
    return torch.cat(places).to(device)


def _attend(
    query: torch.Tensor,  # (texts, hidden)
    key: torch.Tensor,  # (row, hidden)
    value: torch.Tensor,
    runs: list[Run],
    *,
    heads: int,
    dropout: float,
) -> torch.Tensor:
    found: list[torch.Tensor] = []
    text = 0
    for run in runs:
        tokens = slice(run.row, run.row + run.texts * run.length)
        some = slice(text, text + run.texts)
        k, v = (
            part[tokens].view(run.texts, run.length, heads, -1).transpose(1, 2)
            for part in (key, value)
        )
        attended = torch.nn.functional.scaled_dot_product_attention(
            query[some].view(run.texts, 1, heads, -1).transpose(1, 2), k, v, dropout_p=dropout
        )
        found.append(attended.reshape(run.texts, -1))
        text = some.stop
        text = some.stop
    return torch.cat(found)
