from collections import namedtuple
from pathlib import Path

import pytest

from core.errors import UserError
from core.store import lock

Partition = namedtuple("Partition", "mountpoint fstype opts")


def test_the_lock_is_held_by_one_and_free_again_after(tmp_path):
    first = lock.take_lock(tmp_path)
    assert first is not None
    assert lock.take_lock(tmp_path) is None
    first.release()
    second = lock.take_lock(tmp_path)
    assert second is not None
    second.release()


def test_a_place_that_cannot_hold_a_lock_is_told(tmp_path):
    (tmp_path / "writer.lock").mkdir()
    with pytest.raises(UserError, match="cannot be written to"):
        lock.take_lock(tmp_path)


def test_the_innermost_mount_says_the_kind(tmp_path, monkeypatch):
    mounts = [
        Partition("/", "ext4", "rw"),
        Partition(str(tmp_path.resolve()), "nfs4", "rw"),
    ]
    monkeypatch.setattr(lock.psutil, "disk_partitions", lambda **_: mounts)
    assert lock.file_system_of(tmp_path / "project") == "nfs4"


def test_a_mapped_drive_counts_as_a_network(tmp_path, monkeypatch):
    mounts = [Partition(str(tmp_path.resolve()), "NTFS", "rw,remote")]
    monkeypatch.setattr(lock.psutil, "disk_partitions", lambda **_: mounts)
    with pytest.raises(UserError, match="network drive"):
        lock.refuse_network_folder(tmp_path / "project")


def test_a_sibling_mount_with_a_like_name_does_not_count(tmp_path, monkeypatch):
    mounts = [
        Partition("/", "ext4", "rw"),
        Partition(f"{tmp_path.resolve()}/share", "cifs", "rw"),
    ]
    monkeypatch.setattr(lock.psutil, "disk_partitions", lambda **_: mounts)
    assert lock.file_system_of(Path(f"{tmp_path}/share-not")) == "ext4"
