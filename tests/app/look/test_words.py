"""Numbers and times in words."""

from datetime import datetime

import pytest

from app.look import words

NOW = datetime(2026, 6, 10, 15, 30)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "less than a second"),
        (14, "about 14 s"),
        (43, "about 45 s"),
        (58, "about 1 min"),
        (364, "about 6 min"),
        (3_590, "about 1 h"),
        (5_400, "about 1 h 30 min"),
        (7_140, "about 2 h"),
        (90_000, "about 25 h"),
    ],
)
def test_durations_are_said_coarsely(seconds, said):
    assert words.duration(seconds) == said


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (1_250_000, "1.2 MB"),
        (999_960, "1.0 MB"),
        (240_000_000, "240 MB"),
        (3 * 10**15, "3,000 TB"),
    ],
)
def test_file_sizes(size, said):
    assert words.file_size(size) == said


@pytest.mark.parametrize(
    ("then", "said"),
    [
        (datetime(2026, 6, 10, 15, 29, 30), "just now"),
        (datetime(2026, 6, 10, 15, 25), "5 min ago"),
        (datetime(2026, 6, 10, 9, 5), "today 09:05"),
        (datetime(2026, 6, 9, 23, 59), "yesterday"),
        (datetime(2026, 6, 5, 8, 0), "5 days ago"),
        (datetime(2026, 5, 12), "12 May"),
        (datetime(2024, 5, 12), "12 May 2024"),
        (datetime(2026, 7, 1), "1 Jul"),
    ],
)
def test_dates_are_said_from_here(then, said):
    assert words.relative_date(then, NOW) == said


def test_thousands_are_parted():
    assert words.count(14_640) == "14,640"


@pytest.mark.parametrize(("number", "said"), [(0, "0 rows"), (1, "1 row"), (1_200, "1,200 rows")])
def test_one_row_is_not_one_rows(number, said):
    assert words.counted(number, "row") == said


def test_a_plural_of_its_own():
    assert words.counted(2, "copy", "copies") == "2 copies"


@pytest.mark.parametrize(
    ("rate", "said"), [(412.3, "412/s"), (2.34, "2.3/s"), (12_000, "12,000/s")]
)
def test_rates(rate, said):
    assert words.per_second(rate) == said


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [(11, 100, "11 %"), (1, 5_000, "under 1 %"), (4_999, 5_000, "over 99 %"), (0, 0, "0 %")],
)
def test_shares_never_round_to_all_or_nothing(part, whole, said):
    assert words.percent(part, whole) == said
