"""Labelling and teaching from the page: progress, cancel, the card and its buttons."""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.pages.multiply import MultiplyPage
from core.store import Project
from core.store.lock import take_lock

Open = Callable[..., MultiplyPage]


@pytest.fixture
def page(open_page: Open, labelled: Path) -> MultiplyPage:
    """The page of a labelled project."""
    return open_page(labelled)


def trained(folder: Path, **changed: float) -> None:
    """Write down that the silver pairs of a project were learnt, with these figures."""
    with Project.open(folder) as project:
        told = {**stand_ins()["figures_of"](low=0.004), **changed}
        number = stand_ins()["add_training"](project, told)
        project.augmentations.mark(1, "trained", training=number)


def stand_ins() -> dict[str, Any]:
    """What the worker of these tests is made of."""
    return runpy.run_path(str(Path(__file__).with_name("multiply_wishes.py")))


def label(page: MultiplyPage, hand: Any, **choices: Any) -> None:
    """Choose pairs otherwise, wait for the forecast, and start labelling."""
    page.open_step("pairs")
    if "source" in choices:
        page.view.pairs.sources.choose(choices.pop("source"))
        page.view.pairs.sources.chosen.emit("")
    page.view.pairs.form.set_values(choices)
    hand.until(lambda: page.view.pairs.foot.buttons["label"].isEnabled(), seconds=60)
    page.actions_["do"].trigger()
    assert page.practice.is_running


def teach(page: MultiplyPage, hand: Any) -> None:
    page.open_step("teach")
    page.view.result.foot.buttons["teach"].click()
    hand.settled(page)
    hand.until(lambda: page.scene.training is not None)


def test_labelling_ends_on_the_sheet(page: MultiplyPage, hand: Any) -> None:
    label(page, hand, top_k=2)
    hand.settled(page)
    hand.until(lambda: page.view.step == "sheet")
    assert page.view.banner.text.startswith("40 pairs labelled by the cross-encoder.")
    assert page.view.sheet.sum.text().startswith("40 labelled = 40 to learn from")


def test_labelling_can_be_cancelled_and_says_what_is_kept(page: MultiplyPage, hand: Any) -> None:
    label(page, hand, source="corpus", top_k=2)
    hand.until(lambda: "Labelling" in page.view.running.words)
    page.open_step("sheet")
    assert not page.actions_["same"].isEnabled()  # labels stay as they are meanwhile
    page.actions_["cancel"].trigger()
    hand.settled(page)
    assert "with the same choices labelling goes on where it was" in page.view.banner.text
    assert page.scene.has_sheet


def test_labels_that_were_cut_off_are_told_after_reopening(
    open_page: Open, labelled: Path, hand: Any
) -> None:
    folder = next((labelled / "augmentations").glob("*"))
    (folder / "labels-0-0.json").write_text("{}")
    page = open_page(labelled)
    page.open_step("pairs")
    assert "Labelling was cut off." in hand.words(page.view.pairs)


def test_what_it_brought_is_told_as_before_and_after_with_an_interval(
    page: MultiplyPage, hand: Any
) -> None:
    teach(page, hand)
    result = page.view.result
    assert [(line.name, line.figure) for line in result.lines] == [
        ("As it came", "0.710"),
        ("By the gold alone", "0.800 ± 0.006"),
        ("By gold and silver", "0.821 ± 0.004"),
    ]
    assert result.verdict.title.text() == "It paid"
    assert result.change.text() == (
        "+0.021 against the gold alone, between +0.004 and +0.038 (95 %)"
    )
    more = result.more_words.text()
    assert "F1 at the threshold of the pairs that compare: 0.700 → 0.760 → 0.780" in more
    assert "AUC(0.05): 0.300 → 0.400 → 0.420" in more
    assert "Shared words alone reach 0.550." in more
    assert page.view.banner.text.startswith("It paid: +0.021 against the gold alone")
    assert "+0.021 against gold alone" in page.view.steps.cards["teach"].accessibleName()


