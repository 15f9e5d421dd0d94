"""Teach a cross-encoder: it reads both texts of a pair at once, and is held against the encoder."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.cross.folder import is_cross_folder
from core.errors import UserError
from core.evaluation import average_precision, compare, spearman
from core.examples import (
    ExampleFile,
    Finding,
    LabelledPairs,
    Report,
    ScoredPairs,
    Severity,
    as_scores,
    examine,
    read_examples,
)
from core.folders import encoder_folder, folder_in_use
from core.options import TrainOptions
from core.progress import Progress, Steps
from core.store import Project
from core.training.cross_teaching import CrossTaught, teach_cross
from core.training.placing import refuse_taken
from core.workflows.lessons import lesson_of
from core.workflows.recorded import recorded
from core.workflows.scorers import open_scorer

Figure = Callable[[NDArray[Any], NDArray[Any]], float]


@dataclass(frozen=True, slots=True)
class CrossOutcome:
    """A finished lesson of a cross-encoder."""

    folder: str
    pairs: int
    kind: str  # scored pairs or labelled pairs
    labels: tuple[str, ...]  # that it tells apart; none where it tells a score
    figures: dict[str, Any]
    note: str = ""  # what was left out or odd in the pairs


@dataclass(frozen=True, slots=True)
class SeenPairs:
    """The judged pairs of a file, and what was found in them."""

    pairs: ScoredPairs | LabelledPairs  # decisions are scores of 0 and 1
    report: Report


def teach_cross_from_file(
    to: Path,
    file: Path,
    options: TrainOptions,
    *,
    base: str = "default",
    device: str = "auto",
    both_orders: bool = False,
    labels: Sequence[str] | None = None,
    tell: Callable[[Finding], None] | None = None,
) -> Steps[CrossOutcome]:
    """Teach a cross-encoder by a file of judged pairs and write it to the folder `to`.

    `base` is a cross-encoder to go on from, an encoder, or a plain backbone; `labels` are the
    names of the labels in order. `tell` is given what was found in the pairs before training
    starts. On pairs that were held out by their texts the new cross-encoder is compared with the
    cosine of the encoder: the base itself, or the default one where the base is none; where it
    tells labels, with always saying the most frequent one. Raises `UserError` where the pairs can
    teach nothing, and before any work where `to` is taken.
    """
    started = time.monotonic()
    refuse_taken(to)
    folder = encoder_folder(base)
    yield Progress("Reading the pairs")
    seen = look_at_pairs(file, folder, labels=labels)
    if tell is not None:
        for found in seen.report.findings:
            if found.severity is not Severity.STOPS:  # what stops is the error that follows
                tell(found)
    seen.report.refuse()
    figure = figure_of(seen.pairs)[1]
    taught = yield from teach_cross(
        folder, seen.pairs, options, to, figure=figure, both_orders=both_orders, device=device
    )
    figures = yield from _figures(taught, seen.pairs, folder, device)
    figures["seconds"] = time.monotonic() - started
    return CrossOutcome(
        folder=str(to),
        pairs=len(seen.pairs),
        kind=str(seen.pairs.kind),
        labels=seen.pairs.names if isinstance(seen.pairs, LabelledPairs) else (),
        figures={**figures, "both_orders": both_orders},
        note=" ".join(found.sentence for found in seen.report.findings),
    )


def teach_cross_project(
    project: Project,
    options: TrainOptions,
    *,
    both_orders: bool = True,
    device: str = "auto",
) -> Steps[CrossOutcome]:
    """Teach a cross-encoder by all that was decided and imported in a project, for checking again.

    It begins from the encoder in use, with which it is compared, and becomes a folder of the
    project, `encoders/cross-RUN`, whole or not there. Takes `Enough`.
    """
    active = project.active_encoder()
    if active is None:
        raise UserError("The texts are not encoded yet.", "Encode them first.")
    base = folder_in_use(active.folder, name=active.name)
    pairs = lesson_of(project).data
    if not len(pairs):
        raise UserError(
            "There are no judged pairs to learn from.",
            "Decide some pairs as same or different, or import judged pairs.",
        )
    report = examine(pairs)
    report.refuse()

    def work(run: int) -> Steps[CrossOutcome]:
        started = time.monotonic()
        to = project.folder / "encoders" / f"cross-{run}"
        to.parent.mkdir(exist_ok=True)
        steps = teach_cross(
            base, pairs, options, to, figure=figure_of(pairs)[1], both_orders=both_orders,
            device=device,
        )  # fmt: skip
        taught = yield from steps
        figures = yield from _figures(taught, pairs, base, device)
        figures |= {"seconds": time.monotonic() - started, "both_orders": both_orders}
        note = " ".join(found.sentence for found in report.findings)
        return CrossOutcome(str(to), len(pairs), str(pairs.kind), (), figures, note)

    return (
        yield from recorded(
            project, "train-cross", {**asdict(options), "both_orders": both_orders}, work,
            inputs={"encoder": active.fingerprint, "pairs": len(pairs)}, seed=options.seed,
        )
    )  # fmt: skip


def look_at_pairs(file: Path, folder: Path, *, labels: Sequence[str] | None = None) -> SeenPairs:
    """Read a file of judged pairs and look at it as the cross-encoder in `folder` will.

    Loads a tokenizer, which takes seconds. Raises `UserError` where the file holds no judged pairs.
    """
    found = read_examples(file, labels=labels)
    pairs = _pairs_of(found, file)
    report = examine(pairs, files=(found,))
    findings = (*report.findings, *_too_long(folder, pairs))
    scored = as_scores(pairs) if isinstance(pairs, LabelledPairs) and pairs.are_decisions else pairs
    return SeenPairs(scored, replace(report, findings=findings))


def figure_of(pairs: ScoredPairs | LabelledPairs) -> tuple[str, Figure]:
    """Return what tells good from bad, and its function; nan where it says nothing."""
    if isinstance(pairs, LabelledPairs):
        return "accuracy", _accuracy
    name, function = (
        ("average precision", average_precision) if pairs.is_labelled else ("Spearman", spearman)
    )

    def figure(gold: NDArray[Any], scores: NDArray[Any]) -> float:
        return float(function(gold, scores)) if len(np.unique(gold)) > 1 else float("nan")

    return name, figure


def _accuracy(gold: NDArray[Any], shares: NDArray[Any]) -> float:
    return float((shares.argmax(1) == gold).mean())


def _pairs_of(found: ExampleFile, file: Path) -> ScoredPairs | LabelledPairs:
    examples = found.examples
    if isinstance(examples, ScoredPairs | LabelledPairs):
        return examples
    raise UserError(
        f"{file.name} holds {examples.kind}; a cross-encoder learns from judged pairs.",
        "Give it two texts a row and what people said of them: a score, a label, or yes and no.",
    )


def _too_long(folder: Path, pairs: ScoredPairs | LabelledPairs) -> tuple[Finding, ...]:
    from core.cross.loading import load_pair_tokenizer

    tokenizer = load_pair_tokenizer(folder)
    texts = list(dict.fromkeys((*pairs.left, *pairs.right)))
    lengths = [text.length for some in tokenizer.tokenize(texts) for text in some]
    counts = dict(zip(texts, lengths, strict=True))
    both = zip(pairs.left, pairs.right, strict=True)
    long = sum(counts[left] + counts[right] > tokenizer.room for left, right in both)
    if not long:
        return ()
    said = "pairs is" if long == 1 else "pairs are"
    return (
        Finding(
            Severity.WARNS,
            f"{long:,} of {len(pairs):,} {said} longer than the {tokenizer.max_tokens:,} tokens "
            "that are read at once; the end of the longer text is cut off.",
            "Shorten the texts, or take a base that reads more.",
            long,
        ),
    )


def _figures(
    taught: CrossTaught, pairs: ScoredPairs | LabelledPairs, folder: Path, device: str
) -> Steps[dict[str, Any]]:
    fitted, judging = taught.trained.fitted, taught.judging
    told: dict[str, Any] = {
        "how": "too few to tell", "metric": "", "baseline": "", "before": None, "after": None,
        "low": None, "high": None, "held_out": 0, "verdict": taught.verdict,
        "note": " ".join(note for note in (taught.note, *fitted.notes) if note),
        "stopped": fitted.stopped, "why": fitted.why, "steps": fitted.steps, "step": fitted.step,
        "epochs": taught.trained.epochs, "cut": fitted.cut, "was_chosen": taught.was_chosen,
    }  # fmt: skip
    if judging is None or len(taught.scores) != len(judging) or not len(judging):
        return told
    gold = judging.label if isinstance(judging, LabelledPairs) else judging.score
    if len(np.unique(gold)) < 2:
        return told
    before: NDArray[Any] | None
    if isinstance(judging, LabelledPairs):
        baseline, before = _most_frequent(judging, pairs)
    else:
        baseline, before = yield from _cosines(judging, folder, device)
    name, figure = figure_of(judging)
    told |= {
        "how": "cross-validated" if taught.verdict == "cross-validated" else "held out",
        "metric": name, "held_out": len(judging), "after": figure(gold, taught.scores),
    }  # fmt: skip
    if before is None:
        return told
    compared = yield from compare(gold, before, taught.scores, taught.groups, figure=figure)
    return told | {
        "baseline": baseline, "before": compared.before,
        "low": _finite(compared.low), "high": _finite(compared.high),
    }  # fmt: skip


def _most_frequent(
    judging: LabelledPairs, pairs: ScoredPairs | LabelledPairs
) -> tuple[str, NDArray[Any]]:
    known = pairs.label if isinstance(pairs, LabelledPairs) else judging.label
    most = int(np.bincount(known, minlength=len(judging.names)).argmax())
    shares = np.zeros((len(judging), len(judging.names)))
    shares[:, most] = 1
    return f"always “{judging.names[most]}”", shares


def _cosines(
    judging: ScoredPairs, folder: Path, device: str
) -> Steps[tuple[str, NDArray[Any] | None]]:
    """The encoder's cosines of pairs, and its name; None where there is no encoder."""
    try:
        encoder = encoder_folder("default") if is_cross_folder(folder) else folder
    except UserError:
        return "", None
    opened = open_scorer(str(encoder), device=device)
    texts = list(dict.fromkeys((*judging.left, *judging.right)))
    place = {text: number for number, text in enumerate(texts)}
    left, right = (np.array([place[text] for text in side], np.int64) for side in judging.columns)
    scored = yield from opened.scorer(texts, left, right)
    return f"cosine of {opened.name}", scored.columns["cosine"]


def _finite(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
