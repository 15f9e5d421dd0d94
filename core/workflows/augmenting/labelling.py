"""The second step: new pairs are chosen, the teacher labels them, and all is laid out."""

import hashlib
import json
import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.augmentation import (
    Candidate,
    Sheet,
    Silver,
    Verdict,
    candidates,
    most_kept,
    rebalanced,
    refuse_top_k,
    sheet_of,
)
from core.augmentation.silver import new_silver
from core.errors import UserError
from core.examples import ScoredPairs
from core.pairs.nearest import nearest
from core.progress import Progress, Steps
from core.sampling import Pairs
from core.workflows.augmenting.kept import Plan, StepFolder
from core.workflows.augmenting.measuring import candidates_of, verdict_of
from core.workflows.augmenting.scoring import Scores, mean_of, score_pairs

_PART = 4_096  # pairs that are kept at one go
_TRIED = (32, 160)  # pairs of a small sample and of a larger one, timed for the forecast
_LABELS = "labels-*"
_POOL, _TRIED_POOL = "pool", "tried"  # pairs that are labelled, and that were asked about


@dataclass(frozen=True, slots=True)
class LabelForecast:
    """What labelling will cost."""

    texts: int
    source: str
    scored: int  # pairs that the teacher will score
    most: int  # silver pairs that stay at most
    teacher: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Labelled:
    """The silver pairs of a plan and what they look like."""

    silver: Silver
    sheet: Sheet
    teacher: str


def refuse_teacher(verdict: Verdict, *, insist: bool) -> None:
    """Raise `UserError` where the teacher has nothing to teach and nobody insists."""
    if verdict.may_label or insist:
        return
    ways = " ".join(f"{place}. {way}" for place, way in enumerate(verdict.alternatives, 1))
    raise UserError(verdict.sentence, f"{ways} Or insist, to see for yourself.")


def forecast_labels(plan: Plan, kept: StepFolder, *, device: str) -> Steps[LabelForecast]:
    """Choose the pairs and time the teacher on a sample of them; labels nothing.

    What is labelled already stays, whatever is asked about.
    """
    pool = yield from _pool(plan, kept, device, into=_TRIED_POOL)
    teacher = _teacher(plan, kept)
    seconds = 0.0
    for name in _scorers(teacher):
        seconds += yield from _cost(name, _texts(plan, pool), device)
    most = most_kept(len(plan.gold.learn), plan.options)
    return LabelForecast(
        len(plan.texts), plan.source, len(pool), min(most, len(pool)), teacher.name, seconds
    )


def label(plan: Plan, kept: StepFolder, *, device: str, insist: bool = False) -> Steps[Labelled]:
    """Let the teacher label the chosen pairs; goes on where it was cut off.

    Raises `UserError` where the teacher is not better than its pupil and nobody insists, where no
    pair can be chosen, and for a top-k above the number of texts.
    """
    row = kept.row("verdict")
    if row is None:
        raise UserError("The teacher was not compared yet.", "Compare teachers first.")
    refuse_teacher(verdict_of(row), insist=insist)
    pool = yield from _pool(plan, kept, device, into=_POOL)
    teacher = _teacher(plan, kept)
    known = kept.row("silver")
    if known is None:
        scores = yield from _labels(plan, kept, teacher, pool, device)
        if plan.options.sampling == "kde":
            most = most_kept(len(plan.gold.learn), plan.options)
            rows = rebalanced(plan.gold.learn.score, scores, most=most, seed=plan.options.seed)
            pool, scores = pool[rows], scores[rows]
        known = {"teacher": teacher.name, "kind": teacher.kind, "insisted": insist,
                 "scored": int((kept.row("pool") or {}).get("pairs", len(pool)))}  # fmt: skip
        kept.keep("silver", known, pairs=pool, score=scores)
        kept.drop(_LABELS)
    arrays = kept.arrays("silver")
    pairs = _texts(plan, arrays["pairs"])
    silver = new_silver(pairs.left, pairs.right, arrays["score"])
    return Labelled(silver, sheet_of(plan.gold.learn, silver), known["teacher"])


