"""The whole lesson, by how much there is to judge by."""

from dataclasses import replace

import numpy as np
import pytest

from core.evaluation import average_precision
from core.examples import ScoredPairs
from core.options import TrainOptions
from core.progress import Enough, run_to_end
from core.training import by_scores_alone, plan_lesson, teach
from core.training.cross_validation import cross_validate
from core.training.encoder_pupil import EncoderPupil
from core.training.learner import load_learner

OPTIONS = TrainOptions(epochs=1)


@pytest.fixture
def lesson(tiny_encoder, background, tmp_path):
    def give(data):
        return teach(
            tiny_encoder, by_scores_alone(data, OPTIONS, background), tmp_path / "taught",
            figure_of=lambda _watched: average_precision, device="cpu",
        )  # fmt: skip  # one call

    return give


@pytest.mark.parametrize(
    ("count", "verdict"),
    [
        (0, "none"),
        (19, "too-few"),
        (20, "cross-validated"),
        (99, "cross-validated"),
        (100, "enough"),
    ],
)
def test_the_verdict_goes_by_the_number_of_pairs(make_pairs, count, verdict):
    assert plan_lesson(make_pairs(count), OPTIONS).verdict == verdict


def test_one_label_alone_is_too_little_however_often(make_pairs):
    data = replace(make_pairs(500), score=np.ones(500, np.float32))
    assert plan_lesson(data, OPTIONS).verdict == "too-few"


@pytest.mark.parametrize("count", [120, 1_000, 2_000])
def test_pairs_are_only_kept_aside_where_both_kinds_are_among_them(make_pairs, count):
    data = make_pairs(count)
    some = np.ones(count, np.float32)
    some[:6] = 0  # too few for a fifth of them to tell anything
    plan = plan_lesson(replace(data, score=some), OPTIONS)
    assert (plan.verdict, len(plan.judge), len(plan.learn)) == ("cross-validated", 0, count)
    assert (plan.same, plan.different) == (count - 6, 6)


def test_a_plan_tells_which_pairs_learn_choose_and_judge(make_pairs):
    plan = plan_lesson(make_pairs(1_000), OPTIONS)
    assert (len(plan.learn), len(plan.choose), len(plan.judge)) == (800, 100, 100)
    assert len(set(plan.learn) | set(plan.choose) | set(plan.judge)) == 1_000


def test_too_few_pairs_are_learnt_from_and_nothing_is_claimed(lesson, make_pairs):
    taught = run_to_end(lesson(make_pairs(10)))
    assert (taught.verdict, taught.judged) == ("too-few", None)
    assert taught.trained.folder.is_dir()


def test_one_pair_is_enough_to_run(lesson, make_pairs):
    assert run_to_end(lesson(make_pairs(1))).trained.fitted.steps == 1


def test_few_pairs_are_all_judged_out_of_fold(lesson, make_pairs):
    data = make_pairs(40)
    taught = run_to_end(lesson(data))
    assert taught.verdict == "cross-validated"
    assert sorted(taught.judged.examples.left) == sorted(data.left)


def test_enough_pairs_are_judged_by_those_held_out(lesson, make_pairs):
    taught = run_to_end(lesson(make_pairs(200)))
    assert (taught.learnt, len(taught.judged)) == (160, 40)
    assert (taught.verdict, taught.was_chosen) == ("enough", False)


def test_with_many_pairs_those_that_choose_do_not_judge(lesson, make_pairs):
    taught = run_to_end(lesson(make_pairs(1_000)))
    assert (taught.learnt, len(taught.judged)) == (800, 100)
    assert len(taught.trained.fitted.held_curve) > 5


def test_a_stop_by_hand_says_that_the_judging_pairs_chose(lesson, make_pairs):
    steps = lesson(make_pairs(200))
    while dict(next(steps).figures).get("step") != 5:
        pass
    taught = thrown(steps)
    assert taught.was_chosen and taught.trained.fitted.stopped == "enough"


def test_a_stop_before_the_texts_are_read_claims_nothing(lesson, make_pairs):
    steps = lesson(make_pairs(200))
    while next(steps).title != "Reading the texts":
        pass
    taught = thrown(steps)
    assert taught.judged is None and taught.trained.fitted.step == 0


def test_a_stop_in_the_folds_still_gives_the_encoder(lesson, make_pairs):
    steps = lesson(make_pairs(40))
    while "part 3" not in next(steps).title:
        pass
    taught = thrown(steps)
    assert len(taught.judged) == 16
    assert taught.trained.fitted.stopped == "done"


def thrown(steps):
    try:
        steps.throw(Enough())
        while True:
            next(steps)
    except StopIteration as stop:
        return stop.value


def test_closing_in_the_folds_leaves_nothing(lesson, make_pairs, tmp_path):
    steps = lesson(make_pairs(40))
    while "part 3" not in next(steps).title:
        pass
    steps.close()
    assert list(tmp_path.iterdir()) == []


def test_cross_validation_leaves_the_learner_as_it_came(tiny_encoder, make_pairs, background):
    learner = load_learner(tiny_encoder, device="cpu")
    before = learner.snapshot()
    run_to_end(
        cross_validate(EncoderPupil(learner), by_scores_alone(make_pairs(30), OPTIONS, background))
    )
    after = learner.snapshot()
    assert all((before[name] == after[name]).all() for name in before)


def test_out_of_fold_cosines_come_from_encoders_that_did_not_see_the_pair(
    tiny_encoder, make_pairs, nothing_random
):
    # Random labels can be learnt by heart, but nobody can know those of others.
    data = make_pairs(40)
    labels = np.random.default_rng(1).permutation(data.score)
    options = TrainOptions(epochs=60, rate=5e-3, hold=0)
    learner = load_learner(tiny_encoder, device="cpu")
    judged = run_to_end(
        cross_validate(
            EncoderPupil(learner),
            by_scores_alone(replace(data, score=labels), options, nothing_random),
        )
    )
    assert np.abs(judged.after - judged.examples.score).mean() > 0.35


def test_pairs_around_one_text_are_judged_with_a_warning(tiny_encoder, nothing_random, tmp_path):
    hub = ScoredPairs(
        ("the bike",) * 30,
        tuple(f"a wheel {row}" for row in range(30)),
        np.arange(30, dtype=np.float32) % 2,
    )
    learner = load_learner(tiny_encoder, device="cpu")
    judged = run_to_end(
        cross_validate(EncoderPupil(learner), by_scores_alone(hub, OPTIONS, nothing_random))
    )
    assert len(judged) == 30 and "flatter" in judged.note
