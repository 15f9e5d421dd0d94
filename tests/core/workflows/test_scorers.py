"""What a person's name for an encoder or a baseline opens."""

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.cross import load_cross_encoder
from core.encoders import load_encoder
from core.errors import UserError
from core.evaluation import SIMILARITIES
from core.progress import run_to_end
from core.workflows.scorers import open_scorer

MakeCross = Callable[[int], Path]
TEXTS = ["fix the bike", "fix the bicycle", "dog"]
LEFT, RIGHT = np.array([0, 0]), np.array([1, 2])


@pytest.fixture
def tiny_cross_of(tmp_path: Path, tiny_encoder: Path) -> MakeCross:
    """Make a tiny cross-encoder that tells so many labels apart."""

    def make(labels: int) -> Path:
        import torch
        import transformers

        torch.manual_seed(7)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(
            tiny_encoder, num_labels=labels, local_files_only=True
        )
        folder = tmp_path / f"cross-{labels}"
        model.save_pretrained(folder)
        for name in ("tokenizer.json", "tokenizer_config.json"):
            shutil.copy(tiny_encoder / name, folder)
        return folder

    return make


@pytest.fixture
def tiny_cross(tiny_cross_of: MakeCross) -> Path:
    return tiny_cross_of(1)


def scored(name):
    return run_to_end(open_scorer(str(name), device="cpu").scorer(TEXTS, LEFT, RIGHT))


def test_a_folder_is_an_encoder(tiny_encoder: Path) -> None:
    vectors = load_encoder(tiny_encoder, device="cpu").encode(TEXTS).vectors
    found = scored(tiny_encoder)
    wanted = [float(vectors[0] @ vectors[1]), float(vectors[0] @ vectors[2])]
    assert found.main == pytest.approx(wanted, abs=1e-5)
    assert list(found.columns) == list(SIMILARITIES)


def test_an_encoder_is_named_with_its_fingerprint(tiny_encoder: Path) -> None:
    opened = open_scorer(str(tiny_encoder))
    told = load_encoder(tiny_encoder, device="cpu")
    assert (opened.name, opened.fingerprint) == (told.name, told.fingerprint)


@pytest.mark.parametrize("name", ["tf-idf", "jaccard"])
def test_words_need_no_encoder(name: str) -> None:
    found = scored(name)
    assert list(found.columns) == [name]
    assert found.main[0] > found.main[1] == 0


@pytest.mark.parametrize("name", ["token-table", "raw-mean", "raw-cls"])
def test_a_backbone_is_named_after_a_colon(name: str, tiny_encoder: Path) -> None:
    plain = tiny_encoder.parent / "distilbert"
    for folder in (tiny_encoder, plain):
        found = scored(f"{name}:{folder}")
        assert list(found.columns) == list(SIMILARITIES)
        assert found.main[0] > found.main[1]


def test_a_backbone_without_a_folder_is_the_default_encoders(
    tiny_encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAMESENSE_ENCODER", str(tiny_encoder))
    opened = open_scorer("token-table")
    assert (opened.name, opened.fingerprint) == ("token-table of bert", None)


def test_a_cross_encoder_is_named_after_a_colon(tiny_cross: Path) -> None:
    cross = load_cross_encoder(tiny_cross, device="cpu")
    opened = open_scorer(f"cross:{tiny_cross}", device="cpu")
    found = run_to_end(opened.scorer(TEXTS, LEFT, RIGHT))
    wanted = cross.score([(TEXTS[0], TEXTS[1]), (TEXTS[0], TEXTS[2])])
    assert found.main == pytest.approx(wanted.astype(float))
    assert opened.fingerprint == cross.fingerprint


def test_a_cross_encoder_of_labels_gives_no_single_score(tiny_cross_of: MakeCross) -> None:
    with pytest.raises(UserError, match="tells 3 labels apart"):
        scored(f"cross:{tiny_cross_of(3)}")


def test_pairs_that_a_cross_encoder_cuts_are_counted(tiny_cross: Path) -> None:
    scorer = open_scorer(f"cross:{tiny_cross}", device="cpu").scorer
    found = run_to_end(scorer([*TEXTS, "dog " * 90], LEFT, np.array([1, 3])))
    assert "1 pair is longer" in found.notes[0]


@pytest.mark.parametrize("packed", [True, False])
def test_word_vectors_are_read_from_a_file(tmp_path: Path, packed: bool) -> None:
    content = b"fix 1 0\nbike 0 1\nbicycle 0 2\nbad line\n"
    file = tmp_path / ("glove.txt.gz" if packed else "glove.txt")
    file.write_bytes(gzip.compress(content) if packed else content)
    found = scored(f"glove:{file}")
    # (fix + bike) / 2 = (0.5, 0.5) and (fix + bicycle) / 2 = (0.5, 1); nothing is known of dog.
    assert found.main == pytest.approx([0.75 / np.sqrt(0.5 * 1.25), 0])
    assert "1 of 3 texts" in found.notes[0]
    assert "first line 4" in found.notes[1]


def test_a_folder_that_is_called_like_a_baseline_goes_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tf-idf").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="not the folder of an encoder"):
        open_scorer("./tf-idf")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere", "no encoder folder"),
        ("raw-mean:nowhere", "no encoder folder"),
        ("glove:nowhere", "no file of word vectors"),
    ],
)
def test_what_is_not_there_is_told(name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        open_scorer(name)


def test_a_damaged_file_of_word_vectors_is_told(tmp_path: Path) -> None:
    file = tmp_path / "glove.txt.gz"
    file.write_bytes(gzip.compress(b"fix 1 0\n" * 1000)[:-9])
    with pytest.raises(UserError, match="could not be read"):
        scored(f"glove:{file}")


def test_an_encoder_behind_links_is_the_same_encoder(tmp_path: Path, tiny_encoder: Path) -> None:
    linked = tmp_path / "linked"
    linked.symlink_to(tiny_encoder, target_is_directory=True)
    of_link = open_scorer(str(linked), device="cpu").fingerprint
    assert of_link == open_scorer(str(tiny_encoder), device="cpu").fingerprint
