"""The neighbour graph of the corpus: made once, then only new texts are compared with all."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import UserError
from core.pairs import Neighbours, nearest
from core.progress import Progress, Steps
from core.store import EncoderRecord, GraphTable, Project

NEAREST = 16


@dataclass(frozen=True, slots=True)
class Surroundings:
    """All texts in use with their vectors and nearest others, in the order of the vectors."""

    encoder: EncoderRecord
    texts: NDArray[np.int64]  # (n,)
    vectors: NDArray[np.float32]  # (n, d), memory-mapped where no text was dropped
    graph: Neighbours
    copies: NDArray[np.int64]  # (n,) rows that hold each text


def surroundings(project: Project) -> Steps[Surroundings]:
    """Find the nearest texts of every text, or read them where they are known."""
    encoder = encoder_of_all(project)
    table = project.vectors.table(encoder)
    in_use = project.texts.table()
    used = np.isin(table.texts, in_use.ids)
    texts, rows = table.texts[used], table.rows[used]
    whole = len(rows) == len(table.vectors)
    vectors = table.vectors if whole else np.array(table.vectors[rows])
    copies = in_use.rows[np.searchsorted(in_use.ids, texts)]
    graph = graph_before(project, encoder, texts)
    if graph is None or len(graph.index) < len(texts):
        yield Progress("Finding the nearest texts", 0, len(texts), "texts")
        graph = yield from nearest(vectors, k=NEAREST, known=graph)
        project.graphs.save(encoder.id, GraphTable(texts, graph.index, graph.cosine))
    return Surroundings(encoder, texts, vectors, graph, copies)


def graph_before(
    project: Project, encoder: EncoderRecord, texts: NDArray[np.int64]
) -> Neighbours | None:
    """The nearest of all of `texts`, or of the first of them, as far as they are known."""
    known = project.graphs.load(encoder.id)
    if known is None or not np.array_equal(known.texts, texts[: len(known.texts)]):
        return None
    return Neighbours(known.index, known.cosine)


def encoder_of_all(project: Project) -> EncoderRecord:
    """The active encoder; raise `UserError` where a text has no vector of it."""
    if project.texts.count() == 0:
        raise UserError("The project holds no texts yet.", "Import a file first.")
    encoder = project.active_encoder()
    if encoder is None or project.texts.without_vector(encoder.id).size:
        raise UserError(
            "Some texts have no vector yet.", "Run: samesense encode PROJECT, then do it again."
        )
    return encoder
