"""Scores of cross-encoders, kept by pair and by cross-encoder."""

import numpy as np
import pytest

from core.store import GroupFilter, GroupRow, ReviewRow


@pytest.fixture
def checked(project, bring):
    bring(project, [(str(n), f"text {n}") for n in range(1, 7)])
    return project.checked


def add(checked, checker, *pairs):
    left, right, scores = zip(*pairs, strict=True)
    checked.add(checker.id, np.array(left), np.array(right), np.array(scores, np.float32))


def of(checked, checker, *pairs):
    left, right = zip(*pairs, strict=True)
    return checked.scores(checker.id, np.array(left), np.array(right)).tolist()


def test_a_pair_has_one_score_whichever_way_round(checked):
    one = checked.checker("f", name="one", folder="/one")
    add(checked, one, (2, 1, 0.5), (1, 3, 0.25))
    assert of(checked, one, (1, 2), (2, 1), (3, 1)) == [0.5, 0.5, 0.25]
    assert checked.count(one.id) == 2


def test_a_pair_that_was_not_checked_has_no_number(checked):
    one = checked.checker("f", name="one", folder="/one")
    assert np.isnan(of(checked, one, (1, 2))).all()


def test_a_later_score_takes_the_place_of_an_earlier_one(checked):
    one = checked.checker("f", name="one", folder="/one")
    add(checked, one, (1, 2, 0.5))
    add(checked, one, (2, 1, 0.75))
    assert of(checked, one, (1, 2)) == [0.75]


def test_each_cross_encoder_has_scores_of_its_own(checked):
    one = checked.checker("f", name="one", folder="/one")
    two = checked.checker("g", name="two", folder="/two")
    add(checked, one, (1, 2, 0.5))
    add(checked, two, (1, 2, 0.25))
    assert of(checked, one, (1, 2)) + of(checked, two, (1, 2)) == [0.5, 0.25]


def test_the_one_used_last_is_the_one_that_is_shown(checked):
    one = checked.checker("f", name="one", folder="/one")
    two = checked.checker("g", name="two", folder="/two")
    add(checked, one, (1, 2, 0.5), (3, 1, 0.125))
    add(checked, two, (1, 2, 0.25))
    assert checked.of_text(1) == {2: 0.25}
    checked.checker("f", name="one", folder="/moved")
    assert checked.current().folder == "/moved"
    assert checked.of_text(1) == {2: 0.5, 3: 0.125}


def test_many_pairs_are_asked_for_at_once(checked):
    one = checked.checker("f", name="one", folder="/one")
    left, right = np.arange(1, 2001), np.arange(3001, 5001)
    checked.add(one.id, left, right, (left / 4096).astype(np.float32))
    found = checked.scores(one.id, right, left)
    assert (found == left / 4096).all()


def test_a_text_that_goes_takes_its_scores_with_it(project, checked, drop):
    one = checked.checker("f", name="one", folder="/one")
    add(checked, one, (1, 2, 0.5))
    drop(project, 1)
    assert checked.count(one.id) == 0


def test_groups_are_listed_with_the_lowest_checked_first(project, checked):
    one = checked.checker("f", name="one", folder="/one")
    add(checked, one, (1, 4, 0.75), (5, 2, 0.125), (2, 6, 0.875))
    project.groupings.replace(
        pairing=1, threshold=0.9, review=0.8, keep="first", inputs={}, counts={},
        groups=[GroupRow(text, text, 1, 1, None, 1, 0.85) for text in (1, 2, 3)], members=[],
        waiting=[ReviewRow(text, other, 0.85, 0.5, 0)
                 for text, other in ((1, 4), (2, 5), (2, 6), (3, 6))],
        run=project.runs.begin("groups", {}),
    )  # fmt: skip
    listed = project.groupings.listed(GroupFilter(sort="checked"))
    assert [group.text for group in listed] == [2, 1, 3]
