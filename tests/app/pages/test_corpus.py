import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.jobs import JobEnd, Ticket
from app.pages.corpus import CorpusPage
from app.pages.corpus_reads import date_words
from app.workspace import Workspace
from core.records import Changes, DateColumn, ImportReport, ImportSettings, Reading
from core.store import (
    GroupRow,
    MemberRow,
    PairTable,
    Project,
    ReviewRow,
    StagedRow,
    VectorBatch,
)

COLUMNS = ("id", "text", "city", "when")
ROWS = (
    ("a1", "My card was charged twice.", "Lyon", "12/05/2026"),
    ("a2", "My card was charged twice.", "Nice", "03/06/2026"),
    ("a3", "I was charged two times with my card.", "Lyon", "04/06/2026"),
    ("a4", "Where is my parcel?", "Seville", None),
    ("a5", None, "Nice", None),
    ("a6", "ok", "Nice", None),
    ("a7", "nul \x00 here and \x0b there", "Łódź", None),
    ("a8", "مرحبا، لم تصل الشحنة (order 4711)", "Lyon", None),
)


OpenPage = Callable[..., CorpusPage]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with two files, vectors, pairs and groups."""
    with Project.create(tmp_path / "talk.samesense") as project:
        bring(project, "talk.csv", ROWS, odd=1)
        bring(project, "more.csv", (("b1", "Where is my parcel?", "Metz", None),))
        encode_and_group(project)
    return tmp_path / "talk.samesense"


@pytest.fixture
def empty_folder(tmp_path: Path) -> Path:
    with Project.create(tmp_path / "empty.samesense"):
        pass
    return tmp_path / "empty.samesense"


@pytest.fixture
def open_page(app: QApplication, show: Callable[..., object]) -> Iterator[OpenPage]:
    """Show the page of a project; it is closed after the test."""
    opened: list[Workspace] = []

    def opened_on(
        folder: Path | None, width: int = 1200, height: int = 720, *, worker: bool = False
    ) -> CorpusPage:
        workspace = Workspace()
        opened.append(workspace)
        page = CorpusPage(workspace)
        show(page, width, height)
        if folder is not None and worker:
            workspace.open(folder)
        elif folder is not None:
            # What `open` does once its worker has answered; starting one takes two seconds.
            workspace._begin_reading(folder)
        if folder is not None:
            wait(lambda: page.feed.facts is not None or bool(page.notices.words))
            settle(page)
        return page

    yield opened_on
    for workspace in opened:
        workspace.stop()
        workspace.deleteLater()


def wait(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Let the window live until something holds."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.002)
    assert condition(), "it did not happen in time"


def settle(page: CorpusPage) -> None:
    """Wait until the rows are listed and the current one is in the reader."""
    quiet_since = time.monotonic()

    def is_quiet() -> bool:
        nonlocal quiet_since
        detail = page.reader.detail
        shown = None if detail is None else detail.document.id
        if shown != page.current:
            quiet_since = time.monotonic()
        return time.monotonic() - quiet_since > 0.15

    wait(is_quiet)


def texts(page: CorpusPage) -> list[object]:
    """The texts in the table, as they were given."""
    wait(lambda: page.feed.model.rowCount() == 0 or page.feed.model.row(0) is not None)
    rows = [page.feed.model.row(at) for at in range(page.feed.model.rowCount())]
    return [None if row is None else row[1] for row in rows]


def marks(page: CorpusPage, row: int) -> list[str]:
    cells = page.feed.model.row(row)
    assert cells is not None
    tags = cells[2]
    assert isinstance(tags, tuple)
    return [tag.words for tag in tags]


def choose(page: CorpusPage, mark: str) -> None:
    page.filter.choose_mark(mark)
    settle(page)


def test_an_empty_project_says_what_to_do(open_page, empty_folder):
    page = open_page(empty_folder)
    wanted = []
    page.import_wanted.connect(wanted.append)
    assert page.empty.sentence == "Nothing imported yet."
    page.empty.wanted.emit()
    assert wanted == [[]]


def test_a_first_import_under_way_is_told(open_page, empty_folder):
    page = open_page(empty_folder)
    ticket = Ticket(1, "import", "Importing")
    page.workspace.job_queued.emit(ticket)
    assert page.empty.sentence == "Importing…"
    page.workspace.job_ended.emit(ticket, JobEnd("failed", {}, Changes(), "no"))
    assert page.empty.sentence == "Nothing imported yet."


def test_rows_stay_to_be_read_while_another_file_is_imported(open_page, folder):
    page = open_page(folder)
    page.workspace.job_queued.emit(Ticket(1, "import", "Importing"))
    assert page.table.isVisible()
    page.table.move_by(2)
    settle(page)
    assert page.reader.view.text == "I was charged two times with my card."


def test_every_row_is_listed_in_the_order_of_the_files(open_page, folder):
    page = open_page(folder)
    assert texts(page) == [row[1] for row in ROWS] + ["Where is my parcel?"]
    assert page.filter.count_words == "9 rows"


def test_marks_say_what_is_known_of_a_row(open_page, folder):
    page = open_page(folder)
    texts(page)
    assert [marks(page, row) for row in range(6)] == [
        ["kept", "copy ×2"],
        ["removed", "copy ×2"],
        ["removed", "long"],
        ["copy ×2"],
        ["blank"],
        ["very short"],
    ]
    assert marks(page, 7) == ["unreadable"]


def test_words_narrow_the_rows_once_typing_has_paused(open_page, folder):
    page = open_page(folder)
    page.focus_search()
    QTest.keyClicks(page.filter.search, "CHARGED")
    assert page.feed.model.rowCount() == 9
    wait(lambda: page.feed.model.rowCount() == 3)
    settle(page)
    assert page.filter.count_words == "3 of 9 rows"
    assert page.reader.view.spans == ((12, 19),)


@pytest.mark.parametrize(
    ("mark", "left"), [("copy", 4), ("blank", 1), ("removed", 2), ("kept", 7), ("long", 1)]
)
def test_a_mark_narrows_the_rows(open_page, folder, mark, left):
    page = open_page(folder)
    choose(page, mark)
    assert page.feed.model.rowCount() == left


def test_a_column_filter_is_a_chip_that_can_go_again(open_page, folder):
    page = open_page(folder)
    page.filter.add_column("city", "lyon")
    settle(page)
    assert (page.filter.chips, page.feed.model.rowCount()) == (["city: lyon"], 3)
    page.filter._chips.removed.emit(0)
    settle(page)
    assert (page.filter.chips, page.feed.model.rowCount()) == ([], 9)


def test_a_filter_that_leaves_nothing_offers_to_go(open_page, folder):
    page = open_page(folder)
    page.filter.add_column("city", "Atlantis")
    wait(lambda: page._none.isVisible())
    assert page.filter.count_words == "0 of 9 rows"
    page._none.wanted.emit()
    wait(lambda: page.feed.model.rowCount() == 9)


def test_a_head_sorts_up_then_down_then_not_at_all(open_page, folder):
    page = open_page(folder)
    when = [column.title for column in page.feed.facts.columns].index("when")
    orders = []
    for _ in range(3):
        before = page.feed.ids
        page.table.horizontalHeader().sectionClicked.emit(when)
        wait(lambda before=before: page.feed.ids is not before)
        orders.append(page.feed.ids.tolist())
    dated = [1, 2, 3]
    assert [number for number in orders[0] if number in dated] == [1, 2, 3]
    assert orders[1][:3] == [3, 2, 1]
    assert orders[2] == list(range(1, 10))


def test_the_row_one_is_on_stays_when_the_order_changes(open_page, folder):
    page = open_page(folder)
    page.show_document(4)
    settle(page)
    choose(page, "copy")
    assert page.current == 4


def test_keys_walk_the_rows(open_page, folder):
    page = open_page(folder)
    page.table.setFocus()
    seen = []
    for key in (Qt.Key.Key_J, Qt.Key.Key_J, Qt.Key.Key_K, Qt.Key.Key_End, Qt.Key.Key_Home):
        QTest.keyClick(page.table, key)
        seen.append(page.current)
    assert seen == [2, 3, 2, 9, 1]


def test_the_stroke_goes_to_the_filter_and_enter_back_to_the_rows(open_page, folder):
    page = open_page(folder)
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_Slash)
    assert page.filter.search.hasFocus()
    QTest.keyClicks(page.filter.search, "parcel")
    QTest.keyClick(page.filter.search, Qt.Key.Key_Return)
    wait(lambda: page.feed.model.rowCount() == 2)
    assert page.table.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_a_key_reads_at_full_width_and_space_goes_back(open_page, folder, key):
    page = open_page(folder)
    page.table.setFocus()
    QTest.keyClick(page.table, key)
    assert page.is_wide
    assert page.reader.view.hasFocus()
    QTest.keyClick(page.reader.view, Qt.Key.Key_Space)
    assert not page.is_wide
    assert page.table.hasFocus()


def test_escape_leaves_full_width(open_page, folder):
    page = open_page(folder)
    page.table.opened.emit()
    QTest.keyClick(page.reader.view, Qt.Key.Key_Escape)
    assert not page.is_wide


def test_letters_typed_in_the_table_read_no_rows(open_page, folder):
    """Qt's own search by letters would go through every row there is."""
    page = open_page(folder)
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_W)
    assert page.current == 1


