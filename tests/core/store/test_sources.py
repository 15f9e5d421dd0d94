import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.records import DateColumn, ImportReport, ImportSettings, Reading
from core.store import Project


def live(project):
    """(key, text) of every row that can be seen, sorted."""
    return sorted((row.key, row.body) for page in project.documents.stream() for row in page)


def rows_of_texts(project):
    return dict(project._db.conn.execute("SELECT body, rows FROM texts").fetchall())


def test_rows_are_unseen_until_their_import_has_finished(project, stage):
    source = stage(project, [("1", "hello there"), ("2", None)])
    assert (project.documents.count(), project.texts.count()) == (0, 0)
    assert project.sources.all() == []
    project.sources.finish(source, ImportReport(source, "file.csv", rows=2))
    assert (project.documents.count(), project.texts.count()) == (2, 1)


def test_an_import_cut_off_is_swept_with_its_texts(project, stage, bring):
    bring(project, [("1", "was there before")], name="first.csv")
    stage(project, [("1", "was there before"), ("2", "never finished")], name="second.csv")
    project.sources.note(2, [(3, "odd")])
    assert project.sources.sweep() == ["second.csv"]
    assert rows_of_texts(project) == {"was there before": 1}
    assert project._db.conn.execute("SELECT count(*) FROM notes").fetchone() == (0,)


def test_a_removal_cut_off_is_swept_and_no_import_is_called_dropped(project, bring):
    report = bring(project, [("1", "going away")])
    next(project.sources.remove(report.source))
    assert project.documents.count() == 0
    project.close()
    with Project.open(project.folder) as again:
        assert again.recovery.dropped_imports == ()
        assert again._db.conn.execute("SELECT count(*) FROM documents").fetchone() == (0,)
        assert rows_of_texts(again) == {}


def test_a_removal_is_out_of_sight_with_its_first_step(project, bring):
    report = bring(project, [("1", "going away")])
    steps = project.sources.remove(report.source)
    next(steps)
    steps.close()
    assert live(project) == []
    assert project.sources.all() == []


def test_a_discarded_import_leaves_nothing(project, stage):
    source = stage(project, [("1", "changed my mind")])
    project.sources.discard(source)
    assert rows_of_texts(project) == {}


def test_settings_and_report_come_back_as_they_were(project):
    settings = ImportSettings(
        Reading("table", ("id", "Größe", "文"), "cp1252", ";", 3, None, None, "\\"),
        ("文", "Größe"), "{文}\n{Größe}", "id", (DateColumn("when", "dmy"),), False,
    )  # fmt: skip
    run = project.runs.begin("import", {})
    source = project.sources.begin(
        "a.csv", path="/b/a.csv", sha256="ff", size=12, settings=settings, run=run
    )
    report = project.sources.finish(source, ImportReport(source, "a.csv", rows=0, odd=2))
    found = project.sources.with_hash("ff")
    assert found is not None
    assert (found.settings, found.report) == (settings, report)
    assert found.columns == ("id", "Größe", "文")


def test_notes_come_by_line_and_by_page(project, stage):
    source = stage(project, [])
    project.sources.note(source, [(9, "later"), (2, "first"), (4, "second")])
    assert project.sources.notes(source) == [(2, "first"), (4, "second"), (9, "later")]
    assert project.sources.notes(source, first=1, count=1) == [(4, "second")]


def test_a_later_file_updates_rows_by_id(project, bring):
    bring(project, [("1", "one"), ("2", "two"), ("3", "three")])
    report = bring(project, [("2", "two, changed"), ("3", "three"), ("4", "four")])
    assert (report.updated, report.unchanged) == (1, 1)
    assert live(project) == [("1", "one"), ("2", "two, changed"), ("3", "three"), ("4", "four")]


def test_a_file_of_another_name_updates_nothing(project, bring):
    bring(project, [("1", "one")])
    report = bring(project, [("1", "one")], name="other.csv")
    assert (report.updated, report.unchanged) == (0, 0)
    assert live(project) == [("1", "one"), ("1", "one")]


def test_rows_are_added_where_no_updates_are_wanted(project, bring):
    bring(project, [("1", "one")])
    bring(project, [("1", "changed")], updates=False)
    assert live(project) == [("1", "changed"), ("1", "one")]


def test_rows_without_an_id_are_always_added(project, bring):
    bring(project, [(None, "anonymous")])
    report = bring(project, [(None, "anonymous")])
    assert (report.updated, report.unchanged) == (0, 0)
    assert len(live(project)) == 2


def test_a_changed_cell_beside_the_same_text_is_an_update(project, bring):
    columns = ("id", "text", "city")
    bring(project, [("1", "one", "Lyon")], columns=columns)
    report = bring(project, [("1", "one", "Nice")], columns=columns)
    assert report.updated == 1


def test_importing_a_file_twice_with_repeated_ids_adds_nothing(project, bring):
    rows = [("1", "first of two"), ("1", "second of two"), ("2", "alone")]
    bring(project, rows)
    report = bring(project, rows)
    assert (report.updated, report.unchanged) == (0, 3)
    assert live(project) == sorted(rows)


def test_removing_the_newer_version_brings_the_older_back(project, bring, drop):
    bring(project, [("1", "old"), ("2", "both")])
    second = bring(project, [("1", "new"), ("2", "both")])
    drop(project, second.source)
    assert live(project) == [("1", "old"), ("2", "both")]


def test_removing_the_middle_of_three_versions_leaves_the_newest(project, bring, drop):
    bring(project, [("1", "v1")])
    second = bring(project, [("1", "v2")])
    third = bring(project, [("1", "v3")])
    drop(project, second.source)
    assert live(project) == [("1", "v3")]
    drop(project, third.source)
    assert live(project) == [("1", "v1")]


