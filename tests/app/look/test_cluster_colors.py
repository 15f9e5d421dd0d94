"""Colours that stay apart for every eye, and words that can be read in them."""

from itertools import combinations

import numpy as np
import pytest

from app.look.cluster_colors import (
    CLUSTER_COLORS,
    cluster_color,
    cluster_palette,
    context_color,
    label_color,
    unclustered_color,
    value_ramp,
)
from app.look.oklch import contrast, hex_of, oklch_of
from app.look.theme import theme_named

VISION = {  # Machado, Oliveira and Fernandes 2009, complete blindness to one cone
    "normal": np.eye(3),
    "red-blind": np.array(
        [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]
    ),
    "green-blind": np.array(
        [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]
    ),
    "blue-blind": np.array(
        [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]
    ),
}


@pytest.fixture(params=["light", "dark"])
def theme(app, request):
    return theme_named(request.param)


def linear(color):
    channels = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def seen(color, vision):
    """The place of a colour in Oklab, as an eye of that vision sees it."""
    light = np.clip(VISION[vision] @ linear(color), 0, 1)
    curved = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    name = "#" + "".join(f"{round(255 * channel):02x}" for channel in curved)
    lightness, chroma, hue = oklch_of(name)
    return np.array([lightness, *(chroma * f(np.radians(hue)) for f in (np.cos, np.sin))])


@pytest.mark.parametrize("vision", VISION)
def test_the_first_ten_colours_stay_apart(theme, vision):
    places = [seen(cluster_color(index, theme).name(), vision) for index in range(10)]
    assert min(np.linalg.norm(one - other) for one, other in combinations(places, 2)) > 0.07


def test_colours_stand_out_from_the_paper(theme):
    paper = theme.colours.paper
    assert min(contrast(color.name(), paper) for color in cluster_palette(30, theme)) > 1.9


def test_all_colours_differ_until_they_repeat(theme):
    names = {color.name() for color in cluster_palette(CLUSTER_COLORS, theme)}
    assert len(names) == CLUSTER_COLORS
    assert cluster_color(CLUSTER_COLORS, theme) == cluster_color(0, theme)


def test_unclustered_is_grey(theme):
    assert cluster_color(-1, theme) == unclustered_color(theme)
    assert unclustered_color(theme).saturation() < 25


def test_context_is_fainter_than_unclustered_but_seen(theme):
    paper = theme.colours.paper
    context = contrast(context_color(theme).name(), paper)
    assert 1.3 < context < contrast(unclustered_color(theme).name(), paper)


def test_words_in_a_clusters_colour_can_be_read(theme):
    paper = theme.colours.paper
    assert min(contrast(label_color(index, theme).name(), paper) for index in range(40)) >= 4.5


def test_a_ramp_goes_one_way_in_lightness(theme):
    lightness = [oklch_of(color.name())[0] for color in value_ramp(theme)]
    steps = np.diff(lightness)
    assert (steps > -0.004).all() if theme.is_dark else (steps < 0.004).all()
    assert abs(lightness[-1] - lightness[0]) > 0.4


@pytest.mark.parametrize("color", ["#000000", "#ffffff", "#2f6fde", "#e08a2e"])
def test_a_colour_survives_the_way_there_and_back(color):
    assert hex_of(*oklch_of(color)) == color


def test_chroma_that_no_screen_shows_is_taken_back():
    lightness, _, hue = oklch_of(hex_of(0.7, 0.9, 150))
    assert lightness == pytest.approx(0.7, abs=0.02)
    assert hue == pytest.approx(150, abs=4)
