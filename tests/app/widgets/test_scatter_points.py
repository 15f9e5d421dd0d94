"""Points in a grid: found, hit and enclosed exactly."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from app.widgets.scatter_points import sort_points
from app.widgets.scatter_work import finish


def sorted_points(xy):
    return finish(sort_points(np.asarray(xy, dtype=np.float32).reshape(-1, 2)))


@pytest.fixture(scope="module")
def xy():
    rng = np.random.default_rng(3)
    middles = rng.normal(size=(12, 2)) * 4
    cloud = middles[rng.integers(0, 12, 30_000)] + rng.normal(size=(30_000, 2)) * 0.4
    cloud[:20] *= 4  # strays
    return cloud.astype(np.float32)


@pytest.fixture(scope="module")
def points(xy):
    return sorted_points(xy)


def even_odd(xy, outline):
    """The textbook test, point by point and edge by edge."""
    inside = np.zeros(len(xy), dtype=bool)
    for (x1, y1), (x2, y2) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        if y1 == y2:
            continue
        crosses = (xy[:, 1] >= min(y1, y2)) & (xy[:, 1] < max(y1, y2))
        inside ^= crosses & (xy[:, 0] < x1 + (xy[:, 1] - y1) * (x2 - x1) / (y2 - y1))
    return inside


def unit(points, xy):
    return (xy.astype(np.float64) - points.corner) / points.span


def star(points, xy, corners=9):
    angles = np.linspace(0, 4 * np.pi, corners, endpoint=False)
    radius = np.where(np.arange(corners) % 2, 0.05, 0.11)
    middle = unit(points, np.median(xy, axis=0))
    return middle + radius[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def test_every_point_keeps_its_place_in_the_callers_order(points, xy):
    assert np.array_equal(np.sort(points.order), np.arange(len(xy)))
    found = np.array([points.spot(point) for point in (0, 7, 12_345, len(xy) - 1)])
    assert found == pytest.approx(unit(points, xy[[0, 7, 12_345, len(xy) - 1]]), abs=1e-5)


def test_runs_hold_all_points_of_a_box(points):
    left, low = float(np.median(points.x)), float(np.median(points.y))
    box = QRectF(left, low, 0.03, 0.02)
    held = np.zeros(points.count, dtype=bool)
    for start, stop in points.runs(box):
        held[start:stop] = True
    wanted = (points.x >= left) & (points.x <= left + 0.03)
    wanted &= (points.y >= low) & (points.y <= low + 0.02)
    assert wanted.any()
    assert held[wanted].all()


def test_runs_of_everything_hold_everything(points):
    assert points.runs(points.box) == [(0, points.count)]


def test_the_nearest_point_is_the_nearest(points, xy):
    rng = np.random.default_rng(5)
    own = unit(points, xy)
    for spot in own[rng.integers(0, len(xy), 200)] + rng.normal(size=(200, 2)) * 0.002:
        found = points.nearest(*spot.tolist(), within=0.01)
        distances = np.hypot(*(own - spot).T)
        assert distances[found] == pytest.approx(distances.min(), abs=1e-6)


def test_nothing_is_hit_out_of_reach(points):
    assert points.nearest(0.0, 1.0, within=1e-4) == -1


def test_strays_far_out_are_hit_too(points, xy):
    stray = int(np.argmax(np.abs(xy[:, 0])))
    x, y = unit(points, xy[stray]).tolist()
    assert points.nearest(x, y, within=0.001) == stray


def test_a_lasso_encloses_what_the_textbook_says(points, xy):
    outline = star(points, xy)
    inside = points.inside(outline)
    assert inside.any()
    assert np.count_nonzero(inside != even_odd(unit(points, xy), outline)) <= 2  # on the line


def test_a_lasso_that_crosses_itself_leaves_out_the_twice_enclosed():
    points = sorted_points([[0.5, 0.5], [0.2, 0.2], [0, 0], [1, 1]])
    outer, inner = 0.4, 0.2
    twice = [
        (0.5 + side * across, 0.5 + side * up)
        for side in (outer, inner)
        for across, up in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
    ]
    assert points.inside(np.array(twice)).tolist() == [False, True, False, False]


def test_a_lasso_of_two_corners_encloses_nothing(points):
    assert not points.inside(np.array([(0.0, 0.0), (1.0, 1.0)])).any()


@pytest.mark.parametrize(
    "xy",
    [
        [],
        [[3, 4]],
        [[0, 0], [5, 1]],
        [[2, 2]] * 500,
        [[1e30, -1e30], [3e30, 2e30]],
        [[1e-30, 0], [0, 1e-30]],
        [[0, 0], [0, 9], [0, 4]],
    ],
    ids=["none", "one", "two", "all alike", "huge", "tiny", "one column"],
)
def test_any_points_have_places_in_the_unit_square(xy):
    points = sorted_points(xy)
    assert points.count == len(xy)
    assert ((points.x >= 0) & (points.x <= 1) & (points.y >= 0) & (points.y <= 1)).all()
    for point in range(min(len(xy), 3)):
        assert points.nearest(*points.spot(point), within=0.01) >= 0


def test_copies_in_one_place_are_all_enclosed():
    points = sorted_points([[2, 2]] * 500 + [[4, 4]])
    square = np.array([(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)])
    assert np.count_nonzero(points.inside(square)) == 500


def test_the_callers_units_come_back(points):
    assert points.from_unit(*points.to_unit(3.25, -1.5)) == pytest.approx((3.25, -1.5))
