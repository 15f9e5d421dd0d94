"""One offscreen application, and a watch over what tests leave behind."""

import gc
import os
from collections.abc import Callable, Iterator

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject, Qt, QThread, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from app.look.theme import apply_theme

HARMLESS_WARNINGS = (
    "propagateSizeHints",  # the offscreen platform has no window manager to tell
    "This plugin does not support raise",  # the same
    "Populating font family aliases",  # a machine with few fonts looks for longer
    "does not support grabbing the keyboard",  # popups, offscreen
    "OpenType support missing for",  # a script without a font on a bare machine
)


@pytest.fixture(scope="session")
def app() -> QApplication:
    """The one application, dressed light."""
    made = QApplication.instance() or QApplication(["samesense-tests"])
    assert isinstance(made, QApplication)
    apply_theme(made, "light")
    return made


@pytest.fixture(scope="session")
def qt_messages() -> list[str]:
    """What Qt warned of so far; the handler stays, since taking it back miscounts None."""
    warnings: list[str] = []

    def note(kind: QtMsgType, _context: object, message: str) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            warnings.append(message)

    qInstallMessageHandler(note)
    return warnings


@pytest.fixture(autouse=True)
def qt_warnings_fail(app: QApplication, qt_messages: list[str]) -> Iterator[None]:
    """Fail a test during which Qt warned of something that is not known to be harmless."""
    qt_messages.clear()
    yield
    harmful = [
        message
        for message in qt_messages
        if not any(known in message for known in HARMLESS_WARNINGS)
    ]
    assert not harmful, f"Qt warned: {harmful}"


@pytest.fixture(autouse=True)
def nothing_left_running(app: QApplication, qt_warnings_fail: None) -> Iterator[None]:
    """Fail a test that leaves a thread running or a timer active; its windows are closed."""
    known = {id(thing) for thing in _running()}
    yield
    app.processEvents()
    left = [thing for thing in _running() if id(thing) not in known]
    names = [f"{type(thing).__name__} of {type(thing.parent()).__name__}" for thing in left]
    for thing in left:
        _stop(thing)
    for window in app.topLevelWidgets():
        if isValid(window) and _is_ours_to_delete(window):  # one may take others with it
            window.close()
            window.deleteLater()
    _drain(app)
    assert not names, f"left running: {names}"


@pytest.fixture
def show(app: QApplication, nothing_left_running: None) -> Iterator[Callable[..., QWidget]]:
    """Show a widget at a size and wait until it is painted; it is closed after the test."""
    shown: list[QWidget] = []

    def show_now(widget: QWidget, width: int = 800, height: int = 600) -> QWidget:
        shown.append(widget)
        widget.resize(width, height)
        widget.show()
        widget.activateWindow()
        QTest.qWaitForWindowExposed(widget)
        app.processEvents()
        return widget

    yield show_now
    for widget in shown:
        if isValid(widget):
            widget.close()
            widget.deleteLater()
    _drain(app)


def _is_ours_to_delete(window: QWidget) -> bool:
    """Whether nobody else deletes it.

    What a library keeps aside and never shows, and popups, are deleted by their owners: a second
    deletion leaves those with dangling pointers. A closed window counts as never shown, so that
    the program's own are known by their class.
    """
    if window.parent() is not None or window.windowType() == Qt.WindowType.Popup:
        return False
    is_shown = window.testAttribute(Qt.WidgetAttribute.WA_WState_Created)
    return is_shown or type(window).__module__.startswith("app.")


def _running() -> list[QObject]:
    kinds = _kinds(QThread) | _kinds(QTimer)
    things = [thing for thing in gc.get_objects() if type(thing) in kinds]
    return [thing for thing in things if isValid(thing) and _is_running(thing)]


def _kinds(kind: type) -> set[type]:
    """A class and all below it: looking these up is far cheaper than `isinstance`."""
    return {kind}.union(*(_kinds(below) for below in kind.__subclasses__()))


def _is_running(thing: QObject) -> bool:
    if isinstance(thing, QThread):
        return thing.isRunning() and thing is not QThread.currentThread()
    return isinstance(thing, QTimer) and thing.isActive()


def _stop(thing: QObject) -> None:
    if isinstance(thing, QTimer):
        thing.stop()
    elif isinstance(thing, QThread):
        thing.requestInterruption()
        thing.quit()
        thing.wait(2_000)


def _drain(app: QApplication) -> None:
    app.processEvents()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    app.processEvents()
