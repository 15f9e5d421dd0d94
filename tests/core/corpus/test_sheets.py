import datetime

import pytest
import xlsxwriter

from core.corpus import LINE_BREAK, inspect, read_rows
from core.errors import UserError


@pytest.fixture
def book(tmp_path):
    """A workbook with an empty first sheet, titles above the table and cells of each kind."""
    path = tmp_path / "Bücher 文書.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("Empty")
        page = made.add_worksheet("Tickets")
        day = made.add_format({"num_format": "yyyy-mm-dd"})
        page.write_string(0, 0, "Tickets of the year")
        page.write_row(2, 0, ["id", "text", "price", "opened", "done"])
        page.write_row(3, 0, [1, "where is\nmy parcel", 2.5])
        page.write_datetime(3, 3, datetime.datetime(2024, 3, 1), day)
        page.write_boolean(3, 4, True)
        page.write_row(5, 0, [2, "NA", 0.1 + 0.2])
        page.write_row(6, 0, [3, "=1+1 is a text"])
        other = made.add_worksheet("Other")
        other.write_row(0, 0, ["id", "text"])
        other.write_row(1, 0, [7, "seven texts"])
    return path


def test_the_first_sheet_with_a_table_is_taken(book):
    seen = inspect(book)
    assert (seen.reading.sheet, seen.sheets) == ("Tickets", ("Empty", "Tickets", "Other"))
    assert seen.reading.columns == ("id", "text", "price", "opened", "done")


def test_cells_are_written_as_people_see_them(book):
    rows = inspect(book).sample
    assert rows[0].cells == ("1", "where is\nmy parcel", "2.5", "2024-03-01", "TRUE")
    assert rows[1].cells == ("2", "NA", "0.3", None, None)


def test_lines_are_the_numbers_of_the_spreadsheet(book):
    assert [row.line for row in inspect(book).sample] == [4, 6, 7]


def test_a_line_break_in_a_cell_is_marked(book):
    assert inspect(book).sample[0].oddities == (LINE_BREAK,)


def test_another_sheet_may_be_chosen(book):
    reading = inspect(book, sheet="Other").reading
    assert [row.cells for row in read_rows(book, reading)] == [("7", "seven texts")]


def test_a_missing_sheet_is_told_with_those_there_are(book):
    with pytest.raises(UserError, match='"Tickets"'):
        inspect(book, sheet="Tikets")


def test_a_table_that_starts_away_from_the_corner_keeps_its_columns(tmp_path):
    path = tmp_path / "texts.xlsx"
    with xlsxwriter.Workbook(path) as made:
        page = made.add_worksheet()
        page.write_row(4, 2, ["id", "text"])
        page.write_row(5, 2, [1, "one text"])
        page.write_row(6, 2, [2, "two texts"])
    seen = inspect(path)
    assert seen.reading.columns == ("column 1", "column 2", "id", "text")
    assert (seen.sample[0].line, seen.sample[0].cells) == (6, (None, None, "1", "one text"))


def test_a_damaged_spreadsheet_is_refused(book):
    book.write_bytes(book.read_bytes()[:-900])
    with pytest.raises(UserError, match="damaged"):
        inspect(book)


def test_a_spreadsheet_with_a_password_is_refused(write):
    marks = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000)
    path = write(marks + "EncryptedPackage".encode("utf-16-le") + bytes(1000), "secret.xlsx")
    with pytest.raises(UserError, match="password"):
        inspect(path)


def test_an_empty_workbook_is_told(tmp_path):
    path = tmp_path / "texts.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet()
    with pytest.raises(UserError, match="empty"):
        inspect(path)
