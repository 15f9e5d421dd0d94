"""The multiply page before anything is labelled: gold, teachers, new pairs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.pages.multiply import MultiplyPage
from app.workspace import Workspace
from core.store.lock import take_lock

Open = Callable[..., MultiplyPage]
Make = Callable[..., Path]


def test_a_project_without_texts_offers_to_import_some(open_page: Open, make_folder: Make) -> None:
    page = open_page(make_folder(rows=0, pairs=0))
    asked: list[object] = []
    page.import_wanted.connect(asked.append)
    assert page.view.is_empty_shown
    page.view.empty.wanted.emit()
    assert asked == [[]]
    assert not any(one.isEnabled() for one in page.actions_.menu if not one.isSeparator())


def test_rows_that_are_all_blank_are_told(open_page: Open, make_folder: Make) -> None:
    page = open_page(make_folder(rows=3, pairs=0, blank=True, encoded=False))
    assert page.view.empty.sentence == "All rows are blank; there is no text to pair."


def test_without_judged_pairs_the_ways_to_some_are_offered(
    open_page: Open, make_folder: Make
) -> None:
    page = open_page(make_folder(pairs=0))
    wanted: list[str] = []
    page.page_wanted.connect(wanted.append)
    assert page.view.gold.is_empty
    assert page.view.gold.empty.sentence == "There are no judged pairs yet."
    page.view.gold.empty.wanted.emit()
    assert wanted == ["Duplicates"]
    assert not page.view.gold.foot.buttons["next"].isEnabled()


def test_too_few_judged_pairs_are_told_with_how_many_are_missing(
    open_page: Open, make_folder: Make
) -> None:
    page = open_page(make_folder(pairs=10))
    verdict = page.view.gold.verdict
    assert verdict.title.text() == "20 judged pairs: not enough yet"
    assert "Decide 30 more pairs, or import judged pairs." in verdict.words.text()
    page.open_step("teachers")
    assert not page.view.teachers.foot.buttons["compare"].isEnabled()
    assert "Decide 30 more pairs" in page.view.teachers.foot.words


def test_decisions_flow_in_with_a_verdict_and_the_parts_they_play(
    open_page: Open, make_folder: Make, hand: Any
) -> None:
    page = open_page(make_folder())
    gold = page.view.gold
    assert gold.verdict.title.text() == "60 judged pairs: enough to try"
    assert "60 decisions" in hand.words(gold)
    assert gold.bar.accessibleName() == "42 teach, 18 compare and judge"
    assert gold.foot.buttons["next"].isEnabled()


def test_a_decision_made_elsewhere_is_counted_when_the_page_is_seen_again(
    open_page: Open, make_folder: Make, workspace: Workspace, hand: Any
) -> None:
    page = open_page(make_folder(rows=124))
    page.hide()
    ends: list[object] = []
    workspace.start(
        "decide", {"pairs": [[121, 122]], "verdict": "same", "title": "Same"},
        title="Same", lane="live", then=ends.append,
    )  # fmt: skip  # one wish
    hand.until(lambda: ends)
    page.show()
    hand.settled(page)
    assert page.view.gold.verdict.title.text().startswith("61 judged pairs")


def test_texts_that_are_not_encoded_stop_the_comparison_with_a_reason(
    open_page: Open, make_folder: Make
) -> None:
    page = open_page(make_folder(encoded=False))
    page.open_step("teachers")
    foot = page.view.teachers.foot
    assert foot.words == "The texts are not encoded yet. Find duplicates first, which encodes them."
    assert not foot.buttons["compare"].isEnabled()


def test_steps_that_lack_the_one_before_say_so(open_page: Open, make_folder: Make) -> None:
    page = open_page(make_folder())
    said = []
    for step in ("pairs", "sheet", "teach"):
        page.open_step(step)
        said.append(page.view.feet[page.view.step].words)
    assert said == ["Compare teachers first; that is step 2."] * 3
    assert not page.actions_["do"].isEnabled()


def test_what_a_comparison_does_is_told_in_plain_words(
    open_page: Open, make_folder: Make, hand: Any
) -> None:
    page = open_page(make_folder())
    page.open_step("teachers")
    told = hand.words(page.view.teachers)
    assert "3 copies of your encoder learn 42 of the judged pairs" in told
    assert "All are compared on 18 judged pairs that none has learnt from." in told
    page.actions_["settings"].trigger()
    assert page.view.teachers.fold.is_open
    page.view.teachers.settings.form.set_values({"seeds": 1})
    hand.settled(page)
    assert "Your encoder learns 42 of the judged pairs" in hand.words(page.view.teachers)


def test_a_model_of_ones_own_is_named_as_the_engine_knows_it(
    open_page: Open, make_folder: Make, tiny_encoder: Path, tmp_path: Path
) -> None:
    page = open_page(make_folder())
    settings = page.view.teachers.settings
    assert settings.values == {"given": [], "cross_base": ""}
    settings.own.take(tiny_encoder)
    settings.base.take(tmp_path)
    assert settings.values == {"given": [str(tiny_encoder)], "cross_base": str(tmp_path)}
    settings.own.take(tmp_path)
    assert settings.values["given"] == [f"cross:{tmp_path}"]
    settings.own.clear.click()
    assert settings.values["given"] == []


def test_a_better_teacher_is_shown_beside_its_pupil_and_opens_the_next_step(
    open_page: Open, make_folder: Make, hand: Any
) -> None:
    page = open_page(make_folder())
    hand.compare(page, hand.BETTER)
    teachers = page.view.teachers
    assert teachers.verdict.title.text() == "The teacher is better than its pupil"
    assert [(row.name, row.told, row.teaches) for row in teachers.plot.rows] == [
        ("Your encoder, by the gold alone", "0.800 ± 0.006", False),
        ("Reads both texts of a pair at once", "0.841   +0.041 (+0.011 to +0.071)", True),
        ("The encoders of all seeds together", "0.795   −0.005 (−0.020 to +0.010)", False),
    ]
    assert not teachers.insist.isVisible()
    assert teachers.foot.leading == "next"
    assert page.view.banner.text == (
        "Teachers were compared: the teacher is better than its pupil."
    )
    page.actions_["on"].trigger()
    assert not page.view.banner.isVisible()


def test_a_teacher_that_is_not_better_is_refused_with_ways_out_and_can_be_insisted_on(
    open_page: Open, make_folder: Make, hand: Any
) -> None:
    page = open_page(make_folder())
    hand.compare(page, hand.NOT_BETTER)
    teachers = page.view.teachers
    assert teachers.verdict.title.text() == "No teacher is better than its pupil"
    assert teachers.ways == ("Give it a larger teacher.", "Decide more pairs.")
    assert not any(row.teaches for row in teachers.plot.rows)
    assert not teachers.foot.buttons["next"].isEnabled()
    page.open_step("pairs")
    assert "Tick “Label all the same”" in page.view.pairs.foot.words
    page.open_step("teachers")
    teachers.insist.click()
    assert teachers.foot.buttons["next"].isEnabled()
    page.open_step("pairs")
    assert "Tick" not in page.view.pairs.foot.words
    page.insist(False)
    assert "Tick" in page.view.pairs.foot.words


def test_a_comparison_can_be_held_and_cancelled_and_leaves_nothing(
    open_page: Open, make_folder: Make, hand: Any
) -> None:
    page = open_page(make_folder())
    hand.compare(page, hand.SLOW)
    running = page.view.running
    hand.until(lambda: page.practice.standing.state == "running")
    assert running.isVisible()
    assert not page.view.teachers.foot.isVisible()
    assert "Teaching by the gold pairs alone, 1 of 1" in running.words
    assert "running" in page.view.steps.cards["teachers"].accessibleName()
    page.actions_["pause"].trigger()
    hand.until(lambda: page.practice.standing.state == "paused")
    assert running.pause.text() == "Resume"
    page.open_step("gold")  # everything stays to be looked at
    running.cancel.click()
    hand.settled(page)
    assert page.view.banner.text == (
        "Cancelled. Nothing was kept of the comparison. Your decisions and the encoder in use are "
        "untouched."
    )
    assert page.scene.record is None
    assert page.view.teachers.foot.buttons["compare"].isEnabled()


def test_a_failed_comparison_tells_the_cause_and_what_is_safe(
    open_page: Open, make_folder: Make, hand: Any
) -> None:
    page = open_page(make_folder())
    hand.compare(page, hand.FAILING)
    assert page.view.banner.text == (
        "The disk is full. Free some space and start again. Your decisions and the encoder in use "
        "are untouched."
    )


def test_a_worker_that_is_killed_is_told_honestly(
    open_page: Open, make_folder: Make, workspace: Workspace, hand: Any
) -> None:
    page = open_page(make_folder())
    hand.compare(page, hand.SLOW)
    hand.until(lambda: page.practice.standing.state == "running")
    process = workspace._lanes["training"]._process  # type: ignore[attr-defined]
    assert process is not None
    process.kill()
    hand.settled(page)
    assert "Nothing was kept of the comparison; start it again." in page.view.banner.text
    assert page.view.teachers.foot.buttons["compare"].isEnabled()


def test_beside_another_training_nothing_starts_and_that_is_said(
    open_page: Open, make_folder: Make, workspace: Workspace, hand: Any
) -> None:
    page = open_page(make_folder())
    page.open_step("teachers")
    ticket = workspace.start(
        "augment-measure", {"seeds": hand.SLOW}, title="Teaching", lane="training"
    )
    hand.until(lambda: "one at a time" in page.view.teachers.foot.words)
    assert not page.view.teachers.foot.buttons["compare"].isEnabled()
    workspace.cancel(ticket)
    hand.until(lambda: page.view.teachers.foot.buttons["compare"].isEnabled())


def test_closing_the_project_during_a_comparison_leaves_nothing_on_show(
    open_page: Open, make_folder: Make, hand: Any
) -> None:
    own = Workspace()
    page = open_page(make_folder(), own)
    hand.compare(page, hand.SLOW)
    hand.until(lambda: page.practice.standing.state == "running")
    own.close()
    shown = (page.practice.is_running, page.view.is_empty_shown, page.view.banner.isVisible())
    own.stop()
    assert shown == (False, True, False)


def test_samplings_are_told_in_plain_words_and_only_their_fields_are_shown(
    open_page: Open, make_folder: Make
) -> None:
    pairs = open_page(make_folder()).view.pairs
    assert list(pairs.buttons) == ["bm25", "semantic", "both", "kde", "random"]
    shown = {}
    for key, button in pairs.buttons.items():
        button.setChecked(True)
        pairs._follow()
        shown[key] = [name for name in pairs.form.names if not pairs.form.field(name).isHidden()]
    assert shown == {
        "bm25": ["top_k", "most"], "semantic": ["top_k", "most"], "both": ["top_k", "most"],
        "kde": ["pool", "most"], "random": ["most"],
    }  # fmt: skip  # one sampling after the other
    assert [button.text() for button in pairs.buttons.values()][:2] == [
        "Texts that share rare words", "Nearest in meaning",
    ]  # fmt: skip  # two


def test_every_action_has_a_key_of_its_own_and_stands_in_the_menu(
    open_page: Open, make_folder: Make
) -> None:
    page = open_page(make_folder())
    actions = [one for one in page.menu_actions()["Multiply"] if not one.isSeparator()]
    keys = [keys.toString() for one in actions for keys in one.shortcuts()]
    assert all(keys)
    assert len(set(keys)) == len(keys)


def test_the_steps_can_be_walked_by_keys(open_page: Open, make_folder: Make) -> None:
    page = open_page(make_folder())
    page.activateWindow()
    page.setFocus()
    QTest.keyClick(page, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    assert page.view.step == "sheet"
    page.actions_["gold"].trigger()
    QTest.keyClick(page.view.steps, Qt.Key.Key_Down)
    assert page.view.step == "teachers"
    page.actions_["on"].trigger()
    assert page.view.step == "pairs"


def test_a_narrow_page_has_the_steps_above(open_page: Open, make_folder: Make) -> None:
    page = open_page(make_folder(), width=720, height=420)
    assert page.width() == 720
    assert page.view.is_narrow
    assert not page.view.steps.isVisible()
    page.view.strip.chosen.emit("pairs")
    assert page.view.step == "pairs"
    page.resize(1100, 700)
    assert not page.view.is_narrow


def test_a_window_that_only_reads_shows_all_and_changes_nothing(
    open_page: Open, make_folder: Make, hand: Any
) -> None:
    folder = make_folder()
    other = take_lock(folder)
    assert other is not None
    try:
        page = open_page(folder)
        assert page.workspace.read_only
        assert page.view.gold.bar.isVisible()
        page.open_step("teachers")
        assert "reading only" in page.view.teachers.foot.words
        allowed = [one.text() for one in page.menu_actions()["Multiply"] if one.isEnabled()]
        assert not {"Import judged pairs…", "Do what this step is for"} & set(allowed)
    finally:
        page.workspace.close()
        other.release()


@pytest.mark.parametrize("how", ["light", "dark"])
def test_every_step_can_be_drawn(
    open_page: Open, make_folder: Make, how: str, app: Any, hand: Any
) -> None:
    from app.look.theme import apply_theme

    page = open_page(make_folder())
    hand.compare(page, hand.BETTER)
    apply_theme(app, "dark" if how == "dark" else "light")
    try:
        for step in ("gold", "teachers", "pairs", "sheet", "teach"):
            page.open_step(step)
            assert not page.grab().isNull()
    finally:
        apply_theme(app, "light")
