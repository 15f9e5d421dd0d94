"""Measuring the real map canvas."""

from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from app.bench.frames import PACE_S, PaintWatch, paced, until
from app.bench.map import _Hand, measure_map
from app.bench.map_scene import made_canvas, made_clusters, made_picture
from app.widgets.scatter_picture import pixels_of


@pytest.fixture
def painted(show) -> tuple[QWidget, PaintWatch]:
    widget = show(QWidget(), 200, 100)
    return widget, PaintWatch(widget)


def test_a_frame_ends_when_it_is_painted(painted: tuple[QWidget, PaintWatch]):
    widget, watch = painted
    before = watch.count
    assert len(paced([widget.update] * 5, watch)) == 5
    assert watch.count >= before + 5


def test_frames_keep_the_pace(painted: tuple[QWidget, PaintWatch]):
    widget, watch = painted
    seconds = until(lambda: bool(paced([widget.update] * 7, watch)))
    assert seconds > 6 * PACE_S


def test_a_slow_widget_gets_fewer_motions(painted: tuple[QWidget, PaintWatch]):
    widget, watch = painted
    assert len(paced([widget.update] * 50, watch, most_s=0.0)) == 1


def test_waiting_runs_the_event_loop(painted: tuple[QWidget, PaintWatch]):
    widget, watch = painted
    QCoreApplication.processEvents()
    before = watch.count
    widget.update()
    until(lambda: watch.count > before)
    assert watch.count > before


def test_clusters_are_listed_from_the_largest_on():
    picture = made_picture(np.arange(12, dtype=np.float32).reshape(6, 2))
    made = made_clusters(picture, np.array([7, 3, 3, -1, 3, 7], np.int32))
    assert [(row.number, row.rows) for row in made.listed] == [(3, 3), (7, 2)]
    assert made.place.tolist() == [1, 0, 0, -1, 0, 1]
    assert made.spots[7] == (5.0, 6.0)


def test_every_motion_of_both_sides_is_measured(app, tmp_path: Path):
    random = np.random.default_rng(0)
    cluster = random.integers(-1, 4, 600).astype(np.int32)
    file = tmp_path / "points.npz"
    np.savez(file, xy=random.normal(size=(600, 2)).astype(np.float32), cluster=cluster)
    told = measure_map({"points": str(file), "repeats": 1, "peers": True})
    assert len(told["ours"]) == len(told["theirs"]) == 104
    assert all(min(told[name]) > 0 for name in ("ours", "theirs", "hover", "lasso", "recolour"))


def test_the_map_has_moved_when_a_frame_of_a_drag_ends(app, tmp_path: Path):
    """What stands on the screen then, not what another paint would show."""
    random = np.random.default_rng(1)
    file = tmp_path / "points.npz"
    cluster = random.integers(-1, 4, 5_000).astype(np.int32)
    np.savez(file, xy=random.normal(size=(5_000, 2)).astype(np.float32), cluster=cluster)
    hand = _Hand(made_canvas(), file)
    canvas = hand.canvas
    canvas.show_clusters(None)
    canvas.view.settle()
    paced([canvas.view.update], hand._watch)
    shots = [_on_screen(canvas)]
    hand._mouse(QEvent.Type.MouseButtonPress, QPointF(600, 450), Qt.MouseButton.LeftButton)
    for move in islice(hand._drag(QPointF(600, 450)), 8):
        paced([move], hand._watch)
        shots.append(_on_screen(canvas))
    hand._mouse(QEvent.Type.MouseButtonRelease, QPointF(608, 474), Qt.MouseButton.LeftButton)
    canvas.close()
    canvas.deleteLater()
    for before, after in pairwise(shots):
        inner = before[300:600, 400:800]
        assert len(np.unique(inner)) > 20
        assert np.array_equal(after[303:603, 407:807], inner)


def _on_screen(widget: QWidget) -> np.ndarray:
    screen = QApplication.primaryScreen().grabWindow(widget.winId())
    image = screen.toImage().convertToFormat(QImage.Format.Format_RGB32)
    return pixels_of(image).copy()
