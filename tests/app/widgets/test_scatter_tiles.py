"""The picture under a moving hand: moved at once, true at rest, the same on every way there."""

from time import perf_counter, thread_time

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.look.theme import apply_theme, current_theme, theme_named
from app.widgets.scatter_labels import LabelPainter, MapLabel
from app.widgets.scatter_picture import draw_view, fitted_camera, pixels_of, point_radius
from app.widgets.scatter_points import sort_points
from app.widgets.scatter_shades import shades_of
from app.widgets.scatter_tiles import Look, Tiles
from app.widgets.scatter_view import ScatterView
from app.widgets.scatter_work import finish

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
NO_KEY = Qt.KeyboardModifier.NoModifier
SIZE = (620, 540)
PALETTE = [QColor("#d02020"), QColor("#2040d0"), QColor("#208040")]


@pytest.fixture(scope="module")
def xy():
    rng = np.random.default_rng(7)
    middles = rng.random((12, 2)) * 10
    return (middles[rng.integers(0, 12, 20_000)] + rng.normal(size=(20_000, 2))).astype(np.float32)


@pytest.fixture
def index(xy):
    return (np.arange(len(xy), dtype=np.int32) % 4) - 1


@pytest.fixture
def view(show, xy, index):
    made = show(ScatterView(), *SIZE)
    made.show_points(xy)
    made.show_colors(index, PALETTE)
    made.show_labels([MapLabel("late delivery", 5.0, 5.0, 9.0, 1)])
    made.settle()
    yield made
    made.settle()


def pixels(image):
    own = image.convertToFormat(QImage.Format.Format_RGB32)
    return pixels_of(own) & 0xFFFFFF


def seen(view):
    return pixels(view.grab().toImage())


def press(view, kind, spot, button, held):
    event = QMouseEvent(kind, spot, view.mapToGlobal(spot), button, held, NO_KEY)
    QApplication.sendEvent(view, event)


def drag(view, *steps):
    """Drag from the middle by each of the steps in turn, without letting the picture rest."""
    spot = QPointF(300, 250)
    press(view, QEvent.Type.MouseButtonPress, spot, LEFT, LEFT)
    for right, down in steps:
        spot = spot + QPointF(right, down)
        press(view, QEvent.Type.MouseMove, spot, NONE, LEFT)
    press(view, QEvent.Type.MouseButtonRelease, spot, LEFT, NONE)


