"""Colours of clusters, groups of values and scales, told apart with any colour vision."""

from typing import Final

from PySide6.QtGui import QColor

from app.look.oklch import hex_of, lightness_for, oklch_of
from app.look.theme import Theme

_BASE: Final = {  # chosen by search: farthest apart for normal, red-, green- and blue-blind eyes
    "light": (
        "#4d68ba",  # blue
        "#d0822d",  # amber
        "#09988c",  # teal
        "#943258",  # wine
        "#5bb1fa",  # sky
        "#5f388b",  # violet
        "#a2b87a",  # sage
        "#e294c7",  # pink
        "#255f08",  # forest
        "#9a6243",  # brown
    ),
    "dark": (
        "#408eb5",
        "#e68c4d",
        "#5af1d2",
        "#cd6689",
        "#a3c4ff",
        "#ab8ae7",
        "#dfd182",
        "#e5a3c6",
        "#4abd83",
        "#a67f4a",
    ),
}
_HUES: Final = 10
_ROUNDS: Final = 3
CLUSTER_COLORS: Final = _HUES * _ROUNDS  # from there on they repeat
_STEPS: Final = (0.0, 0.09, -0.09)  # lightness of the first, second and third round
_HELD: Final = {"light": (0.36, 0.80), "dark": (0.52, 0.93)}  # the lightness seen on the paper
_RAMP_HUE: Final = 258.0
_RAMP: Final = {"light": ((0.86, 0.055), (0.36, 0.15)), "dark": ((0.40, 0.075), (0.90, 0.10))}
_RAMP_STEPS: Final = 256
_READABLE: Final = 4.5


def cluster_color(index: int, theme: Theme) -> QColor:
    """The colour of cluster `index`, any whole number; -1 is unclustered.

    Ten hues that differ in lightness too, so that they stay apart with every kind of colour
    vision; they come again twice, lighter or darker.
    """
    if index < 0:
        return unclustered_color(theme)
    base = _BASE[theme.name][index % _HUES]
    step = _STEPS[index // _HUES % _ROUNDS]
    if step == 0:
        return QColor(base)
    lightness, chroma, hue = oklch_of(base)
    low, high = _HELD[theme.name]
    wanted = lightness + step
    if not low <= wanted <= high:
        wanted = lightness - 2 * step
    return QColor(hex_of(wanted, chroma, hue))


def cluster_palette(count: int, theme: Theme) -> list[QColor]:
    """The colours of clusters 0 to `count` - 1."""
    return [cluster_color(index, theme) for index in range(count)]


def label_color(index: int, theme: Theme) -> QColor:
    """The cluster's hue, dark or light enough to read words in it on the paper."""
    color = cluster_color(index, theme)
    lightness = lightness_for(color.name(), theme.colours.paper, at_least=_READABLE + 0.3)
    _, chroma, hue = oklch_of(color.name())
    return QColor(hex_of(lightness, chroma, hue))


def unclustered_color(theme: Theme) -> QColor:
    """The grey of texts that belong to no cluster or have no value."""
    return QColor("#62666C" if theme.is_dark else "#B4B1A9")


def context_color(theme: Theme) -> QColor:
    """The fainter grey of what is not selected."""
    return QColor("#43474D" if theme.is_dark else "#CFCCC4")


def value_ramp(theme: Theme) -> list[QColor]:
    """256 steps of one hue in even steps of lightness; the last stands out most from the paper."""
    (first, first_chroma), (last, last_chroma) = _RAMP[theme.name]
    shares = [step / (_RAMP_STEPS - 1) for step in range(_RAMP_STEPS)]
    return [
        QColor(
            hex_of(
                first + share * (last - first),
                first_chroma + share * (last_chroma - first_chroma),
                _RAMP_HUE,
            )
        )
        for share in shares
    ]
