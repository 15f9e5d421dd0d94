"""What is wrong with examples is said before they teach, with a remedy."""

import numpy as np
import pytest

from core.errors import UserError
from core.examples import (
    DECISIONS,
    LabelledPairs,
    LabelledTexts,
    ScoredPairs,
    Severity,
    Triplets,
    examine,
    read_examples,
)


def decisions(*rows):
    """Pairs told as `a=b` or `a!b`."""
    split = [row.replace("!", "=").split("=") for row in rows]
    label = np.array(["=" in row for row in rows], np.int64)
    return LabelledPairs(
        tuple(one for one, _ in split), tuple(two for _, two in split), label, DECISIONS
    )


def many(count=40, start=0):
    """Sound decisions without a shared text, half the same."""
    return [f"l{at}{'=' if at % 2 else '!'}r{at}" for at in range(start, start + count)]


def scored(*numbers):
    count = len(numbers)
    return ScoredPairs(
        tuple(f"l{at}" for at in range(count)), tuple(f"r{at}" for at in range(count)),
        np.array(numbers, np.float32),
    )  # fmt: skip  # left and right in one line


def told(examples, **asked):
    return [(found.severity, found.sentence) for found in examine(examples, **asked).findings]


def only(examples, **asked):
    found = examine(examples, **asked).findings
    assert len(found) == 1, found
    return found[0]


def test_sound_examples_have_no_finding_and_are_counted():
    found = examine(decisions(*many()))
    assert (found.findings, found.counts) == ((), (("different", 20), ("same", 20)))


def test_scores_are_counted_in_fifths():
    counts = examine(scored(*np.linspace(0, 0.99, 50))).counts
    assert counts[0] == ("0 to 0.2", 10) and sum(count for _, count in counts) == 50


@pytest.mark.parametrize(
    ("examples", "words"),
    [
        (decisions(*many(3)), "There are only 3 examples."),
        (decisions("a=b"), "There is only 1 example."),
        (
            decisions(*(f"l{at}=r{at}" for at in range(30))),
            "All 30 examples have the label “same”.",
        ),
        (scored(*[0.5] * 30), "All 30 pairs have the score 0.5."),
        (
            LabelledTexts(
                tuple(f"t{at}" for at in range(30)), np.arange(30), tuple(map(str, range(30)))
            ),
            "No label has two texts, so no pair of one label can be made.",
        ),
        (
            decisions(*(f"t{at}{'=!'[at % 2]}t{at}" for at in range(30))),
            "All 30 examples set a text beside itself.",
        ),
        (
            Triplets(*(tuple(f"{column}{at}" for at in range(30)) for column in "app")),
            "All 30 examples set a text beside itself.",
        ),
    ],
)
def test_what_nothing_can_be_learnt_from_stops_with_a_remedy(examples, words):
    found = only(examples)
    assert (found.severity, found.sentence, bool(found.remedy)) == (Severity.STOPS, words, True)
    with pytest.raises(UserError, match=words[:20]):
        examine(examples).refuse()


def test_examples_of_the_same_alone_suffice_for_negatives_of_the_batch():
    same = decisions(*(f"l{at}=r{at}" for at in range(30)))
    assert not examine(same, negatives_in_batch=True).stops


def test_few_examples_warn():
    found = only(decisions(*many(10)))
    assert (found.severity, "only 10 examples" in found.sentence) == (Severity.WARNS, True)


def test_a_label_that_nearly_all_carry_warns():
    rows = [f"l{at}!r{at}" for at in range(95)] + [f"s{at}=t{at}" for at in range(5)]
    assert only(decisions(*rows)).sentence == "95 of 100 examples have the label “different”."


def test_scores_that_are_nearly_all_low_warn():
    found = only(scored(*[0.01] * 57, 0.5, 0.7, 0.9))
    assert found.sentence == "57 of 60 examples have a score from 0 to 0.2."


def test_scarce_labels_are_named():
    label = np.array([0] * 20 + [1] * 20 + [2] * 2)
    texts = LabelledTexts(tuple(f"t{at}" for at in range(42)), label, ("a", "b", "c"))
    assert "1 label has fewer than 5 examples: “c”" in only(texts).sentence


def test_empty_texts_warn():
    found = only(decisions(*many(), " =x", "y!"))
    assert (found.severity, found.sentence) == (
        Severity.WARNS, "2 examples have an empty text."
    )  # fmt: skip  # one pair


def test_a_text_beside_itself_is_told_and_warned_of_where_it_is_said_to_differ():
    same, different = only(decisions(*many(), "x=x")), told(decisions(*many(), "x!x"))
    assert (same.severity, "with itself" in same.sentence) == (Severity.TELLS, True)
    assert different == [(Severity.WARNS, "In 1 example a text is said to differ from itself.")]


@pytest.mark.parametrize("twin", ["l1=r1", "r1=l1"])
def test_a_pair_that_comes_again_in_either_order_is_told(twin):
    found = only(decisions(*many(), twin))
    assert (found.severity, found.sentence) == (Severity.TELLS, "1 example repeats an earlier one.")


@pytest.mark.parametrize("twin", ["l1!r1", "r1!l1"])
def test_a_pair_judged_both_ways_warns_in_either_order(twin):
    found = only(decisions(*many(), twin))
    assert found.severity is Severity.WARNS
    assert found.sentence.startswith("1 example contradicts an earlier one, such as")


def test_a_chain_of_sames_that_a_decision_contradicts_warns():
    found = told(decisions(*many(), "a=b", "b=c", "c!a"))
    assert found[0][0] is Severity.WARNS
    assert "judged different although others bind the texts as the same" in found[0][1]


def test_scores_of_one_pair_contradict_when_they_are_far_apart():
    near = ScoredPairs(("a", "b", *"cdefghijklmnopqrstuv"), ("b", "a", *"CDEFGHIJKLMNOPQRSTUV"),
                       np.linspace(0.3, 0.49, 22).astype(np.float32))  # fmt: skip  # three columns
    far = ScoredPairs(near.left, near.right, np.array([0.1, 0.9, *near.score[2:]], np.float32))
    assert [one for one, _ in told(near)] == [Severity.TELLS]
    assert told(far)[0][1].startswith("1 example contradicts")


def nli(*rows):
    names = ("contradiction", "entailment", "neutral")
    full = [*rows, *((f"l{at}", f"r{at}", names[at % 3]) for at in range(30))]
    left, right, label = zip(*full, strict=True)
    return LabelledPairs(left, right, np.array([names.index(one) for one in label]), names)


def test_labels_that_depend_on_the_order_contradict_in_one_order_only():
    same_order = nli(("a", "b", "entailment"), ("a", "b", "neutral"))
    turned = nli(("a", "b", "entailment"), ("b", "a", "neutral"))
    assert only(same_order).severity is Severity.WARNS
    assert only(turned).severity is Severity.TELLS
    assert "other way round under another label" in only(turned).sentence


def test_a_text_under_two_labels_contradicts_itself():
    texts = tuple(f"t{at}" for at in range(30))
    label = np.arange(31) % 2
    assert "contradicts" in only(LabelledTexts((*texts, "t1"), label, ("a", "b"))).sentence


def test_a_positive_that_is_elsewhere_the_negative_of_its_anchor_contradicts():
    names = [f"{at}" for at in range(30)]
    triplets = Triplets(
        ("a", "a", *(f"a{at}" for at in names)), ("p", "n", *(f"p{at}" for at in names)),
        ("n", "p", *(f"n{at}" for at in names)),
    )  # fmt: skip  # three columns
    assert told(triplets)[0][1].startswith("1 example contradicts")


def test_a_negative_that_is_its_own_positive_warns():
    names = [f"{at}" for at in range(30)]
    triplets = Triplets(
        ("a", *(f"a{at}" for at in names)), ("p", *(f"p{at}" for at in names)),
        ("p", *(f"n{at}" for at in names)),
    )  # fmt: skip  # three columns
    words = "In 1 example the counter-example is one of the other two texts."
    assert (Severity.WARNS, words) in told(triplets)


def test_texts_with_several_positives_are_a_danger_in_a_batch_only():
    pairs = decisions(*many(), "x=y", "x=z")
    assert only(pairs).severity is Severity.TELLS
    assert only(pairs, negatives_in_batch=True).severity is Severity.WARNS


def test_a_side_whose_every_example_is_learnt_from_stops():
    train = decisions(*many(), "r41=l41")
    found = only(train, sides={"test": decisions("l41=r41", "l3=r3")})
    assert (found.severity, found.examples) == (Severity.STOPS, 2)
    assert "connected texts" in found.remedy


def test_a_side_that_shares_some_texts_warns_and_tells_what_is_left():
    found = only(decisions(*many()), sides={"test": decisions("l1=new", "x=y", "v!w")})
    assert found.severity is Severity.WARNS
    assert "1 of 6 texts" in found.sentence and "the 2 test examples" in found.remedy


def test_sides_that_judge_are_compared_with_each_other():
    sides = {"dev": decisions("x=y"), "test": decisions("x=z")}
    found = only(decisions(*many()), sides=sides)
    assert found.severity is Severity.TELLS and "dev and the test" in found.sentence


def test_texts_longer_than_the_model_reads_warn_with_the_longest():
    pairs = decisions(*many(), "one two three four=x")
    found = only(pairs, tokens=lambda texts: np.array([len(t.split()) for t in texts]), reads=3)
    assert found.severity is Severity.WARNS
    assert "1 of 82 texts is longer than the 3 tokens" in found.sentence
    assert "(up to 4)" in found.sentence


def test_each_text_is_counted_once_and_a_wrong_count_is_a_fault_of_the_program():
    asked = []

    def count(texts):
        asked.extend(texts)
        return np.ones(len(texts), np.int64)

    examine(decisions("a=b", "a!c"), tokens=count, reads=1)
    assert asked == ["a", "b", "c"]
    with pytest.raises(ValueError, match="one count a text"):
        examine(decisions("a=b"), tokens=lambda _: np.ones(1, np.int64), reads=1)


def test_how_a_file_was_read_is_part_of_the_report(write):
    rows = "".join(f"l{at},r{at},{at}\n" for at in range(10, 40))
    file = read_examples(write(f"text1,text2,score\n{rows},x,3\na,b,c,d\n"))
    found = told(file.examples, files=[file])
    assert any("on no known scale" in words for _, words in found)
    assert any("2 rows of 32 could not be read, such as line 32" in words for _, words in found)


def test_a_file_that_can_hardly_be_read_stops(write):
    rows = "".join(f"l{at},r{at},{at % 2}\n" for at in range(30))
    file = read_examples(write(f"text1,text2,label\n{rows}" + "a,b,c,d\n" * 31))
    found = examine(file.examples, files=[file])
    assert found.stops
    assert "31 rows of 61 could not be read" in found.findings[0].sentence


def test_the_gravest_finding_comes_first():
    found = told(decisions(*many(10), "x=x", "l1=r1", "y!y"))
    order = [list(Severity).index(severity) for severity, _ in found]
    assert order == sorted(order) and len(set(order)) == 2


def test_no_example_at_all_stops():
    assert examine(scored()).stops
