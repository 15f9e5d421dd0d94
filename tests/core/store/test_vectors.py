import shutil

import numpy as np
import pytest

from core.errors import UserError
from core.store import Project, VectorBatch


@pytest.fixture
def matrix(project):
    """The file that holds the vectors of the first encoder."""
    return project.folder / "vectors" / "1.npy"


def test_vectors_come_back_by_text(project, bring, encode):
    bring(project, [("1", "one"), ("2", "two"), ("3", "three")])
    encoder, ids = encode(project)
    table = project.vectors.table(encoder)
    assert table.texts.tolist() == ids.tolist()
    np.testing.assert_array_equal(table.vectors[table.rows][:, 0], ids)


def test_a_matrix_is_a_plain_npy_file(project, bring, encode, matrix):
    bring(project, [("1", "one"), ("2", "two")])
    encode(project)
    loaded = np.load(matrix, allow_pickle=False)
    assert (loaded.dtype, loaded.shape) == (np.float32, (2, 4))


def test_appending_goes_on_after_what_is_there(project, bring, encode):
    bring(project, [("1", "one")], name="a.csv")
    encode(project)
    bring(project, [("2", "two")], name="b.csv")
    encoder, _ = encode(project)
    np.testing.assert_array_equal(project.vectors.table(encoder).vectors[:, 0], [1, 2])


def test_bytes_of_a_write_that_was_cut_off_are_written_over(project, bring, encode, matrix):
    bring(project, [("1", "one")], name="a.csv")
    encode(project)
    with matrix.open("ab") as stream:
        stream.write(b"\xff" * 37)
    bring(project, [("2", "two"), ("3", "three")], name="b.csv")
    encoder, _ = encode(project)
    np.testing.assert_array_equal(project.vectors.table(encoder).vectors[:, 0], [1, 2, 3])


def test_a_header_ahead_of_the_rows_does_no_harm(project, bring, encode, matrix):
    """Killed between the header and the transaction: the file says more than the database."""
    bring(project, [("1", "one")], name="a.csv")
    encoder, _ = encode(project)
    whole = np.load(matrix)
    ahead = np.concatenate([whole, np.full((5, 4), 99, np.float32)])
    raw = matrix.read_bytes()[:128].replace(b"(1, 4)", b"(6, 4)") + ahead.tobytes()
    matrix.write_bytes(raw)
    assert project.vectors.table(encoder).vectors.shape == (1, 4)
    bring(project, [("2", "two")], name="b.csv")
    encode(project)
    np.testing.assert_array_equal(project.vectors.table(encoder).vectors[:, 0], [1, 2])
    assert np.load(matrix).shape == (2, 4)


def test_a_failed_transaction_leaves_what_was_there(project, bring, encode, matrix):
    bring(project, [("1", "one"), ("2", "two")])
    encoder, ids = encode(project)
    again = VectorBatch(
        ids, np.zeros((2, 4), np.float32), np.ones(2, np.int32), np.ones(2, np.int32),
        np.zeros(2, bool), np.zeros((0, 4), np.float32),
    )  # fmt: skip
    with pytest.raises(Exception, match="UNIQUE"):
        project.vectors.append(encoder, again)
    np.testing.assert_array_equal(project.vectors.table(encoder).vectors[:, 0], ids)


def test_a_reader_keeps_its_map_while_more_is_appended(project, bring, encode):
    bring(project, [("1", "one"), ("2", "two")], name="a.csv")
    encoder, ids = encode(project)
    before = project.vectors.table(encoder)
    bring(project, [("3", "three")], name="b.csv")
    encode(project)
    np.testing.assert_array_equal(before.vectors[:, 0], ids)


def test_gaps_of_removed_texts_stay_unnamed(project, bring, drop, encode):
    first = bring(project, [("1", "one"), ("2", "two")], name="a.csv")
    bring(project, [("3", "three")], name="b.csv")
    encoder, _ = encode(project)
    drop(project, first.source)
    table = project.vectors.table(encoder)
    assert (table.texts.tolist(), table.rows.tolist()) == ([3], [2])
    np.testing.assert_array_equal(table.vectors[table.rows][:, 0], [3])
    assert project.vectors.count(encoder.id) == 1
    assert project.vectors.rows(encoder.id) == 3


