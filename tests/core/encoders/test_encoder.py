"""What a text's vector is, and on what it must not depend."""

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
import torch
import transformers

from core.encoders.encoder import Encoder
from core.encoders.packing import PACKABLE
from core.errors import UserError

NAMES = ("bert", "roberta", "xlm-roberta", "distilbert", "modernbert", "mpnet")
POOLINGS = {"xlm-roberta": "cls", "modernbert": "max", "mpnet": "lasttoken"}
TEXTS = [
    "how do i fix the wheel of my bike?",
    "a",
    "The hotel was good, the staff was not.",
    "flight delayed three hours",
    "Bike",
    "the red door is closed and the blue window is open",
    "bike?",
    "we run",
]
LONG = "the dog runs in the park and the cat plays with the water of the road " * 8


def padded_reference(folder, texts, pooling):
    """Vectors from transformers alone: one padded batch, its own attention, plain pooling."""
    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    texts = [text.lower() for text in texts] if "xlm" in folder.name else list(texts)
    batch = tokenizer(texts, padding=True, return_tensors="pt")
    batch.pop("token_type_ids", None)
    with torch.inference_mode():
        states = model(**batch).last_hidden_state
    rows = []
    for state, mask in zip(states, batch["attention_mask"].bool(), strict=True):
        real = state[mask]
        rows.append(
            {"mean": real.mean(0), "max": real.amax(0), "cls": real[0], "lasttoken": real[-1]}[
                pooling
            ]
        )
    return torch.nn.functional.normalize(torch.stack(rows), dim=1).numpy()


@pytest.mark.parametrize("name", NAMES)
def test_vectors_equal_those_of_a_plain_padded_pass(load_tiny, models, name):
    ours = load_tiny(name).encode(TEXTS).vectors
    theirs = padded_reference(models / name, TEXTS, POOLINGS.get(name, "mean"))
    assert np.abs(ours - theirs).max() <= 1e-5


@pytest.mark.parametrize("name", NAMES)
def test_a_vector_is_the_same_alone_and_in_any_batch(load_tiny, name):
    encoder = load_tiny(name)
    together = encoder.encode([*TEXTS, LONG, *reversed(TEXTS)]).vectors
    alone = np.concatenate([encoder.encode([text]).vectors for text in [*TEXTS, LONG]])
    assert np.abs(together[: len(alone)] - alone).max() <= 1e-5


@pytest.mark.parametrize("name", PACKABLE)
def test_supported_architectures_are_packed(load_tiny, name):
    assert load_tiny(name).settings["batching"] == "packed, no padding"


def test_other_architectures_are_padded_and_the_settings_say_so(load_tiny):
    assert load_tiny("mpnet").settings["batching"] == "padded, sorted by length"


def test_vectors_have_length_one(tiny):
    lengths = np.linalg.norm(tiny.encode([*TEXTS, LONG]).vectors, axis=1)
    assert np.abs(lengths - 1).max() <= 1e-6


def test_no_texts_give_no_rows(tiny):
    encoded = tiny.encode([])
    assert encoded.vectors.shape == (0, tiny.dimension)


def test_rows_come_in_the_order_of_the_texts(tiny):
    assert tiny.encode([LONG, *TEXTS]).positions.tolist() == list(range(len(TEXTS) + 1))


def test_the_stream_gives_every_text_once(tiny):
    small = dataclasses.replace(tiny, budget=40)
    texts = [*TEXTS, LONG] * 5
    positions = np.concatenate([part.positions for part in small.encode_stream(texts)])
    assert sorted(positions.tolist()) == list(range(len(texts)))


def test_batches_stay_within_the_budget(tiny):
    seen = []

    def watching(tokens, lengths):
        seen.append(len(tokens))
        return tiny.forward(tokens, lengths)

    dataclasses.replace(tiny, forward=watching, budget=64).encode([*TEXTS, LONG * 20] * 3)
    assert max(seen) <= 64


def test_padding_counts_towards_the_budget(load_tiny):
    encoder, seen = load_tiny("mpnet"), []

    def watching(tokens, lengths):
        seen.append(len(lengths) * lengths.max())
        return encoder.forward(tokens, lengths)

    dataclasses.replace(encoder, forward=watching, budget=64).encode([*TEXTS, LONG] * 3)
    assert max(seen) <= 64


