import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from core.errors import UserError
from core.store import DATABASE, Project, ProjectBusyError, lock
from core.store.schema import migrations


def test_a_new_project_is_named_after_its_folder(tmp_path):
    with Project.create(tmp_path / "Tickets 2026.samesense") as project:
        assert project.name == "Tickets 2026"


def test_create_opens_a_project_that_is_there(project, bring):
    bring(project, [("1", "hello there")])
    project.close()
    with Project.create(project.folder) as again:
        assert again.documents.count() == 1


def test_create_leaves_a_folder_with_other_things_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(UserError, match="holds other things"):
        Project.create(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


def test_what_a_file_manager_leaves_does_not_make_a_folder_taken(tmp_path):
    (tmp_path / ".DS_Store").write_bytes(b"x")
    with Project.create(tmp_path) as project:
        assert project.documents.count() == 0


def test_create_says_so_when_the_name_is_a_file(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(UserError, match="is a file"):
        Project.create(tmp_path / "taken")


def test_opening_a_folder_without_a_project_says_how_to_start_one(tmp_path):
    with pytest.raises(UserError, match="There is no project"):
        Project.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_second_writer_is_turned_away(project):
    with pytest.raises(ProjectBusyError):
        Project.open(project.folder)


def test_a_reader_looks_on_while_a_writer_writes(project, bring, bodies):
    with Project.open_read_only(project.folder) as reader:
        bring(project, [("1", "seen at once")])
        assert bodies(reader) == ["seen at once"]


def test_a_reader_cannot_write(project):
    with (
        Project.open_read_only(project.folder) as reader,
        pytest.raises(UserError, match="cannot be written to"),
    ):
        reader.meta.set("name", "other")


def test_the_lock_goes_with_a_process_that_was_killed(tmp_path):
    script = """
        import sys, time
        from pathlib import Path
        from core.store import Project
        held = Project.create(Path(sys.argv[1]))
        print("open", flush=True)
        time.sleep(60)
    """
    holder = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "p")],
        stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )  # fmt: skip
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"open"
        with pytest.raises(ProjectBusyError):
            Project.open(tmp_path / "p")
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    with Project.open(tmp_path / "p") as project:
        assert project.name == "p"


def test_a_newer_project_is_refused_and_left_as_it_is(project):
    file = project.folder / DATABASE
    project._db.conn.execute(
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
        " VALUES ('samesense', 'from_the_future', '2030-01-01')"
    )
    project.close()
    before = file.read_bytes()
    for way in (Project.open, Project.open_read_only):
        with pytest.raises(UserError, match="newer version"):
            way(project.folder)
    assert file.read_bytes() == before


@pytest.mark.parametrize("application_id", [0, 7])
def test_a_database_of_another_program_is_left_alone(tmp_path, application_id):
    file = tmp_path / DATABASE
    other = sqlite3.connect(file)
    other.execute("CREATE TABLE songs (title TEXT)")
    other.execute(f"PRAGMA application_id={application_id}")
    other.commit()
    other.close()
    before = file.read_bytes()
    for way in (Project.open, Project.create, Project.open_read_only):
        with pytest.raises(UserError, match="another program"):
            way(tmp_path)
    assert file.read_bytes() == before


def test_a_file_that_is_no_database_is_told_and_kept(tmp_path):
    file = tmp_path / DATABASE
    file.write_bytes(b"rubbish" * 1000)
    for way in (Project.open, Project.open_read_only):
        with pytest.raises(UserError, match="cannot be opened as a project"):
            way(tmp_path)
    assert file.read_bytes() == b"rubbish" * 1000


def test_a_project_that_failed_to_open_is_not_left_locked(tmp_path):
    (tmp_path / DATABASE).write_bytes(b"rubbish" * 1000)
    with pytest.raises(UserError):
        Project.open(tmp_path)
    (tmp_path / DATABASE).unlink()
    with Project.create(tmp_path) as project:
        assert project.documents.count() == 0