def turn(view, notches=1):
    spot = QPointF(310, 270)
    event = QWheelEvent(
        spot, view.mapToGlobal(spot), QPointF().toPoint(), QPointF(0, 120 * notches).toPoint(),
        NONE, NO_KEY, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def rest(view, app, *, most_s=20.0):
    end = perf_counter() + most_s
    while view.is_busy and perf_counter() < end:
        app.processEvents()
    assert not view.is_busy


def test_a_drag_moves_what_is_seen_in_its_own_frame(view):
    before = seen(view)
    drag(view, (40, 25))
    after = seen(view)
    # Beside the name, and beside what came in at the rim, which is painted a little later.
    inner = slice(120, 420), slice(120, 500)
    moved = slice(145, 445), slice(160, 540)
    assert np.array_equal(after[moved], before[inner])
    assert not np.array_equal(after[inner], before[inner])


def test_a_turned_wheel_enlarges_what_is_seen_in_its_own_frame(view):
    before = seen(view)
    turn(view, 3)
    assert (seen(view) != before).mean() > 0.05
    paper = int(QColor(current_theme().colours.paper).rgb()) & 0xFFFFFF
    assert (seen(view) != paper).mean() > 0.2


def test_at_rest_the_view_shows_the_very_pixels_that_a_file_holds(view, app):
    turn(view, 2)
    drag(view, (13, -4), (7.3, 2.6))
    rest(view, app)
    assert np.array_equal(seen(view), pixels(view.image(1.0)))


def test_the_picture_is_the_same_whether_one_walks_or_jumps(view, app):
    turn(view, 4)
    rest(view, app)
    drag(view, *[(3.3, 1.7)] * 10, *[(20, -11)] * 12)
    rest(view, app)
    walked, camera = seen(view), view._sight.camera
    view.fit_to(np.ones(20_000, dtype=bool))
    view.settle()
    view._sight._jump(camera)
    rest(view, app)
    assert np.array_equal(walked, seen(view))


def test_all_frames_of_one_scale_agree_on_each_point(view, app):
    """A drag to and fro, with tiles painted on the way, ends where it began, pixel by pixel."""
    turn(view, 5)
    rest(view, app)
    before = seen(view)
    for step in ((310, 200), (-310, -200)):
        drag(view, step)
        rest(view, app)
    assert np.array_equal(seen(view), before)


def test_a_sharp_frame_follows_soon_after_the_hand_rests(view, app):
    turn(view, 3)
    begun = thread_time()
    rest(view, app)
    assert thread_time() - begun < 0.5
    QTest.qWait(30)
    assert np.array_equal(seen(view), pixels(view.image(1.0)))


def test_new_colours_come_all_at_once(view, app, index):
    old = seen(view)
    view.show_colors((index + 2) % 3, PALETTE[::-1])
    frames = []
    while view.is_busy:
        app.processEvents()
        frames.append(seen(view))
    view.settle()
    new = seen(view)
    assert not np.array_equal(new, old)
    assert all(np.array_equal(one, old) or np.array_equal(one, new) for one in frames)


def test_new_colours_give_the_picture_that_a_fresh_view_gives(view, app, show, xy, index):
    view.show_colors((index + 2) % 3, PALETTE)
    rest(view, app)
    fresh = show(ScatterView(), *SIZE)
    fresh.show_points(xy)
    fresh.show_colors((index + 2) % 3, PALETTE)
    fresh.show_labels([MapLabel("late delivery", 5.0, 5.0, 9.0, 1)])
    fresh.settle()
    assert np.array_equal(seen(view), seen(fresh))


def test_tiles_beyond_the_view_are_ready_for_the_next_drag(view):
    tiles = view._scene.canvas._shown
    drag(view, (-150, 90))
    assert view._scene.canvas._shown is tiles
    assert tiles.covers(view._sight.camera, 1.0)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_tiles_make_up_the_picture_at_any_display_scale(app, xy, index, ratio):
    theme = theme_named("light")
    points = finish(sort_points(xy))
    shades = finish(shades_of(index, PALETTE, theme).sorting(points.order))
    whole = fitted_camera(points.box, 400, 300)
    camera = whole.zoomed(2.5, whole.to_view(0.4, 0.6)).panned(17.25, -3.5)
    radius = point_radius(points.count, camera, whole.scale) * ratio
    tiles = Tiles(Look(points, shades, camera.scale * ratio, radius, QColor(theme.colours.paper)))
    while (spot := tiles.missing(camera, ratio)) is not None:
        finish(tiles.paint(spot))
    image = QImage(round(400 * ratio), round(300 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    tiles.draw(painter, camera, ratio)
    painter.end()
    true = draw_view(points, shades, LabelPainter((), points, theme), camera, theme, scale=ratio)
    assert np.array_equal(pixels(image), pixels(true))


def test_no_gap_opens_between_tiles_that_are_enlarged(app, xy, index):
    theme = theme_named("light")
    points = finish(sort_points(xy))
    shades = finish(shades_of(index, PALETTE, theme).sorting(points.order))
    camera = fitted_camera(points.box, 600, 500)
    paper = QColor("#00ff00")
    tiles = Tiles(Look(points, shades, camera.scale, 1.0, paper))
    while (spot := tiles.missing(camera, 1.0)) is not None:
        finish(tiles.paint(spot))
    for factor in (1.07, 1.5, 2.9):
        image = QImage(600, 500, QImage.Format.Format_RGB32)
        image.fill(QColor("#ff00ff"))
        painter = QPainter(image)
        tiles.draw(painter, camera.zoomed(factor, QPointF(300, 250)), 1.0)
        painter.end()
        assert not (pixels(image) == 0xFF00FF).any()


@pytest.mark.parametrize("name", ["light", "dark"])
def test_ten_points_among_a_million_are_seen_when_all_are(show, app, name):
    """Beside the crowd, in their own colour, in the picture of the whole map."""
    apply_theme(app, name)
    try:
        rng = np.random.default_rng(1)
        crowd = rng.normal(size=(1_000_000, 2)).clip(-3, 3)
        few = np.array([4.2, 3.0]) + rng.normal(size=(10, 2)) * 0.02
        view = show(ScatterView(), 1_200, 900)
        view.show_points(np.concatenate([crowd, few]).astype(np.float32))
        own = np.repeat([0, 1], [1_000_000, 10]).astype(np.int32)
        view.show_colors(own, PALETTE[:2])
        view.settle()
        spot = view.spot_of(4.2, 3.0).toPoint()
        around = seen(view)[spot.y() - 12 : spot.y() + 12, spot.x() - 12 : spot.x() + 12]
        view.settle()
    finally:
        apply_theme(app, "light")
    channels = np.stack([around >> shift & 0xFF for shift in (16, 8, 0)], -1).astype(int)
    paper = np.array(QColor(theme_named(name).colours.paper).getRgb()[:3])
    apart = np.abs(channels - paper).max(axis=-1)
    assert (apart >= 30).sum() >= 5
    bluer = channels[..., 2] - channels[..., 0] - (paper[2] - paper[0])
    assert (bluer[apart >= 30] > 0).all()


def test_names_that_were_never_drawn_hold_up_no_frame(show, app):
    rng = np.random.default_rng(2)
    xy = (rng.random((2_000, 2)) * 100).astype(np.float32)
    view = show(ScatterView(), 1_200, 900)
    view.show_points(xy)
    names = [MapLabel(f"a rather long name {n}", *xy[n].tolist(), 1.0, n) for n in range(200)]
    view.show_labels(names)
    turns = []
    for _ in range(60):
        start = thread_time()
        app.processEvents()
        turns.append(thread_time() - start)
    view.settle()
    assert max(turns) < 0.05
    for _ in range(20):
        app.processEvents()
    assert np.array_equal(seen(view), pixels(view.image(1.0)))
