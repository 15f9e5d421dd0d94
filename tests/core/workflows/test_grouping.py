"""From pairs to groups: what is stored agrees with itself."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.errors import UserError
from core.options import EncodeOptions, GroupOptions, PairOptions
from core.progress import run_to_end
from core.records import ImportReport, Verdict
from core.store import Project
from core.workflows.deciding import accept_band, decide, keep_instead
from core.workflows.encoding import encode_corpus
from core.workflows.grouping import group_corpus, preview_counts
from core.workflows.grouping_desk import GroupingDesk
from core.workflows.pairing import TooManyPairsError, find_pairs, forecast_pairs
from core.workflows.preparing import prepare

Bring = Callable[[Project, Path], ImportReport]
Table = Callable[..., Path]


def regroup(project: Project, **values: object) -> dict[str, int]:
    options = GroupOptions(**{"threshold": 0.99, "review": 0.9, **values})  # type: ignore[arg-type]  # test values
    return run_to_end(group_corpus(project, options)).counts


def test_the_counts_add_up_and_blank_rows_stay(prepared: Project) -> None:
    counts = regroup(prepared)
    assert counts["rows"] == 10 == counts["kept"] + counts["removed"]
    assert counts["blank"] == 1
    assert counts["copies"] == 1


def test_every_removed_row_reaches_a_kept_row(prepared: Project) -> None:
    regroup(prepared, threshold=0.8, review=0.7, hold_back=False)
    members = [member for page in prepared.groupings.stream_members() for member in page]
    kept = {member.document for member in members if member.reason == "kept"}
    removed = [member for member in members if member.reason != "kept"]
    assert removed
    assert all(member.keeper in kept for member in removed)
    assert all(member.cosine is not None and member.cosine >= 0.8 - 1e-6 for member in removed)


def test_the_preview_agrees_with_what_is_stored(prepared: Project) -> None:
    options = GroupOptions(threshold=0.95, review=0.8)
    preview = preview_counts(prepared, options, GroupingDesk(prepared))
    assert preview["counts"] == run_to_end(group_corpus(prepared, options)).counts
    assert sum(preview["histogram"]) == prepared.pairs.count(prepared.pairs.current().id)


def test_different_keeps_apart_and_same_brings_together(prepared: Project) -> None:
    regroup(prepared, threshold=0.8, review=0.7, hold_back=False)
    removed = next(
        member
        for page in prepared.groupings.stream_members()
        for member in page
        if member.reason == "similar"
    )
    decide(prepared, [(removed.text, removed.kept_text)], Verdict.DIFFERENT)
    regroup(prepared, threshold=0.8, review=0.7, hold_back=False)
    now = prepared.groupings.of_document(removed.document)
    assert now is None or now.kept_text != removed.kept_text
    decide(prepared, [(removed.text, removed.kept_text)], Verdict.SAME)
    regroup(prepared, threshold=1.0, review=0.99)
    again = prepared.groupings.of_document(removed.document)
    assert again is not None
    assert again.reason == "decided"


def test_a_band_is_one_step_and_spares_what_was_decided(prepared: Project) -> None:
    regroup(prepared, threshold=1.0, review=0.7, hold_back=False)
    waiting = prepared.groupings.band(0.0, 2.0, flagged=True)
    assert len(waiting) >= 3
    decide(prepared, [(waiting[0].text, waiting[0].candidate)], Verdict.DIFFERENT)
    changed = accept_band(prepared, 0.0, 2.0, flagged=True, verdict=Verdict.SAME)
    assert changed == len(waiting) - 1
    assert prepared.decisions.verdict(waiting[0].text, waiting[0].candidate) is Verdict.DIFFERENT
    prepared.decisions.undo()
    assert prepared.decisions.counts()["same"] == 0


def test_a_row_kept_by_hand_stays(prepared: Project) -> None:
    regroup(prepared)
    copy = next(
        member
        for page in prepared.groupings.stream_members()
        for member in page
        if member.reason == "copy"
    )
    keep_instead(prepared, copy.document)
    regroup(prepared)
    assert prepared.groupings.of_document(copy.document).reason == "kept"
    assert prepared.groupings.of_document(copy.keeper).keeper == copy.document


def test_results_are_stale_once_their_inputs_moved(
    prepared: Project, table: Table, bring: Bring
) -> None:
    regroup(prepared)
    assert not prepared.state().groups_stale
    decide(prepared, [(1, 2)], Verdict.UNSURE)
    assert prepared.state().groups_stale
    bring(prepared, table(["a wholly new text"], name="more.csv"))
    assert prepared.state().pairs_stale


def test_new_texts_cost_only_new_pairs(
    prepared: Project, table: Table, bring: Bring, tiny_encoder: Path
) -> None:
    before = prepared.pairs.current()
    bring(prepared, table(["I want to cancel my subscription now"], name="more.csv"))
    run_to_end(
        prepare(prepared, EncodeOptions(encoder=str(tiny_encoder)), PairOptions(), GroupOptions())
    )
    after = prepared.pairs.current()
    assert (after.id, after.floor) == (before.id, before.floor)
    assert after.rows_done == before.rows_done + 1
    older = prepared.groupings.duplicates_of_older()
    assert set(older) <= {2}


def test_pairs_survive_a_stop_and_go_on(
    project: Project, table: Table, bring: Bring, tiny_encoder: Path
) -> None:
    bring(project, table([f"message number {i} about parcel {i % 7}" for i in range(300)]))
    run_to_end(encode_corpus(project, EncodeOptions(encoder=str(tiny_encoder))))
    steps = find_pairs(project, PairOptions(floor=0.9))
    for progress in steps:
        if progress.done:
            break
    steps.close()
    found = run_to_end(find_pairs(project, PairOptions(floor=0.9)))
    encoder = project.active_encoder()
    vectors = np.array(project.vectors.table(encoder).vectors, np.float64)
    expected = np.argwhere(np.triu(vectors @ vectors.T, 1) >= 0.9)
    assert found.pairs == len(expected)


def test_a_floor_with_too_many_pairs_must_be_confirmed(
    prepared: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.workflows.pairing.MOST_PAIRS", 2)
    told = run_to_end(forecast_pairs(prepared, PairOptions(floor=0.31)))
    assert told.too_many
    with pytest.raises(TooManyPairsError, match="nothing was started"):
        run_to_end(find_pairs(prepared, PairOptions(floor=0.31)))
    done = run_to_end(find_pairs(prepared, PairOptions(floor=0.31, confirmed=True)))
    assert done.pairs > 2


def test_encoding_twice_adds_nothing(prepared: Project, tiny_encoder: Path) -> None:
    again = run_to_end(encode_corpus(prepared, EncodeOptions(encoder=str(tiny_encoder))))
    assert again.added == 0


def test_encoding_can_be_stopped_and_keeps_what_is_done(
    project: Project, table: Table, bring: Bring, tiny_encoder: Path
) -> None:
    bring(project, table([f"a message about matter {i} " * (1 + i % 30) for i in range(3000)]))
    steps = encode_corpus(project, EncodeOptions(encoder=str(tiny_encoder)))
    for progress in steps:
        if progress.title == "Encoding texts" and progress.done:
            break
    steps.close()
    done = project.state().encoded
    assert 0 < done < 3000
    rest = run_to_end(encode_corpus(project, EncodeOptions(encoder=str(tiny_encoder))))
    assert rest.added == 3000 - done


@pytest.mark.parametrize(
    ("texts", "rows", "groups", "pairs"),
    [
        (["only one text here"], 1, 0, 0),
        (["the same text", "the same text"], 2, 1, 0),
        (["", ""], 2, 0, 0),
        (["the same text"] * 300, 300, 1, 0),
    ],
)
def test_tiny_corpora_give_an_answer(
    project: Project, table: Table, bring: Bring, tiny_encoder: Path, texts: list[str], rows: int,
    groups: int, pairs: int,
) -> None:  # fmt: skip
    bring(project, table(texts))
    options = EncodeOptions(encoder=str(tiny_encoder))
    if not any(texts):
        with pytest.raises(UserError, match="no texts"):
            run_to_end(prepare(project, options, PairOptions(), GroupOptions()))
        return
    run_to_end(prepare(project, options, PairOptions(), GroupOptions()))
    counts = project.groupings.current().counts
    assert (counts["rows"], counts["groups"]) == (rows, groups)
    assert project.pairs.count(project.pairs.current().id) == pairs


def test_an_empty_project_says_what_to_do(project: Project) -> None:
    with pytest.raises(UserError, match="Import a file first"):
        run_to_end(encode_corpus(project, EncodeOptions()))
    with pytest.raises(UserError, match="Import a file first"):
        run_to_end(find_pairs(project, PairOptions()))
    with pytest.raises(UserError, match="samesense pairs"):
        run_to_end(group_corpus(project, GroupOptions()))


def test_a_threshold_below_the_floor_is_refused_and_a_dense_corpus_raises_it(
    prepared: Project, tiny_encoder: Path
) -> None:
    with pytest.raises(UserError, match="nothing below"):
        regroup(prepared, threshold=0.6, review=0.5)
    run_to_end(find_pairs(prepared, PairOptions(floor=0.5)))
    regroup(prepared, threshold=0.6, review=0.5)
    told = run_to_end(
        prepare(
            prepared, EncodeOptions(encoder=str(tiny_encoder)), PairOptions(),
            GroupOptions(threshold=0.4, review=0.3),
        )
    )  # fmt: skip
    assert told["pairs"]["floor"] == 0.5
    assert prepared.groupings.current().threshold == 0.5
