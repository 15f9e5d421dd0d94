"""A map under the hand: moved, zoomed, hovered and selected from."""

from itertools import pairwise
from time import thread_time

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.look.theme import apply_theme
from app.widgets.scatter_labels import MapLabel
from app.widgets.scatter_view import ScatterView

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
CORNERS = np.array([[0, 0], [10, 0], [10, 10], [0, 10]])  # four clumps of 50 points each


@pytest.fixture(scope="module")
def xy():
    rng = np.random.default_rng(1)
    return (np.repeat(CORNERS, 50, axis=0) + rng.normal(size=(200, 2)) * 0.2).astype(np.float32)


@pytest.fixture
def view(show, xy):
    made = show(ScatterView(), 700, 600)
    made.show_points(xy)
    made.show_colors(np.repeat(np.arange(4, dtype=np.int32), 50))
    made.settle()
    yield made
    made.settle()


@pytest.fixture
def heard(view):
    signals = []
    view.selection_changed.connect(lambda mask: signals.append(mask))
    return signals


def clump(number):
    mask = np.zeros(200, dtype=bool)
    mask[number * 50 : number * 50 + 50] = True
    return mask


def spot(view, x, y):
    return view.spot_of(x, y).toPoint()


def draw_around(view, number, modifiers=Qt.KeyboardModifier.NoModifier):
    x, y = CORNERS[number].tolist()
    corners = [(-2, -2), (2, -2), (2, 2), (-2, 2), (-2, -2)]
    path = [spot(view, x + across, y + up) for across, up in corners]
    QTest.mousePress(view, LEFT, modifiers, path[0])
    for start, stop in pairwise(path):
        for step in range(1, 5):
            move(view, start + (stop - start) * step / 4, modifiers)
    QTest.mouseRelease(view, LEFT, modifiers, path[-1])


def move(view, at, modifiers=Qt.KeyboardModifier.NoModifier):
    """Move with the button down; `QTest.mouseMove` cannot hold keys."""
    place = QPointF(at)
    event = QMouseEvent(
        QEvent.Type.MouseMove, place, view.mapToGlobal(place), Qt.MouseButton.NoButton, LEFT,
        modifiers,
    )  # fmt: skip
    view.mouseMoveEvent(event)


def drag(view, start, stop):
    QTest.mousePress(view, LEFT, pos=start)
    for step in range(1, 6):
        move(view, start + (stop - start) * step / 5)
    QTest.mouseRelease(view, LEFT, pos=stop)


def test_all_points_are_in_sight_at_first(view, xy):
    spots = [view.spot_of(x, y) for x, y in xy.tolist()]
    assert all(view.rect().contains(spot.toPoint()) for spot in spots)


def test_a_drag_moves_the_map_along(view):
    before = view.spot_of(5, 5)
    drag(view, QPoint(300, 300), QPoint(360, 260))
    assert view.spot_of(5, 5) - before == QPointF(60, -40)


def test_the_wheel_zooms_about_the_pointer(view):
    under = view.spot_of(10, 10)
    event = QWheelEvent(
        under, view.mapToGlobal(under), QPoint(), QPoint(0, 360), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    apart = view.spot_of(0, 0).x() - under.x()
    view.wheelEvent(event)
    assert view.spot_of(10, 10).x() == pytest.approx(under.x(), abs=0.01)
    assert view.spot_of(0, 0).x() - under.x() == pytest.approx(2 * apart)


def test_shift_and_drag_draws_a_lasso_though_the_tool_is_pan(view, heard):
    draw_around(view, 2, SHIFT)
    assert np.array_equal(heard[-1], clump(2))


@pytest.mark.parametrize("tool", ["lasso", "rectangle"])
def test_a_tool_selects_what_it_encloses(view, heard, tool):
    view.set_tool(tool)
    if tool == "rectangle":
        drag(view, spot(view, -2, -2), spot(view, 2, 2))
    else:
        draw_around(view, 0)
    assert np.array_equal(heard[-1], clump(0))


def test_a_lasso_stays_what_it_was_after_moving_zooming_and_another_tool(view, heard):
    view.set_tool("lasso")
    draw_around(view, 1)
    view.set_tool("pan")
    drag(view, QPoint(300, 300), QPoint(100, 420))
    QTest.keyClick(view, Qt.Key.Key_Plus)
    view.show_values(np.arange(200.0))
    view.set_tool("rectangle")
    view.fit()
    view.settle()
    assert np.array_equal(view.selected, clump(1))


def test_a_second_lasso_after_moving_selects_where_it_is_drawn(view, heard):
    view.set_tool("lasso")
    draw_around(view, 1)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Minus)
    draw_around(view, 3)
    assert np.array_equal(view.selected, clump(3))


