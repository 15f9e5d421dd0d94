"""A learner pooled otherwise, beside the states of the transformer itself."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from core.errors import UserError
from core.progress import run_to_end
from core.training.learner import load_learner
from core.training.repooling import repooled

TEXT = "my flight was late"


def states(folder: Path) -> torch.Tensor:
    tokens = AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt")
    with torch.no_grad():
        found: torch.Tensor = (
            AutoModel.from_pretrained(folder).eval()(**tokens).last_hidden_state[0]
        )
    return found


def raw(folder: Path, *poolings: str) -> np.ndarray:
    learner = repooled(load_learner(folder, device="cpu"), *poolings)
    table = run_to_end(learner.tokenize([TEXT]))
    with torch.no_grad():
        return learner.raw(table.of(table.rows((TEXT,))))[0].numpy()


def test_each_pooling_is_that_of_the_states(tiny_encoder: Path) -> None:
    own = states(tiny_encoder)
    expected = {"mean": own.mean(0), "cls": own[0], "max": own.amax(0), "lasttoken": own[-1]}
    for pooling, vector in expected.items():
        np.testing.assert_allclose(raw(tiny_encoder, pooling), vector.numpy(), atol=1e-5)


def test_two_poolings_stand_side_by_side(tiny_encoder: Path) -> None:
    own = states(tiny_encoder)
    expected = torch.cat([own.mean(0), own.amax(0)]).numpy()
    np.testing.assert_allclose(raw(tiny_encoder, "mean", "max"), expected, atol=1e-5)


def test_the_learner_it_was_made_of_stays_as_it_was(tiny_encoder: Path) -> None:
    learner = load_learner(tiny_encoder, device="cpu")
    table = run_to_end(learner.tokenize([TEXT]))
    rows = table.rows((TEXT,))
    before = run_to_end(learner.unit_vectors(table, rows))
    repooled(learner, "max")
    np.testing.assert_array_equal(run_to_end(learner.unit_vectors(table, rows)), before)


def test_an_unknown_pooling_is_told(tiny_encoder: Path) -> None:
    with pytest.raises(UserError, match="no pooling `median`"):
        repooled(load_learner(tiny_encoder, device="cpu"), "median")