def test_windows_of_long_texts_are_found_by_their_first(project, bring, encode):
    bring(project, [("1", "one")], name="a.csv")
    encode(project)
    bring(project, [("2", "long"), ("3", "longer")], name="b.csv")
    encoder, _ = encode(project, windows=3)
    table = project.vectors.table(encoder)
    assert table.first_window.tolist() == [-1, 0, 3]
    windows = project.vectors.windows(encoder)
    np.testing.assert_array_equal(windows[table.first_window[2]], [12, 13, 14, 15])
    assert project.vectors.marked(encoder.id) == (2, 0)


def test_an_encoder_is_known_by_its_fingerprint_wherever_it_lies(project):
    asked = {"name": "tiny", "dimension": 4, "precision": "fp32", "settings": {"pool": "mean"}}
    first = project.vectors.encoder("f", folder="/a", **asked)
    again = project.vectors.encoder("f", folder="/b", **asked)
    assert (first.id, again.folder) == (again.id, "/b")
    assert again.settings == {"pool": "mean"}


def test_an_encoder_within_the_project_goes_along_when_that_is_copied(project, tmp_path):
    asked = {"name": "tiny", "dimension": 4, "precision": "fp32", "settings": {}}
    project.vectors.encoder("f", folder=str(project.folder / "encoders" / "taught-1"), **asked)
    project.vectors.encoder("g", folder="/elsewhere/encoders/taught-1", **asked)
    copy = tmp_path / "copy.samesense"
    shutil.copytree(project.folder, copy)
    with Project.open_read_only(copy) as opened:
        inner, outer = opened.vectors.encoders()
        assert inner.folder == str(copy.resolve() / "encoders" / "taught-1")
        assert opened.vectors.of_folder(copy / "encoders" / "taught-1") == inner
        assert outer.folder == "/elsewhere/encoders/taught-1"


def test_texts_without_a_vector_wait(project, bring, encode):
    bring(project, [("1", "one")], name="a.csv")
    encoder, _ = encode(project)
    bring(project, [("2", "two"), ("3", "one"), ("4", None)], name="b.csv")
    assert project.texts.without_vector(encoder.id).tolist() == [2]


def test_a_missing_or_shortened_file_is_named(project, bring, encode, matrix):
    bring(project, [("1", "one"), ("2", "two")])
    encoder, _ = encode(project)
    matrix.write_bytes(matrix.read_bytes()[:-1])
    with pytest.raises(UserError, match=r"1\.npy is missing or damaged"):
        project.vectors.table(encoder)
    matrix.unlink()
    with pytest.raises(UserError, match="missing"):
        project.vectors.table(encoder)


def test_an_encoder_without_vectors_has_an_empty_table(project):
    encoder = project.vectors.encoder(
        "f", name="t", folder="/a", dimension=4, precision="fp32", settings={}
    )
    assert project.vectors.table(encoder).vectors.shape == (0, 4)
    assert project.vectors.windows(encoder).shape == (0, 4)


def test_vectors_that_cannot_be_written_are_told(project, bring, encode):
    bring(project, [("1", "one")])
    (project.folder / "vectors").write_text("in the way")
    with pytest.raises(UserError, match="could not be written"):
        encode(project)


@pytest.mark.parametrize("damage", [b"", b"\x00" * 4096, bytes(range(256)) * 16])
def test_a_damaged_vector_file_is_told_and_can_be_made_anew(project, bring, encode, damage):
    bring(project, [("1", "one"), ("2", "two")])
    encoder, _ = encode(project)
    next((project.folder / "vectors").glob("*.npy")).write_bytes(damage)
    with pytest.raises(UserError, match="Encode again"):
        project.vectors.table(encoder)
    project.vectors.forget(encoder)
    encode(project)
    assert project.vectors.is_whole(encoder)