def test_a_text_that_fits_has_one_window_and_no_window_vectors(tiny):
    encoded = tiny.encode(TEXTS)
    assert (encoded.windows.max(), len(encoded.window_vectors)) == (1, 0)


def test_a_long_text_is_the_mean_of_its_windows(tiny):
    encoded = tiny.encode(["bike", LONG])
    mean = encoded.window_vectors.mean(0)
    assert encoded.windows.tolist() == [1, len(encoded.window_vectors)]
    assert np.abs(encoded.vectors[1] - mean / np.linalg.norm(mean)).max() <= 1e-6


def test_window_vectors_follow_the_order_of_the_texts(tiny):
    other = LONG.replace("dog", "bike").replace("cat", "hotel") * 2
    both = tiny.encode([other, "bike", LONG])
    assert np.allclose(
        both.window_vectors,
        np.concatenate([tiny.encode([text]).window_vectors for text in (other, LONG)]),
        atol=1e-5,
    )


def test_texts_that_differ_only_after_the_first_window_get_different_vectors(tiny):
    one, two = LONG + "the hotel was good " * 30, LONG + "delayed flight refund " * 30
    first, second = tiny.encode([one, two]).vectors
    assert first @ second < 0.999


def test_a_huge_text_among_short_ones_changes_none_of_them(tiny):
    among = tiny.encode([*TEXTS[:4], LONG * 300, *TEXTS[4:]])
    assert among.windows[4] > 1_000
    assert np.abs(np.delete(among.vectors, 4, 0) - tiny.encode(TEXTS).vectors).max() <= 1e-5


def test_a_huge_text_leaves_moments_to_cancel(tiny):
    parts = list(dataclasses.replace(tiny, budget=64).encode_stream([LONG * 10]))
    assert [len(part) for part in parts[:-1]] == [0] * (len(parts) - 1)
    assert len(parts) > 20


@pytest.mark.parametrize("text", ["😀😀😀", "🎉 🎉", "文書検索", "", " ", "\u200b"])
def test_texts_without_a_known_token_are_unreadable(tiny, text):
    assert tiny.encode([text, "good"]).unreadable.tolist() == [True, False]


def test_a_single_unknown_word_does_not_make_a_text_unreadable(tiny):
    assert not tiny.encode(["the service was good 😀"]).unreadable[0]


def test_a_tokenizer_of_bytes_reads_everything(load_tiny):
    assert not load_tiny("roberta").encode(["😀😀😀", "文書"]).unreadable.any()


def test_half_a_surrogate_pair_and_control_characters_are_encoded(tiny):
    encoded = tiny.encode(["bike \ud83d", "bike \x00\x0b shop"])
    assert np.isfinite(encoded.vectors).all()


def test_out_of_memory_halves_the_batch_and_gives_the_same_vectors(tiny):
    sizes = []

    def cramped(tokens, lengths):
        sizes.append(len(tokens))
        if len(tokens) > 50:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return tiny.forward(tokens, lengths)

    texts = [*TEXTS, LONG]
    small = dataclasses.replace(tiny, forward=cramped, budget=400)
    assert np.abs(small.encode(texts).vectors - tiny.encode(texts).vectors).max() <= 1e-5
    assert [size > 50 for size in sizes] == sorted((size > 50 for size in sizes), reverse=True)
    assert all(later < earlier for earlier, later in pairwise(s for s in sizes if s > 50))


def test_no_room_for_a_single_text_is_told(tiny):
    def hopeless(tokens, lengths):
        raise torch.OutOfMemoryError("CUDA out of memory")

    with pytest.raises(UserError, match="too little memory"):
        dataclasses.replace(tiny, forward=hopeless).encode(TEXTS)


def test_numbers_that_are_not_finite_are_told(tiny):
    def broken(tokens, lengths):
        return np.full((len(lengths), tiny.dimension), np.nan, np.float32)

    with pytest.raises(UserError, match="not finite"):
        dataclasses.replace(tiny, forward=broken).encode(TEXTS)


def test_bf16_stays_close_to_fp32(models, tiny):
    from core.encoders import load_encoder

    rough: Encoder = load_encoder(models / "bert", device="cpu", precision="bf16")
    cosines = (rough.encode(TEXTS).vectors * tiny.encode(TEXTS).vectors).sum(1)
    assert cosines.min() > 0.995
