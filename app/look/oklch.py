"""Colours by lightness, chroma and hue as the eye sees them (Ottosson's Oklab, 2020)."""

from math import atan2, cos, degrees, hypot, radians, sin


def oklch_of(color: str) -> tuple[float, float, float]:
    """`#rrggbb` as lightness 0 to 1, chroma from 0, and hue in degrees."""
    red, green, blue = (_linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    lightness = 0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
    return lightness, hypot(a, b), degrees(atan2(b, a)) % 360


def hex_of(lightness: float, chroma: float, hue: float) -> str:
    """The `#rrggbb` nearest to it; chroma that no screen can show is taken back."""
    for share in range(20, -1, -1):
        channels = _channels(lightness, chroma * share / 20, hue)
        if all(-0.002 <= channel <= 1.002 for channel in channels):
            break
    return "#" + "".join(f"{round(255 * min(max(channel, 0), 1)):02x}" for channel in channels)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21, as WCAG 2 defines it."""
    lights = sorted((_luminance(one), _luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def lightness_for(color: str, on: str, *, at_least: float) -> float:
    """The lightness nearest to that of `color` at which its hue reads on `on`."""
    lightness, chroma, hue = oklch_of(color)
    step = -0.01 if _luminance(on) > 0.18 else 0.01
    while 0 < lightness < 1 and contrast(hex_of(lightness, chroma, hue), on) < at_least:
        lightness += step
    return min(max(lightness, 0.0), 1.0)


def _channels(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _curved(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
        _curved(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
        _curved(-0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short),
    )


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _curved(light: float) -> float:
    if light <= 0.0031308:
        return 12.92 * light
    return float(1.055 * light ** (1 / 2.4) - 0.055)


def _luminance(color: str) -> float:
    red, green, blue = (_linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
