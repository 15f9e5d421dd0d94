"""What a search by meaning needs, kept between two questions."""

import numpy as np
from numpy.typing import NDArray

from core.encoders import Encoder, load_encoder
from core.encoders.questions import QuestionReader, read_questions
from core.folders import folder_in_use
from core.progress import Progress, Steps
from core.search import SearchIndex
from core.store import EncoderRecord, Project


class SearchDesk:
    """The encoder, the index and the vectors of a project in memory."""

    def __init__(self) -> None:
        self._reader: QuestionReader | None = None
        self._encoder: Encoder | None = None  # only where the reader does not do
        self._loaded = ""  # the fingerprint under which the corpus names the encoder
        self._record: EncoderRecord | None = None
        self._state: tuple[int, int] = (-1, -1)
        self._index: SearchIndex | None = None
        self._vectors: NDArray[np.float32] | None = None  # memory-mapped
        self._text_of = np.empty(0, np.int64)  # by row of the matrix, -1 where a text is gone
        self._in_use: NDArray[np.int64] | None = None  # rows, where some texts are gone
        self._waiting = 0

    def load(self, project: Project, *, encoder: bool = True) -> Steps[bool]:
        """Load what is not loaded yet; False where nothing is encoded.

        Without `encoder` only vectors are loaded, which is all that nearest texts need.

        Takes a moment, but seconds where the encoder is not plain; after new texts only their
        vectors are added to the index.
        """
        record = project.active_encoder()
        if record is None or project.vectors.rows(record.id) == 0:
            return False
        if encoder and self._loaded != record.fingerprint:
            yield Progress("Loading the encoder")
            self._encoder = None
            self._reader = read_questions(folder_in_use(record.folder, name=record.name))
            if self._reader is None:
                self._encoder = _whole_encoder(record)
            self._loaded = record.fingerprint
        state = (project.meta.revision("corpus"), project.vectors.rows(record.id))
        if self._record != record or self._state != state:
            yield Progress("Loading the vectors")
            self._load_vectors(project, record)
            self._record, self._state = record, state
        return True

    @property
    def waiting(self) -> int:
        """How many texts had no vector when the vectors were loaded."""
        return self._waiting

    def encode(self, project: Project, text: str) -> Steps[NDArray[np.float32]]:
        """The vector of a question; a very long one waits for the encoder to be loaded."""
        found = None if self._reader is None else self._reader.read(text)
        if found is not None:
            return found
        record = project.active_encoder()
        if self._encoder is None and record is not None:
            yield Progress("Loading the encoder")
            self._encoder = _whole_encoder(record)
        if self._encoder is None:
            raise RuntimeError("the encoder is not loaded")
        vector: NDArray[np.float32] = self._encoder.encode([text]).vectors[0]
        return vector

    def vector_of(self, text: int) -> NDArray[np.float32] | None:
        """The vector of a text of the corpus, None where it has none."""
        if self._vectors is None:
            return None
        at = np.flatnonzero(self._text_of == text)
        return np.array(self._vectors[at[0]]) if len(at) else None

    def nearest(
        self, query: NDArray[np.float32], *, count: int, among: NDArray[np.int64] | None
    ) -> list[tuple[int, float]]:
        """The texts nearest to a vector with their cosines, best first; of `among` if given."""
        if self._index is None or self._vectors is None:
            raise RuntimeError("the vectors are not loaded")
        rows = self._in_use
        if among is not None:
            rows = np.flatnonzero(np.isin(self._text_of, among))
        found, cosines = self._index.search(query, self._vectors, k=count, among=rows)
        return [
            (int(text), float(cosine))
            for text, cosine in zip(self._text_of[found], cosines, strict=True)
        ]

    def _load_vectors(self, project: Project, record: EncoderRecord) -> None:
        vectors, texts, rows = project.vectors.text_rows(record)
        kept = self._index if self._record == record else _kept(project, record)
        known = 0 if kept is None else kept.rows
        # Of vectors that are the fewer part of all, an index need not suit the others.
        if kept is None or known > len(vectors) or known * 2 < len(vectors):
            kept = SearchIndex.build(vectors)
        elif known < len(vectors):
            kept.add(vectors[known:])
        if kept.rows != known:
            project.indexes.save(record.id, kept.to_bytes())
        self._index, self._vectors = kept, vectors
        self._text_of = np.full(len(vectors), -1, np.int64)
        self._text_of[rows] = texts
        self._in_use = rows if len(rows) < len(vectors) else None
        self._waiting = project.texts.count() - len(texts)


def _whole_encoder(record: EncoderRecord) -> Encoder:
    # In fp32 whatever the corpus was encoded in: one text costs next to nothing.
    return load_encoder(folder_in_use(record.folder, name=record.name), device="cpu", threads=1)


def _kept(project: Project, record: EncoderRecord) -> SearchIndex | None:
    """The index kept beside the vectors, None where there is none or another's."""
    held = project.indexes.load(record.id)
    if held is None:
        return None
    try:
        return SearchIndex.from_bytes(held)
    except ValueError:
        return None
