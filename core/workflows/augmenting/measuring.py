"""The first step: encoders by gold alone, a cross-encoder, and which of them may teach."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.augmentation import Candidate, TeacherFigure, Verdict, judge_teachers
from core.encoders.encoder import UNREADABLE_SHARE
from core.errors import UserError
from core.examples import ScoredPairs
from core.options import TrainOptions
from core.progress import Progress, Steps
from core.training import KeptStages, Taught, teach
from core.training.cross_training import train_cross
from core.training.stopping import retold
from core.workflows.augmenting.kept import Plan, StepFolder
from core.workflows.augmenting.scoring import Scores, figure_on, mean_of, score_sides
from core.workflows.teaching_figures import figure_of, figures_of, metric_of

_SAMPLE = 500  # texts that are looked at for what a teacher can read
_MOST_UNREADABLE = 0.2


def measure(
    plan: Plan, kept: StepFolder, *, device: str, threshold: float | None = None
) -> Steps[Verdict]:
    """Teach what may teach, compare it on dev with the encoders by gold alone, and keep all.

    `pupil-N` and `cross` are folders beside what was found of them. `threshold` is that of a
    project's groups, for what is told of the encoder by gold. Raises `UserError` where the texts
    cannot be read by the base.
    """
    yield from _readable(plan, device)
    base = yield from _base(plan, kept, device)
    for number in range(plan.options.seeds):
        yield from _pupil(plan, kept, number, device, threshold)
    if plan.options.teacher in ("auto", "cross-encoder", "mixed"):
        yield from _cross(plan, kept, device)
    for number, name in enumerate(plan.given):
        yield from _given(plan, kept, number, name, device)
    known = kept.row("verdict")
    if known is not None:
        return verdict_of(known)
    metric, figure = metric_of(plan.gold.dev)
    if figure is None:
        raise ValueError("gold pairs are scored")
    pupils = np.stack([kept.arrays(f"pupil-{at}")["dev"] for at in range(plan.options.seeds)])
    found = yield from judge_teachers(
        plan.gold.dev.score, plan.gold.dev_groups, pupils, candidates_of(plan, kept),
        metric=metric, figure=figure, wanted=plan.options.teacher, seed=plan.options.seed,
    )  # fmt: skip  # gold, the pupil, the teachers
    told = {**asdict(found), "base": figure_on(plan.gold.dev, base)}
    kept.keep("verdict", told)
    return found


def candidates_of(plan: Plan, kept: StepFolder) -> list[Candidate]:
    """Return what may teach, the paper's cross-encoder first."""
    seeds = plan.options.seeds
    pupils = tuple(str(kept.folder / f"pupil-{at}") for at in range(seeds))
    of_pupils = [kept.arrays(f"pupil-{at}")["dev"] for at in range(seeds)]
    found: list[Candidate] = []
    if kept.row("cross") is not None:
        cross = f"cross:{kept.folder / 'cross'}"
        scores = kept.arrays("cross")["dev"]
        found.append(Candidate("cross-encoder", "cross-encoder", ((cross,),), scores))
        if seeds > 1:
            mixed = mean_of([of_pupils, [scores]])
            name = f"mean of the cross-encoder and {seeds} encoders"
            found.append(Candidate(name, "mixed", ((cross,), pupils), mixed))
    if seeds > 1:
        name = f"mean of {seeds} encoders taught by gold"
        found.append(Candidate(name, "encoders", (pupils,), mean_of([of_pupils])))
    for number, name in enumerate(plan.given):
        row = kept.row(f"given-{number}") or {}
        scores = kept.arrays(f"given-{number}")["dev"]
        found.append(Candidate(row.get("name", name), "given", ((name,),), scores))
    if not any(plan.options.teacher in ("auto", one.kind) for one in found):
        needs = {
            "encoders": "Ask for two seeds or more.", "mixed": "Ask for two seeds or more.",
            "given": "Name one with --given.",
        }  # fmt: skip  # what each kind lacks
        raise UserError(
            "There is no such teacher.", needs.get(plan.options.teacher, "Choose another teacher.")
        )
    return found


def verdict_of(row: Mapping[str, Any]) -> Verdict:
    """Return a kept verdict."""
    told = {key: value for key, value in row.items() if key != "base"}
    teachers = tuple(TeacherFigure(**one) for one in told.pop("teachers"))
    alternatives = tuple(told.pop("alternatives"))
    return Verdict(teachers=teachers, alternatives=alternatives, **told)


def _readable(plan: Plan, device: str) -> Steps[None]:
    """Refuse texts that the base cannot read: no teacher made from it could label them."""
    from core.encoders import load_encoder

    random = np.random.default_rng(plan.options.seed)
    rows = random.permutation(len(plan.texts))[:_SAMPLE]
    if not len(rows):
        return
    yield Progress("Looking at the texts")
    folder = Path(plan.cross_base or plan.base)
    if not (folder / "modules.json").is_file():
        folder = Path(plan.base)
    encoder = load_encoder(folder, device=device)
    unreadable = done = 0
    for part in encoder.encode_stream([plan.texts[row] for row in rows.tolist()]):
        unreadable += int(part.unreadable.sum())
        done += len(part)
        yield Progress("Looking at the texts", done, len(rows), "texts")
    if unreadable > _MOST_UNREADABLE * len(rows):
        raise UserError(
            f"{encoder.name} cannot read {unreadable:,} of {len(rows):,} texts drawn from "
            f"{plan.source}: more than {UNREADABLE_SHARE:.0%} of their words are unknown to it.",
            "Take an encoder of their language or writing as the base.",
        )


