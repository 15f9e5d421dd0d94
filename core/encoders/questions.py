"""One short text at a time through a plain BERT, in numpy: ready in a moment after the start.

torch and transformers take seconds to load and half a gigabyte to hold. A question typed into the
search field needs neither: a dozen tokens through six small layers take numpy some 20 ms. The
numbers are those of the encoder to 1e-5. Whatever is not plain (another architecture, pooling or
prompt, odd weights, a long text) is left to the encoder itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.encoders.folder import EncoderFolder, Normalizing, read_folder, read_json
from core.processor import numpy_threads

Floats = NDArray[np.float32]
Weights = Callable[[str], Floats]

_PLAIN = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
}
_USUAL_MAX_TOKENS = 512


@dataclass(frozen=True, slots=True)
class QuestionReader:
    """A plain BERT with mean pooling, and its tokenizer."""

    tokenizer: Any  # tokenizers.Tokenizer
    max_tokens: int
    embed: Callable[[NDArray[np.int64]], Floats]
    layers: tuple[Callable[[Floats], Floats], ...]

    def read(self, text: str) -> Floats | None:
        """The vector (d,) of a text, of length 1; None where it is too long or comes to nothing."""
        told = text.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair has no form
        tokens = np.array(self.tokenizer.encode(told).ids, np.int64)
        bare = self.tokenizer.encode(told, add_special_tokens=False).ids
        if not bare or len(tokens) > self.max_tokens:
            return None
        with numpy_threads(1):  # on a busy machine, two wait for each other a hundred times over
            states = self.embed(tokens)
            for layer in self.layers:
                states = layer(states)
        mean = states.mean(axis=0)
        vector: Floats = mean / max(float(np.linalg.norm(mean)), 1e-12)
        return vector if np.isfinite(vector).all() else None


def read_questions(folder: Path) -> QuestionReader | None:
    """Load what questions need of an encoder's folder; None where the encoder itself is needed.

    Raises `UserError` where the folder is no encoder.
    """
    described = read_folder(folder)
    place = described.transformer
    config = read_json(place / "config.json")
    if not _is_plain(described, config):
        return None
    try:
        return _load(described, config)
    except (KeyError, ValueError, TypeError, OSError):
        return None  # the encoder tells what is wrong, or can do what this cannot


def _is_plain(described: EncoderFolder, config: dict[str, Any]) -> bool:
    place = described.transformer
    whole = (place / "model.safetensors").is_file() and (place / "tokenizer.json").is_file()
    plain = all(config.get(name, usual) == usual for name, usual in _PLAIN.items())
    steps = all(isinstance(step, Normalizing) for step in described.steps)
    read_as_is = not described.prompt and not described.lower_case
    return (
        whole and plain and "model_type" in config and steps and read_as_is
        and described.poolings == ("mean",) and _says_one_thing(place)
    )  # fmt: skip


def _says_one_thing(place: Path) -> bool:
    """Whether the tokenizer's two files agree; transformers lets the second change the first."""
    told = place / "tokenizer_config.json"
    if not told.is_file():
        return False
    config, normalizer = read_json(told), read_json(place / "tokenizer.json").get("normalizer")
    if not normalizer or normalizer.get("type") != "BertNormalizer":
        return False
    return all(
        config.get(name, usual) == normalizer.get(as_named, usual)
        for name, as_named, usual in (
            ("do_lower_case", "lowercase", True),
            ("strip_accents", "strip_accents", None),
            ("tokenize_chinese_chars", "handle_chinese_chars", True),
        )
    )


def _load(described: EncoderFolder, config: dict[str, Any]) -> QuestionReader:
    from tokenizers import Tokenizer

    place = described.transformer
    weights = _weights(place / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(place / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    heads, epsilon = int(config["num_attention_heads"]), float(config["layer_norm_eps"])
    positions = int(config["max_position_embeddings"])
    return QuestionReader(
        tokenizer=tokenizer,
        max_tokens=min(described.max_tokens or _USUAL_MAX_TOKENS, positions),
        embed=_embedding(weights, epsilon),
        layers=tuple(
            _layer(weights, f"encoder.layer.{number}.", heads, epsilon)
            for number in range(int(config["num_hidden_layers"]))
        ),
    )


def _weights(file: Path) -> Weights:
    from safetensors.numpy import load_file

    held = load_file(file)
    before = "bert." if "bert.embeddings.word_embeddings.weight" in held else ""

    def weight(name: str) -> Floats:
        return np.ascontiguousarray(held[before + name], np.float32)

    return weight


def _embedding(weights: Weights, epsilon: float) -> Callable[[NDArray[np.int64]], Floats]:
    words = weights("embeddings.word_embeddings.weight")
    others = weights("embeddings.position_embeddings.weight")
    others = others + weights("embeddings.token_type_embeddings.weight")[0]
    norm = _norm(weights, "embeddings.LayerNorm", epsilon)
    return lambda tokens: norm(words[tokens] + others[: len(tokens)])


def _layer(weights: Weights, name: str, heads: int, epsilon: float) -> Callable[[Floats], Floats]:
    query, key, value = (
        _linear(weights, f"{name}attention.self.{part}") for part in ("query", "key", "value")
    )
    joined = _linear(weights, f"{name}attention.output.dense")
    after_attention = _norm(weights, f"{name}attention.output.LayerNorm", epsilon)
    wide = _linear(weights, f"{name}intermediate.dense")
    narrow = _linear(weights, f"{name}output.dense")
    after = _norm(weights, f"{name}output.LayerNorm", epsilon)

    def by_head(states: Floats) -> Floats:
        split: Floats = states.reshape(len(states), heads, -1).transpose(1, 0, 2)
        return split

    def run(states: Floats) -> Floats:
        q, k, v = by_head(query(states)), by_head(key(states)), by_head(value(states))
        scores = q @ k.transpose(0, 2, 1) / np.float32(np.sqrt(q.shape[2]))
        scores = np.exp(scores - scores.max(axis=2, keepdims=True))
        scores /= scores.sum(axis=2, keepdims=True)
        mixed = (scores @ v).transpose(1, 0, 2).reshape(len(states), -1)
        states = after_attention(joined(mixed) + states)
        return after(narrow(_gelu(wide(states))) + states)

    return run


def _linear(weights: Weights, name: str) -> Callable[[Floats], Floats]:
    matrix, bias = weights(f"{name}.weight").T, weights(f"{name}.bias")
    return lambda states: states @ matrix + bias


def _norm(weights: Weights, name: str, epsilon: float) -> Callable[[Floats], Floats]:
    scale, shift = weights(f"{name}.weight"), weights(f"{name}.bias")

    def norm(states: Floats) -> Floats:
        mean = states.mean(axis=1, keepdims=True)
        spread = states.var(axis=1, keepdims=True)
        normed: Floats = (states - mean) / np.sqrt(spread + np.float32(epsilon)) * scale + shift
        return normed

    return norm


def _gelu(x: Floats) -> Floats:
    """x times the normal distribution's share below it; erf by Abramowitz and Stegun, 7.1.26.

    That formula errs by 1.5e-7 at most.
    """
    z = np.abs(x.astype(np.float64)) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    erf = np.copysign(1 - series * np.exp(-z * z), x)
    share: Floats = (x * (0.5 * (1 + erf))).astype(np.float32)
    return share
