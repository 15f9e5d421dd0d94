"""Where things live on this machine."""

import os
from pathlib import Path

from platformdirs import PlatformDirs

from core.errors import UserError

DEFAULT_ENCODER = "all-MiniLM-L6-v2"
_HOME = Path(__file__).resolve().parent.parent
_DIRS = PlatformDirs("samesense", appauthor=False)


def resources() -> Path:
    """The folder of icons and the demo corpus, beside the code in a clone, wheel or bundle."""
    return _HOME / "resources"


def settings_file() -> Path:
    """The file of the window's settings; `SAMESENSE_HOME` moves it, as tests do."""
    return _user_folder("SAMESENSE_HOME", _DIRS.user_config_path) / "settings.json"


def user_data() -> Path:
    """The folder for projects made without naming a place, and for installed encoders."""
    return _user_folder("SAMESENSE_HOME", _DIRS.user_data_path)


def user_cache() -> Path:
    """The folder for what can be made again; whoever needs room may delete it."""
    given = os.environ.get("SAMESENSE_HOME")
    return Path(given).expanduser() / "cache" if given else _DIRS.user_cache_path


def encoder_folder(name_or_folder: str | Path = "default") -> Path:
    """The folder of an encoder: `default` or a path; raise `UserError` if it is not there.

    A path is only ever a path: no name is looked up anywhere else.
    """
    if str(name_or_folder) != "default":
        folder = Path(name_or_folder).expanduser()
        if not folder.is_dir():
            raise UserError(
                f"There is no encoder folder {folder}.",
                "Put it back, or choose another folder that holds config.json and "
                "model.safetensors.",
            )
        return folder.resolve()
    for folder in default_encoder_places():
        if (folder / "config.json").is_file():
            return folder
    raise UserError(
        "The default encoder is not installed.",
        "Run `make encoder`, or name the folder of an encoder in SAMESENSE_ENCODER.",
    )


def folder_in_use(folder: str | Path, *, name: str) -> Path:
    """Where the encoder that a project uses lies now: the default one may have moved.

    Raises `UserError` where it is gone, with the ways out that the window has.
    """
    places = [Path(folder)]
    if name == DEFAULT_ENCODER:
        places += default_encoder_places()
    for place in places:
        if (place / "modules.json").is_file() or (place / "config.json").is_file():
            return place
    raise UserError(
        f"The folder of the encoder in use is gone ({folder}).",
        "Put it back, or use another encoder: “Back to the first encoder” on the Teach page, "
        "or Duplicates ▸ Encode with….",
    )


def default_encoder_places() -> list[Path]:
    """Where the default encoder is looked for, first wins."""
    places = []
    if os.environ.get("SAMESENSE_ENCODER"):
        places.append(Path(os.environ["SAMESENSE_ENCODER"]).expanduser())
    places.append(_HOME / "encoders" / DEFAULT_ENCODER)
    places.append(user_data() / "encoders" / DEFAULT_ENCODER)
    return places


def told(path: str | Path) -> str:
    """The path as text that can be stored and sent, whatever bytes its name is made of."""
    return os.fsencode(path).decode("utf-8", "replace")


def _user_folder(variable: str, default: Path) -> Path:
    given = os.environ.get(variable)
    return Path(given).expanduser() if given else default
