"""Trainings come back as they were stored, and those that were cut off are told."""

import json
from pathlib import Path

import pytest

from core.errors import UserError
from core.store import Project


def training_of(project: Project, run: int) -> int:
    return project.trainings.add(
        run=run, name="first", folder="encoders/1", base_name="MiniLM", base_folder="/m",
        data={}, options={}, figures={}, curve=[], held_curve=[], examples={}, how={"seed": 7},
    )  # fmt: skip


def test_a_removed_training_leaves_no_record_and_no_files(project: Project):
    run = project.runs.begin("train", {})
    number = training_of(project, run)
    for folder in (project.folder / "encoders" / "1", project.trainings.kept(run)):
        folder.mkdir(parents=True)
        (folder / "file").write_text("x")
    assert project.trainings.get(number).how == {"seed": 7}
    project.trainings.remove(number)
    assert project.trainings.listed() == []
    assert not any((project.folder / "encoders").iterdir())
    assert not project.trainings.kept(run).exists()


def checkpoint(file: Path, values: dict[str, object]) -> None:
    """The head of a safetensors file with plain values and no tensors."""
    head = json.dumps({"__metadata__": {"samesense": json.dumps(values)}}).encode()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(len(head).to_bytes(8, "little") + head)


def test_a_training_that_was_cut_off_tells_how_far_it_came(project: Project):
    told = {"recipe": "two-stage", "title": "Labels first", "examples": 9, "base": "MiniLM",
            "planned": 50}  # fmt: skip
    run = project.runs.begin("train", {}, inputs=told)
    assert project.trainings.interrupted() == []  # it may be running
    checkpoint(project.trainings.kept(run) / "stage-1-done.safetensors", {"steps": 20, "step": 18})
    checkpoint(project.trainings.kept(run) / "stage-2.safetensors", {"step": 5})
    project.runs.mark_interrupted()
    (found,) = project.trainings.interrupted()
    assert (found.run, found.recipe, found.step, found.planned) == (run, "two-stage", 25, 50)
    project.trainings.drop(run)
    assert project.trainings.interrupted() == []


def test_a_torn_checkpoint_counts_as_none(project: Project):
    run = project.runs.begin("train", {})
    kept = project.trainings.kept(run)
    checkpoint(kept / "stage-1.safetensors", {"step": 5})
    whole = (kept / "stage-1.safetensors").read_bytes()
    (kept / "stage-1.safetensors").write_bytes(whole[: len(whole) // 2])
    project.runs.end(run, "failed", error="no room")
    (found,) = project.trainings.interrupted()
    assert (found.state, found.error, found.step) == ("failed", "no room", 0)


def test_a_second_training_never_starts_beside_a_first(project: Project):
    lock = project.trainings.alone()
    with pytest.raises(UserError, match="running already"):
        project.trainings.alone()
    lock.release()
    project.trainings.alone().release()


def test_a_training_comes_back_and_changes_its_state(project: Project):
    number = project.trainings.add(
        run=None, name="first", folder="encoders/1", base_name="MiniLM", base_folder="/m",
        data={"same": 3}, options={"epochs": 1}, figures={"before": 0.5, "after": 0.75},
        curve=[[1, 0.2]], held_curve=[[0, 0.5]], examples={"better": [], "worse": []},
    )  # fmt: skip
    project.trainings.mark(number, "used")
    (held,) = project.trainings.listed()
    assert (held.state, held.figures["after"], held.curve) == ("used", 0.75, [[1, 0.2]])
    assert project.trainings.get(number) == held
    with pytest.raises(KeyError):
        project.trainings.get(number + 1)
