"""The search index as bytes beside the database; it may be deleted at any time."""

import os
from contextlib import suppress
from pathlib import Path


class Indexes:
    """One index per encoder. Python reads and writes the bytes, so that any path will do."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache

    def load(self, encoder: int) -> bytes | None:
        """The bytes kept last, None where there are none."""
        try:
            return self._file(encoder).read_bytes()
        except OSError:
            return None

    def save(self, encoder: int, held: bytes) -> None:
        """Keep the bytes, where the disk has room for that."""
        file = self._file(encoder)
        unfinished = file.with_suffix(f".{os.getpid()}.part")
        try:
            self._cache.mkdir(exist_ok=True)
            unfinished.write_bytes(held)
            unfinished.replace(file)
        except OSError:
            # Without it the next search takes a little longer to begin, and nothing else.
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)

    def _file(self, encoder: int) -> Path:
        return self._cache / f"index-{encoder}.faiss"