@pytest.mark.parametrize("modifier", [SHIFT, CONTROL])
def test_a_modifier_adds_to_the_selection(view, heard, modifier):
    view.set_tool("lasso")
    draw_around(view, 0)
    draw_around(view, 2, modifier)
    assert np.array_equal(heard[-1], clump(0) | clump(2))


def test_alt_takes_away_from_the_selection(view, heard):
    view.set_tool("lasso")
    view.select(clump(0) | clump(2))
    draw_around(view, 2, ALT)
    assert np.array_equal(heard[-1], clump(0))


def test_a_lasso_around_nothing_clears(view, heard):
    view.select(clump(0))
    view.set_tool("rectangle")
    drag(view, spot(view, 4, 4), spot(view, 6, 6))
    assert heard == [None]


def test_escape_clears_the_selection(view, heard):
    view.select(clump(0))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert heard == [None]
    assert view.selected is None


def test_escape_drops_a_lasso_being_drawn_and_leaves_the_selection(view, heard):
    view.set_tool("lasso")
    view.select(clump(0))
    QTest.mousePress(view, LEFT, pos=QPoint(300, 300))
    move(view, QPointF(340, 320))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, pos=QPoint(340, 320))
    assert heard == []
    assert np.array_equal(view.selected, clump(0))


def test_selecting_by_call_is_silent(view, heard):
    view.select(clump(3))
    assert heard == []


def test_an_empty_mask_selects_nothing(view):
    view.select(np.zeros(200, dtype=bool))
    assert view.selected is None


def test_revealing_brings_the_selection_into_sight(view):
    view.fit_to(clump(0))
    view.settle()
    assert not view.rect().contains(spot(view, 10, 10))
    view.select(clump(2), reveal=True)
    view.settle()
    assert view.rect().contains(spot(view, 10, 10))


def test_revealing_what_is_seen_does_not_move(view):
    before = view.spot_of(0, 0)
    view.select(clump(2), reveal=True)
    assert view.spot_of(0, 0) == before


def test_a_click_on_a_point_tells_which(view, xy):
    clicked = []
    view.point_clicked.connect(clicked.append)
    x, y = xy[117].tolist()
    view.fit_to(clump(2))
    view.settle()
    view.zoom(20, view.spot_of(x, y))
    QTest.mouseClick(view, LEFT, pos=spot(view, x, y))
    assert clicked == [117]


def test_control_and_click_adds_one_point_and_takes_it_out_again(view, xy, heard):
    view.fit_to(clump(2))
    view.settle()
    at = spot(view, *xy[117].tolist())
    point = view.point_at(QPointF(at))
    QTest.mouseClick(view, LEFT, CONTROL, at)
    assert np.flatnonzero(heard[-1]).tolist() == [point]
    QTest.mouseClick(view, LEFT, CONTROL, at)
    assert heard[-1] is None


def test_a_click_beside_all_points_leaves_the_selection_alone_while_moving(view, heard):
    view.select(clump(0))
    QTest.mouseClick(view, LEFT, pos=spot(view, 5, 5))
    assert heard == []


def test_a_name_can_be_clicked(view):
    clicked = []
    view.label_clicked.connect(clicked.append)
    view.show_labels([MapLabel("refunds", 5.0, 5.0, 3.0, 42)])
    QTest.mouseClick(view, LEFT, pos=spot(view, 5, 5))
    assert clicked == [42]


def test_a_resting_pointer_hovers_and_a_leaving_one_tells(view, xy):
    heard = []
    view.hovered.connect(heard.append)
    x, y = xy[3].tolist()
    view.fit_to(clump(0))
    view.settle()
    view.zoom(20, view.spot_of(x, y))
    QTest.mouseMove(view, spot(view, x, y))
    assert heard == []
    QTest.qWait(220)
    assert heard == [3]
    view.show_card("Refunds", "I was charged twice.", "row 3")
    assert view.card.isVisible()
    QTest.mouseMove(view, spot(view, x, y) + QPoint(120, 120))
    assert heard == [3, -1]
    assert not view.card.isVisible()
    QTest.qWait(200)


def test_the_card_stays_inside_the_view(view, xy):
    for number in range(4):
        x, y = xy[number * 50].tolist()
        QTest.mouseMove(view, QPoint(350, 300))
        QTest.mouseMove(view, spot(view, x, y))
        QTest.qWait(200)
        view.show_card("A title", "many words " * 100, "row 3 · 12 copies")
        assert view.card.isVisible()
        assert view.rect().contains(view.card.geometry())


