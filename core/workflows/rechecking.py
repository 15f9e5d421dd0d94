"""Check again, slower and better: a cross-encoder reads pairs of texts that an encoder found.

Sentence-BERT (arXiv 1908.10084, section 1): vectors find the few among the many, and the
cross-encoder, which cannot be indexed, is asked about these few only.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.cross import CrossEncoder
from core.cross.scored import Scored
from core.errors import UserError
from core.progress import Progress, Steps
from core.store import CheckerRecord, Project
from core.workflows.cross_desk import CrossDesk
from core.workflows.recorded import recorded

TITLE = "Checking pairs again"
FIRST_HITS = 50  # of a search that are checked
_STORED_EVERY_S = 1.0
_SAMPLE = 64  # pairs that a forecast scores at the most
_SAMPLE_S = 3.0  # that it takes for them at the most

Ids: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HitScores:
    """What the cross-encoder says of texts found, in the order they were told."""

    cross_encoder: str
    texts: tuple[int, ...]
    scores: tuple[float, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class RecheckForecast:
    """What checking pairs would take."""

    cross_encoder: str
    pairs: int
    known: int  # that this cross-encoder has checked before
    seconds: float  # for the others


@dataclass(frozen=True, slots=True)
class RecheckOutcome:
    """What checking pairs came to."""

    cross_encoder: str
    pairs: int
    known: int  # had a score by this cross-encoder already
    lowest: float | None
    highest: float | None
    note: str = ""


def recheck_hits(
    project: Project,
    folder: Path,
    question: str,
    texts: Sequence[int],
    *,
    device: str = "auto",
    desk: CrossDesk | None = None,
) -> Steps[HitScores]:
    """Score texts against a question, for those who order them anew; nothing is stored.

    `texts` are numbers of texts of the project; those that are gone by now are left out. Raises
    `UserError` for an empty question and a bad folder.
    """
    if not question.strip():
        raise UserError("There is no question to check the texts against.", "Search first.")
    cross = yield from (desk or CrossDesk()).load(folder, device=device)
    there = set(project.texts.table().ids.tolist())
    kept = [text for text in texts if text in there]
    pairs = [(question, body) for body in project.texts.bodies(kept)]
    scores = np.empty(len(pairs), np.float32)
    cut = done = 0
    yield Progress("Checking the texts again", 0, len(pairs), "texts")
    for part in cross.score_stream(pairs):
        scores[part.positions] = part.scores
        cut += int(part.cut.sum())
        done += len(part)
        yield Progress("Checking the texts again", done, len(pairs), "texts")
    return HitScores(cross.name, tuple(kept), tuple(scores.tolist()), _told_cut(cut, cross))


def pairs_in_band(project: Project, low: float, high: float) -> tuple[Ids, Ids]:
    """Return the pairs with low ≤ cosine < high, highest first, that nobody decided yet.

    Raises `UserError` where there are no pairs, or no such band.
    """
    pairing = project.pairs.current()
    if pairing is None:
        raise UserError("The pairs have not been found yet.", "Run: samesense pairs PROJECT.")
    if not low < high:
        raise UserError(
            f"There is no band from {low:g} to below {high:g}.", "Give the lower cosine first."
        )
    table = project.pairs.table(pairing)
    inside = (table.cosine >= low) & (table.cosine < high)
    inside &= np.isin(table.left, project.texts.table().ids)
    inside &= np.isin(table.right, project.texts.table().ids)
    return _undecided(project, table.left[inside], table.right[inside])


def waiting_pairs(project: Project) -> tuple[Ids, Ids]:
    """Return the pairs that wait for a person in the current grouping, highest cosine first."""
    rows = project.groupings.band(-1.0, 2.0, flagged=True)
    left = np.array([row.text for row in rows], np.int64)
    return _undecided(project, left, np.array([row.candidate for row in rows], np.int64))


def forecast_recheck(
    project: Project,
    folder: Path,
    left: Ids,
    right: Ids,
    *,
    both_orders: bool = True,
    device: str = "auto",
    desk: CrossDesk | None = None,
) -> Steps[RecheckForecast]:
    """Tell how long `recheck_pairs` would take, from a sample; costs a few seconds."""
    cross = yield from (desk or CrossDesk()).load(folder, device=device)
    checker = _known_checker(project, cross, both_orders=both_orders)
    unknown = np.arange(len(left))
    if checker is not None:
        unknown = np.flatnonzero(np.isnan(project.checked.scores(checker.id, left, right)))
    yield Progress("Estimating the time")
    chosen = unknown[:: max(1, len(unknown) // _SAMPLE)][:_SAMPLE]
    done, spent = 0, 0.0
    started = time.monotonic()
    for part in cross.score_stream(
        _bodies(project, left[chosen], right[chosen]), both_orders=both_orders
    ):
        done += len(part)
        spent = time.monotonic() - started
        yield Progress("Estimating the time", done, len(chosen), "pairs")
        if spent > _SAMPLE_S:
            break
    seconds = spent / done * len(unknown) if done else 0.0
    return RecheckForecast(cross.name, len(left), len(left) - len(unknown), seconds)


def recheck_pairs(
    project: Project,
    folder: Path,
    left: Ids,
    right: Ids,
    *,
    both_orders: bool = True,
    device: str = "auto",
    desk: CrossDesk | None = None,
) -> Steps[RecheckOutcome]:
    """Score pairs of texts and keep the scores in the project, under the cross-encoder's name.

    Pairs that have a score by the same files are not scored again. What is scored is stored every
    second, so closing loses next to nothing and the next time goes on from there. `both_orders`
    reads each pair both ways round, at twice the cost: the score then does not hang on which text
    came first.
    """
    cross = yield from (desk or CrossDesk()).load(folder, device=device)
    checker = project.checked.checker(
        _fingerprint(cross, both_orders=both_orders), name=cross.name, folder=str(cross.folder)
    )
    settings = {**cross.settings, "both_orders": both_orders, "pairs": len(left)}
    return (
        yield from recorded(
            project, "recheck", settings,
            lambda _run: _check(project, cross, checker, left, right, both_orders),
            inputs={"cross_encoder": checker.fingerprint},
        )
    )  # fmt: skip


def _check(
    project: Project,
    cross: CrossEncoder,
    checker: CheckerRecord,
    left: Ids,
    right: Ids,
    both_orders: bool,
) -> Steps[RecheckOutcome]:
    unknown = np.flatnonzero(np.isnan(project.checked.scores(checker.id, left, right)))
    known = len(left) - len(unknown)
    yield Progress(TITLE, known, len(left), "pairs")
    stored, cut = 0, 0
    pairs = _bodies(project, left[unknown], right[unknown])
    for parts in _gathered(cross.score_stream(pairs, both_orders=both_orders)):
        rows = unknown[np.concatenate([part.positions for part in parts])]
        scores = np.concatenate([part.scores for part in parts])
        project.checked.add(checker.id, left[rows], right[rows], scores)
        cut += sum(int(part.cut.sum()) for part in parts)
        stored += len(rows)
        yield Progress(TITLE, known + stored, len(left), "pairs")
    found = project.checked.scores(checker.id, left, right)
    return RecheckOutcome(
        cross_encoder=cross.name,
        pairs=len(left),
        known=known,
        lowest=float(found.min()) if len(found) else None,
        highest=float(found.max()) if len(found) else None,
        note=_told_cut(cut, cross),
    )


def _gathered(parts: Iterator[Scored]) -> Iterator[list[Scored]]:
    """Put parts together until a second has passed, so that writes are few and small."""
    held: list[Scored] = []
    since = time.monotonic()
    for part in parts:
        held.append(part)
        if time.monotonic() - since > _STORED_EVERY_S:
            yield held
            held, since = [], time.monotonic()
    if held:
        yield held


def _known_checker(
    project: Project, cross: CrossEncoder, *, both_orders: bool
) -> CheckerRecord | None:
    return project.checked.known(_fingerprint(cross, both_orders=both_orders))


def _fingerprint(cross: CrossEncoder, *, both_orders: bool) -> str:
    return f"{cross.fingerprint} both" if both_orders else cross.fingerprint


def _undecided(project: Project, left: Ids, right: Ids) -> tuple[Ids, Ids]:
    decided = project.decisions.table()
    told = np.concatenate([decided.same, decided.different]).reshape(-1, 2)
    kept = ~np.isin(_keys(left, right), _keys(told[:, 0], told[:, 1]))
    return left[kept], right[kept]


def _keys(left: Ids, right: Ids) -> Ids:
    """One number for each pair, whichever way round."""
    keys: Ids = np.minimum(left, right) << 32 | np.maximum(left, right)
    return keys


def _bodies(project: Project, left: Ids, right: Ids) -> list[tuple[str, str]]:
    return list(zip(project.texts.bodies(left), project.texts.bodies(right), strict=True))


def _told_cut(cut: int, cross: CrossEncoder) -> str:
    if not cut:
        return ""
    pairs = "1 pair is" if cut == 1 else f"{cut:,} pairs are"
    return f"{pairs} longer than {cross.name} reads at once, and cut."
