"""The raw last layer against transformers' own classes."""

import numpy as np
import pytest

from core.evaluation.baselines import last_layer_vectors
from core.progress import run_to_end

TEXTS = ["late flight", "the hotel was bad", "dog"]


@pytest.mark.parametrize("name", ["bert", "distilbert", "xlm-roberta"])
@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_the_last_layer_is_pooled_with_its_special_tokens(name, pooling, parts_of, one_by_one):
    found = run_to_end(last_layer_vectors(parts_of(name), TEXTS, pooling=pooling))
    states = [one_by_one(name, text) for text in TEXTS]
    wanted = [own.mean(0) if pooling == "mean" else own[0] for own in states]
    assert found == pytest.approx(np.array(wanted), abs=1e-5)


def test_another_pooling_is_no_baseline(parts_of):
    with pytest.raises(ValueError, match="mean or cls"):
        run_to_end(last_layer_vectors(parts_of("bert"), TEXTS, pooling="max"))
