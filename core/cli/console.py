"""What a command says: progress and faults on stderr, one answer on stdout."""

import codecs
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from typing import Any, NoReturn

import click

from core.errors import UserError
from core.progress import Outcome, Progress, Steps, run_to_end

_EVERY_S = 0.2
_EVERY_WITHOUT_TERMINAL_S = 5.0


def follow(steps: Steps[Outcome]) -> Outcome:
    """Run work to its end with its progress on stderr; Ctrl+C closes it cleanly."""
    line = _Line()
    try:
        return run_to_end(steps, line.show)
    except KeyboardInterrupt:
        steps.close()
        line.clear()
        stopped()
    finally:
        line.clear()


def stopped() -> NoReturn:
    """End a command that Ctrl+C broke off."""
    click.echo("Stopped; everything stored before is kept.", err=True)
    raise SystemExit(130) from None


def answer(value: Any, words: Callable[[], str], *, as_json: bool) -> None:
    """Print the outcome: one JSON document, or plain words."""
    if as_json:
        told = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
        _say(json.dumps(told, ensure_ascii=_encoding() != "utf-8", default=str))
    else:
        _say(words())


def close_output() -> None:
    """Let nothing more be written to stdout, where it can take no more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(told: str) -> None:
    encoding = _encoding()
    try:
        # A path may hold bytes, and a terminal lack letters, that cannot be written as they are.
        click.echo(told.encode(encoding, "backslashreplace").decode(encoding))
    except BrokenPipeError:
        raise
    except OSError as fault:
        close_output()
        raise UserError(
            f"The answer could not be written ({fault.strerror}); the work itself is done.",
            "Free some space, or send the answer elsewhere.",
        ) from fault


def _encoding() -> str:
    """How stdout writes letters, in the spelling of the standard library."""
    return codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name


def plain(progress: Progress, rate: float | None = None) -> str:
    """A progress in one line."""
    told = progress.title
    if progress.unit in ("comparisons", "bytes") and progress.total:
        told += f" {progress.done / progress.total:.0%}"
    elif progress.total:
        told += f" {progress.done:,} of {progress.total:,} {progress.unit}"
    elif progress.done and progress.unit != "bytes":
        told += f" {progress.done:,} {progress.unit}"
    if rate and progress.total and progress.done < progress.total:
        left = (progress.total - progress.done) / rate
        told += f" · about {_duration(left)} left"
    return told


class _Line:
    """One line of a terminal, rewritten; without a terminal a line now and then."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._last = 0.0
        self._title = ""
        self._started = 0.0

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.title != self._title:
            self._title, self._started = progress.title, now
            self._last = 0.0
        pause = _EVERY_S if self._terminal else _EVERY_WITHOUT_TERMINAL_S
        if now - self._last < pause:
            return
        self._last = now
        spent = now - self._started
        rate = progress.done / spent if spent > 1 else None
        if self._terminal:
            click.echo(f"\r\x1b[K{plain(progress, rate)}", nl=False, err=True)
        else:
            click.echo(plain(progress, rate), err=True)

    def clear(self) -> None:
        if self._terminal:
            click.echo("\r\x1b[K", nl=False, err=True)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min"
