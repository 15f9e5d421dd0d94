"""What a cluster is called: the words that stand in it and not elsewhere, else a text of it."""

import time
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.clusters.tokens import are_variants, is_unspaced, key_of, tells_little, tokens
from core.clusters.tree import ClusterTree
from core.progress import Progress, Steps

Keywords: TypeAlias = list[tuple[str, ...]]

_WORDS = 5
_LOOKED_AT = 40  # best words of a cluster among which variants are dropped
_LEAST_SHARE = 0.05  # of a cluster's texts hold a keyword
_LEAST_CONTRAST = 0.5  # 1 - rate elsewhere / rate here
_FEWEST_TEXTS = 2
_PRIOR_TEXTS = 5  # elsewhere, in which a word is taken to be as usual as here
_HEADING = 48  # characters of an example text
_NO_TEXT = "…"
_READ = 20_000  # characters of a text
_SPEAKS_EACH = 0.3  # seconds


def keywords(bodies: Iterable[str], tree: ClusterTree, *, words: int = _WORDS) -> Steps[Keywords]:
    """Return the keywords of each node of `tree`; `bodies` are its n texts in order.

    c-TF-IDF (Grootendorst 2022, section 3.3) with a text counting a word once: how much of the
    node's words a word makes up, times log(1 + words of a mean leaf / occurrences of the
    word), times the share by which its rate here exceeds that in all other texts. The last
    factor does the work of a list of stop words in any language: what is as usual
    elsewhere weighs nothing, however few clusters there are.

    Words show in the form that is most frequent. Single letters and figures are no keywords,
    and forms of one word come once. Where no word tells the node from the rest, or mostly pieces
    of an unspaced script do, the one keyword is the beginning of its densest text. A node is
    called the same at each level. About 60 µs for a short text.
    """
    densest = _densest(tree)
    examples: dict[int, str] = {}
    counts = yield from _count(_noting(bodies, set(densest), examples), tree)
    names: Keywords = []
    spoke = time.monotonic()
    for node, example in enumerate(densest):
        told = _apart(counts.best(node), words)
        spaced = tuple(word for word in told if not is_unspaced(word))
        is_named = len(spaced) * 2 > len(told)
        names.append(spaced if is_named else (examples.get(example, _NO_TEXT),))
        if time.monotonic() - spoke > _SPEAKS_EACH:
            spoke = time.monotonic()
            yield Progress("Naming clusters", node, len(densest), "clusters")
    return names


