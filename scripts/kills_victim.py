"""The processes that `kills.py` kills."""

import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from core.store.lock import take_lock
from core.worker.frames import read_frame, write_frame


class Victim:
    """A forked process that does a step: a worker, a driver that speaks frames, or a command."""

    def __init__(
        self,
        body: Callable[[], None],
        *,
        frames: int = 0,  # how many it will speak, where it speaks any
        jobs: Sequence[dict[str, Any]] = (),
        lock_of: Path | None = None,
    ) -> None:
        self._left = frames
        self._speaks = frames > 0
        their_in, to_them = os.pipe()
        from_them, their_out = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(to_them)
            os.close(from_them)
            _become(body, their_in, their_out if self._speaks else None)
        os.close(their_in)
        os.close(their_out)
        # The window holds the lock on behalf of its workers.
        self._lock = None if lock_of is None else take_lock(lock_of)
        self._in = os.fdopen(to_them, "wb")
        # Unbuffered, so that `select` knows of every frame that is there.
        self._out = os.fdopen(from_them, "rb", buffering=0)
        self._ended: list[int] = []
        self._is_dead = False
        for job in jobs:
            write_frame(self._in, job)

    def wait(self, seconds: float) -> bool:
        """Wait; whether it is still at work after that."""
        end = time.monotonic() + seconds
        if not self._speaks:
            while time.monotonic() < end:
                if self._reap(os.WNOHANG):
                    return False
                time.sleep(min(0.002, max(0.0, end - time.monotonic())))
            return not self._reap(os.WNOHANG)
        return self._hear_until(end)

    def kill(self) -> None:
        """SIGKILL, and wait for the end."""
        if not self._is_dead:
            os.kill(self._pid, signal.SIGKILL)
            self._reap(0)

    def acknowledged(self) -> list[int]:
        """The numbers of the decisions it said were stored, to its last breath."""
        while self._speaks and (message := read_frame(self._frames)) is not None:
            if "finished" in message:
                self._ended.append(int(message["job"]))
        return self._ended

    def release(self) -> None:
        """Close what it used."""
        self._in.close()
        self._out.close()
        if self._lock is not None:
            self._lock.release()

    @property
    def _frames(self) -> BinaryIO:
        pipe: Any = self._out
        frames: BinaryIO = pipe
        return frames

    def _hear_until(self, end: float) -> bool:
        while self._left:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._out], [], [], left)[0]:
                return True
            message = read_frame(self._frames)
            if message is None:
                return False
            if "finished" in message:
                self._ended.append(int(message["job"]))
            if "finished" in message or "failed" in message:
                self._left -= 1
        return False

    def _reap(self, how: int) -> bool:
        if not self._is_dead:
            self._is_dead = os.waitpid(self._pid, how)[0] == self._pid
        return self._is_dead


def _become(body: Callable[[], None], source: int, output: int | None) -> NoReturn:
    """Do `body` with these pipes as stdin and stdout, and end without any farewell."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(source, 0)
    os.dup2(nothing if output is None else output, 1)
    if output is None:
        os.dup2(nothing, 2)
    try:
        body()
    except SystemExit:
        os._exit(0)
    except BaseException:  # noqa: BLE001 - nothing may return into the process that was forked
        traceback.print_exc(file=sys.stderr)
        os._exit(1)
    os._exit(0)
