"""What a pair's score is, and on what it must not depend."""

import dataclasses
import json
import shutil

import numpy as np
import pytest
import torch

from core.cross import load_cross_encoder
from core.encoders.packing import PACKABLE
from core.errors import UserError

NAMES = ("bert", "roberta", "xlm-roberta", "distilbert", "modernbert", "mpnet")
LONG = "the dog runs in the park and the cat plays with the water of the road " * 8
PAIRS = [
    ("how do i fix the wheel of my bike?", "the wheel of the bicycle is broken"),
    ("a", "b"),
    ("", ""),
    ("", "the red door is closed"),
    ("the hotel was good", ""),
    ("we run", LONG),
    (LONG, "we run"),
    (LONG, LONG.replace("dog", "bike")),
    ("Bike", "bike"),
    ("flight delayed three hours", "late flight, refund please"),
    ("flight delayed three hours", "the blue window is open"),
]


def their_scores(folder, pairs, *, softmax=False):
    library = pytest.importorskip("sentence_transformers")
    model = library.CrossEncoder(str(folder), device="cpu", local_files_only=True)
    return model.predict(pairs, apply_softmax=softmax, show_progress_bar=False)


@pytest.mark.parametrize("name", NAMES)
def test_scores_equal_those_of_sentence_transformers(load_tiny, make_cross, name):
    ours = load_tiny(name).score(PAIRS)
    assert np.ptp(ours) > 0.01
    assert np.abs(ours - their_scores(make_cross(name), PAIRS)).max() <= 1e-5


@pytest.mark.parametrize("name", NAMES)
def test_shares_of_several_labels_equal_those_of_sentence_transformers(load_tiny, make_cross, name):
    ours = load_tiny(name, 3).score(PAIRS)
    theirs = their_scores(make_cross(name, 3), PAIRS, softmax=True)
    assert ours.shape == (len(PAIRS), 3)
    assert np.abs(ours.sum(1) - 1).max() <= 1e-6
    assert np.abs(ours - theirs).max() <= 1e-5


def test_types_of_tokens_are_told_to_a_model_that_has_them(load_tiny, make_cross):
    with_types = load_tiny("bert", types=True).score(PAIRS)
    theirs = their_scores(make_cross("bert", types=True), PAIRS)
    assert np.abs(with_types - theirs).max() <= 1e-5
    assert np.abs(with_types - load_tiny("bert").score(PAIRS)).max() > 1e-4


@pytest.mark.parametrize("name", NAMES)
def test_a_score_is_the_same_alone_and_in_any_batch(load_tiny, name):
    encoder = load_tiny(name)
    together = encoder.score([*PAIRS, *reversed(PAIRS)])[: len(PAIRS)]
    alone = np.concatenate([encoder.score([pair]) for pair in PAIRS])
    assert np.abs(together - alone).max() <= 1e-5


@pytest.mark.parametrize("name", PACKABLE)
def test_supported_architectures_are_packed(load_tiny, name):
    assert load_tiny(name).settings["batching"] == "packed, no padding"


@pytest.mark.parametrize("name", ["bert", "roberta", "xlm-roberta", "distilbert"])
def test_the_last_layer_answers_for_first_tokens_only(load_tiny, name):
    assert load_tiny(name).settings["last_layer"] == "first tokens"


def test_a_head_that_reads_the_mean_gets_all_tokens(make_cross, tmp_path):
    folder = shutil.copytree(make_cross("modernbert"), tmp_path / "mean")
    told = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**told, "classifier_pooling": "mean"}))
    ours = load_cross_encoder(folder, device="cpu")
    assert (ours.settings["batching"], ours.settings["last_layer"]) == (
        "packed, no padding",
        "all tokens",
    )
    assert np.abs(ours.score(PAIRS) - their_scores(folder, PAIRS)).max() <= 1e-5


def test_other_architectures_are_padded_and_the_settings_say_so(load_tiny):
    assert load_tiny("mpnet").settings["batching"] == "padded, sorted by length"


def test_both_orders_give_the_mean_of_the_two(tiny):
    turned = [(second, first) for first, second in PAIRS]
    mean = (tiny.score(PAIRS) + tiny.score(turned)) / 2
    assert np.abs(tiny.score(PAIRS, both_orders=True) - mean).max() <= 1e-6


@pytest.mark.parametrize("budget", [1, 40, 97])
def test_both_orders_survive_any_cut_between_batches(tiny, budget):
    small = dataclasses.replace(tiny, budget=budget)
    whole = tiny.score(PAIRS, both_orders=True)
    assert np.abs(small.score(PAIRS, both_orders=True) - whole).max() <= 1e-5


def test_scores_come_in_the_order_of_the_pairs_and_each_once(tiny):
    small = dataclasses.replace(tiny, budget=40)
    parts = list(small.score_stream(PAIRS * 3))
    positions = np.concatenate([part.positions for part in parts])
    assert sorted(positions.tolist()) == list(range(3 * len(PAIRS)))
    assert len(parts) > 5


