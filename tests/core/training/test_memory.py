"""The forecast of memory, and the refusal of what does not fit."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import psutil
import pytest

from core.errors import UserError
from core.examples import ScoredPairs
from core.options import TrainOptions
from core.training import forecast_memory, memory, refuse_without_memory
from core.training.memory import MemoryForecast, bytes_told, shape_from

OPTIONS = TrainOptions(gradient_checkpointing="off")
NUMBERS = 4  # bytes of one in fp32
FACTOR = 1.5  # between forecast and peak, either way


@pytest.fixture
def free(monkeypatch):
    """Say how much memory is free."""

    def say(size):
        told = psutil.virtual_memory()._replace(available=size)
        monkeypatch.setattr(psutil, "virtual_memory", lambda: told)

    return say


def test_weights_and_all_that_goes_with_them_are_counted(tiny_encoder):
    from core.training.learner import load_learner

    weights = dict(load_learner(tiny_encoder, device="cpu").named())
    count = sum(weight.numel() for weight in weights.values())
    largest = max(weight.numel() for weight in weights.values())
    told = forecast_memory(tiny_encoder, OPTIONS, device="cpu")
    assert told.weights == told.best == NUMBERS * count
    assert told.gradients == NUMBERS * (count + largest)
    assert told.moments == 2 * NUMBERS * count
    assert told.total == told.on_device > 5 * NUMBERS * count


def test_frozen_layers_take_no_gradients_and_no_moments(tiny_encoder):
    everything, frozen = (
        forecast_memory(tiny_encoder, replace(OPTIONS, frozen_layers=layers), device="cpu")
        for layers in (None, 1)
    )
    assert frozen.weights == everything.weights
    assert frozen.moments < everything.moments / 2
    assert frozen.activations < everything.activations


def test_computing_twice_takes_less_for_activations_alone(default_encoder):
    kept, twice = (
        forecast_memory(default_encoder, replace(OPTIONS, gradient_checkpointing=way), device="cpu")
        for way in ("off", "on")
    )
    assert twice.activations < kept.activations / 2
    assert replace(twice, activations=0, gradient_checkpointing=False, free=0, free_main=0) == (
        replace(kept, activations=0, free=0, free_main=0)
    )


def test_a_long_example_counts_whole_where_portions_are_small(default_encoder, monkeypatch):
    monkeypatch.setattr(memory, "CPU_WORK", 1e9)  # a machine that takes few tokens at once
    short, long = (
        forecast_memory(
            default_encoder, OPTIONS, device="cpu",
            data=ScoredPairs((text,), (text,), np.ones(1, np.float32)),
        )
        for text in ("a bike", "a bike " * 10_000)
    )  # fmt: skip  # arguments
    assert long.activations > 4 * short.activations


def test_where_memory_is_short_auto_computes_twice(default_encoder, free):
    kept = forecast_memory(default_encoder, OPTIONS, device="cpu")
    free(kept.total - 1)
    auto = replace(OPTIONS, gradient_checkpointing="auto")
    told = forecast_memory(default_encoder, auto, device="cpu")
    assert told.gradient_checkpointing and told.fits
    free(kept.total)
    assert not forecast_memory(default_encoder, auto, device="cpu").gradient_checkpointing


def test_a_model_too_large_for_the_memory_is_refused_with_the_forecast_and_what_to_do(
    tiny_encoder, free
):
    free(1_000)
    told = forecast_memory(tiny_encoder, OPTIONS, device="cpu")
    with pytest.raises(UserError) as fault:
        refuse_without_memory(told, name="bert")
    what, remedy = fault.value.what, fault.value.remedy
    assert bytes_told(told.total) in what
    assert bytes_told(told.moments) + " for the optimiser" in what
    for way in ("freeze layers", "gradient checkpointing", "smaller encoder"):
        assert way in remedy


def test_the_remedy_names_nothing_that_is_done_already(tiny_encoder, free):
    free(1_000)
    options = replace(OPTIONS, gradient_checkpointing="on")
    with pytest.raises(UserError) as fault:
        refuse_without_memory(forecast_memory(tiny_encoder, options, device="cpu"), name="bert")
    assert "gradient checkpointing" not in fault.value.remedy


def test_what_lies_in_main_memory_is_not_asked_of_a_card():
    told = MemoryForecast("cuda:0", 4, 8, 8, 4, 12, 100, False, free=120, free_main=16)
    assert (told.on_device, told.total, told.fits) == (120, 136, True)
    assert not replace(told, free_main=15).fits
    assert not replace(told, free=119).fits
    with pytest.raises(UserError, match="free in main memory"):
        refuse_without_memory(replace(told, free_main=15), name="it")
    with pytest.raises(UserError, match="free on cuda:0"):
        refuse_without_memory(replace(told, free=119), name="it")


def test_the_shapes_of_architectures_are_read_whatever_their_words():
    bert = {"num_hidden_layers": 6, "hidden_size": 384, "intermediate_size": 1536}
    distilbert = {"n_layers": 6, "dim": 384, "hidden_dim": 1536}
    one = shape_from({**bert, "num_attention_heads": 12})
    assert one == shape_from({**distilbert, "n_heads": 12})
    assert shape_from(bert) is None


_PEAK = """
import json, sys
from dataclasses import asdict
from pathlib import Path
import numpy as np
from core.bench.made import made_texts
from core.examples import ScoredPairs
from core.freed_memory import give_freed_memory_back
from core.options import TrainOptions
from core.progress import run_to_end
from core.training import forecast_memory
from core.training.checkpoints import Checkpoint
from core.training.encoder_pupil import EncoderPupil
from core.training.fitting import fit
from core.training.learner import load_learner
from core.training.tasks import by_scores

