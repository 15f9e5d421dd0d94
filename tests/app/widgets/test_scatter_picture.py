"""Points into pixels."""

from time import thread_time

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor

from app.look.cluster_colors import cluster_palette
from app.look.theme import theme_named
from app.widgets.scatter_disc import disc, kernels_for
from app.widgets.scatter_labels import MapLabel
from app.widgets.scatter_picture import (
    draw_map,
    fitted_camera,
    paint_points,
    pixels_of,
    point_radius,
)
from app.widgets.scatter_points import sort_points
from app.widgets.scatter_shades import index_of_values, shades_of, size_steps
from app.widgets.scatter_splat import Splatting, Tone, planes_for, tone_for
from app.widgets.scatter_window import Window, window_of
from app.widgets.scatter_work import finish

RED, BLUE = QColor("#d02020"), QColor("#2040d0")


@pytest.fixture
def theme(app):
    return theme_named("light")


def rgb(image):
    """The image as (rows, columns, 3)."""
    pixels = pixels_of(image)
    return np.stack([pixels >> shift & 0xFF for shift in (16, 8, 0)], axis=-1).astype(int)


def painted(xy, index, palette, theme, *, selected=None, size=None, radius=4.0):
    """The points on 200 by 200 pixels to a unit, with 20 around."""
    points = finish(sort_points(np.asarray(xy, np.float32)))
    shades = shades_of(np.asarray(index, np.int32), palette, theme, selected=selected, size=size)
    own = finish(shades.sorting(points.order))
    window = Window(-0.1, 1.1, 200.0, 240, 240)
    paper = QColor(theme.colours.paper)
    return rgb(finish(paint_points(points, own, window, radius, paper)).image)


def at(pixels, x, y):
    return pixels[int((1.1 - y) * 200), int((x + 0.1) * 200)]


CORNERS = [[0, 0], [1, 0], [0, 1], [1, 1]]


def test_each_point_is_where_it_belongs_and_in_its_colour(theme):
    pixels = painted(CORNERS, [0, 1, 0, 1], [RED, BLUE], theme)
    for (x, y), color in zip(CORNERS, [RED, BLUE, RED, BLUE], strict=True):
        spot = at(pixels, x, y)
        assert np.abs(spot - color.getRgb()[:3]).max() < 40
    assert at(pixels, 0.5, 0.5).tolist() == list(QColor(theme.colours.paper).getRgb()[:3])


@pytest.mark.parametrize("radius", [0.8, 1.7, 3.0, 6.5])
def test_a_disc_covers_its_area(radius):
    for cover in disc(radius).cover:
        assert cover.sum() == pytest.approx(np.pi * radius**2, rel=0.06)


def test_a_tiny_disc_is_still_seen():
    assert disc(0.1).cover.min() >= 0.3


def test_all_cover_is_summed_whatever_the_slices(theme):
    rng = np.random.default_rng(0)
    points = finish(sort_points(rng.random((60_000, 2)).astype(np.float32)))
    shades = finish(shades_of(np.zeros(60_000, np.int32), [RED], theme).sorting(points.order))
    kernels = kernels_for(1.5, shades)
    planes = planes_for(240, 240, kernels)
    for _ in Splatting(points, shades, Window(-0.1, 1.1, 200.0, 240, 240), kernels, planes).steps():
        pass
    assert planes.cover.sum() == pytest.approx(60_000 * np.pi * 1.5**2, rel=0.03)


def test_discs_reach_into_the_picture_from_beyond_its_edge(theme):
    points = finish(sort_points(np.array([[0, 0], [1, 0]], np.float32)))
    shades = finish(shades_of(np.zeros(2, np.int32), [RED], theme).sorting(points.order))
    window = Window(0.01, 0.5, 200.0, 100, 200)  # the first point is two pixels outside
    image = finish(paint_points(points, shades, window, 5.0, QColor("white"))).image
    assert rgb(image)[100, 0, 1] < 200


def test_points_in_a_crowd_show_how_many_they_are(theme):
    rng = np.random.default_rng(2)
    sparse = rng.random((2_000, 2)) * [0.5, 1]
    dense = rng.random((60_000, 2)) * [0.5, 1] + [0.5, 0]
    pixels = painted(np.vstack([sparse, dense]), np.zeros(62_000), [RED], theme, radius=0.7)
    left, right = pixels[40:200, 30:110], pixels[40:200, 130:210]
    assert left[..., 1].mean() > right[..., 1].mean() + 60


def test_opacity_never_falls_as_points_are_added():
    for crowded in (0.1, 1.0, 30.0, 1e6):
        opacity = tone_for(crowded).opacity(np.array([0, 0.5, 1, 2, 10, 100, 1e6], np.float32))
        assert (np.diff(opacity) >= 0).all()
        assert opacity[0] == 0
        assert opacity[-1] == pytest.approx(1, abs=0.01)


