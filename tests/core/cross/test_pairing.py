"""Pairs are joined and cut as the tokenizers library does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cross.pairing import lengths_kept

WORDS = ("the", "bike", "wheel", "xyzzy", "red")


@given(st.integers(0, 400), st.integers(0, 400), st.integers(2, 120))
def test_nothing_is_cut_before_the_room_is_full_and_the_room_is_filled(first, second, room):
    kept = lengths_kept(first, second, room)
    assert sum(kept) == min(first + second, room)
    assert kept[0] <= first
    assert kept[1] <= second


@given(st.integers(0, 400), st.integers(0, 400), st.integers(2, 120))
def test_the_shorter_text_loses_nothing_while_it_fills_half_of_the_room(first, second, room):
    kept = lengths_kept(first, second, room)
    if min(first, second) <= room // 2:
        assert min(kept) == min(first, second)


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("name", ["bert", "roberta", "xlm-roberta"])
@settings(max_examples=60, deadline=None)
@given(first=st.integers(0, 90), second=st.integers(0, 90), seed=st.integers(0, 9))
def test_tokens_and_types_equal_those_of_transformers(make_cross, name, side, first, second, seed):
    tokenizer, ours = _both(make_cross(name, types=name == "bert"), side)
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, size)) for size in (first, second)]
    one, two = next(ours.tokenize(texts))
    row, types = ours.joined([(one, two)])
    theirs = tokenizer(texts[:1], texts[1:], truncation="longest_first", max_length=ours.max_tokens)
    assert [row.tolist()] == theirs["input_ids"]
    assert (None if types is None else [types.tolist()]) == theirs.get("token_type_ids")


def _both(folder, side, made={}):  # noqa: B006 - loaded once for all examples
    import transformers

    from core.cross.pairing import pair_tokenizer
    from core.encoders.transformer import text_tokenizer

    if (folder, side) not in made:
        theirs, own = (
            transformers.AutoTokenizer.from_pretrained(
                folder, local_files_only=True, truncation_side=side
            )
            for _ in range(2)
        )
        texts = text_tokenizer(own, prompt="", lower_case=False)
        types = "token_type_ids" in own.model_input_names
        ours = pair_tokenizer(own, texts, max_tokens=41, has_types=types)
        made[folder, side] = theirs, ours
    return made[folder, side]
