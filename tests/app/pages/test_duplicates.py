"""The real page on a real project, driven by keys, with a real worker behind it."""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QPushButton,
    QWidget,
)

from app.pages.duplicates import DuplicatesPage
from app.pages.duplicates_list import GroupsList, GroupsModel
from app.pages.duplicates_opening import opening
from app.pages.duplicates_reads import Listing
from app.widgets.text_view import TextView
from app.widgets.verdict_button import VerdictButton
from app.workspace import Workspace
from core.options import GroupOptions
from core.progress import run_to_end
from core.records import Flag, ImportReport, ImportSettings, Reading, Verdict
from core.store import GroupFilter, GroupRow, PairTable, Project, StagedRow, VectorBatch
from core.store.lock import take_lock
from core.workflows.grouping import group_corpus

ROWS = (
    ("My card was charged twice for one order.", "Lyon"),
    ("My card was charged twice for one order.", "Nice"),
    ("My card was charged two times for one order.", "Lyon"),
    ("My card has been charged twice for one order.", "Lyon"),
    ("My card was not charged twice for one order.", "Lyon"),
    ("Where is my parcel?", "Bern"),
    ("Where is my package, please?", "Bern"),
    ("מתי תגיע החבילה שלי?", "Haifa"),
    ("", "Bern"),
)
# Texts by number: 1 twice, 2 two times, 3 has been, 4 not, 5 parcel, 6 package, 7 Hebrew.
TWICE, TWO_TIMES, HAS_BEEN, NOT, PARCEL, PACKAGE = 1, 2, 3, 4, 5, 6
PAIRS = (
    (TWICE, TWO_TIMES, 0.91, 0.6, 0),
    (TWICE, HAS_BEEN, 0.985, 0.8, 0),
    (TWICE, NOT, 0.90, 0.9, int(Flag.NEGATION)),
    (PARCEL, PACKAGE, 0.93, 0.5, 0),
)


@pytest.fixture(scope="module")
def workspace(app: QApplication) -> Iterator[Workspace]:
    """One workspace with its workers, since starting a worker takes seconds."""
    made = Workspace()
    yield made
    made.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A grouped project: 2 groups, 3 pairs waiting, 1 row removed, 1 copy."""
    with Project.create(tmp_path / "calls.samesense") as project:
        _bring(project)
        _pair(project)
        run_to_end(group_corpus(project, GroupOptions()))
    return tmp_path / "calls.samesense"


@pytest.fixture
def page(
    workspace: Workspace, folder: Path, show: Callable[..., QWidget]
) -> Iterator[DuplicatesPage]:
    made = DuplicatesPage(workspace)
    show(made, 1100, 700)
    workspace.open(folder)
    until(lambda: made.panel.current is not None and made.is_settled)
    yield made
    settle(made)
    workspace.close()


def until(is_so: Callable[[], object], *, seconds: float = 30) -> None:
    """Let the window live until something is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        QTest.qWait(10)


def settle(page: DuplicatesPage) -> None:
    """Wait until everything decided is stored, grouped and shown."""
    until(lambda: page.is_settled)


def turn(workspace: Workspace, wish: str) -> None:
    """Undo or redo as the window does, and wait until it is stored."""
    ends: list[object] = []
    workspace.start(wish, title=wish, lane="live", then=ends.append)
    until(lambda: ends)


