"""A model that fills in masked words, and what it proposes for words of texts. Loads torch late."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.encoders.batching import fitting, within_memory
from core.encoders.folder import read_folder, read_json
from core.encoders.tokenizing import TextTokenizer
from core.encoders.transformer import (
    libraries,
    load_config,
    load_tokenizer,
    load_weights,
    most_tokens,
    moved_to,
    refuse_missing,
    resolve_device,
    text_tokenizer,
    token_budget,
)
from core.errors import UserError
from core.training.forecast import sizes_of_weights
from core.training.replaceable_words import Word, folded, is_plain_word, words_between_blanks

# What every masked-language head has beside the table of words, whose weights it may share.
_HEADS = (
    "cls.predictions.transform.dense.weight",  # BERT, DeBERTa
    "lm_head.dense.weight",  # RoBERTa, XLM-R, MPNet
    "vocab_transform.weight",  # DistilBERT
    "generator_predictions.dense.weight",  # ELECTRA's generator
    "predictions.dense.weight",  # ALBERT
)
_MODERN = ("head.dense.weight", "decoder.bias")  # ModernBERT, whose classifiers have the first too
_ENDINGS = ("ForMaskedLM", "ForPreTraining", "Model")  # of architectures that may have one
_LOGITS = 64_000_000  # at once: a quarter of a GiB in fp32
_SHORTEST = 2  # characters of a proposal; single letters are pieces more often than words
_SPELLINGS = 8  # proposals that may be the word itself, written otherwise


@dataclass(frozen=True, slots=True)
class Read:
    """A text as the model reads it: tokens, and the words among them."""

    tokens: NDArray[np.int32]  # of the first window, without special tokens
    words: tuple[Word, ...]  # that lie in it whole
    places: tuple[tuple[int, int], ...]  # of each word's tokens


@dataclass(frozen=True, slots=True)
class Proposals:
    """Words for each masked place, the likeliest first, and their shares."""

    words: tuple[str, ...]
    shares: NDArray[np.float64]  # sum up to 1


def masked_head_of(folder: Path) -> bool:
    """Whether the encoder in `folder` still has the head that fills in masked words.

    Only the configuration and the names of the weights are read. Raises `UserError` for a bad
    folder.
    """
    described = read_folder(folder)
    told = read_json(described.transformer / "config.json").get("architectures") or ()
    if told and not any(str(name).endswith(_ENDINGS) for name in told):
        return False
    names = sizes_of_weights(described)
    return any(head in names for head in _HEADS) or all(part in names for part in _MODERN)


@dataclass(slots=True)
class MaskedModel:
    """A loaded model with its masked-language head; make one with `load_masked_model`."""

    model: Any
    tokenizer: TextTokenizer
    mask: int
    place: Any  # torch.device
    room: int  # tokens of a text in one window
    budget: int  # tokens that go through at once
    vocabulary: tuple[str, ...]  # "" where a token is no whole word to propose
    spellings: tuple[str, ...]  # of each, folded

    def read(self, texts: Sequence[str]) -> Iterator[Read]:
        """Yield each text's tokens and words; what lies behind the first window is not read."""
        plain = [self._plain(text) for text in texts]
        backend = self.tokenizer.backend
        for text, one in zip(plain, backend.encode_batch(plain, add_special_tokens=False),
                             strict=True):  # fmt: skip  # two rows
            spans = np.array(one.offsets, np.int64).reshape(-1, 2)[: self.room]
            tokens = np.array(one.ids, np.int32)[: self.room]
            is_cut = len(one.ids) > self.room
            seen = int(spans[-1, 1]) if len(spans) else 0
            words: list[Word] = []
            places: list[tuple[int, int]] = []
            for word in words_between_blanks(text):
                if is_cut and word.stop >= seen:  # its end may be cut off
                    break
                at = np.flatnonzero((spans[:, 0] < word.stop) & (spans[:, 1] > word.start))
                if len(at):
                    words.append(self._alone(word, spans[at]))
                    places.append((int(at[0]), int(at[-1]) + 1))
            yield Read(tokens, tuple(words), tuple(places))

    def masked(self, read: Read, chosen: Sequence[int]) -> tuple[NDArray[np.int32], list[int]]:
        """Return the tokens with one mask in place of each chosen word, and where the masks are."""
        parts: list[NDArray[np.int32]] = [self.tokenizer.before]
        at, length = 0, len(self.tokenizer.before)
        masks: list[int] = []
        for word in chosen:
            start, stop = read.places[word]
            parts += [read.tokens[at:start], np.array([self.mask], np.int32)]
            length += start - at + 1
            masks.append(length - 1)
            at = stop
        return np.concatenate([*parts, read.tokens[at:], self.tokenizer.after]), masks

    def halve(self, texts: int) -> None:
        """Let fewer through at once; raises `UserError` where one text was too many."""
        if texts <= 1:
            raise UserError(
                f"There is too little memory on {self.place} to fill in the words of one text.",
                "Close other programs, or replace words on the processor (device cpu).",
            )
        self.budget = max(1, self.budget // 2)

    def fitting(self, lengths: Sequence[int]) -> int:
        """How many of the next texts go through at once."""
        row = np.array(lengths, np.int64)
        return fitting(row, budget=self.budget, counts_padding=True)

    def propose(
        self,
        rows: Sequence[NDArray[np.int32]],
        masks: Sequence[Sequence[int]],
        words: Sequence[Sequence[str]],
        *,
        top: int,
    ) -> list[list[Proposals]] | None:
        """Return the proposals for each mask of each row; None where memory is short for them.

        The `top` likeliest whole words are taken, the word that stood there never being one.
        """
        import torch

        longest = max(map(len, rows))
        tokens = np.full((len(rows), longest), self.tokenizer.padding, np.int64)
        attention = np.zeros((len(rows), longest), np.int64)
        for place, row in enumerate(rows):
            tokens[place, : len(row)], attention[place, : len(row)] = row, 1
        texts = np.repeat(np.arange(len(rows)), [len(own) for own in masks])
        places = np.array([at for own in masks for at in own], np.int64)
        usable = torch.tensor([bool(word) for word in self.vocabulary], device=self.place)
        count = min(top + _SPELLINGS, int(usable.sum()))

        def compute() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
            with torch.inference_mode():
                logits = self.model(
                    input_ids=torch.from_numpy(tokens).to(self.place),
                    attention_mask=torch.from_numpy(attention).to(self.place),
                ).logits[texts, places].float()  # fmt: skip  # (masks, vocabulary)
                logits = logits[:, : len(usable)].masked_fill(~usable, -torch.inf)
                best = logits.topk(count, dim=1)
                return best.values.double().cpu().numpy(), best.indices.cpu().numpy()

        found = within_memory(compute, device=str(self.place))
        if found is None:
            return None
        flat = iter(zip(*found, strict=True))
        return [
            [self._proposals(word, *next(flat), top) for word in own]
            for own in words
        ]  # fmt: skip  # one list a text

    def _proposals(
        self, word: str, logits: NDArray[np.float64], tokens: NDArray[np.int64], top: int
    ) -> Proposals:
        own = folded(word)
        others = [at for at, token in enumerate(tokens.tolist()) if self.spellings[token] != own]
        others = others[:top]
        if not others:
            return Proposals((), np.empty(0))
        shares = np.exp(logits[others] - logits[others].max())
        words = tuple(self.vocabulary[token] for token in tokens[others].tolist())
        return Proposals(words, shares / shares.sum())

    def _alone(self, word: Word, spans: NDArray[np.int64]) -> Word:
        """A word whose tokens hold something beside it cannot be masked alone, except a blank."""
        is_alone = spans[0, 0] >= word.start - 1 and spans[-1, 1] <= word.stop
        return word if is_alone else Word(word.start, word.stop, False)

    def _plain(self, text: str) -> str:
        """The text as the tokenizer takes it, character by character, so that places stay."""
        text = text.encode("utf-8", "replace").decode("utf-8")
        if not self.tokenizer.lower_case:
            return text
        return "".join(one.lower() if len(one.lower()) == 1 else one for one in text)


def load_masked_model(folder: Path, *, device: str = "auto") -> MaskedModel:
    """Load the encoder in `folder` with its masked-language head, offline, in fp32.

    Raises `UserError` where it has none, and for everything that is wrong with the folder.
    """
    described = read_folder(folder)
    name = described.folder.name
    if not masked_head_of(folder):
        raise UserError(
            f"The folder of {name} has no head that fills in masked words: it holds an encoder "
            "alone, as most that were taught to compare sentences do.",
            "Take the model that it was made from, with its masked-language head, or leave the "
            "replaced words out.",
        )
    torch, transformers = libraries()
    place = resolve_device(device)
    inner = described.transformer
    config = load_config(inner, "encoder")
    model, missing = load_weights(
        inner, config, transformers.AutoModelForMaskedLM, kind=torch.float32, what="encoder"
    )
    refuse_missing(inner, [key for key in missing if "pooler" not in key])
    tokenizer = load_tokenizer(inner)
    if tokenizer.mask_token_id is None:
        raise UserError(
            f"The tokenizer of {name} has no mask to put in place of a word.",
            "Fetch the whole folder of the model again, its tokenizer_config.json too.",
        )
    texts = text_tokenizer(tokenizer, prompt="", lower_case=described.lower_case)
    room = most_tokens(described.max_tokens, config, tokenizer) - texts.specials
    model = moved_to(place, model, name=name, what="encoder")
    vocabulary = _words_to_propose(tokenizer, int(config.vocab_size))
    budget = min(token_budget(model, place, room + texts.specials),
                 _LOGITS // int(config.vocab_size))  # fmt: skip  # two bounds
    return MaskedModel(
        model, texts, int(tokenizer.mask_token_id), place, max(0, room), max(1, budget),
        vocabulary, tuple(map(folded, vocabulary)),
    )  # fmt: skip  # in the order of the fields


def _words_to_propose(tokenizer: Any, size: int) -> tuple[str, ...]:
    """Return the word that each token is by itself, "" for pieces, marks, numbers, negations."""
    known: Mapping[str, int] = tokenizer.get_vocab()
    special = set(tokenizer.all_special_ids)
    backend = tokenizer.backend_tokenizer
    begins = next((mark for mark in ("Ġ", "▁") if _many_begin_with(mark, known)), "")
    words = [""] * size
    for token, place in known.items():
        if place >= size or place in special or not token.startswith(begins):
            continue
        word = token.removeprefix(begins)
        if begins == "Ġ":  # whose letters beyond ASCII are written as bytes
            word = backend.decode([place]).strip()
        if len(word) >= _SHORTEST and is_plain_word(word):
            words[place] = word
    return tuple(words)


def _many_begin_with(mark: str, known: Mapping[str, int]) -> bool:
    """Whether this is how the tokenizer marks the beginning of a word."""
    return sum(token.startswith(mark) and len(token) > 1 for token in known) > len(known) / 100
