"""The curves of a training: every point, the best one, and nothing of the library's chrome."""

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.look.theme import apply_theme
from app.look.tokens import DARK, LIGHT
from app.widgets.curve_plot import CurvePlot, has_curves
from app.widgets.curve_points import Curves

ROOT = Path(__file__).resolve().parents[3]


def trained(steps: int = 60) -> list[dict[str, float]]:
    """What a training tells: the loss at every step, the last score with each of them."""
    points = []
    held = 0.7
    for step in range(1, steps + 1):
        if step % 10 == 0:
            held = 0.7 + 0.1 * math.sin(step / 20)
        points.append({"step": float(step), "loss": 1 / step, "held_out": held})
    return points


@pytest.fixture
def plot(show: Callable[..., QWidget]) -> CurvePlot:
    made = CurvePlot()
    made.begin(score="Average precision", total=60)
    show(made, 600, 400)
    return made


def drawn(plot: CurvePlot) -> Any:
    """Wait for the drawing library, which is loaded on a thread of its own."""
    for _ in range(1_000):
        if plot.is_drawn:
            return plot._charts
        QTest.qWait(10)
    raise AssertionError("never drawn")


def test_before_the_first_point_it_says_what_will_be_here(plot: CurvePlot) -> None:
    assert not plot.is_drawn
    assert "once the first steps are made" in plot.accessibleName()
    plot.add_points(trained(1))
    drawn(plot)


def test_points_that_came_while_the_library_was_loading_are_drawn(plot: CurvePlot) -> None:
    plot.add_points(trained())
    charts = drawn(plot)
    assert list(charts._single.getData()[0]) == [float(step) for step in range(1, 61)]


def test_the_best_score_is_ringed_and_the_first_is_the_line_to_beat(plot: CurvePlot) -> None:
    plot.add_points(trained())
    charts = drawn(plot)
    assert [float(at[0]) for at in charts._best.getData()] == [30.0, 0.7 + 0.1 * math.sin(1.5)]
    assert charts._before.value() == 0.7
    assert plot.accessibleName().startswith("Average precision, held out: 0.700 → best 0.800")


def test_the_axis_is_as_long_as_the_training_will_be(plot: CurvePlot) -> None:
    plot.expect(200)
    plot.add_points(trained(20))
    low, high = drawn(plot).loss.getViewBox().viewRange()[0]
    assert low <= 0
    assert 200 <= high < 220


def test_a_training_without_a_score_shows_its_loss_alone(plot: CurvePlot) -> None:
    plot.add_points([{"step": float(step), "loss": 0.1} for step in range(9)])
    charts = drawn(plot)
    assert charts.held.isHidden()
    assert not charts.loss.isHidden()


def test_a_finished_training_is_drawn_from_its_record(plot: CurvePlot) -> None:
    plot.show_curves([[1, 0.3], [2, 0.2]], [[0, 0.7], [2, 0.8]], score="Spearman")
    charts = drawn(plot)
    assert list(charts._single.getData()[1]) == [0.3, 0.2]
    assert list(charts._held_line.getData()[1]) == [0.7, 0.8]


def test_beginning_anew_forgets_what_was_drawn(plot: CurvePlot) -> None:
    plot.add_points(trained())
    drawn(plot)
    plot.begin(score="Spearman")
    assert not plot.is_drawn


def test_a_right_click_opens_no_menu_and_the_wheel_zooms_nothing(plot: CurvePlot) -> None:
    plot.add_points(trained())
    charts = drawn(plot)
    before = charts.loss.getViewBox().viewRange()
    QTest.mouseClick(
        charts.loss.viewport(), Qt.MouseButton.RightButton, pos=QPoint(200, 40)
    )  # fmt: skip
    assert [menu for menu in plot.findChildren(QMenu) if menu.isVisible()] == []
    assert charts.loss.getViewBox().viewRange() == before
    assert charts.loss.getViewBox().mouseEnabled() == [False, False]


def test_under_the_mouse_the_figures_of_that_step_are_told(plot: CurvePlot) -> None:
    plot.add_points(trained())
    charts = drawn(plot)
    charts.pointed.emit(30.0)
    assert "0.800, step 30" in plot._held_told.text()
    charts.pointed.emit(None)
    assert plot._held_told.text() == "0.700 → best 0.800"