def press(page: DuplicatesPage, *keys: str | Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(page.panel.candidates, key)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """While another program has the project open."""
    lock = take_lock(folder)
    assert lock is not None
    yield
    lock.release()


def verdicts(folder: Path) -> dict[str, int]:
    with Project.open_read_only(folder) as project:
        return project.decisions.counts()


def removed_documents(folder: Path) -> set[int]:
    with Project.open_read_only(folder) as project:
        return {
            row.document
            for page in project.groupings.stream_members()
            for row in page
            if row.reason != "kept"
        }


def test_the_largest_group_with_something_to_decide_is_shown_first(page):
    assert page.panel.case.kept.text == TWICE
    assert page.panel.current.text == TWO_TIMES


def test_candidates_wait_first_then_come_those_removed(page):
    told = [(one.place, one.text) for one in page.panel.case.candidates]
    assert told == [
        ("waiting", TWO_TIMES), ("waiting", NOT), ("removed", TWICE), ("removed", HAS_BEEN)
    ]  # fmt: skip


def test_a_verdict_shows_the_next_candidate_before_anything_is_stored(page):
    press(page, "s")
    assert page.panel.current.text == NOT
    assert page.panel.case.kept.text == TWICE


def test_a_verdict_is_stored(page, folder):
    press(page, "d")
    settle(page)
    assert verdicts(folder) == {"same": 0, "different": 1, "unsure": 0}


def test_same_removes_the_candidate_and_keeps_the_kept_row(page, folder):
    press(page, "s")
    settle(page)
    assert removed_documents(folder) == {2, 3, 4}


def test_the_next_group_comes_when_nothing_waits_in_this_one(page):
    press(page, "s", "d")
    until(lambda: page.panel.case.kept.text == PARCEL)
    assert page.panel.current.text == PACKAGE


def test_the_last_verdict_ends_in_a_done_state_with_the_sum(page):
    press(page, "s", "d")
    until(lambda: page.panel.case.kept.text == PARCEL and not page.flow.is_waiting)
    press(page, "u")
    assert page.panel.is_done_shown
    settle(page)
    assert page.panel.is_done_shown
    assert page.strip.sum.text.startswith("9 rows = 6 kept + 3 removed")


def test_a_late_reading_of_the_last_group_leaves_the_done_state(page, workspace, monkeypatch):
    late: list[Callable[[], None]] = []
    read = workspace.read

    def decided(case):
        """As it is read when the verdict was stored in between."""
        return replace(case, candidates=(replace(case.candidates[0], verdict=Verdict.UNSURE),))

    def read_later(key, function, receive):
        if key == "duplicates.case":
            read(key, function, lambda case: late.append(lambda: receive(decided(case))))
        else:
            read(key, function, receive)

    press(page, "s", "d")
    until(lambda: page.panel.case.kept.text == PARCEL and not page.flow.is_waiting)
    settle(page)
    monkeypatch.setattr(workspace, "read", read_later)
    page.flow.look_again()
    press(page, "u")
    assert page.panel.is_done_shown
    until(lambda: late)
    for one in late:
        one()
    monkeypatch.undo()
    assert page.panel.is_done_shown
    settle(page)
    assert page.panel.is_done_shown


def test_a_key_in_the_done_state_decides_nothing_that_is_not_seen(page, folder):
    press(page, "s", "d")
    until(lambda: page.panel.case.kept.text == PARCEL and not page.flow.is_waiting)
    press(page, "u")
    settle(page)
    told = verdicts(folder)
    for key in ("s", "d", "u", Qt.Key.Key_Backspace, "k", "a"):
        QTest.keyClick(page, key)
    settle(page)
    assert verdicts(folder) == told == {"same": 1, "different": 1, "unsure": 1}
    assert page.panel.is_done_shown


def test_where_nothing_was_found_the_page_says_so_and_nothing_else(workspace, tmp_path, show):
    with Project.create(tmp_path / "apart.samesense") as project:
        _bring(project, texts=ROWS[5:8])
        _pair(project, ())
        run_to_end(group_corpus(project, GroupOptions()))
    page = show(DuplicatesPage(workspace), 1100, 700)
    workspace.open(tmp_path / "apart.samesense")
    until(lambda: page.panel.is_done_shown and page.is_settled)
    said = {one.text() for one in page.panel.findChildren(QLabel) if one.isVisible()}
    offered = {one.text() for one in page.panel.findChildren(QPushButton) if one.isVisible()}
    nothing = page.strip.histogram.nothing
    workspace.close()
    assert {"No duplicates were found.", "3 rows = 3 kept + 0 removed"} <= said
    assert "Look through the removed rows" not in offered
    assert nothing == "No two texts are alike by 0.70 or more."


def test_the_done_state_leads_to_the_export(page):
    press(page, "s", "d")
    until(lambda: page.panel.case.kept.text == PARCEL and not page.flow.is_waiting)
    press(page, "s")
    settle(page)
    wanted = []
    page.export_wanted.connect(wanted.append)
    page.panel.button_pressed.emit()
    assert wanted == ["kept"]


def test_undo_shows_the_pair_again_as_waiting(page, workspace):
    press(page, "s")
    settle(page)
    turn(workspace, "undo")
    until(lambda: page.panel.current.text == TWO_TIMES)
    settle(page)
    assert page.panel.current.place == "waiting"
    assert page.panel.current.verdict is None


def test_undo_after_the_last_verdict_leaves_the_done_state(page, workspace):
    press(page, "s", "d")
    until(lambda: page.panel.case.kept.text == PARCEL and not page.flow.is_waiting)
    press(page, "s")
    settle(page)
    turn(workspace, "undo")
    until(lambda: not page.panel.is_done_shown)
    settle(page)
    assert page.panel.current.text == PACKAGE


def test_redo_shows_the_pair_with_its_verdict(page, workspace):
    press(page, "d")
    settle(page)
    turn(workspace, "undo")
    until(lambda: page.panel.current.text == TWO_TIMES)
    settle(page)
    turn(workspace, "redo")
    until(lambda: page.panel.current.verdict is Verdict.DIFFERENT)
    settle(page)
    assert page.panel.current.text == TWO_TIMES


def test_a_decided_pair_stays_listed_and_can_be_changed(page, folder):
    press(page, "d")
    settle(page)
    decided = next(one for one in page.panel.case.candidates if one.text == TWO_TIMES)
    assert decided.place == "decided"
    page.panel.candidates.chosen.emit(decided)
    press(page, "s")
    settle(page)
    assert verdicts(folder) == {"same": 1, "different": 0, "unsure": 0}


def test_backspace_takes_a_decision_back(page, folder):
    press(page, "u")
    settle(page)
    decided = next(one for one in page.panel.case.candidates if one.text == TWO_TIMES)
    page.panel.candidates.chosen.emit(decided)
    press(page, Qt.Key.Key_Backspace)
    settle(page)
    assert verdicts(folder) == {"same": 0, "different": 0, "unsure": 0}
    assert page.panel.current.place == "waiting"


def test_a_removed_row_can_be_overruled_and_comes_back(page, folder):
    assert 4 in removed_documents(folder)
    removed = next(one for one in page.panel.case.candidates if one.text == HAS_BEEN)
    page.panel.candidates.chosen.emit(removed)
    press(page, "d")
    settle(page)
    assert 4 not in removed_documents(folder)
    assert page.panel.current.verdict is Verdict.DIFFERENT


def test_a_copy_takes_no_verdict(page, folder):
    copy = next(one for one in page.panel.case.candidates if one.text == TWICE)
    page.panel.candidates.chosen.emit(copy)
    press(page, "d", "s")
    settle(page)
    assert verdicts(folder) == {"same": 0, "different": 0, "unsure": 0}


def test_accepting_the_group_leaves_the_pair_with_a_warning_for_a_look(page, folder):
    press(page, "a")
    assert page.panel.current.text == NOT
    settle(page)
    assert verdicts(folder)["same"] == 1


def test_accepting_again_takes_the_pair_with_a_warning_too(page, folder):
    press(page, "a", "a")
    settle(page)
    assert verdicts(folder)["same"] == 2


def test_accepting_a_group_is_one_step_of_undo(page, folder, workspace):
    page.panel.candidates.setFocus()
    press(page, "a", "a")
    settle(page)
    turn(workspace, "undo")
    settle(page)
    until(lambda: verdicts(folder)["same"] == 1)


def kept_by_hand(folder: Path) -> list[int]:
    with Project.open_read_only(folder) as project:
        return project.decisions.kept_by_hand()


def test_same_and_keep_the_other_shows_it_as_kept_and_goes_on(page):
    press(page, "k")
    assert page.panel.case.kept.text == TWO_TIMES
    assert page.panel.current.text == NOT


def test_same_and_keep_the_other_does_both(page, folder):
    press(page, "k")
    settle(page)
    removed = removed_documents(folder)
    assert 3 not in removed
    assert {1, 2} <= removed
    assert verdicts(folder)["same"] == 1
    assert kept_by_hand(folder) == [3]


def test_same_and_keep_the_other_is_one_step_of_undo(page, folder, workspace):
    press(page, "k")
    settle(page)
    turn(workspace, "undo")
    until(lambda: page.panel.case.kept.text == TWICE and page.panel.current.text == TWO_TIMES)
    settle(page)
    assert page.panel.current.place == "waiting"
    assert verdicts(folder)["same"] == 0
    assert kept_by_hand(folder) == []


def test_redo_keeps_the_other_again(page, folder, workspace):
    press(page, "k")
    settle(page)
    for wish in ("undo", "redo"):
        turn(workspace, wish)
        settle(page)
    until(lambda: page.panel.case.kept.text == TWO_TIMES)
    assert kept_by_hand(folder) == [3]
    assert verdicts(folder)["same"] == 1


def test_of_two_rows_kept_by_hand_the_one_shown_as_kept_loses_its_mark(workspace, folder, show):
    with Project.open(folder) as project:
        project.decisions.keep(1, [], title="")
        project.decisions.keep(3, [], title="")
        run_to_end(group_corpus(project, GroupOptions()))
    page = show(DuplicatesPage(workspace), 1100, 700)
    workspace.open(folder)
    until(lambda: page.panel.current is not None and page.is_settled)
    shown, other = page.panel.case.kept, page.panel.current.document
    press(page, "k")
    settle(page)
    workspace.close()
    assert {shown.id, other.id} == {1, 3}
    assert kept_by_hand(folder) == [other.id]


def test_keeping_another_row_leaves_the_group_where_it_is_in_the_list(page):
    press(page, "k")
    settle(page)
    assert [page.groups.group(at).text for at in range(2)] == [TWO_TIMES, PARCEL]


def test_keeping_a_removed_row_decides_nothing(page, folder):
    removed = next(one for one in page.panel.case.candidates if one.text == HAS_BEEN)
    page.panel.candidates.chosen.emit(removed)
    press(page, "k")
    assert page.panel.case.kept.text == HAS_BEEN
    settle(page)
    assert verdicts(folder) == {"same": 0, "different": 0, "unsure": 0}
    assert 4 not in removed_documents(folder)


def test_k_on_a_pair_that_was_different_makes_it_the_same_and_stays_on_it(page, folder):
    press(page, "d")
    decided = next(one for one in page.panel.case.candidates if one.text == TWO_TIMES)
    page.panel.candidates.chosen.emit(decided)
    press(page, "k")
    assert page.panel.case.kept.text == TWO_TIMES
    assert page.panel.current.text == TWICE
    settle(page)
    assert verdicts(folder) == {"same": 1, "different": 0, "unsure": 0}
    assert kept_by_hand(folder) == [3]


def test_k_after_s_swaps_the_rows_that_are_the_same(page, folder, workspace):
    press(page, "s")
    decided = next(one for one in page.panel.case.candidates if one.text == TWO_TIMES)
    page.panel.candidates.chosen.emit(decided)
    press(page, "k")
    settle(page)
    assert kept_by_hand(folder) == [3]
    turn(workspace, "undo")
    settle(page)
    assert verdicts(folder)["same"] == 1
    assert kept_by_hand(folder) == []
    assert removed_documents(folder) == {2, 3, 4}


def test_a_verdict_beside_a_row_removed_later_is_listed_and_can_be_taken_back(
    workspace, folder, show
):
    with Project.open(folder) as project:
        project.decisions.decide([(HAS_BEEN, PACKAGE)], Verdict.DIFFERENT, title="")
        run_to_end(group_corpus(project, GroupOptions()))
    page = show(DuplicatesPage(workspace), 1100, 700)
    workspace.open(folder)
    until(lambda: page.panel.current is not None and page.is_settled)
    decided = [one for one in page.panel.case.candidates if one.place == "decided"]
    assert [(one.text, one.verdict) for one in decided] == [(PACKAGE, Verdict.DIFFERENT)]
    page.panel.candidates.chosen.emit(decided[0])
    press(page, Qt.Key.Key_Backspace)
    settle(page)
    workspace.close()
    assert verdicts(folder) == {"same": 0, "different": 0, "unsure": 0}


def test_a_row_removed_through_another_one_comes_back_with_d(workspace, folder, show):
    with Project.open(folder) as project:
        same = [(TWICE, HAS_BEEN), (HAS_BEEN, TWO_TIMES)]
        project.decisions.decide(same, Verdict.SAME, title="")
        run_to_end(group_corpus(project, GroupOptions()))
    assert 3 in removed_documents(folder)
    page = show(DuplicatesPage(workspace), 1100, 700)
    workspace.open(folder)
    until(lambda: page.panel.current is not None and page.is_settled)
    row = next(one for one in page.panel.case.candidates if one.text == TWO_TIMES)
    page.panel.candidates.chosen.emit(row)
    press(page, "d")
    settle(page)
    workspace.close()
    assert verdicts(folder) == {"same": 1, "different": 1, "unsure": 0}
    assert 3 not in removed_documents(folder)


def test_keeping_a_copy_makes_it_the_kept_row(page, folder):
    copy = next(one for one in page.panel.case.candidates if one.text == TWICE)
    page.panel.candidates.chosen.emit(copy)
    press(page, "k")
    settle(page)
    assert removed_documents(folder) == {1, 4}
    assert page.panel.case.kept.id == 2


def test_j_and_shift_j_move_between_candidates(page):
    press(page, "j")
    assert page.panel.current.text == NOT
    QTest.keyClick(page.panel.candidates, "j", Qt.KeyboardModifier.ShiftModifier)
    assert page.panel.current.text == TWO_TIMES


def test_arrows_pass_over_headings(page):
    press(page, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert page.panel.current.place == "removed"


def test_n_and_p_move_between_groups(page):
    press(page, "n")
    until(lambda: page.panel.case.kept.text == PARCEL)
    press(page, "p")
    until(lambda: page.panel.case.kept.text == TWICE)


def test_letters_in_a_combo_decide_nothing(page, folder):
    combo = page.filter.findChildren(QComboBox)[0]
    combo.setFocus()
    for key in "sdua":
        QTest.keyClick(combo, key)
    settle(page)
    assert verdicts(folder) == {"same": 0, "different": 0, "unsure": 0}


def test_keys_work_while_the_list_of_groups_has_the_focus(page):
    page.list.setFocus()
    QTest.keyClick(page.list, "s")
    assert page.panel.current.text == NOT


def test_keys_work_while_a_text_has_the_focus(page):
    view = page.panel.card.findChildren(TextView)[0]
    view.setFocus()
    QTest.keyClick(view, "s")
    assert page.panel.current.text == NOT


def test_space_on_a_button_presses_it(page):
    button = page.panel.card.findChildren(VerdictButton)[0]
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert not page.texts_sheet.isVisible()
    assert page.panel.current.text == NOT


def test_space_opens_the_texts_and_closes_them(page):
    press(page, Qt.Key.Key_Space)
    assert page.texts_sheet.isVisible()
    QTest.keyClick(page.texts_sheet, Qt.Key.Key_Space)
    assert not page.texts_sheet.isVisible()


def test_buttons_stay_where_they_are_whatever_the_pair(page):
    button = page.panel.card.findChildren(VerdictButton)[0]
    before = button.mapTo(page, button.rect().topLeft())
    press(page, "s", "d")
    until(lambda: page.panel.case.kept.text == PARCEL)
    QApplication.processEvents()
    assert button.mapTo(page, button.rect().topLeft()) == before


def test_the_page_fits_a_small_window_also_after_a_large_one(page):
    page.resize(1800, 1000)
    QApplication.processEvents()
    page.resize(924, 575)
    QApplication.processEvents()
    assert (page.width(), page.height()) == (924, 575)


def test_in_a_small_window_texts_come_before_columns(page):
    page.resize(924, 575)
    QApplication.processEvents()
    texts = page.panel.card.findChildren(TextView)
    assert min(view.height() for view in texts) >= 90
    words = [button.text() for button in page.panel.card.findChildren(QPushButton)]
    assert "1 column is the same" in words


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("one\n\n  two \r\nthree", "one · two · three"),
        ("\n\n", ""),
        ("a" * 200, "a" * 200),
        ("a" * 201, "a" * 199 + "…"),
    ],
)
def test_a_text_of_several_lines_begins_on_one(text, line):
    assert opening(text) == line


