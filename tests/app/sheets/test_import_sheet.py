"""The import sheet with a real worker that looks into real files."""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
import xlsxwriter
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.sheets.import_plan import two_readings
from app.sheets.import_sheet import ImportSheet, KnownFile
from app.workspace import Workspace
from core.corpus import read_rows
from core.records import DateColumn

TICKETS = (
    "id;created;title;body\n"
    "1;03/04/2025;Charged twice;My card was charged twice for the same order\n"
    "2;05/06/2025;Parcel;Where is my parcel? Nobody can tell me\n"
    "3;07/08/2025;App;The app closes when I open the settings\n"
)


@pytest.fixture(scope="module")
def shared(app: QApplication) -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.stop()


@pytest.fixture
def open_sheet(
    shared: Workspace, tmp_path: Path, nothing_left_running: None
) -> Iterator[Callable[..., ImportSheet]]:
    opened: list[ImportSheet] = []

    def open_now(file: Path, **named: object) -> ImportSheet:
        sheet = ImportSheet(file, shared, **named)  # type: ignore[arg-type]  # the sheet's own
        opened.append(sheet)
        ready: list[bool] = []
        sheet.ready.connect(lambda: ready.append(True))
        sheet.show()
        wait_for(lambda: ready)
        return sheet

    yield open_now
    for sheet in opened:
        sheet._later.stop()
        sheet.close()
        sheet.deleteLater()


@pytest.fixture
def tickets(tmp_path: Path) -> Path:
    file = tmp_path / "tickets.csv"
    file.write_text(TICKETS, encoding="utf-8")
    return file


