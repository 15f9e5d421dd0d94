"""The silver sheet on a project that was labelled for real: bands, keys, corrections, deeds."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.pages.multiply import MultiplyPage
from app.pages.multiply_silver_row import tags_of
from core.store import Project, SilverRow
from core.store.lock import take_lock
from core.workflows.lessons import lesson_of

Open = Callable[..., MultiplyPage]


@pytest.fixture
def page(open_page: Open, labelled: Path, hand: Any) -> MultiplyPage:
    """The page on the sheet of a labelled project."""
    page = open_page(labelled)
    page.open_step("sheet")
    hand.until(lambda: page.view.sheet.list.current is not None)
    hand.settled(page)
    page.activateWindow()
    page.setFocus()
    return page


@pytest.fixture
def stored(labelled: Path) -> Iterator[Callable[[], list[SilverRow]]]:
    """What lies in the store."""

    def read() -> list[SilverRow]:
        with Project.open_read_only(labelled) as project:
            return project.augmentations.silver(1)

    return read


def sheet_of(page: MultiplyPage) -> dict[str, Any]:
    assert page.scene.record is not None
    return page.scene.record.sheet


def test_the_counts_add_up_and_the_curves_are_those_of_the_sheet(
    page: MultiplyPage, hand: Any
) -> None:
    sheet, panel = sheet_of(page), page.view.sheet
    made = sheet["pairs"]
    assert panel.sum.text() == f"{made} labelled = {made} to learn from + 0 left out"
    hand.until(lambda: panel.density.is_drawn)
    assert (panel.density.gold, panel.density.silver) == (
        tuple(sheet["gold_density"]), tuple(sheet["silver_density"]),
    )  # fmt: skip  # both curves
    assert "Silver: labels of the teacher" in hand.words(panel.density)
    assert sum(band["silver"] for band in sheet["bands"]) == made


def test_a_click_on_a_band_shows_its_pairs_alone_and_a_second_one_all(
    page: MultiplyPage, stored: Any, hand: Any
) -> None:
    bands, list_ = page.view.sheet.bands, page.view.sheet.list
    counts = [int(band["silver"]) for band in sheet_of(page)["bands"]]
    full = max(range(10), key=lambda at: counts[at])
    spot = bands._cell(full).center().toPoint()
    QTest.mouseClick(bands, Qt.MouseButton.LeftButton, pos=QPoint(spot))
    low, high = bands.limits
    inside = [row.place for row in stored() if low <= row.score < high or row.score == high == 1.0]
    hand.until(lambda: list_.page is not None and list_.page.band == (low, high))
    assert list_.page is not None
    assert [row.place for row in list_.page.rows] == inside[:20]
    assert page.view.sheet.heading.text() == f"Pairs labelled {low:.1f} to {high:.1f}"
    QTest.mouseClick(bands, Qt.MouseButton.LeftButton, pos=QPoint(spot))
    hand.until(lambda: list_.page is not None and list_.page.band == (0.0, 1.0))


def test_bands_are_walked_by_keys_and_told_to_a_screen_reader(
    page: MultiplyPage, hand: Any
) -> None:
    bands = page.view.sheet.bands
    page.actions_["band-up"].trigger()
    assert bands.band == 0
    page.actions_["band-up"].trigger()
    page.actions_["band-down"].trigger()
    assert bands.band == 0
    assert bands.accessibleDescription().startswith("chosen 0.0 to 0.1")
    page.actions_["all-bands"].trigger()
    assert bands.band is None
    hand.settled(page)


def test_a_correction_goes_to_the_store_at_once_and_counts_as_gold(
    page: MultiplyPage, stored: Any, labelled: Path, hand: Any
) -> None:
    list_ = page.view.sheet.list
    row = list_.current
    assert row is not None
    assert page.scene.gold is not None
    before = page.scene.gold.pairs
    QTest.keyClick(page, Qt.Key.Key_S)
    assert list_.cards[0].row is not None
    assert list_.cards[0].row.corrected == 1.0  # before the store has answered
    assert list_.current != row
    hand.until(lambda: stored()[row.place].corrected == 1.0)
    hand.settled(page)
    assert "1 corrected by you" in page.view.sheet.sum.text()
    with Project.open_read_only(labelled) as project:
        assert (row.left, row.right, 1.0) in project.augmentations.corrections()
        assert len(lesson_of(project).data) == before + 1
    assert page.scene.gold.pairs == before + 1
    page.open_step("teachers")
    said = f"The gold has grown since: {before} pairs then, {before + 1} now."
    assert said in hand.words(page.view.teachers)


def test_different_and_take_back_and_leave_out_each_have_a_key(
    page: MultiplyPage, stored: Any, hand: Any
) -> None:
    list_ = page.view.sheet.list
    first = list_.current
    assert first is not None
    QTest.keyClick(page, Qt.Key.Key_D)
    QTest.keyClick(page, Qt.Key.Key_K)
    assert list_.current is not None
    assert list_.current.place == first.place
    hand.until(lambda: stored()[first.place].corrected == 0.0)
    QTest.keyClick(page, Qt.Key.Key_Backspace)
    hand.until(lambda: stored()[first.place].corrected is None)
    QTest.keyClick(page, Qt.Key.Key_X)
    hand.until(lambda: stored()[first.place].dropped)
    hand.settled(page)
    assert "1 left out" in page.view.sheet.sum.text()
    assert page.view.sheet.buttons["leave-out"].text() == "Take in again"
    QTest.keyClick(page, Qt.Key.Key_X)
    hand.until(lambda: not stored()[first.place].dropped)


def test_many_keys_in_a_row_are_all_heard(page: MultiplyPage, stored: Any, hand: Any) -> None:
    for key in (Qt.Key.Key_S, Qt.Key.Key_D, Qt.Key.Key_S, Qt.Key.Key_D):
        QTest.keyClick(page, key)
    hand.until(lambda: [row.corrected for row in stored()[:4]] == [1.0, 0.0, 1.0, 0.0])
    hand.settled(page)
    shown = [card.row.corrected for card in page.view.sheet.list.cards[:4] if card.row]
    assert shown == [1.0, 0.0, 1.0, 0.0]


def test_going_past_the_last_pair_shows_the_next_page_and_back(
    page: MultiplyPage, hand: Any
) -> None:
    list_ = page.view.sheet.list
    assert list_.page is not None
    assert list_.page.has_more
    for _ in range(20):
        page.actions_["next"].trigger()
    hand.until(lambda: list_.page is not None and list_.page.offset == 20)
    assert list_.current is not None
    assert list_.current.place == 20
    page.actions_["previous"].trigger()
    hand.until(lambda: list_.page is not None and list_.page.offset == 0)
    assert list_.current.place == 19


def test_rebalance_leaves_pairs_out_and_all_can_be_taken_in_again(
    page: MultiplyPage, stored: Any, hand: Any
) -> None:
    page.actions_["rebalance"].trigger()
    hand.until(lambda: page.view.banner.isVisible())
    assert page.view.banner.text.startswith("Rebalanc")
    hand.settled(page)
    dropped = sum(row.dropped for row in stored())
    assert sheet_of(page)["dropped"] == dropped
    assert dropped
    page.actions_["all-in"].trigger()
    hand.until(lambda: not any(row.dropped for row in stored()))
    hand.settled(page)
    assert "+ 0 left out" in page.view.sheet.sum.text()


def test_drop_all_asks_first_and_what_was_corrected_stays_as_gold(
    page: MultiplyPage, labelled: Path, hand: Any
) -> None:
    QTest.keyClick(page, Qt.Key.Key_S)
    hand.settled(page)
    page.actions_["drop-all"].trigger()
    box = page.deeds.question
    assert box is not None
    assert "What you corrected stays, as gold" in box.informativeText()
    next(one for one in box.buttons() if one.text() == "Drop all").click()
    hand.until(lambda: page.scene.record is None)
    hand.settled(page)
    assert page.view.banner.text.startswith("The silver pairs were dropped")
    with Project.open_read_only(labelled) as project:
        assert len(project.augmentations.corrections()) == 1
    assert not list((labelled / "augmentations").glob("*"))


def test_accept_goes_on_to_teaching(page: MultiplyPage, hand: Any) -> None:
    QTest.keyClick(page, Qt.Key.Key_A)
    assert page.view.step == "teach"
    told = hand.words(page.view.result)
    assert f"42 gold pairs and {sheet_of(page)['pairs']} silver pairs" in told


def test_choices_that_are_labelled_already_are_not_offered_again(
    page: MultiplyPage, hand: Any
) -> None:
    page.open_step("pairs")
    foot = page.view.pairs.foot
    assert foot.words == "These pairs are labelled. Choose otherwise to label others."
    assert not foot.buttons["label"].isEnabled()
    assert foot.leading == "next"


def test_other_choices_are_forecast_a_moment_later_and_leave_the_labels_alone(
    page: MultiplyPage, stored: Any, hand: Any
) -> None:
    before = stored()
    page.open_step("pairs")
    pairs = page.view.pairs
    pairs.form.set_values({"top_k": 2})
    assert page.costing.is_open
    hand.until(lambda: pairs.forecast is not None, seconds=60)
    assert pairs.forecast is not None
    made = pairs.forecast.most
    assert pairs.foot.buttons["label"].text() == f"Label again: {made} pairs"
    assert pairs.foot.words.startswith(f"About {made} pairs, ")
    assert "texts of the gold pairs" in hand.words(pairs)
    assert stored() == before
    folder = next((page.workspace.folder / "augmentations").glob("*"))  # type: ignore[operator]
    assert (folder / "silver.json").is_file()
    pairs.form.set_values({"top_k": 3})
    hand.settled(page)
    assert not pairs.foot.buttons["label"].isEnabled()


def test_choices_that_cannot_be_are_refused_with_a_remedy(page: MultiplyPage, hand: Any) -> None:
    page.open_step("pairs")
    page.view.pairs.form.set_values({"top_k": 100})
    hand.until(lambda: page.view.pairs.problem, seconds=60)
    assert "100 were asked for" in page.view.pairs.foot.words
    assert not page.view.pairs.foot.buttons["label"].isEnabled()


def test_reopened_the_sheet_is_as_it_was(page: MultiplyPage, labelled: Path, hand: Any) -> None:
    QTest.keyClick(page, Qt.Key.Key_S)
    hand.settled(page)
    page.workspace.close()
    assert page.view.is_empty_shown
    assert page.view.sheet.list.current is None
    page.workspace.open(labelled)
    hand.until(lambda: page.workspace.state is not None and page.is_settled)
    assert page.view.step == "gold"
    page.open_step("sheet")
    hand.until(lambda: page.view.sheet.list.current is not None)
    assert "1 corrected by you" in page.view.sheet.sum.text()
    first = page.view.sheet.list.cards[0].row
    assert first is not None
    assert [tag.words for tag in tags_of(first)] == ["Same, by you"]
    assert page.scene.is_done("pairs")


def test_without_its_folder_a_sheet_can_be_looked_at_and_no_more(
    open_page: Open, labelled: Path, hand: Any
) -> None:
    (labelled / "augmentations").rename(labelled / "away")
    page = open_page(labelled)
    page.open_step("sheet")
    hand.until(lambda: page.view.sheet.list.current is not None)
    assert not page.actions_["same"].isEnabled()
    page.open_step("teach")
    assert "gone from the project's folder" in page.view.result.foot.words


def test_a_window_that_only_reads_can_look_through_the_pairs(
    open_page: Open, labelled: Path, hand: Any
) -> None:
    other = take_lock(labelled)
    assert other is not None
    try:
        page = open_page(labelled)
        page.open_step("sheet")
        hand.until(lambda: page.view.sheet.list.current is not None)
        page.actions_["next"].trigger()
        assert page.view.sheet.list.current is not None
        assert page.view.sheet.list.current.place == 1
        deeds = ("same", "different", "leave-out", "rebalance", "drop-all", "all-in")
        assert not any(page.actions_[key].isEnabled() for key in deeds)
    finally:
        page.workspace.close()
        other.release()
