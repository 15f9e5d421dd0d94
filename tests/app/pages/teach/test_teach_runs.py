"""The trainings that ended or were cut off: use, compare, repeat, settings, discard, resume."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.pages.teach import TeachPage
from app.pages.teach_card import FirstCard
from core.store import Project


def press(hand: Any, page: TeachPage, words: str) -> None:
    """Press a button of the question that stands open."""
    box = page.results.question
    assert box is not None
    next(one for one in box.findChildren(QPushButton) if one.text() == words).click()


def test_using_a_training_says_what_it_means_and_marks_it(page: TeachPage, hand: Any) -> None:
    hand.train(page, hand.QUICK)
    page.view.result_bar.use.click()
    sheet = page.results.use_sheet
    assert sheet is not None
    assert sheet.lines == [
        "300 texts are encoded again.",
        "Threshold 0.97 → 0.94, which keeps the precision on the held-out pairs (95 % right). "
        "You can move it afterwards.",
        "Your decisions and names stay. Ctrl+Z takes the change back.",
    ]
    sheet.use.click()
    hand.until(lambda: page.is_settled and not page.results.is_busy)
    hand.until(lambda: not page.actions_["use"].isEnabled() and page.actions_["back"].isEnabled())
    (card,) = hand.cards(page)
    assert "In use" in card.accessibleName()
    assert not page.view.result_bar.use.isEnabled()
    assert "Ctrl+Z takes it back" in page.view.banner.text
    asked: list[str] = []
    page.page_wanted.connect(asked.append)
    next(one for one in page.view.banner.findChildren(QPushButton)
         if one.text() == "What changed").click()  # fmt: skip
    assert asked == ["What changed"]
    assert page.view.banner.isVisible()
    material = page.material
    assert material is not None
    assert material.first is not None
    values = {"training": 0, "folder": material.first.base_folder}
    page.workspace.start("use-training", values, title="A step back", lane="live")
    hand.until(lambda: not page.view.banner.isVisible())


def test_the_way_back_leads_to_the_first_encoder(page: TeachPage, hand: Any) -> None:
    hand.train(page, hand.QUICK)
    for action in ("use", "back"):
        page.actions_[action].trigger()
        assert page.results.use_sheet is not None
        page.results.use_sheet.use.click()
        hand.until(lambda: page.is_settled and not page.results.is_busy)
        QTest.qWait(200)
        hand.until(lambda: page.is_settled)
    (first,) = [card for card in page.view.runs.cards if isinstance(card, FirstCard)]
    assert "in use" in first.accessibleName()
    assert not page.actions_["back"].isEnabled()


def test_a_training_is_compared_with_the_encoder_it_began_with_and_with_another(
    page: TeachPage, hand: Any
) -> None:
    for _ in range(2):
        hand.train(page, hand.QUICK)
    page.actions_["compare"].trigger()
    sheet = page.results.compare_sheet
    assert sheet is not None
    assert [sheet.other.itemText(at) for at in range(2)] == ["all-MiniLM-L6-v2", "Training 1"]
    assert ("Average precision", "0.79", "0.71") in sheet.shown.rows
    assert ("Difference", "+0.08, between +0.03 and +0.12", "–") in sheet.shown.rows
    sheet.other.setCurrentIndex(1)
    score = "Average precision 0.71 → 0.79"
    assert ("Score", score, score) in sheet.shown.rows
    assert "intervals overlap, so it may be chance" in sheet.shown.sentence
    sheet.accept()


def test_all_settings_of_a_training_can_be_copied_and_taken_over(
    page: TeachPage, hand: Any
) -> None:
    page.view.lesson.settings.loop.set_values({"hold": 0.7})
    hand.train(page, hand.QUICK)
    page.choose_new()
    page.view.lesson.settings.reset()
    page.view.runs.choose(hand.cards(page)[0].key)
    page.view.result_bar.settings.click()
    sheet = page.results.settings_sheet
    assert sheet is not None
    assert ("Recipe", "My decisions are yes or no") in sheet.lines
    assert ("Epochs", "4") in sheet.lines
    sheet.copy.click()
    assert "Recipe: My decisions are yes or no\n" in QGuiApplication.clipboard().text()
    sheet.use.click()
    assert page.values["hold"] == 0.7
    assert page.view.lesson.fold.isVisible()
    hand.until(lambda: page.is_settled)


def test_a_training_can_be_repeated(page: TeachPage, hand: Any) -> None:
    hand.train(page, hand.QUICK)
    page.view.result_bar.repeat.click()
    assert page.practice.is_running
    hand.finished(page)
    hand.until(lambda: len(hand.cards(page)) == 2)


def test_a_discarded_training_leaves_the_list(page: TeachPage, hand: Any) -> None:
    hand.train(page, hand.QUICK)
    page.view.result_bar.discard.click()
    press(hand, page, "Discard")
    hand.until(lambda: not hand.cards(page))
    assert page.view.runs.chosen is None
    assert not page.view.banner.isVisible()


def test_the_banner_acts_on_the_training_it_names_whichever_is_chosen(
    page: TeachPage, hand: Any
) -> None:
    for _ in range(2):
        hand.train(page, hand.QUICK)
    card = hand.cards(page)[1]
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(6, 6))
    assert page.view.runs.chosen is not None
    assert page.view.runs.chosen.name == "Training 1"
    buttons = page.view.banner.findChildren(QPushButton)
    next(one for one in buttons if one.text() == "Use it…").click()
    sheet = page.results.use_sheet
    assert sheet is not None
    assert "Training 2" in hand.words(sheet)
    sheet.reject()


def test_arrows_choose_another_training(page: TeachPage, hand: Any) -> None:
    for _ in range(2):
        hand.train(page, hand.QUICK)
    newest = hand.cards(page)[0]
    newest.setFocus()
    QTest.keyClick(newest, Qt.Key.Key_Down)
    assert page.view.runs.chosen is not None
    assert page.view.runs.chosen.name == "Training 1"


def test_a_training_that_was_cut_off_is_offered_for_resuming_and_can_be_discarded(
    open_page: Any, make_folder: Any, hand: Any
) -> None:
    folder: Path = make_folder(same=100, different=71)
    with Project.open(folder) as project:
        told = {"recipe": "decisions", "title": "My decisions are yes or no", "examples": 171,
                "base": "MiniLM", "planned": 40}  # fmt: skip
        run = project.runs.begin("train", {}, inputs=told)
        project.runs.end(run, "interrupted")
        project.trainings.kept(run).mkdir(parents=True)
        (project.trainings.kept(run) / "lesson.json").write_text("{}")
    page = open_page(folder)
    page.view.runs.choose(("interrupted", run))
    assert page.view.interrupted_bar.resume.isEnabled()
    assert "It teaches MiniLM from 171 examples." in page.view.other.words
    assert "before its first checkpoint" in page.view.other.words
    page.actions_["discard"].trigger()
    press(hand, page, "Discard")
    hand.until(lambda: page.material is not None and not page.material.interrupted)
    assert page.view.lesson.isVisible()
