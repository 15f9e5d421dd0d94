"""A project to learn in, the page on it with a real worker, and a hand that uses it."""

import hashlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.pages.teach import TeachPage
from app.pages.teach_card import TrainingCard
from app.workspace import Workspace
from core.records import ImportReport, ImportSettings, Reading, Verdict
from core.store import Project, StagedRow

WORKER = Path(__file__).with_name("teach_wishes.py")


class Hand:
    """What a person does on the page, and sees."""

    QUICK, FAILING, NOT_FINITE, SLOW, TOO_FEW = range(5)

    def until(self, is_so: Callable[[], object], *, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < end, "waited in vain"
            QTest.qWait(5)

    def start(self, page: TeachPage, seed: int) -> None:
        """Start the training that obeys this seed."""
        page.view.lesson.settings.loop.set_values({"seed": seed})
        self.until(lambda: page.is_settled)
        page.actions_["start"].trigger()
        assert page.practice.is_running

    def finished(self, page: TeachPage) -> None:
        """Wait until a training has ended and what it brought is on show."""
        self.until(lambda: not page.practice.is_running and page.is_settled)
        self.until(lambda: page.view.banner.isVisible())

    def train(self, page: TeachPage, seed: int) -> None:
        """Start a training and wait for its end."""
        page.choose_new()
        self.start(page, seed)
        self.finished(page)

    def cards(self, page: TeachPage) -> list[TrainingCard]:
        return [card for card in page.view.runs.cards if isinstance(card, TrainingCard)]

    def words(self, widget: QWidget) -> str:
        """All that a part of the page says; what was just added is laid out first."""
        for _ in range(3):  # what comes with the first may add parts that the next lays out
            QApplication.processEvents()
        shown = [label for label in widget.findChildren(QLabel) if label.isVisible()]
        return " ".join(label.text() for label in shown)


@pytest.fixture(scope="session")
def hand() -> Hand:
    return Hand()


@pytest.fixture(scope="module")
def workspace(app: QApplication) -> Iterator[Workspace]:
    """One workspace with its workers, since starting a worker takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setattr("app.jobs.lane.worker_command", lambda: [sys.executable, str(WORKER)])
        made = Workspace()
        yield made
        made.stop()


@pytest.fixture
def make_folder(tmp_path: Path) -> Callable[..., Path]:
    """Make a project of 300 texts with decisions on pairs of them."""

    def make(
        *,
        same: int = 0,
        different: int = 0,
        unsure: int = 0,
        rows: int = 300,
        blank: bool = False,
        name: str = "all-MiniLM-L6-v2",
    ) -> Path:
        folder = tmp_path / "calls.samesense"
        first_encoder = tmp_path / "first"
        first_encoder.mkdir()
        (first_encoder / "config.json").touch()
        with Project.create(folder) as project:
            _bring(project, rows, blank=blank)
            first = 1
            for verdict, count in (
                (Verdict.SAME, same), (Verdict.DIFFERENT, different), (Verdict.UNSURE, unsure)
            ):  # fmt: skip
                pairs = [(first + at, first + at + 1) for at in range(count)]
                project.decisions.decide(pairs, verdict, title="Decided")
                first += count + 1
            encoder = project.vectors.encoder(
                "first", name=name, folder=str(first_encoder), dimension=4, precision="fp32",
                settings={},
            )  # fmt: skip
            project.meta.set("encoder", str(encoder.id))
        return folder

    return make


@pytest.fixture
def open_page(
    workspace: Workspace, show: Callable[..., QWidget], hand: Hand
) -> Iterator[Callable[..., TeachPage]]:
    """Show the page on a project; its training is cancelled after the test."""
    pages: list[TeachPage] = []

    def open_now(
        folder: Path, on: Workspace = workspace, *, width: int = 1200, height: int = 700
    ) -> TeachPage:
        page = TeachPage(on)
        pages.append(page)
        show(page, width, height)
        on.open(folder)
        hand.until(lambda: on.state is not None and page.is_settled)
        return page

    yield open_now
    for page in pages:
        page.practice.cancel()
        hand.until(lambda page=page: not page.practice.is_running)  # type: ignore[misc]  # bound at once
        # A lane that is busy when its project is closed is replaced by another.
        if page.workspace.folder is not None:
            # Tidying up after a killed worker is such work too.
            hand.until(lambda page=page: page.is_settled and not page.workspace.is_busy)  # type: ignore[misc]  # as above
        page.hide()
        hand.until(lambda page=page: not page.asking.is_thinking)  # type: ignore[misc]  # as above
    workspace.close()


@pytest.fixture
def page(open_page: Callable[..., TeachPage], make_folder: Callable[..., Path]) -> TeachPage:
    """The page of a project with 171 decisions to learn from."""
    return open_page(make_folder(same=100, different=71, unsure=5))


def _bring(project: Project, rows: int, *, blank: bool = False) -> None:
    if not rows:
        return
    settings = ImportSettings(Reading("lines", ("text",)), ("text",))
    source = project.sources.begin(
        "calls.txt", path="/nowhere/calls.txt", sha256="calls", size=1, settings=settings,
        run=project.runs.begin("import", {}),
    )  # fmt: skip
    bodies = [f"Message number {number}" for number in range(rows)]
    project.documents.stage(
        source,
        [
            StagedRow(
                at, at, None, (body,), None, None if blank else body,
                None if blank else hashlib.sha256(body.encode()).hexdigest()[:32], False,
            )
            for at, body in enumerate(bodies, start=1)
        ],
    )  # fmt: skip
    project.sources.finish(source, ImportReport(source, "calls.txt", rows=rows))
