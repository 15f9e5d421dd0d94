"""What the window remembers between two starts: how it looks, where things are, what was open."""

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from core.errors import UserError
from core.folders import user_data

THEMES = ("system", "light", "dark")
TEXT_SIZES = (90, 100, 115, 130)  # percent


@dataclass(frozen=True, slots=True)
class Settings:
    """All of it, as plain values; a value that makes no sense falls back to the default."""

    theme: str = "system"
    text_size: int = 100  # percent of the system's own
    encoder: str = "default"
    cross_encoder: str = ""  # folder of what checks pairs again; empty: the project's own
    device: str = "auto"
    precision: str = "auto"
    projects: str = ""  # folder for new projects; empty: the user's data folder
    geometry: str = ""  # of the window, as Qt saves it, in base 64
    page: str = ""  # the page shown last
    recents: tuple[str, ...] = ()  # project folders, the newest first


class SettingsFile:
    """The settings and the file they are kept in; every change is written at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.values = _read(path)

    def change(self, **values: Any) -> None:
        """Set some values and write the file; raises `UserError` when it cannot be written."""
        self.values = replace(self.values, **values)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part = self._path.with_suffix(".part")
            part.write_text(json.dumps(asdict(self.values), indent=1), encoding="utf-8")
            part.replace(self._path)
        except OSError as fault:
            raise UserError(
                f"The settings could not be written to {self._path} ({fault.strerror}).",
                "They hold until you close the window.",
            ) from fault

    def projects_folder(self) -> Path:
        """Where new projects are made unless another place is named."""
        given = self.values.projects
        return Path(given).expanduser() if given else user_data() / "projects"


def _read(path: Path) -> Settings:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Settings()  # none yet, or damaged: nothing in it is worth stopping for
    if not isinstance(told, dict):
        return Settings()
    plain = Settings()
    known: dict[str, Any] = {}
    for field in fields(Settings):
        value = told.get(field.name)
        if isinstance(value, list):
            value = tuple(str(one) for one in value)
        if type(value) is type(getattr(plain, field.name)):
            known[field.name] = value
    if known.get("theme") not in THEMES:
        known.pop("theme", None)
    if known.get("text_size") not in TEXT_SIZES:
        known.pop("text_size", None)
    return Settings(**known)
