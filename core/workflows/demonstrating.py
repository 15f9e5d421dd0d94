"""The demo: our own corpus through the whole path, judged against its gold."""

import csv
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from core.errors import UserError
from core.folders import resources
from core.records import DateColumn, ImportSettings
from core.store import Project
from core.workflows.importing import inspect_file


@dataclass(frozen=True, slots=True)
class RelationFound:
    """Of the gold pairs of one kind: how many there are, were grouped, and wait for a person."""

    relation: str  # copy, near-copy or paraphrase
    pairs: int
    grouped: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """How the groups compare with the gold pairs of the demo corpus."""

    right: int  # removed pairs that mean the same
    wrong: int  # removed pairs that do not
    missed: int  # pairs that mean the same and are not in one group
    waiting: int  # of the missed ones: put before a person
    relations: tuple["RelationFound", ...] = ()

    @property
    def precision(self) -> float:
        return self.right / max(self.right + self.wrong, 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.right + self.missed, 1)


def demo_corpus() -> Path:
    """The file of demo messages."""
    file = resources() / "demo" / "messages.csv"
    if not file.is_file():
        raise UserError(
            "The demo corpus is missing from this installation.", "Install Samesense again."
        )
    return file


def demo_settings() -> ImportSettings:
    """How the demo messages are imported."""
    found = inspect_file(demo_corpus())
    return ImportSettings(
        found.reading, ("message",), id_column="id", date_columns=(DateColumn("date", "ymd"),)
    )


def judge(project: Project) -> Judgement:
    """Compare the groups with the gold file: two rows of one group were called the same.

    Only pairs of rows that gold speaks of, or implies by their clusters, are counted; pairs
    of rows that gold does not name are different messages, so grouping them is wrong.
    """
    relation_of = _gold_pairs()
    same = set(relation_of)
    key_of = {row.id: row.key or "" for page in project.documents.stream() for row in page}
    groups: dict[int, list[str]] = defaultdict(list)
    text_of: dict[str, int] = {}
    for page in project.groupings.stream_members():
        for member in page:
            groups[member.kept_text].append(key_of[member.document])
            text_of[key_of[member.document]] = member.text
    called = {_pair(a, b) for keys in groups.values() for i, a in enumerate(keys) for b in keys[:i]}
    missed = same - called
    waiting = _waiting_pairs(project, key_of)
    return Judgement(
        len(called & same), len(called - same), len(missed), len(missed & waiting),
        _by_relation(relation_of, called, missed & waiting),
    )  # fmt: skip


def _waiting_pairs(project: Project, key_of: dict[int, str]) -> set[tuple[str, str]]:
    rows = project.groupings.band(-1.0, 2.0, flagged=True)
    texts = sorted({text for row in rows for text in (row.text, row.candidate)})
    keys = {text: [key_of[row.id] for row in project.documents.of_text(text)] for text in texts}
    return {_pair(a, b) for row in rows for a in keys[row.text] for b in keys[row.candidate]}


def _by_relation(
    relation_of: dict[tuple[str, str], str],
    called: set[tuple[str, str]],
    waiting: set[tuple[str, str]],
) -> tuple[RelationFound, ...]:
    all_of, grouped, asked = Counter(relation_of.values()), Counter[str](), Counter[str]()
    grouped.update(relation_of[pair] for pair in called if pair in relation_of)
    asked.update(relation_of[pair] for pair in waiting)
    return tuple(
        RelationFound(relation, count, grouped[relation], asked[relation])
        for relation, count in sorted(all_of.items())
    )


def _gold_pairs() -> dict[tuple[str, str], str]:
    """The pairs of messages that mean the same, with their relation."""
    file = resources() / "demo" / "gold.csv"
    with file.open(encoding="utf-8-sig", newline="") as stream:
        return {
            _pair(row["id1"], row["id2"]): row["relation"]
            for row in csv.DictReader(stream)
            if row["label"] == "1"
        }


def _pair(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)
