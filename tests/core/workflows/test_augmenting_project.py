"""A project's decisions made many: measured, labelled, looked at, corrected, learnt, used."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import UserError
from core.options import EncodeOptions
from core.progress import run_to_end
from core.records import Verdict
from core.store import Project
from core.workflows.augment_wishes import AUGMENT_WISHES
from core.workflows.augmenting.project import (
    ProjectAsked,
    correct,
    drop_augmentation,
    drop_pairs,
    forecast_project,
    label_project,
    learn_project,
    look,
    measure_project,
    rebalance,
)
from core.workflows.encoding import encode_corpus
from core.workflows.importing import import_file, inspect_file, settings_for
from core.workflows.lessons import lesson_of
from core.workflows.taking_into_use import use_training
from core.workflows.teaching import repeat_training

NOUNS = ("dog", "cat", "boy", "girl", "man", "woman", "bike", "bicycle", "food", "water")
QUICK = {"epochs": 1, "batch": 16, "rate": 1e-4, "hold": 0.0}
ASKED = ProjectAsked({"seeds": 1, "insist": True}, train=QUICK, device="cpu")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of 120 encoded texts with 60 decisions; to be copied, not written to."""
    folder = tmp_path_factory.mktemp("made") / "p.samesense"
    file = folder.parent / "texts.csv"
    texts = []
    for n in range(30):
        noun, other = NOUNS[n % 10], NOUNS[(n + 3) % 10]
        texts += [f"the {noun} {n} runs", f"a {noun} {n} running", f"{noun} {n} old",
                  f"{other} x{n} new"]  # fmt: skip  # two pairs
    file.write_text("\n".join(["text", *texts]) + "\n", encoding="utf-8")
    tiny = Path(__file__).parents[2] / "models" / "bert"
    with Project.create(folder) as project:
        run_to_end(import_file(project, file, settings_for(inspect_file(file), text=("text",))))
        run_to_end(encode_corpus(project, EncodeOptions(encoder=str(tiny))))
        ids = {body: id_ for id_, body in zip(
            project.texts.table().ids.tolist(), project.texts.bodies(project.texts.table().ids),
            strict=True)}  # fmt: skip  # text to its number
        same = [(ids[texts[at]], ids[texts[at + 1]]) for at in range(0, len(texts), 4)]
        other_ = [(ids[texts[at + 2]], ids[texts[at + 3]]) for at in range(0, len(texts), 4)]
        project.decisions.decide(same, Verdict.SAME, title="Same")
        project.decisions.decide(other_, Verdict.DIFFERENT, title="Different")
    return folder