folder, home, twice = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
options = TrainOptions(epochs=1, batch=16, hold=0, gradient_checkpointing=twice)
texts = made_texts(32)
data = ScoredPairs(tuple(texts[:16]), tuple(texts[16:]), np.ones(16, np.float32))
forecast = forecast_memory(folder, options, data=data, device="cpu")
load_learner(Path(sys.argv[4]), device="cpu")  # what the libraries take for themselves

def resident(name):
    told = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith(name)) * 1024

def teach():
    pupil = EncoderPupil(load_learner(folder, device="cpu", options=options))
    checkpoint = Checkpoint(home / "c", "one", every_s=0)
    run_to_end(fit(pupil, by_scores(data, options), checkpoint=checkpoint))

give_freed_memory_back()
Path("/proc/self/clear_refs").write_text("5")  # the kernel forgets the highest so far
before = resident("VmRSS")
teach()
peak = resident("VmHWM") - before
print(json.dumps({"peak": peak, "forecast": forecast.total, **asdict(forecast)}))
"""


@pytest.fixture(scope="module")
def middling(tmp_path_factory, request):
    """An encoder of 13 million weights, so that memory is its own and not the libraries'."""
    import torch
    import transformers

    tiny = request.path.parents[2] / "models" / "bert"
    folder = tmp_path_factory.mktemp("models") / "middling"
    config = transformers.AutoConfig.from_pretrained(
        str(tiny), num_hidden_layers=4, hidden_size=512, intermediate_size=2_048,
        num_attention_heads=8,
    )  # fmt: skip  # its shape
    with torch.random.fork_rng():
        torch.manual_seed(0)
        transformers.AutoModel.from_config(config).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((tiny / name).read_bytes())
    return folder


@pytest.mark.slow  # two processes that load the libraries anew
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is told by Linux")
@pytest.mark.parametrize("twice", ["off", "on"])
def test_the_peak_of_a_real_training_is_what_was_forecast(middling, model, tmp_path, twice):
    words = [str(middling), str(tmp_path), twice, str(model("bert"))]
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, *words], capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["forecast"] / FACTOR <= told["peak"] <= told["forecast"] * FACTOR, told
