"""The in-domain recipe with sentence-transformers' classes, on the same pairs and settings."""

import importlib
import importlib.util
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.bench.interleave import Measured
from core.bench.machine import Machine, work_device
from core.bench.peers import load_peer, peer_precisions, told_missing
from core.bench.train_peers import Lesson, by_length, own_randomness, trainer_side, warm_up
from core.examples import ScoredPairs
from core.options import TrainOptions

PEER = "sentence_transformers"
_NEEDED = ("accelerate", "datasets")
_BATCHES = (16, 32, 64, 128)
_SAMPLE = 384  # pairs to choose a batch size of labelling by


@dataclass(frozen=True, slots=True)
class Recipe:
    """What every side learns from and how; `silver` are the two columns of the new pairs."""

    folder: Path
    gold: ScoredPairs
    silver: tuple[tuple[str, ...], tuple[str, ...]]
    dev: ScoredPairs
    teacher: TrainOptions
    pupil: TrainOptions


def peer_recipes(
    recipe: Recipe, machine: Machine
) -> tuple[dict[str, Callable[[], Measured]], list[str]]:
    """Return the sides of the peer by name, and sentences about them.

    A side loads its models anew, times training and labelling with their tokenizing, and ends
    with Spearman's correlation over the held-out pairs.
    """
    library = load_peer(PEER)
    if library is None:
        return {}, [told_missing(PEER)]
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        return {}, [f"{' and '.join(missing)} are not installed, which its trainers need."]
    sides: dict[str, Callable[[], Measured]] = {}
    for name in peer_precisions(machine):
        for grouped in (False, True):
            told = f"CrossEncoderTrainer and SentenceTransformerTrainer, {name}"
            told += ", grouped by length" if grouped else ""
            sides[told] = _side(library, recipe, name, grouped=grouped)
    return sides, [
        "The peer labels in the batch size that is fastest on a sample, sorted by length as its "
        "predict does; its saving, logging, evaluation and model cards are off."
    ]


def _side(library: Any, recipe: Recipe, precision: str, *, grouped: bool) -> Callable[[], Measured]:
    def run() -> Measured:
        seconds = []
        model = _cross_encoder(library, recipe)
        seconds.append(_train_cross(library, model, recipe, precision, grouped=grouped))
        pairs = list(zip(*recipe.silver, strict=True))
        size = _best_size(model, pairs)
        begun = time.perf_counter()
        labels = model.predict(pairs, batch_size=size, show_progress_bar=False)
        seconds.append(time.perf_counter() - begun)
        both = ScoredPairs(
            recipe.gold.left + recipe.silver[0], recipe.gold.right + recipe.silver[1],
            np.concatenate((recipe.gold.score, np.clip(labels, 0, 1))).astype(np.float32),
        )  # fmt: skip  # two columns and the scores
        lesson = Lesson(recipe.folder, both, recipe.dev, recipe.pupil)
        learnt = trainer_side(library, lesson, precision, grouped=grouped)()
        seconds.append(learnt.seconds)
        return Measured(sum(seconds), {"seconds": seconds, "dev": learnt.outcome})

    return run


def _cross_encoder(library: Any, recipe: Recipe) -> Any:
    import torch

    torch.manual_seed(recipe.teacher.seed)
    return library.CrossEncoder(
        str(recipe.folder), num_labels=1, local_files_only=True, device=work_device()
    )


def _train_cross(
    library: Any, model: Any, recipe: Recipe, precision: str, *, grouped: bool
) -> float:
    import transformers

    datasets = importlib.import_module("datasets")
    datasets.disable_progress_bars()
    module = importlib.import_module("sentence_transformers.cross_encoder")
    losses = importlib.import_module("sentence_transformers.cross_encoder.losses")
    data, options = recipe.gold, recipe.teacher
    table = datasets.Dataset.from_dict(
        {"sentence1": list(data.left), "sentence2": list(data.right),
         "label": [float(score) for score in data.score]}
    )  # fmt: skip  # columns as its documentation names them
    lesson = Lesson(recipe.folder, data, recipe.dev, options)
    with tempfile.TemporaryDirectory(prefix="samesense-bench-") as home, own_randomness():
        told = module.CrossEncoderTrainingArguments(
            output_dir=home,
            num_train_epochs=options.epochs,
            per_device_train_batch_size=options.batch,
            learning_rate=options.rate,
            warmup_steps=warm_up(lesson),
            lr_scheduler_type=options.schedule,
            weight_decay=options.weight_decay,
            max_grad_norm=1.0,
            optim="adamw_torch_fused",
            seed=options.seed,
            use_cpu=work_device() == "cpu",
            bf16=precision == "bf16",
            fp16=precision == "fp16",
            save_strategy="no",
            eval_strategy="no",
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
            dataloader_pin_memory=work_device() != "cpu",
            **({"batch_sampler": by_length(data)} if grouped else {}),
        )
        trainer = module.CrossEncoderTrainer(
            model=model, args=told, train_dataset=table, loss=losses.BinaryCrossEntropyLoss(model)
        )
        for callback in (trainer.model_card_callback_class, transformers.PrinterCallback):
            trainer.remove_callback(callback)
        begun = time.perf_counter()
        trainer.train()
        return time.perf_counter() - begun


def _best_size(model: Any, pairs: list[tuple[str, str]]) -> int:
    """The batch size that is fastest on a sample; choosing it is not counted."""
    sample = pairs[:: max(1, len(pairs) // _SAMPLE)][:_SAMPLE]
    seconds = {}
    for size in _BATCHES:
        begun = time.perf_counter()
        model.predict(sample, batch_size=size, show_progress_bar=False)
        seconds[size] = time.perf_counter() - begun
    return min(seconds, key=lambda size: seconds[size])