def _base(plan: Plan, kept: StepFolder, device: str) -> Steps[Scores]:
    if kept.row("base") is None:
        sides = (plan.gold.dev, plan.gold.test)
        dev, test = yield from score_sides(plan.base, sides, device=device)
        kept.keep("base", {}, dev=dev, test=test)
    return kept.arrays("base")["dev"]


def _pupil(
    plan: Plan, kept: StepFolder, number: int, device: str, threshold: float | None
) -> Steps[None]:
    title = f"Teaching by the gold pairs alone, {number + 1} of {plan.options.seeds}"
    yield from learn(
        plan, kept, f"pupil-{number}", plan.gold.learn, plan.options.seed + number, title,
        device=device, threshold=threshold,
    )  # fmt: skip  # what and by what


def learn(
    plan: Plan,
    kept: StepFolder,
    name: str,
    pairs: ScoredPairs,
    seed: int,
    title: str,
    *,
    device: str,
    threshold: float | None,
) -> Steps[dict[str, Any]]:
    """Teach the base these pairs into the folder `name`, and keep what it says of dev and test.

    A training that was cut off goes on from its last checkpoint.
    """
    course = plan.course(pairs, seed)
    digest = plan.digest_of(course)
    known = kept.row(name)
    if known is not None and known["digest"] == digest:
        return known
    to, base = kept.folder / name, Path(plan.base)
    kept.drop(f"{name}.json")
    shutil.rmtree(to, ignore_errors=True)  # of other pairs, or written but not yet measured
    if known is not None:
        kept.drop(f"{name}.kept")
    stages = KeptStages(kept.folder / f"{name}.kept", digest)
    with stages.same_threads():
        steps = teach(base, course, to, figure_of=figure_of, device=device, kept=stages)
        taught = yield from retold(steps, lambda one: replace(one, title=title))
    row = yield from measured(
        plan, kept, name, taught, seed, digest, device=device, threshold=threshold
    )
    kept.drop(f"{name}.kept")
    return row


def measured(
    plan: Plan,
    kept: StepFolder,
    name: str,
    taught: Taught,
    seed: int,
    digest: str,
    *,
    device: str,
    threshold: float | None,
) -> Steps[dict[str, Any]]:
    """Keep what an encoder in the folder `name` says of dev and test, and how it came about."""
    to, base = kept.folder / name, Path(plan.base)
    sides = (plan.gold.dev, plan.gold.test)
    dev, test = yield from score_sides(str(to), sides, device=device)
    figures, examples = yield from figures_of(
        taught, taught.judged, base=base, threshold=threshold, seed=seed
    )
    fitted = taught.trained.fitted
    row = {
        "digest": digest, "figures": figures, "examples": examples, "seed": seed,
        "pairs": taught.learnt,
        "epochs": taught.trained.epochs[-1], "steps": fitted.steps, "step": fitted.step,
        "curve": [list(point) for point in fitted.curve],
        "held_curve": [list(point) for point in fitted.held_curve],
        "device": taught.trained.device, "threads": taught.trained.threads,
        "seconds": taught.trained.seconds,
    }  # fmt: skip  # one thing beside another
    return kept.keep(name, row, dev=dev, test=test)


def _cross(plan: Plan, kept: StepFolder, device: str) -> Steps[None]:
    if kept.row("cross") is not None:
        return
    begin, dev = Path(plan.cross_base or plan.base), plan.gold.dev
    if plan.first is not None:
        if kept.row("first") is None:
            first = kept.folder / "first"
            shutil.rmtree(first, ignore_errors=True)
            title = "Teaching the cross-encoder, first by the general pairs"
            yield from _taught(begin, plan.first, dev, plan.teach, first, title, device)
            kept.keep("first", {})
        begin = kept.folder / "first"
    to = kept.folder / "cross"
    shutil.rmtree(to, ignore_errors=True)
    learnt, title = plan.gold.learn, "Teaching the cross-encoder by the gold pairs"
    row = yield from _taught(
        begin, learnt, dev, plan.teach, to, title, device, chooses=plan.gold.chooses
    )
    sides = (plan.gold.dev, plan.gold.test)
    of_dev, of_test = yield from score_sides(f"cross:{to}", sides, device=device)
    kept.keep("cross", row, dev=of_dev, test=of_test)
    kept.drop("first", "first.json")


def _taught(
    begin: Path,
    learnt: ScoredPairs,
    dev: ScoredPairs,
    options: TrainOptions,
    to: Path,
    title: str,
    device: str,
    *,
    chooses: bool = False,
) -> Steps[dict[str, Any]]:
    steps = train_cross(
        begin, learnt, dev, options, to, figure=metric_of(dev)[1], choose=chooses,
        both_orders=True, device=device,
    )  # fmt: skip  # from what, by what, to what
    trained = yield from retold(steps, lambda one: replace(one, title=title))
    searched = trained.searched
    return {
        "epochs": trained.epochs[-1], "steps": trained.fitted.steps, "step": trained.fitted.step,
        "rates": None if searched is None else searched.record(), "seconds": trained.seconds,
        "rate": options.rate if searched is None else searched.rate, "base": begin.name,
    }  # fmt: skip  # one thing beside another


def _given(plan: Plan, kept: StepFolder, number: int, name: str, device: str) -> Steps[None]:
    if kept.row(f"given-{number}") is None:
        from core.workflows.scorers import open_scorer

        sides = (plan.gold.dev, plan.gold.test)
        dev, test = yield from score_sides(name, sides, device=device)
        told = open_scorer(name, device=device)
        row = {"name": told.name, "fingerprint": told.fingerprint}
        kept.keep(f"given-{number}", row, dev=dev, test=test)


def pupil_scores(kept: StepFolder, names: Sequence[str], side: str) -> Scores:
    """Return (s, n) what encoders said of dev or test."""
    told: Scores = np.stack([kept.arrays(name)[side] for name in names])
    return told
