"""Which of two texts is rather kept: the keeper rules as ranks."""

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.groups.links import Ints, Truths


class KeeperRule(StrEnum):
    """Which text of a group is kept when nobody pinned one."""

    FIRST = "first"  # in the order of the sources
    LONGEST = "longest"
    NEWEST = "newest"
    CENTRAL = "central"  # with the most links


def priorities(
    rule: KeeperRule | str,
    *,
    place: Ints,
    length: Ints,
    date: Ints,
    degree: Ints,
    pinned: Truths,
    hash_rank: Ints,
) -> NDArray[np.int64]:
    """Rank n texts from 0, the one kept before all others, to n-1.

    Pinned texts come first, then the rule decides, ties go by `place` (of the text's first
    row among all sources) and then by `hash_rank` (of the content hash). With distinct hash
    ranks all ranks are distinct and do not depend on how the texts are numbered. A missing
    date is the lowest int64. Raise `ValueError` for an unknown rule.
    """
    liked = {
        KeeperRule.FIRST: place,
        # The complement turns the order round and cannot overflow as a minus sign can.
        KeeperRule.LONGEST: ~np.asarray(length, np.int64),
        KeeperRule.NEWEST: ~np.asarray(date, np.int64),
        KeeperRule.CENTRAL: ~np.asarray(degree, np.int64),
    }[KeeperRule(rule)]
    order = np.lexsort((hash_rank, place, liked, ~np.asarray(pinned, np.bool_)))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks
