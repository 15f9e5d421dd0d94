import pytest

from core.corpus import guess_dates, read_date


@pytest.mark.parametrize(
    ("value", "order", "iso"),
    [
        ("2024-01-31", "ymd", "2024-01-31"),
        ("2024-02-29", "mdy", "2024-02-29"),
        (" 2024-01-31 ", "dmy", "2024-01-31"),
        ("0999-01-31", "ymd", "0999-01-31"),
        ("２０２４-01-31", "ymd", "2024-01-31"),
        ("2024-01-31 00:00:00", "ymd", "2024-01-31T00:00:00"),
        ("2024-01-31T23:59:59", "dmy", "2024-01-31T23:59:59"),
        ("2024/1/3", "dmy", "2024-01-03"),
        ("2024-01-31T10:20:30Z", "ymd", "2024-01-31T10:20:30"),
        ("2024-01-31 10:20:30.123456+02:00", "ymd", "2024-01-31T10:20:30"),
        ("03/04/2024", "dmy", "2024-04-03"),
        ("03/04/2024", "mdy", "2024-03-04"),
        ("3.4.24", "dmy", "2024-04-03"),
        ("3.4.99", "dmy", "1999-04-03"),
        ("31/01/2024 9:05", "dmy", "2024-01-31T09:05:00"),
        ("1/31/2024 9:05 PM", "mdy", "2024-01-31T21:05:00"),
        ("12 March 2020", "ymd", "2020-03-12"),
        ("Mar 12, 2020", "ymd", "2020-03-12"),
        ("March 2020", "ymd", "2020-03-01"),
        ("Tue Feb 24 11:35:52 -0800 2015", "ymd", "2015-02-24T11:35:52"),
        ("2024年3月5日", "ymd", "2024-03-05"),
        ("1994", "ymd", "1994-01-01"),
        ("1994-03", "ymd", "1994-03-01"),
        ("20240131", "ymd", "2024-01-31"),
    ],
)
def test_dates_are_read_as_iso(value, order, iso):
    assert read_date(value, order) == iso


@pytest.mark.parametrize(
    "value",
    [
        *("", None, "NA", "12", "3.5", "1234567", "0123 456 78 90", "+49 170 1234567", "12-34"),
        *("31/31/2024", "2024-02-30", "v1.2.3", "192.168.1.1", "10:30", "may", "march on 3 fronts"),
        *("2024-01-31 24:00:00", "2024-01-31 10:60:00", "2024-01-31x10:20:30", "2024-13-01"),
        *("2023-02-29", "0000-01-01", "2024-W05-3", "2024--1-01", "²⁰²⁴-01-01", "² jan"),
        *("may I have 2", "order 2024-01-31", "99999999", "25:61", "€ 3.50"),
    ],
)
def test_what_is_no_date_is_none(value):
    assert read_date(value, "dmy") is None


def test_one_value_settles_the_order_of_a_column():
    guess = guess_dates("sent", ["03/04/2024", "25/04/2024"])
    assert guess is not None and (guess.order, guess.ambiguous) == ("dmy", False)


def test_month_first_is_settled_too():
    guess = guess_dates("sent", ["03/04/2024", "04/25/2024"])
    assert guess is not None and (guess.order, guess.ambiguous) == ("mdy", False)


def test_without_a_settling_value_the_order_is_ambiguous():
    guess = guess_dates("sent", ["03/04/2024", "05/06/2024"])
    assert guess is not None and guess.ambiguous


def test_the_year_first_is_never_ambiguous():
    guess = guess_dates("sent", ["2024-03-04", "", None])
    assert guess is not None
    assert (guess.order, guess.ambiguous, guess.parsed, guess.total) == ("ymd", False, 1, 1)


@pytest.mark.parametrize("values", [["1994", "1995"], ["20240131"], ["1994-03"]])
def test_bare_figures_are_dates_only_under_a_name_that_says_so(values):
    assert guess_dates("amount", values) is None
    assert guess_dates("year", values) is not None


@pytest.mark.parametrize("values", [["12", "13"], ["0170 123456"], ["some text"], [], [None]])
def test_other_columns_hold_no_dates(values):
    assert guess_dates("date", values) is None
