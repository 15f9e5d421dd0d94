"""Exporting: the sheet that asks what and where, and the job."""

from PySide6.QtWidgets import QWidget

from app.workspace import Workspace


def open_export(workspace: Workspace, what: str, parent: QWidget) -> None:
    """Open the export sheet."""