def test_removing_the_older_file_keeps_what_the_newer_brought_unchanged(project, bring, drop):
    first = bring(project, [("1", "same"), ("2", "only here")])
    bring(project, [("1", "same")])
    bring(project, [("1", "same")])
    drop(project, first.source)
    assert live(project) == [("1", "same")]


def test_a_row_kept_by_hand_hands_the_mark_to_its_next_version(project, bring):
    bring(project, [("1", "old words")])
    project.decisions.keep(1, [], title="Keep")
    bring(project, [("1", "new words")])
    (row,) = next(project.documents.stream())
    assert row.id in project.decisions.kept_by_hand()


def test_texts_that_decisions_are_about_outlive_their_rows(project, bring, drop):
    report = bring(project, [("1", "decided a"), ("2", "decided b"), ("3", "lonely")])
    project.decisions.decide([(1, 2)], "same", title="Same")
    drop(project, report.source)
    assert rows_of_texts(project) == {"decided a": 0, "decided b": 0}
    bring(project, [("1", "decided b"), ("2", "decided a")])
    found = dict(project._db.conn.execute("SELECT body, id FROM texts").fetchall())
    assert project.decisions.verdict(found["decided a"], found["decided b"]) == "same"


def test_texts_in_reach_of_undo_are_kept_too(project, bring, drop):
    report = bring(project, [("1", "decided a"), ("2", "decided b")])
    project.decisions.decide([(1, 2)], "same", title="Same")
    project.decisions.decide([(1, 2)], None, title="Forget")
    drop(project, report.source)
    assert project.decisions.undo() == "Forget"
    assert project.decisions.verdict(1, 2) == "same"


def test_a_text_no_row_holds_takes_its_vector_and_pairs_along(
    project, bring, drop, encode, pair_table
):
    bring(project, [("1", "one"), ("2", "two")], name="a.csv")
    report = bring(project, [("3", "three")], name="b.csv")
    encoder, _ = encode(project)
    pairing = project.pairs.begin(encoder.id, floor=0.7, run=project.runs.begin("pairs", {}))
    project.pairs.add(pairing.id, pair_table((1, 2, 0.9), (1, 3, 0.8)), rows_done=3)
    list(project.pairs.finish(pairing.id))
    drop(project, report.source)
    current = project.pairs.current()
    assert current is not None
    assert project.pairs.table(current).left.tolist() == [1]
    assert project.vectors.count(encoder.id) == 2


def test_texts_encoded_in_the_place_of_removed_ones_are_not_taken_for_paired(
    project, bring, drop, encode, pair_table
):
    """Rows of the matrix are used again; a pass must not claim to have seen the new ones."""
    bring(project, [("1", "one"), ("2", "two")], name="a.csv")
    report = bring(project, [("3", "three")], name="b.csv")
    encoder, _ = encode(project)
    pairing = project.pairs.begin(encoder.id, floor=0.7, run=project.runs.begin("pairs", {}))
    project.pairs.add(pairing.id, pair_table((1, 2, 0.9)), rows_done=3)
    list(project.pairs.finish(pairing.id))
    drop(project, report.source)
    bring(project, [("4", "four")], name="c.csv")
    encode(project)
    assert project.state().pairs_stale


def test_numbers_of_removed_rows_and_texts_are_never_given_again(project, bring, drop):
    """Else an undo step or a stored group would speak of another row."""
    report = bring(project, [("1", "one"), ("2", "two")])
    drop(project, report.source)
    again = bring(project, [("1", "three")])
    (row,) = next(project.documents.stream())
    assert (again.source, row.id, row.text) == (2, 3, 3)


def test_removing_more_rows_than_one_step_takes_tells_how_far_it_is(project, bring, monkeypatch):
    monkeypatch.setattr("core.store.sources._CHUNK", 40)
    report = bring(project, [(str(n), f"text {n} here") for n in range(100)])
    assert list(project.sources.remove(report.source)) == [40, 80, 100]


def test_a_large_file_is_compared_with_the_one_before_in_no_time(project, bring):
    """Comparing each row with each would take minutes here."""
    rows = [(str(n), f"text number {n}") for n in range(20_000)]
    bring(project, rows)
    started = time.process_time()
    report = bring(project, [*rows[:-1], ("19999", "changed")])
    assert (report.updated, report.unchanged) == (1, 19_999)
    assert time.process_time() - started < 10


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    count = iter(range(10_000))
    return lambda: tmp_path_factory.mktemp(f"p{next(count)}") / "p"


versions = st.lists(
    st.dictionaries(st.sampled_from("abc"), st.sampled_from(["x", "y"]), min_size=1), max_size=4
)


@given(files=versions, removed=st.lists(st.integers(0, 3), unique=True, max_size=4))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_goes_the_newest_version_of_each_row_is_seen(folders, bring, drop, files, removed):
    """After any removals the rows are those of importing only the files that are left."""
    with Project.create(folders()) as project:
        sources = [bring(project, list(rows.items())).source for rows in files]
        for which in removed:
            if which < len(sources):
                drop(project, sources[which])
        expected: dict[str, str] = {}
        for place, rows in enumerate(files):
            if place not in removed:
                expected |= rows
        assert live(project) == sorted(expected.items())
        counted: dict[str, int] = {}
        for body in expected.values():
            counted[body] = counted.get(body, 0) + 1
        assert {body: n for body, n in rows_of_texts(project).items() if n} == counted
