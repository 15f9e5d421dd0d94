"""Prepare: encode what is new, find its pairs, and group, in one go."""

from dataclasses import asdict
from typing import Any

from core.options import EncodeOptions, GroupOptions, PairOptions
from core.progress import Steps
from core.store import Project
from core.workflows.encoding import encode_corpus
from core.workflows.grouping import group_corpus
from core.workflows.pairing import find_pairs


def prepare(
    project: Project, encode: EncodeOptions, pairs: PairOptions, groups: GroupOptions
) -> Steps[dict[str, Any]]:
    """Bring vectors, pairs and groups up to date; each step keeps what it has done."""
    encoded = yield from encode_corpus(project, encode)
    found = yield from find_pairs(project, pairs)
    grouped = yield from group_corpus(project, groups)
    return {"encode": asdict(encoded), "pairs": asdict(found), "groups": asdict(grouped)}
