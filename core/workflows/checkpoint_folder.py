"""The folder beside a new encoder with what it takes to go on; one process at a time owns it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import UserError
from core.training.placing import refuse_taken

_LOCK = "training.lock"
_STAGES = "stage-*.safetensors"


def checkpoint_folder(to: Path) -> Path:
    """Where a training into `to` keeps what it takes to go on."""
    return to.with_name(f"{to.name}.checkpoint")


def can_go_on(to: Path) -> bool:
    """Whether a training into `to` was cut off and left something to go on from."""
    return any(checkpoint_folder(to).glob(_STAGES))


@contextmanager
def owned_checkpoints(to: Path) -> Iterator[Path]:
    """Give the checkpoint folder of `to` to this process alone; at the end it goes if it is empty.

    The operating system frees it when the process ends, however it ends. Raises `UserError` where
    `to` is taken or cannot be written, and beside another training into it.
    """
    refuse_taken(to)
    folder = checkpoint_folder(to)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / _LOCK, thread_local=False)
        lock.acquire(timeout=0)
    except Timeout as taken:
        raise UserError(
            f"A training into {to} is under way.", "Wait until it ends, or choose another name."
        ) from taken
    except OSError as fault:
        raise UserError(
            f"No folder can be made at {folder} ({fault.strerror or fault}).",
            "Move away what is there, or choose another name.",
        ) from fault
    try:
        yield folder
    finally:
        with suppress(OSError):  # where an open file cannot be removed, the lock stays
            (folder / _LOCK).unlink()
        lock.release()
        with suppress(OSError):
            folder.rmdir()
