"""Seeds begun together, of which the best early one is carried on with."""

import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from safetensors.torch import load_file

from core.errors import UserError
from core.examples import LabelledPairs, ScoredPairs
from core.options import TrainOptions
from core.progress import Enough, run_to_end
from core.training import (
    Material,
    Part,
    SeedSearch,
    by_scores_alone,
    search_seeds,
    teach,
)
from core.training import course_of as make
from core.training.seed_search import rank_correlation
from core.training.tried_seeds import TriedSeed

OPTIONS = TrainOptions(epochs=5, rate=3e-3, batch=4, hold=0)  # 15 steps: a fifth is no look's


def nearness(gold, cosines):
    return -float(np.abs(gold - cosines).mean())


@pytest.fixture
def course_of(pairs):
    other = ScoredPairs(pairs.right, pairs.left, pairs.score)

    def course(seed):
        made = by_scores_alone(pairs, replace(OPTIONS, seed=seed))
        return replace(made, dev=other, test=other)

    return course


@pytest.fixture
def search(tiny_encoder, course_of, tmp_path):
    def begin(**named):
        given = {"kept": tmp_path / "kept", "figure_of": lambda _: nearness, "device": "cpu"}
        given |= {"seeds": (3, 4, 5), **named}
        course = given.pop("course", course_of)
        return search_seeds(tiny_encoder, course, tmp_path / "taught", **given)

    return begin


def weights(folder):
    return load_file(folder / "model.safetensors")


def assert_same(ours, theirs):
    ours, theirs = weights(ours), weights(theirs)
    assert max(float((ours[name] - theirs[name]).abs().max()) for name in theirs) <= 1e-6


def alone(tiny_encoder, course, to):
    return run_to_end(teach(tiny_encoder, course, to, figure_of=lambda _: nearness, device="cpu"))


def is_empty(folder):
    return not folder.exists() or not list(folder.iterdir())


def ended(steps):
    with pytest.raises(StopIteration) as stop:
        while True:
            next(steps)
    return stop.value.value


def test_the_best_seed_ends_with_the_weights_it_has_when_taught_alone(
    search, tiny_encoder, course_of, tmp_path
):
    told = []
    found = run_to_end(search(), told.append)
    assert [one.seed for one in found.tried] == [3, 4, 5]
    figures = {one.seed: one.figure for one in found.tried}
    assert len(set(figures.values())) == 3
    assert found.seed == max(figures, key=figures.get)
    plain = alone(tiny_encoder, course_of(found.seed), tmp_path / "alone")
    assert_same(tmp_path / "taught", tmp_path / "alone")
    fitted = found.taught.trained.fitted
    assert (fitted.curve, fitted.held_curve, fitted.step) == (
        plain.trained.fitted.curve, plain.trained.fitted.held_curve, plain.trained.fitted.step,
    )  # fmt: skip  # three figures
    assert found.taught.judged.after.tolist() == plain.judged.after.tolist()
    assert is_empty(tmp_path / "kept")
    assert {one.title for one in told} == {
        "Seed 1 of 3", "Seed 2 of 3", "Seed 3 of 3",
        f"Seed {found.seed - 2} of 3, to the end",
    }  # fmt: skip  # and nothing else
    assert found.correlation is None and "was not measured" in found.sentences()[-1]
    record = json.loads((tmp_path / "taught" / "training.json").read_text("utf-8"))
    assert record["seeds"]["seed"] == found.seed and len(record["seeds"]["tried"]) == 3


@pytest.mark.parametrize("share", [0.2, 0.3])
def test_a_seed_takes_its_share_of_the_steps_and_no_more(search, share):
    told = []
    run_to_end(search(seeds=(0, 1), share=share), told.append)
    early = [one for one in told if "end" not in one.title]
    most = max(dict(one.figures).get("step", 0) for one in early)
    assert most == math.ceil(share * 15)


def test_the_figure_at_the_share_is_that_of_a_look_there(search, tiny_encoder, course_of, tmp_path):
    found = run_to_end(search(seeds=(0, 1), share=4 / 15))  # every second step is looked at
    curve = dict(found.taught.trained.fitted.held_curve)
    assert next(one.figure for one in found.tried if one.seed == found.seed) == curve[4]