def test_what_is_left_falls_with_every_verdict(page):
    left = page.left
    press(page, "s")
    assert page.left == left - 1
    assert f"{left - 1} to review" in page.strip.sum.text


def test_a_decided_pair_is_not_asked_again_after_a_restart(page, workspace, folder):
    press(page, "d")
    settle(page)
    workspace.close()
    workspace.open(folder)
    until(lambda: page.panel.current is not None and page.is_settled and page.left == 2)
    assert page.panel.current.text == NOT


def test_decisions_that_were_not_grouped_yet_are_grouped_on_opening(workspace, folder, show):
    with Project.open(folder) as project:
        project.decisions.decide([(TWICE, TWO_TIMES)], Verdict.SAME, title="")
    page = show(DuplicatesPage(workspace), 1100, 700)
    workspace.open(folder)
    until(lambda: removed_documents(folder) == {2, 3, 4})
    settle(page)
    workspace.close()


def test_rows_that_came_later_are_told_of(workspace, folder, show):
    with Project.open(folder) as project:
        _bring(project, "more.csv", (("Something new to compare.", "Rome"),))
    page = show(DuplicatesPage(workspace), 1100, 700)
    workspace.open(folder)
    until(lambda: page.panel.current is not None and page.is_settled and page.banner.isVisible())
    wanted = []
    page.prepare_wanted.connect(lambda: wanted.append("prepare"))
    page.banner.button_clicked.emit("prepare")
    workspace.close()
    assert wanted == ["prepare"]


