"""From a file of judged pairs to an encoder in use, with the program's own worker."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from app.pages.teach import TeachPage
from app.workspace import Workspace

pytestmark = pytest.mark.slow
_LONG = 30  # epochs, so that there is time to pause, cancel and kill


@pytest.fixture(scope="module")
def workspace(app: QApplication) -> Iterator[Workspace]:
    """One with the program's own workers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        made = Workspace()
        yield made
        made.stop()


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """120 judged pairs whose texts hang together in pairs only."""
    file = tmp_path / "judged.csv"
    rows = ["sentence1,sentence2,label"]
    for n in range(60):
        rows += [f"card {n} charged,the card {n} was charged,1", f"late {n},app {n} closes,0"]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def ready(
    open_page: Callable[..., TeachPage],
    make_folder: Callable[..., Path],
    workspace: Workspace,
    tiny_encoder: Path,
    pairs: Path,
    hand: Any,
) -> TeachPage:
    """The page of a project that is encoded, with the pairs imported."""
    page = open_page(make_folder(rows=40))
    ends: list[Any] = []
    options = {"encoder": str(tiny_encoder), "precision": "fp32"}
    workspace.start("encode", options, title="Encoding", then=ends.append)
    hand.until(lambda: ends, seconds=120)
    assert ends[0].kind == "finished", ends[0]
    page.imports.take([pairs])
    hand.until(lambda: page.material is not None and page.material.files, seconds=60)
    hand.until(lambda: page.is_settled, seconds=60)
    return page


def begin(page: TeachPage, hand: Any, *, epochs: int) -> None:
    """Start a training and wait for its first points."""
    page.choose_new()
    page.view.lesson.settings.loop.set_values({"epochs": epochs, "batch": 8})
    hand.until(lambda: page.is_settled, seconds=60)
    page.view.lesson.foot.start.click()
    hand.until(lambda: page.view.live_plot.curves.loss, seconds=120)


def test_from_a_file_of_pairs_to_an_encoder_in_use(ready: TeachPage, hand: Any) -> None:
    page = ready
    assert "120 examples to learn from" in page.view.banner.text
    page.actions_["check"].trigger()
    hand.until(lambda: page.is_settled, seconds=60)
    assert "nothing stands in the way" in page.view.lesson.check.words.lower()
    recipe = page.view.lesson.recipes.recipe
    assert recipe is not None
    assert recipe.name == "decisions"
    begin(page, hand, epochs=_LONG)
    page.view.running.pause.click()
    hand.until(lambda: page.practice.standing.state == "paused", seconds=60)
    page.view.running.pause.click()
    hand.until(lambda: page.practice.standing.state == "running", seconds=60)
    hand.until(lambda: not page.practice.is_running and page.is_settled, seconds=240)
    hand.until(lambda: page.view.result.isVisible(), seconds=30)
    assert "is ready" in page.view.banner.text
    page.view.result_bar.compare.click()
    sheet = page.results.compare_sheet
    assert sheet is not None
    assert sheet.shown.rows[0][0] == "Average precision"
    sheet.accept()
    page.view.result_bar.use.click()
    assert page.results.use_sheet is not None
    page.results.use_sheet.use.click()
    hand.until(lambda: not page.results.is_busy, seconds=120)
    hand.until(lambda: page.is_settled and page.material and page.material.in_use, seconds=60)
    assert "In use" in hand.cards(page)[0].accessibleName()


def test_cancel_leaves_the_old_encoder_in_use_and_nothing_behind(
    ready: TeachPage, hand: Any
) -> None:
    page = ready
    assert page.material is not None
    before = page.material.encoder
    begin(page, hand, epochs=_LONG)
    page.view.running.cancel.click()
    hand.until(lambda: not page.practice.is_running, seconds=60)
    page.workspace.refresh_state()
    hand.until(lambda: page.is_settled, seconds=60)
    assert page.material.encoder == before
    assert (page.material.trainings, page.material.interrupted) == ((), ())
    assert page.view.lesson.isVisible()


def test_a_training_whose_worker_was_killed_is_offered_and_resumed(
    ready: TeachPage, hand: Any
) -> None:
    page = ready
    begin(page, hand, epochs=_LONG)
    pid = page.workspace._lanes["training"].worker_pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    hand.until(lambda: not page.practice.is_running, seconds=60)
    hand.until(lambda: page.material is not None and page.material.interrupted, seconds=60)
    hand.until(lambda: page.view.interrupted_bar.resume.isVisible(), seconds=60)
    assert "Nothing is lost: it can be resumed" in page.view.banner.text
    page.view.interrupted_bar.resume.click()
    assert page.practice.is_running
    hand.until(lambda: not page.practice.is_running and page.is_settled, seconds=240)
    hand.until(lambda: hand.cards(page), seconds=60)
    assert page.material is not None
    assert page.material.interrupted == ()