def test_to_the_end_every_seed_is_carried_on_with_and_the_best_there_is_written(
    search, tiny_encoder, course_of, tmp_path
):
    found = run_to_end(search(to_the_end=True))
    finals = {one.seed: one.final for one in found.tried}
    assert found.seed == max(finals, key=finals.get)
    early = [one.figure for one in found.tried]
    assert found.correlation == rank_correlation(early, [one.final for one in found.tried])
    assert found.correlation is not None and f"{found.correlation:.2f}" in found.sentences()[-1]
    assert found.taught.trained.folder == tmp_path / "taught"
    plain = alone(tiny_encoder, course_of(found.seed), tmp_path / "alone")
    assert_same(tmp_path / "taught", tmp_path / "alone")
    fitted = plain.trained.fitted
    assert finals[found.seed] == dict(fitted.held_curve)[fitted.step]
    assert is_empty(tmp_path / "kept")


def test_closed_within_a_seed_it_goes_on_without_trying_the_first_again(
    search, tiny_encoder, course_of, tmp_path
):
    steps = search(every_s=0)
    for one in steps:
        if one.title == "Seed 2 of 3" and dict(one.figures).get("step", 0) >= 2:
            break
    steps.close()
    assert not (tmp_path / "taught").exists()
    assert len(json.loads((tmp_path / "kept" / "seeds.json").read_text("utf-8"))) == 1
    told = []
    found = run_to_end(search(every_s=0), told.append)
    assert "Seed 1 of 3" not in {one.title for one in told}
    begun = [dict(one.figures) for one in told if one.title == "Seed 2 of 3"]
    assert min(one["step"] for one in begun if "step" in one) >= 2
    assert len(found.tried) == 3
    alone(tiny_encoder, course_of(found.seed), tmp_path / "alone")
    assert_same(tmp_path / "taught", tmp_path / "alone")


def test_closed_on_the_way_to_the_ends_the_same_is_found(search, tmp_path):
    steps = search(to_the_end=True, every_s=0)
    for one in steps:
        if one.title == "Seed 3 of 3, to the end" and dict(one.figures).get("step", 0) >= 8:
            break
    steps.close()
    told = []
    found = run_to_end(search(to_the_end=True, every_s=0), told.append)
    assert all(one.final is not None for one in found.tried) and found.correlation is not None
    assert (tmp_path / "taught" / "model.safetensors").is_file()
    assert is_empty(tmp_path / "kept")
    assert not [one for one in told if one.title == "Seed 1 of 3"]


def test_other_examples_do_not_go_on_from_what_is_kept(search, course_of):
    steps = search()
    while next(steps).title != "Seed 2 of 3":
        pass
    steps.close()
    with pytest.raises(UserError, match="other examples or settings"):
        run_to_end(search(share=0.4))


def test_enough_carries_the_best_so_far_no_further(search, tiny_encoder, tmp_path):
    steps = search()
    for one in steps:
        if one.title == "Seed 3 of 3" and dict(one.figures).get("step", 0) >= 1:
            break
    steps.throw(Enough())
    found = ended(steps)
    assert found.was_stopped and [one.seed for one in found.tried] == [3, 4]
    assert found.seed == max(found.tried, key=lambda one: one.figure).seed
    fitted = found.taught.trained.fitted
    assert fitted.stopped == "enough" and 3 <= fitted.steps <= 4
    assert dict(fitted.held_curve)[fitted.step] == max(dict(fitted.held_curve).values())
    assert (tmp_path / "taught" / "model.safetensors").is_file() and is_empty(tmp_path / "kept")
    assert "stopped by hand when 2 of 3" in " ".join(found.sentences())


def test_enough_in_the_first_seed_writes_its_best_look(search, tmp_path):
    steps = search()
    for one in steps:
        if dict(one.figures).get("step", 0) >= 2:
            break
    steps.throw(Enough())
    found = ended(steps)
    assert (found.seed, found.tried) == (3, ())
    assert (tmp_path / "taught" / "training.json").is_file() and is_empty(tmp_path / "kept")


def test_a_seed_whose_loss_is_no_number_is_not_taken(search, course_of):
    def course(seed):
        made = course_of(seed)
        return replace(made, options=replace(made.options, rate=1e30)) if seed == 3 else made

    found = run_to_end(search(course=course))
    assert math.isnan(found.tried[0].figure) and found.seed in (4, 5)


def test_stages_count_together(tiny_encoder, pairs, search, course_of, tmp_path):
    labels = LabelledPairs(pairs.left, pairs.right, pairs.score.astype(np.int64), ("no", "yes"))
    material = Material(Part(pairs), (Part(labels),))
    other = ScoredPairs(pairs.right, pairs.left, pairs.score)

    def course(seed):
        values = {"recipe": "two-stage", "epochs": 3, "batch": 4, "hold": 0.0, "seed": seed}
        return make(material, {**values, "rate": 3e-3}, dev=other, test=other)

    found = run_to_end(search(seeds=(0, 1), share=0.7, course=course))  # in the second stage
    alone(tiny_encoder, course(found.seed), tmp_path / "alone")
    assert_same(tmp_path / "taught", tmp_path / "alone")


