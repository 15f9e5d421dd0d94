"""One writer per project: a lock file, and a refusal of folders on a network."""

from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from core.errors import UserError

LOCK = "writer.lock"
_NETWORK_KINDS = ("nfs", "cifs", "smb", "afp", "9p", "sshfs", "davfs", "ncp", "glusterfs", "ceph")


def take_lock(folder: Path) -> FileLock | None:
    """Take the project's writer lock, or return None when another program holds it.

    The operating system frees it when the holder ends, however it ends.
    """
    lock = FileLock(folder / LOCK, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    except OSError as fault:
        raise UserError(
            f"The folder {folder} cannot be written to ({fault.strerror}).",
            "Choose a folder you have the right to write in.",
        ) from fault
    return lock


def refuse_network_folder(folder: Path) -> None:
    """Raise `UserError` for a folder on a network share, where WAL cannot be trusted."""
    kind = file_system_of(folder)
    if any(kind.startswith(word) or f".{word}" in kind for word in _NETWORK_KINDS):
        raise UserError(
            f"The folder {folder} lies on a network drive ({kind}), where a project could be "
            "damaged when two machines write to it.",
            "Choose a folder on a disk of this machine.",
        )


def file_system_of(folder: Path) -> str:
    """The kind of file system `folder` lies on, in lower case; empty when it is not known."""
    place = folder.resolve()
    best, kind = -1, ""
    for partition in psutil.disk_partitions(all=True):
        mount = Path(partition.mountpoint)
        if (place == mount or mount in place.parents) and len(mount.parts) > best:
            best = len(mount.parts)
            kind = partition.fstype.lower()
            if "remote" in partition.opts:  # how Windows names a mapped network drive
                kind = "smb"
    if str(place).startswith("\\\\"):  # a UNC path has no drive letter to look up
        return "smb"
    return kind