def test_it_wears_the_theme_of_the_moment(plot: CurvePlot, app: QApplication) -> None:
    plot.add_points(trained())
    charts = drawn(plot)
    assert charts._smooth.opts["pen"].color().name().upper() == LIGHT.ink.upper()
    try:
        apply_theme(app, "dark")
        QTest.qWait(20)
        assert charts._smooth.opts["pen"].color().name().upper() == DARK.ink.upper()
        assert charts.loss.backgroundBrush().color().name().upper() == DARK.surface.upper()
    finally:
        apply_theme(app, "light")


def test_a_thousand_points_are_taken_in_a_moment(plot: CurvePlot) -> None:
    plot.add_points(trained(20))
    drawn(plot)
    import time

    for start in range(21, 1021, 10):
        began = time.perf_counter()
        plot.add_points([{"step": float(start + at), "loss": 0.1} for at in range(10)])
        assert time.perf_counter() - began < 0.1


def test_the_window_starts_without_the_drawing_library() -> None:
    asked = (
        "import pkgutil, sys, app\n"
        "for one in pkgutil.walk_packages(app.__path__, 'app.'):\n"
        "    __import__(one.name)\n"
        "print('pyqtgraph' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout.strip() == "False", done.stderr


def test_the_drawing_library_brings_no_heavy_one_along() -> None:
    heavy = ("torch", "transformers", "scipy", "sklearn", "faiss", "umap", "hdbscan", "numba")
    asked = (
        "import sys\nfrom app.widgets.curve_charts import load_library\nload_library()\n"
        f"print(sorted(set({heavy!r}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_figures_that_are_no_numbers_are_left_out() -> None:
    curves = Curves()
    curves.add({"step": 1.0, "loss": math.nan, "held_out": math.inf})
    assert curves.is_empty


def test_a_figure_told_again_is_one_point() -> None:
    curves = Curves()
    for _ in range(3):
        curves.add({"step": 4.0, "loss": 0.2, "held_out": 0.7})
    assert (curves.loss, curves.held) == ([0.2], [0.7])


def test_a_training_in_parts_begins_its_curves_anew_with_each() -> None:
    curves = Curves()
    for step in (1.0, 2.0, 3.0, 1.0, 2.0):
        curves.add({"step": step, "loss": 0.5, "held_out": 0.7 + step / 100})
    assert curves.loss_steps == [1.0, 2.0]
    assert curves.best == 1


def test_each_stage_has_its_own_smooth_line_with_a_gap_before_it() -> None:
    curves = Curves(6, [(0.0, "Labels"), (3.0, "Scores")])
    for step, loss in enumerate((9.0, 9.0, 9.0, 1.0, 1.0, 1.0), start=1):
        curves.add({"step": float(step), "loss": loss})
    assert curves.smooth == pytest.approx([9.0, 9.0, 9.0, 1.0, 1.0, 1.0])
    steps, told = curves.broken(curves.loss)
    assert steps == [1.0, 2.0, 3.0, 4.0, 4.0, 5.0, 6.0]
    assert [math.isnan(one) for one in told] == [False, False, False, True, False, False, False]


def test_stages_are_upright_lines_with_their_names(plot: CurvePlot) -> None:
    plot.begin(score="Spearman", total=60, stages=[(0.0, "Labels"), (30.0, "Scores")])
    plot.add_points(trained())
    charts = drawn(plot)
    named = [one for one in charts._bounds if getattr(one, "label", None) is not None]
    assert [(one.value(), one.label.format) for one in named] == [(0.0, "Labels"), (30.0, "Scores")]


def test_the_smooth_line_starts_at_the_first_loss_and_follows() -> None:
    curves = Curves(100)
    for step in range(100):
        curves.add({"step": float(step), "loss": 1.0 if step < 50 else 0.0})
    assert curves.smooth[0] == pytest.approx(1.0)
    assert curves.smooth[49] == pytest.approx(1.0)
    assert curves.smooth[-1] < 0.01


def test_a_single_point_is_no_curve() -> None:
    assert not has_curves([[1.0, 0.2]], [])
    assert not has_curves([[1.0, 0.2]], [[0.0, 0.7]])
    assert has_curves([[1.0, 0.2], [2.0, 0.1]], [])