def test_the_list_keeps_its_order_while_decisions_change_the_sizes(page):
    press(page, "s", "d")
    settle(page)
    assert [page.groups.group(at).text for at in range(page.groups.rowCount())] == [TWICE, PARCEL]


def test_a_verdict_that_cannot_be_stored_is_taken_back_and_told(page):
    gone = page.panel.current
    unknown = replace(gone, document=replace(gone.document, text=999))
    page.flow.give(unknown, Verdict.SAME)
    until(lambda: page.banner.isVisible())
    assert "no longer in the project" in page.banner.text
    assert page.left == 3


def test_raising_the_lower_handle_shortens_the_queue(page, folder):
    page.strip.histogram.setFocus()
    page.strip.histogram.set_thresholds(0.92, 0.97)
    page.strip.histogram.settled.emit(0.92, 0.97)
    settle(page)
    assert page.left == 1
    with Project.open_read_only(folder) as project:
        assert project.groupings.current().review == pytest.approx(0.92)


def test_dragging_counts_without_storing(page, folder):
    page.strip.histogram.moved.emit(0.92, 0.97)
    until(lambda: "1 to review" in page.strip.sum.text)
    with Project.open_read_only(folder) as project:
        assert project.groupings.current().review == pytest.approx(0.86)


def test_a_handle_in_the_hand_stays_there_while_groups_are_made_again(page):
    chart = page.strip.histogram
    start = chart.handle_spot("low").toPoint()
    press(page, "s")
    QTest.mousePress(chart, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(chart, start + QPoint(120, 0))
    dragged = chart.low
    assert dragged > 0.87
    until(lambda: page.reading.record.counts["decided"] == 1)
    settle(page)
    assert chart.low == pytest.approx(dragged)
    QTest.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=start + QPoint(120, 0))
    settle(page)
    assert page.strip.options.review == pytest.approx(dragged)


