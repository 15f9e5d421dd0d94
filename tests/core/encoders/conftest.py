"""The tiny encoders, loaded once, and folders of them that a test may spoil."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.encoders import Encoder, load_encoder
from core.errors import UserError
from core.folders import encoder_folder

MODELS = Path(__file__).resolve().parents[2] / "models"


@pytest.fixture(scope="session")
def models() -> Path:
    return MODELS


@pytest.fixture(scope="session")
def load_tiny() -> Callable[[str], Encoder]:
    loaded: dict[str, Encoder] = {}

    def load(name: str) -> Encoder:
        if name not in loaded:
            loaded[name] = load_encoder(MODELS / name, device="cpu")
        return loaded[name]

    return load


@pytest.fixture
def tiny(load_tiny: Callable[[str], Encoder]) -> Encoder:
    return load_tiny("bert")


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    def copy(name: str) -> Path:
        return Path(shutil.copytree(MODELS / name, tmp_path / name))

    return copy


@pytest.fixture(scope="session")
def default_folder() -> Path:
    try:
        return encoder_folder()
    except UserError as error:
        pytest.skip(str(error))
