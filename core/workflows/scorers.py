"""What can score pairs, by the name that a person gives: an encoder's folder or a baseline."""

import gzip
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.cross import load_cross_encoder
from core.cross.folder import read_cross_folder
from core.encoders.fingerprint import fingerprint_of
from core.encoders.folder import read_folder
from core.encoders.loading import load_parts
from core.errors import UserError
from core.evaluation import (
    PairScorer,
    Scored,
    by_cross_encoder,
    by_vectors,
    by_words,
    raw_vectors,
)
from core.evaluation.baselines import (
    averaged_words,
    jaccard,
    last_layer_vectors,
    read_word_vectors,
    tf_idf_cosines,
    token_table,
    token_table_vectors,
)
from core.evaluation.similarities import Places, Vectors, similarities_of_pairs
from core.folders import encoder_folder
from core.pairs import words_of
from core.progress import Progress, Steps

BACKBONE_BASELINES = ("token-table", "raw-mean", "raw-cls")  # each may be followed by :FOLDER
WORD_BASELINES = ("tf-idf", "jaccard")
SCORERS_HELP = (
    "`default`, the folder of an encoder, cross:FOLDER for a cross-encoder, or a baseline: tf-idf, "
    "jaccard, glove:FILE, and token-table, raw-mean or raw-cls of the default encoder (or :FOLDER)."
)
_LONGEST_LINE = 1 << 20  # bytes; longer ones are no words


@dataclass(frozen=True, slots=True)
class NamedScorer:
    """A scorer and what an outcome says of it."""

    name: str
    scorer: PairScorer
    fingerprint: str | None = None  # of an encoder's files; baselines have none
    arithmetic: str = "fp32"


def open_scorer(
    name: str, *, device: str = "auto", precision: str = "fp32", both_orders: bool = False
) -> NamedScorer:
    """Return the scorer that `name` means; weights and words are loaded when it is first used.

    A cross-encoder reads each pair once, or with `both_orders` both ways round.
    A folder that is called like a baseline is named by its path (./tf-idf). Raises `UserError`
    where the folder or the file is not there.
    """
    kind, has_place, place = name.partition(":")
    if name in WORD_BASELINES:
        function = tf_idf_cosines if name == "tf-idf" else jaccard
        return NamedScorer(name, by_words(function, name), arithmetic="counted words")
    if kind == "glove" and has_place:
        return _glove(Path(place).expanduser())
    if kind == "cross" and has_place:
        return _cross(encoder_folder(place), device, precision, both_orders)
    if kind in BACKBONE_BASELINES:
        folder = encoder_folder(place or "default")
        source = _Backbone(folder, kind, device, precision)
        return NamedScorer(f"{kind} of {folder.name}", by_vectors(source), arithmetic=precision)
    folder = encoder_folder(name)
    described = read_folder(folder)
    return NamedScorer(
        name=folder.name,
        scorer=by_vectors(_Backbone(folder, "", device, precision)),
        fingerprint=fingerprint_of(described.folder, described.files, precision=precision),
        arithmetic=precision,
    )


@dataclass(frozen=True, slots=True)
class _Backbone:
    """Vectors of a folder: of the encoder, or of a baseline where `kind` names one."""

    folder: Path
    kind: str
    device: str
    precision: str

    def __call__(self, texts: Sequence[str]) -> Steps[Vectors]:
        yield Progress("Loading the encoder")
        parts = load_parts(self.folder, device=self.device, precision=self.precision)
        if self.kind == "token-table":
            return (yield from token_table_vectors(token_table(parts), parts.tokenizer, texts))
        if self.kind:
            pooling = self.kind.removeprefix("raw-")
            return (yield from last_layer_vectors(parts, texts, pooling=pooling))
        return (yield from raw_vectors(parts, texts))


def _cross(folder: Path, device: str, precision: str, both_orders: bool) -> NamedScorer:
    described = read_cross_folder(folder)

    def score(texts: Sequence[str], left: Places, right: Places) -> Steps[Scored]:
        yield Progress("Loading the cross-encoder")
        cross = load_cross_encoder(folder, device=device, precision=precision)
        scorer = by_cross_encoder(cross, both_orders=both_orders)
        return (yield from scorer(texts, left, right))

    fingerprint = fingerprint_of(described.folder, described.files, precision=precision)
    return NamedScorer(f"cross-encoder {folder.name}", score, fingerprint, precision)


def _glove(file: Path) -> NamedScorer:
    if not file.is_file():
        raise UserError(f"There is no file of word vectors {file}.", "Check its path.")

    def score(texts: Sequence[str], left: Places, right: Places) -> Steps[Scored]:
        wanted = {word for text in texts for word in words_of(text)}
        table = yield from read_word_vectors(_lines(file), wanted)
        averaged = averaged_words(texts, table)
        notes = [
            f"{averaged.unknown:,} of {averaged.known + averaged.unknown:,} words are not in "
            f"{file.name}; {averaged.without:,} of {len(texts):,} texts have none that is."
        ]
        if table.bad:
            line, why = table.told[0]
            notes.append(f"Bad lines in {file.name}: {table.bad:,}, first line {line}: {why}.")
        columns = similarities_of_pairs(averaged.vectors, left, right)
        return Scored(columns, tuple(notes))

    return NamedScorer(f"word vectors of {file.name}", score)


def _lines(file: Path) -> Iterator[bytes]:
    try:
        with gzip.open(file) if file.name.lower().endswith(".gz") else file.open("rb") as stream:
            while line := stream.readline(_LONGEST_LINE):
                yield line
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(f"The file {file} could not be read ({why}).") from error
