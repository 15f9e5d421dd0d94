"""Questions in words to a project of made texts: by words alone, and by words and meaning."""

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.bench.importing import import_into, write_table
from core.bench.made import made_texts
from core.bench.questions import asked_words
from core.encoders import Encoder, load_encoder
from core.folders import encoder_folder
from core.options import SearchOptions
from core.progress import Progress, Steps, run_to_end
from core.store import Project
from core.store.vectors import VectorBatch
from core.workflows.search_desk import SearchDesk
from core.workflows.searching import search_corpus

QUESTIONS = 200
_SHOWN = 50  # texts, as a page asks for
_PART = 50_000  # vectors written at once


def time_words(
    vectors: NDArray[np.float32], encoder: str | Path, *, seed: int = 0
) -> Steps[dict[str, Any]]:
    """Time 200 questions to a project of as many made texts, whose vectors are these.

    Each question is asked once, on one thread as the window's are, with the texts and marks that
    a page shows. Vectors of another length than the encoder's are left out, and with them the
    questions by meaning.
    """
    with tempfile.TemporaryDirectory(prefix="samesense-bench-") as home:
        yield Progress("Making a project to search by words")
        bodies = made_texts(len(vectors), seed=seed)
        table, folder = Path(home) / "table.csv", Path(home) / "made.samesense"
        write_table(table, bodies)
        import_into(folder, table)
        questions = asked_words(bodies, QUESTIONS, seed=seed)
        del bodies
        with Project.open(folder) as project:
            loaded = load_encoder(encoder_folder(encoder), device="cpu", threads=1)
            can_mean = loaded.dimension == vectors.shape[1]
            if can_mean:
                give_vectors(project, vectors, loaded)
            desk = SearchDesk()
            told: dict[str, Any] = {}
            for by in ("words", "both") if can_mean else ("words",):
                _ask(project, "warm up", by, desk)
                waits = []
                for number, question in enumerate(questions):
                    yield Progress(f"Asking by {by}", number, len(questions), "questions")
                    begun = time.perf_counter()
                    _ask(project, question, by, desk)
                    waits.append((time.perf_counter() - begun) * 1000)
                told[f"{by}_ms_p50"] = float(np.median(waits))
                told[f"{by}_ms_p95"] = float(np.quantile(waits, 0.95))
            return told


def give_vectors(project: Project, vectors: NDArray[np.float32], loaded: Encoder) -> None:
    """Store the vectors for the texts of a project as if the encoder had made them."""
    record = project.vectors.encoder(
        loaded.fingerprint, name=loaded.name, folder=str(loaded.folder),
        dimension=loaded.dimension, precision=loaded.precision, settings=loaded.settings,
    )  # fmt: skip
    texts = project.texts.without_vector(record.id)
    for start in range(0, len(texts), _PART):
        some = texts[start : start + _PART]
        n = len(some)
        project.vectors.append(
            record,
            VectorBatch(
                some, vectors[start : start + n], np.ones(n, np.int32), np.ones(n, np.int32),
                np.zeros(n, np.bool_), np.empty((0, record.dimension), np.float32),
            ),
        )  # fmt: skip
    project.meta.set("encoder", str(record.id))


def _ask(project: Project, question: str, by: str, desk: SearchDesk) -> None:
    options = SearchOptions(by=by, count=_SHOWN)
    run_to_end(search_corpus(project, question, options, desk=desk))
