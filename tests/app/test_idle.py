"""A window nobody touches does nothing: no widget paints itself over and over."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.settings import SettingsFile
from app.widgets.banner import Banner
from app.window import MainWindow
from app.window_pages import PAGES

MOST_PAINTS = 6  # of one kind of widget in half a second; a blinking cursor may take a few


class PaintCounter(QObject):
    """Counts the paint events of every widget, by class."""

    def __init__(self) -> None:
        super().__init__()
        self.paints: Counter[str] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.paints[type(watched).__name__] += 1
        return False


@pytest.fixture
def count_paints(app: QApplication) -> Iterator[Callable[[], Counter[str]]]:
    """Count what is painted in half a second from now."""
    counter = PaintCounter()
    app.installEventFilter(counter)

    def count() -> Counter[str]:
        counter.paints.clear()
        QTest.qWait(500)
        return counter.paints

    yield count
    app.removeEventFilter(counter)


@pytest.mark.parametrize("kind", ["info", "warning", "error"])
def test_a_banner_at_rest_does_not_paint(
    kind: str, show: Callable[..., None], count_paints: Callable[[], Counter[str]]
) -> None:
    banner = Banner()
    banner.show_message(
        kind, "14,640 rows read, 213 whose text was there already. " * 4, buttons=[("go", "Go on")]
    )
    show(banner, 500, 120)
    QTest.qWait(300)
    assert all(count <= MOST_PAINTS for count in count_paints().values())


def test_every_page_of_the_window_comes_to_rest(
    app: QApplication, tmp_path: Path, count_paints: Callable[[], Counter[str]]
) -> None:
    window = MainWindow(SettingsFile(tmp_path / "settings.json"), pages=PAGES)
    window.resize(1280, 800)
    window.show()
    try:
        QTest.qWait(500)
        assert all(count <= MOST_PAINTS for count in count_paints().values())
        window.workspace.open(tmp_path / "p.samesense", create=True)
        for _ in range(200):
            if window.workspace.state is not None:
                break
            QTest.qWait(50)
        for page in window.pages:
            window.show_page(page)
            QTest.qWait(700)
            assert all(count <= MOST_PAINTS for count in count_paints().values()), page
    finally:
        window.close()
