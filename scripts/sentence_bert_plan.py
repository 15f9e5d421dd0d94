"""Which runs make up the experiments of Sentence-BERT, most important first.

Encoders learn with the paper's settings (batch 16, one epoch, warm-up over a tenth, linear decay,
nothing held still), except for the rate: a small backbone wants a larger one, so it is chosen on
dev of STS Benchmark by a search that is part of the record.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from core.training.batches import automatic_epochs
from core.training.objectives.choices import CONCATENATIONS
from scripts.sentence_bert_cross import CrossRun
from scripts.sentence_bert_runs import Learnt, Part, Run

EXPERIMENTS = (
    "base", "rates", "stsb", "gold-curve", "pooling", "concatenation", "two-stage",
    "joint", "cross", "seeds",
)  # fmt: skip  # in the order they are run
FIRST = ("base", "rates")  # what all others hang on
POOLINGS = ("mean", "cls", "max")
GOLD = (250, 500, 1_000, 2_000, 5_000)
SUBSET = 3_000  # pairs of SNLI that a classification learns from
_RATES = (2e-5, 5e-5, 1e-4)
_SEEDS = (0, 1, 2)
CROSS = ("bws", "mrpc", "stsb")
_CROSS_EPOCHS = {"bws": 4, "mrpc": 2, "stsb": 3}
_CROSS_RATE = 8e-5  # a new head wants more than an encoder that is one already
_USUAL = "sides+difference"
_STSB = Part("stsb")


def runs_of(experiment: str, found: Mapping[str, Any]) -> Iterator[Run | CrossRun]:
    """Yield the runs of an experiment; its settings are chosen by what was found before.

    Raises `KeyError` where a run that the choice hangs on is not there yet.
    """
    if experiment == "base":
        yield from (Run(f"base {pooling}", (), pooling=pooling) for pooling in POOLINGS)
    elif experiment == "rates":
        yield from (alone(rate, 0) for rate in _RATES)
    elif experiment == "stsb":
        yield from (alone(best_rate(found), seed) for seed in _SEEDS)
    elif experiment == "gold-curve":
        for count in GOLD:
            seeds = _SEEDS if count <= 500 else _SEEDS[:2] if count <= 1_000 else _SEEDS[:1]
            yield from (gold_run(count, best_rate(found), seed) for seed in seeds)
    elif experiment == "pooling":
        for pooling in POOLINGS:
            yield labels_run(best_rate(found), pooling=pooling)
            yield alone(best_rate(found), 0, pooling=pooling)
    elif experiment == "concatenation":
        yield from (
            labels_run(best_rate(found), concatenation=concatenation)
            for concatenation in CONCATENATIONS
        )
    elif experiment in ("two-stage", "joint"):
        yield from (_both(experiment, best_rate(found), seed) for seed in _SEEDS[:1])
    elif experiment == "cross":
        for data in CROSS:
            yield CrossRun(data, "encoder", _CROSS_EPOCHS[data], best_rate(found))
            yield CrossRun(data, "cross-encoder", _CROSS_EPOCHS[data], _CROSS_RATE)
    else:
        for seed in _SEEDS[1:]:
            yield from (_both(kind, best_rate(found), seed) for kind in ("two-stage", "joint"))
        for count in (1_000, 2_000, 5_000):
            yield from (gold_run(count, best_rate(found), seed) for seed in _SEEDS[1:])


def best_rate(found: Mapping[str, Any]) -> float:
    """Return the rate that is best on dev after one epoch of STS Benchmark."""
    return max(_RATES, key=lambda rate: float(found[alone(rate, 0).name]["dev"]))


def alone(rate: float, seed: int, *, pooling: str = "mean") -> Run:
    """Return one epoch of regression over STS Benchmark alone."""
    kind = "" if pooling == "mean" else f"{pooling} "
    name = f"stsb {kind}epochs=1 rate={rate:g} seed={seed}"
    return Run(name, (Learnt((_STSB,), 1, rate),), seed, pooling)


def gold_run(count: int, rate: float, seed: int) -> Run:
    """Return the run over so many gold pairs; few are seen more often, as the program does."""
    epochs = automatic_epochs(count)
    stage = Learnt((Part("stsb", count),), epochs, rate)
    return Run(f"gold n={count} epochs={epochs} rate={rate:g} seed={seed}", (stage,), seed)


def labels_run(rate: float, *, pooling: str = "mean", concatenation: str = _USUAL) -> Run:
    """Return one epoch of classification; the last weights stay, as in the paper."""
    stage = Learnt((Part("snli", SUBSET, concatenation),), 1, rate, chooses=False)
    name = f"snli n={SUBSET} {pooling} {concatenation} rate={rate:g} seed=0"
    return Run(name, (stage,), pooling=pooling)


def _both(kind: str, rate: float, seed: int) -> Run:
    """Return a training by labels and scores, one epoch of each, in turn or side by side."""
    labels = Part("snli", SUBSET)
    if kind == "two-stage":
        stages: tuple[Learnt, ...] = (
            Learnt((labels,), 1, rate, chooses=False),
            Learnt((_STSB,), 1, rate),
        )
    else:
        stages = (Learnt((labels, _STSB), 1, rate),)
    return Run(f"{kind} snli n={SUBSET} epochs=1 rate={rate:g} seed={seed}", stages, seed)
