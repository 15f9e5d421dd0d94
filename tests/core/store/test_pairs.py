import numpy as np
import pytest

from core.store import Project


@pytest.fixture
def encoder(project, bring, encode):
    bring(project, [(str(n), f"text number {n}") for n in range(1, 7)])
    return encode(project)[0].id


@pytest.fixture
def begun(project, encoder):
    return project.pairs.begin(encoder, floor=0.7, run=project.runs.begin("pairs", {}))


def finish(project, pairing):
    return list(project.pairs.finish(pairing.id))


def test_a_pass_counts_only_once_it_is_finished(project, begun, pair_table):
    project.pairs.add(begun.id, pair_table((1, 2, 0.9)), rows_done=6)
    assert project.pairs.current() is None
    finish(project, begun)
    current = project.pairs.current()
    assert current is not None
    assert (current.id, current.rows_done, current.finished) == (begun.id, 6, True)


def test_a_pass_that_was_stopped_goes_on_where_it_was(project, encoder, begun, pair_table):
    project.pairs.add(begun.id, pair_table((1, 2, 0.9)), rows_done=3)
    project.close()
    with Project.open(project.folder) as again:
        left = again.pairs.unfinished(encoder)
        assert left is not None
        assert left.rows_done == 3
        again.pairs.add(left.id, pair_table((1, 2, 0.9), (4, 5, 0.8)), rows_done=6)
        finish(again, left)
        assert again.pairs.unfinished(encoder) is None
        assert again.pairs.count(left.id) == 2


def test_rows_done_never_goes_back(project, encoder, begun, pair_table):
    project.pairs.add(begun.id, pair_table(), rows_done=5)
    project.pairs.add(begun.id, pair_table(), rows_done=2)
    found = project.pairs.of_encoder(encoder)
    assert found is not None
    assert found.rows_done == 5


def test_the_old_pass_stays_until_the_new_one_is_finished(project, encoder, begun, pair_table):
    project.pairs.add(begun.id, pair_table((1, 2, 0.9)), rows_done=6)
    finish(project, begun)
    newer = project.pairs.begin(encoder, floor=0.6, run=1)
    project.pairs.add(newer.id, pair_table((3, 4, 0.65)), rows_done=4)
    assert project.pairs.current().id == begun.id
    assert project.pairs.unfinished(encoder).id == newer.id
    assert finish(project, newer) == [1]
    assert project.pairs.current().id == newer.id
    assert project.pairs.between(begun.id, 1, 2) is None


def test_old_pairs_go_a_chunk_at_a_time(project, encoder, begun, pair_table, monkeypatch):
    monkeypatch.setattr("core.store.pairs._CHUNK", 2)
    rows = [(1, 2, 0.9), (1, 3, 0.8), (1, 4, 0.8), (2, 3, 0.9), (5, 6, 0.75)]
    project.pairs.add(begun.id, pair_table(*rows), rows_done=6)
    finish(project, begun)
    newer = project.pairs.begin(encoder, floor=0.6, run=1)
    steps = finish(project, newer)
    assert (steps[-1], len(steps) > 1) == (5, True)
    assert project._db.conn.execute("SELECT count(*) FROM pairings").fetchone() == (1,)


def test_the_table_is_highest_first_and_left_is_the_smaller(project, begun, pair_table):
    project.pairs.add(begun.id, pair_table((5, 2, 0.8), (1, 2, 0.9), (3, 4, 0.95)), rows_done=6)
    finish(project, begun)
    table = project.pairs.table(project.pairs.current())
    assert table.left.tolist() == [3, 1, 2]
    assert table.right.tolist() == [4, 2, 5]
    np.testing.assert_allclose(table.cosine, [0.95, 0.9, 0.8], rtol=1e-6)


def test_no_pairs_make_an_empty_table(project, begun):
    assert len(project.pairs.table(begun).left) == 0


def test_the_cache_follows_pairs_that_are_added(project, encoder, begun, pair_table):
    project.pairs.add(begun.id, pair_table((1, 2, 0.9)), rows_done=3)
    assert len(project.pairs.table(project.pairs.of_encoder(encoder)).left) == 1
    project.pairs.add(begun.id, pair_table((3, 4, 0.9)), rows_done=6)
    assert len(project.pairs.table(project.pairs.of_encoder(encoder)).left) == 2
    assert len(list((project.folder / "cache").iterdir())) == 1


