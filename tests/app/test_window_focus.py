"""The keys stay on the page when the button that had them is used up."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from app.page_shelf import PagePlan
from app.pages.page import Page
from app.settings import SettingsFile
from app.window import MainWindow
from app.workspace import Workspace
from core.store import Project


class TwoButtons(Page):
    name = "Corpus"

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(workspace, parent)
        self.first, self.second = QPushButton("First"), QPushButton("Second")
        column = QVBoxLayout(self)
        column.addWidget(self.first)
        column.addWidget(self.second)
        self.setFocusProxy(self.second)


@pytest.fixture
def page(app: QApplication, tmp_path: Path) -> Iterator[TwoButtons]:
    Project.create(tmp_path / "calls.samesense").close()
    window = MainWindow(
        SettingsFile(tmp_path / "settings.json"),
        pages=[PagePlan("Corpus", "corpus", __name__, "TwoButtons")],
    )
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.open_project(tmp_path / "calls.samesense")
    for _ in range(500):
        if isinstance(window.page, TwoButtons) and not window.jobs.running():
            break
        QTest.qWait(20)
    assert isinstance(window.page, TwoButtons)
    window.page.first.setFocus()
    assert QApplication.focusWidget() is window.page.first
    yield window.page
    window.close()


@pytest.mark.parametrize(
    "go",
    [
        lambda page: page.first.hide(),
        lambda page: page.first.setEnabled(False),
    ],
    ids=["hidden", "disabled"],
)
def test_the_keys_stay_on_the_page(page: TwoButtons, go: Callable[[TwoButtons], object]) -> None:
    page.second.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # so that Tab would leave the page
    go(page)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert focus is page or page.isAncestorOf(focus)


def test_what_comes_into_sight_later_has_the_keys_then(page: TwoButtons) -> None:
    page.second.hide()
    page.first.hide()
    page.second.show()
    QTest.qWait(50)
    assert QApplication.focusWidget() is page.second


def test_what_comes_into_sight_later_leaves_the_keys_where_somebody_took_them(
    page: TwoButtons,
) -> None:
    page.second.hide()
    page.first.hide()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    elsewhere = QApplication.focusWidget()
    page.second.show()
    QTest.qWait(50)
    assert QApplication.focusWidget() is elsewhere is not page.second


def test_tab_may_still_leave_the_page(page: TwoButtons) -> None:
    page.second.setFocus()
    QTest.keyClick(page.second, Qt.Key.Key_Tab)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert not page.isAncestorOf(focus)


def test_the_keys_go_along_to_another_window(page: TwoButtons) -> None:
    other = QPushButton("Elsewhere")
    other.show()
    other.activateWindow()
    QTest.qWaitForWindowActive(other)
    other.setFocus()
    page.first.hide()
    assert QApplication.focusWidget() is other
    other.close()


def test_a_closed_window_no_longer_follows_the_keys(page: TwoButtons) -> None:
    window = page.window()
    assert isinstance(window, MainWindow)
    asked: list[int] = []
    window._focus._page = lambda: asked.append(1)  # type: ignore[assignment,func-returns-value]  # tells that it was asked
    page.second.setFocus()
    assert asked
    window.close()
    asked.clear()
    other = QPushButton("Elsewhere")
    other.show()
    other.activateWindow()
    other.setFocus()
    QTest.qWait(50)
    other.close()
    assert asked == []
