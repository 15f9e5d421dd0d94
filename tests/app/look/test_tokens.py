"""Colours that can be read by everyone."""

import pytest
from PySide6.QtGui import QColor

from app.look.tokens import DARK, LIGHT, Colours

ENOUGH = 4.5
TONES = ("same", "different", "unsure", "note", "plain")
MODES = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])


def luminance(colour: str) -> float:
    parts = QColor(colour).getRgbF()[:3]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_and_white_is_twenty_one():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@MODES
@pytest.mark.parametrize("surface", ["paper", "surface", "sunken", "hover", "selection"])
@pytest.mark.parametrize("words", ["ink", "muted"])
def test_words_can_be_read_on_every_surface(colours: Colours, surface: str, words: str):
    assert contrast(getattr(colours, words), getattr(colours, surface)) >= ENOUGH


@MODES
@pytest.mark.parametrize("surface", ["paper", "surface"])
@pytest.mark.parametrize("words", ["faint", "accent_text"])
def test_placeholders_and_links_can_be_read(colours: Colours, surface: str, words: str):
    assert contrast(getattr(colours, words), getattr(colours, surface)) >= ENOUGH


@MODES
@pytest.mark.parametrize("tone", TONES)
def test_a_tone_can_be_read_on_its_own_soft_ground_and_on_the_page(colours: Colours, tone: str):
    its = getattr(colours, tone)
    worst = min(contrast(its.text, ground) for ground in (its.soft, colours.paper, colours.surface))
    assert worst >= ENOUGH


@MODES
@pytest.mark.parametrize("tone", TONES)
def test_ink_can_be_read_in_a_banner(colours: Colours, tone: str):
    assert contrast(colours.ink, getattr(colours, tone).soft) >= ENOUGH


@MODES
def test_marked_words_can_be_read(colours: Colours):
    assert contrast(colours.ink, colours.highlight) >= ENOUGH


@MODES
@pytest.mark.parametrize("ground", ["accent", "accent_hover"])
def test_the_primary_button_can_be_read(colours: Colours, ground: str):
    assert contrast(colours.on_accent, getattr(colours, ground)) >= ENOUGH


@MODES
@pytest.mark.parametrize("ground", ["paper", "surface", "sunken"])
def test_the_focus_ring_stands_out(colours: Colours, ground: str):
    assert contrast(colours.accent, getattr(colours, ground)) >= 3
