"""Which columns of a file hold what: by their usual names, or as the caller says."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.errors import UserError
from core.examples.kinds import ExampleKind
from core.examples.reading.judgements import number

LEFT = ("sentence1", "text1", "question1", "string1", "1string", "left", "a", "s1", "sentencea",
        "texta", "lefttext", "anchor", "premise", "query", "sent1", "firsttext",
        "firstsentence")  # fmt: skip  # a list of words, not of lines
RIGHT = ("sentence2", "text2", "question2", "string2", "2string", "right", "b", "s2", "sentenceb",
         "textb", "righttext", "positive", "hypothesis", "sent2", "secondtext",
         "secondsentence")  # fmt: skip  # as above
SCORES = ("score", "similarity", "similarityscore", "relatednessscore", "regressionlabel",
          "rating", "gold", "goldscore")  # fmt: skip  # as above, preferred first
LABELS = ("label", "goldlabel", "isduplicate", "duplicate", "isparaphrase", "paraphrase",
          "quality", "same", "decision", "relation", "entailment",
          "entailmentjudgment")  # fmt: skip  # as above
ANCHOR = ("anchor", "query", "question", "sentence1", "text1")
POSITIVE = ("positive", "pos", "positivetext", "positivepassage", "positivedocument", "answer")
NEGATIVE = ("negative", "neg", "negativetext", "negativepassage", "negativedocument",
            "hardnegative", "negative1", "negative0")  # fmt: skip  # as above
TEXT = ("text", "sentence", "utterance", "question", "query", "title", "body", "content",
        "message", "review", "tweet", "comment", "description", "document")  # fmt: skip  # as above
LABEL_OF_TEXT = ("label", "category", "intent", "class", "topic", "sentiment", "target",
                 "labeltext", "goldlabel", "type")  # fmt: skip  # as above
STS_BENCHMARK = (5, 6, 4)  # genre, file, year, id, score, first, second


class Shape(StrEnum):
    """How many texts a row has and what stands beside them."""

    TRIPLETS = "triplets"
    PAIRS = "pairs"
    TEXTS = "texts"


SHAPE_OF = {
    ExampleKind.SCORED_PAIRS: Shape.PAIRS,
    ExampleKind.LABELLED_PAIRS: Shape.PAIRS,
    ExampleKind.TRIPLETS: Shape.TRIPLETS,
    ExampleKind.LABELLED_TEXTS: Shape.TEXTS,
}
_ROLES = {
    Shape.TRIPLETS: ("anchor", "positive", "negative"),
    Shape.PAIRS: ("left", "right", "score|label"),
    Shape.TEXTS: ("text", "label"),
}


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the texts and the judgement of a row stand."""

    shape: Shape
    places: tuple[int, ...]  # texts in order, then the judgement where there is one
    judgement: str = ""  # "score" or "label", as the column's name speaks; empty: it says nothing
    told_by: str = "names"  # "names", "values", "caller" or "STS Benchmark"

    @property
    def texts(self) -> int:
        """How many of the places are texts."""
        return {Shape.TRIPLETS: 3, Shape.PAIRS: 2, Shape.TEXTS: 1}[self.shape]

    @property
    def is_judged(self) -> bool:
        return len(self.places) > self.texts


def named_layout(names: Sequence[str], shapes: Sequence[Shape]) -> Layout | None:
    """Find the first of these shapes whose usual names are all among the columns."""
    plain = [re.sub(r"[^a-z0-9]", "", name.lower()) for name in names]
    found = {
        Shape.TRIPLETS: _first_of(plain, ANCHOR, POSITIVE, NEGATIVE),
        Shape.PAIRS: _first_of(plain, LEFT, RIGHT, (*SCORES, *LABELS)),
        Shape.TEXTS: _first_of(plain, TEXT, LABEL_OF_TEXT),
    }
    for shape in shapes:
        places = found[shape]
        if places is None:
            continue
        if shape is Shape.PAIRS:
            return Layout(shape, places, "score" if plain[places[2]] in SCORES else "label")
        return Layout(shape, places, "label" if shape is Shape.TEXTS else "")
    return None


def bare_pair_layout(names: Sequence[str]) -> Layout | None:
    """Find pairs whose names alone judge them: an anchor or query, and its positive."""
    plain = [re.sub(r"[^a-z0-9]", "", name.lower()) for name in names]
    places = _first_of(plain, ("anchor", "query", "question"), POSITIVE)
    return None if places is None else Layout(Shape.PAIRS, places)


def unnamed_layout(cells: Sequence[str], delimiter: str) -> Layout | None:
    """Know a first row without a header: STS Benchmark's columns, or text, text, number."""
    if delimiter == "\t" and len(cells) >= 7 and number(cells[STS_BENCHMARK[2]]) is not None:
        return Layout(Shape.PAIRS, STS_BENCHMARK, "score", "STS Benchmark")
    if len(cells) == 3 and number(cells[2]) is not None:
        return Layout(Shape.PAIRS, (0, 1, 2), "", "values")
    return None


def shape_of_roles(columns: Mapping[str, str | int]) -> Shape:
    """Return the shape that a caller's roles make; raises `UserError` where they make none."""
    for shape, roles in _ROLES.items():
        wanted = [set(role.split("|")) for role in roles]
        given = set(columns)
        if all(one & given for one in wanted) and len(given) == len(roles):
            return shape
    raise UserError(
        f"The columns named ({', '.join(columns) or 'none'}) make no example.",
        "Name left, right and score (or label); anchor, positive and negative; or text and label.",
    )


def told_layout(names: Sequence[str], columns: Mapping[str, str | int]) -> Layout | None:
    """Find the caller's columns, by name or by place from 0; None where one is not there."""
    shape = shape_of_roles(columns)
    places = []
    for role in _ROLES[shape]:
        told = columns[next(one for one in role.split("|") if one in columns)]
        if isinstance(told, str) and told in names:
            places.append(names.index(told))
        elif isinstance(told, int) and 0 <= told < len(names):
            places.append(told)
        else:
            return None
    judgement = "score" if "score" in columns else "label" if "label" in columns else ""
    return Layout(shape, tuple(places), judgement, "caller")


def _first_of(plain: list[str], *wanted: Sequence[str]) -> tuple[int, ...] | None:
    """Return the place of the first known name of each list; no column serves twice."""
    places: list[int] = []
    for words in wanted:
        found = [plain.index(word) for word in words if word in plain]
        free = next((place for place in found if place not in places), None)
        if free is None:
            return None
        places.append(free)
    return tuple(places)
