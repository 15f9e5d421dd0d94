"""The third step: encoders learn gold and silver together, and are held against gold alone."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.augmentation import joined
from core.errors import UserError
from core.evaluation import (
    apply_threshold,
    area_under_roc,
    best_f1,
    compare_runs,
    majority,
)
from core.evaluation.baselines import jaccard
from core.examples import ScoredPairs
from core.progress import Progress, Steps
from core.training import masked_head_of, reword_pairs, search_seeds
from core.workflows.augmenting.kept import Plan, StepFolder
from core.workflows.augmenting.measuring import learn, measured, pupil_scores
from core.workflows.augmenting.scoring import Scores, figure_on
from core.workflows.teaching_figures import figure_of, metric_of

_FEW_FALSE = 0.05
_BEST_SEED = "augmented-best"


@dataclass(frozen=True, slots=True)
class AugmentOutcome:
    """An encoder that learnt silver pairs, and what they brought."""

    training: int  # its number in the project, 0 outside of one
    folder: str
    gold: int  # pairs learnt from
    silver: int
    teacher: str
    figures: dict[str, Any]
    verdict: dict[str, Any]
    sentence: str  # whether it paid
    diagnosis: tuple[str, ...]  # why it did not
    notes: tuple[str, ...]


def learn_silver(
    plan: Plan,
    kept: StepFolder,
    silver: ScoredPairs,
    *,
    device: str,
    threshold: float | None = None,
) -> Steps[list[str]]:
    """Teach an encoder with each seed and return the names of their steps.

    For other texts than those of the gold (`adapt`) they learn the silver pairs alone. Raises
    `UserError` where there are none.
    """
    if not len(silver):
        raise UserError("No silver pair is left to learn from.", "Label pairs first, or keep some.")
    pairs = silver if plan.options.adapt else joined(plan.gold.learn, silver)
    if plan.options.stop_early and plan.options.seeds > 1:
        yield from _best_seed(plan, kept, pairs, device, threshold)
        return [_BEST_SEED]
    names = []
    for number in range(plan.options.seeds):
        name = f"augmented-{number}"
        title = f"Teaching by gold and silver, {number + 1} of {plan.options.seeds}"
        yield from learn(
            plan, kept, name, pairs, plan.options.seed + number, title, device=device,
            threshold=threshold,
        )  # fmt: skip  # what and by what
        names.append(name)
    return names


def _best_seed(
    plan: Plan, kept: StepFolder, pairs: ScoredPairs, device: str, threshold: float | None
) -> Steps[None]:
    """Begin every seed, and carry on with the one that is best on dev at a fifth of the steps."""
    seeds = [plan.options.seed + number for number in range(plan.options.seeds)]
    digest = f"{plan.digest_of(plan.course(pairs, seeds[0]))} {seeds}"
    known, to = kept.row(_BEST_SEED), kept.folder / _BEST_SEED
    if known is not None and known["digest"] == digest:
        return
    kept.drop(f"{_BEST_SEED}.json")
    shutil.rmtree(to, ignore_errors=True)
    begun = kept.folder / f"{_BEST_SEED}.seeds"
    if known is not None:
        kept.drop(begun.name)
    found = yield from search_seeds(
        Path(plan.base), lambda seed: plan.course(pairs, seed), to, seeds, kept=begun,
        figure_of=figure_of, device=device,
    )  # fmt: skip  # what, by what, and where
    yield from measured(
        plan, kept, _BEST_SEED, found.taught, found.seed, digest, device=device,
        threshold=threshold,
    )  # fmt: skip  # of which encoder
    kept.keep("seeds", {"record": found.record(), "sentences": list(found.sentences())})


def learn_synonyms(
    plan: Plan, kept: StepFolder, *, device: str, threshold: float | None = None
) -> Steps[tuple[list[str], str]]:
    """Teach by the gold pairs and the same with words replaced, the paper's other baseline.

    Returns the names of the steps, none where the base has no masked-language head, and a sentence.
    """
    base = Path(plan.base)
    if not masked_head_of(base):
        return [], (
            f"No synonyms beside: {plan.base_name} has no masked-language head to find them by."
        )
    found = yield from reword_pairs(base, plan.gold.learn, seed=plan.options.seed, device=device)
    if not len(found.pairs):
        return [], found.note
    names = []
    for number in range(plan.options.seeds):
        name = f"synonyms-{number}"
        title = f"Teaching by gold and synonyms, {number + 1} of {plan.options.seeds}"
        yield from learn(
            plan, kept, name, joined(plan.gold.learn, found.pairs), plan.options.seed + number,
            title, device=device, threshold=threshold,
        )  # fmt: skip  # what and by what
        names.append(name)
    return names, found.note


def best_on_dev(plan: Plan, kept: StepFolder, names: Sequence[str]) -> str:
    """Return the encoder that is best on dev, which is no judgement of it."""
    return max(names, key=lambda name: figure_on(plan.gold.dev, kept.arrays(name)["dev"]))


def outcome_of(
    plan: Plan,
    kept: StepFolder,
    names: Sequence[str],
    silver: ScoredPairs,
    *,
    folder: Path,
    synonyms: tuple[Sequence[str], str] = ((), ""),
) -> Steps[AugmentOutcome]:
    """Compare the encoders with those that learnt the gold alone, on the pairs that judge.

    `synonyms` are the encoders of the other baseline, and what is to be said of it.
    """
    metric, figure = metric_of(plan.gold.test)
    if figure is None:
        raise ValueError("gold pairs are scored")
    test, groups = plan.gold.test, plan.gold.test_groups
    pupils = [f"pupil-{number}" for number in range(plan.options.seeds)]
    alone, both = (pupil_scores(kept, some, "test") for some in (pupils, names))
    base = kept.arrays("base")["test"]
    against_gold = yield from compare_runs(
        test.score, alone, both, groups, figure=figure, seed=plan.options.seed
    )
    against_base = yield from compare_runs(
        test.score, base[None], both, groups, figure=figure, seed=plan.options.seed
    )
    yield Progress("Measuring the difference")
    verdict, labelled = kept.row("verdict") or {}, kept.row("silver") or {}
    figures: dict[str, Any] = {
        "metric": metric, "held_out": len(test), "dev": len(plan.gold.dev),
        "base": figure_on(test, base),
        "gold_only": _spread(test, alone), "augmented": _spread(test, both),
        "change": against_gold.change, "low": _finite(against_gold.low),
        "high": _finite(against_gold.high), "resampled": against_gold.resampled,
        "base_change": against_base.change, "base_low": _finite(against_base.low),
        "base_high": _finite(against_base.high),
        **_of_labels(plan, kept, pupils, names),
    }  # fmt: skip  # one figure after the other
    if synonyms[0]:
        figures["synonyms"] = _spread(test, pupil_scores(kept, synonyms[0], "test"))
    seeds = (kept.row("seeds") or {}) if _BEST_SEED in names else {}
    notes = (*plan.gold.notes, synonyms[1], *seeds.get("sentences", ()))
    return AugmentOutcome(
        0, str(folder), len(plan.gold.learn), len(silver), str(labelled.get("teacher", "")),
        figures, verdict, _sentence(figures), _diagnosis(figures, verdict, labelled),
        tuple(filter(None, notes)),
    )  # fmt: skip  # in the order of the fields


def take_out(kept: StepFolder, name: str, to: Path) -> None:
    """Bring an encoder out of the steps to where it is to be."""
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(kept.folder / name, to)


def _spread(test: ScoredPairs, runs: Scores) -> dict[str, Any]:
    found = [figure_on(test, run) for run in runs]
    return {
        "mean": float(np.mean(found)), "runs": found,
        "sd": float(np.std(found, ddof=1)) if len(found) > 1 else None,
    }  # fmt: skip  # three


def _of_labels(
    plan: Plan, kept: StepFolder, pupils: Sequence[str], names: Sequence[str]
) -> dict[str, Any]:
    """Return baselines, and of yes and no F1 at the threshold of dev and AUC(0.05)."""
    test = plan.gold.test
    texts = list(dict.fromkeys((*test.left, *test.right)))
    place = {text: number for number, text in enumerate(texts)}
    left, right = (np.array([place[text] for text in side], np.int64) for side in test.columns)
    words = jaccard(texts, left, right)
    told: dict[str, Any] = {"jaccard": figure_on(test, words)}
    if not test.is_labelled or not plan.gold.dev.is_labelled:
        return told
    gold, dev = test.score, plan.gold.dev.score
    told["majority"] = majority(gold.tolist(), learnt_from=plan.gold.learn.score.tolist()).accuracy
    sides = {"base": ["base"], "gold_only": list(pupils), "augmented": list(names)}
    for name, steps in sides.items():
        f1, area = [], []
        for step in steps:
            arrays = kept.arrays(step)
            threshold = best_f1(dev, arrays["dev"]).threshold
            f1.append(apply_threshold(gold, arrays["test"], threshold).f1)
            area.append(area_under_roc(gold, arrays["test"], most_false=_FEW_FALSE))
        told[f"f1_{name}"], told[f"auc_005_{name}"] = float(np.mean(f1)), float(np.mean(area))
    return told


def _sentence(figures: Mapping[str, Any]) -> str:
    low, high, change = figures["low"], figures["high"], figures["change"]
    told = f"{figures['metric']} {change:+.3f} against the gold pairs alone"
    if low is None or high is None:
        return f"{told}; too few pairs judge to say how sure that is."
    between = f"{told} (between {low:+.3f} and {high:+.3f})"
    if low > 0:
        return f"The silver pairs paid: {between}."
    if high < 0:
        return f"The silver pairs did harm: {between}. Keep to the gold pairs alone."
    return f"Whether the silver pairs paid cannot be told: {between}."


def _diagnosis(
    figures: Mapping[str, Any], verdict: Mapping[str, Any], labelled: Mapping[str, Any]
) -> tuple[str, ...]:
    """Say why silver pairs did not pay, as far as what was measured tells it."""
    low = figures["low"]
    if low is not None and low > 0:
        return ()
    said: list[str] = []
    teachers = verdict.get("teachers", [])
    if teachers:
        best = teachers[int(verdict["best"])]
        if not verdict["is_sure"]:
            said.append(
                f"The teacher was {best['change']:+.3f} against its pupil on the pairs that "
                "compare them, which is not surely better: it had little to give."
            )
    if labelled.get("insisted") and not verdict.get("is_better", True):
        said.append("The labels were made although the teacher was not better than its pupil.")
    spread = figures["gold_only"]["sd"]
    if spread is not None and abs(figures["change"]) < 2 * spread:
        said.append(
            f"Encoders that learnt the same gold pairs with other seeds differ by as much "
            f"(standard deviation {spread:.3f})."
        )
    if figures["held_out"] < 200:
        said.append(f"Only {figures['held_out']:,} pairs judge, so the interval is wide.")
    return tuple(said)


def _finite(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
