"""Which teacher is taken, and when none may label."""

import numpy as np
import pytest

from core.augmentation import Candidate, Verdict, judge_teachers
from core.evaluation import average_precision, spearman
from core.progress import run_to_end

GOLD = np.random.default_rng(0).random(200)


def noisy(much: float, seed: int) -> np.ndarray:
    return GOLD + much * np.random.default_rng(seed).normal(size=len(GOLD))


def judged(pupil, *candidates, gold=GOLD, figure=spearman, wanted="auto") -> Verdict:
    return run_to_end(
        judge_teachers(
            gold, np.arange(len(gold)), np.array(pupil), candidates, metric="Spearman",
            figure=figure, wanted=wanted,
        )
    )  # fmt: skip  # gold, pupil, teachers


def candidate(name: str, dev: np.ndarray, kind: str = "cross-encoder") -> Candidate:
    return Candidate(name, kind, ((name,),), dev)


def test_the_best_is_taken_and_its_change_is_against_the_mean_of_the_pupils():
    pupils = [noisy(0.6, 1), noisy(0.6, 2)]
    found = judged(pupils, candidate("weak", noisy(0.5, 3)), candidate("strong", noisy(0.1, 4)))
    assert found.best == 1
    mean = np.mean([spearman(GOLD, one) for one in pupils])
    assert found.pupil == pytest.approx(mean)
    assert found.teachers[1].change == pytest.approx(spearman(GOLD, noisy(0.1, 4)) - mean)
    assert found.is_better
    assert found.is_sure
    assert found.may_label
    assert found.teachers[1].low > 0
    assert not found.alternatives


def test_a_weaker_teacher_may_not_label_and_ways_out_are_told():
    found = judged([noisy(0.2, 1)], candidate("cross-encoder", noisy(0.6, 2)))
    assert not found.may_label
    assert "not better" in found.sentence
    assert len(found.alternatives) == 4
    assert found.spread is None


def test_a_teacher_that_tells_nothing_is_no_better_than_chance():
    pupil = -noisy(0.3, 1)  # so bad that chance is better
    found = judged([pupil], candidate("cross-encoder", np.random.default_rng(5).random(200)))
    assert found.is_better
    assert found.is_chance
    assert not found.may_label
    assert "no better than chance" in found.sentence


def test_chance_on_decisions_is_the_share_of_the_same():
    gold = (GOLD > 0.7).astype(float)
    found = judged(
        [np.zeros(200)], candidate("cross-encoder", np.random.default_rng(5).random(200)),
        gold=gold, figure=average_precision,
    )  # fmt: skip  # gold is not the usual
    assert found.is_chance
    assert gold.mean() - 0.05 < found.teachers[0].by_chance < gold.mean() + 0.2


def test_a_small_lead_is_called_uncertain():
    found = judged([noisy(0.5, 1)], candidate("cross-encoder", noisy(0.45, 2)))
    assert found.is_better
    assert not found.is_sure
    assert "may be chance" in found.sentence
    assert found.may_label


def test_a_wanted_kind_is_taken_though_another_is_better():
    weak, strong = candidate("a", noisy(0.5, 3)), candidate("b", noisy(0.1, 4), "encoders")
    assert judged([noisy(0.6, 1)], weak, strong, wanted="cross-encoder").best == 0
    with pytest.raises(ValueError, match="given"):
        judged([noisy(0.6, 1)], weak, strong, wanted="given")
