"""The sides of every split of the experiments of Augmented SBERT."""

import csv
import gzip
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from core.examples import Rows, ScoredPairs, random_sides, read_pairs, split, topic_sides

_BWS = "bws/BWS_corpus.csv.gz"
_FOLDS = 5
_DEV_OF_BWS = 400  # pairs; the paper has 478 of 3,400
_TOPICS = (5, 1, 2)  # to learn from, to choose by, to test
_FILES = {"qqp": "qqp/dev.tsv.gz", "mrpc": "mrpc/msr_paraphrase_train.txt"}
_LEARNT, _DEV = 0.6, 500  # share of a set with labels, pairs
_MOST_TEST = 1_500
_SOURCE = 1_500  # gold pairs that are taken to another set
_QUICK = 60


@dataclass(frozen=True, slots=True)
class Sides:
    """The pairs that teach, choose and test.

    New pairs are made of `texts`. `own` are the labelled pairs of another set that these texts
    are of, which only its bound learns from.
    """

    train: ScoredPairs
    dev: ScoredPairs
    test: ScoredPairs
    texts: tuple[str, ...]
    own: ScoredPairs | None = None


def load_sides(folder: Path, name: str, *, quick: bool = False) -> Sides:
    """Read the sides of a split: "bws-FOLD", "bws-topics", "SET-COUNT" or "SET-to-SET"."""
    sides = _sides(folder, name)
    if not quick:
        return sides
    train, dev, test = (
        side.rows(np.arange(min(_QUICK, len(side))))
        for side in (sides.train, sides.dev, sides.test)
    )
    own = None if sides.own is None else sides.own.rows(np.arange(min(_QUICK, len(sides.own))))
    return Sides(train, dev, test, texts_of(train if own is None else own), own)


def texts_of(pairs: ScoredPairs) -> tuple[str, ...]:
    """Return the texts of pairs, each once."""
    return tuple(dict.fromkeys((*pairs.left, *pairs.right)))


def _sides(folder: Path, name: str) -> Sides:
    first, _, second = name.partition("-")
    if first == "bws":
        return _in_topic(folder, int(second)) if second.isdigit() else _cross_topic(folder)
    if not second.startswith("to-"):
        train, dev, test = _labelled(folder, first)
        some = np.random.default_rng(0).permutation(len(train))[: int(second)]
        train = train.rows(np.sort(some))
        return Sides(train, dev, test, texts_of(train))
    source, dev, _ = _labelled(folder, first)
    own, _, test = _labelled(folder, second.removeprefix("to-"))
    drawn = (np.random.default_rng(0).permutation(len(one))[:_SOURCE] for one in (source, own))
    some, others = (np.sort(rows) for rows in drawn)
    own = own.rows(others)
    return Sides(source.rows(some), dev, test, texts_of(own), own)


def _in_topic(folder: Path, fold: int) -> Sides:
    """One fold of five tests; pairs are drawn at random, so texts stand on several sides."""
    pairs, _ = _arguments(folder)
    dealt = random_sides(pairs, (len(pairs) // _FOLDS,) * _FOLDS, seed=0)
    test = dealt[fold]
    rest = np.setdiff1d(np.arange(len(pairs)), test)
    rest = np.random.default_rng(fold).permutation(rest)
    rows = (rest[_DEV_OF_BWS:], rest[:_DEV_OF_BWS], test)
    train, dev, tested = (pairs.rows(np.sort(one)) for one in rows)
    return Sides(train, dev, tested, texts_of(train))


def _cross_topic(folder: Path) -> Sides:
    pairs, topics = _arguments(folder)
    (learn, _), (choose, _), (judge, _) = topic_sides(topics, _TOPICS, seed=0)
    train, dev, test = (pairs.rows(rows) for rows in (learn, choose, judge))
    return Sides(train, dev, test, texts_of(train))


@lru_cache
def _arguments(folder: Path) -> tuple[ScoredPairs, tuple[str, ...]]:
    with gzip.open(folder / _BWS, "rt", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    scores = np.array([float(row["regression_label"]) for row in rows], np.float32)
    pairs = ScoredPairs(
        tuple(row["sentence_1"] for row in rows), tuple(row["sentence_2"] for row in rows), scores
    )
    return pairs, tuple(row["topic"] for row in rows)


@lru_cache
def _labelled(folder: Path, name: str) -> tuple[ScoredPairs, ScoredPairs, ScoredPairs]:
    """Split a set with labels by connected texts; no text stands on two sides."""
    found = read_pairs(folder / _FILES[name])
    pairs = ScoredPairs(found.left, found.right, found.gold.astype(np.float32))
    sides = split(pairs, share=1 - _LEARNT, seed=0)
    others = pairs.rows(sides.held)
    halves = split(others, share=1 - _DEV / len(others), seed=0)
    test = others.rows(halves.held)
    return pairs.rows(sides.train), others.rows(halves.train), test.rows(_first(test))


def _first(pairs: ScoredPairs) -> Rows:
    return np.sort(np.random.default_rng(0).permutation(len(pairs))[:_MOST_TEST])
