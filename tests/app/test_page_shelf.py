import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.page_shelf import PageShelf
from app.pages.page import Page
from app.window_pages import PAGES
from app.workspace import Workspace
from core.store import Project

ROOT = Path(__file__).parents[2]
NAMES = [plan.name for plan in PAGES]


@pytest.fixture
def workspace(app: QApplication) -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.stop()


@pytest.fixture
def made() -> list[Page]:
    return []


@pytest.fixture
def shelf(workspace: Workspace, made: list[Page]) -> Iterator[PageShelf]:
    host = QWidget()

    def take(page: Page) -> None:
        page.setParent(host)
        made.append(page)

    yield PageShelf(PAGES, workspace, host, take=take)
    workspace.stop()
    for timer in host.findChildren(QTimer):
        timer.stop()  # what it would ask for has nobody left to answer
    host.deleteLater()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SAMESENSE_HOME", str(tmp_path / "home"))
    Project.create(tmp_path / "made.samesense").close()
    return tmp_path / "made.samesense"


def test_every_page_has_the_name_it_is_listed_by():
    assert [plan.load().name for plan in PAGES] == NAMES


def test_asking_what_pages_there_are_makes_none(shelf, made):
    assert list(shelf) == NAMES
    assert len(shelf) == len(NAMES)
    assert "Map" in shelf
    assert "Nowhere" not in shelf
    assert made == []


def test_a_page_is_made_once_and_taken_before_it_is_given_out(shelf, made):
    page = shelf["Search"]
    assert made == [page]
    assert shelf["Search"] is page
    assert made == [page]


def test_a_page_that_is_not_listed_is_no_page(shelf):
    with pytest.raises(KeyError):
        shelf["Nowhere"]


def test_all_pages_are_there_before_anybody_hears_that_a_project_is_open(
    workspace, shelf, made, folder
):
    heard: list[list[str]] = []
    workspace.opened.connect(lambda: heard.append([page.name for page in made]))
    workspace.open(folder)
    while not heard:
        QTest.qWait(10)
    assert heard == [NAMES]


def test_pages_are_made_while_the_worker_opens_a_project(workspace, shelf, made, folder):
    workspace.open(folder)
    assert made == []  # not at once: what was clicked is answered first
    while not made:
        assert workspace.folder is None, "made only when the project was open"
        QTest.qWait(1)


def test_the_window_stands_before_any_page_is_imported():
    asked = (
        "import sys, app.main\n"
        "print(sorted(n for n in sys.modules if n.startswith('app.pages.') and n not in\n"
        "    ('app.pages.page', 'app.pages.start', 'app.pages.start_parts')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr
