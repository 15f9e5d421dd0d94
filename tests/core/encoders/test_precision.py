"""bf16 only where the processor has it and nothing changes."""

import pytest

from core.encoders import choose_precision, precision

THINGS = ("bike", "road", "shop", "dog", "cat", "park", "man", "day")
KINDS = ("red", "blue", "old", "new", "big", "small", "cold", "warm")
TEXTS = [f"the {thing} is {kind}" for thing in THINGS for kind in KINDS]


def test_without_bf16_arithmetic_fp32_is_chosen_at_no_cost(models, monkeypatch):
    monkeypatch.setattr(precision, "has_bf16", lambda: False)
    choice = choose_precision(models / "bert", "cpu", TEXTS)
    assert (choice.precision, choice.pairs) == ("fp32", 0)


def test_a_handful_of_texts_is_not_worth_a_trial(models, monkeypatch):
    monkeypatch.setattr(precision, "has_bf16", lambda: True)
    choice = choose_precision(models / "bert", "cpu", TEXTS[:10])
    assert (choice.precision, choice.pairs) == ("fp32", 0)


@pytest.mark.parametrize(("bound", "wanted"), [(1.0, "bf16"), (0.0, "fp32")])
def test_the_largest_change_decides(models, monkeypatch, bound, wanted):
    monkeypatch.setattr(precision, "has_bf16", lambda: True)
    monkeypatch.setattr(precision, "LARGEST_CHANGE", bound)
    choice = choose_precision(models / "bert", "cpu", TEXTS)
    assert choice.precision == wanted
    assert 0 < choice.largest_change < 0.5
    assert choice.pairs == 10_000
