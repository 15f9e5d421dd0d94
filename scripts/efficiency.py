"""Print the efficiency table of Sentence-BERT for this machine: `python scripts/efficiency.py`.

Sentence-BERT (arXiv 1908.10084, section 7) tells sentences per second with and without sorting by
length, and what the closest pair of 10,000 sentences costs with an encoder and a cross-encoder.
The tables here are Markdown, of the same work on this machine:

- sentences per second, tokenizing included, sides in turn, medians: the mean of the model's own
  table of tokens (no layer runs), padded batches of 32 in file order, padded batches of 32 sorted
  by length ("smart batching"), and packed as the program encodes;
- the closest pair of 10,000: encoding and all cosines, measured; the cross-encoder's time for the
  49,995,000 pairs, extrapolated from the rate of the pairs that were scored.

Texts are made up, or those of `--file`. All sides get the same texts; those longer than the
encoder reads at once are left out, as the padded sides would cut what the program reads in windows.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.bench.asked import Asked
from core.bench.cross_folders import cross_folder
from core.bench.interleave import Timing, interleave
from core.bench.machine import Machine, measure_machine
from core.bench.rerank import made_pairs
from core.bench.texts import bench_texts
from core.cross import CrossEncoder, load_cross_encoder
from core.encoders import Encoder, load_encoder
from core.encoders.loading import EncoderParts, load_parts
from core.encoders.tokenizing import TextTokenizer
from core.folders import encoder_folder
from core.pairs import nearest
from core.progress import run_to_end

_BATCH = 32  # the paper's library has it by default
_CLOSEST = 10_000
_SCORED = 500  # pairs that tell the rate of a cross-encoder
_TABLE = "mean of the token table, no layers"
_NAIVE = f"padded, file order, batch {_BATCH}"
_SORTED = f"padded, sorted by length, batch {_BATCH}"
_PACKED = "packed (Samesense)"

Tokens = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Closest:
    """The closest pair of many texts, and the seconds it took."""

    texts: int
    encoding: float
    comparing: float
    cosine: float


def main() -> None:
    asked = _asked()
    machine = run_to_end(measure_machine())
    folder = encoder_folder(asked.encoder)
    encoder = load_encoder(folder)
    _say(_about(machine, encoder))
    bodies, told = _bodies(asked, encoder, asked.rows)
    encoder.encode(bodies[:_BATCH])  # what is only built at the first use
    timings = run_to_end(
        interleave(_sides(folder, encoder, bodies), title="Encoding", repeats=asked.repeats)
    )
    _say(f"\n{told}\n")
    _tell_rates(timings, len(bodies))
    many, told = _bodies(asked, encoder, asked.closest)
    closest = _closest_pair(encoder, many)
    with tempfile.TemporaryDirectory(prefix="samesense-bench-") as home:
        cross, about = cross_folder(asked.encoder, Path(home), seed=asked.seed)
        scorer = load_cross_encoder(cross)
        rate, scored = _pair_rate(scorer, many, seed=asked.seed)
    _say(f"\n{told} {about}\n")
    _tell_closest(closest, rate, scored)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Efficiency of encoding on this machine.")
    parser.add_argument("--file", type=Path, action="append", default=[])
    parser.add_argument("--text", action="append", default=[], help="a text column of the file")
    parser.add_argument("--rows", type=int, default=1_000, help="texts of the first table")
    parser.add_argument("--closest", type=int, default=_CLOSEST, help="texts of the second")
    parser.add_argument("--encoder", default="default")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def _bodies(asked: argparse.Namespace, encoder: Encoder, rows: int) -> tuple[list[str], str]:
    """Return texts that the encoder reads at once, and where they are from."""
    wish = Asked(rows, tuple(asked.file), tuple(asked.text), seed=asked.seed)
    texts = run_to_end(bench_texts(wish))
    room = encoder.max_tokens - encoder.tokenizer.specials
    read = [tokens for some in encoder.tokenizer.tokenize(texts.bodies) for tokens in some]
    kept = [body for body, tokens in zip(texts.bodies, read, strict=True) if len(tokens) <= room]
    middle = float(np.median([len(tokens) for tokens in read]))
    told = f"{texts.told} Half of them have up to {middle:.0f} tokens."
    if len(kept) < len(texts.bodies):
        told += f" {len(texts.bodies) - len(kept):,} longer than {room} tokens are left out."
    return kept, told


def _sides(folder: Path, encoder: Encoder, bodies: list[str]) -> dict[str, Callable[[], Floats]]:
    parts = replace(load_parts(folder), packed=False)
    parts.model.set_attn_implementation("sdpa")
    return {
        _PACKED: lambda: encoder.encode(bodies).vectors,
        _NAIVE: lambda: _padded(parts, bodies, by_length=False),
        _SORTED: lambda: _padded(parts, bodies, by_length=True),
        _TABLE: lambda: _table_means(parts, bodies),
    }


def _tokens(tokenizer: TextTokenizer, bodies: Sequence[str]) -> list[Tokens]:
    return [text for some in tokenizer.tokenize(bodies) for text in some]


def _padded(parts: EncoderParts, bodies: list[str], *, by_length: bool) -> Floats:
    """Encode as the paper's library did: batches of 32, each padded to its longest text."""
    tokens = [parts.tokenizer.with_specials(text) for text in _tokens(parts.tokenizer, bodies)]
    order = np.arange(len(tokens))
    if by_length:
        order = np.argsort([-len(text) for text in tokens], kind="stable")
    vectors = np.empty((len(tokens), parts.pooler.dimension), np.float32)
    for start in range(0, len(order), _BATCH):
        places = order[start : start + _BATCH]
        vectors[places] = _padded_batch(parts, [tokens[place] for place in places])
    return vectors


