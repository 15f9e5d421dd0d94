"""Encode: a vector for each text that has none yet."""

import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from core.encoders import Encoded, Encoder, choose_precision, load_encoder
from core.errors import UserError
from core.folders import encoder_folder, folder_in_use
from core.options import EncodeOptions
from core.progress import Progress, Steps
from core.store import EncoderRecord, Project, VectorBatch
from core.workflows.recorded import recorded

_PAGE = 20_000
_SAMPLE = 512


@dataclass(frozen=True, slots=True)
class EncodeOutcome:
    """What encoding did."""

    added: int
    total: int  # texts with a vector now
    long: int  # of them longer than the model, read in windows
    unreadable: int
    encoder: str
    precision: str
    device: str
    why: str  # the reason for the precision
    rate: float  # texts per second, 0 when there was nothing to do


def encode_corpus(
    project: Project, options: EncodeOptions, *, take_into_use: bool = True
) -> Steps[EncodeOutcome]:
    """Give a vector to each text that has none of this encoder; what is done is kept.

    Yields at least every second or so. The encoder becomes the active one when all texts have
    a vector, or at once when the project had none; not so unless `take_into_use`.
    """
    return (
        yield from recorded(
            project,
            "encode",
            asdict(options),
            lambda run: _encode(project, options, run, take_into_use),
        )
    )


def _encode(
    project: Project, options: EncodeOptions, run: int, take_into_use: bool
) -> Steps[EncodeOutcome]:
    if project.texts.count() == 0:
        raise UserError(
            "The project holds no texts to encode.",
            "Import a file first, and name the column that holds its texts.",
        )
    folder = _folder(project, options.encoder)
    yield Progress("Loading the encoder")
    precision, why = yield from _precision(project, folder, options)
    encoder = load_encoder(
        folder, device=options.device, precision=precision, threads=_thread_limit()
    )
    record = project.vectors.encoder(
        encoder.fingerprint, name=_title(project, encoder.folder) or encoder.name,
        folder=str(encoder.folder), dimension=encoder.dimension, precision=encoder.precision,
        settings=encoder.settings, run=run,
    )  # fmt: skip
    if not project.vectors.is_whole(record):
        project.vectors.forget(record)
    first = project.active_encoder() is None
    if first:
        project.meta.set("encoder", str(record.id))
    started = time.monotonic()
    added = yield from _encode_waiting(project, encoder, record)
    seconds = time.monotonic() - started
    if take_into_use:
        project.meta.set("encoder", str(record.id))
    long, unreadable = project.vectors.marked(record.id)
    return EncodeOutcome(
        added, project.vectors.count(record.id), long, unreadable, record.name, record.precision,
        encoder.device, why, round(added / seconds, 1) if added else 0.0,
    )  # fmt: skip


def _title(project: Project, folder: Path) -> str:
    """What the encoder of a training is called wherever people read of it; else empty."""
    found = (
        one.name
        for one in project.trainings.listed()
        if (project.folder / one.folder).resolve() == folder.resolve()
    )
    return next(found, "")


def _folder(project: Project, wanted: str) -> Path:
    used = project.active_encoder()
    if used is not None and used.folder == wanted:
        return folder_in_use(wanted, name=used.name)
    return encoder_folder(wanted)


def _precision(project: Project, folder: Path, options: EncodeOptions) -> Steps[tuple[str, str]]:
    if options.precision != "auto":
        return options.precision, "It was asked for."
    used = project.active_encoder()
    if used is not None and Path(used.folder) == folder:
        return used.precision, "The texts before were encoded with it."
    yield Progress("Choosing the precision")
    choice = choose_precision(folder, options.device, project.texts.sample(_SAMPLE))
    return choice.precision, choice.why


def _encode_waiting(project: Project, encoder: Encoder, record: EncoderRecord) -> Steps[int]:
    waiting = project.texts.without_vector(record.id)
    done = 0
    yield Progress("Encoding texts", done, len(waiting), "texts")
    for ids, bodies in project.texts.stream(waiting, page=_PAGE):
        for part in encoder.encode_stream(bodies):
            if len(part.positions):
                project.vectors.append(record, _batch(ids, part))
                done += len(part.positions)
            yield Progress("Encoding texts", done, len(waiting), "texts")
    return done


def _batch(ids: np.ndarray[tuple[int], np.dtype[np.int64]], part: Encoded) -> VectorBatch:
    return VectorBatch(
        ids[part.positions], part.vectors, part.tokens, part.windows, part.unreadable,
        part.window_vectors,
    )  # fmt: skip


def _thread_limit() -> int | None:
    told = os.environ.get("SAMESENSE_THREADS")
    if told and not (told.isdecimal() and int(told)):
        raise UserError(
            f"SAMESENSE_THREADS is {told!r}, which is no number of threads.",
            "Set it to a whole number from 1, or leave it out.",
        )
    return int(told) if told else None
