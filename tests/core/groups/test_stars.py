import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.groups import LinkTable, Reason, group_texts, members, prepare

SEEDS = st.integers(0, 2**32 - 1)
THRESHOLDS = st.sampled_from([0.7, 0.8, 0.9, 1.0])
MANY = settings(max_examples=150, deadline=None)


def grouped(case, threshold):
    return group_texts(
        case.n, case.links, threshold=threshold, priority=case.priority, **case.decided
    )


def automatic(case, threshold):
    """The links that may remove a text, by pair, told without the code under test."""
    barred = {frozenset(p) for p in [*case.different.tolist(), *case.unsure.tolist()]}
    links = zip(
        case.left.tolist(), case.right.tolist(), case.cosine, case.held.tolist(), strict=True
    )
    return {
        frozenset((a, b)): cosine
        for a, b, cosine, held in links
        if cosine >= np.float32(threshold) and not held and frozenset((a, b)) not in barred
    }


@given(seed=SEEDS, threshold=THRESHOLDS)
@MANY
def test_every_removed_text_has_a_kept_text_at_the_threshold_or_a_decision(
    make_case, seed, threshold
):
    case = make_case(seed)
    grouping, links = grouped(case, threshold), automatic(case, threshold)
    for text in range(case.n):
        kept = int(grouping.kept_of[text])
        assert grouping.reason[kept] == Reason.KEPT
        if grouping.reason[text] == Reason.SIMILAR:
            assert links[frozenset((text, kept))] == grouping.cosine[text]


@given(seed=SEEDS, threshold=THRESHOLDS)
@MANY
def test_a_text_is_kept_exactly_when_it_points_at_itself(make_case, seed, threshold):
    case = make_case(seed)
    grouping = grouped(case, threshold)
    own = grouping.kept_of == np.arange(case.n)
    assert (own == (grouping.reason == Reason.KEPT)).all()


@given(seed=SEEDS, threshold=THRESHOLDS)
@MANY
def test_texts_decided_different_never_share_a_group(make_case, seed, threshold):
    case = make_case(seed)
    kept_of = grouped(case, threshold).kept_of
    assert all(kept_of[a] != kept_of[b] for a, b in case.different)


@given(seed=SEEDS, threshold=THRESHOLDS)
@MANY
def test_texts_decided_same_share_a_group_unless_reported(make_case, seed, threshold):
    case = make_case(seed)
    grouping = grouped(case, threshold)
    reported = {frozenset(pair) for pair in grouping.contradictions.tolist()}
    for pair in case.same.tolist():
        together = grouping.kept_of[pair[0]] == grouping.kept_of[pair[1]]
        assert together == (frozenset(pair) not in reported)


@given(seed=SEEDS, threshold=THRESHOLDS)
@MANY
def test_numbering_and_order_of_links_do_not_matter(make_case, seed, threshold):
    case = make_case(seed)
    random = np.random.default_rng(seed + 1)
    new, order = random.permutation(case.n), random.permutation(len(case.left))
    priority = np.empty(case.n, np.int64)
    priority[new] = case.priority
    again = group_texts(
        case.n,
        prepare(
            new[case.right[order]], new[case.left[order]], case.cosine[order], case.held[order]
        ),
        threshold=threshold,
        priority=priority,
        **{name: new[pairs][::-1] for name, pairs in case.decided.items()},
    )
    first = grouped(case, threshold)
    assert (again.kept_of[new] == new[first.kept_of]).all()
    assert (again.reason[new] == first.reason).all()


@given(seed=SEEDS, threshold=THRESHOLDS)
@MANY
def test_without_decisions_the_outcome_is_that_of_the_plain_walk(make_case, seed, threshold):
    case = make_case(seed)
    none = np.empty((0, 2), np.intp)
    grouping = group_texts(case.n, case.links, threshold=threshold, priority=case.priority)
    links = automatic(
        type(case)(**{**{f: getattr(case, f) for f in case.__annotations__},
                      "different": none, "unsure": none}), threshold,
    )  # fmt: skip
    kept = []
    for text in np.argsort(case.priority).tolist():
        if not any(frozenset((text, k)) in links for k in kept):
            kept.append(text)
    for text in range(case.n):
        near = [k for k in kept if frozenset((text, k)) in links]
        best = min(near, key=lambda k: (-links[frozenset((text, k))], case.priority[k]), default=0)
        assert grouping.kept_of[text] == (text if text in kept else best)


def test_a_chain_keeps_its_best_and_what_is_not_linked_to_it(make_table):
    links = make_table((0, 1, 0.95), (1, 2, 0.95))
    by_first = group_texts(3, links, threshold=0.9, priority=np.array([0, 1, 2]))
    by_middle = group_texts(3, links, threshold=0.9, priority=np.array([1, 0, 2]))
    assert by_first.kept_of.tolist() == [0, 0, 2]
    assert by_middle.kept_of.tolist() == [1, 1, 1]


def test_a_link_exactly_at_the_threshold_counts(make_table):
    links = make_table((0, 1, 0.9))
    assert group_texts(2, links, threshold=0.9, priority=np.arange(2)).kept_of.tolist() == [0, 0]


