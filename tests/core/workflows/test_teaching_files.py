"""An encoder taught by files alone, whatever they hold."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from core.errors import UserError
from core.progress import run_to_end
from core.workflows.examples_desk import Reading
from core.workflows.teaching_files import (
    FilesAsked,
    check_files,
    checkpoint_folder,
    course_of_files,
    resume_from_files,
    teach_from_files,
)

FAST = {"epochs": 1, "batch": 8}


def write(file: Path, header: str, rows: list[str]) -> Path:
    file.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return file


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    rows = []
    for n in range(60):
        rows += [f"card {n} charged,the card {n} was charged,1", f"late {n},app {n} closes,0"]
    return write(tmp_path / "gold.csv", "sentence1,sentence2,label", rows)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    rows = [f"parcel {n},sent {n},{('x', 'y', 'z')[n % 3]}" for n in range(60)]
    return write(tmp_path / "labels.csv", "premise,hypothesis,label", rows)


def test_a_file_alone_teaches_an_encoder(tmp_path: Path, gold: Path, tiny_encoder: Path):
    to = tmp_path / "taught"
    asked = FilesAsked((gold,), values=FAST)
    outcome = run_to_end(teach_from_files(to, asked, base=str(tiny_encoder)))
    assert outcome.pairs == 120
    assert outcome.figures["metric"] == "average precision"
    assert (to / "modules.json").is_file()
    assert not checkpoint_folder(to).exists()
    told = json.loads((to / "training.json").read_text("utf-8"))
    assert (told["recipe"], told["files"][0]["name"]) == ("decisions", "gold.csv")
    with pytest.raises(UserError, match="already something"):
        run_to_end(teach_from_files(to, asked, base=str(tiny_encoder)))


def test_a_later_file_makes_a_second_stage(tmp_path, gold, labels, tiny_encoder):
    asked = FilesAsked((labels,), then=(gold,), values=FAST)
    steps = teach_from_files(tmp_path / "taught", asked, base=str(tiny_encoder))
    first, second = run_to_end(steps).figures["stages"]
    assert (first["objectives"], second["objectives"]) == (["classification"], ["regression"])


def test_a_second_stage_after_scores_is_refused(gold, labels):
    with pytest.raises(UserError, match="first stage of two"):
        course_of_files(FilesAsked((gold,), then=(labels,)))


def test_a_dev_file_chooses_beside_a_test_file_that_judges(tmp_path, gold, tiny_encoder):
    rows = [f"other {n},thing {n},{n % 2}" for n in range(50)]
    dev = write(tmp_path / "dev.csv", "sentence1,sentence2,label", rows[:20])
    test = write(tmp_path / "test.csv", "sentence1,sentence2,label", rows[20:])
    asked = FilesAsked((gold,), dev=dev, test=test, values=FAST)
    figures = run_to_end(
        teach_from_files(tmp_path / "taught", asked, base=str(tiny_encoder))
    ).figures
    assert (figures["held_out"], figures["was_chosen"]) == (30, False)
    assert figures["apart"]["examples"] == 30
    assert len(figures["overlap"]) == 3


def test_a_topic_column_holds_out_topics(tmp_path):
    rows = [f"card {n},cards {n},{n % 2},{'abcd'[n // 40]}" for n in range(160)]
    file = write(tmp_path / "t.csv", "sentence1,sentence2,label,subject", rows)
    asked = FilesAsked((file,), reading=Reading(topic="subject"), values={"split": "topic"})
    assert course_of_files(asked).course.asked.split == "topic"
    report = run_to_end(check_files(asked, base=str(Path(__file__).parents[2] / "models" / "bert")))
    assert not report.stops
    assert report.costs.startswith("It takes about ")


def test_a_training_cut_off_goes_on_to_the_same_weights(tmp_path, gold, tiny_encoder):
    asked = FilesAsked((gold,), values={"epochs": 3, "batch": 8})
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    run_to_end(teach_from_files(whole, asked, base=str(tiny_encoder)))
    steps = teach_from_files(cut, asked, base=str(tiny_encoder), every_s=0)
    while dict(next(steps).figures).get("step", 0) < 10:
        pass
    steps.close()
    with pytest.raises(UserError, match="--resume"):
        run_to_end(teach_from_files(cut, asked, base=str(tiny_encoder)))
    gold.unlink()  # what was learnt from is kept
    run_to_end(resume_from_files(cut))
    ours, theirs = (load_file(folder / "model.safetensors") for folder in (cut, whole))
    assert max(np.abs(ours[name] - theirs[name]).max() for name in ours) <= 1e-6
    assert not checkpoint_folder(cut).exists()


def test_nothing_to_go_on_with_says_so(tmp_path):
    with pytest.raises(UserError, match="No training into"):
        run_to_end(resume_from_files(tmp_path / "taught"))


def test_closing_before_a_checkpoint_leaves_nothing(tmp_path, gold, tiny_encoder):
    steps = teach_from_files(
        tmp_path / "taught", FilesAsked((gold,), values=FAST), base=str(tiny_encoder)
    )
    next(steps)
    steps.close()
    assert [one.name for one in tmp_path.iterdir()] == ["gold.csv"]
