"""Projects at each of the five steps, the page on them with a worker, and a hand that uses it."""

import hashlib
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.pages.multiply import MultiplyPage
from app.workspace import Workspace
from core.augmentation import sheet_of
from core.options import EncodeOptions
from core.records import ImportReport, ImportSettings, Reading, Verdict
from core.store import Project, StagedRow
from core.workflows.augmenting.project import silver_of
from core.workflows.lessons import lesson_of

WORKER = Path(__file__).with_name("multiply_wishes.py")
TINY = Path(__file__).parents[3] / "models" / "bert"
NOUNS = ("dog", "cat", "boy", "girl", "man", "woman", "bike", "bicycle", "food", "water")
PAIRS = 30  # of each kind


class Hand:
    """What a person does on the page, and sees."""

    BETTER, NOT_BETTER, FAILING, SLOW = 1, 2, 5, 4

    def until(self, is_so: Callable[[], object], *, seconds: float = 40) -> None:
        end = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < end, "waited in vain"
            QTest.qWait(5)

    def settled(self, page: MultiplyPage, *, seconds: float = 60) -> None:
        """Wait until nothing runs and what is shown is what is stored."""
        self.until(lambda: not page.practice.is_running and page.is_settled, seconds=seconds)

    def compare(self, page: MultiplyPage, how: int) -> None:
        """Compare teachers with the outcome that is wanted, and wait for the end."""
        page.view.teachers.settings.form.set_values({"seeds": how})
        page.open_step("teachers")
        self.settled(page)
        page.view.teachers.foot.buttons["compare"].click()
        assert page.practice.is_running
        if how != self.SLOW:
            self.settled(page)
            self.until(lambda: page.view.banner.isVisible())

    def words(self, widget: QWidget) -> str:
        """All that a part of the page says; what was just added is laid out first."""
        for _ in range(3):
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
    """Make a project of short texts with decisions on pairs of them."""

    def make(
        *, pairs: int = PAIRS, rows: int = 4 * PAIRS, blank: bool = False, encoded: bool = True
    ) -> Path:
        folder = tmp_path / "calls.samesense"
        with Project.create(folder) as project:
            fill(project, rows, pairs, blank=blank)
            if encoded:
                encoder = project.vectors.encoder(
                    "tiny", name="tiny", folder=str(TINY), dimension=32, precision="fp32",
                    settings={},
                )  # fmt: skip  # one record
                project.meta.set("encoder", str(encoder.id))
        return folder

    return make


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose teachers were compared and whose silver pairs were labelled, for real."""
    from core.progress import run_to_end
    from core.workflows.augmenting.project import ProjectAsked, label_project, measure_project
    from core.workflows.encoding import encode_corpus

    folder = tmp_path_factory.mktemp("multiply") / "calls.samesense"
    train = {"epochs": 1, "batch": 16, "rate": 1e-4, "hold": 0.0}
    with Project.create(folder) as project:
        fill(project, 4 * PAIRS, PAIRS)
        run_to_end(encode_corpus(project, EncodeOptions(encoder=str(TINY), precision="fp32")))
        asked = ProjectAsked({"seeds": 1}, train=train, device="cpu")
        found = run_to_end(measure_project(project, asked))
        asked = ProjectAsked({"top_k": 3, "insist": True}, train=train, device="cpu")
        run_to_end(label_project(project, found.augmentation, asked))
        spread_labels(project, found.augmentation)
    return folder


def spread_labels(project: Project, number: int) -> None:
    """Let labels lie on both sides: those of a model drawn at random lie close together."""
    record, rows = project.augmentations.get(number), project.augmentations.silver(number)
    middle = sorted(row.score for row in rows)[len(rows) * 3 // 4]
    spread = [(row.left, row.right, max(0.0, min(1.0, 0.5 + 8 * (row.score - middle))))
              for row in rows]  # fmt: skip  # one row a pair
    project.augmentations.label(number, spread, options=record.options, sheet={})
    sheet = asdict(sheet_of(lesson_of(project).data, silver_of(project, number)))
    project.augmentations.retell(number, sheet)


@pytest.fixture
def labelled(template: Path, tmp_path: Path) -> Path:
    """A copy of the labelled project."""
    return Path(shutil.copytree(template, tmp_path / "calls.samesense"))


@pytest.fixture
def open_page(
    workspace: Workspace, show: Callable[..., QWidget], hand: Hand
) -> Iterator[Callable[..., MultiplyPage]]:
    """Show the page on a project; what runs on it is cancelled after the test."""
    pages: list[MultiplyPage] = []

    def open_now(
        folder: Path, on: Workspace = workspace, *, width: int = 1200, height: int = 760
    ) -> MultiplyPage:
        page = MultiplyPage(on)
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
            hand.until(lambda page=page: page.is_settled and not page.workspace.is_busy)  # type: ignore[misc]  # as above
        page.hide()
        # What was asked in vain has to end there, too.
        hand.until(lambda page=page: not page.workspace._jobs)  # type: ignore[misc]  # as above
    workspace.close()


def fill(project: Project, rows: int, pairs: int, *, blank: bool = False) -> None:
    """Bring in texts, and decide `pairs` of each kind; texts hang together in pairs only."""
    if not rows:
        return
    settings = ImportSettings(Reading("lines", ("text",)), ("text",))
    source = project.sources.begin(
        "calls.txt", path="/nowhere/calls.txt", sha256="calls", size=1, settings=settings,
        run=project.runs.begin("import", {}),
    )  # fmt: skip  # one source
    staged = [
        StagedRow(
            at, at, None, (body,), None, None if blank else body,
            None if blank else hashlib.sha256(body.encode()).hexdigest()[:32], False,
        )
        for at, body in enumerate(bodies(rows), start=1)
    ]  # fmt: skip  # one row after the other
    project.documents.stage(source, staged)
    project.sources.finish(source, ImportReport(source, "calls.txt", rows=rows))
    for verdict, first in ((Verdict.SAME, 1), (Verdict.DIFFERENT, 3)):
        decided = [(first + 4 * at, first + 1 + 4 * at) for at in range(pairs)]
        project.decisions.decide(decided, verdict, title="Decided")


def bodies(rows: int) -> list[str]:
    """Texts by fours: two that mean the same, two that do not."""
    told: list[str] = []
    for n in range(-(-rows // 4)):
        noun, other = NOUNS[n % 10], NOUNS[(n + 3) % 10]
        told += [
            f"the {noun} {n} runs", f"a {noun} {n} running", f"{noun} {n} old", f"{other} x{n} new"
        ]  # fmt: skip  # four texts
    return told[:rows]
