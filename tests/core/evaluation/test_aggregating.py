"""Means and deviations against the standard library."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluation import aggregated, aggregated_by_name

numbers = st.lists(st.floats(-100, 100), min_size=2, max_size=20)


@given(numbers)
def test_mean_and_deviation_are_those_of_a_sample(values):
    found = aggregated(values)
    assert found.mean == pytest.approx(statistics.fmean(values), abs=1e-9)
    assert found.deviation == pytest.approx(statistics.stdev(values), abs=1e-9)
    assert found.n == len(values)


def test_one_value_has_no_deviation():
    assert math.isnan(aggregated([0.5]).deviation)


def test_it_is_said_as_papers_do():
    assert aggregated([0.84, 0.86]).words() == "85.00 ± 1.41 (n = 2)"
    assert aggregated([0.84]).words() == "84.00 (n = 1)"


def test_figures_are_aggregated_by_their_names():
    found = aggregated_by_name([{"f1": 0.5, "recall": 1}, {"f1": 0.7, "recall": 1}])
    assert found["f1"].mean == pytest.approx(0.6)
    assert found["recall"].deviation == 0


def test_runs_with_different_figures_are_refused():
    with pytest.raises(ValueError, match="same figures"):
        aggregated_by_name([{"f1": 1}, {"recall": 1}])


@pytest.mark.parametrize("values", [[], [1, math.nan], [[1, 2]]])
def test_what_has_no_mean_is_refused(values):
    with pytest.raises(ValueError, match="finite numbers"):
        aggregated(values)
