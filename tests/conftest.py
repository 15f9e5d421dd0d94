"""For every test: no network, no settings of the person who runs them."""

import os
import socket
from pathlib import Path

import pytest

from core.errors import UserError
from core.folders import encoder_folder

TINY = Path(__file__).parent / "models" / "bert"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail whatever tries to open a connection."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the program tried to open a network connection")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and installed encoders of nobody."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("SAMESENSE_HOME", str(home))
    return home


@pytest.fixture
def tiny_encoder() -> Path:
    """The folder of a real encoder with random weights, small enough for the repository."""
    return TINY


@pytest.fixture(scope="session")
def default_encoder() -> Path:
    """The folder of the default encoder; the test is skipped where it is not installed."""
    try:
        return encoder_folder("default")
    except UserError:
        pytest.skip("the default encoder is not installed; run `make encoder`")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of public evaluation data; the test is skipped where there is none."""
    told = os.environ.get("SAMESENSE_DATA")
    if not told or not Path(told).is_dir():
        pytest.skip("SAMESENSE_DATA names no folder of evaluation data")
    return Path(told)
