import csv
import importlib.util
import re
import sys
from collections import Counter, defaultdict
from datetime import date
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "resources" / "demo"
SCRIPT = ROOT / "scripts" / "make_demo_corpus.py"


@pytest.fixture(scope="module")
def messages() -> dict[int, dict[str, str]]:
    with (DEMO / "messages.csv").open(encoding="utf-8", newline="") as file:
        return {int(row["id"]): row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def gold() -> dict[tuple[int, int], str]:
    with (DEMO / "gold.csv").open(encoding="utf-8", newline="") as file:
        return {(int(row["id1"]), int(row["id2"])): row["relation"] for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("make_demo_corpus", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_making_it_again_gives_the_same_bytes(script, tmp_path):
    script.main(tmp_path)
    names = ("messages.csv", "gold.csv")
    assert [(tmp_path / n).read_bytes() for n in names] == [(DEMO / n).read_bytes() for n in names]


def test_all_wordings_of_a_meaning_have_the_same_details(script):
    text = (SCRIPT.parent / "demo_situations.txt").read_text(encoding="utf-8")
    meanings = [m for t in script.read_topics(text) for f in t.families for m in f]
    slots = [{frozenset(script.SLOT.findall(wording)) for wording in m} for m in meanings]
    assert [m for m, kinds in zip(meanings, slots, strict=True) if len(kinds) > 1] == []


def test_no_detail_was_left_open(messages):
    assert [m["message"] for m in messages.values() if re.search(r"\{\w+\}", m["message"])] == []


def test_it_has_about_two_thousand_rows(messages):
    assert 1800 <= len(messages) <= 2200


def test_dates_are_iso_dates_of_2026(messages):
    assert {date.fromisoformat(m["date"]).year for m in messages.values()} == {2026}


def test_two_rows_with_the_same_text_are_always_listed_as_copies(messages, gold):
    places = defaultdict(list)
    for number, message in messages.items():
        if message["message"]:
            places[message["message"]].append(number)
    alike = {pair for numbers in places.values() for pair in combinations(numbers, 2)}
    assert alike == {pair for pair, relation in gold.items() if relation == "copy"}


def test_what_means_the_same_is_closed_under_transitivity(gold):
    same = defaultdict(set)
    for (one, other), relation in gold.items():
        if relation != "near-miss":
            same[one].add(other)
            same[other].add(one)
    assert [
        n for n, mates in same.items() if any(same[m] | {m} != mates | {n} for m in mates)
    ] == []


def test_every_pair_within_a_family_is_listed(gold):
    mates = defaultdict(set)
    for one, other in gold:
        mates[one].add(other)
        mates[other].add(one)
    assert [n for n, near in mates.items() if any(mates[m] | {m} != near | {n} for m in near)] == []


def test_gold_pairs_name_rows_with_a_text_smaller_id_first(messages, gold):
    assert all(a < b and messages[a]["message"] and messages[b]["message"] for a, b in gold)


def test_labels_follow_from_the_relation():
    with (DEMO / "gold.csv").open(encoding="utf-8", newline="") as file:
        labels = {(row["relation"], row["label"]) for row in csv.DictReader(file)}
    assert labels == {("copy", "1"), ("near-copy", "1"), ("paraphrase", "1"), ("near-miss", "0")}


def test_there_is_enough_of_every_relation(gold):
    counts = Counter(gold.values())
    least = {"copy": 100, "near-copy": 200, "paraphrase": 500, "near-miss": 500}
    assert all(counts[relation] >= count for relation, count in least.items())


def test_the_oddities_of_real_piles_are_in_it(messages):
    texts = Counter(m["message"] for m in messages.values())
    long_letters = [text for text in texts if len(text.split()) > 400]
    starts = {text[0] for text in texts if text}
    assert (texts[""], len(long_letters), {"=", "-"} <= starts, texts["ok"]) == (10, 2, True, 3)
