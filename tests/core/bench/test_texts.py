"""The texts and vectors of files."""

from pathlib import Path

import numpy as np
import pytest

from core.bench.asked import Asked
from core.bench.texts import bench_texts
from core.bench.vectors import bench_vectors
from core.errors import UserError
from core.progress import run_to_end


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "a.csv", tmp_path / "b.txt"
    rows = [f"{n},the train to platform {n} was late again" for n in range(60)]
    first.write_text("\n".join(["id,message", *rows, *rows[:20]]) + "\n", encoding="utf-8")
    same = [row.partition(",")[2] for row in rows[:30]]
    second.write_text("\n".join([*same, "a text of its own"]) + "\n", encoding="utf-8")
    return first, second


def test_texts_of_several_files_count_once(files: tuple[Path, Path]):
    told = run_to_end(bench_texts(Asked(1_000, files, ("message",))))
    assert len(told.bodies) == len(set(told.bodies)) == 61


def test_too_few_texts_are_said(files: tuple[Path, Path]):
    told = run_to_end(bench_texts(Asked(1_000, files)))
    assert "There are no 1,000 in these files." in told.told


def test_fewer_texts_are_drawn_by_the_seed(files: tuple[Path, Path]):
    one, same, other = (
        run_to_end(bench_texts(Asked(40, files, seed=seed))).bodies for seed in (1, 1, 2)
    )
    assert len(one) == 40
    assert one == same != other


def test_a_column_that_is_not_there_is_told(files: tuple[Path, Path]):
    with pytest.raises(UserError, match="no column nothing"):
        run_to_end(bench_texts(Asked(40, files, ("nothing",))))


def test_vectors_of_files_are_kept_and_found_again(files: tuple[Path, Path], tiny_encoder: Path):
    asked = Asked(50, files, encoder=str(tiny_encoder))
    first = run_to_end(bench_vectors(asked))
    again = run_to_end(bench_vectors(asked))
    assert "kept from before" in again.told
    assert np.array_equal(first.vectors, again.vectors)


def test_a_changed_file_is_encoded_anew(files: tuple[Path, Path], tiny_encoder: Path):
    asked = Asked(50, files, encoder=str(tiny_encoder))
    run_to_end(bench_vectors(asked))
    files[1].write_text("another text\nand one more\n", encoding="utf-8")
    assert "kept" not in run_to_end(bench_vectors(asked)).told
