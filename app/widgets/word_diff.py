"""Which words of two texts differ."""

import re
from collections.abc import Sequence

from rapidfuzz.distance import Indel

Span = tuple[int, int]  # start, stop, in Python's characters

_WORD = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"  # scripts without spaces: one by one
    r"|\w+(?:[.,’'-]\w+)*"
    r"|[^\w\s]"
)
_MOST_CELLS = 9_000_000  # words of one text times words of the other, about 0.1 s


def word_diff(a: str, b: str) -> tuple[list[Span], list[Span]]:
    """The spans of `a` and `b` that the other text does not have at that place.

    Neighbouring differing words join into one span. Texts too long for an alignment have
    those words marked that the other text has nowhere.
    """
    at_a, at_b = _words(a), _words(b)
    words_a = [a[start:stop] for start, stop in at_a]
    words_b = [b[start:stop] for start, stop in at_b]
    same_start, same_end = _alike_ends(words_a, words_b)
    core_a = words_a[same_start : len(words_a) - same_end]
    core_b = words_b[same_start : len(words_b) - same_end]
    if len(core_a) * len(core_b) <= _MOST_CELLS:
        odd_a, odd_b = _aligned(core_a, core_b)
    else:
        odd_a, odd_b = _missing(core_a, core_b), _missing(core_b, core_a)
    return _joined(a, at_a, odd_a, same_start), _joined(b, at_b, odd_b, same_start)


def _words(text: str) -> list[Span]:
    return [found.span() for found in _WORD.finditer(text)]


def _alike_ends(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    shorter = min(len(a), len(b))
    start = 0
    while start < shorter and a[start] == b[start]:
        start += 1
    end = 0
    while end < shorter - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return start, end


def _aligned(a: Sequence[str], b: Sequence[str]) -> tuple[list[int], list[int]]:
    odd_a: list[int] = []
    odd_b: list[int] = []
    for step in Indel.opcodes(a, b):
        if step.tag != "equal":
            odd_a.extend(range(step.src_start, step.src_end))
            odd_b.extend(range(step.dest_start, step.dest_end))
    return odd_a, odd_b


def _missing(words: Sequence[str], others: Sequence[str]) -> list[int]:
    known = set(others)
    return [place for place, word in enumerate(words) if word not in known]


def _joined(text: str, at: Sequence[Span], odd: Sequence[int], offset: int) -> list[Span]:
    """Spans of the odd words, in order; those with only blanks between them become one."""
    spans: list[Span] = []
    for place in sorted(set(odd)):
        start, stop = at[place + offset]
        between = text[spans[-1][1] : start] if spans else "-"
        if not between.strip() and "\n" not in between:
            spans[-1] = (spans[-1][0], stop)
        else:
            spans.append((start, stop))
    return spans
