"""The command as a person at a terminal meets it."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def samesense(*arguments: object, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    if home is not None:
        environment["SAMESENSE_ENCODER"] = str(home)
    return subprocess.run(
        [sys.executable, "-m", "core.cli", *map(str, arguments)],
        capture_output=True, text=True, env=environment, timeout=240, check=False,
    )  # fmt: skip


def write(file: Path, rows: list[dict[str, str]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project brought to its groups by command, and the folder it lies in."""
    folder = tmp_path_factory.mktemp("work")
    file = folder / "messages.csv"
    file.write_text(
        "id,title,text,date\n"
        "1,Card,My card was charged twice,2026-01-02\n"
        "2,Card,My card was charged twice,2026-01-03\n"
        "3,Parcel,Where is my parcel?,2026-01-04\n"
        "4,Parcel,,2026-01-05\n"
    )
    tiny = ROOT / "tests" / "models" / "bert"
    for arguments in (
        ("import", folder / "p", file, "--text", "title", "--text", "text", "--id", "id"),
        ("encode", folder / "p", "--encoder", tiny),
        ("pairs", folder / "p", "--threshold", "0.5"),
        ("groups", folder / "p", "--keep", "newest:date"),
    ):
        done = samesense(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        json.loads(done.stdout)
    return folder


def test_info_tells_where_the_project_stands(worked: Path) -> None:
    told = json.loads(samesense("info", worked / "p", "--json").stdout)
    assert (told["rows"], told["texts"], told["blank"]) == (4, 3, 0)
    assert told["groups"]["kept"] + told["groups"]["removed"] == 4
    assert told["pairs_stale"] is False
    assert told["groups_stale"] is False


def test_the_newest_row_of_a_group_stays(worked: Path) -> None:
    file = worked / "kept.jsonl"
    assert samesense("export", worked / "p", "kept", "--to", file).returncode == 0
    kept = [json.loads(line)["id"] for line in file.read_text().splitlines()]
    assert "2" in kept
    assert "1" not in kept


def test_an_answer_is_one_json_document_and_progress_goes_elsewhere(worked: Path) -> None:
    done = samesense("groups", worked / "p", "--json")
    assert set(json.loads(done.stdout)) >= {"rows", "kept", "removed", "copies", "review"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("import", "{p}", "nowhere.csv"), "nowhere.csv"),
        (("import", "{p}", "{messages}", "--text", "body"), "no column body"),
        (("encode", "{p}", "--encoder", "{p}"), "encoder"),
        (("info", "{folder}"), "no project"),
        (("export", "{p}", "kept", "--to", "{folder}/kept.docx"), ".csv"),
        (("groups", "{p}", "--keep", "best"), "no rule"),
        (("groups", "{p}", "--threshold", "nan"), "out of range"),
        (("evaluate", "--pairs", "nowhere.csv"), "nowhere.csv"),
    ],
)
def test_a_persons_mistake_is_one_sentence_and_exit_1(
    worked: Path, arguments: tuple[str, ...], told: str
) -> None:
    names = {"p": worked / "p", "messages": worked / "messages.csv", "folder": worked}
    done = samesense(*(argument.format(**names) for argument in arguments))
    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("groups", "--threshold", "1.7"),
        ("clusters", "--min-size", "1"),
        ("clusters", "--seed", "-1"),
        ("map", "--min-dist", "2"),
    ],
)
def test_a_figure_out_of_range_is_wrong_usage(worked: Path, arguments: tuple[str, ...]) -> None:
    done = samesense(arguments[0], str(worked / "p"), *arguments[1:])
    assert done.returncode == 2
    assert arguments[1] in done.stderr


@pytest.mark.parametrize("arguments", [("import",), ("export", "p", "all", "--to", "x"), ("--no",)])
def test_wrong_usage_is_exit_2(arguments: tuple[str, ...]) -> None:
    assert samesense(*arguments).returncode == 2


def test_a_project_open_elsewhere_is_left_alone(worked: Path) -> None:
    from core.store import Project

    with Project.open(worked / "p"):
        busy = samesense("groups", worked / "p")
        assert busy.returncode == 1
        assert "open in another window" in busy.stderr
        assert samesense("info", worked / "p").returncode == 0
        assert samesense(
            "export", worked / "p", "documents", "--to", worked / "beside.csv"
        ).returncode == 0  # fmt: skip