def test_figures_of_the_zones_say_what_they_count(page):
    told = page.strip.histogram.accessibleName()
    assert "(3 pairs)" in told
    assert "(1 row)" in told


def test_while_dragging_one_count_is_under_way_and_the_newest_wins(page, workspace):
    asked = []
    workspace.job_started.connect(lambda ticket: asked.append(ticket.wish))
    for step in range(40):
        page.strip.histogram.moved.emit(0.80 + step * 0.003, 0.97)
    settle(page)
    assert asked.count("counts") <= 3
    assert "1 to review" in page.strip.sum.text


def test_another_rule_keeps_another_row(page, folder):
    page.strip.change_rules("longest", True)
    settle(page)
    with Project.open_read_only(folder) as project:
        assert project.groupings.current().keep == "longest"
        assert project.groupings.home(TWICE) == HAS_BEEN


@pytest.mark.parametrize(
    ("shown", "texts"),
    [
        ("all", {TWICE, PARCEL}),
        ("review", {TWICE, PARCEL}),
        ("copies", {TWICE}),
        ("similar", {TWICE}),
        ("near-copies", {TWICE}),
        ("paraphrases", {TWICE, PARCEL}),
        ("numbers", set()),
        ("negation", {TWICE}),
        ("decided", set()),
        ("unsure", set()),
    ],
)
def test_a_filter_lists_its_groups(folder, shown, texts):
    with Project.open_read_only(folder) as project:
        assert {row.text for row in project.groupings.listed(GroupFilter(shown))} == texts


