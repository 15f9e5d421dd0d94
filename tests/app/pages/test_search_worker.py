"""The page with a real worker and a real, tiny encoder behind it."""

import hashlib
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.pages.search import SearchPage
from app.pages.search_filter import SearchFilter
from app.workspace import Workspace
from core.options import EncodeOptions
from core.progress import run_to_end
from core.records import ImportReport, ImportSettings, Reading
from core.store import Project, StagedRow
from core.workflows.encoding import encode_corpus

ROWS = (
    ("My card was charged twice for one order.", "Lyon"),
    ("My card was charged twice for one order.", "Nice"),
    ("I was charged two times.", "Lyon"),
    ("Where is my parcel?", "Bern"),
    ("我的包裹在哪里", "Bern"),
)


@pytest.fixture(scope="module")
def workspace(app: QApplication) -> Iterator[Workspace]:
    """One workspace with its workers, since starting a worker takes seconds."""
    made = Workspace()
    yield made
    made.stop()


@pytest.fixture
def folder(tmp_path: Path, tiny_encoder: Path) -> Path:
    """An encoded project of a few rows."""
    with Project.create(tmp_path / "calls.samesense") as project:
        bring(project)
        run_to_end(encode_corpus(project, EncodeOptions(encoder=str(tiny_encoder))))
    return tmp_path / "calls.samesense"


@pytest.fixture
def page(workspace: Workspace, folder: Path, show: Callable[..., QWidget]) -> Iterator[SearchPage]:
    made = SearchPage(workspace)
    show(made, 1100, 700)
    workspace.open(folder)
    until(lambda: made.asking.is_warm, seconds=250)  # torch and the index are loaded
    yield made
    until(lambda: not made.asking.is_busy)
    workspace.close()


