"""Which cross-encoder checks again: a person's choice, else the project's own."""

import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.checker import Checker
from app.settings import SettingsFile
from app.workspace import Workspace
from core.store import Project


@pytest.fixture
def workspace(app):
    made = Workspace()
    yield made
    made.stop()


@pytest.fixture
def settings(tmp_path: Path):
    return SettingsFile(tmp_path / "settings.json")


@pytest.fixture
def checker(workspace, settings, show):
    return Checker(workspace, settings, show(QWidget()))


def cross(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    return folder


def until(is_so):
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        QTest.qWait(10)


def test_nothing_is_known_at_first(checker):
    assert checker.folder == ""


def test_a_choice_is_remembered(checker, settings, tmp_path):
    heard = []
    checker.changed.connect(lambda: heard.append(checker.folder))
    checker.use(cross(tmp_path / "mine"))
    assert heard == [str(tmp_path / "mine")]
    assert SettingsFile(tmp_path / "settings.json").values.cross_encoder == str(tmp_path / "mine")
    assert checker.values() == {"cross": str(tmp_path / "mine"), "device": "auto"}


def test_a_folder_that_is_gone_is_not_known(checker, tmp_path):
    checker.use(cross(tmp_path / "mine"))
    (tmp_path / "mine" / "config.json").unlink()
    (tmp_path / "mine").rmdir()
    assert checker.folder == ""


def test_a_folder_without_a_model_is_refused(checker, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr("app.checker.tell", lambda what, remedy, parent: told.append(what))
    checker.use(tmp_path)
    assert "is no cross-encoder" in told[0]
    assert checker.folder == ""


def test_the_projects_own_is_known_while_it_is_open(checker, workspace, tmp_path):
    with Project.create(tmp_path / "p.samesense") as project:
        taught = cross(project.folder / "encoders" / "cross-7")
    workspace.open(tmp_path / "p.samesense")
    until(lambda: checker.folder)
    assert checker.folder == str(taught)
    workspace.close()
    assert checker.folder == ""


def test_the_one_used_last_in_a_project_is_known(checker, workspace, tmp_path):
    used = cross(tmp_path / "used")
    with Project.create(tmp_path / "p.samesense") as project:
        record = project.checked.checker("f", name="used", folder=str(used))
        project.checked.add(record.id, np.array([1]), np.array([2]), np.ones(1, np.float32))
    workspace.open(tmp_path / "p.samesense")
    until(lambda: checker.folder == str(used))
    workspace.close()
