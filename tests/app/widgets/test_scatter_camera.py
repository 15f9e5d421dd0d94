"""Looking at a part of a map."""

import pytest
from PySide6.QtCore import QPointF, QRectF

from app.widgets.scatter_camera import Camera, fitted
from app.widgets.scatter_window import window_of

CAMERA = Camera(3.0, 2.0, 50.0, 800.0, 600.0)


def test_y_points_upwards():
    assert CAMERA.to_view(3.0, 3.0).y() < CAMERA.to_view(3.0, 2.0).y()


def test_view_and_map_are_each_others_inverse():
    assert CAMERA.to_map(CAMERA.to_view(1.25, -4.0)) == pytest.approx((1.25, -4.0))


def test_what_is_under_the_pointer_stays_there_while_zooming():
    spot = QPointF(120, 480)
    assert CAMERA.zoomed(3.0, spot).to_map(spot) == pytest.approx(CAMERA.to_map(spot))


def test_dragging_takes_the_map_along():
    under = CAMERA.to_map(QPointF(100, 100))
    assert CAMERA.panned(30, -20).to_map(QPointF(130, 80)) == pytest.approx(under)


def test_a_fitted_box_lies_inside_the_margin():
    box = QRectF(-2, 5, 10, 3)
    camera = fitted(box, 800, 600, margin=40)
    corner, far = camera.to_view(-2, 5), camera.to_view(8, 8)
    assert corner.x() == pytest.approx(40)
    assert far.x() == pytest.approx(760)
    assert 40 < far.y() < corner.y() < 560


@pytest.mark.parametrize(
    "box", [QRectF(-2, 5, 10, 3), QRectF(0, 0, 3, 10), QRectF(0, 0, 1, 1), QRectF(4, 4, 0, 0)]
)
@pytest.mark.parametrize("size", [(800, 600), (500, 420), (1400, 500)])
def test_a_fitted_box_lies_beside_what_covers_corners_of_the_view(box, size):
    width, height = size
    tools, legend = QRectF(12, 12, 249, 43), QRectF(12, height - 152, 200, 140)
    camera = fitted(box, width, height, margin=36, covered=[tools, legend])
    shown = QRectF(
        camera.to_view(box.left(), box.bottom()), camera.to_view(box.right(), box.top())
    ).adjusted(-1, -1, 1, 1)
    assert QRectF(0, 0, width, height).contains(shown)
    assert not shown.intersects(tools)
    assert not shown.intersects(legend)


def test_of_the_ways_past_a_cover_the_one_that_shows_most_is_taken():
    legend = [QRectF(12, 448, 200, 140)]
    wide, tall = QRectF(0, 0, 10, 3), QRectF(0, 0, 3, 10)
    assert fitted(wide, 800, 600, margin=36, covered=legend).scale == pytest.approx(72.8)
    assert fitted(tall, 800, 600, margin=36, covered=legend).scale == pytest.approx(52.8)


@pytest.mark.parametrize("box", [QRectF(), QRectF(4, 4, 0, 0), QRectF(1, 1, 2, 0)])
def test_a_box_without_area_can_be_fitted(box):
    camera = fitted(box, 800, 600, margin=40)
    assert camera.to_view(box.center().x(), box.center().y()) == QPointF(400, 300)
    assert camera.scale > 0


def test_a_view_of_no_size_can_be_fitted():
    assert fitted(QRectF(0, 0, 1, 1), 0, 0, margin=40).scale > 0


def test_zooming_ends_near_and_far():
    assert CAMERA.zoomed(1e9, QPointF()).held(50.0).scale == pytest.approx(50.0 * 4_000)
    assert CAMERA.zoomed(1e-9, QPointF()).held(50.0).scale == pytest.approx(25.0)


def test_a_window_lies_where_the_view_is():
    place = window_of(CAMERA, 2.0, margin=100).place_in(CAMERA)
    assert (place.x(), place.y()) == pytest.approx((-50, -50))
    assert (place.width(), place.height()) == pytest.approx((900, 700))


def test_a_window_sees_what_the_camera_sees():
    window = window_of(CAMERA, 2.0)
    spot = window.spot(2.0, 1.0)
    assert spot == QPointF(2 * CAMERA.to_view(2.0, 1.0).x(), 2 * CAMERA.to_view(2.0, 1.0).y())