def _padded_batch(parts: EncoderParts, texts: list[Tokens]) -> Floats:
    import torch

    from core.encoders.packing import runs_of

    with torch.inference_mode():
        row = torch.from_numpy(np.concatenate(texts).astype(np.int64)).to(parts.place)
        runs = runs_of(np.array([len(text) for text in texts], np.int64))
        vectors: Floats = parts.pooler(parts.states(row, runs)).cpu().numpy()
    return vectors


def _table_means(parts: EncoderParts, bodies: list[str]) -> Floats:
    """Return the mean of each text's rows in the model's table of tokens, of length 1."""
    import torch

    tokens = _tokens(parts.tokenizer, bodies)
    lengths = np.array([len(text) for text in tokens], np.int64)
    starts = torch.from_numpy(np.cumsum(lengths) - lengths).to(parts.place)
    table = parts.model.get_input_embeddings().weight
    with torch.inference_mode():
        row = torch.from_numpy(np.concatenate(tokens).astype(np.int64)).to(parts.place)
        means = torch.nn.functional.embedding_bag(row, table, starts, mode="mean")
        vectors: Floats = torch.nn.functional.normalize(means.float(), dim=1).cpu().numpy()
    return vectors


def _closest_pair(encoder: Encoder, bodies: list[str]) -> Closest:
    begun = time.perf_counter()
    vectors = encoder.encode(bodies).vectors
    encoded = time.perf_counter()
    neighbours = run_to_end(nearest(vectors, k=1))
    best = float(neighbours.cosine.max())
    return Closest(len(bodies), encoded - begun, time.perf_counter() - encoded, best)


def _pair_rate(scorer: CrossEncoder, bodies: list[str], *, seed: int) -> tuple[float, int]:
    pairs = made_pairs(bodies, min(_SCORED, len(bodies)), seed=seed)
    scorer.score(pairs[:_BATCH])  # what is only built at the first use
    begun = time.perf_counter()
    scorer.score(pairs)
    return len(pairs) / (time.perf_counter() - begun), len(pairs)


def _about(machine: Machine, encoder: Encoder) -> str:
    names = ("python", "torch", "transformers")
    versions = ", ".join(f"{name} {machine.versions[name]}" for name in names)
    sets = ", ".join(machine.instruction_sets)
    return (
        f"{machine.processor}, {machine.cores} cores ({sets}), device {machine.device}, "
        f"{machine.threads} threads; {encoder.name} in {encoder.precision}; {versions}."
    )


def _tell_rates(timings: dict[str, Timing], texts: int) -> None:
    naive = timings[_NAIVE].seconds
    _say("| sentences per second | here | times file order | largest difference of a number |")
    _say("|---|---|---|---|")
    exact: Any = timings[_PACKED].outcome
    for name in (_TABLE, _NAIVE, _SORTED, _PACKED):
        timing = timings[name]
        apart = "other vectors" if name == _TABLE else f"{np.abs(timing.outcome - exact).max():.0e}"
        apart = "–" if name == _PACKED else apart
        _say(f"| {name} | {texts / timing.seconds:,.0f} | {naive / timing.seconds:.2f} | {apart} |")


def _tell_closest(closest: Closest, rate: float, scored: int) -> None:
    pairs = closest.texts * (closest.texts - 1) // 2
    hours = pairs / rate / 3_600
    _say(f"| the closest pair of {closest.texts:,} sentences | time |")
    _say("|---|---|")
    _say(f"| encode all | {closest.encoding:,.1f} s |")
    _say(f"| compare all {pairs:,} pairs exactly (best cosine {closest.cosine:.4f}) "
         f"| {closest.comparing:.2f} s |")  # fmt: skip
    _say(
        f"| cross-encoder over {pairs:,} pairs, extrapolated from {rate:,.1f} pairs/s "
        f"of {scored} scored | {hours:,.0f} h |"
    )


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
