"""What clusters are called."""

import os
import subprocess
import sys

import numpy as np
import pytest

from core.clusters import flat_tree, keywords, levels
from core.clusters.tree import ClusterTree, cluster
from core.progress import run_to_end

REFUNDS = ["the refund is late", "where is the Refund?", "refunds for the order", "a refund please"]
PARCELS = ["the parcel is lost", "where is the parcel?", "parcels for the house", "a parcel please"]


def names_of(groups: list[list[str]], **choices) -> list[tuple[str, ...]]:
    """Name each group of texts as one cluster of a flat tree."""
    cluster_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    tree = flat_tree(cluster_of.astype(np.int32), np.ones(len(cluster_of), np.int64))
    bodies = [body for group in groups for body in group]
    return run_to_end(keywords(bodies, tree, **choices))[1:]


def test_a_cluster_is_called_by_what_stands_in_it_and_not_elsewhere():
    refunds, parcels = names_of([REFUNDS * 3, PARCELS * 3])
    assert refunds[0] == "refund"
    assert parcels[0] == "parcel"


def test_forms_of_one_word_come_once():
    (refunds, _) = names_of([REFUNDS * 3, PARCELS * 3])
    assert len([word for word in refunds if word.lower().startswith("refund")]) == 1


def test_words_that_are_everywhere_name_nothing():
    for name in names_of([REFUNDS * 3, PARCELS * 3]):
        assert not {"the", "is", "where", "please"} & set(name)


def test_a_word_shows_in_its_most_frequent_form():
    pins = ["PIN blocked", "my PIN", "PIN again", "a pin"] * 3
    assert names_of([pins, PARCELS * 3])[0][0] == "PIN"


def test_letters_and_figures_are_no_keywords():
    orders = ["order 4711 x", "order 4711 x y", "order 4711 x"] * 4
    assert names_of([orders, PARCELS * 3])[0] == ("order",)


def test_no_more_words_than_wanted():
    many = ["alpha beta gamma delta epsilon zeta omega"] * 9
    assert len(names_of([many, PARCELS * 3], words=3)[0]) == 3


@pytest.mark.parametrize(
    "texts",
    [
        ["the of and", "and the", "of the and"],
        ["1", "2", "33", "1 2"],
        ["😀😀", "😀", "👍"],
        ["退款很慢", "退款还没到", "我的退款呢"],
        ["ฉันต้องการเงินคืน", "ต้องการเงินคืน", "เงินคืน"],
        ["...", "?!", "--"],
    ],
    ids=["stop words", "digits", "emoji", "Chinese", "Thai", "signs"],
)
def test_a_cluster_without_telling_words_is_called_by_one_of_its_texts(texts):
    usual = ["the order of the house and the garden", "and of the parcel", "of the and the boat"]
    name = names_of([texts * 4, usual * 8])[0]
    assert len(name) == 1
    assert name[0] in texts


def test_a_corpus_of_one_cluster_is_called_by_one_of_its_texts():
    assert names_of([REFUNDS * 3])[0][0] in REFUNDS


def test_a_long_text_is_cut_and_set_in_one_line():
    (name,) = names_of([["1 2\n 3   4" + " 5" * 100] * 5])[0]
    assert name.startswith("1 2 3 4 5 5")
    assert name.endswith("…")
    assert len(name) <= 48


def test_right_to_left_words_are_keywords():
    arabic = ["استرداد المبلغ", "أريد استرداد", "استرداد سريع"] * 3
    assert names_of([arabic, PARCELS * 3])[0][0] == "استرداد"


def test_nodes_of_a_tree_are_called_by_all_they_hold(two_pairs):
    tree = run_to_end(cluster(two_pairs, np.ones(120, np.int64), min_size=10))
    bodies = ["cat meow pet", "dog bark pet", "car wheel road", "bus wheel road"]
    names = run_to_end(keywords([bodies[i // 30] for i in range(120)], tree))
    coarse = {names[node][0] for node in levels(tree)[0]}
    fine = {word for node in levels(tree)[-1] for word in names[node]}
    assert coarse <= {"pet", "wheel", "road"}
    assert {"cat", "dog", "car", "bus"} <= fine


def test_no_texts_have_no_names():
    nothing = np.empty(0, np.float32)
    tree = ClusterTree(
        np.array([-1], np.int32), np.zeros(1, np.float32), np.zeros(1, np.int64),
        np.zeros(1, np.float32), nothing.astype(np.int32), nothing,
    )  # fmt: skip
    assert run_to_end(keywords([], tree)) == [("…",)]


def test_names_do_not_depend_on_how_python_hashes_words():
    asked = (
        "from core.clusters import flat_tree, keywords\n"
        "from core.progress import run_to_end\n"
        "import numpy as np\n"
        "bodies = [f'{a} {b} {c}' for a in ('red', 'blue') for b in ('car', 'bike', 'boat')"
        " for c in ('fast', 'slow', 'new', 'old')]\n"
        "labels = np.repeat(np.arange(6, dtype=np.int32), 4)\n"
        "tree = flat_tree(labels, np.ones(24, np.int64))\n"
        "print(run_to_end(keywords(bodies, tree)))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", asked], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(told) == 1
