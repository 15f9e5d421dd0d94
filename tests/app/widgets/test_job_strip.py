"""What runs and what ran."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QProgressBar, QWidget

from app.widgets.job_strip import JobLine, JobStrip

RUNNING = JobLine("7", "Encoding", done=8_210, total=13_902, rate=412, remaining_s=14)
FAILED = JobLine("3", "Export", "failed", message="the disk is full", details="ENOSPC")


@pytest.fixture
def strip(show):
    return show(JobStrip(), 1100, 44)


def button(strip, name):
    return next(b for b in strip.findChildren(QAbstractButton) if b.accessibleName() == name)


def seen(strip):
    labels = strip.findChildren(QLabel) + strip.findChildren(QAbstractButton)
    return [label.text() for label in labels if label.isVisible() and label.text()]


def test_a_running_job_shows_where_it_is(strip):
    strip.show_jobs(RUNNING)
    words = ["Encoding", "8,210 of 13,902", "412/s", "about 14 s left", "Cancel"]
    assert sorted(seen(strip)) == sorted(words)


def test_the_bar_is_as_far_as_the_job(strip):
    strip.show_jobs(RUNNING)
    assert strip.findChild(QProgressBar).value() == 591


def test_a_job_of_unknown_length_has_a_bar_without_an_end(strip):
    strip.show_jobs(JobLine("7", "Reading", done=20))
    assert strip.findChild(QProgressBar).maximum() == 0


def test_cancel_names_the_job(strip):
    heard = []
    strip.cancel_wanted.connect(heard.append)
    strip.show_jobs(RUNNING)
    QTest.mouseClick(button(strip, "Cancel: Encoding"), Qt.MouseButton.LeftButton)
    assert heard == ["7"]


def test_running_figures_move_nothing(strip, app):
    strip.show_jobs(RUNNING)
    app.processEvents()
    before = [part.geometry() for part in strip.findChildren(QWidget) if part.isVisible()]
    strip.show_jobs(JobLine("7", "Encoding", done=9, total=13_902, rate=5, remaining_s=3_000))
    app.processEvents()
    after = [part.geometry() for part in strip.findChildren(QWidget) if part.isVisible()]
    assert after == before


def test_idle_is_quiet(strip):
    strip.show_jobs(None)
    assert seen(strip) == ["Nothing running"]


def test_a_failure_says_why_and_offers_details(strip):
    heard = []
    strip.details_wanted.connect(heard.append)
    strip.show_jobs(FAILED)
    QTest.mouseClick(
        next(b for b in strip.findChildren(QAbstractButton) if b.text() == "Details"),
        Qt.MouseButton.LeftButton,
    )
    assert (seen(strip), heard) == (["Export: the disk is full", "Details"], ["3"])


def test_waiting_jobs_are_counted(strip):
    waiting = [JobLine(str(n), "Finding pairs", "waiting") for n in (8, 9)]
    strip.show_jobs(RUNNING, [*waiting, RUNNING, FAILED])
    assert "2 more" in seen(strip)


def test_the_list_opens_and_shows_all_jobs(strip, app):
    strip.show_jobs(RUNNING, [RUNNING, FAILED])
    QTest.mouseClick(button(strip, "Show all jobs"), Qt.MouseButton.LeftButton)
    app.processEvents()
    assert "the disk is full" in seen(strip)


def test_a_waiting_job_can_be_cancelled_from_the_list(strip, app):
    heard = []
    strip.cancel_wanted.connect(heard.append)
    strip.show_jobs(RUNNING, [JobLine("8", "Finding pairs", "waiting"), RUNNING])
    strip.set_open(True)
    app.processEvents()
    QTest.mouseClick(button(strip, "Cancel: Finding pairs"), Qt.MouseButton.LeftButton)
    assert heard == ["8"]
