"""The map as a file, drawn without a window: what `samesense map --to` asks for."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.look.theme import apply_theme, current_theme
from app.main import application
from app.pages.map_canvas import MapCanvas
from app.pages.map_colours import colour_clusters, colour_plain
from app.pages.map_reads import read_drawn
from core.errors import UserError
from core.store import Project

SIZE = (1600, 1100)


def draw_map(folder: Path, to: Path) -> None:
    """Draw the map of a project, coloured and named by its clusters, as PNG or SVG.

    Raises `UserError` where there is no map, or the file cannot be written.
    """
    with Project.open_read_only(folder) as project:
        drawn = read_drawn(project)
    if drawn.picture is None:
        raise UserError("The map has not been drawn yet.", "Run: samesense map PROJECT.")
    app: QApplication = application()
    apply_theme(app, "light")
    canvas = MapCanvas()
    # A widget that was never shown hears nothing of its size.
    canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    canvas.resize(*SIZE)
    canvas.view.resize(*SIZE)
    canvas.show()
    canvas.show_picture(drawn.picture, keep_view=False)
    canvas.show_clusters(drawn.clusters)
    theme = current_theme()
    canvas.show_colouring(
        colour_plain(drawn.picture, theme)
        if drawn.clusters is None
        else colour_clusters(drawn.clusters, drawn.picture, theme)
    )
    canvas.view.settle()
    try:
        if to.suffix.lower() == ".svg":
            canvas.view.save_svg(to)
        else:
            canvas.view.save_png(to)
    finally:
        canvas.close()
        canvas.deleteLater()