def test_the_clipboard_gets_the_text_as_it_is_stored(open_page, folder):
    page = open_page(folder)
    page.show_document(3)
    settle(page)
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "I was charged two times with my card."


@pytest.mark.parametrize("way", ["key", "reader"])
def test_the_texts_like_a_row_are_asked_for(open_page, folder, way):
    page = open_page(folder)
    page.show_document(3)
    settle(page)
    wanted = []
    page.neighbours_wanted.connect(wanted.append)
    page.table.setFocus()
    if way == "key":
        QTest.keyClick(page.table, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    else:
        page.reader._like.click()
    assert wanted == [3]


def test_the_menu_of_a_row_leads_to_texts_like_it(open_page, folder):
    page = open_page(folder)
    page.show_document(4)
    settle(page)
    wanted = []
    page.neighbours_wanted.connect(wanted.append)
    page.table.menu_wanted.emit(page.table.mapToGlobal(page.table.rect().center()))
    menu = next(one for one in page.findChildren(QMenu) if one.isVisible())
    next(one for one in menu.actions() if one.text() == "More like this").trigger()
    menu.close()
    assert wanted == [4]


def test_a_row_without_a_text_has_none_like_it(open_page, folder):
    page = open_page(folder)
    page.show_document(5)
    settle(page)
    assert not page.reader._like.isVisible()


def test_control_characters_are_shown_as_signs(open_page, folder):
    page = open_page(folder)
    page.show_document(7)
    settle(page)
    assert page.reader.view.toPlainText() == "nul ␀ here and ␋ there"
    assert page.feed.model.index(6, 1).data() == "nul ␀ here and ␋ there"


def test_a_text_from_right_to_left_runs_its_own_way(open_page, folder):
    page = open_page(folder)
    page.show_document(8)
    settle(page)
    option = page.reader.view.document().defaultTextOption()
    assert option.textDirection() == Qt.LayoutDirection.RightToLeft


def test_the_reader_shows_all_columns_with_dates_in_words(open_page, folder):
    page = open_page(folder)
    shown = dict(page.reader._columns.values)
    assert (shown["id"], shown["city"]) == ("a1", "Lyon")
    assert shown["when"] == "12/05/2026  (12 May 2026)"


def test_the_reader_says_where_a_row_went_and_leads_there(open_page, folder):
    page = open_page(folder)
    fates = []
    for document in (1, 2, 3, 4, 5):
        page.show_document(document)
        settle(page)
        fates.append(page.reader.fate)
    assert fates == [
        "Kept for 2 other rows.",
        "Removed for #a1: it is the same text.",
        "Removed for #a1: it says the same (cosine 0.98).",
        "Kept on its own.",
        "Kept: a row without a text is never removed.",
    ]
    page.show_document(3)
    settle(page)
    page.reader._fate._link.click()
    settle(page)
    assert page.current == 1


def test_copies_are_listed_with_their_places_and_lead_there(open_page, folder):
    page = open_page(folder)
    page.show_document(4)
    settle(page)
    (row,) = page.reader._copies.rows
    assert row.link.words == "#b1 · more.csv · row 1, line 2"
    row.click()
    settle(page)
    assert page.current == 9


def test_nearest_texts_come_with_their_cosine_and_verdict(open_page, folder):
    page = open_page(folder)
    rows = page.reader._nearest.rows
    assert [(row.link.figure, row.link.words) for row in rows] == [
        ("0.98", "I was charged two times with my card."),
        ("0.71", "Where is my parcel?"),
    ]
    assert [row.link.tag and row.link.tag.words for row in rows] == [None, "Different"]


def test_showing_a_row_that_a_filter_hides_clears_the_filter(open_page, folder):
    page = open_page(folder)
    choose(page, "blank")
    page.show_document(3)
    settle(page)
    assert page.current == 3
    assert page.filter.is_empty


def test_all_copies_can_be_listed_in_the_table(open_page, folder):
    page = open_page(folder)
    page.filter.choose_text(1, "#a1")
    settle(page)
    assert page.filter.chips == ["Copies of #a1"]
    assert page.feed.ids.tolist() == [1, 2]


def test_columns_are_shown_and_hidden_as_chosen(open_page, folder):
    page = open_page(folder)
    page.table.set_shown("column:city", False)
    page.table.set_shown("column:text", True)
    page.feed.read_facts()
    settle(page)
    assert not page.table.is_shown("column:city")
    assert page.table.is_shown("column:text")


def test_in_a_narrow_window_the_text_keeps_its_half(open_page, folder):
    page = open_page(folder, 900, 600)
    assert page.table.columnWidth(1) >= page.table.viewport().width() // 2
    assert page.table.horizontalScrollBar().maximum() == 0


def test_two_lines_per_row_make_the_rows_higher(open_page, folder):
    page = open_page(folder)
    before = page.table.rowHeight(0)
    page.actions_["lines"].trigger()
    assert page.table.rowHeight(0) > before


def test_imports_are_listed_with_what_they_brought(open_page, folder):
    page = open_page(folder)
    page.files.open_sheet()
    wait(lambda: page.files.sheet.isVisible())
    newest, oldest = page.files.sheet.cards
    assert newest.accessibleName() == "more.csv"
    assert oldest.report_words == "8 rows read · 1 without a text"


def test_unusual_lines_of_a_file_can_be_read(open_page, folder):
    page = open_page(folder)
    page.files.open_sheet()
    wait(lambda: page.files.sheet.isVisible())
    page.files.sheet.notes_wanted.emit(1)
    wait(lambda: page.files.sheet.notes.rowCount() == 1)
    assert page.files.sheet.notes.item(0, 1).text() == "a cell was odd"


def test_removing_an_import_asks_first_and_says_how_to_have_it_back(open_page, folder):
    page = open_page(folder, worker=True)
    page.files.open_sheet()
    wait(lambda: page.files.sheet.isVisible())
    card = page.files.sheet.cards[0]
    card.remove.click()
    assert card.confirm.isVisible()
    assert page.feed.facts.total == 9
    card.confirm.click()
    wait(lambda: page.feed.facts.total == 8 and bool(page.notices.words))
    assert (
        page.notices.words == "more.csv was removed with 1 row. Import it again to have them back."
    )
    settle(page)
    assert page.feed.model.rowCount() == 8


def test_a_project_open_elsewhere_can_be_read_but_not_changed(open_page, folder):
    with Project.open(folder):
        page = open_page(folder, worker=True)
        page.files.open_sheet()
        wait(lambda: page.files.sheet.isVisible())
        assert not page.files.sheet.cards[0].remove.isVisible()
        page.workspace.stop()


def test_a_stale_grouping_is_told_where_it_matters(open_page, folder):
    with Project.open(folder) as project:
        project.decisions.decide([(2, 3)], "different", title="Different")
    page = open_page(folder)
    wait(lambda: page.workspace.state is not None)
    assert page.notices.words == ""
    choose(page, "removed")
    assert "something has moved since" in page.notices.words
    assert "moved since" in page.reader.fate
    asked = []
    page.prepare_wanted.connect(lambda: asked.append(True))
    page.notices.answered.emit("stale")
    assert asked == [True]


def test_rows_that_cannot_be_read_are_told_with_the_cause(open_page, folder):
    with sqlite3.connect(folder / "project.sqlite") as database:
        root = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'sources'"
        ).fetchone()[0]
        size = database.execute("PRAGMA page_size").fetchone()[0]
    database.close()
    with (folder / "project.sqlite").open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    page = open_page(folder)
    assert page.notices.words.startswith("The rows could not be read: database disk image")