def test_held_links_group_nothing_at_any_cosine(make_table):
    links = make_table((0, 1, 1.0), held=(0,))
    assert group_texts(2, links, threshold=0.5, priority=np.arange(2)).is_kept.all()


def test_unsure_links_group_nothing(make_table):
    grouping = group_texts(
        2, make_table((0, 1, 1.0)), threshold=0.5, priority=np.arange(2), unsure=np.array([[1, 0]])
    )
    assert grouping.is_kept.all()


def test_same_is_transitive_and_keeps_the_best_text(make_table):
    grouping = group_texts(
        4,
        make_table((0, 3, 0.6)),
        threshold=0.9,
        priority=np.array([5, 2, 1, 9]),
        same=np.array([[0, 1], [1, 2]]),
    )
    assert grouping.kept_of.tolist() == [2, 2, 2, 3]


def test_a_decided_removal_tells_the_measured_cosine_or_none(make_table):
    grouping = group_texts(
        3,
        make_table((1, 0, 0.6)),
        threshold=0.9,
        priority=np.arange(3),
        same=np.array([[0, 1], [0, 2]]),
    )
    np.testing.assert_array_equal(grouping.cosine, np.float32([np.nan, 0.6, np.nan]))


def test_two_representatives_are_not_merged_by_a_machine(make_table):
    grouping = group_texts(
        4,
        make_table((0, 2, 1.0)),
        threshold=0.9,
        priority=np.arange(4),
        same=np.array([[0, 1], [2, 3]]),
    )
    assert grouping.kept_of.tolist() == [0, 0, 2, 2]


def test_what_differs_from_a_member_stays_out_of_its_component(make_table):
    """a ≠ b and a = c: b may not join c, however near."""
    grouping = group_texts(
        3,
        make_table((1, 2, 1.0)),
        threshold=0.9,
        priority=np.array([1, 2, 0]),
        same=np.array([[0, 2]]),
        different=np.array([[0, 1]]),
    )
    assert grouping.kept_of.tolist() == [2, 1, 2]


def test_the_worse_of_two_different_texts_moves_to_its_next_kept_text(make_table):
    links = make_table((0, 2, 0.99), (0, 3, 0.98), (1, 3, 0.95))
    grouping = group_texts(
        4, links, threshold=0.9, priority=np.arange(4), different=np.array([[2, 3]])
    )
    assert grouping.kept_of.tolist() == [0, 1, 0, 1]


def test_the_worse_of_two_different_texts_is_kept_when_it_has_no_other_place(make_table):
    links = make_table((0, 1, 0.99), (0, 2, 0.98))
    grouping = group_texts(
        3, links, threshold=0.9, priority=np.arange(3), different=np.array([[2, 1]])
    )
    assert grouping.kept_of.tolist() == [0, 0, 2]


def test_contradicting_decisions_are_reported_and_not_followed(make_table):
    grouping = group_texts(
        3,
        make_table((0, 1, 0.99)),
        threshold=0.9,
        priority=np.arange(3),
        same=np.array([[0, 1], [1, 2]]),
        different=np.array([[0, 2]]),
    )
    assert grouping.kept_of.tolist() == [0, 0, 2]
    assert grouping.contradictions.tolist() == [[1, 2]]


def test_members_lists_each_group_from_its_kept_text_on(make_table):
    grouping = group_texts(
        4, make_table((0, 3, 0.99), (1, 3, 0.95)), threshold=0.9, priority=np.array([1, 2, 3, 0])
    )
    kept, start, texts = members(grouping)
    groups = [texts[a:b].tolist() for a, b in pairwise(start)]
    assert (kept.tolist(), groups) == ([2, 3], [[2], [3, 0, 1]])


@pytest.mark.parametrize("n", [0, 1, 2])
def test_texts_without_links_are_all_kept(n):
    nothing = prepare(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
    grouping = group_texts(n, nothing, threshold=0.9, priority=np.arange(n))
    assert grouping.kept_of.tolist() == list(range(n))


def skewed(n: int, m: int) -> LinkTable:
    random = np.random.default_rng(0)
    left = (n * random.random(m) ** 4).astype(np.int32)
    return prepare(left, random.integers(0, n, m), 0.7 + 0.3 * random.random(m))


def chain(n: int, width: int) -> LinkTable:
    """In the order of priority, the worst case for rounds."""
    left = np.repeat(np.arange(n), width)
    right = left + np.tile(np.arange(1, width + 1), n)
    inside = right < n
    cosine = np.random.default_rng(0).random(int(inside.sum()))
    return prepare(left[inside], right[inside], 0.7 + 0.3 * cosine)


def clique(size: int) -> LinkTable:
    left, right = np.triu_indices(size, 1)
    return prepare(left, right, 0.7 + 0.3 * np.random.default_rng(0).random(len(left)))


@pytest.mark.parametrize(
    "links",
    [skewed(200_000, 1_000_000), chain(200_000, 5), clique(1_415)],
    ids=["skewed", "chain", "clique"],
)
def test_a_million_links_follow_a_slider(links):
    """0.15 s where the machine is free; the best of several tries, with room for a busy one."""
    best = np.inf
    for _ in range(5):
        begun = time.perf_counter()
        group_texts(200_000, links, threshold=0.7, priority=np.arange(200_000))
        best = min(best, time.perf_counter() - begun)
    assert best < 0.6
