"""What a grid of trials will be, before anything is learnt."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import UserError
from core.options import TrainOptions
from core.workflows.ablation_plan import AblationPlan, plan_ablation

THINGS = ("hotel", "flight", "bike", "dog", "window", "door", "guitar", "food", "room", "light",
          "park", "road", "price", "refund", "wheel", "boy")  # fmt: skip  # one list
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write pairs of texts that stand in no other pair, judged in turn by the given cells."""

    def made(
        *judgements: object, name: str = "pairs.csv", judged: str = "score", pairs: int = 16
    ) -> Path:
        file = tmp_path / name
        with file.open("w", encoding="utf-8", newline="") as stream:
            rows = csv.writer(stream)
            rows.writerow(["sentence1", "sentence2", judged])
            for number, thing in enumerate(THINGS[:pairs]):
                judgement = judgements[number % len(judgements)]
                rows.writerow([f"the {thing} was good", f"a big red {thing}", judgement])
        return file

    return made


def planned(file: Path, base: Path, **asked: object) -> AblationPlan:
    told: dict[str, object] = {"grid": "pooling", **asked}
    return plan_ablation(file, TrainOptions(epochs=1), base=str(base), **told)  # type: ignore[arg-type]  # by keyword


def texts(examples: object) -> set[str]:
    return {text for column in examples.columns for text in column}  # type: ignore[attr-defined]  # of any kind


def test_the_sides_share_no_text_and_nothing_is_lost(write: Write, tiny_encoder: Path) -> None:
    plan = planned(write(0, 0.3, 0.6, 1), tiny_encoder)
    assert not texts(plan.learnt) & texts(plan.judging)
    assert len(plan.learnt) + len(plan.judging) == len(THINGS)


def test_trials_are_cells_times_seeds(write: Write, tiny_encoder: Path) -> None:
    plan = planned(write(0, 0.3, 0.6, 1), tiny_encoder, seeds=2)
    assert (len(plan.cells), plan.seeds, plan.trials) == (3, (0, 1), 6)


def test_scores_are_judged_by_rank_and_decisions_by_precision(
    write: Write, tiny_encoder: Path
) -> None:
    assert planned(write(0, 0.3, 0.6, 1), tiny_encoder).figure == "Spearman"
    decided = write("same", "different", judged="label")
    assert planned(decided, tiny_encoder).figure == "average precision"


def test_examples_with_a_text_of_dev_are_not_learnt(write: Write, tiny_encoder: Path) -> None:
    dev = write(0, 0.5, 1, name="dev.csv", pairs=6)
    plan = planned(write(0, 0.3, 0.6, 1), tiny_encoder, dev=dev)
    assert (len(plan.learnt), len(plan.judging)) == (10, 6)
    assert plan.notes[0] == "6 examples share a text with dev.csv and are not learnt from."


def test_no_more_are_learnt_than_the_limit(write: Write, tiny_encoder: Path) -> None:
    assert len(planned(write(0, 0.3, 0.6, 1), tiny_encoder, limit=8).learnt) == 8


def test_three_labels_cannot_judge_and_the_remedy_is_dev(write: Write, tiny_encoder: Path) -> None:
    labels = write("contrary", "same thing", "unrelated", judged="label")
    with pytest.raises(UserError, match="with --dev"):
        planned(labels, tiny_encoder, grid="concatenation")


def test_three_labels_teach_where_scores_judge(write: Write, tiny_encoder: Path) -> None:
    labels = write("contrary", "same thing", "unrelated", judged="label")
    dev = write(0, 0.5, 1, name="dev.csv", pairs=4)
    plan = planned(labels, tiny_encoder, grid="concatenation", dev=dev)
    assert (len(plan.cells), plan.figure) == (7, "Spearman")


def test_single_texts_are_refused(tmp_path: Path, tiny_encoder: Path) -> None:
    file = tmp_path / "texts.csv"
    rows = [f"the {thing} was good,{'ab'[number % 2]}" for number, thing in enumerate(THINGS)]
    file.write_text("\n".join(["text,label", *rows]), "utf-8")
    with pytest.raises(UserError, match="single texts with labels"):
        planned(file, tiny_encoder)


def test_examples_of_one_score_are_refused(write: Write, tiny_encoder: Path) -> None:
    with pytest.raises(UserError, match="have the score"):
        planned(write(0.4), tiny_encoder)


def test_pairs_held_out_that_are_all_judged_alike_are_refused(
    write: Write, tiny_encoder: Path
) -> None:
    dev = write(0.4, name="dev.csv", pairs=6)
    with pytest.raises(UserError, match="judged alike"):
        planned(write(0, 0.3, 0.6, 1), tiny_encoder, dev=dev)


def test_more_seeds_forecast_more_time(write: Write, tiny_encoder: Path) -> None:
    file = write(0, 0.3, 0.6, 1)
    once, often = (planned(file, tiny_encoder, seeds=seeds).seconds for seeds in (1, 50))
    assert 0 < once < often


@pytest.mark.parametrize("other", [{"limit": 9}, {"dev": True}])
def test_other_examples_are_other_settings(
    write: Write, tiny_encoder: Path, other: dict[str, object]
) -> None:
    file = write(0, 0.3, 0.6, 1)
    if "dev" in other:
        other = {"dev": write(0, 0.5, 1, name="dev.csv", pairs=6)}
    assert planned(file, tiny_encoder).settings != planned(file, tiny_encoder, **other).settings


def test_other_seeds_and_another_grid_are_the_same_settings(
    write: Write, tiny_encoder: Path
) -> None:
    file = write(0, 0.3, 0.6, 1)
    first = planned(file, tiny_encoder, seeds=1)
    assert planned(file, tiny_encoder, seeds=5, grid="objective").settings == first.settings