def test_closing_the_project_empties_the_page(open_page, folder):
    page = open_page(folder)
    page.filter.add_column("city", "Lyon")
    settle(page)
    page.workspace.close()
    assert page.feed.model.rowCount() == 0
    assert page.reader.detail is None
    assert page.filter.is_empty


def test_every_action_is_in_a_menu_with_its_key(open_page):
    page = open_page(None)
    menus = page.menu_actions()
    assert list(menus) == ["View", "Corpus"]
    keys = {action.text(): action.shortcut().toString() for action in menus["Corpus"]}
    assert keys["Next row"] == "J"
    assert keys["Filter the texts"] == "/"


@pytest.mark.parametrize(
    ("iso", "words"),
    [("2026-05-12", "12 May 2026"), ("2026-05-12T14:05:00", "12 May 2026, 14:05"), ("?", "?")],
)
def test_dates_are_shown_as_people_write_them(iso, words):
    assert date_words(iso) == words


@pytest.mark.slow
def test_180_000_rows_never_hold_up_the_window(open_page, tmp_path):
    """Scrolling and typing a filter; the time is the processor's, as other work may run."""
    with Project.create(tmp_path / "huge.samesense") as project:
        rows = [(str(n), f"row {n} with some words to look at, {n % 997}", "Lyon", None)
                for n in range(180_000)]  # fmt: skip
        bring(project, "huge.csv", rows)
    page = open_page(tmp_path / "huge.samesense")
    gaps: list[float] = []
    last = time.thread_time()

    def tick() -> None:
        nonlocal last
        now = time.thread_time()
        gaps.append(now - last)
        last = now

    timer = QTimer()
    timer.setInterval(16)
    timer.timeout.connect(tick)
    timer.start()
    bar = page.table.verticalScrollBar()
    for step in range(60):
        bar.setValue(bar.maximum() * step // 60)
        QApplication.processEvents()
    page.focus_search()
    for letter in "row 12":
        QTest.keyClicks(page.filter.search, letter)
        QApplication.processEvents()
    wait(lambda: page.filter.count_words == "11,111 of 180,000 rows")
    settle(page)
    timer.stop()
    assert max(gaps) < 0.1


def bring(project: Project, name: str, rows: object, *, odd: int = 0) -> None:
    settings = ImportSettings(
        Reading("table", COLUMNS, "utf-8", ","), ("text",), id_column="id",
        date_columns=(DateColumn("when", "dmy"),),
    )  # fmt: skip
    run = project.runs.begin("import", {})
    source = project.sources.begin(name, path=name, sha256=name, size=1, settings=settings, run=run)
    rows = list(rows)
    project.documents.stage(source, [staged(place, row) for place, row in enumerate(rows, 1)])
    if odd:
        project.sources.note(source, [(3, "a cell was odd")])
    blank = sum(row[1] is None for row in rows)
    project.sources.finish(source, ImportReport(source, name, rows=len(rows), blank=blank, odd=odd))
    project.runs.end(run, "finished")


def staged(place: int, row: tuple[str | None, ...]) -> StagedRow:
    key, body, _, when = row
    dates = None if when is None else {"when": "-".join(reversed(when.split("/")))}
    digest = None if body is None else hashlib.sha256(body.encode()).hexdigest()[:32]
    return StagedRow(
        place, place + 1, key, row, dates, body, digest, body is not None and len(body) < 3
    )


def encode_and_group(project: Project) -> None:
    encoder = project.vectors.encoder(
        "f", name="tiny", folder="tiny", dimension=2, precision="fp32", settings={}
    )
    project.meta.set("encoder", str(encoder.id))
    ids = project.texts.without_vector(encoder.id)
    n = len(ids)
    windows = np.ones(n, np.int32)
    windows[1] = 2  # the second text is longer than the model
    unreadable = np.zeros(n, bool)
    unreadable[5] = True  # the Arabic one
    project.vectors.append(
        encoder,
        VectorBatch(
            ids, np.ones((n, 2), np.float32), np.full(n, 9, np.int32), windows, unreadable,
            np.ones((2, 2), np.float32),
        ),
    )  # fmt: skip
    pairing = project.pairs.begin(encoder.id, floor=0.7, run=project.runs.begin("pairs", {}))
    table = PairTable(
        np.array([1, 1]), np.array([2, 3]), np.array([0.98, 0.71], np.float32),
        np.array([0.4, 0.1], np.float32), np.zeros(2, np.uint8),
    )  # fmt: skip
    project.pairs.add(pairing.id, table, rows_done=n)
    for _ in project.pairs.finish(pairing.id):
        pass
    project.decisions.decide([(1, 3)], "different", title="Different")
    project.groupings.replace(
        pairing=pairing.id, threshold=0.97, review=0.86, keep="first",
        inputs=project.inputs_of_groups(project.pairs.current()), counts={"rows": 9},
        groups=[GroupRow(1, 1, 3, 2, 0.98, 0, None)],
        members=[
            MemberRow(1, 1, 1, 1, "kept", None, None),
            MemberRow(2, 1, 1, 1, "copy", 1.0, 1.0),
            MemberRow(3, 2, 1, 1, "similar", 0.98, 0.4),
        ],
        waiting=list[ReviewRow](), run=project.runs.begin("groups", {}),
    )  # fmt: skip