def test_it_is_taken_into_use_as_on_the_teach_page(page: MultiplyPage, hand: Any) -> None:
    teach(page, hand)
    page.view.result.foot.buttons["use"].click()
    sheet = page.results.use_sheet
    assert sheet is not None
    sheet.use.click()
    hand.until(lambda: page.scene.is_in_use)
    hand.settled(page)
    assert page.view.banner.text == "tiny taught 1 is in use. Ctrl+Z takes it back."
    assert page.view.result.foot.words == "In use now."
    assert not page.actions_["use"].isEnabled()
    assert not page.actions_["discard"].isEnabled()


def test_it_can_be_compared_on_the_teach_page_and_discarded(
    page: MultiplyPage, labelled: Path, hand: Any
) -> None:
    teach(page, hand)
    wanted: list[int] = []
    page.training_wanted.connect(wanted.append)
    page.actions_["compare"].trigger()
    assert wanted == [1]
    page.actions_["discard"].trigger()
    box = page.results.question
    assert box is not None
    next(one for one in box.buttons() if one.text() == "Discard").click()
    hand.until(lambda: page.scene.training is None)
    hand.settled(page)
    assert not page.view.result.card.isVisible()
    assert page.view.result.foot.buttons["teach"].text() == "Teach by gold and silver"
    with Project.open_read_only(labelled) as project:
        assert project.trainings.listed() == []


def test_a_silver_set_that_did_harm_says_so_and_why(
    open_page: Open, labelled: Path, hand: Any
) -> None:
    trained(labelled, change=-0.033, low=-0.05, high=-0.016)
    page = open_page(labelled)
    page.open_step("teach")
    hand.settled(page)
    assert page.view.result.verdict.title.text() == "It did harm"
    assert page.view.result.reasons == ("Only 18 pairs judge, so the interval is wide.",)
    assert "Why that may be" in hand.words(page.view.result)


def test_teaching_can_be_cancelled_and_goes_on_when_asked_again(
    page: MultiplyPage, hand: Any
) -> None:
    label(page, hand, source="corpus", top_k=2)
    page.practice.cancel()
    hand.settled(page)
    with Project.open_for_holder(page.workspace.folder or Path()) as project:
        record = project.augmentations.get(1)
        project.augmentations.label(
            1, [("a", "b", 0.5)], options={**record.options, "source": "corpus"},
            sheet=record.sheet,
        )  # fmt: skip  # one call
    page.open_step("teach")
    page.teach()
    hand.until(lambda: "Teaching by gold and silver" in page.view.running.words)
    page.view.running.cancel.click()
    hand.settled(page)
    assert "asked again, teaching goes on where it was" in page.view.banner.text
    assert page.scene.training is None


def test_a_comparison_made_later_stands_beside_the_earlier_one(
    page: MultiplyPage, hand: Any
) -> None:
    hand.compare(page, hand.BETTER)
    assert page.scene.record_id == 2
    assert not page.scene.has_sheet
    attempts = page.view.steps.attempts
    assert attempts.isVisible()
    assert attempts.count() == 2
    page.choose_attempt(1)
    hand.settled(page)
    assert page.scene.has_sheet
    page.open_step("sheet")
    hand.until(lambda: page.view.sheet.list.current is not None)


def test_read_only_the_outcome_is_shown_and_nothing_can_be_done_with_it(
    open_page: Open, labelled: Path, hand: Any
) -> None:
    trained(labelled)
    other = take_lock(labelled)
    assert other is not None
    try:
        page = open_page(labelled)
        page.open_step("teach")
        assert page.view.result.verdict.title.text() == "It paid"
        assert not any(page.actions_[key].isEnabled() for key in ("do", "use", "discard"))
        assert page.actions_["compare"].isEnabled()
    finally:
        page.workspace.close()
        other.release()
