import numpy as np
import pytest

from core.pairs import WordTable, words_of


def overlap(a, b):
    return float(WordTable.of([a, b]).overlap(np.array([0]), np.array([1]))[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("My card, charged TWICE!", ["my", "card", "charged", "twice"]),
        ("I don't / don’t", ["i", "don't", "don't"]),
        ("Straße ＡＢＣ", ["strasse", "abc"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("退款没到", ["退款", "款没", "没到"]),
        ("猫", ["猫"]),
        ("iPhone坏了", ["iphone", "坏了"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("...", ["..."]),
        ("😀 😀", ["😀", "😀"]),
        ("", []),
    ],
)
def test_words_are_cut_in_any_script(text, words):
    assert words_of(text) == words


def test_thai_is_cut_into_neighbouring_characters():
    assert len(words_of("สวัสดี")) == 5


@pytest.mark.parametrize(
    ("a", "b", "share"),
    [
        ("a b c", "b c d", 0.5),
        ("a a b", "b a", 1),
        ("Charged twice.", "charged TWICE", 1),
        ("one two", "three four", 0),
        ("", "", 0),
    ],
)
def test_overlap_is_the_jaccard_index_of_the_words(a, b, share):
    assert overlap(a, b) == pytest.approx(share)


def test_a_variant_by_one_character_overlaps_more_than_a_paraphrase():
    text = "I was charged twice for the same order last week"
    variant = overlap(text, "I was charged twice for the same order last week!")
    paraphrase = overlap(text, "Last week you billed one purchase two times")
    assert variant > 0.75 > paraphrase


def test_many_pairs_are_counted_as_each_alone():
    random = np.random.default_rng(0)
    texts = [" ".join(map(str, random.integers(0, 9, random.integers(1, 9)))) for _ in range(50)]
    left, right = random.integers(0, 50, (2, 400))
    sets = [set(words_of(text)) for text in texts]
    expected = [
        len(sets[a] & sets[b]) / len(sets[a] | sets[b]) for a, b in zip(left, right, strict=True)
    ]
    assert WordTable.of(texts).overlap(left, right).tolist() == pytest.approx(expected)


def test_no_pairs_have_no_overlaps():
    none = np.empty(0, np.int32)
    assert WordTable.of([]).overlap(none, none).shape == (0,)
