"""An encoder pooled otherwise than its folder says, for trials. This module loads torch."""

from dataclasses import replace

from core.encoders.folder import POOLINGS, DenseLayer
from core.encoders.pooling import Pooler
from core.errors import UserError
from core.training.learner import Learner


def repooled(learner: Learner, *poolings: str) -> Learner:
    """Return the learner with its tokens pooled by `poolings`, side by side, over its transformer.

    Vectors are no longer brought to length 1: Sentence-BERT (arXiv 1908.10084, section 3) hands
    them to its objectives as they are pooled, and objectives over cosines see no difference. Dense
    layers stay. Raises `UserError` for a pooling that is not known or that a dense layer does not
    fit.
    """
    for pooling in poolings:
        if pooling not in POOLINGS:
            known = ", ".join(POOLINGS)
            raise UserError(f"There is no pooling `{pooling}`.", f"Use one of {known}.")
    parts = learner.parts
    steps = tuple(step for step in parts.described.steps if isinstance(step, DenseLayer))
    hidden = getattr(parts.config, "hidden_size", None) or parts.config.d_model
    pooler = Pooler(poolings, steps, hidden=hidden, device=parts.place)
    described = replace(parts.described, poolings=poolings, steps=steps)
    return replace(learner, parts=replace(parts, described=described, pooler=pooler))