@contextmanager
def opened(made: Path, to: Path) -> Iterator[Project]:
    shutil.copytree(made, to / "p.samesense")
    with Project.open(to / "p.samesense") as project:
        yield project


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Iterator[Project]:
    with opened(made, tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def measured(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with teachers compared and pairs labelled."""
    to = tmp_path_factory.mktemp("measured")
    with opened(made, to) as project:
        number = run_to_end(measure_project(project, ASKED)).augmentation
        run_to_end(label_project(project, number, ASKED))
    return to / "p.samesense"


@pytest.fixture
def labelled(measured: Path, tmp_path: Path) -> Iterator[Project]:
    with opened(measured, tmp_path) as found:
        yield found


def test_a_look_counts_the_decisions_and_says_whether_they_suffice(project: Project):
    found = look(project)
    assert (found.pairs, found.same, found.different) == (60, 30, 30)
    assert found.decisions == 60
    assert found.learn + found.dev == 60
    assert found.corpus == 120
    assert not found.stops
    assert [one["severity"] for one in found.findings] == ["warns"]


def test_too_few_decisions_stop(project: Project):
    for _ in range(2):
        project.decisions.undo()
    found = look(project)
    assert found.stops
    assert found.learn == 0
    with pytest.raises(UserError, match="0 judged pairs"):
        run_to_end(measure_project(project, ASKED))
    assert project.augmentations.listed() == []


def test_measuring_keeps_the_verdict_and_what_it_takes_to_go_on(labelled: Project):
    (record,) = labelled.augmentations.listed()
    assert record.state == "labelled"
    assert record.teachers["metric"] == "average precision"
    assert [one["kind"] for one in record.teachers["teachers"]] == ["cross-encoder"]
    assert record.gold["learn"] == 42
    assert (labelled.folder / "augmentations" / str(record.run) / "pupil-0").is_dir()
    assert record.sheet["pairs"] == len(labelled.augmentations.silver(record.id)) > 20


def test_cancelled_while_measuring_it_leaves_nothing(project: Project):
    steps = measure_project(project, ASKED)
    for _ in range(12):
        next(steps)
    steps.close()
    assert project.augmentations.listed() == []
    assert list((project.folder / "augmentations").glob("*")) == []
    project.trainings.alone().release()  # nobody holds it


def test_beside_a_training_it_is_refused(labelled: Project):
    lock = labelled.trainings.alone()
    try:
        with pytest.raises(UserError, match="running already"):
            run_to_end(label_project(labelled, 1, ASKED))
    finally:
        lock.release()


def test_the_forecast_counts_what_will_be_labelled(labelled: Project):
    asked = ProjectAsked({"top_k": 2}, source="corpus", device="cpu")
    found = run_to_end(forecast_project(labelled, 1, asked))
    assert found.source == "the corpus"
    assert found.texts == 120 - 36  # texts that judge are not among them
    assert 0 < found.most <= found.scored
    assert found.seconds > 0
    assert labelled.augmentations.get(1).state == "labelled"  # and is what it was


def test_other_settings_choose_and_label_anew(labelled: Project):
    before = labelled.augmentations.silver(1)
    asked = ProjectAsked({"sampling": "random", "most": 1.0, "insist": True}, device="cpu")
    found = run_to_end(label_project(labelled, 1, asked))
    rows = labelled.augmentations.silver(1)
    assert found.silver == len(rows) == 42
    assert {(row.left, row.right) for row in rows} != {(row.left, row.right) for row in before}
    assert labelled.augmentations.get(1).options["sampling"] == "random"


def test_a_correction_is_gold_and_an_earlier_word_than_a_decision(labelled: Project):
    row = labelled.augmentations.silver(1)[0]
    sheet = correct(labelled, 1, row.place, 1.0)
    assert sheet["corrected"] == 1
    assert labelled.augmentations.get(1).sheet["corrected"] == 1
    data = lesson_of(labelled).data
    pairs = {frozenset(pair): score for *pair, score in zip(*data.columns, data.score, strict=True)}
    assert pairs[frozenset((row.left, row.right))] == 1.0
    assert look(labelled).corrections == 1
    sheet = correct(labelled, 1, row.place, None)
    assert sheet["corrected"] == 0
    assert len(lesson_of(labelled).data) == 60
    with pytest.raises(UserError, match="no longer there"):
        correct(labelled, 1, 10_000, 1.0)


def test_pairs_are_left_out_rebalanced_and_taken_in_again(labelled: Project):
    whole = labelled.augmentations.get(1).sheet["pairs"]
    sheet = drop_pairs(labelled, 1, [0, 1], dropped=True)
    assert (sheet["pairs"], sheet["dropped"]) == (whole - 2, 2)
    correct(labelled, 1, 5, 1.0)
    rebalanced = rebalance(labelled, 1)
    rows = labelled.augmentations.silver(1)
    assert rebalanced["pairs"] == sum(not row.dropped for row in rows) < whole
    assert not rows[5].dropped  # a person's word stays
    assert rows[0].by_hand  # and so does what a person left out
    assert rows[1].by_hand
    sheet = drop_pairs(labelled, 1, range(whole), dropped=False)
    assert sheet["pairs"] == whole


def test_rebalancing_that_would_leave_nothing_is_refused(labelled: Project):
    rows = labelled.augmentations.silver(1)
    labelled.augmentations.label(
        1, [(row.left, row.right, 0.2) for row in rows], options={"sampling": "bm25"}, sheet={}
    )
    with pytest.raises(UserError, match="would leave no silver pair"):
        rebalance(labelled, 1)
    assert not any(row.dropped for row in labelled.augmentations.silver(1))


def test_a_comparison_that_was_killed_is_cleared_away_by_the_next(project: Project):
    left = project.folder / "augmentations" / "999"
    left.mkdir(parents=True)
    (left / "pupil-0.json").write_text("{}", "utf-8")
    run_to_end(measure_project(project, ASKED))
    assert not left.exists()


def test_what_was_learnt_is_a_training_to_use_and_to_repeat(labelled: Project):
    row = labelled.augmentations.silver(1)[0]
    correct(labelled, 1, row.place, 1.0)
    drop_pairs(labelled, 1, [1], dropped=True)
    found = run_to_end(learn_project(labelled, 1, device="cpu"))
    record = labelled.trainings.get(found.training)
    assert record.how["title"] == "Few decisions made many"
    told = record.figures["augmentation"]
    assert told["silver"] == found.silver == len(labelled.augmentations.silver(1)) - 1
    assert told["figures"]["gold_only"]["runs"]
    assert record.figures["before"] is not None
    assert labelled.augmentations.get(1).training == found.training
    used = run_to_end(use_training(labelled, found.training, device="cpu"))
    active = labelled.active_encoder()
    assert used.encoder == record.name
    assert active is not None
    assert Path(active.folder) == labelled.folder / record.folder
    again = run_to_end(repeat_training(labelled, found.training, device="cpu"))
    figures = labelled.trainings.get(again.training).figures
    assert figures["after"] == pytest.approx(record.figures["after"], abs=1e-6)


def test_dropping_it_keeps_corrections_and_frees_the_disk(labelled: Project):
    correct(labelled, 1, 0, 0.0)
    drop_augmentation(labelled, 1)
    assert labelled.augmentations.listed() == []
    assert list((labelled.folder / "augmentations").glob("*")) == []
    assert len(lesson_of(labelled).data) == 61
    for work in (rebalance, lambda one, two: run_to_end(learn_project(one, two))):
        with pytest.raises(UserError):
            work(labelled, 1)


def test_a_folder_that_is_gone_is_said(labelled: Project):
    shutil.rmtree(labelled.folder / "augmentations")
    with pytest.raises(UserError, match="gone from the project folder"):
        run_to_end(learn_project(labelled, 1))
    with pytest.raises(UserError, match="no longer in the project"):
        run_to_end(learn_project(labelled, 99))


def test_every_wish_speaks_before_it_works(labelled: Project):
    from core.workflows.desk import Desk

    desk = Desk()
    values = {"project": str(labelled.folder), "read_only": True}
    steps = AUGMENT_WISHES["augment-look"](desk, values)
    try:
        assert next(steps).title
        answer = run_to_end(steps)
    finally:
        desk.close()
    assert answer.outcome["pairs"] == 60


def test_a_source_that_is_none_is_refused(project: Project, bring: Callable[..., object]):
    del bring
    with pytest.raises(UserError, match="no source of texts"):
        run_to_end(measure_project(project, ProjectAsked({}, source="moon")))
