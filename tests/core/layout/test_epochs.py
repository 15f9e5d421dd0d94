import numpy as np

from core.layout.background import Watch
from core.layout.epochs import Pace, run_epochs, usual_epochs


def test_the_steps_are_those_of_umap_to_the_bit(vectors_of, case_of):
    from umap.umap_ import find_ab_params, simplicial_set_embedding

    case = case_of(vectors_of(300))
    # UMAP stretches its start to 0 to 10; multiples of 1/1024 stay what they are.
    start = (np.random.default_rng(1).integers(0, 10_241, (300, 2)) / 1_024).astype(np.float32)
    start[0], start[1] = 0, 10
    a, b = find_ab_params(1.0, 0.1)
    expected, _ = simplicial_set_embedding(
        case.vectors, case.graph.matrix.copy(), 2, 1.0, a, b, 1.0, 5, 60, start, _State(),
        "cosine", {}, False, {}, False,
    )  # fmt: skip
    xy = run_epochs(start, case.graph.matrix, Pace(60), rng=np.random.default_rng(5), watch=Watch())
    assert np.array_equal(xy, expected)


def test_only_moving_places_move(vectors_of, case_of):
    case = case_of(vectors_of(100))
    start = np.random.default_rng(1).normal(size=(100, 2)).astype(np.float32)
    moving = np.arange(100) >= 80
    xy = run_epochs(
        start, case.graph.matrix, Pace(20), rng=np.random.default_rng(0), watch=Watch(),
        moving=moving,
    )  # fmt: skip
    assert np.array_equal((xy != start).any(axis=1), moving)


def test_many_places_are_given_fewer_epochs():
    assert [usual_epochs(n) for n in (0, 4_000, 8_000, 10_000, 1_000_000)] == [
        500, 500, 250, 200, 200,
    ]  # fmt: skip


class _State:
    """The one question that UMAP asks of its random state here, answered as we do."""

    def randint(self, low, high, size):
        return np.random.default_rng(5).integers(low, high, size)
