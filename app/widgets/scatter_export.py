"""A map as a file."""

import base64
from contextlib import suppress
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage

from app.look.theme import Theme
from app.widgets.scatter_camera import Camera
from app.widgets.scatter_disc import GROWTH
from app.widgets.scatter_labels import LabelPainter
from app.widgets.scatter_picture import fitted_camera, paint_points, point_radius
from app.widgets.scatter_points import Points
from app.widgets.scatter_scene import ScatterScene
from app.widgets.scatter_shades import Shades
from app.widgets.scatter_window import window_of
from app.widgets.scatter_work import finish
from app.widgets.shown_text import is_right_to_left
from core.errors import UserError

MOST_CIRCLES = 20_000  # points in sight from which on an SVG holds an image of them
_OPACITY = 0.82


def write_png(image: QImage, path: Path) -> None:
    """Write `image` whole or not at all. Raises `UserError` where that is impossible."""
    _write(path, _png(image))


def write_svg(path: Path, scene: ScatterScene, camera: Camera, theme: Theme) -> None:
    """Write what `camera` sees: circles, or an image of many, and the names as text."""
    text = svg_of(scene.points, scene.shades(theme), scene.names, camera, theme)
    _write(path, text.encode())


def svg_of(
    points: Points, shades: Shades, names: LabelPainter, camera: Camera, theme: Theme
) -> str:
    """The SVG of what `camera` sees; `shades` lie in the caller's order."""
    width, height = round(camera.width), round(camera.height)
    own = finish(shades.sorting(points.order))
    radius = point_radius(
        points.count, camera, fitted_camera(points.box, camera.width, camera.height).scale
    )
    seen = _seen(points, camera, radius)
    body = (
        _circles(points, own, seen, camera, radius)
        if len(seen) <= MOST_CIRCLES
        else _embedded(points, own, camera, theme)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">\n'
        f'<rect width="{width}" height="{height}" fill="{theme.colours.paper}"/>\n'
        f"{body}\n{_names(names, camera, theme)}\n</svg>\n"
    )


def _seen(points: Points, camera: Camera, radius: float) -> npt.NDArray[np.int64]:
    across = camera.width / 2 + (points.x - camera.x) * camera.scale
    down = camera.height / 2 - (points.y - camera.y) * camera.scale
    inside = (across > -radius) & (across < camera.width + radius)
    return np.flatnonzero(inside & (down > -radius) & (down < camera.height + radius))


def _circles(
    points: Points,
    shades: Shades,
    seen: npt.NDArray[np.int64],
    camera: Camera,
    radius: float,
) -> str:
    """A group of circles per colour; those in the grey of context first."""
    color = np.where(shades.context[seen], -2, shades.index[seen])
    size = np.zeros(len(seen), np.uint8) if shades.size is None else shades.size[seen]
    across = camera.width / 2 + (points.x[seen] - camera.x) * camera.scale
    down = camera.height / 2 - (points.y[seen] - camera.y) * camera.scale
    groups = []
    for which in np.unique(color).tolist():
        fill = shades.grey if which == -2 else tuple(shades.palette[which].tolist())
        drawn = np.flatnonzero(color == which)
        circles = "".join(
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius * GROWTH[step]:.2f}"/>'
            for x, y, step in zip(
                across[drawn].tolist(), down[drawn].tolist(), size[drawn].tolist(), strict=True
            )
        )
        red, green, blue = (round(channel) for channel in fill)
        groups.append(f'<g fill="{QColor(red, green, blue).name()}">{circles}</g>')
    return f'<g fill-opacity="{_OPACITY}">\n' + "\n".join(groups) + "\n</g>"


def _embedded(points: Points, shades: Shades, camera: Camera, theme: Theme) -> str:
    """The points as an image at twice the size."""
    ratio = 2.0
    whole = fitted_camera(points.box, camera.width, camera.height)
    radius = point_radius(points.count, camera, whole.scale) * ratio
    window = window_of(camera, ratio)
    paper = QColor(theme.colours.paper)
    image = finish(paint_points(points, shades, window, radius, paper)).image
    data = base64.b64encode(_png(image)).decode()
    return (
        f'<image width="{window.columns / ratio:g}" height="{window.rows / ratio:g}" '
        f'href="data:image/png;base64,{data}"/>'
    )


def _names(names: LabelPainter, camera: Camera, theme: Theme) -> str:
    """The names twice, first as their halo: not every reader knows `paint-order`."""
    lines = []
    for written in names.written(camera):
        direction = ' direction="rtl"' if is_right_to_left(written.text) else ""
        lines.append(
            f'<text x="{written.middle:.1f}" y="{written.base:.1f}" '
            f'font-size="{written.pixels}"{direction}>{escape(_xml(written.text))}</text>'
        )
    texts = "\n".join(lines)
    family = quoteattr(names.family + ", sans-serif")
    return (
        f'<g font-family={family} font-weight="600" text-anchor="middle">\n'
        f'<g aria-hidden="true" fill="none" stroke="{theme.colours.paper}" stroke-width="5" '
        f'stroke-opacity="0.88" stroke-linejoin="round">\n{texts}\n</g>\n'
        f'<g fill="{theme.colours.ink}">\n{texts}\n</g>\n</g>'
    )


def _xml(text: str) -> str:
    """`text` without what XML cannot hold."""
    return "".join(letter for letter in text if letter >= " " and letter not in "\ufffe\uffff")


def _png(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]  # the stub lacks the device
        raise ValueError("Qt cannot write this image")
    return bytes(buffer.data().data())


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise UserError(
            f"The map could not be written to {path}: {error.strerror or error}.",
            "Choose another place or free some room; nothing was changed.",
        ) from error
