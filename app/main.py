"""Starts the window."""

import gc
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.look.icons import app_icon
from app.look.theme import Look, set_text_size
from app.settings import SettingsFile
from app.window import MainWindow
from app.window_faults import LastNet
from app.window_pages import PAGES
from core.folders import settings_file

_STARTED_MS = 2_000  # after which the pages of the first project stand


def main(project: Path | None = None, demo: bool = False) -> int:
    """Open the window, with a project or the demo in it, and return its exit status."""
    app = application()
    settings = SettingsFile(settings_file())
    set_text_size(app, settings.values.text_size)
    look = Look(app, settings.values.theme)  # type: ignore[arg-type]  # checked on reading
    net = LastNet()
    net.install()
    window = MainWindow(settings, pages=PAGES)

    def dress() -> None:
        set_text_size(app, settings.values.text_size)
        look.set_mode(settings.values.theme)  # type: ignore[arg-type]  # the same

    window.look_changed.connect(dress)
    window.show()
    collect_less(window)
    if project is not None:
        QTimer.singleShot(0, window, lambda: window.open_project(project))
    elif demo:
        QTimer.singleShot(0, window, window.projects.try_demo)
    return app.exec()


def collect_less(window: MainWindow) -> None:
    """Leave what the start has made out of every later collection of garbage.

    Libraries and pages are 80,000 objects that stay; a full collection looked at each of them
    and stopped the window for 90 ms, at any moment.
    """
    QTimer.singleShot(_STARTED_MS, window, gc.freeze)


def application() -> QApplication:
    """The program's one application object, named and with its sign."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setOrganizationName("Samesense")
    app.setApplicationName("Samesense")
    app.setApplicationDisplayName("Samesense")
    app.setDesktopFileName("samesense")
    app.setWindowIcon(app_icon())
    return app
