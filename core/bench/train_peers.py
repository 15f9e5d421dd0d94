"""Teaching with sentence-transformers, on the same pairs with the same settings.

Its trainer needs two packages more, accelerate and datasets; where they are missing its older
loop, `old_fit`, takes their place. Saving, evaluating, logging and the model's card are off.
"""

import importlib.util
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.bench.interleave import Measured
from core.bench.machine import Machine, work_device
from core.bench.peers import load_peer, peer_precisions, told_missing
from core.evaluation import spearman
from core.examples import ScoredPairs
from core.options import TrainOptions
from core.training.batches import planned_steps

PEER = "sentence_transformers"
TRAINER, OLD_LOOP = "SentenceTransformerTrainer", "sentence-transformers' old_fit"
_NEEDED = ("accelerate", "datasets")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What every side learns from and how, and the pairs it is judged by."""

    folder: Path
    data: ScoredPairs
    dev: ScoredPairs
    options: TrainOptions


def peer_lessons(
    lesson: Lesson, machine: Machine
) -> tuple[dict[str, Callable[[], Measured]], list[str]]:
    """Return the sides of the peer by name, and sentences about them.

    A side loads its model anew, times nothing but the training with its tokenizing, and ends
    with Spearman's correlation over the held-out pairs.
    """
    library = load_peer(PEER)
    if library is None:
        return {}, [told_missing(PEER)]
    precisions = list(peer_precisions(machine))
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        half = [name for name in precisions if name == "fp16"]  # its loop knows no bf16
        sides = {f"{OLD_LOOP}, fp32": _old_loop(library, lesson, half=False)}
        if half:
            sides[f"{OLD_LOOP}, fp16"] = _old_loop(library, lesson, half=True)
        said = f"{' and '.join(missing)} are not installed, so its trainer gives way to old_fit."
        return sides, [said]
    sides = {}
    for name in precisions:
        sides[f"{TRAINER}, {name}"] = trainer_side(library, lesson, name, grouped=False)
        sides[f"{TRAINER}, {name}, grouped by length"] = trainer_side(
            library, lesson, name, grouped=True
        )
    return sides, [
        "Grouped by length is transformers' LengthGroupedSampler as its batch sampler; "
        "AdamW fused, its saving, logging, evaluation and model card off."
    ]


def trainer_side(
    library: Any, lesson: Lesson, precision: str, *, grouped: bool
) -> Callable[[], Measured]:
    """Return its trainer in a precision, its batches grouped by the lengths of texts or not."""

    def train() -> Measured:
        import transformers

        datasets = importlib.import_module("datasets")
        datasets.disable_progress_bars()

        data, options = lesson.data, lesson.options
        table = datasets.Dataset.from_dict(
            {"sentence1": list(data.left), "sentence2": list(data.right),
             "score": [float(score) for score in data.score]}
        )  # fmt: skip  # columns as its documentation names them
        model = _model(library, lesson.folder)
        with tempfile.TemporaryDirectory(prefix="samesense-bench-") as home, own_randomness():
            told = library.SentenceTransformerTrainingArguments(
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
            trainer = library.SentenceTransformerTrainer(
                model=model, args=told, train_dataset=table, loss=_loss(model)
            )
            for callback in (trainer.model_card_callback_class, transformers.PrinterCallback):
                trainer.remove_callback(callback)
            begun = time.perf_counter()
            trainer.train()
            seconds = time.perf_counter() - begun
        return Measured(seconds, _judged(model, lesson.dev))

    return train


def by_length(data: ScoredPairs) -> Callable[..., Any]:
    """Return what makes batches of pairs of about the same length."""

    def sampler(dataset: Any, *, batch_size: int, drop_last: bool, **_: Any) -> Any:
        from torch.utils.data import BatchSampler
        from transformers.trainer_pt_utils import LengthGroupedSampler

        # What fills a batch up is the longest text of either column.
        lengths = [max(len(left), len(right)) for left, right in zip(*data.columns, strict=True)]
        return BatchSampler(
            LengthGroupedSampler(batch_size, dataset=dataset, lengths=lengths),
            batch_size=batch_size,
            drop_last=drop_last,
        )

    return sampler


def _old_loop(library: Any, lesson: Lesson, *, half: bool) -> Callable[[], Measured]:
    def train() -> Measured:
        from torch.utils.data import DataLoader

        data, options = lesson.data, lesson.options
        model = _model(library, lesson.folder)
        examples = [
            library.InputExample(texts=[left, right], label=float(score))
            for left, right, score in zip(data.left, data.right, data.score, strict=True)
        ]
        scheduler = {"linear": "warmuplinear", "constant": "warmupconstant"}[options.schedule]
        with own_randomness():
            import torch

            torch.manual_seed(options.seed)
            batches: Any = DataLoader(examples, shuffle=True, batch_size=options.batch)  # type: ignore[arg-type]  # a list is a data set
            begun = time.perf_counter()
            model.old_fit(
                [(batches, _loss(model))],
                epochs=options.epochs,
                scheduler=scheduler,
                warmup_steps=warm_up(lesson),
                optimizer_params={"lr": options.rate, "fused": True},
                weight_decay=options.weight_decay,
                max_grad_norm=1.0,
                use_amp=half,
                show_progress_bar=False,
            )
            seconds = time.perf_counter() - begun
        return Measured(seconds, _judged(model, lesson.dev))

    return train


def _model(library: Any, folder: Path) -> Any:
    return library.SentenceTransformer(str(folder), device=work_device(), local_files_only=True)


def _loss(model: Any) -> Any:
    place = "sentence_transformers.sentence_transformer.losses"
    try:
        losses = importlib.import_module(place)
    except ImportError:  # before release 6
        losses = importlib.import_module("sentence_transformers.losses")
    return losses.CosineSimilarityLoss(model)


def warm_up(lesson: Lesson) -> int:
    """Steps of the warm-up, as many as ours."""
    steps = planned_steps([len(lesson.data)], lesson.options, has_background=False)
    return max(1, round(lesson.options.warm_up * steps))


def _judged(model: Any, dev: ScoredPairs) -> float:
    left, right = (
        model.encode(list(side), show_progress_bar=False, normalize_embeddings=True)
        for side in dev.columns
    )
    return float(spearman(dev.score, np.einsum("ij,ij->i", left, right)))


@contextmanager
def own_randomness() -> Iterator[None]:
    """Leave the random states as they were, which the trainer sets for the whole process."""
    import random

    import torch

    states = random.getstate(), np.random.get_state()
    try:
        with torch.random.fork_rng():
            yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