def test_a_project_cut_short_is_told(project, bring):
    bring(project, [(str(n), f"text number {n} " * 50) for n in range(500)])
    project.close()
    file = project.folder / DATABASE
    os.truncate(file, file.stat().st_size // 2)
    with pytest.raises(UserError, match="cannot be opened as a project"):
        Project.open(project.folder)


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "smbfs", "9p", "fuse.sshfs", "afpfs"])
def test_a_network_folder_is_refused_in_a_sentence(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(lock, "file_system_of", lambda _folder: kind)
    with pytest.raises(UserError, match="network drive"):
        Project.create(tmp_path / "p")


@pytest.mark.parametrize("kind", ["ext4", "apfs", "ntfs", "btrfs", "tmpfs", "overlay", ""])
def test_a_disk_of_this_machine_is_welcome(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(lock, "file_system_of", lambda _folder: kind)
    with Project.create(tmp_path / "p") as project:
        assert not project.read_only


@pytest.mark.parametrize(
    "name", ["Zoë 文書", "проект", "with spaces & 100 % #1?", "a'b\"c", "עברית", "..dots..", "🙂"]
)
def test_folders_in_every_script_hold_a_whole_project(
    tmp_path, bring, encode, pair_table, bodies, name
):
    folder = tmp_path / name / "inner"
    with Project.create(folder) as project:
        bring(project, [("1", "one text"), ("2", "another text")])
        encoder, ids = encode(project)
        run = project.runs.begin("pairs", {})
        pairing = project.pairs.begin(encoder.id, floor=0.7, run=run)
        project.pairs.add(pairing.id, pair_table((*ids.tolist(), 0.9)), rows_done=2)
        list(project.pairs.finish(pairing.id))
    with Project.open_read_only(folder) as again:
        pairing = again.pairs.current()
        assert pairing is not None
        assert len(again.pairs.table(pairing).left) == 1
        assert again.vectors.table(again.vectors.encoders()[0]).vectors.shape == (2, 4)
        assert bodies(again) == ["one text", "another text"]


def test_two_connections_write_at_once_without_a_locked_database(project, bring):
    """A window's worker imports while another one renames and decides."""
    bring(project, [(str(n), f"text {n} here") for n in range(50)])
    faults: list[BaseException] = []

    def decide() -> None:
        try:
            with Project.open_for_holder(project.folder) as other:
                for n in range(1, 40):
                    other.decisions.decide([(n, n + 1)], "same", title="Same")
                    other.meta.set("name", f"name {n}")
        except BaseException as fault:  # noqa: BLE001 - told by the test itself
            faults.append(fault)

    thread = threading.Thread(target=decide)
    thread.start()
    for part in range(20):
        rows = [(f"{part}-{n}", f"text {part} {n} here") for n in range(200)]
        bring(project, rows, name=f"part {part}.csv")
    thread.join()
    assert faults == []
    assert project.documents.count() == 50 + 20 * 200
    assert project.decisions.counts()["same"] == 39


def test_a_writer_that_waits_too_long_is_told_why(project):
    with Project.open_for_holder(project.folder) as other:
        other._db.conn.execute("PRAGMA busy_timeout=10")
        project._db.conn.execute("BEGIN IMMEDIATE")
        with pytest.raises(UserError, match="Another program is writing"):
            other.meta.set("name", "late")
        project._db.conn.execute("ROLLBACK")


def test_a_full_disk_is_told_and_what_was_there_stays(project, bring, stage, bodies):
    bring(project, [("1", "safe and sound")])
    pages = project._db.conn.execute("PRAGMA page_count").fetchone()[0]
    project._db.conn.execute(f"PRAGMA max_page_count={pages + 2}")
    with pytest.raises(UserError, match="disk is full"):
        stage(project, [(str(n), f"{n} " * 2000) for n in range(100)])
    assert bodies(project) == ["safe and sound"]


def test_streams_do_not_keep_the_log_from_being_folded_in(project, bring):
    """A read left open between pages would let the write-ahead log grow for ever."""
    bring(project, [(str(n), f"text {n} here") for n in range(30)])
    with Project.open_read_only(project.folder) as reader:
        pages = reader.documents.stream(page=10)
        next(pages)
        bring(project, [("x", "one more")], name="second.csv")
        busy, log, folded = project._db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        assert (busy, log, folded) == (0, 0, 0)
        assert sum(map(len, pages)) == 21


def test_work_cut_off_is_told_at_the_next_opening(project, stage):
    stage(project, [("1", "half way")], name="big.csv")
    project.close()
    with Project.open(project.folder) as again:
        assert [run.workflow for run in again.recovery.runs] == ["import"]
        assert again.recovery.dropped_imports == ("big.csv",)
        assert again.runs.latest()[0].state == "interrupted"


def test_the_worker_of_a_window_does_not_sweep_what_its_sibling_is_doing(project, stage):
    source = stage(project, [("1", "under way")])
    with Project.open_for_holder(project.folder):
        pass
    assert project._db.conn.execute(
        "SELECT count(*) FROM documents WHERE source = ?", (source,)
    ).fetchone() == (1,)


def test_an_upgrade_makes_a_backup_first(project, bring, bodies, monkeypatch):
    bring(project, [("1", "kept in the backup")])
    project.close()
    later = type(migrations)("samesense")
    later._migrations = [*migrations._migrations]
    later(name="add_a_table")(lambda db: db.conn.execute("CREATE TABLE later (x)"))
    monkeypatch.setattr("core.store.project.migrations", later)
    with pytest.raises(UserError, match="older version"):
        Project.open_read_only(project.folder)
    with Project.open(project.folder) as again:
        assert "later" in again._db.table_names()
    backup = next(project.folder.glob("backup-*.sqlite"))
    monkeypatch.undo()
    restored = project.folder.parent / "restored"
    restored.mkdir()
    shutil.copy(backup, restored / DATABASE)
    with Project.open(restored) as old:
        assert bodies(old) == ["kept in the backup"]


def test_an_upgrade_that_fails_changes_nothing(project, bring, bodies, monkeypatch):
    bring(project, [("1", "still here")])
    project.close()

    def broken(db):
        db.conn.execute("CREATE TABLE half (x)")
        raise RuntimeError("a bug in an upgrade")

    later = type(migrations)("samesense")
    later._migrations = [*migrations._migrations]
    later(name="broken")(broken)
    monkeypatch.setattr("core.store.project.migrations", later)
    with pytest.raises(RuntimeError):
        Project.open(project.folder)
    monkeypatch.undo()
    with Project.open(project.folder) as again:
        assert bodies(again) == ["still here"]
        assert "half" not in again._db.table_names()


def test_state_counts_what_is_there(project, bring, encode):
    bring(project, [("1", "same words"), ("2", "same words"), ("3", None)])
    encode(project)
    state = project.state()
    assert (state.rows, state.texts, state.blank, state.encoded) == (3, 1, 1, 1)
    assert state.waiting == 0


def test_nothing_is_stored_as_a_pickle(project, bring, encode, pair_table):
    bring(project, [("1", "one text"), ("2", "another text")])
    encoder, ids = encode(project)
    pairing = project.pairs.begin(encoder.id, floor=0.7, run=project.runs.begin("pairs", {}))
    project.pairs.add(pairing.id, pair_table((*ids.tolist(), 0.9)), rows_done=2)
    project.pairs.table(pairing)
    for file in project.folder.rglob("*.npy"):
        assert file.read_bytes()[:6] == b"\x93NUMPY"
        assert b"|O" not in file.read_bytes()[:128]


def test_a_folder_name_too_long_for_the_disk_is_told(tmp_path):
    with pytest.raises(UserError, match="cannot be looked into"):
        Project.create(tmp_path / ("x" * 300))


def test_a_project_that_took_nothing_in_can_be_taken_off_the_disk(tmp_path):
    with Project.create(tmp_path / "p") as made:
        assert made.abandon()
    assert not (tmp_path / "p").exists()


def test_a_project_that_was_there_before_is_never_abandoned(tmp_path):
    Project.create(tmp_path / "p").close()
    with Project.create(tmp_path / "p") as opened:
        assert not opened.abandon()
    assert (tmp_path / "p" / "project.sqlite").is_file()


def test_an_empty_database_file_is_an_empty_project(tmp_path):
    (tmp_path / "project.sqlite").touch()
    with pytest.raises(UserError, match="is empty"):
        Project.open_read_only(tmp_path)


def test_damage_met_while_working_is_told_in_plain_words(project):
    with pytest.raises(UserError, match="is damaged"), project:
        raise sqlite3.DatabaseError("database disk image is malformed")


def test_what_another_worker_still_runs_is_not_called_interrupted(project: Project) -> None:
    lesson, pairs = project.runs.begin("train", {}), project.runs.begin("pairs", {})
    recovery = project.recover(but=["train"])
    assert [run.id for run in recovery.runs] == [pairs]
    assert project.runs.get(lesson).state == "running"
    assert project.runs.get(pairs).state == "interrupted"
