"""Pairs and the neighbour graph come of one pass."""

import numpy as np
import pytest

from core.options import EncodeOptions, MapOptions, PairOptions
from core.progress import run_to_end
from core.workflows.charting import chart
from core.workflows.encoding import encode_corpus
from core.workflows.graphing import NEAREST, surroundings
from core.workflows.importing import remove_import
from core.workflows.pairing import find_pairs

TEXTS = [
    f"{who} {does} the {what}"
    for who in ("Ann", "Ben", "Cleo", "Dan")
    for does in ("opens", "closes", "paints", "sells")
    for what in ("door", "gate", "old window", "shop in town")
]


@pytest.fixture
def paired(project, table, bring, tiny_encoder):
    """Imports more texts when called, and finds their pairs."""

    def more(texts, name):
        report = bring(project, table(texts, name))
        run_to_end(encode_corpus(project, EncodeOptions(encoder=str(tiny_encoder))))
        run_to_end(find_pairs(project, PairOptions(floor=0.7)))
        return report

    return more


def graph_of(project):
    return project.graphs.load(project.active_encoder().id)


def test_finding_pairs_leaves_the_graph_of_all_texts(project, paired):
    paired(TEXTS, "all.csv")
    graph = graph_of(project)
    assert graph.index.shape == (len(TEXTS), NEAREST)
    alone = project.vectors.table(project.active_encoder()).vectors
    cosine = alone @ alone.T
    np.fill_diagonal(cosine, -2)
    np.testing.assert_allclose(graph.cosine, -np.sort(-cosine, axis=1)[:, :NEAREST], atol=1e-6)


def test_new_texts_complete_the_graph(project, paired):
    paired(TEXTS[:40], "old.csv")
    before = graph_of(project)
    paired(TEXTS[40:], "new.csv")
    after = graph_of(project)
    assert len(before.texts) == 40
    assert len(after.texts) == len(TEXTS)
    assert (after.index[:40] >= 40).any()


def test_a_map_after_the_pairs_compares_nothing_again(project, paired):
    paired(TEXTS, "all.csv")
    said = {one.title for one in chart(project, None, MapOptions())}
    assert "Finding neighbours" not in said
    assert "Finding the nearest texts" not in said


def test_texts_that_are_not_in_use_are_in_no_graph(project, paired):
    paired(TEXTS[:40], "kept.csv")
    gone = paired(TEXTS[40:50], "gone.csv")
    run_to_end(remove_import(project, gone.source))
    paired(TEXTS[50:], "more.csv")
    around = run_to_end(surroundings(project))
    assert len(around.texts) == 54
    assert around.graph.index.max() < 54
