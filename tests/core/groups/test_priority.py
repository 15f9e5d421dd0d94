import numpy as np
import pytest

from core.groups import KeeperRule, priorities

NO_DATE = np.iinfo(np.int64).min


def ranks(rule, **changes):
    columns = {
        "place": np.array([10, 20, 30]),
        "length": np.array([5, 9, 7]),
        "date": np.array([100, NO_DATE, 300]),
        "degree": np.array([1, 8, 8]),
        "pinned": np.zeros(3, np.bool_),
        "hash_rank": np.array([2, 1, 0]),
    }
    return priorities(rule, **{**columns, **changes}).tolist()


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (KeeperRule.FIRST, [0, 1, 2]),
        (KeeperRule.LONGEST, [2, 0, 1]),
        (KeeperRule.NEWEST, [1, 2, 0]),
        (KeeperRule.CENTRAL, [2, 0, 1]),
    ],
)
def test_a_rule_ranks_the_kept_text_first(rule, expected):
    assert ranks(rule) == expected


def test_a_pin_outranks_every_rule():
    assert ranks(KeeperRule.LONGEST, pinned=np.array([True, False, False])) == [0, 1, 2]


def test_ties_of_place_go_by_content():
    assert ranks(KeeperRule.FIRST, place=np.zeros(3, np.int64)) == [2, 1, 0]


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="shortest"):
        ranks("shortest")