def test_a_single_point_in_a_crowded_map_is_seen():
    assert tone_for(1e6).single >= 0.4
    assert Tone(0.5, 4.0).opacity(np.ones(1, np.float32))[0] == pytest.approx(0.5)


def test_grey_points_never_hide_coloured_ones(theme):
    xy = [[0.5, 0.5]] * 51 + [[0, 0], [1, 1]]
    index = [-1] * 50 + [0, 0, 0]
    spot = at(painted(xy, index, [RED], theme), 0.5, 0.5)
    assert spot[0] - spot[1] > 80


def test_unselected_points_are_grey_but_there(theme):
    selected = np.array([True, False, False, False])
    pixels = painted(CORNERS, [0, 0, 0, 0], [RED], theme, selected=selected)
    chosen, other = at(pixels, 0, 0), at(pixels, 1, 1)
    paper = np.array(QColor(theme.colours.paper).getRgb()[:3])
    assert chosen[0] - chosen[1] > 100
    assert np.ptp(other) < 20
    assert np.abs(other - paper).max() > 25


def test_a_selected_unclustered_point_stands_out_from_context(theme):
    selected = np.array([True, False, False, False])
    pixels = painted(CORNERS, [-1] * 4, [RED], theme, selected=selected)
    assert at(pixels, 0, 0).mean() < at(pixels, 1, 1).mean() - 40


def test_many_copies_make_a_larger_disc(theme):
    size = size_steps(np.array([1, 100, 1, 1]))
    pixels = painted(CORNERS, [0] * 4, [RED], theme, size=size)
    beside = 7 / 200
    assert at(pixels, 1 - beside, 0)[1] < 200
    assert at(pixels, 0 + beside, 0)[1] > 200


def test_copies_fall_into_four_sizes():
    assert size_steps(np.array([1, 2, 5, 6, 30, 31, 9_999])).tolist() == [0, 1, 1, 2, 2, 3, 3]


def test_values_become_places_in_the_ramp():
    assert index_of_values(np.array([2.0, np.nan, 4.0, 3.0])).tolist() == [0, -1, 255, 128]


@pytest.mark.parametrize(
    ("values", "index"),
    [([5.0, 5.0], [255, 255]), ([np.nan, np.nan], [-1, -1]), ([], []), ([np.inf, 1.0], [-1, 255])],
    ids=["all alike", "none known", "none", "infinite"],
)
def test_odd_values_have_places_too(values, index):
    assert index_of_values(np.array(values)).tolist() == index


def test_colours_repeat_when_the_palette_ends(theme):
    pixels = painted(CORNERS, [0, 1, 2, 3], [RED, BLUE], theme)
    assert np.abs(at(pixels, 0, 1) - at(pixels, 0, 0)).max() < 12
    assert at(pixels, 1, 1)[2] > at(pixels, 1, 1)[0]


def test_points_shrink_with_their_number_and_grow_near_by():
    camera = fitted_camera(finish(sort_points(np.eye(2, dtype=np.float32))).box, 900, 600)
    sizes = [point_radius(count, camera, camera.scale) for count in (1, 500, 20_000, 10**6)]
    assert sizes == sorted(sizes, reverse=True)
    near = camera.zoomed(6, camera.to_view(0.5, 0.5))
    assert point_radius(20_000, near, camera.scale) > 1.5 * sizes[2]


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_a_map_is_drawn_at_the_size_and_scale_asked_for(theme, count):
    rng = np.random.default_rng(4)
    xy = rng.random((count, 2)).astype(np.float32)
    shades = shades_of(np.zeros(count, np.int32), cluster_palette(3, theme), theme)
    labels = [MapLabel("refund", 0.5, 0.5, 1.0, 1)] if count else []
    image = draw_map(xy, shades, labels, QSize(300, 200), theme, scale=2.0)
    assert (image.width(), image.height()) == (600, 400)
    assert (len(np.unique(pixels_of(image))) > 1) is (count > 0)


def test_no_slice_of_work_on_20_000_points_keeps_the_window_waiting(theme):
    rng = np.random.default_rng(5)
    xy = rng.normal(size=(20_000, 2)).astype(np.float32)
    points = finish(sort_points(xy))
    shades = shades_of(rng.integers(-1, 20, 20_000).astype(np.int32), [RED, BLUE], theme)
    own = finish(shades.sorting(points.order))
    camera = fitted_camera(points.box, 1_280, 800)
    radius = 2 * point_radius(points.count, camera, camera.scale)
    steps = paint_points(points, own, window_of(camera, 2.0, margin=320), radius, QColor("white"))
    longest, start = 0.0, thread_time()
    for _ in steps:
        longest, start = max(longest, thread_time() - start), thread_time()
    assert longest < 0.05