def test_slow_tokenizing_leaves_moments_to_cancel(tiny, monkeypatch):
    monkeypatch.setattr("core.cross.cross_encoder._SILENCE_S", -1)
    first, *rest = tiny.score_stream(PAIRS)
    assert len(first) == 0
    assert sum(map(len, rest)) == len(PAIRS)


def test_a_closed_stream_scores_nothing_more(tiny):
    seen = []

    def watching(row, types, lengths):
        seen.append(len(lengths))
        return tiny.forward(row, types, lengths)

    stream = dataclasses.replace(tiny, forward=watching, budget=1).score_stream(PAIRS)
    next(stream)
    stream.close()
    assert seen == [1]


def test_chunks_do_not_change_scores(tiny, monkeypatch):
    whole = tiny.score(PAIRS)
    monkeypatch.setattr("core.cross.cross_encoder._CHUNK_PAIRS", 3)
    assert np.abs(tiny.score(PAIRS) - whole).max() <= 1e-5


def test_pairs_that_do_not_fit_are_told_as_cut(tiny):
    (part,) = (one for one in tiny.score_stream(PAIRS) if len(one))
    is_cut = dict(zip(part.positions.tolist(), part.cut.tolist(), strict=True))
    assert [place for place in range(len(PAIRS)) if is_cut[place]] == [5, 6, 7]
    assert part.tokens.max() == tiny.max_tokens


def test_a_text_is_tokenized_once_however_many_pairs_it_is_in(tiny, monkeypatch):
    read = []
    ordinary = type(tiny.tokenizer).tokenize

    def watching(self, texts):
        read.extend(texts)
        return ordinary(self, texts)

    monkeypatch.setattr(type(tiny.tokenizer), "tokenize", watching)
    tiny.score([("bike", f"the road {n}") for n in range(20)], both_orders=True)
    assert len(read) == 21


def test_a_huge_text_in_many_pairs_is_tokenized_once(tiny, monkeypatch):
    read = []
    ordinary = type(tiny.tokenizer).tokenize

    def watching(self, texts):
        read.extend(texts)
        return ordinary(self, texts)

    monkeypatch.setattr(type(tiny.tokenizer), "tokenize", watching)
    huge = LONG * 1_000
    scores = tiny.score([(huge, f"the road {n}") for n in range(20)])
    assert read.count(huge) == 1
    assert np.abs(scores[0] - tiny.score([(LONG, "the road 0")])[0]) <= 1e-5


def test_batches_stay_within_the_budget(tiny):
    seen = []

    def watching(row, types, lengths):
        seen.append(len(row))
        return tiny.forward(row, types, lengths)

    dataclasses.replace(tiny, forward=watching, budget=64).score(PAIRS * 3)
    assert max(seen) <= 64


def test_padding_counts_towards_the_budget(load_tiny):
    encoder, seen = load_tiny("mpnet"), []

    def watching(row, types, lengths):
        seen.append(len(lengths) * lengths.max())
        return encoder.forward(row, types, lengths)

    dataclasses.replace(encoder, forward=watching, budget=64).score(PAIRS * 3, both_orders=True)
    assert max(seen) <= 64


def test_no_pairs_give_no_scores(load_tiny):
    assert load_tiny("bert").score([]).shape == (0,)
    assert load_tiny("bert", 3).score([]).shape == (0, 3)


def test_out_of_memory_halves_the_batch_and_gives_the_same_scores(tiny):
    def cramped(row, types, lengths):
        if len(row) > 50:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return tiny.forward(row, types, lengths)

    small = dataclasses.replace(tiny, forward=cramped, budget=400)
    assert np.abs(small.score(PAIRS) - tiny.score(PAIRS)).max() <= 1e-5


def test_no_room_for_a_single_pair_is_told(tiny):
    def hopeless(row, types, lengths):
        raise torch.OutOfMemoryError("CUDA out of memory")

    with pytest.raises(UserError, match="too little memory"):
        dataclasses.replace(tiny, forward=hopeless).score(PAIRS)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_a_score_that_is_no_finite_number_names_its_pair(tiny, wrong):
    def broken(row, types, lengths):
        logits = tiny.forward(row, types, lengths)
        logits[lengths == 3] = wrong  # the pair of empty texts
        return logits

    with pytest.raises(UserError, match="pair 2: “” and “”"):
        dataclasses.replace(tiny, forward=broken).score([("a", "b"), ("", ""), ("we", "run")])


def test_half_a_surrogate_pair_is_scored(tiny):
    assert np.isfinite(tiny.score([("bike \ud83d", "\x00 shop")])).all()


def test_bf16_stays_close_to_fp32(make_cross, load_tiny):
    rough = load_cross_encoder(make_cross("roberta"), device="cpu", precision="bf16")
    assert np.abs(rough.score(PAIRS) - load_tiny("roberta").score(PAIRS)).max() < 0.1
