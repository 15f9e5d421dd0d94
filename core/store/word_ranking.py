"""The best texts that hold some words, by BM25, where few hold them and where very many do."""

import sqlite3
from dataclasses import dataclass, replace
from itertools import combinations

MOST_RANKED = 20_000  # texts ranked one by one: BM25 takes 2 microseconds for each
_MOST_CANDIDATES = 10_000  # of those with some of several words, which take twice as long
_RARE = 2_000  # texts that hold a rare word, at the most
_MOST_JOINED = 5  # words of which several are looked for together
_EVERYWHERE = 0.5  # from this share of the texts on, BM25 gives a word no weight
_LONG = 16  # signs: so long a part of a text is held by few, and not worth a count


@dataclass(frozen=True, slots=True)
class Wanted:
    """A piece as one of the tables is asked for it; for `texts` the words themselves."""

    table: str
    asked: str
    is_required: bool


@dataclass(frozen=True, slots=True)
class Step:
    """Texts that hold all (AND) or some (OR) of what an index is asked for, and all of `also`."""

    table: str
    asked: tuple[str, ...]
    joint: str
    also: tuple[Wanted, ...] = ()

    @property
    def expression(self) -> str:
        return f" {self.joint} ".join(self.asked)


@dataclass(frozen=True, slots=True)
class _Reach:
    """The texts that come first of those that match, or last: how many, and their ids."""

    texts: int
    first: int
    last: int

    @property
    def share(self) -> float:
        """Of the texts with ids between these, how many match."""
        return self.texts / (self.last - self.first + 1)


