import pytest

from app.pages.search_filter import NO_FILTER, SearchFilter

ALL = SearchFilter(
    (("city", "Lyon"), ("channel", "mail")), (3, "talk.csv"), "copy", (-1, "unclustered"), "same"
)
CHIPS = (
    "city: Lyon", "channel: mail", "File: talk.csv", "Copies", "Cluster: unclustered",
    "Decided the same",
)  # fmt: skip


def test_every_part_is_a_chip() -> None:
    assert ALL.chips == CHIPS


@pytest.mark.parametrize("at", range(len(CHIPS)))
def test_a_chip_takes_its_own_part_away(at: int) -> None:
    assert ALL.without(at).chips == CHIPS[:at] + CHIPS[at + 1 :]


def test_the_first_cluster_is_a_part_like_any_other() -> None:
    only = SearchFilter(cluster=(0, "refund, charged"))
    assert (only.chips, only.values()) == (("Cluster: refund, charged",), {"cluster": 0})
    assert only.without(0) == NO_FILTER


def test_only_what_is_set_goes_to_the_engine() -> None:
    assert NO_FILTER.values() == {}
    assert ALL.values() == {
        "columns": [["city", "Lyon"], ["channel", "mail"]],
        "source": 3,
        "mark": "copy",
        "cluster": -1,
        "decision": "same",
    }


def test_the_same_column_and_words_are_asked_for_once() -> None:
    assert ALL.with_column("city", "Lyon") == ALL
