"""The teach page before a training: examples, check, recipe, settings, and what it may start."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QPushButton

from app.pages.teach import TeachPage
from app.workspace import Workspace
from core.records import Verdict
from core.store.lock import take_lock

Open = Callable[..., TeachPage]
Make = Callable[..., Path]


def bring(page: TeachPage, hand: Any, file: Path) -> None:
    page.imports.take([file])
    hand.until(lambda: page.view.banner.isVisible() and file.name in page.view.banner.text)
    hand.until(lambda: page.is_settled and page.material and page.material.files)


def test_a_project_without_texts_offers_to_import_some(open_page: Open, make_folder: Make) -> None:
    page = open_page(make_folder(rows=0))
    asked: list[object] = []
    page.import_wanted.connect(asked.append)
    assert page.view.is_empty_shown
    page.view.empty.wanted.emit()
    assert asked == [[]]


def test_rows_that_are_all_blank_are_told(open_page: Open, make_folder: Make) -> None:
    page = open_page(make_folder(rows=3, blank=True))
    assert page.view.is_empty_shown
    assert page.view.empty.sentence == "All rows are blank; there is no text to learn from."
    assert not page.actions_["start"].isEnabled()


def test_with_nothing_to_learn_from_there_is_a_sentence_and_the_next_step(
    open_page: Open, make_folder: Make
) -> None:
    page = open_page(make_folder())
    wanted: list[str] = []
    page.page_wanted.connect(wanted.append)
    assert page.view.lesson.empty.isVisible()
    assert page.view.lesson.empty.sentence == "There is nothing to learn from yet."
    assert not page.view.lesson.foot.isVisible()
    page.view.lesson.empty.wanted.emit()
    assert wanted == ["Duplicates"]


@pytest.mark.parametrize(
    ("same", "different", "title", "may_start"),
    [
        (0, 0, "Nothing to learn from yet", False),
        (5, 4, "9 decisions: too few to tell", True),
        (30, 20, "50 decisions: enough to try, few to test", True),
        (100, 71, "171 decisions: enough for a first try", True),
    ],
)
def test_what_there_is_gets_a_plain_verdict(
    open_page: Open, make_folder: Make, same: int, different: int, title: str, may_start: bool
) -> None:
    page = open_page(make_folder(same=same, different=different))
    assert page.view.material.verdict.title.text() == title
    assert page.actions_["start"].isEnabled() == may_start
    assert page.view.lesson.foot.start.isEnabled() == may_start or not may_start


def test_the_plan_is_told_in_plain_words_with_its_cost(page: TeachPage) -> None:
    assert page.view.lesson.sentences == [
        "The encoder practises on your 171 decisions.",
        "Half of each step are other texts held to what it knew, so that the rest stays as it was.",
        "34 of them are kept aside to test it; it practises on the other 137.",
        "A new encoder is made beside all-MiniLM-L6-v2, which stays as it is.",
    ]
    cost = page.view.lesson.foot.line.label.text()
    assert cost == "About 6 min on this machine, in the background. 34 steps."


def test_a_forecast_that_comes_late_brings_no_start_button_to_another_card(page: TeachPage) -> None:
    lesson = page.view.lesson
    assert lesson.foot.isVisible()
    page.view.show_middle("result")
    lesson.show_forecast(lesson.forecast)
    assert not lesson.foot.isVisible()
    page.view.show_middle("lesson")
    assert lesson.foot.isVisible()


def test_the_recipe_that_fits_is_proposed_with_its_reason_and_others_say_what_they_need(
    page: TeachPage, hand: Any
) -> None:
    recipes = page.view.lesson.recipes
    assert recipes.name == "auto"
    assert [name for name, one in recipes.buttons.items() if one.isChecked()] == ["decisions"]
    assert "Every pair was decided the same or different." in hand.words(recipes)
    assert not recipes.buttons["labels"].isEnabled()
    assert "Needs pairs with one of several labels." in hand.words(recipes)


def test_another_recipe_that_fits_can_be_taken(page: TeachPage) -> None:
    page.view.lesson.recipes.buttons["triplets"].click()
    assert page.values["recipe"] == "triplets"
    assert page.view.lesson.settings.objective.itemData(0) == "triplet"


def test_settings_say_only_what_was_chosen_and_go_back_to_the_usual(page: TeachPage) -> None:
    settings = page.view.lesson.settings
    settings.loop.set_values({"hold": 0.0, "epochs": 3})
    assert page.values == {
        "recipe": "auto", "files": None, "dev": None, "test": None, "decisions": True,
        "epochs": 3, "hold": 0.0,
    }  # fmt: skip
    assert page.view.lesson.sentences[0].endswith("decisions, 3 times.")
    assert "may move too" in page.view.lesson.sentences[1]
    settings.back.click()
    assert settings.values == {}


def test_the_usual_values_follow_the_recipe(page: TeachPage) -> None:
    settings = page.view.lesson.settings
    page.view.lesson.recipes.buttons["search"].click()
    assert (settings.loop.values["batch"], settings.loop.values["hold"]) == (64, 0.2)
    assert settings.values == {}


def test_choices_of_the_objective_are_told_with_it(page: TeachPage) -> None:
    settings = page.view.lesson.settings
    settings.objective.setCurrentIndex(settings.objective.findData("contrastive"))
    name = settings.choices.names[0]
    field: Any = settings.choices.field(name)
    field.setCurrentIndex(1)
    assert settings.values["objective"] == "contrastive"
    assert list(settings.values["choices"]) == [name]


def test_an_encoder_whose_folder_is_gone_is_not_taught_and_the_ways_out_are_named(
    open_page: Open, make_folder: Make, tmp_path: Path, hand: Any
) -> None:
    folder = make_folder(same=100, different=71, name="taught")
    (tmp_path / "first").rename(tmp_path / "away")
    page = open_page(folder)
    assert not page.actions_["start"].isEnabled()
    told = hand.words(page.view.lesson.foot)
    assert str(tmp_path / "first") in told
    assert "“Back to the first encoder” on the Teach page, or Duplicates ▸ Encode with…" in told
    (tmp_path / "away").rename(tmp_path / "first")
    page.hide()
    page.show()
    hand.until(lambda: page.view.lesson.foot.start.isEnabled())


def test_unsure_decisions_are_counted_and_not_learnt_from(page: TeachPage) -> None:
    counts = {verdict: label.text() for verdict, label in page.view.material.counts.items()}
    assert counts == {Verdict.SAME: "100", Verdict.DIFFERENT: "71", Verdict.UNSURE: "5"}
    assert "unsure" not in page.view.lesson.sentences[0]


def test_a_decision_made_elsewhere_is_counted_when_the_page_is_seen_again(
    page: TeachPage, workspace: Workspace, hand: Any
) -> None:
    page.hide()
    ends: list[object] = []
    workspace.start(
        "decide", {"pairs": [[200, 250]], "verdict": "same", "title": "Same"},
        title="Same", lane="live", then=ends.append,
    )  # fmt: skip
    hand.until(lambda: ends)
    page.show()
    hand.until(lambda: page.is_settled)
    assert page.view.material.counts[Verdict.SAME].text() == "101"


def test_a_file_dropped_anywhere_on_the_page_is_imported_and_can_be_removed(
    page: TeachPage, tmp_path: Path, hand: Any
) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "judged.parquet"))])
    page.drop.eventFilter(
        page,
        QDropEvent(
            QPointF(600, 20), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        ),
    )  # fmt: skip
    column = page.view.material
    hand.until(lambda: page.view.banner.isVisible() and "judged.parquet" in hand.words(column))
    assert page.view.banner.text == (
        "judged.parquet: 1,200 examples to learn from, taken for scored pairs. Scores from 0 to 5 "
        "were taken as 0 to 1."
    )
    hand.until(lambda: "1,200 imported examples" in page.view.lesson.sentences[0])
    column.removal_wanted.emit(1, "judged.parquet")
    hand.until(lambda: "judged.parquet" not in hand.words(column))
    assert "Import it again" in page.view.banner.text


def test_a_file_without_examples_is_told_and_can_be_read_otherwise(
    page: TeachPage, tmp_path: Path, hand: Any
) -> None:
    page.imports.take([tmp_path / "wrong.csv"])
    hand.until(lambda: page.view.banner.isVisible())
    assert page.view.banner.text == (
        "wrong.csv holds no pairs. Name two columns of texts and a score."
    )
    next(b for b in page.view.banner.findChildren(QPushButton) if "read it" in b.text()).click()
    sheet = page.imports.sheet
    assert sheet is not None
    sheet.kind.setCurrentIndex(2)
    sheet.columns["left"].setText("1")
    sheet.columns["right"].setText("question")
    sheet.labels.setText("contrary, same")
    sheet.topic.setText("subject")
    assert sheet.values == {
        "kind": "labelled pairs", "columns": {"left": 0, "right": "question"},
        "labels": ["contrary", "same"], "topic": "subject",
    }  # fmt: skip
    sheet.reject()


def test_what_stops_a_training_keeps_the_start_off_until_it_is_left_aside(
    page: TeachPage, tmp_path: Path, hand: Any
) -> None:
    bring(page, hand, tmp_path / "stops warns tells.csv")
    check, foot = page.view.lesson.check, page.view.lesson.foot
    assert [one.severity for one in check.shown] == ["stops", "warns", "tells"]
    assert not foot.start.isEnabled()
    assert foot.line.label.text() == "stops warns tells.csv stops. Leave it aside."
    page.view.material.files.give_role(1, "aside")
    hand.until(lambda: page.is_settled)
    assert page.values["files"] == []
    hand.until(foot.start.isEnabled)


def test_a_file_may_choose_or_judge_and_only_one_does_each(
    page: TeachPage, tmp_path: Path, hand: Any
) -> None:
    for name in ("one.csv", "two.csv"):
        bring(page, hand, tmp_path / name)
    hand.until(lambda: page.material is not None and len(page.material.files) == 2)
    files = page.view.material.files
    files.give_role(1, "test")
    files.give_role(2, "test")
    assert files.selection == {"files": [1], "dev": None, "test": 2}


def test_every_action_has_a_key_of_its_own_and_stands_in_the_menu(page: TeachPage) -> None:
    actions = [one for one in page.menu_actions()["Teach"] if not one.isSeparator()]
    keys = [one.shortcut().toString() for one in actions]
    assert all(keys)
    assert len(set(keys)) == len(keys)


def test_a_narrow_page_shows_one_column_at_a_time(open_page: Open, make_folder: Make) -> None:
    page = open_page(make_folder(same=100, different=71), width=640, height=400)
    view = page.view

    def shown() -> list[bool]:
        return [part.isVisible() for part in (view.material, view.lesson, view.runs)]

    assert page.width() == 640
    seen = []
    for part in ("material", "middle", "runs"):
        view.turn_to(part)
        seen.append(shown())
    assert seen == [[True, False, False], [False, True, False], [False, False, True]]


def test_a_window_that_only_reads_shows_all_and_changes_nothing(
    open_page: Open, make_folder: Make, hand: Any
) -> None:
    folder = make_folder(same=100, different=71)
    other = take_lock(folder)
    assert other is not None
    try:
        page = open_page(folder)
        assert page.workspace.read_only
        allowed = [one.text() for one in page.menu_actions()["Teach"] if one.isEnabled()]
        assert not {"Start teaching", "Import examples…"} & set(allowed)
        assert not page.view.lesson.foot.start.isEnabled()
        assert "reading only" in hand.words(page.view.lesson.foot)
    finally:
        page.workspace.close()
        other.release()