def test_unsure_pairs_stay_listed_under_their_filter(page, folder):
    press(page, "n")
    until(lambda: page.panel.case.kept.text == PARCEL and not page.flow.is_waiting)
    press(page, "u")
    settle(page)
    page.filter.choose("unsure")
    until(lambda: page.groups.rowCount() == 1 and page.panel.case is not None)
    settle(page)
    assert page.panel.case.kept.text == PARCEL
    assert page.panel.current.verdict is Verdict.UNSURE


def test_an_empty_filter_says_so(page):
    page.filter.choose("numbers")
    until(lambda: page.groups.rowCount() == 0)
    settle(page)
    assert page.panel.card.isHidden() or page.panel.is_done_shown


def test_a_band_is_accepted_as_one_step(page, folder, workspace):
    press(page, "b")
    sheet = page.band_sheet
    until(lambda: sheet.accept_button.text() == "Accept 2 pairs")
    QTest.mouseClick(sheet.accept_button, Qt.MouseButton.LeftButton)
    until(lambda: verdicts(folder)["same"] == 2)
    settle(page)
    turn(workspace, "undo")
    until(lambda: verdicts(folder)["same"] == 0)
    settle(page)


def test_the_list_of_200_000_groups_answers_at_once(app, show):
    rows = [GroupRow(n, n, 2, 2, 0.98, n % 3, 0.9 if n % 3 else None) for n in range(1, 200_001)]
    model = GroupsModel()
    view = GroupsList(model)
    wanted: list[list[int]] = []
    model.texts_wanted.connect(wanted.append)
    show(view, 320, 600)
    started = time.perf_counter()
    model.show_listing(Listing(rows, {row.text: at for at, row in enumerate(rows)}))
    view.select(150_000)
    QApplication.processEvents()
    assert time.perf_counter() - started < 0.5
    until(lambda: wanted)
    assert len(wanted[-1]) <= 600
    assert model.next_waiting(150_000) is not None


