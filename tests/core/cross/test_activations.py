"""Our activations are torch's."""

import numpy as np
import pytest
import torch

from core.cross.activations import ACTIVATIONS

LOGITS = np.array([[-200, -3, 0], [0.5, 4, 90], [1, 1, 1]], np.float32)


@pytest.mark.parametrize("name", list(ACTIVATIONS))
def test_an_activation_gives_what_torch_gives_without_overflow(name):
    module = torch.nn.Softmax(dim=1) if name == "Softmax" else getattr(torch.nn, name)()
    with np.errstate(all="raise", under="ignore"):
        ours = ACTIVATIONS[name](LOGITS)
    assert ours.dtype == np.float32
    assert np.abs(ours - module(torch.from_numpy(LOGITS)).numpy()).max() <= 1e-6
