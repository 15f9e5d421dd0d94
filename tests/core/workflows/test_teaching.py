"""Teaching in a project: from decisions to an encoder in use, and back."""

import shutil
from pathlib import Path

import pytest

from core.errors import UserError
from core.options import EncodeOptions, SearchOptions, TrainOptions
from core.progress import Enough, run_to_end
from core.records import Verdict
from core.store import Project
from core.workflows.encoding import encode_corpus
from core.workflows.searching import search_corpus
from core.workflows.taking_into_use import use_folder, use_training
from core.workflows.teaching import (
    forecast_teaching,
    import_pairs,
    teach_from_file,
    teach_project,
)

FAST = TrainOptions(epochs=1, batch=8)


@pytest.fixture
def decided(prepared: Project) -> Project:
    prepared.decisions.decide([(1, 2), (3, 4), (5, 6)], Verdict.SAME, title="Same")
    prepared.decisions.decide([(1, 3), (2, 5), (1, 6)], Verdict.DIFFERENT, title="Different")
    prepared.decisions.decide([(2, 6)], Verdict.UNSURE, title="Unsure")
    return prepared


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """120 judged pairs whose texts hang together in pairs only."""
    file = tmp_path / "gold.csv"
    rows = ["sentence1,sentence2,label"]
    for n in range(60):
        rows += [f"card {n} charged,the card {n} was charged,1", f"late {n},app {n} closes,0"]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("wish", ["teach", "search", "encode"])
def test_whatever_needs_an_encoder_that_is_gone_names_the_same_ways_out(
    project: Project, table, bring, tiny_encoder: Path, tmp_path: Path, wish: str
):
    own = shutil.copytree(tiny_encoder, tmp_path / "own")
    bring(project, table(["It is late", "It is lost", "It is here"]))
    run_to_end(encode_corpus(project, EncodeOptions(encoder=str(own), precision="fp32")))
    project.decisions.decide([(1, 2)], Verdict.SAME, title="Same")
    shutil.rmtree(own)
    steps = {
        "teach": teach_project(project, FAST),
        "search": search_corpus(project, "late", SearchOptions()),
        "encode": encode_corpus(project, EncodeOptions(encoder=str(own), precision="fp32")),
    }[wish]
    with pytest.raises(UserError) as told:
        run_to_end(steps)
    assert told.value.what == f"The folder of the encoder in use is gone ({own})."
    assert "“Back to the first encoder” on the Teach page" in told.value.remedy
    assert "Duplicates ▸ Encode with…" in told.value.remedy


def test_the_forecast_says_what_there_is(decided: Project):
    told = forecast_teaching(decided)
    assert (told.same, told.different, told.unsure, told.imported) == (3, 3, 1, 0)
    assert told.verdict == "too-few"
    assert (told.used_same, told.used_different) == (3, 3)


def test_a_forecast_never_promises_less_than_loading_takes(decided: Project):
    seconds = forecast_teaching(decided).seconds
    assert seconds is not None
    assert seconds >= 20


def test_without_decisions_there_is_nothing_to_learn(prepared: Project):
    assert forecast_teaching(prepared).verdict == "none"
    with pytest.raises(UserError, match="no judged pairs"):
        run_to_end(teach_project(prepared, FAST))


def test_few_decisions_teach_but_tell_nothing(decided: Project):
    outcome = run_to_end(teach_project(decided, FAST))
    (record,) = decided.trainings.listed()
    assert record.id == outcome.training
    assert record.figures["how"] == "too few to tell"
    assert record.figures["before"] is None
    assert (decided.folder / record.folder / "modules.json").is_file()


def test_teaching_leaves_the_encoder_in_use_as_it_is(decided: Project, tiny_encoder: Path):
    before = {file: file.read_bytes() for file in tiny_encoder.rglob("*") if file.is_file()}
    active = decided.active_encoder()
    run_to_end(teach_project(decided, FAST))
    assert decided.active_encoder() == active
    assert before == {file: file.read_bytes() for file in tiny_encoder.rglob("*") if file.is_file()}


def test_a_cancelled_lesson_leaves_nothing(decided: Project):
    steps = teach_project(decided, TrainOptions(epochs=50, batch=2))
    for _ in range(5):
        next(steps)
    steps.close()
    assert decided.trainings.listed() == []
    assert not any((decided.folder / "encoders").iterdir())
    assert decided.runs.latest(1)[0].state == "cancelled"


def test_enough_keeps_the_best_so_far(decided: Project, gold: Path):
    import_pairs(decided, gold)
    steps = teach_project(decided, TrainOptions(epochs=50, batch=8))
    while dict(next(steps).figures).get("step", 0) < 3:
        pass
    try:
        steps.throw(Enough())
        while True:
            next(steps)
    except StopIteration as stop:
        outcome = stop.value
    assert outcome.figures["stopped"] == "enough"
    assert decided.trainings.listed()[0].figures["steps"] < 50


def test_enough_before_the_first_step_is_no_fault(decided: Project, gold: Path):
    import_pairs(decided, gold)
    steps = teach_project(decided, TrainOptions(epochs=50, batch=8))
    for _ in range(2):
        next(steps)
    with pytest.raises(StopIteration):
        steps.throw(Enough())
        while True:
            next(steps)
    assert decided.trainings.listed()[0].figures["steps"] == 0


