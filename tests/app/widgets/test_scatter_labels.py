"""Names on a map: the important first, none over another."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from app.look.oklch import contrast
from app.look.theme import theme_named
from app.widgets.scatter_camera import Camera
from app.widgets.scatter_labels import LabelPainter, MapLabel, place
from app.widgets.scatter_points import sort_points
from app.widgets.scatter_work import finish

CAMERA = Camera(0.5, 0.5, 500.0, 800.0, 600.0)


@pytest.fixture(scope="module")
def points():
    return finish(sort_points(np.array([[0, 0], [1, 1]], np.float32)))


@pytest.fixture
def theme(app):
    return theme_named("light")


@pytest.fixture
def crowd(points, theme):
    rng = np.random.default_rng(0)
    labels = [
        MapLabel(
            f"refund, card {number}", *rng.random(2).tolist(), float(rng.integers(1, 99)), number
        )
        for number in range(150)
    ]
    return LabelPainter(labels, points, theme)


def keys(painter, camera):
    return [label.key for label, _ in painter.boxes(camera)]


def test_no_label_touches_another_at_any_zoom(crowd):
    for zoom in (0.5, 1, 2, 5):
        boxes = [box for _, box in crowd.boxes(CAMERA.zoomed(zoom, QPointF(400, 300)))]
        assert len(boxes) > 5
        assert not any(one.intersects(other) for one, other in combinations(boxes, 2))


def test_the_heaviest_label_always_has_room(points, theme):
    labels = [MapLabel(f"name {n}", 0.5, 0.5, float(n), n) for n in range(60)]
    assert 59 in keys(LabelPainter(labels, points, theme), CAMERA)


def test_more_labels_are_seen_near_by(crowd):
    near = CAMERA.zoomed(3, QPointF(400, 300))
    assert len(crowd.placed(near)) > len(crowd.placed(CAMERA))


def test_labels_stay_while_the_map_is_moved(crowd):
    moved = CAMERA.panned(25, -14)
    before = {label.key: box for label, box in crowd.boxes(CAMERA)}
    after = {label.key: box for label, box in crowd.boxes(moved)}
    both = before.keys() & after.keys()
    assert len(both) > 5
    for key in both:
        step = after[key].topLeft() - before[key].topLeft()
        assert (step.x(), step.y()) == pytest.approx((25, -14), abs=1e-6)


def test_labels_of_the_selection_get_room_first(points, theme):
    labels = [MapLabel(f"name {n}", 0.5, 0.5, float(n), n) for n in range(60)]
    painter = LabelPainter(labels, points, theme)
    assert 0 not in keys(painter, CAMERA)
    painter.light(frozenset([0]))
    assert 0 in keys(painter, CAMERA)


def drawn(painter, hot=None):
    image = QImage(800, 600, QImage.Format.Format_RGB32)
    image.fill("#ffffff")
    brush = QPainter(image)
    painter.paint(brush, CAMERA, ratio=1.0, hot=hot)
    brush.end()
    return image


def darkest(image):
    return min(image.pixelColor(x, y).lightness() for x in range(300, 500) for y in range(270, 330))


def test_labels_beside_the_selection_fade_and_the_pointed_at_one_does_not(points, theme):
    painter = LabelPainter([MapLabel("refund", 0.5, 0.5, 1.0, 7)], points, theme)
    full = darkest(drawn(painter))
    painter.light(frozenset([8]))
    assert darkest(drawn(painter)) > full + 80
    assert darkest(drawn(painter, hot=7)) < full + 10


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_label_is_read_over_its_halo(app, name):
    colours = theme_named(name).colours
    assert contrast(colours.ink, colours.paper) >= 4.5


@pytest.mark.parametrize(
    "text",
    [
        "استرداد المبلغ المدفوع مرتين",
        "退款 重复扣款",
        "🙂🙂 👍",
        "x" * 300,
        "one " * 90,
        "a\u2028b\x00c",
        "🇩🇪",
    ],
    ids=["arabic", "chinese", "emoji", "one long word", "many words", "controls", "flag"],
)
def test_any_text_is_a_label_of_bearable_size(points, theme, text):
    painter = LabelPainter([MapLabel(text, 0.5, 0.5, 1.0, 1)], points, theme)
    [(_, box)] = painter.boxes(CAMERA)
    assert 5 < box.width() < 360
    assert 8 < box.height() < 60
    assert darkest(drawn(painter)) < 250


def test_blank_labels_are_left_out(points, theme):
    labels = [MapLabel(text, 0.5, 0.5, 1.0, 1) for text in ("", "  ", "\n")]
    assert LabelPainter(labels, points, theme).boxes(CAMERA) == []


def test_labels_without_weight_are_placed(points, theme):
    painter = LabelPainter([MapLabel("refund", 0.5, 0.5, 0.0, 1)], points, theme)
    assert keys(painter, CAMERA) == [1]


def test_a_label_at_the_rim_makes_room_for_itself(points, theme):
    labels = [MapLabel("a name with several words", 0.0, 0.5, 1.0, 1)]
    painter = LabelPainter(labels, points, theme)
    narrow = Camera(0.5, 0.5, 560.0, 600.0, 600.0)
    [(_, box)] = painter.boxes(narrow)
    assert box.left() < 0
    [(_, box)] = painter.boxes(painter.with_room(narrow, points.box))
    assert box.left() >= 0


def test_of_a_thousand_labels_many_find_room():
    rng = np.random.default_rng(1)
    found = place(rng.random((1_000, 2)) * 2_000, np.tile((90.0, 30.0), (1_000, 1)))
    assert 100 < len(found) < 1_000
