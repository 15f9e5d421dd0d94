"""Peers are tried and left out in words."""

import dataclasses
from pathlib import Path

import pytest

from core.bench import machine
from core.bench.encode import _peer_sides
from core.bench.peers import load_peer, told_missing
from core.progress import run_to_end


def test_a_peer_that_is_not_there_is_none():
    assert load_peer("nobody_has_this") is None


def test_a_peer_is_named_as_people_install_it():
    told = told_missing("sentence_transformers")
    assert told.startswith("sentence-transformers is not installed")


def test_a_processor_with_bf16_gives_the_peer_its_best_batch_in_it(
    quick_machine: None, tiny_encoder: Path
):
    pytest.importorskip("sentence_transformers")
    here = dataclasses.replace(
        run_to_end(machine.measure_machine()), instruction_sets=("avx512_bf16",)
    )
    texts = ["red bike", "blue door", "late flight"]
    sides, notes = run_to_end(_peer_sides(tiny_encoder, texts, texts, here))
    assert [name.partition(", batch")[0] for name in sides] == [
        "sentence-transformers as it comes",
        "sentence-transformers, fp32",
        "sentence-transformers, bf16",
    ]
    assert all(side().shape == (3, 16) for side in sides.values())
    assert notes == []