def test_imported_pairs_are_learnt_from_and_held_out(decided: Project, gold: Path):
    file, is_new = import_pairs(decided, gold)
    assert (file.pairs, file.kind, is_new) == (120, "label", True)
    assert not import_pairs(decided, gold)[1]
    assert forecast_teaching(decided).verdict == "enough"
    run_to_end(teach_project(decided, FAST))
    record = decided.trainings.listed()[0]
    assert record.data["trained_on"] + record.data["held_out"] == 126
    assert record.figures["how"] == "held out"
    assert record.figures["metric"] == "average precision"
    assert record.figures["low"] <= record.figures["high"]
    assert record.curve


def test_the_newest_word_on_a_pair_counts(decided: Project, tmp_path: Path):
    bodies = decided.texts.bodies([1, 2])
    file = tmp_path / "contrary.csv"
    file.write_text(f'sentence1,sentence2,label\n"{bodies[1]}","{bodies[0]}",0\n', "utf-8")
    import_pairs(decided, file)
    told = forecast_teaching(decided)
    assert (told.imported, told.contradicted, told.repeated) == (1, 1, 0)
    assert told.used_same + told.used_different == 6
    run_to_end(teach_project(decided, FAST))
    record = decided.trainings.listed()[0]
    assert (record.data["pairs"], record.figures["contradicted"]) == (6, 1)


def test_a_file_that_says_the_same_twice_counts_once(decided: Project, tmp_path: Path):
    file = tmp_path / "twice.csv"
    file.write_text("sentence1,sentence2,label\na,b,1\nb,a,1\na,c,0\na,c,1\n", "utf-8")
    import_pairs(decided, file)
    told = forecast_teaching(decided)
    assert (told.contradicted, told.repeated) == (1, 1)
    assert (told.used_same, told.used_different) == (5, 3)


def test_what_is_said_before_a_lesson_is_what_becomes_of_it(decided: Project, tmp_path: Path):
    file = tmp_path / "one_sided.csv"
    rows = [f"card {n} charged,the card {n} was charged,{int(n > 8)}" for n in range(120)]
    file.write_text("sentence1,sentence2,label\n" + "\n".join(rows) + "\n", "utf-8")
    import_pairs(decided, file)
    told = forecast_teaching(decided, FAST)
    run_to_end(teach_project(decided, FAST))
    record = decided.trainings.listed()[0]
    assert (told.verdict, record.figures["how"]) == ("cross-validated", "cross-validated")
    assert record.figures["held_out"] == told.used_same + told.used_different == 126


def test_pairs_of_one_kind_tell_nothing_before_and_after(prepared: Project, gold: Path):
    one_kind = gold.with_name("same.csv")
    lines = gold.read_text("utf-8").splitlines()
    one_kind.write_text("\n".join(line for line in lines if not line.endswith(",0")), "utf-8")
    import_pairs(prepared, one_kind)
    assert forecast_teaching(prepared).verdict == "too-few"
    run_to_end(teach_project(prepared, FAST))
    figures = prepared.trainings.listed()[0].figures
    assert (figures["how"], figures["same"], figures["different"]) == ("too few to tell", 60, 0)


def test_a_taught_encoder_has_the_name_of_its_training(decided: Project):
    run_to_end(teach_project(decided, FAST))
    record = decided.trainings.listed()[0]
    run_to_end(use_training(decided, record.id))
    assert decided.active_encoder().name == record.name
    run_to_end(teach_project(decided, FAST))
    assert decided.trainings.listed()[0].base_name == record.name


def test_use_encodes_again_keeps_decisions_and_can_be_undone(decided: Project):
    run_to_end(teach_project(decided, FAST))
    first, decisions = decided.active_encoder(), decided.decisions.counts()
    told = run_to_end(use_training(decided, decided.trainings.listed()[0].id))
    assert decided.active_encoder().folder == str(decided.folder.resolve() / "encoders" / Path(
        decided.trainings.listed()[0].folder).name)  # fmt: skip
    assert decided.decisions.counts() == decisions
    assert not decided.state().pairs_stale
    assert not decided.state().groups_stale
    assert told.threshold_before == 0.99
    assert decided.decisions.undo().startswith("Use ")
    assert decided.active_encoder() == first
    assert decided.state().pairs_stale


def test_one_can_go_back_to_the_first_encoder(decided: Project, tiny_encoder: Path):
    run_to_end(teach_project(decided, FAST))
    run_to_end(use_training(decided, decided.trainings.listed()[0].id))
    run_to_end(use_folder(decided, tiny_encoder))
    assert decided.active_encoder().name == tiny_encoder.name
    assert not decided.state().groups_stale


def test_a_taught_encoder_moves_with_its_project(decided: Project, tmp_path: Path):
    run_to_end(teach_project(decided, FAST))
    run_to_end(use_training(decided, decided.trainings.listed()[0].id))
    decided.close()
    moved = tmp_path / "moved 文書.samesense"
    decided.folder.rename(moved)
    with Project.open(moved) as again:
        assert Path(again.active_encoder().folder).parent == moved.resolve() / "encoders"


def test_a_training_whose_folder_is_gone_is_told(decided: Project):
    import shutil

    run_to_end(teach_project(decided, FAST))
    record = decided.trainings.listed()[0]
    shutil.rmtree(decided.folder / record.folder)
    with pytest.raises(UserError, match="gone"):
        run_to_end(use_training(decided, record.id))


def test_a_file_alone_teaches_an_encoder(tmp_path: Path, gold: Path, tiny_encoder: Path):
    to = tmp_path / "taught"
    outcome = run_to_end(teach_from_file(to, gold, FAST, base=str(tiny_encoder)))
    assert outcome.pairs == 120
    assert (to / "modules.json").is_file()
    with pytest.raises(UserError):
        run_to_end(teach_from_file(to, gold, FAST, base=str(tiny_encoder)))
