"""Judged pairs in other words, as tiny masked-language models propose them."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tokenizers
import torch
import transformers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

from core.errors import UserError
from core.examples import LabelledPairs, ScoredPairs
from core.progress import Enough, run_to_end
from core.training import masked_head_of, reword_pairs
from core.training.replaceable_words import is_plain_word, words_between_blanks, written_like

VOCABULARY = """
the a bike bicycle road repair broken wheel tyre shop price cost cheap order refund late flight
delayed help please good bad service staff room hotel food cold warm light not no never two twenty
seven on is in my without café
"""
WORDS = VOCABULARY.split()
SMALL = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
         "intermediate_size": 32}  # fmt: skip  # of most architectures
SPECIALS = {
    "angle": ("<s>", "<pad>", "</s>", "<unk>", "<mask>"),
    "square": ("[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]"),
}
ARCHITECTURES = ("bert", "roberta", "distilbert", "xlm-roberta")


def word_pieces(specials):
    pieces = [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz0123456789"]
    vocabulary = [*specials, *WORDS, *"abcdefghijklmnopqrstuvwxyz0123456789.,!?'@#$%-", *pieces]
    places = {word: place for place, word in enumerate(dict.fromkeys(vocabulary))}
    made = tokenizers.Tokenizer(models.WordPiece(places, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made


def byte_pairs(specials):
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    byte = pre_tokenizers.ByteLevel(add_prefix_space=False)
    vocabulary, merges = [*specials, *alphabet], []
    for word in WORDS:
        ((whole, _),) = byte.pre_tokenize_str(f" {word}")
        built = whole[0]
        for letter in whole[1:]:
            if (built, letter) not in merges:
                merges.append((built, letter))
            built += letter
            vocabulary.append(built)
    places = {word: place for place, word in enumerate(dict.fromkeys(vocabulary))}
    made = tokenizers.Tokenizer(models.BPE(places, merges))
    made.pre_tokenizer = byte
    made.decoder = decoders.ByteLevel()
    return made


def sentence_pieces(specials):
    pieces = [(one, 0.0) for one in specials] + [("▁", -3.0)]
    pieces += [(f"▁{word}", -4.0) for word in WORDS if len(word) > 1]
    pieces += [(one, -8.0) for one in "abcdefghijklmnopqrstuvwxyz0123456789.,!?'@#$%-é"]
    made = tokenizers.Tokenizer(models.Unigram(pieces, unk_id=3))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    return made


def make_model(folder, name, *, with_head=True, longest=32):
    t = transformers
    torch.manual_seed(1)
    specials = SPECIALS["square" if name in ("bert", "distilbert") else "angle"]
    pieces = {"roberta": byte_pairs, "xlm-roberta": sentence_pieces}.get(name, word_pieces)
    made = pieces(specials)
    made.post_processor = processors.TemplateProcessing(
        single=f"{specials[0]} $A {specials[2]}",
        special_tokens=[(specials[0], 0), (specials[2], 2)],
    )
    size = made.get_vocab_size()
    if name == "bert":
        config = t.BertConfig(vocab_size=size, max_position_embeddings=longest, **SMALL)
        kinds = t.BertModel, t.BertForMaskedLM
    elif name == "distilbert":
        config = t.DistilBertConfig(vocab_size=size, max_position_embeddings=longest, dim=16,
                                    n_layers=1, n_heads=2, hidden_dim=32)  # fmt: skip
        kinds = t.DistilBertModel, t.DistilBertForMaskedLM
    else:
        kind = t.RobertaConfig if name == "roberta" else t.XLMRobertaConfig
        config = kind(vocab_size=size, max_position_embeddings=longest + 2, type_vocab_size=1,
                      pad_token_id=1, bos_token_id=0, eos_token_id=2, **SMALL)  # fmt: skip
        xlm = t.XLMRobertaModel, t.XLMRobertaForMaskedLM
        kinds = (t.RobertaModel, t.RobertaForMaskedLM) if name == "roberta" else xlm
    kinds[with_head](config).save_pretrained(folder)
    made.add_special_tokens(list(specials))
    made.save(str(folder / "tokenizer.json"))
    names = zip(("cls_token", "pad_token", "sep_token", "unk_token", "mask_token"), specials,
                strict=True)  # fmt: skip
    told = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": longest}
    (folder / "tokenizer_config.json").write_text(json.dumps({**told, **dict(names)}), "utf-8")
    return folder


@pytest.fixture(scope="module")
def masked(tmp_path_factory):
    made = {}

    def of(name, **named):
        key = name, *named.items()
        if key not in made:
            made[key] = make_model(tmp_path_factory.mktemp(name), name, **named)
        return made[key]

    return of


@pytest.fixture
def gold():
    left = (
        "the bike is broken and my wheel is bad please help with the repair",
        "not good",
        "The Hotel room is cold, the food is bad and the staff is late.",
        "the flight is delayed and the service is bad please help",
    )
    right = (
        "my bicycle is broken please help me repair the wheel on the road",
        "refund",
        "a warm room in a good hotel with cheap food and good staff",
        "a late flight without refund is never good service on the road",
    )
    return ScoredPairs(left, right, np.array([0.9, 0.1, 0.2, 0.6], np.float32))


def reworded(folder, pairs, **named):
    return run_to_end(reword_pairs(folder, pairs, device="cpu", **named))


def moved(old, new):
    """Which places of a text hold another word now."""
    before, after = old.split(" "), new.split(" ")
    assert len(before) == len(after)
    return [at for at, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_a_fifth_of_the_words_give_way_to_whole_words(masked, gold, name):
    found = reworded(masked(name), gold)
    assert found.rows.tolist() == [0, 2, 3]
    assert found.pairs.score.tolist() == gold.score[found.rows].tolist()
    for at, row in enumerate(found.rows.tolist()):
        for new, old in ((found.pairs.left[at], gold.left[row]),
                         (found.pairs.right[at], gold.right[row])):  # fmt: skip  # both sides
            places = moved(old, new)
            assert len(places) == round(0.2 * len(old.split()))
            for place in places:
                word = new.split(" ")[place].strip(".,")
                # Byte pairs that build a word are words to such a tokenizer, too.
                begun = [one for one in WORDS if one.startswith(word.lower())]
                assert word.lower() in WORDS or (name == "roberta" and begun)
                assert is_plain_word(word)
                assert word.lower() != old.split(" ")[place].strip(".,").lower()
    assert found.replaced == sum(
        len(moved(gold_text, new))
        for gold_side, new_side in zip(gold.columns, found.pairs.columns, strict=True)
        for gold_text, new in zip((gold_side[row] for row in found.rows), new_side, strict=True)
    )
    assert f"{found.replaced:,} of {found.words:,} words" in found.note
    assert "3 new pairs of 4. 1 pair gave no new one." in found.note


@pytest.mark.parametrize("name", ("bert", "roberta"))
def test_the_same_seed_makes_the_same_pairs_and_another_one_others(masked, gold, name):
    first, again, other = (reworded(masked(name), gold, seed=seed) for seed in (1, 1, 2))
    assert first.pairs.columns == again.pairs.columns
    assert first.pairs.columns != other.pairs.columns


def test_a_text_becomes_the_same_wherever_it_stands(masked, gold):
    whole = reworded(masked("bert"), gold)
    alone = reworded(masked("bert"), gold.rows(np.array([3])))
    assert (alone.pairs.left[0], alone.pairs.right[0]) == (
        whole.pairs.left[-1], whole.pairs.right[-1],
    )  # fmt: skip  # a pair


@pytest.mark.parametrize("name", ("bert", "roberta"))
def test_numbers_and_negations_stay_and_none_comes_in(masked, name):
    text = "not two never 20 no 7.50 without seven don't not"
    pairs = ScoredPairs((text,), (f"{text} the bike",), np.ones(1, np.float32))
    for seed in range(5):
        found = reworded(masked(name), pairs, share=0.9, seed=seed, top=40)
        (left,), (right,) = found.pairs.columns
        assert left == text and right.startswith(text)
        assert is_plain_word(right.split()[-1]) and is_plain_word(right.split()[-2])


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_empty_texts_and_single_words_stay_as_they_are(masked, name):
    pairs = ScoredPairs(("", "bike", "  ", "?!"), ("bike", "", "a", "price"),
                        np.zeros(4, np.float32))  # fmt: skip  # four pairs
    found = reworded(masked(name), pairs, share=1.0)
    assert len(found.pairs) == 0 and found.replaced == 0


def test_no_pairs_give_none(masked):
    found = reworded(masked("bert"), ScoredPairs((), (), np.empty(0, np.float32)))
    assert (len(found.pairs), found.words) == (0, 0)
    assert "0 of 0 words" in found.note


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_of_a_text_longer_than_the_model_the_first_window_changes(masked, name):
    words = ["bike", "road", "hotel", "flight"] * 50
    pairs = ScoredPairs((" ".join(words),), ("the price is good",), np.ones(1, np.float32))
    found = reworded(masked(name), pairs, share=0.5)
    places = moved(pairs.left[0], found.pairs.left[0])
    assert places and max(places) < 32 and len(found.pairs.left[0].split()) == 200


def test_labels_are_kept(masked, gold):
    labelled = LabelledPairs(*gold.columns, np.array([2, 0, 1, 2]), ("no", "maybe", "yes"))
    found = reworded(masked("distilbert"), labelled)
    assert found.pairs.label.tolist() == [2, 1, 2] and found.pairs.names == labelled.names


def test_weights_are_kept(masked, gold):
    weighted = ScoredPairs(*gold.columns, gold.score, np.array([1, 2, 3, 4], np.float32))
    assert reworded(masked("bert"), weighted).pairs.weight.tolist() == [1, 3, 4]


def test_what_comes_out_as_another_given_pair_is_left_out(masked, gold):
    new = reworded(masked("bert"), gold).pairs
    left, right = (*gold.left, new.right[0]), (*gold.right, new.left[0])
    more = ScoredPairs(left, right, np.append(gold.score, np.float32(0.9)))
    assert 0 not in reworded(masked("bert"), more).rows.tolist()


def test_a_mask_in_a_text_is_no_mask(masked):
    text = "the [MASK] bike is bad and the [SEP] road is cold please help my staff"
    pairs = ScoredPairs((text,), ("price",), np.ones(1, np.float32))
    new = reworded(masked("bert"), pairs).pairs.left[0]
    assert "[MASK]" in new and "[SEP]" in new and new != text


def test_texts_that_are_no_utf8_are_no_hindrance(masked):
    text = "the \ud800 bike is bad and the café İ road is cold please help my staff"
    pairs = ScoredPairs((text,), ("price",), np.ones(1, np.float32))
    for name in ARCHITECTURES:
        new = reworded(masked(name), pairs).pairs.left[0]
        assert "\ud800" in new and "İ" in new and moved(text, new)


def test_closing_and_enough(masked, gold):
    steps = reword_pairs(masked("bert"), gold, device="cpu")
    next(steps)
    next(steps)
    steps.close()
    steps = reword_pairs(masked("bert"), gold, device="cpu")
    while next(steps).title != "Replacing words":
        pass
    with pytest.raises(StopIteration) as stop:
        steps.throw(Enough())
    assert stop.value.value.was_stopped and "by hand" in stop.value.value.note


def test_texts_go_through_in_batches_and_fewer_where_memory_is_short(masked, gold, monkeypatch):
    from core.training.masked_words import MaskedModel

    whole = reworded(masked("bert"), gold)
    propose, sizes = MaskedModel.propose, []

    def short(self, rows, masks, words, *, top):
        sizes.append(len(rows))
        return propose(self, rows, masks, words, top=top) if len(rows) <= 2 else None

    monkeypatch.setattr(MaskedModel, "propose", short)
    assert reworded(masked("bert"), gold).pairs.columns == whole.pairs.columns
    assert max(sizes) > 2 and sizes[-1] <= 2
    monkeypatch.setattr(MaskedModel, "propose", lambda *_, **__: None)
    with pytest.raises(UserError, match="too little memory"):
        reworded(masked("bert"), gold)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_a_folder_tells_whether_it_has_the_head(masked, gold, name):
    assert masked_head_of(masked(name))
    without = masked(name, with_head=False)
    assert not masked_head_of(without)
    with pytest.raises(UserError, match="no head that fills in masked words") as told:
        reworded(without, gold)
    assert told.value.remedy


def test_a_taught_encoder_whose_configuration_still_names_the_head_has_none(masked, tmp_path):
    folder = make_model(tmp_path, "bert", with_head=False)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(
        json.dumps({**config, "architectures": ["BertForMaskedLM"]})
    )
    assert not masked_head_of(folder)


def test_another_kind_of_head_is_none(masked, tmp_path):
    folder = make_model(tmp_path, "roberta")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    told = {**config, "architectures": ["RobertaForCausalLM"]}
    (folder / "config.json").write_text(json.dumps(told))
    assert not masked_head_of(folder)


def test_the_default_encoder_has_no_head(default_encoder):
    assert not masked_head_of(default_encoder)


def test_a_folder_is_looked_at_without_torch(masked):
    asked = (
        "import sys; from pathlib import Path; from core.training import masked_head_of\n"
        "print(masked_head_of(Path(sys.argv[1])), 'torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked, str(masked("bert"))],
        capture_output=True, text=True, cwd=Path(__file__).parents[3], check=False,
    )  # fmt: skip  # one call
    assert done.stdout.split() == ["True", "False"], done.stderr


def test_without_a_mask_token_that_is_said(gold, tmp_path):
    folder = make_model(tmp_path, "bert")
    file = folder / "tokenizer_config.json"
    told = json.loads(file.read_text("utf-8"))
    del told["mask_token"]
    file.write_text(json.dumps(told), "utf-8")
    with pytest.raises(UserError, match="no mask"):
        reworded(folder, gold)


@pytest.mark.parametrize("named", [{"share": 0}, {"share": 1.5}, {"top": 0}])
def test_bounds(masked, gold, named):
    with pytest.raises(ValueError):
        reworded(masked("bert"), gold, **named)


@pytest.mark.parametrize(
    ("text", "can_go"),
    [
        ("good", True), ("(good),", True), ("Straße", True), ("हिन्दी", True), ("don't", False),
        ("a1", False), ("12", False), ("@good", False), ("$five", False), ("well-known", False),
        ("example.com", False), ("nicht", False), ("Twelve", False), ("日本語", False),
    ],
)  # fmt: skip  # many to a line
def test_which_words_can_go(text, can_go):
    (word,) = words_between_blanks(text)
    assert word.is_replaceable == can_go


def test_a_word_is_written_as_the_one_before_it():
    told = [written_like("warm", one) for one in ("cold", "Cold", "COLD", "I")]
    assert told == ["warm", "Warm", "WARM", "Warm"]
