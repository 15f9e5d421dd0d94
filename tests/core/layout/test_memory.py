from core.layout.memory import bytes_needed, texts_that_fit


def test_a_million_texts_of_the_default_encoder_take_less_than_20_gigabytes():
    assert bytes_needed(1_000_000, 384, neighbours=15) < 20e9


def test_as_many_texts_fit_as_memory_is_needed_for():
    needed = bytes_needed(12_345, 768, neighbours=15)
    assert texts_that_fit(needed, 768, neighbours=15) == 12_345


def test_nothing_fits_into_nothing():
    assert texts_that_fit(-1, 384, neighbours=15) == 0