def test_without_a_project_the_page_asks_for_a_file(workspace, show):
    page = show(DuplicatesPage(workspace))
    wanted = []
    page.import_wanted.connect(wanted.append)
    page.empty.wanted.emit()
    assert wanted == [[]]


def test_rows_that_are_all_blank_are_told_and_nothing_is_looked_for(workspace, tmp_path, show):
    with Project.create(tmp_path / "blank") as project:
        _bring(project, texts=[("", "Lyon"), ("", "Nice")])
    page = show(DuplicatesPage(workspace))
    wanted = []
    page.prepare_wanted.connect(lambda: wanted.append("prepare"))
    page.import_wanted.connect(wanted.append)
    workspace.open(tmp_path / "blank")
    until(lambda: page.empty.sentence == "All rows are blank; there is no text to compare.")
    page.empty.wanted.emit()
    settle(page)
    workspace.close()
    assert wanted == [[]]


def test_before_the_first_grouping_the_page_offers_to_find_duplicates(workspace, tmp_path, show):
    with Project.create(tmp_path / "new") as project:
        _bring(project)
    page = show(DuplicatesPage(workspace))
    wanted = []
    page.prepare_wanted.connect(lambda: wanted.append("prepare"))
    workspace.open(tmp_path / "new")
    until(lambda: "say the same" in page.empty.sentence)
    page.empty.wanted.emit()
    settle(page)
    workspace.close()
    assert wanted == ["prepare"]


def test_a_read_only_project_takes_no_verdict(page, folder, workspace):
    workspace.read_only = True
    press(page, "s", "d")
    workspace.read_only = False
    settle(page)
    assert verdicts(folder) == {"same": 0, "different": 0, "unsure": 0}


def test_a_read_only_project_offers_nothing_that_decides_or_groups(workspace, folder, show):
    with held(folder):
        page = show(DuplicatesPage(workspace), 1100, 700)
        workspace.open(folder)
        until(lambda: page.panel.current is not None and page.is_settled)
        press(page, "j")
        on = {one.text() for one in page.findChildren(QAbstractButton) if one.isEnabled()}
        actions = {one.text() for one in page.actions_.menu if one.isEnabled()}
        assert workspace.read_only
        workspace.close()
    deciding = {"Different", "Unsure", "Same", "Same, keep the other"}
    assert not on & {*deciding, "A  Accept the group", "Accept a band…"}
    assert not actions & {*deciding, "Take back the decision", "Accept the group"}
    assert not page.strip.histogram.isEnabled()
    assert {"Export…", "Hide score"} <= on


def test_a_writable_project_after_a_read_only_one_takes_verdicts(workspace, folder, show):
    page = show(DuplicatesPage(workspace), 1100, 700)
    with held(folder):
        workspace.open(folder)
        until(lambda: page.panel.current is not None and page.is_settled)
        workspace.close()
    workspace.open(folder)
    until(lambda: page.panel.current is not None and page.is_settled)
    press(page, "s")
    settle(page)
    workspace.close()
    assert verdicts(folder)["same"] == 1


