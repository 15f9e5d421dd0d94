"""The public sets are read as their papers count them."""

import numpy as np
import pytest

from core.examples import (
    DECISIONS,
    ExampleKind,
    keep_given,
    overlap,
    random_sides,
    read_examples,
    read_label_first,
    read_line_files,
    topic_sides,
)

PAPER_SIZES = (2_471, 478, 451)  # in-topic, Augmented SBERT, section 4.1


@pytest.fixture
def arguments(data):
    return read_examples(data / "bws" / "BWS_corpus.csv.gz", beside=["topic"])


@pytest.mark.parametrize(("part", "count"), [("train", 5_749), ("dev", 1_500), ("test", 1_379)])
def test_sts_benchmark(data, part, count):
    read = read_examples(data / "stsbenchmark" / f"sts-{part}.csv")
    assert (read.examples.kind, len(read.examples)) == (ExampleKind.SCORED_PAIRS, count)
    assert read.skipped == () and read.examples.score.max() == 1


def test_sts_benchmark_shares_257_texts_between_train_and_test(data):
    train, dev, test = (
        read_examples(data / "stsbenchmark" / f"sts-{part}.csv").examples
        for part in ("train", "dev", "test")
    )
    given = keep_given(train, test, dev)
    assert (given.train_test.texts, given.train_dev.texts, given.dev_test.texts) == (257, 249, 77)
    assert overlap(train, given.test_apart).texts == 0


def test_the_microsoft_paraphrases(data):
    read = read_examples(data / "mrpc" / "msr_paraphrase_train.txt")
    assert (read.examples.names, np.bincount(read.examples.label).tolist()) == (
        DECISIONS, [1_323, 2_753],
    )  # fmt: skip  # one pair
    assert read.skipped == ()


def test_snli(data):
    folder = data / "snli"
    read = read_line_files(
        {
            "left": folder / "s1.dev.gz",
            "right": folder / "s2.dev.gz",
            "label": folder / "labels.dev",
        }
    )
    assert read.examples.names == ("contradiction", "entailment", "neutral")
    assert np.bincount(read.examples.label).tolist() == [3_278, 3_329, 3_235]


def test_quora_questions(data):
    read = read_examples(data / "qqp" / "dev.tsv.gz")
    assert (read.examples.names, np.bincount(read.examples.label).tolist()) == (
        DECISIONS, [5_000, 5_000],
    )  # fmt: skip  # one pair
    assert read.skipped == ()


def test_the_arguments_and_their_topics(arguments):
    assert (arguments.examples.kind, len(arguments.examples)) == (ExampleKind.SCORED_PAIRS, 3_400)
    topics, counts = np.unique(arguments.beside["topic"], return_counts=True)
    assert (len(topics), counts.tolist()) == (8, [425] * 8)


def test_a_random_split_of_the_arguments_shares_texts_with_most_pairs_and_no_pair(arguments):
    train, _, test = random_sides(arguments.examples, PAPER_SIZES, seed=0)
    shared = overlap(arguments.examples.rows(train), arguments.examples.rows(test))
    assert (len(train), len(test), shared.pairs) == (2_471, 451, 0)
    assert shared.touching > 0.5 * shared.rows_b


def test_topics_of_the_arguments_share_no_text(arguments):
    sides = topic_sides(arguments.beside["topic"], (5, 1, 2))
    train, dev, test = (arguments.examples.rows(rows) for rows, _ in sides)
    assert (len(train), len(dev), len(test)) == (2_125, 425, 850)
    assert overlap(train, test).texts == 0


@pytest.mark.parametrize(
    ("name", "until", "count", "labels", "bare"),
    [
        ("custrev.all.txt", "", 3_775, 2, 4),
        ("TREC.raw.train.txt", ":", 5_452, 6, 0),
        ("TREC.raw.test.txt", ":", 500, 6, 0),
    ],
)
def test_senteval_whose_reviews_have_four_without_a_word(data, name, until, count, labels, bare):
    read = read_label_first(data / "senteval" / name, until=until, encoding="latin-1")
    assert (len(read.examples), len(read.skipped)) == (count - bare, bare)
    assert len(read.examples.names) == labels


def test_stack_overflow(data):
    folder = data / "stackoverflow-20k"
    read = read_line_files(
        {"text": folder / "title_StackOverflow.txt", "label": folder / "label_StackOverflow.txt"}
    )
    assert (len(read.examples), read.examples.names) == (20_000, tuple(map(str, range(1, 21))))


@pytest.mark.parametrize(("part", "count"), [("train", 10_003), ("test", 3_080)])
def test_banking(data, part, count):
    read = read_examples(data / "banking77" / f"{part}.csv")
    assert (read.examples.kind, len(read.examples)) == (ExampleKind.LABELLED_TEXTS, count)
    assert (len(read.examples.names), read.skipped) == (77, ())
