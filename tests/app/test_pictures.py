"""Pages as pictures, drawn by the real window."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app.jobs import Ticket
from app.pictures import State, draw_pages
from app.window import MainWindow
from core.store import Project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    with Project.create(tmp_path / "calls.samesense") as made:
        return made.folder


def test_a_running_job_does_not_hold_the_drawing_up(
    app: QApplication, project: Path, tmp_path: Path
) -> None:
    """A person would be asked whether the training may be dropped; here is nobody to answer."""

    def teach(window: MainWindow) -> None:
        window.workspace.job_queued.emit(Ticket(999, "train", "Teaching"))
        assert window.jobs.running()

    files = draw_pages(
        project, tmp_path / "pictures", sizes=((1000, 700),), themes=("light",),
        states=(State("corpus", "Corpus", teach),),
    )  # fmt: skip
    assert [file.name for file in files] == ["corpus-light-1000.png"]
    assert QImage(str(files[0])).size() == QSize(1000, 700)