def test_another_project_shows_its_own_texts(page, workspace, tmp_path):
    until(lambda: page.groups.index(0).data().startswith("My card"))
    with Project.create(tmp_path / "other.samesense") as project:
        _bring(project, texts=[(f"The other {text}", city) for text, city in ROWS[:-1]])
        _pair(project)
        run_to_end(group_corpus(project, GroupOptions()))
    workspace.open(tmp_path / "other.samesense")
    until(lambda: page.panel.current is not None and page.is_settled)
    until(lambda: page.groups.index(0).data().startswith("The other"))
    assert page.panel.case.kept.body.startswith("The other")


def test_nothing_of_a_closed_project_stays_on_the_page(page, workspace):
    page.actions_["open"].trigger()
    workspace.close()
    assert page.panel.case is None
    assert page.panel.current is None
    assert not page.texts_sheet.isVisible()


def test_the_texts_like_either_side_of_the_card_are_asked_for(page):
    wanted = []
    page.neighbours_wanted.connect(wanted.append)
    page.actions_["like"].trigger()
    page.actions_["like-kept"].trigger()
    page.panel.card._candidate.like.click()
    page.panel.card._kept.like.click()
    kept, candidate = page.panel.case.kept.id, page.panel.current.document.id
    assert wanted == [candidate, kept, candidate, kept]
    assert kept != candidate


@pytest.mark.parametrize("listed", ["groups", "candidates"])
def test_the_menu_of_a_list_leads_to_texts_like_the_one_under_it(page, listed):
    wanted = []
    page.neighbours_wanted.connect(wanted.append)
    view = page.list if listed == "groups" else page.panel.candidates
    row = 0 if listed == "groups" else page.panel.model.position(page.panel.current)
    spot = view.visualRect(view.model().index(row, 0)).center()
    view.customContextMenuRequested.emit(spot)
    menu = next(one for one in page.findChildren(QMenu) if one.isVisible())
    next(one for one in menu.actions() if one.text() == "More like this").trigger()
    menu.close()
    told = page.groups.group(0).keeper if listed == "groups" else page.panel.current.document.id
    assert wanted == [told]


def test_every_action_stands_in_the_menu_with_its_key(page):
    menu = page.menu_actions()["Duplicates"]
    keys = {action.shortcut().toString() for action in menu if not action.isSeparator()}
    assert {"S", "D", "U", "K", "H", "J", "N", "P", "A", "B", "Space", "Backspace"} <= keys


def _bring(
    project: Project, name: str = "calls.csv", texts: Sequence[tuple[str, str]] = ROWS
) -> None:
    settings = ImportSettings(Reading("table", ("text", "city")), ("text",))
    source = project.sources.begin(
        name, path=f"/nowhere/{name}", sha256=name, size=1, settings=settings,
        run=project.runs.begin("import", {}),
    )  # fmt: skip
    rows = [
        StagedRow(
            place, place + 1, None, (text, city), None, text or None,
            hashlib.sha256(text.encode()).hexdigest()[:32] if text else None, False,
        )
        for place, (text, city) in enumerate(texts, start=1)
    ]  # fmt: skip
    project.documents.stage(source, rows)
    project.sources.finish(source, ImportReport(source, name, rows=len(rows)))


def _pair(project: Project, pairs: Sequence[tuple[int, int, float, float, int]] = PAIRS) -> None:
    encoder = project.vectors.encoder(
        "f1", name="tiny", folder="/nowhere", dimension=4, precision="fp32", settings={}
    )
    project.meta.set("encoder", str(encoder.id))
    texts = project.texts.without_vector(encoder.id)
    ones = np.ones(len(texts), np.int32)
    vectors = np.zeros((len(texts), 4), np.float32)
    vectors[:, 0] = 1
    project.vectors.append(
        encoder,
        VectorBatch(
            texts, vectors, ones, ones, np.zeros(len(texts), np.bool_), np.zeros((0, 4), np.float32)
        ),
    )
    pairing = project.pairs.begin(encoder.id, floor=0.7, run=project.runs.begin("pairs", {}))
    columns = zip(*pairs, strict=True) if pairs else ((),) * 5
    left, right, cosine, words, flags = columns
    table = PairTable(
        np.array(left, np.int64), np.array(right, np.int64), np.array(cosine, np.float32),
        np.array(words, np.float32), np.array(flags, np.uint8),
    )  # fmt: skip
    project.pairs.add(pairing.id, table, rows_done=len(texts))
    list(project.pairs.finish(pairing.id))
