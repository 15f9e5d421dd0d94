"""Which runs make up the experiments of Augmented SBERT, most telling first.

Argument pairs (BWS) in-topic in five folds and across topics, as in Augmented SBERT (arXiv
2010.08240, section 4.1); question pairs and MRPC with few gold pairs; and from one of these two to
the other without any of its labels.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SAMPLINGS = ("random", "kde", "bm25", "semantic")
SEEDS = (0, 1, 2)
FOLDS = 5
GOLD = (250, 500, 1_500)
FEW = ("qqp", "mrpc")
EXPERIMENTS = (
    "settings", "one-fold", "cross-topic", "curve", "adaptation", "in-topic", "cross-labels",
    "seeds",
)  # fmt: skip  # in the order they are run
FIRST = ("settings",)  # what all others hang on
PUPIL_SETTINGS = ((2, 5e-5), (2, 1e-4), (4, 5e-5))  # epochs, rate
TEACHER_SETTINGS = ((2, 5e-5), (2, 1e-4))
_FEW_PUPIL, _FEW_TEACHER = (4, 5e-5), (4, 1e-4)
_SETTLED_ON = "bws-0"


@dataclass(frozen=True, slots=True)
class Run:
    """One training and its test."""

    split: str  # "bws-FOLD", "bws-topics", "SET-COUNT" or "SET-to-SET"
    kind: str  # "base", "pupil", "cross-encoder", "in-domain" or one of SAMPLINGS
    epochs: int
    rate: float
    seed: int = 0
    teacher: str = "best"  # whose labels: the best on dev, or one by its name

    @property
    def name(self) -> str:
        labels = f" by {self.teacher}" if self.kind in SAMPLINGS else ""
        settings = f"epochs={self.epochs} rate={self.rate:g} seed={self.seed}"
        return f"{self.split} {self.kind}{labels} {settings}"


def runs_of(experiment: str, found: Mapping[str, Any]) -> Iterator[Run]:
    """Yield the runs of an experiment, each after those it hangs on.

    Raises `KeyError` where a run that a choice hangs on is not there yet.
    """
    if experiment == "settings":
        yield from (Run(_SETTLED_ON, "pupil", *one) for one in PUPIL_SETTINGS)
        yield from (Run(_SETTLED_ON, "cross-encoder", *one) for one in TEACHER_SETTINGS)
    elif experiment == "one-fold":
        yield from whole(_SETTLED_ON, found)
    elif experiment == "in-topic":
        for fold in range(FOLDS):
            yield from whole(f"bws-{fold}", found)
    elif experiment == "cross-topic":
        yield from whole("bws-topics", found)
    elif experiment == "curve":
        for count in GOLD:
            for data in FEW:
                yield Run(f"{data}-{count}", "base", 0, 0.0)
                yield from teachers(f"{data}-{count}", found)
                yield arm(f"{data}-{count}", "bm25", found)
                yield arm(f"{data}-{count}", "kde", found)
    elif experiment == "adaptation":
        for split in ("qqp-to-mrpc", "mrpc-to-qqp"):
            yield Run(split, "base", 0, 0.0)
            yield from teachers(split, found)
            yield arm(split, "bm25", found)
            yield Run(split, "in-domain", *_FEW_PUPIL)
    elif experiment == "cross-labels":
        yield arm(_SETTLED_ON, "bm25", found, teacher="cross-encoder")
        yield arm(_SETTLED_ON, "kde", found, teacher="cross-encoder")
    else:
        for split in ("bws-topics", *(f"bws-{fold}" for fold in range(FOLDS))):
            for sampling in SAMPLINGS:
                yield arm(split, sampling, found, seed=1)


def whole(split: str, found: Mapping[str, Any]) -> Iterator[Run]:
    """Yield the teachers of a split, and an encoder taught with each sampling."""
    yield Run(split, "base", 0, 0.0)
    yield from teachers(split, found)
    yield from (arm(split, sampling, found) for sampling in SAMPLINGS)


def teachers(split: str, found: Mapping[str, Any]) -> Iterator[Run]:
    """Yield what may teach: encoders by the gold alone, one a seed, and a cross-encoder.

    The same ones whatever else of the split is run; `base` is the encoder as it comes.
    """
    epochs, rate = pupil_settings(split, found)
    yield from (Run(split, "pupil", epochs, rate, seed) for seed in SEEDS)
    yield Run(split, "cross-encoder", *teacher_settings(split, found))


def arm(
    split: str, sampling: str, found: Mapping[str, Any], *, seed: int = 0, teacher: str = "best"
) -> Run:
    """Return the encoder that is taught by gold and silver pairs."""
    return Run(split, sampling, *pupil_settings(split, found), seed, teacher)


def pupil_settings(split: str, found: Mapping[str, Any]) -> tuple[int, float]:
    """Return epochs and rate of an encoder: of argument pairs what was best on dev of one fold."""
    if not split.startswith("bws"):
        return _FEW_PUPIL
    return _best("pupil", PUPIL_SETTINGS, found)


def teacher_settings(split: str, found: Mapping[str, Any]) -> tuple[int, float]:
    """The same of a cross-encoder."""
    if not split.startswith("bws"):
        return _FEW_TEACHER
    return _best("cross-encoder", TEACHER_SETTINGS, found)


def _best(
    kind: str, settings: tuple[tuple[int, float], ...], found: Mapping[str, Any]
) -> tuple[int, float]:
    return max(settings, key=lambda one: float(found[Run(_SETTLED_ON, kind, *one).name]["dev"]))
