"""A real worker process with a few more wishes, spoken to in frames."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.worker.frames import read_frame, write_frame

ROOT = Path(__file__).resolve().parents[3]
WISHES = Path(__file__).with_name("wishes.py")


class Talk:
    """A worker under test: wishes in, messages out, its standard error kept."""

    def __init__(self, command: list[str], errors: Path) -> None:
        self._errors = errors
        with errors.open("wb") as stream:
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stream
            )
        self.ready = self.read()

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        write_frame(self.process.stdin, message)  # type: ignore[arg-type]

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        message = read_frame(self.process.stdout)  # type: ignore[arg-type]
        assert message is not None, f"the worker ended: {self.errors}"
        return message

    def ask(self, job: int, wish: str, **values: Any) -> list[dict[str, Any]]:
        """Run a job to its end and give all messages about it."""
        self.send({"job": job, "wish": wish, "values": values})
        return self.until_end(job)

    def until_end(self, job: int) -> list[dict[str, Any]]:
        messages = []
        while True:
            messages.append(self.read())
            assert messages[-1]["job"] == job
            if not {"progress", "paused"} & set(messages[-1]):
                return messages

    def ended_within(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                return True
            time.sleep(0.01)
        return False

    @property
    def errors(self) -> str:
        return self._errors.read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    """Start a worker by a command; it is ended after the test."""
    talks: list[Talk] = []

    def start_now(*command: str) -> Talk:
        talks.append(Talk([sys.executable, *command], tmp_path / f"errors-{len(talks)}"))
        return talks[-1]

    yield start_now
    for talk in talks:
        talk.close()


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    """The real door with the wishes of `wishes.py` besides its own, for many jobs."""
    talk = Talk([sys.executable, str(WISHES)], tmp_path_factory.mktemp("worker") / "errors")
    yield talk
    talk.close()


@pytest.fixture
def own_worker(start: Callable[..., Talk]) -> Talk:
    """The same, for a test that ends it."""
    return start(str(WISHES))
