"""The guess of the time goes with the work."""

import pytest

from core.options import TrainOptions
from core.training import forecast_seconds


def test_twice_the_epochs_take_twice_the_time(tiny_encoder, make_pairs):
    # The processor is timed anew each time, so the two are compared loosely.
    one, eight = (
        forecast_seconds(tiny_encoder, make_pairs(200), TrainOptions(epochs=epochs))
        for epochs in (1, 8)
    )
    assert 2 < eight / one < 32


def test_no_pairs_take_no_time(tiny_encoder, make_pairs):
    assert forecast_seconds(tiny_encoder, make_pairs(0), TrainOptions()) == 0


@pytest.mark.slow
def test_the_default_encoder_takes_seconds_for_a_hundred_decisions(default_encoder, make_pairs):
    seconds = forecast_seconds(default_encoder, make_pairs(100), TrainOptions(epochs=1))
    assert 1 < seconds < 300
