"""An encoder taught by files alone, whatever they hold."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from core.errors import UserError
from core.progress import run_to_end
from core.training import keep_aside, unused_note
from core.workflows.checkpoint_folder import checkpoint_folder, owned_checkpoints
from core.workflows.examples_desk import Reading
from core.workflows.teaching_files import (
    FilesAsked,
    check_files,
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


@pytest.fixture
def cut_off(tmp_path: Path, gold: Path, tiny_encoder: Path) -> Path:
    """The name of an encoder whose training was cut off with a checkpoint."""
    to = tmp_path / "cut"
    asked = FilesAsked((gold,), values={"epochs": 3, "batch": 8})
    steps = teach_from_files(to, asked, base=str(tiny_encoder), every_s=0)
    while dict(next(steps).figures).get("step", 0) < 6:
        pass
    steps.close()
    return to


def test_a_name_taken_meanwhile_leaves_what_can_be_gone_on_with(cut_off: Path):
    cut_off.mkdir()
    with pytest.raises(UserError, match="already something"):
        run_to_end(resume_from_files(cut_off))
    cut_off.rmdir()
    steps = resume_from_files(cut_off)
    next(steps)
    cut_off.mkdir()
    with pytest.raises(UserError, match="already something"):
        run_to_end(steps)
    cut_off.rmdir()
    run_to_end(resume_from_files(cut_off))
    assert (cut_off / "model.safetensors").is_file()


def test_what_else_lies_where_checkpoints_are_kept_stays(tmp_path, gold, tiny_encoder):
    to = tmp_path / "taught"
    mine = checkpoint_folder(to) / "notes.txt"
    mine.parent.mkdir()
    mine.write_text("precious", "utf-8")
    run_to_end(teach_from_files(to, FilesAsked((gold,), values=FAST), base=str(tiny_encoder)))
    assert [one.name for one in mine.parent.iterdir()] == ["notes.txt"]


def test_two_trainings_into_one_name_do_not_meet(tmp_path, gold, cut_off, tiny_encoder):
    asked = FilesAsked((gold,), values=FAST)
    before = sorted(checkpoint_folder(cut_off).iterdir())
    with owned_checkpoints(cut_off):
        for steps in (
            teach_from_files(cut_off, asked, base=str(tiny_encoder)),
            resume_from_files(cut_off),
        ):
            with pytest.raises(UserError, match="under way"):
                run_to_end(steps)
    assert sorted(checkpoint_folder(cut_off).iterdir()) == before


def test_an_encoder_below_a_file_is_refused(tmp_path, gold, tiny_encoder):
    to = gold / "taught"
    with pytest.raises(UserError, match="No folder can be made"):
        run_to_end(teach_from_files(to, FilesAsked((gold,)), base=str(tiny_encoder)))


def test_a_damaged_course_says_what_to_remove(cut_off: Path):
    file = checkpoint_folder(cut_off) / "course.json.gz"
    whole = file.read_bytes()
    for at in range(60, len(whole), max(1, len(whole) // 60)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with pytest.raises(UserError, match=r"cannot be read|has changed") as told:
            run_to_end(resume_from_files(cut_off))
        assert "emove" in told.value.remedy


def test_damaged_weights_of_the_base_are_told(tmp_path, gold, tiny_encoder):
    base = shutil.copytree(tiny_encoder, tmp_path / "base")
    weights = base / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:2_000])
    with pytest.raises(UserError, match="damaged"):
        run_to_end(check_files(FilesAsked((gold,)), base=str(base)))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_others_may_read_the_weights_as_they_may_read_the_rest(tmp_path, gold, tiny_encoder):
    to = tmp_path / "taught"
    run_to_end(teach_from_files(to, FilesAsked((gold,), values=FAST), base=str(tiny_encoder)))
    modes = {file.stat().st_mode & 0o777 for file in to.rglob("*") if file.is_file()}
    assert len(modes) == 1


@pytest.fixture
def triplets(tmp_path: Path) -> Path:
    rows = [f"where is {n},place of {n},price of {n}" for n in range(60)]
    return write(tmp_path / "triplets.csv", "anchor,positive,negative", rows)


def test_kinds_that_a_recipe_does_not_learn_from_are_named(gold, labels, triplets, tiny_encoder):
    files = (gold, labels, triplets)
    asked = FilesAsked(files, values={**FAST, "recipe": "decisions"})
    report = run_to_end(check_files(asked, base=str(tiny_encoder)))
    (found,) = [one for one in report.findings if "does not learn from" in one["sentence"]]
    assert "60 labelled pairs and 60 triplets" in found["sentence"]
    assert "side-by-side" in found["remedy"]
    assert course_of_files(FilesAsked(files)).course.recipe.name == "side-by-side"
    course = course_of_files(FilesAsked((gold, labels))).course
    assert course.recipe.name == "two-stage"
    assert unused_note(course) == ""


def test_only_what_is_learnt_from_counts_as_left_out(tmp_path, gold):
    # The triplets repeat every text of the pairs, and the recipe has no use for them.
    rows = [f"card {n} charged,the card {n} was charged,app {n} closes" for n in range(60)]
    repeated = write(tmp_path / "again.csv", "anchor,positive,negative", rows)
    asked = FilesAsked((gold, repeated), values={"recipe": "decisions"})
    assert keep_aside(course_of_files(asked).course).notes == ()


def test_judgements_that_contradict_are_in_the_check(tmp_path, gold, tiny_encoder):
    lines = gold.read_text("utf-8").splitlines()
    flipped = [line[:-1] + "10"[int(line[-1])] for line in lines[1:21]]
    file = write(tmp_path / "both.csv", lines[0], [*lines[1:], *flipped, lines[40]])
    report = run_to_end(check_files(FilesAsked((file,)), base=str(tiny_encoder)))
    told = [one["sentence"] for one in report.findings]
    assert any(
        said.startswith("20 judgements contradict an earlier one") and "“card 0 charged”" in said
        for said in told
    )
    assert "1 judgement repeats an earlier one and counts once." in told


def test_rows_of_a_given_file_that_cannot_be_read_are_told(tmp_path, gold, tiny_encoder):
    rows = [f"other {n},thing {n},{n % 2 if n > 10 else 'perhaps'}" for n in range(50)]
    dev = write(tmp_path / "dev.csv", "sentence1,sentence2,label", rows)
    asked = FilesAsked((gold,), dev=dev, values=FAST)
    report = run_to_end(check_files(asked, base=str(tiny_encoder)))
    told = [one["sentence"] for one in report.findings]
    assert any(said.startswith("The dev file: 11 rows of 50 could not be read") for said in told)
    taught = run_to_end(teach_from_files(tmp_path / "taught", asked, base=str(tiny_encoder)))
    assert any(
        note.startswith("The dev file: 11 rows were left") for note in taught.figures["notes"]
    )


def test_more_frozen_layers_than_there_are_do_not_pass_the_check(gold, tiny_encoder):
    asked = FilesAsked((gold,), values={"frozen_layers": 99})
    with pytest.raises(UserError, match="cannot be frozen"):
        run_to_end(check_files(asked, base=str(tiny_encoder)))


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
