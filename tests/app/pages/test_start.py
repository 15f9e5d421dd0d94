"""The first page on its own."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QPushButton

from app import recents
from app.pages.start import StartPage
from app.settings import SettingsFile
from core.store import Project


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    good = tmp_path / "Tickets.samesense"
    Project.create(good).close()
    damaged = tmp_path / "Broken.samesense"
    damaged.mkdir()
    (damaged / "project.sqlite").write_bytes(b"this is no database" * 100)
    return [good, damaged, tmp_path / "Gone.samesense"]


@pytest.fixture
def page(show: Callable[..., StartPage], folders: list[Path]) -> StartPage:
    made = show(StartPage(), 1000, 700)
    made.show_folders(folders)
    end = time.monotonic() + 10
    while made._reader is not None and not made._reader.isFinished():
        assert time.monotonic() < end
        QTest.qWait(10)
    QTest.qWait(20)
    return made


def test_a_damaged_and_a_missing_project_are_listed_and_say_so(page: StartPage) -> None:
    faults = [recent.fault for recent in page.recents]
    assert faults[0] == ""
    assert "damaged" in faults[1]
    assert "not found" in faults[2]


def test_enter_opens_the_project_chosen(page: StartPage, folders: list[Path]) -> None:
    wanted: list[Path] = []
    page.open_wanted.connect(wanted.append)
    listed = page.findChild(QListWidget)
    listed.setFocus()
    QTest.keyClick(listed, Qt.Key.Key_Return)
    assert wanted == [folders[0]]


def test_delete_takes_a_project_off_the_list(page: StartPage, folders: list[Path]) -> None:
    wanted: list[Path] = []
    page.forget_wanted.connect(wanted.append)
    listed = page.findChild(QListWidget)
    listed.setCurrentRow(2)
    QTest.keyClick(listed, Qt.Key.Key_Delete)
    assert wanted == [folders[2]]


def test_without_projects_there_is_no_list(show: Callable[..., StartPage]) -> None:
    page = show(StartPage(), 1000, 700)
    assert not page.findChild(QListWidget).isVisible()


def test_the_demo_is_one_click_away(show: Callable[..., StartPage]) -> None:
    page = show(StartPage(), 1000, 700)
    clicked: list[bool] = []
    page.demo_wanted.connect(lambda: clicked.append(True))
    button = next(one for one in page.findChildren(QPushButton) if one.text() == "Try the demo")
    button.click()
    assert clicked == [True]


def test_looking_at_a_project_changes_nothing_in_it(folders: list[Path]) -> None:
    before = (folders[0] / "project.sqlite").read_bytes()
    assert recents.look_at(folders[0]).name == "Tickets"
    assert (folders[0] / "project.sqlite").read_bytes() == before


def test_a_project_opened_again_moves_to_the_top(tmp_path: Path) -> None:
    settings = SettingsFile(tmp_path / "settings.json")
    for name in ("a", "b", "a"):
        recents.remember(settings, Path(name))
    assert SettingsFile(tmp_path / "settings.json").values.recents == ("a", "b")
