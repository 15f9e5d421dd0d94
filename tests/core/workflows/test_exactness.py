"""Pairs of real texts equal a plain float64 double loop."""

from pathlib import Path

import numpy as np
import pytest

from core.options import EncodeOptions, PairOptions
from core.progress import run_to_end
from core.records import ImportSettings
from core.store import Project
from core.workflows.encoding import encode_corpus
from core.workflows.importing import import_file, inspect_file
from core.workflows.pairing import find_pairs

_CLOSE = 1e-6


@pytest.fixture(scope="module")
def titles(tmp_path_factory: pytest.TempPathFactory, data: Path, default_encoder: Path) -> Path:
    """A project of 3,000 real titles, encoded with the default encoder."""
    folder = tmp_path_factory.mktemp("titles")
    source = data / "stackoverflow-20k" / "title_StackOverflow.txt"
    lines = source.read_text(encoding="utf-8").splitlines()[:3000]
    file = folder / "titles.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with Project.create(folder / "p") as project:
        found = inspect_file(file, kind="lines")
        settings = ImportSettings(found.reading, ("text",))
        run_to_end(import_file(project, file, settings))
        run_to_end(encode_corpus(project, EncodeOptions(encoder=str(default_encoder))))
    return folder / "p"


@pytest.mark.slow
@pytest.mark.parametrize("floor", [0.9, 0.75, 0.5])
def test_pairs_equal_a_double_loop(titles: Path, floor: float) -> None:
    with Project.open(titles) as project:
        run_to_end(find_pairs(project, PairOptions(floor=floor, confirmed=True)))
        pairing = project.pairs.current()
        encoder = project.active_encoder()
        assert pairing is not None
        assert encoder is not None
        table = project.vectors.table(encoder)
        found = project.pairs.table(pairing)
        pairs = {
            (left, right): cosine
            for left, right, cosine in zip(
                found.left.tolist(), found.right.tolist(), found.cosine.tolist(), strict=True
            )
            if cosine >= floor
        }
    vectors = np.array(table.vectors, np.float64)[table.rows]
    texts = table.texts
    sure, doubtful = set(), set()
    for i in range(len(vectors)):
        for j in np.flatnonzero(vectors[i] @ vectors[i + 1 :].T >= floor - _CLOSE) + i + 1:
            pair = (min(texts[i], texts[j]), max(texts[i], texts[j]))
            exact = float(vectors[i] @ vectors[j])
            (sure if exact >= floor + _CLOSE else doubtful).add(pair)
            if pair in pairs:
                assert abs(pairs[pair] - exact) < _CLOSE
    assert len(sure) > 10
    assert sure <= set(pairs) <= sure | doubtful
