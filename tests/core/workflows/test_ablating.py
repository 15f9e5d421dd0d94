"""A grid tried with a real, tiny encoder: figures, tables that go on, and an early end."""

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from core.encoders import load_encoder
from core.errors import UserError
from core.examples import ScoredPairs
from core.options import TrainOptions
from core.progress import Enough, Progress, Steps, run_to_end
from core.training import train
from core.training.data import nothing_random
from core.training.tasks import by_scores
from core.workflows.ablating import TITLE, Ablation, ablate
from core.workflows.ablation_plan import AblationPlan, plan_ablation

THINGS = ("hotel", "flight", "bike", "dog", "window", "door", "guitar", "food", "room", "light",
          "park", "road", "price", "refund", "wheel", "boy", "girl", "cat", "man", "woman",
          )  # fmt: skip  # one list
SCORES = (0, 0.35, 0.6, 1)


@pytest.fixture
def plan(tmp_path: Path, tiny_encoder: Path) -> AblationPlan:
    """Three poolings under regression, two seeds."""
    return planned(tmp_path, tiny_encoder)


def planned(folder: Path, base: Path, *, seeds: int = 2, rate: float = 1e-3) -> AblationPlan:
    file = folder / "pairs.csv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["sentence1", "sentence2", "score"])
        for number, thing in enumerate(THINGS):
            rows.writerow([f"the {thing} was good", f"a big {thing}", SCORES[number % 4]])
    options = TrainOptions(epochs=2, rate=rate, batch=4, held_out=0.4)
    return plan_ablation(file, options, grid="pooling", base=str(base), seeds=seeds)


def rows_of(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def until(steps: Steps[Ablation], trials: int, table: Path) -> None:
    """Go on until the table holds so many trials."""
    while len(rows_of(table) if table.exists() else []) < trials:
        next(steps)


def test_a_trial_is_what_teaching_by_hand_comes_to(
    plan: AblationPlan, tiny_encoder: Path, tmp_path: Path
) -> None:
    told = run_to_end(ablate(plan, device="cpu"))
    learnt, judging = plan.learnt, plan.judging
    assert isinstance(learnt, ScoredPairs)
    assert isinstance(judging, ScoredPairs)
    trained = run_to_end(
        train(
            tiny_encoder, [by_scores(learnt, plan.options)], nothing_random(),
            tmp_path / "by-hand", choose=False, device="cpu",
        )
    )  # fmt: skip
    encoder = load_encoder(trained.folder, device="cpu")
    left, right = (encoder.encode(column).vectors for column in judging.columns)
    by_hand = spearmanr(judging.score, (left * right).sum(1)).statistic
    (trial,) = (one for one in told.trials if (one.pooling, one.seed) == ("mean", 0))
    assert trial.after == pytest.approx(by_hand, abs=1e-6)


def test_each_cell_has_the_mean_and_deviation_of_its_trials(plan: AblationPlan) -> None:
    told = run_to_end(ablate(plan, device="cpu"))
    assert (len(told.results), len(told.trials), told.missing) == (3, 6, 0)
    for result in told.results:
        own = [one.after for one in told.trials if one.pooling == result.cell.pooling]
        assert result.after.mean == pytest.approx(sum(own) / 2)
        assert result.after.deviation == pytest.approx(abs(own[0] - own[1]) / np.sqrt(2))


def test_the_best_cell_stands_first(plan: AblationPlan) -> None:
    means = [one.after.mean for one in run_to_end(ablate(plan, device="cpu")).results]
    assert means == sorted(means, reverse=True)


def test_a_table_that_holds_all_trials_is_read_and_nothing_learnt(
    plan: AblationPlan, tmp_path: Path
) -> None:
    table = tmp_path / "grid.csv"
    first = run_to_end(ablate(plan, table=table, device="cpu"))
    said: list[Progress] = []
    second = run_to_end(ablate(plan, table=table, device="cpu"), said.append)
    assert said == []
    assert second.trials == first.trials


def test_a_grid_broken_off_goes_on_to_the_same_figures(plan: AblationPlan, tmp_path: Path) -> None:
    whole = run_to_end(ablate(plan, device="cpu"))
    table = tmp_path / "grid.csv"
    steps = ablate(plan, table=table, device="cpu")
    until(steps, 2, table)
    next(steps)
    steps.close()
    assert len(rows_of(table)) == 2
    told = run_to_end(ablate(plan, table=table, device="cpu"))
    assert [one.after for one in told.trials] == pytest.approx([one.after for one in whole.trials])


def test_enough_ends_with_the_trials_that_are_whole(plan: AblationPlan, tmp_path: Path) -> None:
    table = tmp_path / "grid.csv"
    steps = ablate(plan, table=table, device="cpu")
    until(steps, 2, table)
    with pytest.raises(StopIteration) as ended:
        steps.throw(Enough())
    told = ended.value.value
    assert (len(told.trials), told.missing) == (2, 4)


def test_more_seeds_are_added_to_a_table(tmp_path: Path, tiny_encoder: Path) -> None:
    table = tmp_path / "grid.csv"
    run_to_end(ablate(planned(tmp_path, tiny_encoder, seeds=1), table=table, device="cpu"))
    kept = rows_of(table)
    run_to_end(ablate(planned(tmp_path, tiny_encoder, seeds=2), table=table, device="cpu"))
    assert rows_of(table)[:3] == kept
    assert len(rows_of(table)) == 6


def test_a_table_of_other_settings_is_refused(tmp_path: Path, tiny_encoder: Path) -> None:
    table = tmp_path / "grid.csv"
    run_to_end(ablate(planned(tmp_path, tiny_encoder, seeds=1), table=table, device="cpu"))
    other = planned(tmp_path, tiny_encoder, seeds=1, rate=1e-4)
    with pytest.raises(UserError, match="other settings"):
        run_to_end(ablate(other, table=table, device="cpu"))


def test_a_file_that_is_no_table_of_trials_stays(plan: AblationPlan, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(UserError, match="holds no trials"):
        run_to_end(ablate(plan, table=table, device="cpu"))
    assert table.read_text("utf-8") == "a,b\n1,2\n"


def test_an_empty_file_is_no_table_of_trials(plan: AblationPlan, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.touch()
    with pytest.raises(UserError, match="holds no trials"):
        run_to_end(ablate(plan, table=table, device="cpu"))


def test_a_table_that_is_no_csv_is_refused(plan: AblationPlan, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="written as CSV"):
        run_to_end(ablate(plan, table=tmp_path / "grid.xlsx", device="cpu"))


def test_progress_counts_the_steps_of_the_whole_grid(plan: AblationPlan) -> None:
    said: list[Progress] = []
    run_to_end(ablate(plan, device="cpu"), said.append)
    own = [one for one in said if one.title == TITLE]
    steps = 2 * -(-len(plan.learnt) // 4)  # two epochs in batches of four
    assert {one.total for one in own} == {6 * steps}
    assert max(one.done for one in own) == 6 * steps
    assert [one.done for one in own] == sorted(one.done for one in own)


def test_a_loss_that_is_no_number_is_told_with_the_remedy(
    tmp_path: Path, tiny_encoder: Path
) -> None:
    plan = planned(tmp_path, tiny_encoder, seeds=1, rate=1e30)
    with pytest.raises(UserError, match="smaller --rate"):
        run_to_end(ablate(plan, device="cpu"))
