"""Few gold pairs made many: by files, in a project, cut off and gone on with, refused."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.encoders import load_encoder
from core.errors import UserError
from core.progress import run_to_end
from core.store import Project
from core.training import COURSE
from core.workflows.augmenting import measuring
from core.workflows.augmenting.files import (
    AugmentAsked,
    Told,
    augment_from_files,
    check_augmentation,
    resume_augmentation,
)
from core.workflows.augmenting.kept import StepFolder, kept_plan
from core.workflows.checkpoint_folder import checkpoint_folder

NOUNS = ("dog", "cat", "boy", "girl", "man", "woman", "bike", "bicycle", "food", "water")
TRAIN = {"epochs": 1, "batch": 16, "rate": 1e-4, "hold": 0.0}
TEACH = {"epochs": 1, "rate": 1e-3}


def write(file: Path, rows, header="sentence1,sentence2,label") -> Path:
    file.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """60 decided pairs whose texts hang together in pairs only; some share a word."""
    rows = []
    for n in range(30):
        noun, other = NOUNS[n % 10], NOUNS[(n + 3) % 10]
        rows += [
            f"the {noun} {n} runs,a {noun} {n} running,1",
            f"{noun} {n} old,{other} x{n} new,0",
        ]
    return write(tmp_path / "gold.csv", rows)


def asked(gold: Path, **values) -> AugmentAsked:
    named = {name: values.pop(name) for name in ("texts", "dev", "test", "given") if name in values}
    return AugmentAsked(
        (gold,), values={"seeds": 2, "insist": True, **values}, train=TRAIN, teach=TEACH, **named
    )


def augment(to: Path, wanted: AugmentAsked, base: Path, told: Told | None = None):
    return run_to_end(augment_from_files(to, wanted, base=str(base), device="cpu", told=told))


def test_it_measures_teachers_labels_and_holds_the_outcome_against_gold_alone(
    gold: Path, tiny_encoder: Path, tmp_path: Path
):
    said: dict[str, object] = {}
    told = Told(
        lambda one: said.update(verdict=one),
        lambda one: said.update(forecast=one),
        lambda one: said.update(labelled=one),
    )
    found = augment(tmp_path / "out", asked(gold), tiny_encoder, told)
    verdict, labelled = said["verdict"], said["labelled"]
    assert [one.kind for one in verdict.teachers] == ["cross-encoder", "mixed", "encoders"]
    assert verdict.pairs == 18
    assert found.gold == 42
    assert found.silver == len(labelled.silver) > 25
    assert ((labelled.silver.score >= 0) & (labelled.silver.score <= 1)).all()
    figures = found.figures
    assert figures["metric"] == "average precision"
    assert len(figures["gold_only"]["runs"]) == len(figures["augmented"]["runs"]) == 2
    change = figures["augmented"]["mean"] - figures["gold_only"]["mean"]
    assert figures["change"] == pytest.approx(change)
    assert figures["low"] <= change <= figures["high"]
    assert 0 <= figures["auc_005_augmented"] <= 1
    assert figures["majority"] == pytest.approx(0.5, abs=0.2)
    assert load_encoder(tmp_path / "out", device="cpu").encode(["a dog"]).vectors.shape == (1, 16)
    assert not checkpoint_folder(tmp_path / "out").exists()


def test_no_silver_pair_is_gold_or_holds_a_text_that_judges(
    gold: Path, tiny_encoder: Path, tmp_path: Path
):
    found = []
    told = Told(labelled=found.append)
    steps = augment_from_files(
        tmp_path / "out", asked(gold, sampling="both"), base=str(tiny_encoder), device="cpu",
        told=told,
    )  # fmt: skip  # to where, what, and who is told
    while not found:
        next(steps)
    plan = kept_plan(checkpoint_folder(tmp_path / "out"))
    steps.close()
    silver = found[0].silver
    known = {frozenset(pair) for pair in zip(*plan.gold.learn.columns, strict=True)}
    new = [frozenset(pair) for pair in zip(silver.left, silver.right, strict=True)]
    assert not known & set(new)
    assert len(set(new)) == len(new)
    assert not plan.gold.held_texts & {*silver.left, *silver.right}
    assert all(len(pair) == 2 for pair in new)


def test_a_teacher_that_is_not_better_is_refused_and_can_be_insisted_on(
    gold: Path, tiny_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    real = measuring.judge_teachers

    def never_better(*given, **named):
        found = yield from real(*given, **named)
        return replace(found, is_better=False, sentence="It is not better.",
                       alternatives=("Decide more pairs.",))  # fmt: skip  # what it would say

    monkeypatch.setattr(measuring, "judge_teachers", never_better)
    to = tmp_path / "out"
    with pytest.raises(UserError, match=r"It is not better.*1\. Decide more pairs.*insist"):
        augment(to, asked(gold, insist=False), tiny_encoder)
    assert not to.exists()
    before = (checkpoint_folder(to) / "cross.json").stat().st_mtime_ns
    found = run_to_end(resume_augmentation(to, insist=True, device="cpu"))
    assert to.is_dir()
    assert found.verdict["is_better"] is False
    assert any("although the teacher was not better" in line for line in found.diagnosis)
    assert before  # the teacher was there, and was not taught again


def test_cut_off_after_any_step_it_goes_on_to_the_same_encoder(
    gold: Path, tiny_encoder: Path, tmp_path: Path
):
    whole = augment(tmp_path / "whole", asked(gold), tiny_encoder)
    to = tmp_path / "cut"
    steps = augment_from_files(to, asked(gold), base=str(tiny_encoder), device="cpu")
    folder = checkpoint_folder(to)
    for at in ("pupil-0", "cross", "verdict", "pool", "silver", "augmented-0"):
        while not (folder / f"{at}.json").is_file():
            next(steps)
        steps.close()
        assert not to.exists()
        done = {file.name: file.stat().st_mtime_ns for file in folder.glob("[a-z]*.json")}
        steps = resume_augmentation(to, device="cpu")
        next(steps)
        assert {name: (folder / name).stat().st_mtime_ns for name in done} == done
    steps.close()
    with pytest.raises(UserError, match="--resume"):
        augment(to, asked(gold), tiny_encoder)
    found = run_to_end(resume_augmentation(to, device="cpu"))
    assert found.figures["augmented"]["runs"] == pytest.approx(
        whole.figures["augmented"]["runs"], abs=1e-6
    )
    texts = ["the dog runs", "a new bike", "cold water"]
    vectors = [
        load_encoder(folder, device="cpu").encode(texts).vectors
        for folder in (tmp_path / "whole", to)
    ]
    assert np.abs(vectors[0] - vectors[1]).max() <= 1e-6


def test_labels_that_were_kept_are_not_made_again(
    gold: Path, tiny_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from core.workflows.augmenting import labelling

    monkeypatch.setattr(labelling, "_PART", 20)
    to = tmp_path / "out"
    folder = checkpoint_folder(to)
    steps = augment_from_files(to, asked(gold), base=str(tiny_encoder), device="cpu")
    while len(list(folder.glob("labels-*.json"))) < 2:
        next(steps)
    steps.close()
    kept = {file.name: file.stat().st_mtime_ns for file in folder.glob("labels-*.json")}
    again = resume_augmentation(to, device="cpu")
    while len(list(folder.glob("labels-*.json"))) <= len(kept):
        next(again)
    assert {name: (folder / name).stat().st_mtime_ns for name in kept} == kept
    again.close()


def test_kde_thins_a_pool_to_the_gold(gold: Path, tiny_encoder: Path, tmp_path: Path):
    labelled = []
    wanted = asked(gold, sampling="kde", pool=300, most=2.0)
    found = augment(tmp_path / "out", wanted, tiny_encoder, Told(labelled=labelled.append))
    assert found.silver <= 84
    assert found.silver < 300
    assert labelled[0].sheet.pairs == found.silver


def test_the_best_seed_alone_is_carried_on_with(gold: Path, tiny_encoder: Path, tmp_path: Path):
    rows = [f"{noun} a{n} old,{noun} b{n} new,{n % 2}" for noun in NOUNS for n in range(4)]
    dev = write(tmp_path / "dev.csv", rows)
    test = write(
        tmp_path / "test.csv", [row.replace(" a", " c").replace(" b", " d") for row in rows]
    )
    wanted = asked(gold, dev=dev, test=test, stop_early=True)
    found = augment(tmp_path / "out", wanted, tiny_encoder)
    assert len(found.figures["augmented"]["runs"]) == 1
    assert len(found.figures["gold_only"]["runs"]) == 2
    assert any("2 seeds were each taught for 20% of the steps" in note for note in found.notes)
    assert not list(tmp_path.glob("*.checkpoint"))


def test_a_seed_is_not_chosen_by_the_pairs_that_judge(gold: Path):
    with pytest.raises(UserError, match="Too few gold pairs are held out to choose a seed"):
        check_augmentation(asked(gold, stop_early=True))


def test_without_a_masked_head_the_other_baseline_is_left_out_in_words(
    gold: Path, tiny_encoder: Path, tmp_path: Path
):
    found = augment(tmp_path / "out", asked(gold, synonyms=True, seeds=1), tiny_encoder)
    assert any("bert has no masked-language head" in note for note in found.notes)
    assert "synonyms" not in found.figures


def test_texts_of_a_file_and_another_teacher(gold: Path, tiny_encoder: Path, tmp_path: Path):
    texts = write(tmp_path / "texts.csv", [f"a {noun} in the park {n}" for noun in NOUNS
                                            for n in range(4)], header="text")  # fmt: skip  # 40
    said = []
    wanted = asked(gold, texts=texts, given=(str(tiny_encoder),), teacher="given", seeds=1)
    found = augment(tmp_path / "out", wanted, tiny_encoder, Told(verdict=said.append))
    assert said[0].teachers[said[0].best].kind == "given"
    assert found.teacher == "bert"
    assert not checkpoint_folder(tmp_path / "out").exists()


def test_for_other_texts_the_gold_is_not_learnt(gold: Path, tiny_encoder: Path, tmp_path: Path):
    texts = write(tmp_path / "texts.csv", [f"a {noun} in the park {n}" for noun in NOUNS
                                            for n in range(4)], header="text")  # fmt: skip  # 40
    to = tmp_path / "out"
    steps = augment_from_files(
        to, asked(gold, texts=texts, adapt=True), base=str(tiny_encoder), device="cpu"
    )
    folder = StepFolder(checkpoint_folder(to))
    while folder.row("augmented-0") is None:
        next(steps)
    silver, row = folder.arrays("silver")["score"], folder.row("augmented-0")
    steps.close()
    assert row is not None
    assert row["pairs"] == len(silver)


def test_bad_gold_is_refused_before_anything_is_loaded(tiny_encoder: Path, tmp_path: Path):
    few = write(tmp_path / "few.csv", [f"a {n},b {n},{n % 2}" for n in range(49)])
    with pytest.raises(UserError, match="49 judged pairs"):
        check_augmentation(asked(few))
    one_sided = write(tmp_path / "one.csv", [f"a {n},b {n},1" for n in range(100)])
    with pytest.raises(UserError, match="different"):
        augment(tmp_path / "out", asked(one_sided), tiny_encoder)
    triplets = write(
        tmp_path / "triplets.csv", [f"a {n},b {n},c {n}" for n in range(100)],
        header="anchor,positive,negative",
    )  # fmt: skip  # no pairs
    with pytest.raises(UserError, match="no pairs"):
        check_augmentation(asked(triplets))
    assert not checkpoint_folder(tmp_path / "out").exists()


def test_more_others_than_texts_is_refused(gold: Path, tmp_path: Path):
    texts = write(tmp_path / "texts.csv", ["one", "two", "three"], header="text")
    with pytest.raises(UserError, match="has 2 others; 3 were asked for"):
        check_augmentation(asked(gold, texts=texts))


def test_texts_that_the_base_cannot_read_are_refused(
    gold: Path, tiny_encoder: Path, tmp_path: Path
):
    texts = write(tmp_path / "texts.csv", [f"你好世界 {n} 你好" for n in range(40)], header="text")
    with pytest.raises(UserError, match="cannot read"):
        augment(tmp_path / "out", asked(gold, texts=texts), tiny_encoder)


def test_a_base_that_changed_meanwhile_is_refused(gold: Path, tiny_encoder: Path, tmp_path: Path):
    base = tmp_path / "base"
    shutil.copytree(tiny_encoder, base)
    to = tmp_path / "out"
    steps = augment_from_files(to, asked(gold), base=str(base), device="cpu")
    while not (checkpoint_folder(to) / "base.json").is_file():
        next(steps)
    steps.close()
    config = base / "config.json"
    config.write_text(config.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(UserError, match="has changed"):
        run_to_end(resume_augmentation(to, device="cpu"))
    assert (checkpoint_folder(to) / COURSE).is_file()


def test_nothing_to_go_on_with_is_said(tmp_path: Path):
    with pytest.raises(UserError, match="was cut off"):
        run_to_end(resume_augmentation(tmp_path / "out", device="cpu"))


def test_texts_of_a_project(gold: Path, tiny_encoder: Path, tmp_path: Path):
    from core.workflows.importing import import_file, inspect_file, settings_for

    texts = write(tmp_path / "texts.csv", [f"a {noun} in the park {n}" for noun in NOUNS
                                            for n in range(4)], header="text")  # fmt: skip  # 40
    with Project.create(tmp_path / "p.samesense") as project:
        run_to_end(import_file(project, texts, settings_for(inspect_file(texts))))
    wanted = replace(asked(gold), project=tmp_path / "p.samesense")
    _, sides = check_augmentation(wanted)
    steps = augment_from_files(tmp_path / "out", wanted, base=str(tiny_encoder), device="cpu")
    while not (checkpoint_folder(tmp_path / "out") / COURSE).is_file():
        next(steps)
    plan = kept_plan(checkpoint_folder(tmp_path / "out"))
    steps.close()
    assert len(plan.texts) == 40
    assert plan.source == "the corpus of p.samesense"
    assert not sides.held_texts & set(plan.texts)
