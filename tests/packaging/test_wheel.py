"""The wheel as a stranger gets it: built, installed apart from the source, and put to work."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

from core.errors import UserError
from core.folders import encoder_folder

ROOT = Path(__file__).parents[2]
TINY = ROOT / "tests" / "models" / "bert"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def run(*command: object, cwd: Path, **environment: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env={**clean, **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    (made,) = out.glob("samesense-*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel in it and the libraries of this one in reach.

    They are reached by a plain path, which runs no .pth file of theirs, so that a source
    installed there for editing stays out of sight.
    """
    home = tmp_path_factory.mktemp("stranger") / "venv"
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    python = programs / ("python.exe" if os.name == "nt" else "python")
    site = Path(
        run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home)
        .strip()
    )  # fmt: skip
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "libraries.pth").write_text("\n".join(sorted(libraries)) + "\n")
    run(
        sys.executable, "-m", "pip", "--python", python, "install", "--quiet",
        "--disable-pip-version-check", "--no-index", "--no-deps", wheel, cwd=home,
    )  # fmt: skip
    return programs


@pytest.fixture(scope="module")
def demo(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder and the answer of the demo, run by the installed command."""
    place = tmp_path_factory.mktemp("elsewhere")
    told = run(
        installed / "samesense", "demo", "--out", place / "out", "--json", cwd=place,
        SAMESENSE_ENCODER=str(_encoder()), SAMESENSE_HOME=str(place / "home"),
        QT_QPA_PLATFORM="offscreen",
    )  # fmt: skip
    return place / "out", json.loads(told)


def test_the_wheel_holds_the_program_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"app", "core", "resources"}
    assert {
        "app/main.py", "app/pictures.py", "core/cli/program.py", "core/worker/door.py",
        "resources/demo/messages.csv", "resources/demo/gold.csv", "resources/icons/logo.svg",
    } <= set(names)  # fmt: skip
    assert not [name for name in names if name.endswith((".safetensors", ".pyc", ".sqlite"))]


def test_the_wheel_carries_the_licence_and_the_notice(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [Path(name).name for name in archive.namelist() if "/licenses/" in name]
    assert sorted(names) == ["LICENSE", "NOTICE"]


def test_the_installed_program_is_not_the_source(installed: Path, tmp_path: Path) -> None:
    asked = "import app, core; print(core.__file__); print(app.__file__)"
    told = run(installed / "python", "-c", asked, cwd=tmp_path).split()
    assert all(installed.parent in Path(file).parents for file in told)


def test_the_demo_writes_its_tables_certificate_and_pictures(
    demo: tuple[Path, dict[str, Any]],
) -> None:
    folder, told = demo
    assert {Path(file).name for file in told["tables"]} == {
        "kept.csv", "removed.csv", "groups.csv", "pairs.csv", "documents.csv",
        "clusters.csv", "map.csv",
    }  # fmt: skip
    files = [*told["tables"], told["certificate"], *told["pictures"]]
    assert all(folder in Path(file).parents and Path(file).stat().st_size for file in files)
    assert {Path(file).suffix for file in told["pictures"]} == {".png"}


def test_the_demo_tells_counts_that_add_up_and_how_good_it_was(
    demo: tuple[Path, dict[str, Any]],
) -> None:
    _, told = demo
    counts = told["counts"]
    assert counts["kept"] + counts["removed"] == counts["rows"]
    assert 0 < told["recall"] <= told["recall_with_review"] <= 1
    assert 0 < told["precision"] <= 1
    if _encoder() != TINY:
        assert told["precision"] >= 0.95


def _encoder() -> Path:
    try:
        return encoder_folder("default")
    except UserError:
        return TINY
