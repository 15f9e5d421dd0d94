"""Check and time the program's heavy parts on a device: `python scripts/gpu_check.py`.

    python scripts/gpu_check.py [--device cuda|cpu] [--quick] [--encoder FOLDER]

Encoding, pairs and graph, teaching, and labelling by a cross-encoder run on the device; each is
compared with the processor's fp32, with a plain product, or with itself undisturbed. What happens
when the device runs out of memory is tried by letting passes fail. Under four minutes on a CUDA
card. Prints a table and then, on the last line, one JSON object; ends with 1 if a check failed.
All checks run, whichever fail.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core.bench.cross_folders import cross_folder
from core.bench.machine import gemm_rate
from core.bench.made import made_texts, made_vectors
from core.cross import load_cross_encoder
from core.encoders import load_encoder
from core.errors import UserError
from core.examples import ScoredPairs
from core.folders import encoder_folder
from core.options import TrainOptions
from core.pairs import Neighbours, PairBlock, compare
from core.progress import run_to_end
from core.training import forecast_memory
from core.training.checkpoints import Checkpoint
from core.training.encoder_pupil import EncoderPupil
from core.training.fitted import Fitted
from core.training.fitting import fit
from core.training.learner import Learner, load_learner
from core.training.tasks import by_scores

ROOT = Path(__file__).resolve().parent.parent
TINY = ROOT / "tests" / "models" / "bert"
# How far from the processor's fp32: a cosine of a vector with itself, a score.
LEAST_COSINE = {"fp32": 0.99999, "bf16": 0.995, "fp16": 0.999}
LARGEST_OF_SCORE = {"fp32": 1e-4, "bf16": 0.05, "fp16": 0.01}
FLOOR, NEAREST = 0.75, 16
SAME, SAME_IN_PARTS = 1e-6, 1e-4  # weights of two trainings
FORECAST_FACTOR = 2.0  # between the memory that was forecast and the peak

# Texts, vectors, pairs to teach by and pairs to score.
_QUICK = (200, 1_000, 48, 64)
_PROCESSOR = (1_000, 10_000, 160, 400)
_CARD = (20_000, 100_000, 640, 10_000)

Figures = dict[str, Any]
Check = Callable[["Work"], Figures]


class CheckFailed(Exception):  # noqa: N818 - what it is called in the report
    """A figure that is not what it has to be, in a sentence."""


@dataclass(frozen=True, slots=True)
class Work:
    """What the checks work on, and how much of it."""

    device: str
    encoder: Path
    home: Path  # for what they write
    texts: int
    vectors: int
    pairs: int  # to teach by
    scored: int  # by the cross-encoder

    @property
    def precisions(self) -> tuple[str, ...]:
        return ("fp32", "bf16", "fp16") if self.device == "cuda" else ("fp32", "bf16")

    def judged(self) -> ScoredPairs:
        """Texts beside themselves or others, which an encoder can learn to tell."""
        texts = made_texts(2 * self.pairs, seed=1)
        score = (np.arange(self.pairs) % 2).astype(np.float32)
        left, others = texts[: self.pairs], texts[self.pairs :]
        right = [one if same else two for one, two, same in zip(left, others, score, strict=True)]
        return ScoredPairs(tuple(left), tuple(right), score)


def main() -> int:
    asked = _asked()
    if asked.device == "cuda" and not torch.cuda.is_available():
        raise SystemExit("torch sees no CUDA card; take --device cpu, or check the driver.")
    with tempfile.TemporaryDirectory(prefix="samesense-check-") as home:
        told = run_checks(CHECKS, _work(asked, Path(home)))
    sys.stdout.write(table(told) + "\n" + json.dumps(told) + "\n")
    return 0 if told["passed"] else 1


def run_checks(checks: Mapping[str, Check], work: Work) -> Figures:
    """Run every check and return the report, whatever fails."""
    told: Figures = {"device": _device_told(work.device), "encoder": work.encoder.name}
    begun, found = time.perf_counter(), {}
    for name, check in checks.items():
        started, failed = time.perf_counter(), ""
        figures: Figures = {}
        try:
            figures = check(work)
        except CheckFailed as fault:
            failed = str(fault)
        except Exception as fault:  # noqa: BLE001 - a check that breaks is told and the next one runs
            failed = f"{type(fault).__name__}: {fault}"
        found[name] = {
            "passed": not failed, "failed": failed,
            "seconds": round(time.perf_counter() - started, 3), **figures,
        }  # fmt: skip  # as the table reads it
    failures = [name for name, one in found.items() if not one["passed"]]
    return told | {
        "passed": not failures, "failures": failures,
        "seconds": round(time.perf_counter() - begun, 1), "checks": found,
    }  # fmt: skip  # the last keys of the report


def table(told: Figures) -> str:
    """The report for people: a line for each check."""
    wide = max(map(len, told["checks"]))
    lines = [f"{told['device']}, {told['encoder']}, {told['seconds']} s"]
    for name, one in told["checks"].items():
        figures = ", ".join(
            f"{key.replace('_', ' ')} {value:.6g}" if isinstance(value, float) else f"{key} {value}"
            for key, value in one.items()
            if key not in ("passed", "failed", "seconds")
        )
        state = "ok" if one["passed"] else f"FAILED: {one['failed']}"
        lines.append(f"{name:{wide}}  {one['seconds']:>8.2f} s  {state}  {figures}".rstrip())
    return "\n".join(lines)


def check_products(work: Work) -> Figures:
    """How fast the device multiplies; nothing to fail but the device itself."""
    if work.device == "cpu":
        return {}
    return {
        f"{name}_tflops": round(gemm_rate((4_096, 4_096), rows=8_192, precision=name) / 1e12, 1)
        for name in work.precisions
    }


def check_encoding(work: Work) -> Figures:
    """Vectors in every precision against the processor's fp32, and the texts a second."""
    texts = made_texts(work.texts)
    some = texts[:: max(1, len(texts) // 200)]
    exact = load_encoder(work.encoder, device="cpu").encode(some).vectors
    figures: Figures = {}
    for name in work.precisions:
        encoder = load_encoder(work.encoder, device=work.device, precision=name)
        encoder.encode(some)
        begun = time.perf_counter()
        encoder.encode(texts)
        figures[f"{name}_texts_a_second"] = len(texts) / (time.perf_counter() - begun)
        cosines = np.einsum("ij,ij->i", exact, encoder.encode(some).vectors)
        figures[f"{name}_least_cosine"] = float(cosines.min())
        _expect(cosines.min() >= LEAST_COSINE[name], f"{name} vectors are {1 - cosines.min()} off")
    return figures


def check_encoding_short_of_memory(work: Work) -> Figures:
    """Encoding in smaller batches gives the same vectors."""
    texts = made_texts(64)
    encoder = load_encoder(work.encoder, device=work.device)
    wanted = encoder.encode(texts).vectors
    failing, refused = _refusing(encoder.forward, size=lambda tokens, *_: len(tokens), most=600)
    found = replace(encoder, forward=failing).encode(texts).vectors
    change = float(np.abs(found - wanted).max())
    _expect(len(refused) > 0, "no batch was large enough to fail")
    _expect(change <= 1e-4, f"vectors of smaller batches are {change} off")
    return {"refused": len(refused), "largest_change": change}


def check_pairs(work: Work) -> Figures:
    """Pairs from a cosine on and the nearest of each, against a plain product in float64."""
    vectors = made_vectors(work.vectors, seed=2)
    begun = time.perf_counter()
    blocks, graph = _compared(vectors, work.device)
    seconds = time.perf_counter() - begun
    found = {(int(i), int(j)) for b in blocks for i, j in zip(b.left, b.right, strict=True)}
    exact = vectors.astype(np.float64)
    missed = false = far = 0
    for text in range(0, len(vectors), max(1, len(vectors) // 200)):
        cosine = exact @ exact[text]
        cosine[text] = -np.inf
        said = [tuple(sorted((text, int(j)))) in found for j in range(len(vectors))]
        missed += int(((cosine >= FLOOR + 1e-6) & ~np.array(said)).sum())
        false += int(((cosine < FLOOR - 1e-6) & np.array(said)).sum())
        least = np.sort(cosine)[-NEAREST]
        far += int((cosine[graph.index[text]] < least - 1e-6).sum())
    _expect(missed == 0, f"{missed} pairs were missed")
    _expect(false == 0, f"{false} pairs are none")
    _expect(far == 0, f"{far} neighbours are not among the nearest")
    return {"pairs": len(found), "million_comparisons_a_second": len(vectors) ** 2 / 2e6 / seconds}


def check_teaching(work: Work) -> Figures:
    """The loss falls in every precision, and the pairs learnt a second."""
    figures: Figures = {}
    for name in work.precisions:
        begun = time.perf_counter()
        _, fitted = _taught(work, precision=name)
        figures[f"{name}_pairs_a_second"] = (
            fitted.steps * _options(work).batch / (time.perf_counter() - begun)
        )
        losses = [loss for _, loss in fitted.curve]
        first, last = np.mean(losses[: len(losses) // 4]), np.mean(losses[-(len(losses) // 4) :])
        figures[f"{name}_loss"] = [float(first), float(last)]
        _expect(fitted.stopped == "done", f"{name}: {fitted.why}")
        _expect(last < 0.9 * first, f"{name}: the loss went from {first} to {last}")
    return figures


def check_teaching_short_of_memory(work: Work) -> Figures:
    """A batch in smaller parts teaches the same, and it is said."""
    whole, _ = _taught(work)
    pupil = _pupil(work)
    model = pupil.learner.parts.model
    model.forward, refused = _refusing(
        model.forward, size=lambda **named: named["input_ids"].numel(), most=250
    )
    fitted = run_to_end(fit(pupil, by_scores(work.judged(), _options(work))))
    change = _apart(whole, pupil.learner)
    _expect(len(refused) > 0, "no batch was large enough to fail")
    _expect(len(fitted.notes) == 1, "nothing was said of the memory")
    _expect(change <= SAME_IN_PARTS, f"weights are {change} from those of whole batches")
    return {"refused": len(refused), "tokens_at_once": pupil.budget, "largest_change": change}


def check_resuming(work: Work) -> Figures:
    """Broken off at half and gone on with, a training ends with the weights it would have had."""
    whole, fitted = _taught(work)
    again, _ = _taught(work)
    noise = _apart(whole, again)  # 0 where the device is deterministic
    file, stage = work.home / "standing", by_scores(work.judged(), _options(work))
    steps = fit(_pupil(work), stage, checkpoint=Checkpoint(file, "one", every_s=0))
    for progress in steps:
        if dict(progress.figures).get("step", 0) > fitted.planned // 2:
            steps.close()
            break
    pupil = _pupil(work)
    run_to_end(fit(pupil, stage, checkpoint=Checkpoint(file, "one")))
    change = _apart(whole, pupil.learner)
    _expect(change <= max(SAME, 10 * noise), f"weights are {change} off, {noise} between two runs")
    return {"largest_change": change, "between_two_runs": noise}


def check_computing_twice(work: Work) -> Figures:
    """Gradient checkpointing teaches the same and, on a card, takes less memory."""
    changes, peaks = [], []
    for ways in ("off", "on"):
        if work.device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        learner, _ = _taught(work, gradient_checkpointing=ways)
        changes.append(learner)
        peaks.append(torch.cuda.max_memory_allocated() if work.device == "cuda" else 0)
    change = _apart(*changes)
    _expect(change <= SAME_IN_PARTS, f"weights are {change} from those of ordinary passes")
    figures: Figures = {"largest_change": change}
    if work.device == "cuda":
        forecast = forecast_memory(work.encoder, _options(work), data=work.judged(), device="cuda")
        figures |= {"forecast_mb": forecast.on_device / 2**20,
                    "peaks_mb": [peak / 2**20 for peak in peaks]}  # fmt: skip  # off, on
        _expect(peaks[1] <= peaks[0], "computing twice took more memory")
        _expect(
            forecast.on_device * FORECAST_FACTOR >= peaks[0],
            f"{forecast.on_device} bytes were forecast and {peaks[0]} taken",
        )
    return figures


def check_labelling(work: Work) -> Figures:
    """Scores of a cross-encoder against the processor's fp32, also short of memory."""
    folder, _ = cross_folder(work.encoder, work.home, seed=0)
    texts = made_texts(2 * work.scored, seed=3)
    pairs = list(zip(texts[: work.scored], texts[work.scored :], strict=True))
    some = pairs[:200]
    exact = load_cross_encoder(folder, device="cpu").score(some)
    figures: Figures = {}
    for name in work.precisions:
        cross = load_cross_encoder(folder, device=work.device, precision=name)
        cross.score(some)
        begun = time.perf_counter()
        cross.score(pairs)
        figures[f"{name}_pairs_a_second"] = len(pairs) / (time.perf_counter() - begun)
        change = float(np.abs(cross.score(some) - exact).max())
        figures[f"{name}_largest_change"] = change
        _expect(change <= LARGEST_OF_SCORE[name], f"{name} scores are {change} off")
        if name == "fp32":
            failing, refused = _refusing(cross.forward, size=lambda row, *_: len(row), most=600)
            cramped = np.abs(replace(cross, forward=failing).score(some) - exact).max()
            _expect(len(refused) > 0, "no batch was large enough to fail")
            _expect(cramped <= LARGEST_OF_SCORE[name], f"smaller batches are {cramped} off")
    return figures


CHECKS: Mapping[str, Check] = {
    "products": check_products,
    "encoding": check_encoding,
    "encoding, memory short": check_encoding_short_of_memory,
    "pairs and graph": check_pairs,
    "teaching": check_teaching,
    "teaching, memory short": check_teaching_short_of_memory,
    "teaching, broken off": check_resuming,
    "teaching, computed twice": check_computing_twice,
    "labelling": check_labelling,
}


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    usual = "cuda" if torch.cuda.is_available() else "cpu"
    parser.add_argument("--device", choices=("cuda", "cpu"), default=usual)
    parser.add_argument("--quick", action="store_true", help="less work of everything")
    parser.add_argument("--encoder", default="", help="a folder; the default encoder, else a tiny")
    return parser.parse_args()


def _work(asked: argparse.Namespace, home: Path) -> Work:
    try:
        encoder = encoder_folder(asked.encoder or "default")
    except UserError:
        if asked.encoder:
            raise
        encoder = TINY
    if asked.quick:
        return Work(asked.device, encoder, home, *_QUICK)
    return Work(asked.device, encoder, home, *(_CARD if asked.device == "cuda" else _PROCESSOR))


def _device_told(device: str) -> str:
    return torch.cuda.get_device_name() if device == "cuda" else "cpu"


def _options(work: Work, **named: Any) -> TrainOptions:
    wanted = {"epochs": 8 if work.pairs < 100 else 4, "batch": 16, "hold": 0.0, "rate": 1e-4}
    # Without layers that learn next to nothing, a tiny encoder needs larger steps.
    if work.encoder == TINY:
        wanted["rate"] = 1e-3
    return TrainOptions(**{**wanted, "precision": "fp32", **named})


def _pupil(work: Work) -> EncoderPupil:
    """An encoder that drops nothing out, so that two ways of teaching it can be compared."""
    learner = load_learner(work.encoder, device=work.device)
    for module in learner.parts.model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    learner.parts.model.config.attention_probs_dropout_prob = 0.0
    return EncoderPupil(learner)


def _taught(work: Work, **named: Any) -> tuple[Learner, Fitted]:
    pupil = _pupil(work)
    stage = by_scores(work.judged(), _options(work, **named))
    return pupil.learner, run_to_end(fit(pupil, stage))


def _compared(vectors: Any, device: str) -> tuple[list[PairBlock], Neighbours]:
    steps, blocks = compare(vectors, floor=FLOOR, k=NEAREST, device=device), []
    while True:
        try:
            blocks.append(next(steps))
        except StopIteration as stop:
            return blocks, stop.value


def _refusing(
    call: Callable[..., Any], *, size: Callable[..., int], most: int
) -> tuple[Callable[..., Any], list[int]]:
    """Return `call` as on a device that has no room for more, and the sizes it refuses."""
    refused: list[int] = []

    def cramped(*inputs: Any, **named: Any) -> Any:
        wanted = size(*inputs, **named)
        if wanted > most:
            refused.append(wanted)
            raise torch.OutOfMemoryError("out of memory, as this check wants it")
        return call(*inputs, **named)

    return cramped, refused


def _apart(first: Learner, second: Learner) -> float:
    ours, theirs = first.snapshot(), second.snapshot()
    return max(float((ours[name] - theirs[name]).abs().max()) for name in ours)


def _expect(holds: Any, told: str) -> None:
    if not holds:
        raise CheckFailed(told)


if __name__ == "__main__":
    raise SystemExit(main())