def wait_for(condition: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        QTest.qWait(10)


def test_a_file_with_one_column_needs_no_question(
    open_sheet: Callable[..., ImportSheet], tmp_path: Path
) -> None:
    file = tmp_path / "one.csv"
    file.write_text("message\nAn apple\nA pear\n", encoding="utf-8")
    sheet = open_sheet(file)
    QTest.keyClick(sheet, Qt.Key.Key_Return)
    assert sheet.result() == ImportSheet.DialogCode.Accepted
    assert sheet.settings.text_columns == ("message",)


def test_the_button_says_how_many_rows(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    assert open_sheet(tickets)._import.text() == "Import 3 rows"


def test_an_ambiguous_date_is_asked_with_an_example(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    assert not sheet._import.isEnabled()
    assert "03/04/2025" in sheet._reason.text()
    month_first = sheet._dates.buttons("created")["mdy"]
    assert month_first.text() == "4 March 2025"
    month_first.click()
    assert sheet._import.isEnabled()
    assert sheet.settings.date_columns == (DateColumn("created", "mdy"),)


def test_a_column_that_is_just_kept_needs_no_answer(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    sheet.choose("created", "keep")
    assert sheet._import.isEnabled()
    assert sheet.settings.date_columns == ()


def test_several_text_columns_are_previewed_as_one_text(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    wait_for(lambda: sheet._text.preview.startswith("Charged twice\nMy card"))


def test_the_template_is_used_as_edited(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    sheet._text._template.setPlainText("{title}: {body}")
    wait_for(lambda: sheet._text.preview.startswith("Charged twice: My card"))
    assert sheet.settings.template == "{title}: {body}"


def test_a_template_that_cannot_work_stops_the_import_and_says_why(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    sheet.choose("created", "keep")
    sheet._text._template.setPlainText("{body} {nothing}")
    wait_for(lambda: "nothing" in sheet._reason.text())
    assert not sheet._import.isEnabled()


def test_without_a_text_column_the_reason_stands_beside_the_button(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    for column in ("created", "title", "body"):
        sheet.choose(column, "keep")
    assert not sheet._import.isEnabled()
    assert "column that holds the text" in sheet._reason.text()


def test_keys_give_the_current_column_its_role(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    table = sheet._table
    table.setCurrentIndex(table.model().index(0, 3))
    QTest.keyClick(table, Qt.Key.Key_K)
    assert sheet.plan is not None
    assert sheet.plan.texts == ("title",)


def test_a_click_on_a_header_opens_the_roles(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    header = sheet._table.horizontalHeader()
    spot = header.viewport().rect().center()
    spot.setX(header.sectionViewportPosition(0) + 20)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    menu = next(one for one in sheet._table.findChildren(QMenu) if one.isVisible())
    assert [action.text().split("\t")[0] for action in menu.actions()] == [
        "Text", "Id", "Date", "Just keep",
    ]  # fmt: skip
    menu.close()


def test_another_delimiter_reads_the_file_again(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    box = sheet._reading.box("delimiter")
    at = box.findData("|")
    box.setCurrentIndex(at)
    box.activated.emit(at)
    wait_for(lambda: sheet.plan is not None and len(sheet.plan.inspected.reading.columns) == 1)


def test_a_table_without_a_header_can_be_told(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    box = sheet._reading.box("header_line")
    at = box.findText("None")
    box.setCurrentIndex(at)
    box.activated.emit(at)
    wait_for(lambda: sheet.plan is not None and sheet.plan.inspected.rows == 4)
    assert sheet.settings.reading.header_line is None


def test_warnings_name_their_lines(open_sheet: Callable[..., ImportSheet], tmp_path: Path) -> None:
    file = tmp_path / "ragged.csv"
    file.write_text("id,text\n1,One thing\n2\n3,Another thing\n", encoding="utf-8")
    assert "line 3" in open_sheet(file)._banner.text


def test_the_sheet_of_a_spreadsheet_can_be_chosen(
    open_sheet: Callable[..., ImportSheet], tmp_path: Path
) -> None:
    file = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(file) as book:
        for name in ("First", "Second"):
            sheet_ = book.add_worksheet(name)
            sheet_.write_column(0, 0, ["message", f"{name} text to read", "Some more words"])
    sheet = open_sheet(file)
    box = sheet._reading.box("sheet")
    box.setCurrentIndex(1)
    box.activated.emit(1)
    wait_for(lambda: sheet.plan is not None and sheet.plan.inspected.reading.sheet == "Second")


def test_replacing_rows_is_offered_only_for_a_known_file_and_id(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    assert open_sheet(tickets, known=[KnownFile("tickets.csv", "id")])._updates.isVisible()
    assert not open_sheet(tickets, known=[KnownFile("other.csv", "id")])._updates.isVisible()


def test_a_folder_that_holds_other_things_is_no_place_for_a_project(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets, project_folder=tickets.parent)
    sheet.choose("created", "keep")
    assert "holds other things" in sheet._reason.text()
    assert not sheet._import.isEnabled()


def test_a_file_that_cannot_be_read_says_why(
    open_sheet: Callable[..., ImportSheet], tmp_path: Path
) -> None:
    file = tmp_path / "empty.csv"
    file.touch()
    sheet = open_sheet(file)
    assert "empty" in sheet._banner.text
    assert not sheet._import.isEnabled()


def test_the_rows_shown_are_the_rows_that_the_import_reads(
    open_sheet: Callable[..., ImportSheet], tickets: Path
) -> None:
    sheet = open_sheet(tickets)
    assert sheet.plan is not None
    read = [asdict(row)["cells"] for row in read_rows(tickets, sheet.settings.reading)]
    assert [row.cells for row in sheet.plan.inspected.sample] == read


@pytest.mark.parametrize(
    ("example", "readings"),
    [
        ("03/04/2025", ("3 April 2025", "4 March 2025")),
        ("3.4.25 10:00", ("3 April 25", "4 March 25")),
        ("13/04/2025", None),
        ("2025-04-03", None),
    ],
)
def test_only_figures_that_allow_both_have_two_readings(
    example: str, readings: tuple[str, str] | None
) -> None:
    assert two_readings(example) == readings
