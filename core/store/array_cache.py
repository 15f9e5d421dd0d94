"""Named arrays beside the database, for what is drawn whole; they may be deleted at any time."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


class ArrayCache:
    """Files of arrays in a project's cache folder, named by what they depend on.

    A file is whole or not there; a disk that is full or may not be written to costs time
    only. A new file of a kind takes the place of the older ones.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, kind: str, key: str) -> dict[str, NDArray[Any]] | None:
        """The arrays, None where the file is missing or damaged."""
        try:
            with np.load(self._folder / f"{kind}-{key}.npz", allow_pickle=False) as held:
                return {name: held[name] for name in held.files}
        except (OSError, ValueError, EOFError, KeyError):
            return None
        except Exception as fault:
            if type(fault).__name__ == "BadZipFile":  # zipfile is slow to import for one name
                return None
            raise

    def save(self, kind: str, key: str, arrays: Mapping[str, NDArray[Any]]) -> bool:
        """Keep the arrays; say whether they are kept."""
        file = self._folder / f"{kind}-{key}.npz"
        unfinished = file.with_suffix(f".{os.getpid()}.part")
        try:
            self._folder.mkdir(exist_ok=True)
            with unfinished.open("wb") as stream:
                np.savez(stream, **arrays)  # type: ignore[arg-type]  # its stub takes **kwds for allow_pickle
            self.clear(kind)
            unfinished.replace(file)
        except OSError:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            return False
        return True

    def clear(self, kind: str) -> None:
        """Drop the files of a kind."""
        for file in self._folder.glob(f"{kind}-*.npz"):
            # Windows keeps a file that another process has open; the next time gets it.
            with suppress(OSError):
                file.unlink(missing_ok=True)