def test_without_given_files_all_seeds_are_held_against_the_same_examples(search, make_pairs):
    seen = []

    def figure_of(examples):
        seen.append(examples.left)
        return nearness

    options = TrainOptions(epochs=1, batch=64, hold=0)
    found = run_to_end(
        search(
            seeds=(0, 1),
            figure_of=figure_of,
            course=lambda seed: by_scores_alone(make_pairs(1_000), replace(options, seed=seed)),
        )
    )
    assert len(seen) > 2 and len(set(seen)) == 1 and len(seen[0]) == 100
    assert (found.taught.learnt, len(found.taught.judged)) == (800, 100)
    assert not found.taught.was_chosen


def test_where_nothing_chooses_that_is_said(search, course_of):
    with pytest.raises(UserError, match="Nothing chooses among the seeds") as told:
        run_to_end(search(course=lambda seed: replace(course_of(seed), dev=None)))
    assert "dev file" in told.value.remedy
    with pytest.raises(UserError, match="no cosine tells"):
        run_to_end(search(figure_of=lambda _: None))


@pytest.mark.parametrize("named", [{"seeds": ()}, {"seeds": (1, 1)}, {"share": 1.0}])
def test_what_makes_no_search_is_a_mistake(search, named):
    with pytest.raises(ValueError):
        run_to_end(search(**named))


def test_ranks_tell_how_far_early_figures_foretell_late_ones():
    assert rank_correlation([1, 2, 3], [10, 30, 20]) == pytest.approx(0.5)
    assert rank_correlation([1, 1, 2], [5, 5, 9]) == pytest.approx(1)
    assert rank_correlation([1, 2], [1, 2]) is None
    assert rank_correlation([1, 2, math.nan], [1, 2, 3]) is None
    assert rank_correlation([1, 1, 1], [1, 2, 3]) is None


def test_the_sentences_say_what_was_done():
    tried = (TriedSeed(0, 0.5, 0.7), TriedSeed(1, math.nan), TriedSeed(2, 0.4))
    told = " ".join(SeedSearch(tried, 0, 3, 0.2, None, None, False).sentences())
    assert "3 seeds were each taught for 20% of the steps (0: 0.5000, 1: no figure" in told
    assert "Seed 0 did best" in told and "was not measured here" in told


_VICTIM = """
import sys
from dataclasses import replace
from pathlib import Path
import numpy as np
from core.examples import ScoredPairs
from core.options import TrainOptions
from core.training import by_scores_alone, search_seeds

def course(seed):
    pairs = ScoredPairs(left, right, score)
    made = by_scores_alone(pairs, TrainOptions(epochs=5, rate=3e-3, batch=4, hold=0, seed=seed))
    other = ScoredPairs(right, left, score)
    return replace(made, dev=other, test=other)

def nearness(gold, cosines):
    return -float(np.abs(gold - cosines).mean())

base, to, kept, *texts = sys.argv[1:]
left, right = tuple(texts[:12]), tuple(texts[12:])
score = np.array([1] * 6 + [0] * 6, np.float32)
for one in search_seeds(Path(base), course, Path(to), (3, 4, 5), kept=Path(kept),
                        figure_of=lambda _: nearness, device="cpu", every_s=0):
    print(one.title, int(dict(one.figures).get("step", -1)), flush=True)
"""


def test_killed_within_a_seed_the_same_is_found(search, pairs, tiny_encoder, course_of, tmp_path):
    given = [str(tiny_encoder), str(tmp_path / "taught"), str(tmp_path / "kept")]
    victim = subprocess.Popen(
        [sys.executable, "-c", _VICTIM, *given, *pairs.left, *pairs.right],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip  # one call
    assert victim.stdout is not None
    for line in victim.stdout:
        if line.strip() == "Seed 2 of 3 2":
            os.kill(victim.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
            break
    victim.stdout.close()
    assert victim.wait() != 0
    assert not (tmp_path / "taught").exists()
    told = []
    found = run_to_end(search(every_s=0), told.append)
    assert "Seed 1 of 3" not in {one.title for one in told} and len(found.tried) == 3
    alone(tiny_encoder, course_of(found.seed), tmp_path / "alone")
    assert_same(tmp_path / "taught", tmp_path / "alone")
