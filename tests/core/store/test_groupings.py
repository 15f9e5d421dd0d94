import pytest

from core.store import DocumentFilter, GroupFilter, GroupRow, MemberRow, Project, ReviewRow

# Two groups: text 1 keeps rows 1, 2 (copies) and 3 (similar); text 3 keeps 4 and 5 (decided).
GROUPS = [GroupRow(1, 1, 3, 2, 0.97, 2, 0.91), GroupRow(3, 4, 2, 2, 0.80, 0, None)]
MEMBERS = [
    MemberRow(1, 1, 1, 1, "kept", None, None),
    MemberRow(2, 1, 1, 1, "copy", 1.0, 1.0),
    MemberRow(3, 2, 1, 1, "similar", 0.97, 0.8),
    MemberRow(4, 3, 3, 4, "kept", None, None),
    MemberRow(5, 4, 3, 4, "decided", 0.80, 0.2),
]
WAITING = [
    ReviewRow(1, 3, 0.88, 0.3, 0),
    ReviewRow(1, 5, 0.91, 0.5, 1),
]


def store(project, **more):
    told = {"rows": 6, "kept": 3, "removed": 3}
    return project.groupings.replace(
        pairing=1, threshold=0.95, review=0.85, keep="first", inputs={"corpus": 1}, counts=told,
        groups=more.get("groups", GROUPS), members=more.get("members", MEMBERS),
        waiting=more.get("waiting", WAITING), run=project.runs.begin("groups", {}),
    )  # fmt: skip


@pytest.fixture
def stored(project, bring):
    texts = ["a", "a", "b", "c", "d", "e"]
    bring(project, [(str(n), f"text {text}") for n, text in enumerate(texts[:3])], name="a.csv")
    bring(project, [(str(n), f"text {text}") for n, text in enumerate(texts[3:])], name="b.csv")
    project.decisions.decide([(3, 4)], "same", title="Same")
    store(project)
    return project.groupings


def test_there_is_none_before_the_first(project):
    assert project.groupings.current() is None
    assert project.groupings.listed() == []


def test_the_record_says_what_it_was_made_from(stored):
    record = stored.current()
    assert (record.threshold, record.review, record.keep) == (0.95, 0.85, "first")
    assert record.inputs == {"corpus": 1}
    assert record.counts["kept"] + record.counts["removed"] == record.counts["rows"]


def test_a_new_grouping_takes_the_place_of_the_last(stored, project):
    first = stored.current().id
    second = store(project, groups=GROUPS[:1], members=MEMBERS[:3], waiting=[])
    assert second != first
    assert [group.text for group in stored.listed()] == [1]
    assert stored.of_document(5) is None
    counts = [project._db.conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
              for table in ("groupings", "groups", "members", "review")]  # fmt: skip
    assert counts == [1, 1, 3, 0]


def test_a_grouping_that_fails_half_way_leaves_the_last_one(stored, project):
    def broken():
        yield MEMBERS[0]
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError):
        store(project, members=broken())
    assert len(stored.listed()) == 2
    assert len(stored.members(1)) == 3


@pytest.mark.parametrize(
    ("show", "texts"),
    [("all", [1, 3]), ("review", [1]), ("copies", [1]), ("similar", [1]), ("decided", [3]),
     ("paraphrases", [1, 3]), ("near-copies", [1])],
)  # fmt: skip
def test_groups_are_shown_by_what_is_in_them(stored, show, texts):
    assert [group.text for group in stored.listed(GroupFilter(show=show))] == texts


@pytest.mark.parametrize(
    ("sort", "texts"),
    [("size", [1, 3]), ("review", [1, 3]), ("weakest", [3, 1]), ("place", [1, 3])],
)
def test_groups_are_sorted_as_asked(stored, sort, texts):
    assert [group.text for group in stored.listed(GroupFilter(sort=sort))] == texts


def test_members_come_keeper_first_then_copies_then_by_cosine(stored):
    assert [member.document for member in stored.members(1)] == [1, 2, 3]


def test_candidates_come_best_first(stored):
    assert [row.candidate for row in stored.waiting(1)] == [5, 3]
    assert stored.waiting(3) == []


def test_a_band_takes_its_lower_end_and_leaves_held_back_pairs_out(stored):
    assert [row.candidate for row in stored.band(0.88, 0.91)] == [3]
    assert [row.candidate for row in stored.band(0.8, 1.0)] == [3]
    assert [row.candidate for row in stored.band(0.8, 1.0, flagged=True)] == [5, 3]


def test_openings_are_cut_and_keep_their_line_breaks(project, bring):
    bring(project, [("1", "first\nsecond " + "x" * 300)])
    opening = project.groupings.openings([1, 99])
    assert list(opening) == [1]
    assert opening[1].startswith("first\nsecond x")
    assert len(opening[1]) == 200


def test_where_a_row_went(stored):
    assert stored.of_document(3) == MEMBERS[2]
    assert stored.of_document(6) is None


def test_members_are_streamed_once_each(stored):
    found = [member.document for page in stored.stream_members(page=2) for member in page]
    assert found == [1, 2, 3, 4, 5]


def test_groups_between_files_only(stored, project):
    mixed = [*MEMBERS[:2], MemberRow(4, 3, 1, 1, "similar", 0.96, 0.7)]
    store(project, groups=GROUPS[:1], members=mixed)
    assert [group.text for group in stored.listed(GroupFilter(source=2))] == [1]
    assert stored.duplicates_of_older() == {2: 1}


def test_groups_within_one_file_meet_no_other(stored):
    assert stored.listed(GroupFilter(source=1)) == []


def test_removed_and_kept_rows_are_filtered_by_the_grouping(stored, project):
    order = project.documents.order
    assert order(DocumentFilter(mark="removed")).tolist() == [2, 3, 5]
    assert order(DocumentFilter(mark="kept")).tolist() == [1, 4, 6]


def test_a_new_row_is_never_taken_for_a_removed_one(stored, project, bring, drop):
    """The stored grouping is stale then, but it must not speak of rows it never saw."""
    drop(project, 2)
    bring(project, [("9", "brand new"), ("10", "brand newer")], name="c.csv")
    rows = [row.id for page in project.documents.stream() for row in page]
    assert [stored.of_document(row) for row in rows if row > 3] == [None, None]


def test_a_grouping_is_stale_once_rows_or_decisions_move(project, bring):
    bring(project, [("1", "one"), ("2", "two")])
    project.groupings.replace(
        pairing=1, threshold=0.95, review=0.85, keep="first",
        inputs=project.inputs_of_groups(None), counts={}, groups=[], members=[], waiting=[],
        run=project.runs.begin("groups", {}),
    )  # fmt: skip
    assert not project.state().groups_stale
    project.decisions.decide([(1, 2)], "same", title="Same")
    assert project.state().groups_stale
    project.close()
    with Project.open_read_only(project.folder) as again:
        assert again.state().groups_stale
