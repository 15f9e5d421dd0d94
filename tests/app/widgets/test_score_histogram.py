"""Two handles on a histogram."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.widgets.score_histogram import ScoreHistogram, Scores

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
COUNTS = tuple(range(60, 0, -1))


@pytest.fixture
def histogram(show):
    made = ScoreHistogram()
    made.show_scores(Scores(COUNTS))
    made.set_thresholds(0.86, 0.97)
    made.show_zone_counts(7_902, 96, 655)
    return show(made, 800, 148)


@pytest.fixture
def heard(histogram):
    signals = []
    histogram.moved.connect(lambda low, high: signals.append(("moved", low, high)))
    histogram.settled.connect(lambda low, high: signals.append(("settled", low, high)))
    return signals


def drag(histogram, handle, by, steps=1):
    start = histogram.handle_spot(handle).toPoint()
    QTest.mousePress(histogram, LEFT, pos=start)
    for step in range(1, steps + 1):
        QTest.mouseMove(histogram, start + QPoint(by * step // steps, 0))
    end = start + QPoint(by, 0)
    QTest.mouseRelease(histogram, LEFT, pos=end)


def test_dragging_the_low_handle_left_lowers_it(histogram, heard):
    drag(histogram, "low", -60)
    assert 0.82 < histogram.low < 0.85


def test_counts_can_follow_while_it_moves(histogram, heard):
    drag(histogram, "low", -60, steps=4)
    assert [name for name, *_ in heard] == ["moved"] * 4 + ["settled"]


def test_the_signal_carries_both_ends(histogram, heard):
    drag(histogram, "high", -40)
    assert heard[-1] == ("settled", histogram.low, histogram.high)


def test_the_low_handle_never_passes_the_high_one(histogram):
    drag(histogram, "low", 700)
    assert histogram.low == histogram.high == pytest.approx(0.97)


def test_a_handle_stays_inside(histogram):
    drag(histogram, "low", -2_000)
    assert histogram.low == pytest.approx(0.70)


def test_two_handles_in_one_place_at_the_end_can_be_parted(histogram):
    histogram.set_thresholds(1.0, 1.0)
    drag(histogram, "low", -100)
    assert histogram.low < histogram.high == 1.0


def test_two_handles_in_one_place_at_the_floor_can_be_parted(histogram):
    histogram.set_thresholds(0.70, 0.70)
    drag(histogram, "high", 100)
    assert histogram.high > histogram.low == pytest.approx(0.70)


def test_a_click_beside_the_handles_moves_nothing(histogram, heard):
    QTest.mouseClick(histogram, LEFT, pos=QPoint(100, 80))
    assert heard == []


@pytest.mark.parametrize(
    ("key", "modifier", "low"),
    [
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 0.865),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 0.855),
        (Qt.Key.Key_Right, SHIFT, 0.88),
        (Qt.Key.Key_Left, SHIFT, 0.84),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, 0.70),
    ],
)
def test_keys_move_the_handle(histogram, key, modifier, low):
    histogram.setFocus()
    QTest.keyClick(histogram, key, modifier)
    assert histogram.low == pytest.approx(low)


def test_a_key_step_settles_at_once(histogram, heard):
    histogram.setFocus()
    QTest.keyClick(histogram, Qt.Key.Key_Right)
    assert [name for name, *_ in heard] == ["moved", "settled"]


def test_tab_goes_to_each_handle_and_then_on(show, app):
    whole = QWidget()
    column = QVBoxLayout(whole)
    before, histogram, after = QLineEdit(), ScoreHistogram(), QLineEdit()
    histogram.show_scores(Scores(COUNTS))
    for widget in (before, histogram, after):
        column.addWidget(widget)
    show(whole, 700, 300)
    before.setFocus()
    stops = []
    for _ in range(3):
        QTest.keyClick(app.focusWidget(), Qt.Key.Key_Tab)
        at = app.focusWidget()
        stops.append(histogram.active if at is histogram else "after" if at is after else "?")
    assert stops == ["low", "high", "after"]


def test_the_names_are_for_screen_readers_too(histogram):
    assert "0.860" in histogram.accessibleName()


def test_without_pairs_nothing_moves(histogram, heard):
    histogram.show_scores(Scores((0, 0, 0)))
    histogram.setFocus()
    QTest.keyClick(histogram, Qt.Key.Key_Right)
    drag(histogram, "low", -60)
    assert heard == []


def test_setting_thresholds_from_outside_is_silent(histogram, heard):
    histogram.set_thresholds(0.80, 0.90)
    assert (heard, histogram.low) == ([], 0.80)


def test_thresholds_below_the_floor_come_along(histogram):
    histogram.show_scores(Scores(COUNTS, floor=0.9))
    assert (histogram.low, histogram.high) == (0.9, 0.97)


@pytest.mark.parametrize("scores", [Scores(COUNTS, stale=True), Scores(()), Scores((5,))])
def test_every_state_can_be_drawn(histogram, app, scores):
    before = histogram.grab().toImage()
    histogram.show_scores(scores)
    app.processEvents()
    assert histogram.grab().toImage() != before


def test_root_and_linear_bars_differ(histogram):
    before = histogram.grab().toImage()
    histogram.set_linear(True)
    assert histogram.grab().toImage() != before


def test_the_grip_is_where_it_says(histogram):
    spots = [histogram.handle_spot(handle) for handle in ("low", "high")]
    assert isinstance(spots[0], QPointF)
    assert 0 < spots[0].x() < spots[1].x() < histogram.width()