def test_the_cache_follows_texts_that_go_and_come(
    project, encoder, begun, bring, drop, encode, pair_table
):
    """As many pairs and rows as before, of other texts: the cache must not be taken for them."""
    report = bring(project, [("7", "seven")], name="b.csv")
    encode(project)
    project.pairs.add(begun.id, pair_table((1, 7, 0.9)), rows_done=7)
    finish(project, begun)
    assert project.pairs.table(project.pairs.current()).right.tolist() == [7]
    drop(project, report.source)
    bring(project, [("8", "eight")], name="c.csv")
    encode(project)
    project.pairs.add(begun.id, pair_table((2, 8, 0.8)), rows_done=7)
    assert project.pairs.table(project.pairs.current()).right.tolist() == [8]


def test_the_cache_may_be_deleted_at_any_time(project, begun, pair_table):
    project.pairs.add(begun.id, pair_table((1, 2, 0.9)), rows_done=6)
    project.pairs.table(begun)
    for file in (project.folder / "cache").iterdir():
        file.unlink()
    assert project.pairs.table(begun).left.tolist() == [1]


def test_a_reader_makes_the_cache_when_it_is_missing(project, begun, pair_table):
    project.pairs.add(begun.id, pair_table((1, 2, 0.9)), rows_done=6)
    finish(project, begun)
    with Project.open_read_only(project.folder) as reader:
        assert reader.pairs.table(reader.pairs.current()).left.tolist() == [1]


def test_the_nearest_texts_come_best_first_from_both_sides(project, begun, pair_table):
    project.pairs.add(
        begun.id, pair_table((1, 3, 0.8), (3, 4, 0.95), (2, 3, 0.9), (1, 2, 0.99)), rows_done=6
    )
    found = project.pairs.of_text(begun.id, 3, count=2)
    assert [other for other, _ in found] == [4, 2]
    assert found[0][1] == pytest.approx(0.95)


def test_pairs_of_texts_no_row_holds_are_not_counted(project, begun, pair_table, bring, drop):
    report = bring(project, [("7", "decided later")], name="b.csv")
    project.pairs.add(begun.id, pair_table((1, 7, 0.9), (1, 2, 0.8)), rows_done=6)
    project.decisions.decide([(1, 7)], "same", title="Same")
    drop(project, report.source)
    assert project.pairs.count(begun.id) == 1
    assert project.pairs.of_text(begun.id, 1) == [(2, pytest.approx(0.8))]


def test_counting_from_a_cosine_on(project, begun, pair_table):
    project.pairs.add(begun.id, pair_table((1, 2, 0.75), (2, 3, 0.9)), rows_done=6)
    assert project.pairs.count(begun.id, at_least=0.8) == 1


def test_two_texts_are_looked_up_in_either_order(project, begun, pair_table):
    project.pairs.add(begun.id, pair_table((1, 2, 0.75)), rows_done=6)
    assert project.pairs.between(begun.id, 2, 1) == (pytest.approx(0.75), 0.5, 0)
    assert project.pairs.between(begun.id, 1, 3) is None


def test_streaming_meets_every_pair_once(project, begun, pair_table):
    rows = [(a, b, 0.8) for a in range(1, 7) for b in range(a + 1, 7)]
    project.pairs.add(begun.id, pair_table(*rows), rows_done=6)
    pages = list(project.pairs.stream(begun.id, page=4))
    found = [pair for page in pages for pair in zip(page.left, page.right, strict=True)]
    assert found == [(a, b) for a, b, _ in rows]


@pytest.mark.parametrize("damage", ["no cache", "of another kind", ""])
def test_a_damaged_pair_cache_is_made_anew(project, bring, encode, pair_table, damage):
    bring(project, [("1", "one"), ("2", "two")])
    encoder, texts = encode(project)
    pairing = project.pairs.begin(encoder.id, floor=0.5, run=project.runs.begin("pairs", {}))
    project.pairs.add(pairing.id, pair_table((*texts.tolist(), 0.9)), rows_done=2)
    project.pairs.table(pairing)
    (file,) = (project.folder / "cache").glob("pairs-*.npy")
    file.write_text(damage)
    assert project.pairs.table(pairing).left.tolist() == [texts[0]]


def test_pairs_are_read_where_their_cache_cannot_be_kept(project, bring, encode, pair_table):
    bring(project, [("1", "one"), ("2", "two")])
    encoder, texts = encode(project)
    pairing = project.pairs.begin(encoder.id, floor=0.5, run=project.runs.begin("pairs", {}))
    project.pairs.add(pairing.id, pair_table((*texts.tolist(), 0.9)), rows_done=2)
    (project.folder / "cache").write_text("in the way")
    assert project.pairs.table(pairing).left.tolist() == [texts[0]]
