"""Raw vectors against transformers' own classes, one text at a time."""

import numpy as np
import pytest

from core.encoders import load_encoder
from core.evaluation import raw_vectors
from core.progress import run_to_end

TEXTS = ["fix the bike", "a", "the hotel was good and the flight was late", "water"]
LONG = " ".join(["dog water hotel flight bike"] * 30)  # several windows of 48 tokens


@pytest.mark.parametrize("name", ["bert", "distilbert", "mpnet"])
def test_each_text_is_pooled_as_transformers_leaves_it(name, parts_of, one_by_one):
    found = run_to_end(raw_vectors(parts_of(name), TEXTS, pooling="mean"))
    wanted = [one_by_one(name, text).mean(0) for text in TEXTS]
    assert found == pytest.approx(np.array(wanted), abs=1e-5)


@pytest.mark.parametrize(
    ("pooling", "pool"),
    [
        ("cls", lambda states: states[0]),
        ("max", lambda states: states.max(0)),
        ("lasttoken", lambda states: states[-1]),
    ],
)
def test_the_pooling_may_be_chosen(pooling, pool, parts_of, one_by_one):
    found = run_to_end(raw_vectors(parts_of("bert"), TEXTS, pooling=pooling))
    wanted = [pool(one_by_one("bert", text)) for text in TEXTS]
    assert found == pytest.approx(np.array(wanted), abs=1e-5)


@pytest.mark.parametrize("name", ["bert", "roberta", "mpnet"])
def test_their_directions_are_the_encoders_vectors(name, parts_of):
    parts = parts_of(name)
    texts = [*TEXTS, LONG, ""]
    encoded = load_encoder(parts.described.folder, device="cpu").encode(texts)
    assert encoded.windows.max() > 1
    raw = run_to_end(raw_vectors(parts, texts))
    lengths = np.linalg.norm(raw, axis=1, keepdims=True)
    assert raw / lengths == pytest.approx(encoded.vectors, abs=2e-5)


def test_a_text_in_several_windows_has_their_mean_length(parts_of):
    parts = parts_of("distilbert")
    found = run_to_end(raw_vectors(parts, [LONG]))
    tokens = next(iter(parts.tokenizer.tokenize([LONG])))[0]
    assert len(tokens) + parts.tokenizer.specials > parts.max_tokens
    shortest = np.linalg.norm(run_to_end(raw_vectors(parts, ["dog water hotel flight bike"])))
    assert np.linalg.norm(found) == pytest.approx(shortest, rel=0.5)


def test_the_vector_of_a_text_depends_on_no_other(parts_of):
    parts = parts_of("bert")
    together = run_to_end(raw_vectors(parts, [*TEXTS, LONG]))
    for place, text in enumerate([*TEXTS, LONG]):
        assert run_to_end(raw_vectors(parts, [text]))[0] == pytest.approx(together[place], abs=1e-5)


def test_the_progress_ends_with_every_text(parts_of):
    seen = []
    run_to_end(raw_vectors(parts_of("bert"), TEXTS), seen.append)
    assert (seen[0].done, seen[-1].done, seen[-1].total) == (0, 4, 4)


def test_no_texts_have_no_vectors(parts_of):
    assert len(run_to_end(raw_vectors(parts_of("bert"), []))) == 0
