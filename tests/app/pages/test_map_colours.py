"""What colours mean: kinds, scales and the legend, from arrays alone."""

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from app.look.theme import Theme, theme_named
from app.pages.map_colour_reads import decided_kinds, scored
from app.pages.map_colours import colour_clusters, colour_kinds, colour_scale, frequent_kinds
from app.pages.map_reads import Clusters, Columns, Picture
from core.store import ClusteringRecord, ClusterRow, DecisionTable, MapRecord


@pytest.fixture
def theme(app: QApplication) -> Theme:
    return theme_named("light")


def picture(rows: list[int]) -> Picture:
    """Texts 1, 2, … in a row, with so many rows each."""
    count = len(rows)
    record = MapRecord(1, 1, {}, {}, {}, None)
    return Picture(
        record, np.arange(1, count + 1), np.zeros((count, 2), np.float32), np.array(rows), Columns()
    )


def row(number: int, *, excluded: bool = False) -> ClusterRow:
    return ClusterRow(number, f"c{number}", (), 1, 1, (), False, excluded, False, number)


def clusters(labels: list[int], how: list[int], listed: tuple[ClusterRow, ...]) -> Clusters:
    record = ClusteringRecord(1, 1, {}, {}, (2,), 0, 1.0, {}, None)
    numbers = [one.number for one in listed]
    place = [numbers.index(label) if label in numbers else -1 for label in labels]
    return Clusters(
        record, listed, np.array(labels, np.int32), np.array(place, np.int32),
        np.ones(len(labels), np.float32), np.array(how, np.uint8), {},
    )  # fmt: skip


def test_the_nine_most_frequent_values_are_named_and_the_rest_counted() -> None:
    code = np.repeat(np.arange(12, dtype=np.int32), np.arange(12, 0, -1))
    kinds = frequent_kinds("x", code, tuple(map(str, range(12))), np.ones(len(code), np.int64))
    assert kinds.words == (*map(str, range(9)), "3 others")


def test_a_single_value_left_over_keeps_its_name() -> None:
    code = np.arange(10, dtype=np.int32)
    kinds = frequent_kinds("x", code, tuple("abcdefghij"), np.ones(10, np.int64))
    assert kinds.words[-1] == "j"


def test_values_are_ranked_by_rows_and_not_by_texts() -> None:
    code = np.array([0, 0, 1], np.int32)
    kinds = frequent_kinds("x", code, ("many texts", "many rows"), np.array([1, 1, 9]))
    assert kinds.words[0] == "many rows"


def test_texts_without_a_value_have_no_kind() -> None:
    kinds = frequent_kinds("x", np.array([-1, 0], np.int32), ("a",), np.array([1, 1]))
    assert kinds.code.tolist() == [-1, 0]


def test_the_legend_counts_rows_and_ends_with_what_has_none(theme: Theme) -> None:
    kinds = frequent_kinds("x", np.array([0, 0, -1], np.int32), ("a",), np.array([2, 3, 4]))
    entries = colour_kinds(kinds, picture([2, 3, 4]), theme).entries
    assert [(one.words, one.rows) for one in entries] == [("a", 5), ("empty", 4)]


def test_a_text_both_same_and_different_is_a_kind_of_its_own() -> None:
    pairs = (np.array([[1, 2]]), np.array([[2, 3]]), np.array([[4, 5]]))
    kinds = decided_kinds(DecisionTable(*pairs), picture([1] * 6))
    assert [kinds.words[code] if code >= 0 else "" for code in kinds.code] == [
        "same as another", "both of these", "different from another", "only unsure", "only unsure",
        "",
    ]  # fmt: skip


def test_texts_that_the_search_did_not_find_have_no_score(theme: Theme) -> None:
    scale = scored({2: 0.5, 99: 0.9}, picture([1, 1, 1]))
    colouring = colour_scale(scale, picture([1, 1, 1]), theme)
    assert colouring.part.tolist() == [-1, 0, -1]
    assert colouring.ends == ("0.50", "0.50")


def test_no_scores_at_all_are_no_fault() -> None:
    assert np.isnan(scored({}, picture([1, 1])).values).all()


def test_an_assigned_text_is_lighter_than_its_cluster(theme: Theme) -> None:
    told = colour_clusters(clusters([7, 7], [0, 1], (row(7),)), picture([1, 1]), theme)
    assert told.index is not None
    sure, assigned = (told.palette[at] for at in told.index)
    assert assigned.lightness() > sure.lightness()


def test_an_excluded_cluster_loses_its_colour(theme: Theme) -> None:
    one, out = row(0), row(0, excluded=True)
    kept = colour_clusters(clusters([0], [0], (one,)), picture([1]), theme)
    left = colour_clusters(clusters([0], [0], (out,)), picture([1]), theme)
    assert left.palette[0].saturation() < kept.palette[0].saturation()


def test_texts_in_no_cluster_are_grey_and_told_in_the_legend(theme: Theme) -> None:
    told = colour_clusters(clusters([0, -1], [0, 0], (row(0),)), picture([1, 4]), theme)
    assert told.index is not None
    assert told.index.tolist() == [0, -1]
    assert [(one.words, one.rows) for one in told.entries][-1] == ("unclustered", 4)


def test_where_all_texts_are_in_clusters_the_legend_says_nothing(theme: Theme) -> None:
    assert colour_clusters(clusters([0], [0], (row(0),)), picture([1]), theme).entries == ()
