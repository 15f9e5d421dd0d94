"""A worker process and the pipes to it."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import core
from core.worker.frames import read_frame, write_frame

_LAST_WORDS = 4000  # bytes of what a worker said, kept for a failure's details
_NO_CONSOLE: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # only Windows has the name


class WorkerProcess:
    """One running worker, at a priority below the window's: prompt, low or lowest.

    `send` and `kill` may be called from any thread, `read` and `close` from one only. Raises
    OSError when the process cannot be started.
    """

    def __init__(
        self, command: Sequence[str], *, threads: int | None = None, priority: str = "low"
    ) -> None:
        # A file and not a pipe: nobody need empty it, and it is there when the worker has died.
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
                env=_environment(threads, priority), creationflags=_NO_CONSOLE,
            )  # fmt: skip
        except BaseException:
            self._said.close()
            raise
        self._sending = threading.Lock()
        self._is_closed = False
        self._is_doomed = False

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it can be given work."""
        return not self._is_doomed and self._process.poll() is None

    def wait_until_ready(self) -> bool:
        """Wait for the first message; False when the worker ended before it."""
        return self.read() is not None

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; to a worker that is gone, nothing, which `read` will tell."""
        with self._sending:
            if self._is_closed:
                return
            try:
                write_frame(_pipe(self._process.stdin), message)
            except OSError:
                return

    def read(self) -> dict[str, Any] | None:
        """The next message, None when the worker has ended or speaks no frames."""
        try:
            return read_frame(_pipe(self._process.stdout))
        except ValueError:
            self.kill()
            return None

    def kill(self) -> None:
        """End the worker now; what it stored is safe at every moment."""
        self._is_doomed = True
        self._process.kill()

    def close(self) -> None:
        """End the worker, wait for it and close the pipes."""
        self.kill()
        self._process.wait()
        with self._sending:
            self._is_closed = True
            for stream in (self._process.stdin, self._process.stdout, self._said):
                _close(stream)

    def cause_of_death(self) -> str:
        """Why it ended, in a few words; waits for the end."""
        code = self._process.wait()
        if code >= 0:
            return f"exit status {code}"
        if code == -9:
            return "it was killed, perhaps because memory ran short"
        try:
            return f"it crashed, {signal.Signals(-code).name}"
        except ValueError:
            return f"signal {-code}"

    def last_words(self) -> str:
        """The end of what it wrote to its standard error."""
        size = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, size - _LAST_WORDS))
        return self._said.read().decode("utf-8", "replace").strip()


def worker_command() -> list[str]:
    """How this program starts its worker: by module in a clone or wheel, by flag in a bundle."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--worker"]
    # Without -P a package called "core" in the working folder would be taken for ours.
    return [sys.executable, "-P", "-m", "core.worker"]


def _environment(threads: int | None, priority: str) -> dict[str, str]:
    told = dict(os.environ)
    home = str(Path(core.__file__).resolve().parent.parent)
    told["PYTHONPATH"] = os.pathsep.join([home, *filter(None, [told.get("PYTHONPATH")])])
    if threads is not None:
        for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "SAMESENSE_THREADS"):
            told[name] = str(threads)
    told["SAMESENSE_PRIORITY"] = priority
    return told


def _pipe(stream: Any) -> BinaryIO:
    pipe: BinaryIO = stream
    return pipe


def _close(stream: Any) -> None:
    try:
        stream.close()
    except OSError:
        return  # closing flushes, and there is nobody left to take what was not read
