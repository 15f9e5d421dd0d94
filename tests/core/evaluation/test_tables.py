"""Tables as they stand on a page."""

import numpy as np
import pytest

from core.evaluation import aggregated, errors_by_overlap, figure_table, overlap_markdown


def test_figures_stand_side_by_side_in_order():
    table = figure_table(
        {"old": {"pairs": 9, "kind": "label", "f1": 0.5}, "new": {"f1": 0.75, "auc": 1.0}}
    )
    assert table.rows == (("f1", (0.5, 0.75)), ("auc", (None, 1.0)))
    assert table.markdown().splitlines() == [
        "| | old | new |",
        "|---|---:|---:|",
        "| f1 | 50.00 | 75.00 |",
        "| auc | – | 100.00 |",
    ]


def test_means_stand_with_their_deviation():
    told = figure_table({"new": {"f1": aggregated([0.5, 0.7])}}).markdown()
    assert told.endswith("| f1 | 60.00 ± 14.14 (n = 2) |")


@pytest.fixture
def by_overlap():
    gold = np.arange(20) / 19
    scores = {"encoder": gold, "cross": 1 - gold}
    return errors_by_overlap(gold, scores, np.full(20, 0.5), np.arange(20), labelled=False)


def test_bands_of_overlap_are_rows(by_overlap):
    lines = overlap_markdown(by_overlap).splitlines()
    assert lines[0] == "| overlap | pairs | encoder | cross | cross − encoder (95 %) |"
    assert lines[2] == "| 0.0–0.2 | 0 | – | – | – (– to –) |"
    # Ranks turned round lie |2 i - 19| of 19 apart: 10 on the mean.
    assert lines[4].startswith(f"| 0.4–0.6 | 20 | 0.000 | {10 / 19:.3f} | +{10 / 19:.3f} (+")
