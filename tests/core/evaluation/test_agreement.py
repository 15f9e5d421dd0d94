"""Agreement against its definitions, counted pair by pair."""

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UserError
from core.evaluation import cluster_agreement

rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=25)


def entropy(counts):
    total = sum(counts)
    return -sum(count / total * math.log(count / total) for count in counts)


def nmi(topics, clusters):
    of_topics, of_clusters = entropy(Counter(topics).values()), entropy(Counter(clusters).values())
    both = entropy(Counter(zip(topics, clusters, strict=True)).values())
    if of_topics + of_clusters == 0:
        return 1.0
    return (of_topics + of_clusters - both) / ((of_topics + of_clusters) / 2)


def ari(topics, clusters):
    pairs = list(combinations(range(len(topics)), 2))
    one = [topics[a] == topics[b] for a, b in pairs]
    other = [clusters[a] == clusters[b] for a, b in pairs]
    both = sum(x and y for x, y in zip(one, other, strict=True))
    expected = sum(one) * sum(other) / len(pairs)
    most = (sum(one) + sum(other)) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


@given(rows)
def test_figures_equal_their_definitions(pairs):
    topics, clusters = zip(*pairs, strict=True)
    found = cluster_agreement(topics, clusters)
    assert found.nmi == pytest.approx(nmi(topics, clusters), abs=1e-9)
    assert found.ari == pytest.approx(ari(topics, clusters), abs=1e-9)
    majorities = [
        max(Counter(t for t, c in pairs if c == cluster).values()) for cluster in set(clusters)
    ]
    assert found.purity == pytest.approx(sum(majorities) / len(pairs))


@given(rows, st.randoms())
def test_neither_order_nor_names_matter(pairs, random):
    topics, clusters = zip(*pairs, strict=True)
    renamed = [(f"topic {9 - t}", 7 * c + 2) for t, c in random.sample(pairs, len(pairs))]
    first, other = (
        cluster_agreement(topics, clusters),
        cluster_agreement(*zip(*renamed, strict=True)),
    )
    assert first.nmi == pytest.approx(other.nmi)
    assert first.ari == pytest.approx(other.ari)
    assert first.purity == other.purity


TOPICS, FOUND = ["a", "a", "a", "b", "b", "b"], [0, 0, -1, 1, -1, -1]


def test_unclustered_rows_may_be_clusters_of_their_own():
    found = cluster_agreement(TOPICS, FOUND, unclustered="singletons")
    assert found.nmi == pytest.approx(nmi(TOPICS, [0, 0, 2, 1, 3, 4]))
    assert (found.purity, found.rows, found.clusters, found.unclustered) == (1, 6, 2, 0.5)


def test_unclustered_rows_may_be_left_out():
    found = cluster_agreement(TOPICS, FOUND, unclustered="left out")
    assert (found.nmi, found.ari, found.rows) == (pytest.approx(1), 1, 3)


def test_unclustered_rows_may_be_one_cluster():
    found = cluster_agreement(TOPICS, FOUND, unclustered="one cluster")
    assert found.ari == pytest.approx(ari(TOPICS, [0, 0, 2, 1, 2, 2]))
    assert found.purity == pytest.approx(5 / 6)


def test_the_choice_must_be_known():
    with pytest.raises(ValueError, match="singletons or left out"):
        cluster_agreement(TOPICS, FOUND, unclustered="lost")


def test_no_row_in_a_cluster_is_told():
    with pytest.raises(UserError, match="No row is in a cluster"):
        cluster_agreement(["a", "b"], [-1, -1], unclustered="left out")


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match="2 topics"):
        cluster_agreement(["a", "b"], [1])
