"""Each bench by command, at a few rows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.bench import augment_peers, encode, pairs, rerank, train_peers
from core.bench import machine as machine_module
from core.bench.cross_folders import cross_folder
from core.bench.interleave import Timing
from core.bench.report import report_of
from core.cli.program import program
from core.errors import UserError
from core.progress import run_to_end

Bench = Callable[..., dict[str, Any]]


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A file of texts that the tiny encoder reads at once."""
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(f"red bike {n}" for n in range(50)), encoding="utf-8")
    return file


def test_encode_tells_how_near_its_vectors_are(bench: Bench):
    told = bench("encode", "--rows", 80)
    assert told["rows"] == 80
    assert told["quality"]["least_cosine"] > 0.999
    assert told["peers"] == {}


def test_encode_of_a_file_takes_its_texts(bench: Bench, short: Path):
    told = bench("encode", "--rows", 40, "--file", short)
    assert told["rows"] == 40
    assert "40 of 50 distinct texts of texts.txt" in told["quality"]["notes"][0]


def test_encode_beside_sentence_transformers_gives_the_same_vectors(bench: Bench, short: Path):
    pytest.importorskip("sentence_transformers")
    told = bench("encode", "--rows", 40, "--peers", "--file", short)
    assert encode.AS_IT_COMES in told["peers"]
    assert told["quality"]["largest_difference_to_peer"] < 1e-5


def test_rerank_beside_sentence_transformers_gives_the_same_scores(bench: Bench, short: Path):
    pytest.importorskip("sentence_transformers")
    told = bench("rerank", "--rows", 70, "--peers", "--file", short)
    assert told["rows"] == 70
    assert rerank.AS_IT_COMES in told["peers"]
    assert told["quality"]["score_spread"] > 0.01
    assert told["quality"]["largest_difference"] < 1e-5
    assert told["quality"]["largest_difference_to_peer"] < 1e-5
    best = told["quality"]["best_peer"]
    assert told["quality"]["times_best_peer"] == pytest.approx(told["peers"][best]["ratio"])


def test_rerank_says_that_its_head_is_drawn(bench: Bench):
    notes = bench("rerank", "--rows", 40)["quality"]["notes"]
    assert "a head drawn by the seed 0" in notes[1]
    assert "packed, no padding" in notes[2]


def test_rerank_takes_the_cross_encoder_that_is_named(
    quick_machine: None, tiny_encoder: Path, tmp_path: Path
):
    folder, _ = cross_folder(tiny_encoder, tmp_path, seed=0)
    words = ["bench", "rerank", "--rows", "40", "--repeats", "1", "--encoder", str(folder)]
    outcome = CliRunner().invoke(program, [*words, "--json"])
    told = json.loads(outcome.stdout)
    assert told["quality"]["notes"][1] == f"The cross-encoder is {folder.name}."


@pytest.mark.parametrize("what", ["encode", "pairs", "rerank", "train", "augment"])
def test_a_missing_peer_is_named_and_left_out(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, what: str
):
    for module in (augment_peers, encode, pairs, rerank, train_peers):
        monkeypatch.setattr(module, "load_peer", lambda name: None)
    told = bench(what, "--rows", 64, "--peers")
    said = [note for note in told["quality"]["notes"] if "not installed" in note]
    assert "sentence-transformers is not installed and was left out" in said[0]
    words = ("sentence", "Sentence", "paraphrase", "Cross")
    assert not any(word in name for name in told["peers"] for word in words)


def test_pairs_finds_all_and_nothing_else(bench: Bench):
    told = bench("pairs", "--rows", 400)
    assert told["quality"]["pairs"] > 0
    assert told["quality"]["recall"] == told["quality"]["graph_recall"] == 1
    assert told["quality"]["false_pairs"] == 0


def test_pairs_beside_a_flat_index(bench: Bench):
    assert "faiss flat, top 17" in bench("pairs", "--rows", 200, "--peers")["peers"]


def test_search_finds_the_nearest_ten(bench: Bench):
    told = bench("search", "--rows", 500, "--peers")
    assert told["quality"]["recall"] == 1
    assert sorted(told["peers"]) == ["faiss flat", "numpy brute force"]


def test_search_times_questions_in_words_and_by_both(bench: Bench):
    quality = bench("search", "--rows", 100, repeats=1)["quality"]
    assert 0 < quality["words_ms_p50"] <= quality["words_ms_p95"]
    can_mean = "both_ms_p50" in quality
    assert not can_mean or 0 < quality["both_ms_p50"] <= quality["both_ms_p95"]


@pytest.mark.slow  # a process that loads and perhaps compiles the layout's libraries
def test_layout_starts_fresh_and_tells_how_true_its_map_is(bench: Bench):
    told = bench("layout", "--rows", 60, repeats=1)
    assert told["quality"]["warm_seconds"]["Samesense"] < told["ours"]["seconds"]
    assert 0.5 < told["quality"]["trustworthiness"] <= 1


def test_import_stores_what_plain_inserts_store(bench: Bench):
    told = bench("import", "--rows", 300)
    assert told["quality"]["documents"] == told["quality"]["texts"] == 300
    assert told["quality"]["stored_alike"]
    (peer,) = told["peers"].values()
    assert told["quality"]["share_of_preparsed"] == pytest.approx(peer["ratio"])


