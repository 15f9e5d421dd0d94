"""What another encoder gained and lost, kept when it is taken into use and when that is undone."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from safetensors.numpy import load_file, save_file

from core.cli.program import program
from core.options import EncodeOptions, GroupOptions, PairOptions
from core.progress import run_to_end
from core.records import Stand, Verdict
from core.store import Project
from core.workflows import comparing
from core.workflows.comparing import keep_difference, look_before
from core.workflows.encoding import encode_corpus
from core.workflows.grouping import group_corpus
from core.workflows.pairing import find_pairs
from core.workflows.preparing import prepare
from core.workflows.taking_into_use import use_folder


@pytest.fixture
def other(tiny_encoder: Path, tmp_path: Path) -> Path:
    """Another encoder: the same with other vectors of words and places.

    Of the messages it brings eight pairs above 0.9 that were below, takes one away, and parts
    a group at 0.99.
    """
    folder = shutil.copytree(tiny_encoder, tmp_path / "other")
    file = folder / "model.safetensors"
    weights, rng = load_file(file), np.random.default_rng(9)
    for part, scale in (("word_embeddings", 1), ("position_embeddings", 3)):
        name = next(name for name in weights if part in name)
        weights[name] = (rng.normal(size=weights[name].shape) * scale).astype(np.float32)
    save_file(weights, file, metadata={"format": "pt"})
    return folder


def vectors_of(project: Project) -> dict[int, np.ndarray]:
    """The vector of each text by the encoder in use."""
    matrix, texts, rows = project.vectors.text_rows(project.active_encoder())
    return {int(text): np.array(matrix[row]) for text, row in zip(texts, rows, strict=True)}


def reaching(vectors: dict[int, np.ndarray], bound: float) -> set[tuple[int, int]]:
    """The pairs at or above a bound, by comparing each with every other."""
    return {(a, b) for a in vectors for b in vectors
            if a < b and float(vectors[a] @ vectors[b]) >= bound}  # fmt: skip


def undone(project: Project, tiny_encoder: Path) -> None:
    """Undo, and bring up to date, as the window does."""
    project.decisions.undo()
    run_to_end(
        prepare(project, EncodeOptions(encoder=str(tiny_encoder)), PairOptions(),
                GroupOptions(threshold=0.99, review=0.9))
    )  # fmt: skip


def test_use_keeps_exactly_the_pairs_that_one_side_has_only(prepared: Project, other: Path):
    before, bound = vectors_of(prepared), prepared.groupings.current().review
    told = run_to_end(use_folder(prepared, other))
    after, record = vectors_of(prepared), prepared.differences.current()
    assert told.difference == record.id
    old, new = reaching(before, bound), reaching(after, record.after.review)
    pairs = prepared.differences.pairs()
    assert {(one.left, one.right) for one in pairs if one.gained} == new - old
    assert {(one.left, one.right) for one in pairs if not one.gained} == old - new
    assert old != new, "the two encoders must differ for this to say anything"
    assert record.counts["stayed"] == len(old & new)
    for one in pairs:
        assert one.before == pytest.approx(float(before[one.left] @ before[one.right]), abs=1e-5)
        assert one.after == pytest.approx(float(after[one.left] @ after[one.right]), abs=1e-5)
        assert (one.stood == Stand.LEFT_ALONE) == one.gained
        assert (one.stands == Stand.LEFT_ALONE) != one.gained


def test_the_record_names_both_encoders_and_is_not_stale(prepared: Project, other: Path):
    first = prepared.active_encoder()
    run_to_end(use_folder(prepared, other))
    record = prepared.differences.current()
    assert (record.encoder_before, record.encoder_after) == (first.id, first.id + 1)
    assert (record.name_before, record.name_after) == (first.name, prepared.active_encoder().name)
    assert prepared.differences.moved(record) == frozenset()
    assert record.counts["texts"] == prepared.texts.count()
    assert record.counts["texts_left_out"] == 0


def test_undoing_the_use_turns_the_difference_round(
    prepared: Project, other: Path, tiny_encoder: Path
):
    run_to_end(use_folder(prepared, other))
    there = {(one.left, one.right): one for one in prepared.differences.pairs()}
    first = prepared.differences.current()
    undone(prepared, tiny_encoder)
    record = prepared.differences.current()
    assert record.id > first.id
    assert (record.encoder_before, record.encoder_after) == (
        first.encoder_after, first.encoder_before
    )  # fmt: skip
    back = {(one.left, one.right): one for one in prepared.differences.pairs()}
    assert back.keys() == there.keys()
    for pair, one in back.items():
        assert one.gained != there[pair].gained
        assert (one.stood, one.stands) == (there[pair].stands, there[pair].stood)


def test_without_groups_before_there_is_no_difference(
    project: Project, table, bring, tiny_encoder: Path, other: Path
):
    bring(project, table(["It is late", "It is lost", "It is here"]))
    run_to_end(encode_corpus(project, EncodeOptions(encoder=str(tiny_encoder))))
    told = run_to_end(use_folder(project, other))
    assert told.difference is None
    assert "no groups yet to compare" in told.words
    assert project.differences.current() is None


def test_the_same_encoder_again_is_no_difference(prepared: Project, tiny_encoder: Path):
    assert run_to_end(use_folder(prepared, tiny_encoder)).difference is None
    assert prepared.differences.current() is None


def test_cancelled_at_any_step_leaves_the_last_difference_or_a_whole_new_one(
    prepared: Project, other: Path, tiny_encoder: Path
):
    run_to_end(use_folder(prepared, other))
    last = prepared.differences.current()
    steps_taken = 0
    while True:
        steps, taken = use_folder(prepared, tiny_encoder), 0
        try:
            while taken <= steps_taken:
                next(steps)
                taken += 1
        except StopIteration:
            break
        steps.close()
        assert prepared.differences.current() == last
        if prepared.active_encoder().id == last.encoder_before:
            assert "encoder" in prepared.differences.moved(last)
        _back_to(prepared, other, last)
        steps_taken += 1
    assert steps_taken > 3
    assert prepared.differences.current().encoder_after == last.encoder_before


def _back_to(project: Project, other: Path, last) -> None:
    """Begin again from where the last difference was made, by single steps that compare nothing."""
    run_to_end(encode_corpus(project, EncodeOptions(encoder=str(other))))
    run_to_end(find_pairs(project, PairOptions()))
    options = GroupOptions(threshold=last.after.threshold, review=last.after.review)
    run_to_end(group_corpus(project, options))


def test_a_use_that_was_cancelled_is_compared_once_it_is_brought_up_to_date(
    prepared: Project, other: Path
):
    steps = use_folder(prepared, other)
    while prepared.active_encoder().folder != str(other.resolve()):
        next(steps)
    steps.close()
    assert prepared.differences.current() is None
    run_to_end(
        prepare(prepared, EncodeOptions(encoder=str(other)), PairOptions(),
                GroupOptions(threshold=0.99, review=0.9))
    )  # fmt: skip
    assert prepared.differences.current().encoder_after == prepared.active_encoder().id


def test_texts_that_came_since_are_left_out(prepared: Project, other: Path, table, bring):
    bring(prepared, table(["A parcel of mine is late", "My parcel is late"], "more.csv", 50))
    run_to_end(use_folder(prepared, other))
    record = prepared.differences.current()
    assert record.counts["texts_left_out"] == 2
    assert record.counts["texts"] == prepared.texts.count() - 2
    new = {row.text for page in prepared.documents.stream() for row in page
           if row.source_name == "more.csv"}  # fmt: skip
    assert len(new) == 2
    assert not any({one.left, one.right} & new for one in prepared.differences.pairs())


def test_vectors_that_are_gone_leave_the_last_difference(prepared: Project, other: Path):
    first = prepared.active_encoder()
    (prepared.folder / "vectors" / f"{first.id}.npy").unlink()
    assert run_to_end(use_folder(prepared, other)).difference is None
    assert not prepared.state().groups_stale


def test_stale_is_told_by_what_moved(prepared: Project, other: Path, table, bring):
    run_to_end(use_folder(prepared, other))
    record = prepared.differences.current()
    prepared.decisions.decide([(1, 2)], Verdict.SAME, title="Same")
    assert prepared.differences.moved(record) == {"decisions"}
    run_to_end(group_corpus(prepared, GroupOptions(threshold=0.995, review=0.9)))
    assert prepared.differences.moved(record) == {"decisions", "bounds"}
    bring(prepared, table(["Something new"], "new.csv", 90))
    assert "corpus" in prepared.differences.moved(record)
    prepared.decisions.undo()
    prepared.decisions.undo()
    assert "encoder" in prepared.differences.moved(record)


def test_only_the_most_telling_are_kept_with_the_true_counts(
    prepared: Project, other: Path, monkeypatch: pytest.MonkeyPatch
):
    run_to_end(use_folder(prepared, other))
    whole, counts = prepared.differences.pairs(), prepared.differences.current().counts
    assert len(whole) > 2
    monkeypatch.setattr(comparing, "MOST_PAIRS", 2)
    monkeypatch.setattr(comparing, "MOST_GROUPS", 1)
    seen = _swapped(prepared, other)
    run_to_end(keep_difference(prepared, seen))
    few = prepared.differences.pairs()
    assert len(few) == 2
    assert len(prepared.differences.groups()) <= 1
    told = prepared.differences.current().counts
    assert (told["gained"], told["lost"]) == (counts["lost"], counts["gained"])


def _swapped(project: Project, other: Path):
    """Go back to the first encoder by single steps; how things stood before."""
    project.decisions.undo()
    seen = look_before(project)
    run_to_end(find_pairs(project, PairOptions()))
    run_to_end(group_corpus(project, GroupOptions(threshold=0.99, review=0.9)))
    return seen


def test_groups_list_the_texts_that_joined_and_left(prepared: Project, other: Path):
    before = _kept(prepared)
    run_to_end(use_folder(prepared, other))
    after = _kept(prepared)
    groups, texts = prepared.differences.groups(), prepared.differences.texts()
    told = {one.place: one for one in groups}
    assert groups, "the two encoders must group differently for this to say anything"
    assert {one.group for one in texts} == set(told)
    for one in texts:
        together = after if one.joined else before
        assert together(one.text) == together(one.kept)
    for group in groups:
        assert group.joined + group.gone == sum(one.group == group.place for one in texts)


def _kept(project: Project):
    texts, kept = project.groupings.kept_texts()
    found = dict(zip(texts.tolist(), kept.tolist(), strict=True))
    return lambda text: found.get(text, text)


def test_the_command_tells_the_counts_and_the_first_pairs(prepared: Project, other: Path):
    run_to_end(use_folder(prepared, other))
    counts = prepared.differences.current().counts
    prepared.close()
    told = CliRunner().invoke(program, ["difference", str(prepared.folder), "-k", "1", "--json"])
    answer = json.loads(told.output)
    assert answer["counts"] == counts
    assert (len(answer["gained"]), len(answer["lost"])) == (
        min(1, counts["gained"]), min(1, counts["lost"])
    )  # fmt: skip
    assert answer["stale"] == []
    words = CliRunner().invoke(program, ["difference", str(prepared.folder)]).output
    assert f"{counts['gained']:,} pair" in words
    assert f"{counts['lost']:,} lost" in words


def test_the_command_says_plainly_that_nothing_was_compared(prepared: Project):
    prepared.close()
    told = CliRunner().invoke(program, ["difference", str(prepared.folder)])
    assert told.exit_code == 1
    assert "No two encoders have been compared" in str(told.exception or told.output)
