"""BM25 beside a formula written down once more, word by word."""

import math
import time
from collections import Counter

import numpy as np
import pytest

from core.progress import run_to_end
from core.sampling import sample_bm25

NONE = np.empty((0, 2), np.int64)
TEXTS = (
    "my card was charged twice twice",
    "card charged for a parcel",
    "where is my parcel",
    "the parcel the parcel the parcel is late late late late",
    "unrelated",
    "",
)


def by_hand(texts: tuple[str, ...], asks: int, other: int) -> float:
    """The formula as the literature has it: k1 = 1.2, b = 0.75, Lucene's logarithm."""
    bags = [Counter(text.split()) for text in texts]
    mean = sum(bag.total() for bag in bags) / len(bags)
    total = 0.0
    for word in texts[asks].split():
        held = sum(word in bag for bag in bags)
        times = bags[other][word]
        length = bags[other].total()
        rare = math.log(1 + (len(bags) - held + 0.5) / (held + 0.5))
        total += rare * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / mean))
    return total


@pytest.mark.parametrize("top_k", [1, 2, 5])
def test_each_text_comes_with_those_of_the_highest_scores(top_k: int):
    expected = set()
    for asks in range(len(TEXTS)):
        scores = {other: by_hand(TEXTS, asks, other) for other in range(len(TEXTS))}
        others = sorted(
            (o for o in scores if o != asks and scores[o] > 0), key=lambda o: (-scores[o], o)
        )
        expected |= {frozenset((asks, other)) for other in others[:top_k]}
    found = run_to_end(sample_bm25(TEXTS, NONE, top_k=top_k))
    assert {frozenset(pair) for pair in found.tolist()} == expected


def test_the_best_come_first_and_known_pairs_not_at_all():
    found = run_to_end(sample_bm25(TEXTS, np.array([(1, 0)]), top_k=2))
    assert [0, 1] not in found.tolist()
    order = run_to_end(sample_bm25(TEXTS, NONE, top_k=3)).tolist()
    of_first = [by_hand(TEXTS, 0, right) for left, right in order if left == 0]
    assert of_first == sorted(of_first, reverse=True)


def test_of_equal_scores_the_first_text_counts():
    texts = ["refund please", *["refund now"] * 5]
    found = run_to_end(sample_bm25(texts, NONE, top_k=2)).tolist()
    assert found[:2] == [[0, 1], [0, 2]]


@pytest.mark.parametrize("texts", [[], ["alone"], ["", ""], ["one", "two"]])
def test_texts_that_share_no_word_make_no_pair(texts: list[str]):
    assert len(run_to_end(sample_bm25(texts, NONE, top_k=3))) == 0


def test_words_of_any_script_count():
    texts = ["Mein Paket ist da", "PAKET verloren", "東京都に住む", "東京都の天気"]
    found = run_to_end(sample_bm25(texts, NONE, top_k=1)).tolist()
    assert sorted(found) == [[0, 1], [2, 3]]


@pytest.mark.speed
def test_a_thousand_texts_ask_in_a_second():
    random = np.random.default_rng(0)
    # Word frequencies fall as in a language, so that a few words stand in most texts.
    ranks = np.minimum(random.zipf(1.3, (20_000, 10)), 30_000)
    texts = [" ".join(f"w{rank}" for rank in row) for row in ranks.tolist()]
    started = time.perf_counter()
    run_to_end(sample_bm25(texts, NONE, top_k=5))
    assert len(texts) / (time.perf_counter() - started) > 1_000
