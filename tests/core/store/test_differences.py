import numpy as np
import pytest

from core.errors import UserError
from core.records import Verdict
from core.store import Project
from core.store.differences import Bounds, NewDifference

PAIRS = ((1, 2, True, 0.7, 0.95, 0, 2), (2, 3, False, 0.9, 0.7, 1, 0))
GROUPS = (("gained", 1, 0, 2, 1, 0), ("lost", 3, 2, 0, 0, 1))
TEXTS = ((0, 1, 2, True, 0.7, 0.95, 0, 2), (1, 3, 2, False, 0.9, 0.7, 1, 0))


@pytest.fixture
def compared(project: Project, bring, encode) -> Project:
    """Three texts, one difference: two pairs and two groups."""
    bring(project, [("1", "one"), ("2", "two"), ("3", "three")])
    encode(project)
    project.differences.replace(new())
    return project


def new(pairs=PAIRS, groups=GROUPS, texts=TEXTS, encoder: int = 1) -> NewDifference:
    def columns(rows, width):
        return tuple(np.array([row[at] for row in rows]) for at in range(width))

    return NewDifference(
        (encoder, encoder), (Bounds(0.97, 0.86), Bounds(0.94, 0.8)),
        {"corpus": 1, "decisions": 0}, {"gained": 1, "lost": 1},
        columns(pairs, 7), columns(groups, 6), columns(texts, 8),
    )  # fmt: skip


def rows(project: Project, table: str) -> int:
    return project._db.conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_a_new_project_has_none(project: Project):
    assert project.differences.current() is None
    assert project.differences.pairs() == []


def test_what_was_put_in_comes_out_in_its_order(compared: Project):
    record = compared.differences.current()
    assert (record.before, record.after) == (Bounds(0.97, 0.86), Bounds(0.94, 0.8))
    assert (record.name_before, record.counts) == ("tiny", {"gained": 1, "lost": 1})
    assert [tuple(one)[1:] for one in compared.differences.pairs()] == [
        (*pair, None) for pair in PAIRS
    ]
    assert [tuple(one)[1:] for one in compared.differences.groups()] == list(GROUPS)
    assert [tuple(one) for one in compared.differences.texts()] == [(*one, None) for one in TEXTS]


def test_a_new_one_takes_the_place_of_the_last_with_all_its_lines(compared: Project):
    first = compared.differences.current().id
    compared.differences.replace(new(PAIRS[:1], (), ()))
    assert compared.differences.current().id > first
    tables = ("differences", "difference_pairs", "difference_groups", "difference_texts")
    assert [rows(compared, table) for table in tables] == [1, 1, 0, 0]


def test_one_that_cannot_be_stored_leaves_the_last_whole(compared: Project):
    before = compared.differences.current(), compared.differences.pairs()
    with pytest.raises(Exception, match="FOREIGN KEY"):
        compared.differences.replace(new(PAIRS[:1], encoder=99))
    assert (compared.differences.current(), compared.differences.pairs()) == before


def test_pairs_are_filtered_by_kind_by_decision_and_by_number(compared: Project):
    compared.decisions.decide([(2, 1)], Verdict.SAME, title="Same")
    found = compared.differences
    assert [one.left for one in found.pairs(gained=True)] == [1]
    assert [one.left for one in found.pairs(gained=False)] == [2]
    assert [one.left for one in found.pairs(undecided=True)] == [2]
    assert [one.left for one in found.pairs(count=1)] == [1]
    assert found.pairs()[0].verdict is Verdict.SAME
    assert [one.kind for one in found.groups(kind="lost")] == ["lost"]
    assert [one.verdict for one in found.texts()] == [Verdict.SAME, None]
    assert [one.group for one in found.texts(undecided=True)] == [1]


def test_a_text_that_was_removed_takes_its_lines_out_of_sight(compared: Project, drop):
    compared.decisions.decide([(1, 2)], Verdict.SAME, title="Same")  # keeps both texts
    drop(compared, 1)
    assert compared.differences.pairs() == []
    assert compared.differences.groups() == []
    assert compared.differences.texts() == []
    assert compared.differences.current() is not None


def test_bounds_that_differ_by_rounding_are_the_same():
    assert Bounds(0.97, 0.86).is_near(Bounds(0.97, 0.8600000000000001))
    assert not Bounds(0.97, 0.86).is_near(Bounds(0.97, 0.861))


def test_a_reader_sees_it_and_cannot_change_it(compared: Project):
    compared.close()
    with Project.open_read_only(compared.folder) as reader:
        assert len(reader.differences.pairs()) == 2
        with pytest.raises(UserError, match="cannot be written"):
            reader.differences.replace(new())
