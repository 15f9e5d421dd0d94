"""The cross-encoder that a worker keeps loaded between two wishes."""

from pathlib import Path

from core.cross import CrossEncoder, load_cross_encoder
from core.cross.folder import is_cross_folder, read_cross_folder
from core.errors import UserError
from core.progress import Progress, Steps


class CrossDesk:
    """One cross-encoder in memory, loaded again when its files are others."""

    def __init__(self) -> None:
        self._cross: CrossEncoder | None = None
        self._loaded: tuple[object, ...] = ()

    def load(self, folder: Path, *, device: str = "auto") -> Steps[CrossEncoder]:
        """Return the cross-encoder in `folder`, which takes seconds the first time.

        Raises `UserError` for a bad folder, and for one that tells labels apart: texts are
        ordered by one score.
        """
        folder = _there(folder)
        told = read_cross_folder(folder)
        state = (folder, device, *((file, file.stat().st_mtime_ns) for file in told.files))
        if self._cross is None or self._loaded != state:
            yield Progress("Loading the cross-encoder")
            cross = load_cross_encoder(folder, device=device)
            if len(cross.labels) != 1:
                raise UserError(
                    f"The cross-encoder {cross.name} tells {len(cross.labels)} kinds of pairs "
                    "apart and gives no single score.",
                    "Choose one that gives a score.",
                )
            self._cross, self._loaded = cross, state
        return self._cross


def _there(folder: Path) -> Path:
    folder = folder.expanduser()
    if not folder.is_dir():
        raise UserError(
            f"There is no cross-encoder in {folder}.", "Put the folder back, or choose another."
        )
    if not is_cross_folder(folder):
        raise UserError(
            f"{folder} is not the folder of a cross-encoder.",
            "Choose one, or teach one with samesense train-cross.",
        )
    return folder.resolve()