@pytest.mark.slow  # the window starts twice in processes of its own
def test_start_opens_the_project_and_loads_nothing_heavy(bench: Bench):
    told = bench("start", "--rows", 40, repeats=1)
    assert told["quality"]["open_seconds"] >= told["ours"]["seconds"]
    assert told["quality"]["first_answer_seconds"] > told["quality"]["open_seconds"]
    assert told["quality"]["heavy_libraries"] == []
    assert told["peers"] == {}


def test_map_tells_its_five_figures_beside_the_fixed_keys(bench: Bench):
    told = bench("map", "--rows", 400, "--peers", repeats=1)
    own = ["frame_ms_p50", "frame_ms_p95", "hover_ms_p95", "lasso_ms", "recolour_ms"]
    assert list(told)[-5:] == own
    assert all(told[name] > 0 for name in own)
    assert told["frame_ms_p50"] == pytest.approx(told["ours"]["seconds"] * 1000)
    assert "pyqtgraph ScatterPlotItem, one colour" in told["peers"]


def test_train_times_its_steps(bench: Bench):
    told = bench("train", "--rows", 40)
    quality = told["quality"]
    assert quality["steps"] == 5  # 8 judged pairs each, 8 held still
    assert quality["seconds_per_step"] == pytest.approx(told["ours"]["seconds"] / 5)


def test_train_beside_a_peer_tells_how_well_both_learnt(bench: Bench):
    pytest.importorskip("sentence_transformers")
    told = bench("train", "--rows", 40, "--peers", repeats=1)
    quality = told["quality"]
    assert told["peers"] and quality["best_peer"] in told["peers"]
    best = told["peers"][quality["best_peer"]]
    assert quality["times_best_peer"] == pytest.approx(best["ratio"])
    assert quality["held_out"] == 20
    for figure in (quality["dev_ours"], quality["dev_peer"], *quality["dev_peers"].values()):
        assert -1 <= figure <= 1


def test_train_takes_the_judged_pairs_of_a_file(bench: Bench, tmp_path: Path):
    file = tmp_path / "judged.csv"
    rows = [f"red bike {n},blue bike {n},{n % 6}" for n in range(80)]
    file.write_text("\n".join(["sentence1,sentence2,score", *rows]), encoding="utf-8")
    told = bench("train", "--rows", 40, "--file", file)
    assert told["rows"] == 40
    assert "80 judged pairs of judged.csv" in told["quality"]["notes"][0]


def test_augment_tells_every_step_and_how_well_it_learnt(bench: Bench):
    told = bench("augment", "--rows", 40, repeats=1)
    quality = told["quality"]
    assert quality["gold"] == 40
    assert quality["silver"] > 0
    (seconds,) = quality["step_seconds"].values()
    assert len(seconds) == len(quality["steps"]) == 3
    assert sum(seconds) == pytest.approx(told["ours"]["seconds"])
    assert -1 <= quality["dev"]["Samesense"] <= 1
    assert told["limit"]["seconds"] > 0


def test_augment_beside_a_peer_tells_the_share_of_its_time(bench: Bench):
    pytest.importorskip("sentence_transformers")
    told = bench("augment", "--rows", 40, "--peers", repeats=1)
    quality = told["quality"]
    assert quality["best_peer"] in told["peers"]
    best = told["peers"][quality["best_peer"]]
    assert quality["share_of_best_peer"] == pytest.approx(1 / best["ratio"])
    assert all(len(steps) == 3 for steps in quality["step_seconds"].values())
    assert all(-1 <= figure <= 1 for figure in quality["dev"].values())


def test_without_json_there_is_a_table(quick_machine: None):
    outcome = CliRunner().invoke(program, ["bench", "search", "--rows", "100", "--repeats", "1"])
    assert outcome.exit_code == 0
    assert "this machine's limit" in outcome.stdout
    assert "fp32 products" in outcome.stdout.splitlines()[1]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["nothing"],
        ["encode", "--rows", "0"],
        ["encode", "--text", "a"],
        ["map", "--file", "a.csv"],
    ],
)
def test_wrong_usage_ends_with_two(words: list[str]):
    assert CliRunner().invoke(program, ["bench", *words]).exit_code == 2


def test_a_missing_file_is_told_in_a_sentence(quick_machine: None, tmp_path: Path):
    outcome = CliRunner().invoke(program, ["bench", "search", "--file", str(tmp_path / "no.csv")])
    assert isinstance(outcome.exception, UserError)
    assert "no.csv" in outcome.exception.what


def test_figures_of_their_own_stand_beside_the_fixed_keys(quick_machine: None):
    machine = run_to_end(machine_module.measure_machine())
    timings = {"Samesense": Timing(2.0, 5, None, 3.0), "other": Timing(5.0, 5, None, 0.0)}
    told = report_of(
        "map", 10, machine, timings, limit_seconds=1.0, quality={}, figures={"frame_ms_p50": 4.0}
    ).document()
    assert told["frame_ms_p50"] == 4.0
    assert told["ours"] == {"seconds": 2.0, "rate": 5.0, "peak_mb": 3.0}
    assert told["peers"] == {"other": {"seconds": 5.0, "rate": 2.0, "ratio": 2.5}}
    assert told["limit"] == {"seconds": 1.0, "share": 0.5}