def flat_tree(cluster: NDArray[np.int32], copies: NDArray[np.int64]) -> ClusterTree:
    """Return a tree of the corpus and one node for each cluster: cluster `i` is node `i + 1`.

    For keywords and exemplars of clusters that were changed by hand.
    """
    nodes = int(cluster.max(initial=-1)) + 2
    node_of = (cluster + 1).astype(np.int32)
    rows = np.bincount(node_of, copies, nodes)
    rows[0] = copies.sum()
    parent = np.zeros(nodes, np.int32)
    parent[0] = -1
    even = np.ones(len(cluster), np.float32)
    return ClusterTree(
        parent, np.ones(nodes, np.float32), rows.astype(np.int64), np.zeros(nodes, np.float32),
        node_of, even,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Counts:
    """In how many texts of each node alone a word stands, and what the words are."""

    own: Any  # sparse (m, words)
    texts: NDArray[np.int64]  # (m,) that each node holds, not those below
    ends: NDArray[np.int32]
    everywhere: NDArray[np.float64]  # (words,)
    scarcity: NDArray[np.float64]  # (words,) log(1 + words of a mean leaf / occurrences)
    surfaces: list[str]  # (words,) the most frequent form

    def best(self, node: int) -> list[str]:
        """Return the words that tell the node from all other texts, the best first."""
        below = slice(node, int(self.ends[node]))
        texts = int(self.texts[below].sum())
        held = np.asarray(self.own[below].sum(axis=0), np.float64).ravel()
        word = np.flatnonzero(held >= max(_FEWEST_TEXTS, _LEAST_SHARE * texts))
        if not len(word):
            return []
        here, elsewhere = held[word], self.everywhere[word] - held[word]
        others = int(self.texts.sum()) - texts
        usual = (elsewhere + _PRIOR_TEXTS * here / texts) / (others + _PRIOR_TEXTS)
        contrast = 1 - usual / (here / texts)
        score = here / held.sum() * self.scarcity[word] * contrast
        telling = contrast >= _LEAST_CONTRAST
        order = np.lexsort((word[telling], -score[telling]))[:_LOOKED_AT]
        return [self.surfaces[place] for place in word[telling][order].tolist()]


def _count(bodies: Iterable[str], tree: ClusterTree) -> Steps[_Counts]:
    from scipy.sparse import csr_matrix

    numbers: dict[str, int] = {}  # of keys
    known: dict[str, int] = {}  # of forms
    forms: Counter[str] = Counter()
    word, per_text = array("i"), array("i")
    spoke = time.monotonic()
    for done, body in enumerate(bodies):
        found = dict.fromkeys(tokens(body[:_READ]), 1)  # in the text's order, at every run
        forms.update(found)
        for form in found:
            if form not in known:
                known[form] = numbers.setdefault(key_of(form), len(numbers))
        own = list(dict.fromkeys(known[form] for form in found))
        word.extend(own)
        per_text.append(len(own))
        if done % 256 == 0 and time.monotonic() - spoke > _SPEAKS_EACH:
            spoke = time.monotonic()
            yield Progress("Counting words", done, len(tree.node_of), "texts")
    node = np.repeat(tree.node_of, np.array(per_text, np.int64))
    place = (node, np.array(word, np.int32))
    shape = (len(tree.parent), len(numbers))
    own_counts = csr_matrix((np.ones(len(node), np.float32), place), shape=shape)
    everywhere = np.asarray(own_counts.sum(axis=0), np.float64).ravel()
    ends = tree.ends()
    leaves = max(int((ends == np.arange(1, len(ends) + 1)).sum()), 1)
    scarcity = np.log1p(everywhere.sum() / leaves / np.maximum(everywhere, 1))
    texts = np.bincount(tree.node_of, minlength=len(tree.parent))
    surfaces = _usual_forms(forms, known, len(numbers))
    return _Counts(own_counts, texts, ends, everywhere, scarcity, surfaces)


def _usual_forms(forms: Counter[str], known: dict[str, int], words: int) -> list[str]:
    surfaces = [""] * words
    for form, _ in sorted(forms.items(), key=lambda item: (item[1], item[0])):
        surfaces[known[form]] = form
    return surfaces


def _apart(best: list[str], words: int) -> list[str]:
    """Return the first words that tell something and are no forms of one another."""
    chosen: list[str] = []
    for word in best:
        if len(chosen) == words:
            break
        if tells_little(word):
            continue
        if not any(are_variants(key_of(word), key_of(other)) for other in chosen):
            chosen.append(word)
    return chosen


def _densest(tree: ClusterTree) -> list[int]:
    """Return the text of each node that leaves it last, -1 where it has none."""
    best = np.full(len(tree.parent), -1)
    order = np.lexsort((-np.arange(len(tree.fall)), tree.fall))
    best[tree.node_of[order]] = order
    for node in range(len(best) - 1, 0, -1):
        own, above = best[node], best[tree.parent[node]]
        if own >= 0 and (above < 0 or tree.fall[own] > tree.fall[above]):
            best[tree.parent[node]] = own
    densest: list[int] = best.tolist()
    return densest


def _noting(bodies: Iterable[str], wanted: set[int], notes: dict[int, str]) -> Iterator[str]:
    """Pass the texts on, and note how the wanted ones begin."""
    for place, body in enumerate(bodies):
        if place in wanted:
            notes[place] = _beginning(body)
        yield body


def _beginning(body: str) -> str:
    line = " ".join(body[:_READ].split())
    return (line if len(line) <= _HEADING else line[: _HEADING - 1].rstrip() + "…") or _NO_TEXT
