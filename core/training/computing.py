"""How passes with a graph are computed: precision, frozen weights, activations kept or not.

This module loads torch.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint

from core.encoders.precision import lacks_bf16
from core.encoders.transformer import number_kind
from core.errors import UserError
from core.options import TrainOptions
from core.training.frozen import count_layers, is_frozen, refuse_too_many
from core.training.memory import memory_of, shape_from

_FEWEST_TOKENS = 16  # that a portion is halved to
_KINDS = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


def _no_scaler() -> torch.amp.GradScaler:
    return torch.amp.GradScaler(enabled=False)


@dataclass(slots=True)
class Passes:
    """How the passes of one model are computed; `prepare` and `halved` change it."""

    model: Any
    place: torch.device
    precision: str = "fp32"  # weights are fp32 in each
    scaler: torch.amp.GradScaler = field(default_factory=_no_scaler)
    computes_twice: bool = False
    may_compute_twice: bool = False  # where memory is short
    tokens: int = 0  # of the last pass
    frozen: frozenset[str] = frozenset()

    def prepare(
        self,
        options: TrainOptions,
        named: Mapping[str, torch.nn.Parameter],
        *,
        name: str,
        budget: int,
    ) -> None:
        """Compute as a stage wants it; `named` are all weights that learn unless they are frozen.

        Raises `UserError` where too many layers are to be frozen, or the device lacks the
        precision.
        """
        refuse_too_many(options.frozen_layers, count_layers(named), name=name)
        for key in self.frozen:  # by the stage before
            named[key].requires_grad_(True)
        self.frozen = frozenset(
            key
            for key, weight in named.items()
            if weight.requires_grad and is_frozen(key, options.frozen_layers)
        )
        for key in self.frozen:
            named[key].requires_grad_(False)
        self.precision = training_precision(options.precision, self.place)
        self.scaler = gradient_scaler(self.precision, self.place)
        self.may_compute_twice = options.gradient_checkpointing == "auto"
        forecast = memory_of(
            {key: weight.numel() for key, weight in named.items()},
            shape_from(self.model.config.to_dict()), options,
            tokens=budget, place=self.place, precision=self.precision,
        )  # fmt: skip  # what, how, where
        # The weights are there already, so what is free is free for all the rest.
        is_short = forecast.on_device - forecast.weights > forecast.free
        self._compute_twice(
            options.gradient_checkpointing == "on" or (self.may_compute_twice and is_short)
        )

    def pass_of(self, tokens: int) -> torch.autocast:
        """Return the context of a pass of so many tokens."""
        self.tokens = tokens
        return torch.autocast(
            self.place.type, _KINDS[self.precision], enabled=self.precision != "fp32"
        )

    def backward(self, loss: torch.Tensor) -> None:
        """Add the gradients of a loss, in fp16 times the scaler's scale."""
        carry_back(self.scaler.scale(loss))

    def halved(self, budget: int) -> int | None:
        """Return the budget with which to try again after memory ran out; None where none helps.

        Before it is given up, activations are computed twice where the options leave it open.
        """
        if self.place.type == "cuda":
            torch.cuda.empty_cache()  # what failed has left room that is of the wrong size
        half = min(budget, self.tokens or budget) // 2
        if self.tokens <= budget and half >= _FEWEST_TOKENS:
            return half
        if self.may_compute_twice and not self.computes_twice and layers_of(self.model):
            self._compute_twice(True)
            return budget
        return None

    def _compute_twice(self, wanted: bool) -> None:
        recompute_layers(self.model, wanted=wanted)
        self.computes_twice = wanted


def carry_back(gradients: torch.Tensor) -> None:
    """Carry the gradients of a scalar back to the weights."""
    gradients.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped


def training_precision(wanted: str, place: torch.device) -> str:
    """Return the precision of a training; "auto" is bf16 on a CUDA card that has it, else fp32.

    Weights, their sums and the loss are fp32 in each. Raises `UserError` where the device cannot.
    """
    if wanted != "auto":
        number_kind(wanted, place)
        return wanted
    return "bf16" if place.type == "cuda" and not lacks_bf16(str(place)) else "fp32"


def gradient_scaler(precision: str, place: torch.device) -> torch.amp.GradScaler:
    """Return what keeps small gradients of fp16 from being 0; in other precisions it does nothing.

    Mixed precision training (Micikevicius et al., arXiv 1710.03740, section 3.2).
    """
    return torch.amp.GradScaler(place.type, enabled=precision == "fp16")


def layers_of(model: Any) -> list[torch.nn.Module]:
    """Return the layers of a transformer, lowest first; none where they cannot be told."""
    count = getattr(model.config, "num_hidden_layers", None)
    lists = (part for part in model.modules() if isinstance(part, torch.nn.ModuleList))
    return next((list(part) for part in lists if len(part) == count), [])


def recompute_layers(model: Any, *, wanted: bool) -> None:
    """Let a model keep only each layer's input and compute the layer again on the way back.

    Gradient checkpointing (Chen et al., arXiv 1604.06174): the memory of one layer's activations
    for a third more time. Dropout drops the same in both passes, so that the gradients are those
    of an ordinary pass. Our own, since transformers' keeps all where a model is not in training
    mode, as it is while pairs are held still. Raises `UserError` where the layers are not known.
    """
    layers = layers_of(model)
    if wanted and not layers:
        raise UserError(
            f"The layers of this model ({model.config.model_type}) cannot be computed twice.",
            "Leave that option off, or use another encoder.",
        )
    for layer in layers:
        layer.__dict__.pop("forward", None)  # which would hide that of the class
        if wanted:
            layer.__dict__["forward"] = partial(_twice, layer.forward)


def _twice(forward: Callable[..., Any], *inputs: Any, **named: Any) -> Any:
    if not torch.is_grad_enabled():
        return forward(*inputs, **named)
    return checkpoint(forward, *inputs, use_reentrant=False, **named)
