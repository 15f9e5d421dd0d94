"""From decisions to an encoder taught by silver, with the program's own worker."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from app.pages.multiply import MultiplyPage
from app.workspace import Workspace

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workspace(app: QApplication) -> Iterator[Workspace]:
    """One with the program's own workers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        made = Workspace()
        yield made
        made.stop()


@pytest.mark.timeout(900)
def test_from_decisions_to_an_encoder_that_learnt_silver(
    open_page: Callable[..., MultiplyPage], make_folder: Callable[..., Path], hand: Any
) -> None:
    page = open_page(make_folder())
    page.view.teachers.settings.form.set_values({"seeds": 1})
    hand.settled(page)
    page.open_step("teachers")
    page.actions_["do"].trigger()
    assert page.practice.is_running
    hand.settled(page, seconds=400)
    assert page.scene.record is not None
    if not page.scene.may_label:
        page.view.teachers.insist.click()
    page.actions_["on"].trigger()
    hand.until(lambda: page.view.pairs.foot.buttons["label"].isEnabled(), seconds=120)
    page.actions_["do"].trigger()
    hand.settled(page, seconds=200)
    hand.until(lambda: page.view.step == "sheet")
    hand.until(lambda: page.view.sheet.list.current is not None)
    page.actions_["different"].trigger()
    hand.settled(page)
    assert "1 corrected by you" in page.view.sheet.sum.text()
    page.actions_["accept"].trigger()
    page.actions_["do"].trigger()
    hand.settled(page, seconds=400)
    hand.until(lambda: page.scene.training is not None)
    assert page.view.result.card.isVisible()
    assert [line.name for line in page.view.result.lines] == [
        "As it came", "By the gold alone", "By gold and silver",
    ]  # fmt: skip  # in their order
    assert page.actions_["use"].isEnabled()