def test_decisions_come_from_an_edited_export_and_can_be_undone(worked: Path) -> None:
    file = worked / "pairs.csv"
    assert samesense("export", worked / "p", "pairs", "--to", file).returncode == 0
    with file.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    write(file, [{**row, "samesense_decision": "different"} for row in rows])
    told = json.loads(samesense("decide", worked / "p", "--from", file, "--json").stdout)
    assert told["different"] == len(rows) > 0
    assert told["stale"] is True
    undone = json.loads(samesense("decide", worked / "p", "--undo", "--json").stdout)
    assert undone["undone"].startswith("Different")
    write(file, [{**rows[0], "samesense_decision": "perhaps"}])
    wrong = samesense("decide", worked / "p", "--from", file)
    assert wrong.returncode == 1
    assert "line 2" in wrong.stderr


def test_an_import_is_taken_out_by_its_name(worked: Path) -> None:
    extra = worked / "extra.csv"
    extra.write_text("id,title,text\n9,Extra,a text of its own\n")
    done = samesense(
        "import", worked / "p", extra, "--text", "title", "--text", "text", "--id", "id"
    )
    assert done.returncode == 0, done.stderr
    gone = json.loads(samesense("remove", worked / "p", "extra.csv", "--json").stdout)
    assert (gone["file"], gone["rows"]) == ("extra.csv", 1)
    again = samesense("remove", worked / "p", "extra.csv")
    assert again.returncode == 1
    assert "messages.csv" in again.stderr


def test_evaluate_prints_spearman_for_scores(tmp_path: Path, tiny_encoder: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(
        "sentence1,sentence2,score\na dog runs,a dog is running,4.8\n"
        "a dog runs,the market fell,0.2\na cat sits,a cat is sitting,4.5\n"
    )
    done = samesense("evaluate", "--encoder", tiny_encoder, "--pairs", file, "--json")
    told = json.loads(done.stdout)
    assert -1 <= told["spearman"] <= 1
    assert told["pairs"] == 3


def test_the_default_encoder_reaches_its_published_figure(
    data: Path, default_encoder: Path
) -> None:
    done = samesense("evaluate", "--pairs", data / "stsbenchmark" / "sts-test.csv", "--json")
    assert json.loads(done.stdout)["spearman"] == pytest.approx(0.820, abs=0.001)


def test_a_first_import_that_fails_leaves_no_project_behind(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"text": "one text"}\n{"text": "two texts"}\n')
    done = samesense("import", tmp_path / "p", file, "--text", "text", "--template", "{nope}")
    assert (done.returncode, (tmp_path / "p").exists()) == (1, False)


@pytest.mark.parametrize("name", ["page.pdf", "page", ""])
def test_a_certificate_under_another_ending_is_refused(worked: Path, name: str) -> None:
    done = samesense("certificate", worked / "p", "--to", name and worked / name)
    assert (done.returncode, "ends in .html" in done.stderr) == (1, True)


def test_removing_below_the_lowest_pair_is_refused(worked: Path) -> None:
    done = samesense("groups", worked / "p", "--threshold", "0.4")
    assert (done.returncode, "--threshold 0.4" in done.stderr) == (1, True)


def test_a_band_upside_down_is_refused(worked: Path) -> None:
    done = samesense("decide", worked / "p", "--accept", "0.9", "0.8")
    assert (done.returncode, "no band" in done.stderr) == (1, True)


def test_json_stays_json_where_the_output_knows_no_unicode(tmp_path: Path) -> None:
    file = tmp_path / "zwölf.csv"
    file.write_text("id,text\n1,one\n")
    done = subprocess.run(
        [sys.executable, "-m", "core.cli", "import", tmp_path / "p", file, "--text", "text",
         "--json"],
        capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert json.loads(done.stdout)["imports"][0]["file"] == "zwölf.csv"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_an_answer_that_cannot_be_written_is_told(worked: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "core.cli", "info", worked / "p"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    assert (done.returncode, done.stderr.startswith("The answer could not be")) == (1, True)