def sampling_digest(plan: Plan) -> str:
    """Return what changes with anything that decides which pairs are chosen."""
    options = {name: getattr(plan.options, name) for name in
               ("sampling", "top_k", "pool", "most", "seed")}  # fmt: skip  # of the sampling
    told = json.dumps([options, plan.texts], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()


def _pool(plan: Plan, kept: StepFolder, device: str, *, into: str) -> Steps[Pairs]:
    """The chosen pairs, kept under the name `into`.

    Where they are kept for labelling, other settings than before forget the labels.
    """
    digest = sampling_digest(plan)
    for name in dict.fromkeys((into, _POOL, _TRIED_POOL)):
        known = kept.row(name)
        if known is None or known["digest"] != digest:
            continue
        found: Pairs = kept.arrays(name)["pairs"]
        return found if name == into or into == _TRIED_POOL else _taken(kept, found, digest)
    found = yield from _choose(plan, kept, device)
    if into == _POOL:
        return _taken(kept, found, digest)
    kept.keep(into, {"digest": digest, "pairs": len(found)}, pairs=found)
    return found


def _taken(kept: StepFolder, pool: Pairs, digest: str) -> Pairs:
    """Keep pairs to be labelled, in place of others and their labels."""
    kept.drop(_LABELS, "silver.json", "silver.npz", "pool.json")
    kept.keep(_POOL, {"digest": digest, "pairs": len(pool)}, pairs=pool)
    return pool


def _choose(plan: Plan, kept: StepFolder, device: str) -> Steps[Pairs]:
    refuse_top_k(len(plan.texts), plan.options)
    place = {text: number for number, text in enumerate(plan.texts)}
    gold = plan.gold
    sides = [(gold.learn, "learn"), (gold.dev, "dev"), (gold.test, "test")]
    decided = [
        (place[left], place[right])
        for side, _ in sides
        for left, right in zip(*side.columns, strict=True)
        if left in place and right in place
    ]

    def neighbours(k: int) -> Steps[NDArray[np.int64]]:
        vectors = yield from _vectors(plan, kept, device)
        near = yield from nearest(vectors, k=k, device=device)
        told: NDArray[np.int64] = near.index.astype(np.int64)
        return told

    found = yield from candidates(
        plan.texts, np.array(decided, np.int64).reshape(-1, 2), plan.options,
        gold=len(gold.learn), neighbours=neighbours,
    )  # fmt: skip  # of what, and how
    if not len(found):
        raise UserError(
            f"No new pair can be made of {plan.source}.",
            "Take the whole corpus, or choose pairs in another way.",
        )
    return found


def _teacher(plan: Plan, kept: StepFolder) -> Candidate:
    row = kept.row("verdict")
    if row is None:
        raise UserError("The teacher was not compared yet.", "Compare teachers first.")
    return candidates_of(plan, kept)[int(row["best"])]


def _scorers(teacher: Candidate) -> list[str]:
    return [name for group in teacher.scorers for name in group]


def _labels(
    plan: Plan, kept: StepFolder, teacher: Candidate, pool: Pairs, device: str
) -> Steps[Scores]:
    """Score all chosen pairs by each scorer, part by part; whole parts outlive a kill."""
    groups: list[list[Scores]] = []
    number, total = 0, len(_scorers(teacher)) * len(pool)
    done = 0
    for group in teacher.scorers:
        of_group: list[Scores] = []
        for name in group:
            parts: list[Scores] = []
            for start in range(0, len(pool), _PART):
                key = f"labels-{number}-{start}"
                some = pool[start : start + _PART]
                if kept.row(key) is None:
                    steps = score_pairs(name, _texts(plan, some), device=device)
                    scores = yield from _under(steps, done, total)
                    kept.keep(key, {}, score=scores)
                parts.append(kept.arrays(key)["score"])
                done += len(some)
                yield Progress("Labelling", done, total, "pairs")
            of_group.append(np.concatenate(parts))
            number += 1
        groups.append(of_group)
    return mean_of(groups)


def _under(steps: Steps[Scores], done: int, total: int) -> Steps[Scores]:
    """Tell the scoring of a part as part of the labelling."""
    try:
        while True:
            progress = next(steps)
            within = progress.done if progress.unit == "pairs" else 0
            yield replace(
                progress, title="Labelling", done=done + within, total=total, unit="pairs"
            )
    except StopIteration as stop:
        outcome: Scores = stop.value
        return outcome
    finally:
        steps.close()


def _cost(name: str, pairs: ScoredPairs, device: str) -> Steps[float]:
    """Time a scorer on a small and a larger sample: what loading takes is in both."""
    drawn = np.random.default_rng(0).permutation(len(pairs))
    spent: list[float] = []
    counts: list[int] = []
    for count in _TRIED:
        some = pairs.rows(np.sort(drawn[:count]))
        started = time.monotonic()
        yield from score_pairs(name, some, device=device)
        spent.append(time.monotonic() - started)
        counts.append(_work(name, some))
    if counts[1] <= counts[0]:
        return spent[1]
    rate = max(spent[1] - spent[0], 0.0) / (counts[1] - counts[0])
    return min(spent) + rate * _work(name, pairs)


def _work(name: str, pairs: ScoredPairs) -> int:
    """What the cost of a scorer grows with: pairs, or of an encoder the texts in them."""
    return len(pairs) if name.startswith("cross:") else len({*pairs.left, *pairs.right})


def _vectors(plan: Plan, kept: StepFolder, device: str) -> Steps[NDArray[np.float32]]:
    """Vectors of the texts by the first encoder that learnt the gold, as the paper has it."""
    from core.encoders import load_encoder

    yield Progress("Loading the encoder")
    encoder = load_encoder(kept.folder / "pupil-0", device=device)
    vectors = np.zeros((len(plan.texts), encoder.dimension), np.float32)
    done = 0
    for part in encoder.encode_stream(plan.texts):
        vectors[part.positions] = part.vectors
        done += len(part)
        yield Progress("Encoding the texts", done, len(plan.texts), "texts")
    return vectors


def _texts(plan: Plan, pairs: Pairs) -> ScoredPairs:
    left, right = (tuple(plan.texts[at] for at in column.tolist()) for column in pairs.T)
    return ScoredPairs(left, right, np.zeros(len(pairs), np.float32))
