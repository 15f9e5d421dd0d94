"""Room for boxes beside one another."""

import numpy as np
import pytest

from app.widgets.scatter_room import place


def boxes_of(spots, sizes, placed):
    at = [index for index, _, _ in placed]
    middles = spots[at] + np.array([(right, down) for _, right, down in placed])
    return np.concatenate([middles - sizes[at] / 2, middles + sizes[at] / 2], axis=1)


def touches(one, other):
    return one[0] < other[2] and one[2] > other[0] and one[1] < other[3] and one[3] > other[1]


@pytest.mark.parametrize("spread", [40.0, 300.0, 4_000.0])
def test_no_box_touches_another(spread):
    rng = np.random.default_rng(0)
    spots, sizes = rng.normal(size=(150, 2)) * spread, rng.uniform((20, 10), (110, 40), (150, 2))
    boxes = boxes_of(spots, sizes, place(spots, sizes, gap=3.0))
    for number, box in enumerate(boxes):
        assert not any(touches(box, other) for other in boxes[:number])


def test_the_first_sits_on_its_spot_and_the_next_gives_way():
    spots, sizes = np.array([[50.0, 50.0]] * 2), np.array([[40.0, 20.0]] * 2)
    assert place(spots, sizes, gap=0.0) == [(0, 0.0, 0.0), (1, 0.0, -28.0)]


def test_what_finds_no_room_is_left_out():
    spots, sizes = np.zeros((30, 2)), np.full((30, 2), 20.0)
    assert 1 < len(place(spots, sizes)) < 8


def test_boxes_far_apart_all_sit_on_their_spots():
    spots, sizes = np.arange(40.0).reshape(20, 2) * 500, np.full((20, 2), 30.0)
    assert place(spots, sizes) == [(index, 0.0, 0.0) for index in range(20)]


def test_nothing_needs_no_room():
    assert place(np.empty((0, 2)), np.empty((0, 2))) == []
