"""The guess of the time goes with the work."""

import pytest

from core.options import TrainOptions
from core.training import forecast, forecast_seconds


def test_twice_the_epochs_take_twice_the_time(tiny_encoder, make_pairs):
    # The processor is timed anew each time, so the two are compared loosely.
    one, eight = (
        forecast_seconds(tiny_encoder, make_pairs(200), TrainOptions(epochs=epochs))
        for epochs in (1, 8)
    )
    assert 2 < eight / one < 32


def test_frozen_layers_save_time_and_computing_twice_costs_a_third(
    default_encoder, make_pairs, monkeypatch
):
    monkeypatch.setattr(forecast, "_operations_per_second", lambda: 1e11)
    data = make_pairs(200)
    usual, frozen, twice = (
        forecast_seconds(default_encoder, data, TrainOptions(epochs=1, **named))
        for named in ({}, {"frozen_layers": 5}, {"gradient_checkpointing": "on"})
    )
    # Two operations forward, and four back where it learns: five of six layers do not, but for
    # positions and the unused pooler all weights are in layers.
    assert frozen == pytest.approx(usual * (2 + 4 / 6) / 6, rel=0.05)
    assert twice == pytest.approx(usual * 8 / 6)


def test_no_pairs_take_no_time(tiny_encoder, make_pairs):
    assert forecast_seconds(tiny_encoder, make_pairs(0), TrainOptions()) == 0


@pytest.mark.slow
def test_the_default_encoder_takes_seconds_for_a_hundred_decisions(default_encoder, make_pairs):
    seconds = forecast_seconds(default_encoder, make_pairs(100), TrainOptions(epochs=1))
    assert 1 < seconds < 300
