"""Pairs checked again on the real page, with a real worker and a tiny real cross-encoder."""

import hashlib
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest

from app.pages.duplicates import DuplicatesPage
from app.workspace import Workspace
from core.cross.loading import load_cross_base
from core.options import GroupOptions
from core.progress import run_to_end
from core.records import ImportReport, ImportSettings, Reading
from core.store import PairTable, Project, StagedRow, VectorBatch
from core.training.cross_writing import write_cross_encoder
from core.workflows.grouping import group_corpus

TINY = Path(__file__).parents[2] / "models" / "bert"
ROWS = (
    "my card was charged twice", "my card was charged two times", "my card has been charged",
    "where is my dog", "where is my cat",
)  # fmt: skip
PAIRS = ((1, 2, 0.91), (1, 3, 0.90), (4, 5, 0.93))


class Known(QObject):
    """A cross-encoder as the window knows it."""

    changed = Signal()

    def __init__(self, folder: str, parent: QObject) -> None:
        super().__init__(parent)
        self.folder, self.name = folder, Path(folder).name

    def values(self) -> dict[str, str]:
        return {"cross": self.folder, "device": "cpu"}

    def know(self, folder: str) -> None:
        self.folder = folder
        self.changed.emit()


@pytest.fixture(scope="session")
def cross(tmp_path_factory) -> Path:
    to = tmp_path_factory.mktemp("cross") / "tiny-cross"
    parts = load_cross_base(TINY, device="cpu", seed=1)
    parts.model.classifier.weight.data *= 20
    run_to_end(write_cross_encoder(parts, to, record={}))
    return to


@pytest.fixture(scope="module")
def workspace(app):
    made = Workspace()
    yield made
    made.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Project.create(tmp_path / "calls.samesense") as project:
        _bring(project)
        _pair(project)
        run_to_end(group_corpus(project, GroupOptions()))
    return tmp_path / "calls.samesense"


@pytest.fixture
def page(workspace, folder, show):
    made = DuplicatesPage(workspace)
    show(made, 1280, 800)
    workspace.open(folder)
    until(lambda: made.panel.current is not None and made.is_settled)
    yield made
    until(lambda: made.is_settled)
    workspace.close()


@pytest.fixture
def known(page, cross) -> Known:
    made = Known(str(cross), page)
    page.check_with(made)
    return made


def until(is_so, *, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        QTest.qWait(10)


def checked(page) -> dict[int, float | None]:
    return {one.text: one.checked for one in page.panel.case.candidates}


def test_nothing_is_offered_without_a_cross_encoder(page):
    assert not page.actions_["check"].isVisible()
    assert not page.actions_["check-all"].isVisible()
    assert page.actions_["checker"].isVisible()


def test_it_is_offered_as_soon_as_one_is_known(page, known):
    assert page.actions_["check"].isEnabled()
    known.know("")
    assert not page.actions_["check"].isVisible()


def test_the_group_on_show_is_checked_and_shows_what_was_said(page, known, folder):
    kept = page.panel.case.kept.text
    QTest.keyClick(page.panel.candidates, Qt.Key.Key_R)
    until(lambda: all(one is not None for one in checked(page).values()))
    with Project.open_read_only(folder) as project:
        assert checked(page) == project.checked.of_text(kept)
    line = page.panel.model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert f"checked {page.panel.current.checked:.2f}" in line


def test_all_that_waits_is_forecast_then_checked(page, known, folder):
    page.actions_["check-all"].trigger()
    sheet = page.checking.sheet
    until(lambda: sheet.check_button.isEnabled())
    assert "3 pairs to check" in sheet.words
    sheet.check_button.click()
    until(lambda: all(one is not None for one in checked(page).values()))
    with Project.open_read_only(folder) as project:
        assert project.checked.count(project.checked.current().id) == 3
    until(lambda: "Checked 3 pairs by tiny-cross" in page.panel.card._note.text())


def test_what_is_checked_already_is_not_offered_again(page, known, folder):
    page.actions_["check-all"].trigger()
    until(lambda: page.checking.sheet.check_button.isEnabled())
    page.checking.sheet.check_button.click()
    until(lambda: all(one is not None for one in checked(page).values()))
    page.actions_["check-all"].trigger()
    sheet = page.checking.sheet
    until(lambda: "checked by it already" in sheet.words)
    assert not sheet.check_button.isEnabled()
    sheet.reject()


def test_groups_can_be_sorted_by_the_lowest_checked(page, known, folder):
    page.actions_["check-all"].trigger()
    until(lambda: page.checking.sheet.check_button.isEnabled())
    page.checking.sheet.check_button.click()
    until(lambda: page.filter._sort.findData("checked") >= 0)
    page.filter._sort.setCurrentIndex(page.filter._sort.findData("checked"))
    until(lambda: page.is_settled)
    with Project.open_read_only(folder) as project:
        lowest = {
            head: min(score for other, score in project.checked.of_text(head).items())
            for head in (1, 4)
        }
    rows = [page.groups.group(at).text for at in range(page.groups.rowCount())]
    assert rows == sorted(rows, key=lambda text: lowest[text])


def test_a_bad_folder_is_told(page, known, tmp_path):
    known.know(str(TINY))
    page.actions_["check"].trigger()
    until(lambda: "is not the folder of a cross-encoder" in page.banner.text)
    assert page.actions_["check"].isEnabled()


def test_a_hidden_score_hides_what_was_checked(page, known):
    page.actions_["check"].trigger()
    until(lambda: page.panel.current.checked is not None)
    assert "checked" in page.panel.card._score.text()
    page.panel.card.set_score_hidden(True)
    assert "checked" not in page.panel.card._score.text()


def _bring(project: Project) -> None:
    settings = ImportSettings(Reading("table", ("text",)), ("text",))
    run = project.runs.begin("import", {})
    source = project.sources.begin(
        "a.csv", path="a", sha256="a", size=1, settings=settings, run=run
    )
    project.documents.stage(
        source,
        [
            StagedRow(place, place + 1, None, (body,), None, body,
                      hashlib.sha256(body.encode()).hexdigest()[:32], False)
            for place, body in enumerate(ROWS, 1)
        ],
    )  # fmt: skip
    project.sources.finish(source, ImportReport(source, "a.csv", rows=len(ROWS)))
    project.runs.end(run, "finished")


def _pair(project: Project) -> None:
    encoder = project.vectors.encoder(
        "e", name="tiny", folder="tiny", dimension=4, precision="fp32", settings={}
    )
    project.meta.set("encoder", str(encoder.id))
    texts = project.texts.without_vector(encoder.id)
    ones, none = np.ones(len(texts), np.int32), np.zeros(len(texts), np.bool_)
    vectors = np.eye(4, dtype=np.float32)[ones]
    project.vectors.append(
        encoder, VectorBatch(texts, vectors, ones, ones, none, np.zeros((0, 4), np.float32))
    )
    run = project.runs.begin("pairs", {})
    pairing = project.pairs.begin(encoder.id, floor=0.7, run=run)
    left, right, cosine = zip(*PAIRS, strict=True)
    project.pairs.add(
        pairing.id,
        PairTable(
            np.array(left), np.array(right), np.array(cosine, np.float32),
            np.full(len(PAIRS), 0.5, np.float32), np.zeros(len(PAIRS), np.uint8),
        ),
        rows_done=5,
    )  # fmt: skip
    for _ in project.pairs.finish(pairing.id):
        pass
    project.runs.end(run, "finished")
