"""Prepare: encode what is new, find its pairs, and group, in one go."""

from dataclasses import asdict, replace
from typing import Any

from core.options import EncodeOptions, GroupOptions, PairOptions
from core.progress import Steps
from core.store import Project
from core.workflows.comparing import keep_difference, look_before
from core.workflows.encoding import encode_corpus
from core.workflows.grouping import group_corpus
from core.workflows.pairing import find_pairs


def prepare(
    project: Project, encode: EncodeOptions, pairs: PairOptions, groups: GroupOptions
) -> Steps[dict[str, Any]]:
    """Bring vectors, pairs and groups up to date; each step keeps what it has done.

    Where the groups were another encoder's, what differs is kept as well.
    """
    encoded = yield from encode_corpus(project, encode)
    seen = look_before(project)
    found = yield from find_pairs(project, pairs)
    # In a very dense corpus the floor lies above the usual thresholds.
    reached = replace(
        groups,
        threshold=max(groups.threshold, found.floor),
        review=max(groups.review, found.floor),
    )
    grouped = yield from group_corpus(project, reached)
    difference = yield from keep_difference(project, seen)
    return {
        "encode": asdict(encoded), "pairs": asdict(found), "groups": asdict(grouped),
        "difference": difference,
    }  # fmt: skip  # one outcome