class Ranking:
    """Ranks texts for one query; what it has counted serves the next step as well.

    To find that a text matches takes 0.1 microseconds, to rank it twenty times as long. Fewer
    than 20,000 texts are all ranked. Of more, BM25 orders a part: where some of several words are
    enough, the texts with the rare words and those with several of the others; else, and after
    those, the texts that came first. A word of more than half of the texts counts for nothing,
    and is not taken for the beginning of others.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._reaches: dict[tuple[Step, int, bool], _Reach] = {}

    def best(self, step: Step, count: int) -> list[tuple[int, float]]:
        """Up to `count` texts as (id, score from 0 to 1), best first."""
        step = self._unbegun(step)
        if len(step.asked) == 1 and len(step.asked[0]) >= _LONG and step.table != "texts_words":
            return [(text, _share(good)) for text, good in self._ranked(step, count)]
        most = max(MOST_RANKED, count)
        are_many = self._reach(step, most).texts == most
        weighty = self._weighty(step)
        is_light = len(weighty) < len(step.asked)
        rated = replace(step, asked=weighty)
        within = step.expression if is_light and step.joint == "AND" else ""
        if not are_many:
            rated = rated if within else step
            return [
                (text, _share(good)) for text, good in self._ranked(rated, count, within=within)
            ]
        found: dict[int, float] = {}
        candidates = self._candidates(rated) if step.joint == "OR" else ""
        if candidates:
            for text, good in self._ranked(rated, count, within=candidates):
                found[text] = (1 + _share(good)) / 2
        if len(found) < count:
            last = self._reach(step if within else rated, most).last
            for text, good in self._ranked(rated, count, within=within, last=last):
                found.setdefault(text, (0.01 + _share(good)) / 2.02)
        if len(found) < count and is_light and step.joint == "OR":
            for text in self._first(step, count):
                found.setdefault(text, 0.0)
        return list(found.items())[:count]

    def _unbegun(self, step: Step) -> Step:
        """Ask for whole words only where they stand everywhere: their beginnings cost much."""
        asked = tuple(
            whole
            if (whole := one.replace('" *', '"')) != one and self._is_everywhere(step.table, whole)
            else one
            for one in step.asked
        )
        return replace(step, asked=asked)

    def _weighty(self, step: Step) -> tuple[str, ...]:
        """What is asked without the words that stand everywhere, unless all do."""
        if len(step.asked) == 1:
            return step.asked
        weighty = tuple(one for one in step.asked if not self._is_everywhere(step.table, one))
        return weighty or step.asked[:1]

    def _is_everywhere(self, table: str, asked: str) -> bool:
        """Whether more than half of many texts hold it, judged by the first and the last."""
        step = Step(table, (asked,), "AND")
        if self._reach(step, _RARE).share <= _EVERYWHERE:
            return False
        if self._reach(step, _RARE, from_end=True).share <= _EVERYWHERE:
            return False
        return self._reach(step, MOST_RANKED).texts == MOST_RANKED

    def _candidates(self, step: Step) -> str:
        """What the best of very many texts hold: rare words, or several of the others."""
        reaches = {one: self._reach(Step(step.table, (one,), "AND"), _RARE) for one in step.asked}
        by_rarity = sorted(step.asked, key=lambda one: (reaches[one].texts, -reaches[one].last))
        rare = [one for one in by_rarity if reaches[one].texts < _RARE]
        others = by_rarity[len(rare) :][:_MOST_JOINED]
        for size in range(2, len(others) + 1):
            joined = [f"({' AND '.join(some)})" for some in combinations(others, size)]
            held = Step(step.table, (*rare, *joined), "OR")
            if self._reach(held, _MOST_CANDIDATES).texts < _MOST_CANDIDATES:
                return held.expression
        return " OR ".join(rare)

    def _reach(self, step: Step, most: int, *, from_end: bool = False) -> _Reach:
        if len(step.asked) == 1:
            step = replace(step, joint="AND")
        known = self._reaches.get((step, most, from_end))
        if known is None:
            order = " ORDER BY f.rowid DESC" if from_end else ""
            matching, values = _matching(step)
            row = self._connection.execute(
                "SELECT count(*), coalesce(min(id), 0), coalesce(max(id), 0) FROM ("
                f"SELECT f.rowid AS id {matching}{order} LIMIT ?)",
                (*values, most),
            ).fetchone()
            known = self._reaches[step, most, from_end] = _Reach(*row)
        return known

    def _first(self, step: Step, count: int) -> list[int]:
        """The texts that came first, in no better order."""
        matching, values = _matching(step)
        rows = self._connection.execute(
            f"SELECT f.rowid {matching} ORDER BY f.rowid LIMIT ?", (*values, count)
        )
        return [row[0] for row in rows.fetchall()]

    def _ranked(
        self, step: Step, count: int, *, within: str = "", last: int | None = None
    ) -> list[tuple[int, float]]:
        """The best by BM25; of those that match `within` as well, and with ids up to `last`."""
        matching, values = _matching(step)
        if within:
            # The plus keeps SQLite from asking the index anew for each text within.
            matching += (
                f" AND +f.rowid IN (SELECT rowid FROM {step.table} WHERE {step.table} MATCH ?)"
            )
            values.append(within)
        if last is not None:
            matching += " AND f.rowid <= ?"
            values.append(last)
        found: list[tuple[int, float]] = self._connection.execute(
            f"SELECT f.rowid, -f.rank {matching} ORDER BY f.rank, f.rowid LIMIT ?",
            (*values, count),
        ).fetchall()
        return found


def condition(one: Wanted) -> tuple[str, str]:
    """A test of a text `t` for what is wanted."""
    if one.table == "texts":
        return held(one.asked)
    return f"t.id IN (SELECT rowid FROM {one.table} WHERE {one.table} MATCH ?)", one.asked


def held(words: str) -> tuple[str, str]:
    """A test of `t.body`; signs without case need no Python, which is ten times slower."""
    if words.lower() == words.upper():
        return "instr(t.body, ?) > 0", words
    return "holds(t.body, ?)", words.casefold()


def _share(goodness: float) -> float:
    return goodness / (1 + goodness)


def _matching(step: Step) -> tuple[str, list[object]]:
    """From where and which: the texts in use that match a step."""
    source = f"FROM {step.table} f"
    if step.also:
        source += " JOIN texts t ON t.id = f.rowid"
    conditions = [f"{step.table} MATCH ?", "f.rowid NOT IN (SELECT id FROM texts WHERE rows = 0)"]
    values: list[object] = [step.expression]
    for one in step.also:
        test, value = condition(one)
        conditions.append(test)
        values.append(value)
    return f"{source} WHERE {' AND '.join(conditions)}", values
