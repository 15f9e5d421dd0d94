"""The choices that each objective leaves to a person; none of them loads torch."""

from dataclasses import dataclass

from core.options import option

CONCATENATIONS = {
    "sides": "(u, v)",
    "difference": "|u − v|",
    "product": "u∗v",
    "difference+product": "(|u − v|, u∗v)",
    "sides+product": "(u, v, u∗v)",
    "sides+difference": "(u, v, |u − v|)",
    "sides+difference+product": "(u, v, |u − v|, u∗v)",
}
DISTANCES = ("euclidean", "cosine", "manhattan")
CONTRASTIVE_FORMS = ("online", "plain")


@dataclass(frozen=True, slots=True)
class NoChoices:
    """Nothing is left to choose."""


@dataclass(frozen=True, slots=True)
class ClassificationChoices:
    """What the classifier over a pair of vectors sees, and what it tells apart."""

    labels: int = option(
        3,
        title="Kinds of pairs",
        help="How many labels the pairs have; their numbers begin at 0.",
        low=2,
        high=1_000,
        step=1,
    )
    concatenation: str = option(
        "sides+difference",
        title="What the classifier sees",
        help="Parts made of both vectors, side by side; the paper found sides+difference best.",
        choices=tuple(CONCATENATIONS),
    )
    bias: bool = option(
        False,
        title="A constant for each label",
        help="The paper's formula has none; sentence-transformers' SoftmaxLoss has one.",
    )


@dataclass(frozen=True, slots=True)
class TripletChoices:
    """How far is far, and by how much the counter-example should be farther."""

    distance: str = option(
        "euclidean",
        title="Distance",
        help="How the distance of two vectors is measured.",
        choices=DISTANCES,
    )
    margin: float = option(
        1.0,
        title="Margin",
        help="How much farther the counter-example should be; 0.1 to 0.5 for cosine distances.",
        low=0.0,
        high=100.0,
        step=0.1,
    )


@dataclass(frozen=True, slots=True)
class RankingChoices:
    """How sharply the right text is to stand out from the others of a batch."""

    scale: float = option(
        20.0,
        title="Scale",
        help="What cosines are multiplied by; 20 is a temperature of 0.05, more looks harder at "
        "the nearest wrong text.",
        low=1.0,
        high=200.0,
        step=1.0,
    )
    symmetric: bool = option(
        False,
        title="In both directions",
        help="Also find the first text of a pair by its second.",
    )
    negatives: bool = option(
        False,
        title="With counter-examples",
        help="Each pair brings a third text that does not mean the same.",
    )


@dataclass(frozen=True, slots=True)
class CosentChoices:
    """How sharply a pair in the wrong order counts."""

    scale: float = option(
        20.0,
        title="Scale",
        help="What differences of cosines are multiplied by; more looks harder at the worst pairs.",
        low=1.0,
        high=200.0,
        step=1.0,
    )


@dataclass(frozen=True, slots=True)
class ContrastiveChoices:
    """Which decided pairs count, and from where different texts are far enough."""

    form: str = option(
        "online",
        title="Which pairs count",
        help="`online`: those in each other's way; `plain`: all, as in the paper of 2006.",
        choices=CONTRASTIVE_FORMS,
    )
    margin: float = option(
        0.5,
        title="Margin",
        help="Different texts at this distance or farther are left alone.",
        low=0.0,
        high=100.0,
        step=0.05,
    )
    distance: str = option(
        "cosine",
        title="Distance",
        help="How the distance of two vectors is measured; cosine distances are 1 − cosine.",
        choices=DISTANCES,
    )
