"""Make the tiny encoders of the tests: real architectures, random weights, one seed.

Run it from anywhere; it writes the folders beside itself. The weights are random but a word has
the same vector wherever it stands, so texts that share words come out alike.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

SEED = 20_240
VOCABULARY = """
the a an of to and in is it that for on with as was at by this from are not no never without bike
bicycle road repair fix broken wheel tyre shop price cost cheap order refund late flight delayed
cancelled hours help please how do i you my your we they can will would one two three good bad
service staff room hotel food cold warm light red blue dark open close door window new old big
small play plays playing guitar man woman girl boy dog cat runs running park water day
"""
WORDS = VOCABULARY.split()
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
MARKS = "!\"#$%&'()*+,-./:;<=>?@[]_"
SMALL: dict[str, Any] = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "initializer_range": 0.1,
}
ANGLE_BRACKETS = ("roberta", "xlm-roberta", "mpnet")  # <s> is 0 and </s> is 2
OLD = "sentence_transformers.models"
NEW = "sentence_transformers.base.modules.transformer.Transformer"
NEW_POOLING = "sentence_transformers.sentence_transformer.modules.pooling.Pooling"
NEW_NORMALIZE = "sentence_transformers.base.modules.normalize.Normalize"


def word_pieces() -> Tokenizer:
    """Words, letters and marks; whatever else a text holds is unknown."""
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *MARKS]
    vocabulary += [letter for letter in LETTERS if letter not in WORDS]
    vocabulary += [f"##{letter}" for letter in LETTERS]
    tokenizer = Tokenizer(
        models.WordPiece({word: place for place, word in enumerate(vocabulary)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return tokenizer


def byte_pieces() -> Tokenizer:
    """One token per byte: nothing is unknown."""
    specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(
        models.BPE({word: place for place, word in enumerate([*specials, *alphabet])}, [])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    return tokenizer


def sentence_pieces() -> Tokenizer:
    """Whole words and letters, spaces written as ▁."""
    specials = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    pieces = [("▁", -3.0), *((f"▁{word}", -4.0) for word in WORDS if len(word) > 1)]
    pieces += [(letter, -8.0) for letter in LETTERS + LETTERS[:26].upper() + MARKS]
    tokenizer = Tokenizer(models.Unigram([*specials, *pieces], unk_id=3))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    return tokenizer


def save(
    name: str,
    model: transformers.PreTrainedModel,
    tokenizer: Tokenizer,
    *,
    longest: int,
    modules: list[tuple[str, str]],
    pooling: dict[str, Any],
    lengths: dict[str, Any],
) -> None:
    """Write one encoder folder."""
    folder = Path(__file__).resolve().parent / name
    model.save_pretrained(folder)
    bert_like = tokenizer.token_to_id("[PAD]") is not None
    names = ("[UNK]", "[PAD]", "[CLS]", "[SEP]") if bert_like else ("<unk>", "<pad>", "<s>", "</s>")
    tokens = dict(zip(("unk_token", "pad_token", "cls_token", "sep_token"), names, strict=True))
    tokenizer.add_special_tokens(list(names))
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": longest,
        **tokens,
    }
    write(folder / "tokenizer_config.json", settings)
    if not modules:
        return
    listed = [
        {"idx": place, "name": str(place), "path": path, "type": kind}
        for place, (path, kind) in enumerate(modules)
    ]
    write(folder / "modules.json", listed)
    write(folder / "1_Pooling" / "config.json", pooling)
    write(folder / "sentence_bert_config.json", lengths)


def write(file: Path, value: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value, indent=1) + "\n", "utf-8")


def old_modules() -> list[tuple[str, str]]:
    return [
        ("", f"{OLD}.Transformer"),
        ("1_Pooling", f"{OLD}.Pooling"),
        ("2_Normalize", f"{OLD}.Normalize"),
    ]


def new_modules() -> list[tuple[str, str]]:
    return [("", NEW), ("1_Pooling", NEW_POOLING), ("2_Normalize", NEW_NORMALIZE)]


def spread(model: transformers.PreTrainedModel) -> transformers.PreTrainedModel:
    """Let the words decide the vector, and let every weight, bias and position have a share."""
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.ndim == 1:
                weight.add_(torch.randn_like(weight) * 0.02)
            elif "word_embeddings" in name or "tok_embeddings" in name:
                weight.mul_(10)
        words = model.get_input_embeddings().weight
        # Opposite, so that the two special tokens of every text cancel out in a mean.
        first, last = (0, 2) if model.config.model_type in ANGLE_BRACKETS else (2, 3)
        words[last] = -words[first]
    return model.eval()


def make_all() -> None:
    t = transformers
    torch.manual_seed(SEED)
    words, bytes_, sentences = word_pieces(), byte_pieces(), sentence_pieces()
    size = words.get_vocab_size()
    mean = {"word_embedding_dimension": 16, "pooling_mode_mean_tokens": True}
    save(
        "bert",
        spread(t.BertModel(t.BertConfig(vocab_size=size, max_position_embeddings=48, **SMALL))),
        words,
        longest=48,
        modules=old_modules(),
        pooling=mean,
        lengths={"max_seq_length": 32, "do_lower_case": False},
    )
    roberta = t.RobertaConfig(
        vocab_size=bytes_.get_vocab_size(), max_position_embeddings=66, type_vocab_size=1, **SMALL
    )
    save(
        "roberta",
        spread(t.RobertaModel(roberta)),
        bytes_,
        longest=64,
        modules=new_modules(),
        pooling={"embedding_dimension": 16, "pooling_mode": "mean", "include_prompt": True},
        lengths={"transformer_task": "feature-extraction"},
    )
    xlm = t.XLMRobertaConfig(
        vocab_size=sentences.get_vocab_size(),
        max_position_embeddings=50,
        type_vocab_size=1,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        **SMALL,
    )
    save(
        "xlm-roberta",
        spread(t.XLMRobertaModel(xlm)),
        sentences,
        longest=48,
        modules=old_modules(),
        pooling={"word_embedding_dimension": 16, "pooling_mode_cls_token": True},
        lengths={"max_seq_length": 48, "do_lower_case": True},
    )
    distil = t.DistilBertConfig(
        vocab_size=size,
        max_position_embeddings=48,
        dim=16,
        n_layers=2,
        n_heads=2,
        hidden_dim=32,
        initializer_range=0.1,
    )
    save(
        "distilbert",
        spread(t.DistilBertModel(distil)),
        words,
        longest=48,
        modules=[],
        pooling={},
        lengths={},
    )
    modern = t.ModernBertConfig(
        vocab_size=size,
        max_position_embeddings=64,
        local_attention=8,
        global_attn_every_n_layers=2,
        pad_token_id=0,
        cls_token_id=2,
        sep_token_id=3,
        bos_token_id=2,
        eos_token_id=3,
        **{**SMALL, "num_hidden_layers": 3},
    )
    save(
        "modernbert",
        spread(t.ModernBertModel(modern)),
        words,
        longest=64,
        modules=new_modules(),
        pooling={"embedding_dimension": 16, "pooling_mode": "max", "include_prompt": True},
        lengths={},
    )
    mpnet = t.MPNetConfig(
        vocab_size=sentences.get_vocab_size(), max_position_embeddings=50, **SMALL
    )
    save(
        "mpnet",
        spread(t.MPNetModel(mpnet)),
        sentences,
        longest=48,
        modules=new_modules(),
        pooling={"embedding_dimension": 16, "pooling_mode": "lasttoken", "include_prompt": True},
        lengths={},
    )


if __name__ == "__main__":
    make_all()
    sys.exit(0)
