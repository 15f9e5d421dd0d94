"""A map as a file."""

import os
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QImage

from app.widgets.scatter_labels import MapLabel
from app.widgets.scatter_view import ScatterView
from core.errors import UserError

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def view(show):
    rng = np.random.default_rng(0)
    made = show(ScatterView(), 400, 300)
    made.show_points(rng.normal(size=(300, 2)).astype(np.float32))
    made.show_colors((np.arange(300) % 4 - 1).astype(np.int32))
    made.show_labels([MapLabel("a < b & “c”", 0.0, 0.0, 2.0, 1), MapLabel("رد", 1.0, 1.0, 1.0, 2)])
    made.settle()
    return made


def test_a_png_has_the_views_size_times_the_scale(view, tmp_path):
    view.save_png(tmp_path / "map.png", 3.0)
    image = QImage(str(tmp_path / "map.png"))
    assert (image.width(), image.height()) == (1_200, 900)


def test_a_png_shows_the_map_without_marks_of_the_hand(view, tmp_path):
    view.save_png(tmp_path / "before.png", 1.0)
    view.setFocus()
    view.save_png(tmp_path / "after.png", 1.0)
    assert (tmp_path / "before.png").read_bytes() == (tmp_path / "after.png").read_bytes()


def test_an_svg_has_a_circle_for_each_point_in_its_colour(view, tmp_path):
    view.save_svg(tmp_path / "map.svg")
    root = ElementTree.parse(tmp_path / "map.svg").getroot()
    assert len(root.findall(f".//{SVG}circle")) == 300
    fills = {
        group.get("fill")
        for group in root.iter(f"{SVG}g")
        if group.find(f"{SVG}circle") is not None
    }
    assert len(fills) == 4


def test_an_svg_holds_the_names_as_text(view, tmp_path):
    view.save_svg(tmp_path / "map.svg")
    root = ElementTree.parse(tmp_path / "map.svg").getroot()
    texts = {text.text: text for text in root.iter(f"{SVG}text")}
    assert "a < b & “c”" in texts
    assert texts["رد"].get("direction") == "rtl"


def test_an_svg_circle_is_where_the_view_shows_the_point(show, tmp_path):
    view = show(ScatterView(), 400, 300)
    view.show_points(np.array([[0, 0], [4, 3]], np.float32))
    view.settle()
    view.save_svg(tmp_path / "map.svg")
    root = ElementTree.parse(tmp_path / "map.svg").getroot()
    spots = sorted((float(c.get("cx")), float(c.get("cy"))) for c in root.iter(f"{SVG}circle"))
    wanted = [view.spot_of(0, 0), view.spot_of(4, 3)]
    assert spots == [pytest.approx((spot.x(), spot.y()), abs=0.02) for spot in wanted]


def test_what_is_out_of_sight_is_not_in_the_svg(view, tmp_path):
    view.zoom(6)
    view.settle()
    view.save_svg(tmp_path / "map.svg")
    root = ElementTree.parse(tmp_path / "map.svg").getroot()
    assert 0 < len(root.findall(f".//{SVG}circle")) < 200


def test_an_svg_of_very_many_points_holds_an_image_of_them(show, tmp_path):
    view = show(ScatterView(), 400, 300)
    view.show_points(np.random.default_rng(0).normal(size=(30_000, 2)).astype(np.float32))
    view.settle()
    view.save_svg(tmp_path / "map.svg")
    root = ElementTree.parse(tmp_path / "map.svg").getroot()
    assert root.find(f"{SVG}image") is not None
    assert root.find(f".//{SVG}circle") is None


def test_a_file_that_cannot_be_written_is_told_in_plain_words(view, tmp_path):
    with pytest.raises(UserError, match=r"could not be written to .*map\.png"):
        view.save_png(tmp_path / "no such folder" / "map.png")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a person without rights")
def test_a_failed_write_leaves_no_part_behind(view, tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(UserError):
        view.save_svg(tmp_path / "map.svg")
    tmp_path.chmod(0o700)
    assert list(tmp_path.iterdir()) == []


def test_writing_over_a_map_replaces_it(view, tmp_path):
    path = tmp_path / "map.svg"
    path.write_text("old")
    view.save_svg(path)
    assert path.read_text().startswith("<svg")
    assert [entry.name for entry in tmp_path.iterdir()] == ["map.svg"]
