"""What a person's decisions force: components of "same" that respect "different"."""

import numpy as np

from core.groups.links import Positions


def same_components(
    order: Positions, rank: Positions, same: Positions, different: Positions
) -> tuple[Positions, Positions]:
    """Join texts decided the same; return each text's representative and the contradictions.

    `rank` (n,) numbers the texts from the most to the least preferred and `order` is its
    inverse. A representative is the best of its component. Pairs are joined from the best
    ranks on, so their storage order does not matter; one that would bring two texts decided
    different together is not joined but returned, shape (k, 2).
    """
    parent: dict[int, int] = {}
    enemies: dict[int, set[int]] = {}
    for a, b in rank[different].tolist():
        if a != b:
            enemies.setdefault(a, set()).add(b)
            enemies.setdefault(b, set()).add(a)
    contradictions = []
    for a, b in _in_order(rank[same]):
        keep, lose = sorted((_root(parent, a), _root(parent, b)))
        if lose in enemies.get(keep, ()) or (keep == lose and b in enemies.get(a, ())):
            contradictions.append((a, b))
        elif keep != lose:
            parent[lose] = keep
            _hand_over(enemies, lose, keep)
    representative = np.arange(len(rank))
    for member in parent:
        representative[order[member]] = order[_root(parent, member)]
    return representative, order[np.array(contradictions, np.intp).reshape(-1, 2)]


def _in_order(pairs: Positions) -> list[tuple[int, int]]:
    return sorted({(min(a, b), max(a, b)) for a, b in pairs.tolist() if a != b})


def _root(parent: dict[int, int], member: int) -> int:
    root = member
    while root in parent:
        root = parent[root]
    while member != root:
        parent[member], member = root, parent[member]
    return root


def _hand_over(enemies: dict[int, set[int]], lose: int, keep: int) -> None:
    for enemy in enemies.pop(lose, ()):
        enemies[enemy].discard(lose)
        enemies[enemy].add(keep)
        enemies.setdefault(keep, set()).add(enemy)
