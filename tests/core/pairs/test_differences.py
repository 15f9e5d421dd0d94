import numpy as np
import pytest

from core.pairs import difference_flags
from core.records import Flag

NONE = Flag(0)


def flags(a, b):
    return Flag(int(difference_flags([a, b], np.array([0]), np.array([1]))[0]))


@pytest.mark.parametrize(
    ("a", "b", "differs"),
    [
        ("I paid 1,000 euros", "I paid 1000 euros", False),
        ("I paid 1.000 euros", "I paid 1,000 euros", False),
        ("I paid 1,234.50", "I paid 1234.5", False),
        ("40.00 due", "40 due", False),
        ("1,5 kg", "1.5 kg", False),
        ("two parcels", "2 parcels", False),
        ("on 05/03", "on 5/3", False),
        ("３ items", "3 items", False),
        ("2 of 3", "3 of 2", False),
        ("order 7730", "order 7731", True),
        ("A320 delayed", "A330 delayed", True),
        ("I paid 40", "I paid", True),
        ("two parcels", "three parcels", True),
        ("10 and 10", "10", True),
        ("version 1.2.3", "version 1.2.4", True),
        ("this is the one", "this is it", False),
    ],
)
def test_numbers_are_compared_by_value(a, b, differs):
    assert bool(flags(a, b) & Flag.NUMBERS) is differs


@pytest.mark.parametrize(
    ("plain", "negated"),
    [
        ("I like it", "I do not like it"),
        ("It works", "It doesn't work"),
        ("It works", "It doesn’t work"),
        ("It works", "it doesnt work"),
        ("with sugar", "without sugar"),
        ("refundable", "non-refundable"),
        ("Das geht", "Das geht nicht"),
        ("Ich habe eine Karte", "Ich habe keine Karte"),
        ("Je fume", "Je ne fume plus"),
        ("C'est bon", "Ce n'est pas bon"),
        ("Me gusta", "No me gusta"),
        ("Mi piace", "Non mi piace"),
        ("Het werkt", "Het werkt niet"),
        ("Eu gosto", "Eu não gosto"),
    ],
)
def test_a_negation_in_one_text_only_is_flagged(plain, negated):
    assert flags(plain, negated) & Flag.NEGATION


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("I do not like it", "I don't like it"),
        ("See No. 5", "See number 5"),
        ("J'en veux plus", "J'en veux encore"),
        ("Note this", "Notice this"),
    ],
)
def test_two_negations_or_none_are_not_flagged(a, b):
    assert not flags(a, b) & Flag.NEGATION


@pytest.mark.parametrize(
    ("a", "b", "differs"),
    [
        ("The flight to Paris was late", "The flight to Rome was late", True),
        ("Thanks for the help @anna_b", "Thanks for the help @otto_c", True),
        ("My flight UA is late", "My flight LH is late", True),
        ("The meeting is on monday again", "The meeting is on tuesday again", True),
        ("It was in May I think", "It was in June I think", True),
        ("You may go there now", "You can go there now", False),
        ("My Visa was declined today", "My visa was declined today", False),
        ("The flight to Paris was late", "The flight was late", False),
        ("The flight to Paris was late", "the flight to paris was late", False),
        ("I hate Mondays with Bob", "Rain is what Otto always wanted", False),
        ("Where is it? Please help me", "Where is it? Kindly help me", False),
        ("THE FLIGHT WAS LATE", "THE PLANE WAS LATE", False),
        ("How To Return My New Shoes", "How To Return My Old Shoes", False),
        ("Today I was late", "Today we was late", False),
    ],
)
def test_names_that_the_other_text_lacks_are_flagged(a, b, differs):
    assert bool(flags(a, b) & Flag.NAMES) is differs


def test_several_differences_are_told_together():
    found = flags("We will fly to Paris in 2 days", "We will not fly to Rome in 3 days")
    assert found == Flag.NUMBERS | Flag.NEGATION | Flag.NAMES


def test_paraphrases_without_such_differences_are_free():
    assert flags("I was charged twice", "My card was billed two times") == Flag.NUMBERS
    assert flags("Where is my parcel?", "My package has not come") == Flag.NEGATION
    assert flags("The app closes itself", "The application shuts down") == NONE


def test_many_pairs_are_flagged_as_each_alone():
    texts = ["I paid 5", "I paid 6", "I did not pay 5", "Pay 5"]
    left, right = np.triu_indices(4, 1)
    together = difference_flags(texts, left, right).tolist()
    pairs = zip(left, right, strict=True)
    assert together == [int(flags(texts[a], texts[b])) for a, b in pairs]


def test_no_pairs_have_no_flags():
    none = np.empty(0, np.int32)
    assert difference_flags([], none, none).dtype == np.uint8
