"""What a person may choose of an augmentation."""

from dataclasses import dataclass

from core.options import option

SAMPLINGS = ("bm25", "semantic", "both", "kde", "random")
TEACHERS = ("auto", "cross-encoder", "encoders", "mixed", "given")


@dataclass(frozen=True, slots=True)
class AugmentOptions:
    """How few gold pairs become many silver ones."""

    sampling: str = option(
        "bm25",
        title="New pairs",
        help="bm25: texts that share rare words; semantic: nearest texts; both; kde: a large pool "
        "is scored and thinned to the spread of the gold scores; random: for comparison.",
        choices=SAMPLINGS,
    )
    top_k: int = option(
        3,
        title="Texts for each text",
        help="How many others bm25 and semantic pair each text with.",
        low=1,
        high=100,
        step=1,
    )
    pool: int = option(
        60_000,
        title="Pool of kde",
        help="Random pairs that the teacher scores before kde keeps some of them.",
        low=100,
        high=1_000_000,
        step=1_000,
    )
    most: float = option(
        5.0,
        title="Most silver pairs",
        help="How many silver pairs stay at most, for each gold pair learnt from.",
        low=0.1,
        high=100.0,
        step=0.5,
    )
    seeds: int = option(
        3,
        title="Seeds",
        help="Encoders taught with each of so many seeds: their spread is told, and together they "
        "may teach.",
        low=1,
        high=10,
        step=1,
    )
    stop_early: bool = option(
        False,
        title="Go on with the best seed only",
        help="Stop the encoders that learn from silver pairs at a fifth of their steps and carry "
        "on with the best.",
    )
    synonyms: bool = option(
        False,
        title="Beside synonyms",
        help="Also teach by the gold pairs with words replaced by synonyms, for comparison; needs "
        "an encoder folder with a masked-language head.",
    )
    teacher: str = option(
        "auto",
        title="Teacher",
        help="auto takes the best on held-out pairs of: a cross-encoder, the mean of the encoders "
        "taught by gold alone, the mean of both (mixed), and a given one.",
        choices=TEACHERS,
    )
    adapt: bool = option(
        False,
        title="For other texts",
        help="The gold pairs are of other texts: the encoder learns from silver pairs alone.",
    )
    held_out: float = option(
        0.3,
        title="Share of gold held out",
        help="Share of the gold pairs that compares teachers and judges, and is not learnt from.",
        low=0.1,
        high=0.6,
        step=0.05,
    )
    insist: bool = option(
        False,
        title="Label all the same",
        help="Label although the teacher is not better than the encoder it would teach.",
    )
    seed: int = option(
        0,
        title="Seed",
        help="The first seed; the same seed and pairs give the same outcome on one processor.",
        low=0,
        high=2**31 - 100,
        step=1,
    )
