import subprocess
import sys

import numpy as np
import pytest

from core.search import SearchIndex
from core.search import index as module

NOTHING = ([], [])


def clustered(n, d=64, seed=0):
    random = np.random.default_rng(seed)
    centres = random.standard_normal((max(1, n // 50), d))
    noise = random.uniform(0.05, 1.2, (n, 1)) * random.standard_normal((n, d))
    vectors = centres[random.integers(0, len(centres), n)] + noise
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def vectors():
    return clustered(6_000)


@pytest.fixture(scope="module")
def index(vectors):
    return SearchIndex.build(vectors)


@pytest.fixture(scope="module")
def queries(vectors):
    """Vectors near some of those indexed, and some near none."""
    near = vectors[::60] + 0.05 * clustered(100, seed=1)
    return np.concatenate([near, clustered(100, seed=2)])


def by_force(query, vectors, k, among=None):
    rows = np.arange(len(vectors)) if among is None else np.unique(among)
    exact = vectors[rows].astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1) * np.linalg.norm(query.astype(np.float64))
    cosine = (exact @ query.astype(np.float64) / lengths).astype(np.float32)
    best = np.lexsort((rows, -cosine))[:k]
    return rows[best], cosine[best]


def recall(index, vectors, queries, k=10, among=None):
    shares = []
    for query in queries:
        found = index.search(query, vectors, k=k, among=among)[0]
        expected = by_force(query, vectors, k, among)[0]
        shares.append(len(np.intersect1d(found, expected)) / len(expected))
    return np.mean(shares)


def told(found):
    return found[0].tolist(), found[1].tolist()


def test_the_ten_nearest_are_found(index, vectors, queries):
    assert recall(index, vectors, queries) >= 0.999


def test_the_cosines_and_their_order_are_exact(index, vectors, queries):
    rows, cosine = index.search(queries[0], vectors, k=20)
    expected = by_force(queries[0], vectors, 20)
    assert rows.tolist() == expected[0].tolist()
    np.testing.assert_allclose(cosine, expected[1], atol=1e-7)


def test_vectors_added_later_are_found_as_well(vectors, queries):
    grown = SearchIndex.build(vectors[:2_000])
    for start in range(2_000, 6_000, 1_000):
        grown.add(vectors[start : start + 1_000])
    assert grown.rows == 6_000
    assert recall(grown, vectors, queries) >= 0.999


def test_vectors_of_another_range_than_the_first_are_found(vectors, queries):
    """The first ones all lie near one direction, so their range says nothing of the rest."""
    grown = SearchIndex.build(vectors[:1] + 0.01 * clustered(50))
    grown.add(vectors)
    all_of_them = np.concatenate([vectors[:1] + 0.01 * clustered(50), vectors])
    assert recall(grown, all_of_them, queries[:50]) >= 0.95


def test_an_index_built_of_nothing_takes_vectors(vectors, queries):
    grown = SearchIndex.build(vectors[:0])
    grown.add(vectors)
    assert recall(grown, vectors, queries[:50]) >= 0.999


@pytest.mark.parametrize("direct", [True, False])
def test_only_the_rows_allowed_are_found(index, vectors, queries, monkeypatch, direct):
    monkeypatch.setattr(module, "_DIRECT", 10_000 if direct else 0)
    among = np.arange(0, 6_000, 7)
    assert recall(index, vectors, queries[:60], among=among) >= 0.999
    assert np.isin(index.search(queries[0], vectors, k=50, among=among)[0], among).all()


@pytest.mark.parametrize("direct", [True, False])
def test_one_row_allowed_is_the_one_found(index, vectors, queries, monkeypatch, direct):
    monkeypatch.setattr(module, "_DIRECT", 10_000 if direct else -1)
    rows, _ = index.search(queries[0], vectors, k=5, among=np.array([4_711, 4_711]))
    assert rows.tolist() == [4_711]


def test_no_row_allowed_is_nothing_found(index, vectors, queries):
    found = index.search(queries[0], vectors, k=5, among=np.empty(0, np.int64))
    assert told(found) == NOTHING


def test_rows_that_do_not_exist_are_left_out(index, vectors, queries):
    rows, _ = index.search(queries[0], vectors, k=5, among=np.array([-1, 3, 6_000, 10**9]))
    assert rows.tolist() == [3]


def test_more_wanted_than_there_are_gives_all(vectors, queries):
    small = SearchIndex.build(vectors[:7])
    rows, _ = small.search(queries[0], vectors[:7], k=100)
    assert sorted(rows.tolist()) == list(range(7))


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_vectors_are_all_found(vectors, queries, n):
    rows, _ = SearchIndex.build(vectors[:n]).search(queries[0], vectors[:n], k=5)
    assert sorted(rows.tolist()) == list(range(n))


def test_equal_vectors_come_by_row(vectors):
    same = np.repeat(vectors[:1], 50, axis=0)
    rows, cosine = SearchIndex.build(same).search(vectors[0], same, k=50)
    assert rows.tolist() == list(range(50))
    assert (cosine == 1).all()


@pytest.mark.parametrize("value", [0, np.nan, np.inf])
def test_empty_and_broken_vectors_are_never_found(vectors, queries, value):
    some = vectors[:300].copy()
    some[::2] = value
    built = SearchIndex.build(some)
    assert built.rows == 300
    for among in (None, np.arange(300)):
        rows, _ = built.search(queries[0], some, k=300, among=among)
        assert sorted(rows.tolist()) == list(range(1, 300, 2))


@pytest.mark.parametrize("value", [0, np.nan, np.inf])
def test_a_query_without_a_direction_finds_nothing(index, vectors, value):
    assert told(index.search(np.full(64, value, np.float32), vectors, k=5)) == NOTHING


def test_the_length_of_the_query_does_not_matter(index, vectors, queries):
    once = index.search(queries[0], vectors, k=9)
    assert told(index.search(queries[0] * 1_000, vectors, k=9))[0] == told(once)[0]


def test_the_index_survives_a_file_of_any_name(index, vectors, queries, tmp_path):
    file = tmp_path / "Zoë" / "文書.index"
    file.parent.mkdir()
    file.write_bytes(index.to_bytes())
    again = SearchIndex.from_bytes(file.read_bytes())
    assert again.rows == index.rows
    for query in queries[:20]:
        assert told(again.search(query, vectors, k=9)) == told(index.search(query, vectors, k=9))


def test_an_index_read_back_can_grow(vectors, queries):
    again = SearchIndex.from_bytes(SearchIndex.build(vectors[:5_000]).to_bytes())
    again.add(vectors[5_000:])
    assert recall(again, vectors, queries[:50]) >= 0.999


def test_the_index_is_about_a_quarter_of_the_vectors(index, vectors):
    assert len(index.to_bytes()) < vectors.nbytes * 0.3


HARMS = {
    "gone": lambda told: b"",
    "of another kind": lambda told: b"x" * 100,
    "without its vectors": lambda told: told[:200],
    "without its end": lambda told: told[:-1],
    "overwritten": lambda told: told[:24] + b"junk" + told[28:],
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS.keys())
def test_damaged_bytes_are_refused(index, harm):
    with pytest.raises(ValueError, match="search index"):
        SearchIndex.from_bytes(harm(index.to_bytes()))


def test_vectors_on_disk_are_searched_where_they_are(index, vectors, queries, tmp_path):
    file = tmp_path / "文書.npy"
    np.save(file, vectors)
    mapped = np.load(file, mmap_mode="r")
    assert told(index.search(queries[0], mapped, k=9)) == told(
        index.search(queries[0], vectors, k=9)
    )


@pytest.mark.parametrize("order", ["import torch, faiss", "import faiss, torch"])
def test_torch_and_faiss_live_together_in_either_order(order):
    work = (
        f"{order}\nimport numpy as np\nfrom core.search import SearchIndex\n"
        "v = np.random.default_rng(0).standard_normal((2000, 64)).astype(np.float32)\n"
        "torch.mm(torch.from_numpy(v), torch.from_numpy(v).T)\n"
        "print(SearchIndex.build(v).search(v[7], v, k=1)[0][0])"
    )
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "7", done.stderr


def test_importing_the_search_loads_no_heavy_library():
    work = "import sys, core.search\nprint({'faiss', 'torch', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "set()", done.stderr


@pytest.mark.parametrize("d", [1, 2, 3, 5, 66, 383])
def test_vectors_of_any_length_are_indexed(d):
    vectors = clustered(300, d)
    built = SearchIndex.build(vectors[:200])
    built.add(vectors[200:])
    again = SearchIndex.from_bytes(built.to_bytes())
    rows, cosine = again.search(vectors[250], vectors, k=1)
    assert cosine.tolist() == [pytest.approx(1)]
    assert d == 1 or rows.tolist() == [250]


def test_vectors_that_all_lie_close_together_are_told_apart(vectors, queries):
    """Some encoders give all texts cosines of 0.8 and more."""
    close = vectors + 2 * vectors[:1]
    near = queries + 2 * vectors[:1]
    assert recall(SearchIndex.build(close), close, near) >= 0.999


def test_rows_allowed_far_from_the_question_are_found_all_the_same(
    index, vectors, queries, monkeypatch
):
    monkeypatch.setattr(module, "_DIRECT", 0)
    for query in queries[:10]:
        farthest = np.argsort(vectors @ query)[:2_000]
        found = index.search(query, vectors, k=10, among=farthest)[0]
        assert len(np.intersect1d(found, by_force(query, vectors, 10, farthest)[0])) >= 9


def test_the_index_takes_two_bits_for_each_number(index, vectors):
    assert len(index.to_bytes()) < vectors.size / 4 + 20_000


def test_an_index_of_another_layout_is_refused(index):
    with pytest.raises(ValueError, match="search index"):
        SearchIndex.from_bytes(b"SSIX1" + index.to_bytes()[5:])