def until(is_so: Callable[[], object], *, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        QTest.qWait(10)


def type_in(page: SearchPage, words: str) -> None:
    page.bar.box.ask_for(words)


def ask(page: SearchPage, words: str, way: str) -> list[str]:
    page.bar.ways.choose(way)
    page.bar.box.ask_for(words)
    until(lambda: not page.asking.is_busy)
    return [hit.body for hit in page.view.results.hits]


def test_the_same_text_is_nearest_in_meaning(page: SearchPage) -> None:
    found = ask(page, ROWS[0][0], "meaning")
    assert found[0] == ROWS[0][0]
    assert len(found) == 4
    assert page.view.results.hits[0].rows == 2
    assert page.view.results.hits[0].cosine == pytest.approx(1, abs=1e-3)


def test_words_are_found_and_marked(page: SearchPage) -> None:
    assert ask(page, "charged twice", "words") == [ROWS[0][0], ROWS[2][0]]
    body, marks = ROWS[0][0], page.view.results.hits[0].marks
    assert [body[start:stop] for start, stop in marks] == ["charged", "twice"]


def test_a_part_of_a_text_without_spaces_is_found(page: SearchPage) -> None:
    assert ask(page, "包裹", "words") == ["我的包裹在哪里"]


@pytest.mark.parametrize("words", ['"', "AND OR NOT", "NEAR(", "* - ^ :", "a" * 3_000, "nul\x00l"])
def test_whatever_is_typed_is_no_fault(page: SearchPage, words: str) -> None:
    for way in ("words", "both"):
        ask(page, words, way)
        assert page.view.shown in ("results", "nothing", "hint")
        assert page.view.notices.words == ""


def test_a_filter_on_a_column_holds(page: SearchPage) -> None:
    page.bar.set_filter(SearchFilter((("city", "Bern"),)))
    assert set(ask(page, "parcel", "meaning")) == {ROWS[3][0], ROWS[4][0]}
    page.bar.clear_filter()


def test_texts_like_one_leave_itself_out(page: SearchPage) -> None:
    page.show_neighbours(1)
    until(lambda: page.answer is not None and not page.asking.is_busy)
    assert ROWS[0][0] not in [hit.body for hit in page.view.results.hits]
    assert len(page.view.results.hits) == 3


def test_a_verdict_on_found_texts_is_stored_and_can_be_undone(page: SearchPage) -> None:
    ask(page, "charged", "words")
    page.list.selectAll()
    page.actions_["same"].trigger()
    until(lambda: "decided the same" in page.view.status)
    first, second = page.list.picked
    assert stored(page, first, second) == "same"
    until(lambda: page.view.results._verdicts == {second: "same"})
    page.workspace.start("undo", title="Undo", lane="live")
    until(lambda: page.view.results._verdicts == {})
    assert stored(page, first, second) is None


def test_found_texts_are_written_to_a_file(page: SearchPage, tmp_path: Path) -> None:
    ask(page, "charged", "words")
    page.actions_["export"].trigger()
    sheet = page.hand.sheet
    assert sheet is not None
    sheet.path.setText(str(tmp_path / "found.csv"))
    sheet.copies.setChecked(True)
    sheet.export_button.click()
    until(lambda: sheet.banner.text.startswith("3 lines written"))
    assert len((tmp_path / "found.csv").read_text("utf-8-sig").splitlines()) == 4
    sheet.close()


def test_an_encoder_that_is_gone_brings_words_and_rest(
    workspace: Workspace, tmp_path: Path, tiny_encoder: Path, show: Callable[..., QWidget]
) -> None:
    folder = tmp_path / "calls.samesense"
    own = shutil.copytree(tiny_encoder, tmp_path / "encoder")
    with Project.create(folder) as project:
        bring(project)
        run_to_end(encode_corpus(project, EncodeOptions(encoder=str(own))))
    shutil.rmtree(own)
    made = SearchPage(workspace)
    show(made, 1100, 700)
    asked: list[str] = []
    workspace.job_started.connect(lambda ticket: asked.append(ticket.wish))
    made.asking.state_changed.connect(
        lambda: made.asking.is_loading and made.bar.question.is_empty and type_in(made, "charged")
    )
    workspace.open(folder)
    until(lambda: made.answer is not None and not made.asking.is_busy)
    QTest.qWait(500)
    assert not made.asking.is_busy
    assert {hit.body for hit in made.view.results.hits} == {ROWS[0][0], ROWS[2][0]}
    assert asked.count("warm") == 1
    workspace.close()


@pytest.fixture
def fresh_workspace(app: QApplication) -> Iterator[Workspace]:
    """One whose workers are still to be started, so that loading takes its time."""
    made = Workspace()
    yield made
    made.stop()


def test_a_worker_killed_while_it_loads_does_not_end_searching_by_meaning(
    fresh_workspace: Workspace, folder: Path, show: Callable[..., QWidget]
) -> None:
    made = SearchPage(fresh_workspace)
    show(made, 1100, 700)
    fresh_workspace.open(folder)
    until(lambda: made.asking.is_loading and fresh_workspace._lanes["search"].worker_pid)
    fresh_workspace._lanes["search"]._process.kill()
    until(lambda: made.view.notices.words)
    assert ask(made, ROWS[0][0], "meaning")[0] == ROWS[0][0]
    until(lambda: made.asking.is_warm)
    assert made.answer is not None
    assert made.answer.by == "meaning"
    assert made.view.notices.words == ""
    fresh_workspace.close()


def stored(page: SearchPage, a: int, b: int) -> str | None:
    assert page.workspace.folder is not None
    with Project.open_read_only(page.workspace.folder) as project:
        verdict = project.decisions.verdict(a, b)
    return None if verdict is None else verdict.value


def bring(project: Project) -> None:
    settings = ImportSettings(Reading("table", ("text", "city")), ("text",))
    source = project.sources.begin(
        "calls.csv", path="/nowhere/calls.csv", sha256="calls", size=1, settings=settings,
        run=project.runs.begin("import", {}),
    )  # fmt: skip
    rows = [
        StagedRow(
            place, place + 1, None, (text, city), None, text,
            hashlib.sha256(text.encode()).hexdigest()[:32], False,
        )
        for place, (text, city) in enumerate(ROWS, start=1)
    ]  # fmt: skip
    project.documents.stage(source, rows)
    project.sources.finish(source, ImportReport(source, "calls.csv", rows=len(rows)))
