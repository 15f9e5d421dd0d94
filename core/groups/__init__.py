"""Which texts are kept and which are removed to them: star groups over unique texts.

Everything here is numpy on plain arrays, quick enough to follow a slider: texts are the
positions 0 to n-1, and a number array `priority` says which of two texts is rather kept.
"""

from core.groups.changes import GroupChanges, changed_groups
from core.groups.links import LinkTable, count_at_or_above, degrees, prepare
from core.groups.priority import KeeperRule, priorities
from core.groups.review import Counts, Histogram, counts, histogram, review_pairs
from core.groups.stars import Grouping, Reason, group_texts, members

__all__ = [
    "Counts",
    "GroupChanges",
    "Grouping",
    "Histogram",
    "KeeperRule",
    "LinkTable",
    "Reason",
    "changed_groups",
    "count_at_or_above",
    "counts",
    "degrees",
    "group_texts",
    "histogram",
    "members",
    "prepare",
    "priorities",
    "review_pairs",
]
