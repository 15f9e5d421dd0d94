"""Pictures of the pages, drawn by the window itself without a screen."""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

if "PySide6" not in sys.modules and not (
    os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform != "linux"
):
    # Without a screen Qt draws into memory; this must be said before Qt starts.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QWidget

from app.look.theme import Look, set_text_size
from app.main import application
from app.settings import SettingsFile
from app.window import MainWindow
from app.window_pages import PAGES
from core.errors import UserError

SIZES = ((1280, 800),)
_PATIENCE_S = 300.0


@dataclass(frozen=True, slots=True)
class State:
    """A page in a state: what is done before it is drawn, and until when that is waited for."""

    name: str  # of the file
    page: str
    arrange: Callable[[MainWindow], object] = lambda _window: None
    is_ready: Callable[[MainWindow], bool] = lambda _window: True


def draw_pages(
    project: Path,
    to: Path,
    *,
    sizes: Sequence[tuple[int, int]] = SIZES,
    themes: Sequence[str] = ("light", "dark"),
    states: Sequence[State] = (),
) -> list[Path]:
    """Draw the start page and every page of `project` in each size and theme as PNG files.

    With `states` these are drawn, and no others. Opens the project as the window does, so
    nobody else may be writing to it. Returns the files; raises `UserError` when the project
    cannot be opened.
    """
    wanted = states or (
        State("start", ""),
        *(State(plan.name.lower().replace(" ", "-"), plan.name) for plan in PAGES),
    )
    to.mkdir(parents=True, exist_ok=True)
    app = application()
    with tempfile.TemporaryDirectory() as home:
        settings = SettingsFile(Path(home) / "settings.json")
        set_text_size(app, settings.values.text_size)
        look = Look(app, "light")
        window = MainWindow(settings, pages=PAGES)
        try:
            window.show()
            files = _draw_all(window, look, project, to, sizes, themes, wanted)
        finally:
            window.workspace.close()  # with a job running, the window would ask a person
            window.close()
            window.deleteLater()
    return files


def _draw_all(
    window: MainWindow,
    look: Look,
    project: Path,
    to: Path,
    sizes: Sequence[tuple[int, int]],
    themes: Sequence[str],
    states: Sequence[State],
) -> list[Path]:
    files: list[Path] = []
    for state in states:
        if state.page and window.workspace.state is None:
            window.open_project(project)
            _wait_for(lambda: window.workspace.state is not None)
        if state.page:
            window.show_page(state.page)
        state.arrange(window)
        _wait_for(lambda: state.is_ready(window))  # noqa: B023 - called within its own turn
        _pause(1.0)
        files += [
            _draw(window, look, to, state.name, size, theme) for size in sizes for theme in themes
        ]
    return files


def _draw(
    window: QWidget, look: Look, to: Path, name: str, size: tuple[int, int], theme: str
) -> Path:
    look.set_mode("dark" if theme == "dark" else "light")
    window.resize(*size)
    _pause(0.5)
    file = to / f"{name}-{theme}-{size[0]}.png"
    if not window.grab().save(str(file)):
        raise UserError(f"The picture {file} could not be written.", "Choose another folder.")
    return file


def _wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE_S
    while not holds():
        if time.monotonic() > until:
            raise UserError(
                "The project was not ready in time to be drawn.", "Close other windows on it."
            )
        _pause(0.05)


def _pause(seconds: float) -> None:
    """Let the window work for a while."""
    loop = QEventLoop()
    QTimer.singleShot(int(seconds * 1000), loop.quit)
    loop.exec()