def test_no_card_is_shown_after_the_pointer_has_left(view):
    view.show_card("Late", "came too late", "")
    assert not view.card.isVisible()


@pytest.mark.parametrize(
    ("key", "x", "y"), [("Left", 1, 0), ("Right", -1, 0), ("Up", 0, 1), ("Down", 0, -1)]
)
def test_arrows_look_that_way(view, key, x, y):
    before = view.spot_of(5, 5)
    QTest.keyClick(view, getattr(Qt.Key, f"Key_{key}"))
    step = view.spot_of(5, 5) - before
    assert (np.sign(step.x()), np.sign(step.y())) == (x, y)


def test_plus_minus_and_zero_zoom(view):
    def width():
        return view.spot_of(10, 0).x() - view.spot_of(0, 0).x()

    whole = width()
    QTest.keyClick(view, Qt.Key.Key_Plus)
    assert width() > whole
    QTest.keyClick(view, Qt.Key.Key_Minus)
    QTest.keyClick(view, Qt.Key.Key_Minus)
    assert width() < whole
    QTest.keyClick(view, Qt.Key.Key_0)
    view.settle()
    assert width() == pytest.approx(whole)


def test_keys_of_others_pass_through(show):
    class Page(QWidget):
        def __init__(self):
            super().__init__()
            self.keys = []
            layout = QVBoxLayout(self)
            self.map = ScatterView()
            layout.addWidget(self.map)
            layout.addWidget(QLineEdit())

        def keyPressEvent(self, event):
            self.keys.append(event.key())

    page = show(Page())
    QTest.keyClick(page.map, Qt.Key.Key_F2)
    assert page.keys == [Qt.Key.Key_F2]


def test_a_double_click_comes_closer(view):
    before = view.spot_of(10, 0).x() - view.spot_of(0, 0).x()
    QTest.mouseDClick(view, LEFT, pos=QPoint(350, 300))
    assert view.spot_of(10, 0).x() - view.spot_of(0, 0).x() == pytest.approx(2 * before)


def test_a_map_seen_whole_stays_whole_when_the_window_grows(view, app):
    view.resize(900, 800)
    app.processEvents()
    assert view.is_fitted
    assert view.spot_of(5, 5).x() == pytest.approx(450, abs=25)


def test_new_points_may_keep_the_view(view, xy):
    view.fit_to(clump(2))
    view.settle()
    before = view.spot_of(10, 10)
    view.show_points(np.vstack([xy, [[40, 40]]]).astype(np.float32), keep_view=True)
    view.settle()
    after = view.spot_of(10, 10)
    assert (after.x(), after.y()) == pytest.approx((before.x(), before.y()), abs=0.5)


def test_new_points_are_unselected(view, xy):
    view.select(clump(0))
    view.show_points(xy[:20])
    view.settle()
    assert view.selected is None


def test_values_for_other_points_are_refused(view):
    with pytest.raises(ValueError, match="3 values for 200 points"):
        view.show_colors(np.zeros(3, np.int32))


def test_a_screen_reader_hears_how_many_are_selected(view):
    view.select(clump(0))
    assert view.accessibleName() == "Map of texts"
    assert view.accessibleDescription().startswith("200 points, 50 selected")


def color_near(view, x, y):
    view.settle()
    return view.grab().toImage().pixelColor(spot(view, x, y))


def test_unselected_points_turn_grey_and_stay(view, xy):
    view.show_colors(np.repeat(np.arange(4, dtype=np.int32), 50), [QColor("#d02020")] * 4)
    colored = color_near(view, *xy[0].tolist())
    view.select(clump(3))
    grey = color_near(view, *xy[0].tolist())
    paper = view.grab().toImage().pixelColor(spot(view, 5, 5))
    assert colored.saturation() > 100
    assert grey.saturation() < 40
    assert grey.lightness() < paper.lightness() - 15


def test_a_palette_may_follow_the_theme(view, app, xy):
    named = []
    view.show_colors(np.zeros(200, np.int32), lambda theme: [named.append(theme.name) or QColor(1)])
    apply_theme(app, "dark")
    app.processEvents()
    apply_theme(app, "light")
    app.processEvents()
    assert {"light", "dark"} <= set(named)


