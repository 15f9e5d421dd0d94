"""What speed the benches still find, in ratios to others in the same run and with much slack.

The peers that are no part of the program are compared with where they are installed; the rest is
held against what every machine has: numpy, faiss, pyqtgraph, an empty window, plain SQLite.
"""

from pathlib import Path

import pytest

from core.bench.asked import Asked
from core.bench.catalogue import BENCHES
from core.bench.peers import load_peer
from core.progress import run_to_end

pytestmark = [pytest.mark.speed, pytest.mark.timeout(600)]


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SAMESENSE_HOME", str(tmp_path / "home"))


def measured(bench: str, rows: int, *, repeats: int = 3, peers: bool = True):
    return run_to_end(BENCHES[bench].run(Asked(rows, peers=peers, repeats=repeats))).document()


def test_texts_are_encoded_near_the_limit_of_the_machine():
    told = measured("encode", 300)
    assert told["limit"]["share"] > 0.3
    assert told["quality"]["least_cosine"] > 0.999
    if load_peer("sentence_transformers") is not None:
        assert told["peers"]["sentence-transformers as it comes"]["ratio"] > 1.0


def test_pairs_and_graph_of_one_pass_keep_up_with_a_flat_search_for_the_graph_alone():
    told = measured("pairs", 20_000)
    assert told["quality"]["recall"] == 1
    assert told["quality"]["graph_recall"] == 1
    assert told["quality"]["false_pairs"] == 0
    assert told["peers"]["faiss flat, top 17"]["ratio"] > 1.0
    assert told["limit"]["share"] > 1 / 2.7


def test_a_question_is_answered_sooner_than_by_all_products():
    told = measured("search", 200_000)
    assert told["quality"]["recall"] >= 0.999
    assert told["peers"]["numpy brute force"]["ratio"] > 1.5


def test_the_window_starts_without_heavy_libraries_and_in_time():
    told = measured("start", 200)
    assert told["quality"]["heavy_libraries"] == []
    assert told["ours"]["seconds"] < 1.6


def test_many_points_move_many_times_as_fast_as_in_a_plot():
    told = measured("map", 200_000, repeats=1)
    (plot,) = told["peers"].values()
    assert plot["ratio"] > 4
    assert told["hover_ms_p95"] < 10
    assert told["lasso_ms"] < 150
    assert told["recolour_ms"] < 200


def test_pairs_are_scored_sooner_without_padding():
    told = measured("rerank", 64)
    if not told["peers"]:
        pytest.skip("sentence-transformers is not installed")
    assert min(peer["ratio"] for peer in told["peers"].values()) > 0.9
