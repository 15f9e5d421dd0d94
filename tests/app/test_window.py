"""The real window with its real workers, driven through menus, keys and signals."""

import gc
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from app.jobs import JobEnd, Ticket
from app.main import collect_less
from app.settings import SettingsFile
from app.sheets.import_sheet import ImportSheet
from app.sheets.remove_import import RemoveImportSheet
from app.window import MainWindow
from app.window_faults import FaultDialog, LastNet
from app.window_imports import unused_folder
from app.window_pages import PAGES
from core.errors import UserError
from core.folders import encoder_folder
from core.progress import Progress
from core.records import Changes, ImportReport, Verdict
from core.store import Project

TINY = Path(__file__).resolve().parent.parent / "models" / "bert"
MESSAGES = (
    "id,message\n1,My card was charged twice\n2,My card was charged twice\n"
    "3,Where is my parcel today?\n4,Where is my parcel today\n5,\n"
)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SettingsFile:
    monkeypatch.setenv("SAMESENSE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    made = SettingsFile(tmp_path / "home" / "settings.json")
    made.change(encoder=str(TINY), precision="fp32")
    return made


@pytest.fixture
def window(app: QApplication, settings: SettingsFile) -> Iterator[MainWindow]:
    made = MainWindow(settings, pages=PAGES)
    made.resize(1280, 800)
    made.show()
    QTest.qWaitForWindowExposed(made)
    yield made
    made.close()


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    file = tmp_path / "messages.csv"
    file.write_text(MESSAGES, encoding="utf-8")
    return file


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        QTest.qWait(10)


def settle(window: MainWindow) -> None:
    wait_for(lambda: not window.jobs.running())
    QTest.qWait(100)


def sheet_of(window: MainWindow) -> ImportSheet:
    wait_for(lambda: window.imports.sheet is not None and window.imports.sheet.plan is not None)
    assert window.imports.sheet is not None
    return window.imports.sheet


def import_one(window: MainWindow, file: Path) -> None:
    before = len(window.jobs.history)
    window.import_files([file])
    sheet_of(window).accept()
    wait_for(lambda: len(window.jobs.history) > before)
    settle(window)


def trigger(window: MainWindow, key: str) -> None:
    action = window.actions_[key]
    wait_for(action.isEnabled)  # what is known of the project comes a moment after a job
    action.trigger()


def press_banner_button(window: MainWindow, words: str) -> None:
    buttons = window.messages.area.findChildren(QPushButton)
    next(one for one in buttons if one.text() == words and one.isVisible()).click()


def test_the_window_loads_no_heavy_library() -> None:
    heavy = ("torch", "transformers", "scipy", "sklearn", "faiss")
    code = f"import sys, app.main; print([n for n in {heavy} if n in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_the_window_begins_on_the_start_page_without_rail(window: MainWindow) -> None:
    assert window.stack.currentWidget() is window.start_page
    assert not window.rail.isVisible()


def test_what_needs_a_project_is_disabled_without_one(window: MainWindow) -> None:
    for key in ("export", "close", "prepare", "undo", "encode", "remove-import", "find"):
        assert not window.actions_[key].isEnabled(), key


def test_every_action_is_in_a_menu_and_has_a_name(window: MainWindow) -> None:
    names = [action.text() for action in window.actions_.every()]
    assert all(names)
    assert {"Import files…", "Find duplicates", "Settings…", "All commands…"} <= set(names)


def test_importing_a_file_makes_a_project_named_after_it(
    window: MainWindow, messages: Path
) -> None:
    import_one(window, messages)
    assert window.workspace.folder is not None
    assert window.workspace.folder.name == "messages.samesense"


def test_the_report_of_an_import_adds_up_in_the_banner(window: MainWindow, messages: Path) -> None:
    import_one(window, messages)
    words = window.messages.text("report")
    assert "5 rows read" in words
    assert "1 without a text" in words


def test_the_same_file_again_says_that_nothing_was_added(
    window: MainWindow, messages: Path
) -> None:
    import_one(window, messages)
    window.messages.clear()
    import_one(window, messages)
    assert "nothing was added" in window.messages.text("report")


def test_files_dropped_on_the_window_are_imported_in_turn(
    window: MainWindow, messages: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("message\nAnother text altogether\n", encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(messages)), QUrl.fromLocalFile(str(other))])
    drop = QDropEvent(
        QPoint(600, 400), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    window.dropEvent(drop)
    first = sheet_of(window)
    first.accept()
    wait_for(lambda: window.imports.sheet is not None and window.imports.sheet is not first)
    sheet_of(window).accept()
    wait_for(lambda: len(window.jobs.history) == 2)
    settle(window)
    wait_for(lambda: window.workspace.state is not None and window.workspace.state.rows == 6)


def test_an_import_of_blank_rows_offers_no_search_for_duplicates(window: MainWindow) -> None:
    window.messages.show_report(ImportReport(1, "blank.csv", rows=3, blank=3))
    buttons = window.messages.area.findChildren(QPushButton)
    assert "Find duplicates" not in [one.text() for one in buttons]
    window.messages.show_report(ImportReport(2, "calls.csv", rows=3, blank=1))
    buttons = window.messages.area.findChildren(QPushButton)
    assert "Find duplicates" in [one.text() for one in buttons]


def test_finding_duplicates_from_the_report_groups_the_rows(
    window: MainWindow, messages: Path
) -> None:
    import_one(window, messages)
    press_banner_button(window, "Find duplicates")
    wait_for(lambda: window.workspace.state is not None and window.workspace.state.grouping)
    assert "group" in window.messages.text("report")


def test_undo_names_the_step_and_takes_it_back(window: MainWindow, messages: Path) -> None:
    import_one(window, messages)
    window.workspace.start(
        "decide",
        {"pairs": [[1, 2]], "verdict": str(Verdict.SAME), "title": "accept 120 pairs"},
        title="Deciding", lane="live",
    )  # fmt: skip
    wait_for(lambda: window.actions_["undo"].text() == "Undo: accept 120 pairs")
    trigger(window, "undo")
    wait_for(lambda: window.actions_["redo"].text() == "Redo: accept 120 pairs")
    assert not window.actions_["undo"].isEnabled()


def test_pages_are_reached_by_their_numbers(window: MainWindow, messages: Path) -> None:
    import_one(window, messages)
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    QTest.qWait(20)
    assert window.page is window.pages["Duplicates"]


def test_the_page_shown_last_is_shown_again(window: MainWindow, messages: Path) -> None:
    import_one(window, messages)
    folder = window.workspace.folder
    window.show_page("Duplicates")
    trigger(window, "close")
    window.open_project(folder)
    wait_for(lambda: window.workspace.state is not None)
    assert window.page is window.pages["Duplicates"]


def test_an_import_can_be_removed_again(window: MainWindow, messages: Path) -> None:
    import_one(window, messages)
    trigger(window, "remove-import")
    wait_for(lambda: window.findChild(RemoveImportSheet) is not None)
    sheet = window.findChild(RemoveImportSheet)
    button = next(one for one in sheet.findChildren(QPushButton) if one.text() == "Remove 5 rows")
    button.click()
    wait_for(lambda: window.workspace.state is not None and window.workspace.state.rows == 0)


def test_a_project_open_elsewhere_is_read_only_and_says_so(
    window: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "held.samesense"
    with Project.create(folder):
        window.open_project(folder)
        wait_for(lambda: window.workspace.state is not None)
        assert "nothing can be changed" in window.messages.text("read-only")
        assert not window.actions_["import"].isEnabled()
        window.workspace.close()


def test_interrupted_work_is_offered_to_be_continued(window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "cut.samesense"
    with Project.create(folder) as project:
        project.runs.begin("encode", {})
    window.open_project(folder)
    wait_for(lambda: window.messages.text("recovery"))
    assert "Encoding was interrupted" in window.messages.text("recovery")


def test_a_folder_that_is_no_project_is_refused_in_words(
    window: MainWindow, tmp_path: Path
) -> None:
    window.open_project(tmp_path)
    assert window.findChild(FaultDialog) is not None
    assert window.stack.currentWidget() is window.start_page


def test_a_failed_job_says_its_cause_above_the_page(window: MainWindow, messages: Path) -> None:
    window.settings.change(encoder=str(messages.parent / "nowhere"))
    import_one(window, messages)
    trigger(window, "prepare")
    wait_for(lambda: window.messages.text("failure"))
    assert "nowhere" in window.messages.text("failure")


def test_the_question_about_very_many_pairs_has_both_numbers(window: MainWindow) -> None:
    told = {"too_many": True, "floor": 0.6, "floor_for_most": 0.83, "expected": 12_300_000,
            "seconds": 300.0}  # fmt: skip
    window.preparing._ask(JobEnd("finished", told, Changes()), "")
    question = window.preparing.question
    assert question is not None
    assert "about 12 M pairs" in question.text()
    assert any(button.text() == "Find pairs from 0.83" for button in question.buttons())
    question.close()


def test_an_interrupted_training_is_told_with_the_page_where_it_goes_on(
    window: MainWindow,
) -> None:
    shown: list[str] = []
    window.messages.page_wanted.connect(shown.append)
    run = {"workflow": "train", "started": "2026-05-12T10:00:00+00:00"}
    window.messages.show_recovery({"interrupted": [run], "dropped_imports": []})
    assert "resume or discard it on the Teach page" in window.messages.text("recovery")
    window.messages.area.clicked.emit("recovery", "teach")
    assert shown == ["Teach"]


def test_an_interrupted_step_of_multiply_is_told_with_its_page(window: MainWindow) -> None:
    shown: list[str] = []
    window.messages.page_wanted.connect(shown.append)
    run = {"workflow": "augment-label", "started": "2026-05-12T10:00:00+00:00"}
    window.messages.show_recovery({"interrupted": [run], "dropped_imports": []})
    assert "goes on where it was on the Multiply page" in window.messages.text("recovery")
    window.messages.area.clicked.emit("recovery", "multiply")
    assert shown == ["Multiply"]


def test_pages_come_in_their_order_with_a_key_each(window: MainWindow) -> None:
    actions = window.rail.page_actions()
    assert [(one.text(), one.shortcut().toString()) for one in actions] == [
        ("Corpus", "Ctrl+1"), ("Duplicates", "Ctrl+2"), ("Search", "Ctrl+3"), ("Map", "Ctrl+4"),
        ("Teach", "Ctrl+5"), ("Multiply", "Ctrl+6"),
    ]  # fmt: skip  # one page after the other


def test_a_training_asked_for_by_another_page_is_shown_on_the_teach_page(
    window: MainWindow,
) -> None:
    window.pages["Multiply"].training_wanted.emit(1)
    assert window.page is window.pages["Teach"]


def test_leaving_asks_only_while_work_would_be_lost(
    window: MainWindow, messages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_one(window, messages)
    asked: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()))
        for wish in ("prepare", "import", "train", "export-rows"):
            patch.setattr(window.jobs, "running", lambda w=wish: [Ticket(99, w, w)])
            window.projects.may_leave()
        both = [Ticket(98, "import", "Importing"), Ticket(99, "export", "Exporting")]
        patch.setattr(window.jobs, "running", lambda: both)
        window.projects.may_leave()
    assert asked == [
        "An import is running: import.",
        "An export is running: export-rows.",
        "An import and an export are running: Importing, Exporting.",
    ]


def test_a_window_that_stays_because_an_import_runs_keeps_it(
    window: MainWindow, messages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_one(window, messages)
    with monkeypatch.context() as patch:
        patch.setattr(QMessageBox, "exec", lambda box: None)  # nothing chosen: stay
        patch.setattr(window.jobs, "running", lambda: [Ticket(99, "import", "Importing")])
        window.close()
        window.projects.close()
    assert window.isVisible()
    assert window.workspace.folder is not None


def test_a_failure_is_told_until_the_same_step_has_succeeded(window: MainWindow) -> None:
    drawing, deciding = Ticket(98, "chart", "Drawing the map"), Ticket(99, "decide", "Deciding")
    failed = JobEnd("failed", what="The worker stopped.", remedy="Try again.")
    window.messages.show_failure(drawing, failed)
    window.workspace.job_ended.emit(deciding, JobEnd("finished"))
    assert "Drawing the map" in window.messages.text("failure")
    window.workspace.job_ended.emit(drawing, JobEnd("finished"))
    assert window.messages.text("failure") == ""


def test_the_commands_are_listed_by_name(window: MainWindow) -> None:
    trigger(window, "palette")
    assert "Try the demo" in window.palette_sheet.matches()
    window.palette_sheet.close_sheet()


def test_window_keys_that_a_page_uses_itself_are_the_pages(
    window: MainWindow, messages: Path
) -> None:
    import_one(window, messages)
    shown = [
        action.shortcut().toString()
        for action in window.actions_.every()
        if not action.shortcut().isEmpty()
        and action.shortcutContext() != Qt.ShortcutContext.WidgetShortcut
    ]
    assert len(shown) == len(set(shown))


def test_a_fault_of_the_window_shows_a_dialog_with_details(
    app: QApplication, capsys: pytest.CaptureFixture[str]
) -> None:
    net = LastNet()
    try:
        raise ZeroDivisionError("a bug")
    except ZeroDivisionError as fault:
        net.take(type(fault), fault, fault.__traceback__)
    dialog = next(one for one in app.topLevelWidgets() if isinstance(one, FaultDialog))
    assert "ZeroDivisionError: a bug" in dialog.details
    capsys.readouterr()


def test_progress_shows_a_smoothed_rate_and_the_time_left(window: MainWindow) -> None:
    clock = [0.0]
    window.jobs._clock = lambda: clock[0]
    ticket = Ticket(7, "encode", "Encoding")
    window.workspace.job_queued.emit(ticket)
    window.workspace.job_started.emit(ticket)
    for second in range(6):
        clock[0] = float(second)
        progress = Progress("Encoding texts", second * 100, 1000, "texts")
        window.workspace.job_progressed.emit(ticket, progress)
    line = window.jobs.current
    assert line is not None
    assert line.rate == pytest.approx(100)
    assert line.remaining_s == pytest.approx(5)
    window.workspace.job_ended.emit(ticket, JobEnd("finished", {"added": 1000}, Changes()))
    assert window.jobs.history[0].message == "1,000 texts"


def test_a_second_project_of_a_name_gets_a_number(tmp_path: Path) -> None:
    (tmp_path / "Demo.samesense").mkdir()
    assert unused_folder(tmp_path, "Demo").name == "Demo 2.samesense"


def test_settings_survive_a_damaged_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"theme": "dark", "text_size": "huge", "recents": ["a"]}', encoding="utf-8")
    values = SettingsFile(file).values
    assert (values.theme, values.text_size, values.recents) == ("dark", 100, ("a",))
    file.write_text("{", encoding="utf-8")
    assert SettingsFile(file).values.theme == "system"


def test_the_demo_is_imported_and_goes_on_by_itself(window: MainWindow) -> None:
    trigger(window, "demo")
    wait_for(lambda: window.workspace.state is not None and window.workspace.state.rows > 1000)
    assert window.workspace.folder is not None
    assert window.workspace.folder.name == "Demo.samesense"
    assert [ticket.wish for ticket in window.jobs.running()] == ["prepare"]
    trigger(window, "cancel")
    settle(window)


@pytest.mark.slow
def test_the_demo_goes_from_menu_to_groups(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS")  # the real encoder on every processor there is
    try:
        encoder_folder()
    except UserError as fault:
        pytest.skip(f"{fault}")
    window.settings.change(encoder="default")
    trigger(window, "demo")
    wait_for(lambda: window.workspace.state is not None and window.workspace.state.grouping, 280)
    assert "duplicates" in window.messages.text("report")


def test_what_the_start_has_made_is_left_out_of_collections(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.main._STARTED_MS", 0)
    try:
        collect_less(window)
        wait_for(gc.get_freeze_count)
    finally:
        gc.unfreeze()


def test_what_changed_opens_by_its_key_and_goes_back(window: MainWindow, messages: Path) -> None:
    assert not window.actions_["changes"].isEnabled()
    import_one(window, messages)
    window.show_page("Duplicates")
    trigger(window, "changes")
    assert window.page is window.pages["What changed"]
    assert window.rail.current == "Duplicates"
    assert "What changed" in {action.text() for action in window.actions_.every()}
    window.activateWindow()
    wait_for(window.isActiveWindow)
    QTest.keyClick(window.page, Qt.Key.Key_Escape)
    assert window.page is window.pages["Duplicates"]


def test_what_changed_is_not_the_page_that_the_next_start_shows(
    window: MainWindow, settings: SettingsFile, messages: Path
) -> None:
    import_one(window, messages)
    window.show_page("Search")
    window.show_page("What changed")
    window.close()
    assert settings.values.page == "Search"