def test_the_paper_follows_the_theme(view, app):
    apply_theme(app, "dark")
    app.processEvents()
    assert color_near(view, 5, 5) == QColor("#1B1D20")
    apply_theme(app, "light")
    app.processEvents()
    assert color_near(view, 5, 5) == QColor("#FBFAF7")


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_points_are_a_map_too(show, count):
    view = show(ScatterView(), 300, 240)
    view.show_points(np.arange(2 * count, dtype=np.float32).reshape(-1, 2))
    view.settle()
    view.fit()
    view.settle()
    view.zoom(0.8)
    view.settle()
    image = view.grab().toImage()
    colors = {image.pixel(x, y) for x in range(0, 300, 2) for y in range(0, 240, 2)}
    assert (len(colors) > 1) is (count > 0)


def test_points_in_one_place_can_be_fitted_and_hit(show):
    view = show(ScatterView(), 300, 240)
    view.show_points(np.full((400, 2), 7.0, np.float32))
    view.settle()
    view.fit_to(np.ones(400, dtype=bool))
    view.settle()
    assert view.point_at(view.spot_of(7, 7)) >= 0
    view.settle()


def test_a_trackpads_pinch_zooms_about_the_fingers(view):
    under = view.spot_of(10, 10)
    pinch = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture, QPointingDevice.primaryPointingDevice(), 2,
        under, under, view.mapToGlobal(under), 0.5, QPointF(),
    )  # fmt: skip
    apart = view.spot_of(0, 0).x() - under.x()
    assert view.event(pinch)
    assert view.spot_of(10, 10).x() == pytest.approx(under.x(), abs=0.01)
    assert view.spot_of(0, 0).x() - under.x() == pytest.approx(1.5 * apart)


def test_the_way_to_a_place_is_seen_and_ends_there(view, app):
    before = view.spot_of(10, 10)
    view.fit_to(clump(2))
    QTest.qWait(90)
    between = view.spot_of(10, 10)
    QTest.qWait(400)
    after = view.spot_of(10, 10)
    assert (after.x(), after.y()) == pytest.approx((350, 300), abs=60)
    assert before.x() > between.x() > after.x()


def test_moving_the_map_by_hand_ends_the_way_to_a_place(view):
    view.fit_to(clump(2))
    drag(view, QPoint(300, 300), QPoint(360, 300))
    at = view.spot_of(5, 5)
    QTest.qWait(300)
    assert view.spot_of(5, 5) == at


def test_a_hidden_map_is_right_once_it_is_shown(show, xy):
    view = ScatterView()
    view.show_points(xy)
    view.show_colors(np.zeros(200, np.int32), [QColor("#d02020")])
    show(view, 500, 400)
    assert color_near(view, *xy[0].tolist()).saturation() > 100


def test_the_middle_button_moves_the_map_with_any_tool(view, heard):
    view.set_tool("lasso")
    before = view.spot_of(5, 5)
    QTest.mousePress(view, Qt.MouseButton.MiddleButton, pos=QPoint(300, 300))
    move(view, QPointF(340, 310))
    QTest.mouseRelease(view, Qt.MouseButton.MiddleButton, pos=QPoint(340, 310))
    assert view.spot_of(5, 5) - before == QPointF(40, 10)
    assert heard == []


def test_hiding_the_map_forgets_a_lasso_begun(view, heard):
    view.set_tool("lasso")
    QTest.mousePress(view, LEFT, pos=QPoint(300, 300))
    move(view, QPointF(400, 300))
    view.hide()
    view.show()
    QTest.mouseRelease(view, LEFT, pos=QPoint(400, 400))
    assert heard == []


def test_a_million_points_are_moved_without_a_halt(show, app):
    """In time of this thread, which other work on the machine does not lengthen."""
    rng = np.random.default_rng(0)
    middles = rng.normal(size=(40, 2)) * 5
    xy = middles[rng.integers(0, 40, 1_000_000)] + rng.normal(size=(1_000_000, 2)) * 0.5
    view = show(ScatterView(), 1_280, 800)
    view.show_points(xy.astype(np.float32))
    view.show_colors(rng.integers(-1, 40, 1_000_000).astype(np.int32))
    view.settle()
    turns = []
    for step in range(60):
        start = thread_time()
        QTest.keyClick(view, Qt.Key.Key_Right if step < 30 else Qt.Key.Key_Left)
        app.processEvents()
        turns.append(thread_time() - start)
    hits = []
    for spot in (QPointF(x, 400) for x in range(200, 1_000, 20)):
        start = thread_time()
        view.point_at(spot)
        hits.append(thread_time() - start)
    view.settle()
    assert np.quantile(turns, 0.95) < 0.04
    assert np.quantile(hits, 0.95) < 0.005
