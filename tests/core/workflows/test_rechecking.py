"""Pairs and hits read again by a cross-encoder: scores, order, going on, stopping."""

import shutil

import numpy as np
import pytest

from core.cross import load_cross_encoder
from core.cross.loading import load_cross_base
from core.errors import UserError
from core.options import SearchOptions
from core.progress import run_to_end
from core.records import Verdict
from core.store import Project
from core.training.cross_writing import write_cross_encoder
from core.workflows.catalogue import WISHES
from core.workflows.cross_desk import CrossDesk
from core.workflows.desk import Desk
from core.workflows.exporting import export_table
from core.workflows.rechecking import (
    forecast_recheck,
    pairs_in_band,
    recheck_hits,
    recheck_pairs,
    waiting_pairs,
)
from core.workflows.searching import search_corpus


@pytest.fixture(scope="session")
def tiny():
    from pathlib import Path

    return Path(__file__).parents[2] / "models" / "bert"


@pytest.fixture(scope="session")
def cross(tiny, tmp_path_factory):
    """A tiny cross-encoder whose scores lie apart."""
    to = tmp_path_factory.mktemp("cross") / "tiny-cross"
    parts = load_cross_base(tiny, device="cpu", seed=1)
    parts.model.classifier.weight.data *= 20
    run_to_end(write_cross_encoder(parts, to, record={}))
    return to


def scored(cross, project, pairs, **named):
    bodies = [tuple(project.texts.bodies(pair)) for pair in pairs]
    return load_cross_encoder(cross, device="cpu").score(bodies, **named)


def check(project, cross, pairs, **named):
    left, right = np.array(pairs).T
    return run_to_end(recheck_pairs(project, cross, left, right, device="cpu", **named))


def test_hits_are_scored_against_the_question(prepared: Project, cross):
    found = run_to_end(search_corpus(prepared, "parcel", SearchOptions(count=4)))
    texts = [hit.text for hit in found.hits]
    told = run_to_end(recheck_hits(prepared, cross, "parcel", texts, device="cpu"))
    pairs = [("parcel", body) for body in prepared.texts.bodies(texts)]
    wanted = load_cross_encoder(cross, device="cpu").score(pairs)
    assert told.texts == tuple(texts)
    assert np.abs(np.array(told.scores) - wanted).max() < 1e-6
    assert told.cross_encoder == "tiny-cross"


def test_a_text_that_is_gone_is_left_out(prepared: Project, cross):
    told = run_to_end(recheck_hits(prepared, cross, "parcel", [1, 999, 2], device="cpu"))
    assert told.texts == (1, 2)


def test_without_a_question_nothing_is_checked(prepared: Project, cross):
    with pytest.raises(UserError, match="no question"):
        run_to_end(recheck_hits(prepared, cross, "  ", [1], device="cpu"))


def test_scores_of_pairs_are_the_mean_of_both_orders_and_kept(prepared: Project, cross):
    outcome = check(prepared, cross, [(1, 2), (4, 3)])
    wanted = scored(cross, prepared, [(1, 2), (3, 4)], both_orders=True)
    checker = prepared.checked.current()
    kept = prepared.checked.scores(checker.id, np.array([1, 3]), np.array([2, 4]))
    assert np.abs(kept - wanted).max() < 1e-6
    assert (outcome.pairs, outcome.known) == (2, 0)
    assert outcome.lowest == pytest.approx(float(wanted.min()), abs=1e-6)


def test_one_order_is_another_checker(prepared: Project, cross):
    check(prepared, cross, [(1, 2)])
    outcome = check(prepared, cross, [(1, 2)], both_orders=False)
    assert outcome.known == 0
    wanted = scored(cross, prepared, [(1, 2)])[0]
    assert prepared.checked.of_text(1)[2] == pytest.approx(float(wanted), abs=1e-6)


def test_pairs_that_have_a_score_are_not_scored_again(prepared: Project, cross, monkeypatch):
    check(prepared, cross, [(1, 2), (3, 4)])
    asked = []
    kind = type(load_cross_encoder(cross, device="cpu"))
    ordinary = kind.score_stream

    def watching(self, pairs, **named):
        asked.extend(pairs)
        return ordinary(self, pairs, **named)

    monkeypatch.setattr(kind, "score_stream", watching)
    outcome = check(prepared, cross, [(1, 2), (5, 6), (4, 3)])
    assert (len(asked), outcome.known, outcome.pairs) == (1, 2, 3)


def test_a_cross_encoder_with_other_files_scores_anew(prepared: Project, cross, tmp_path):
    check(prepared, cross, [(1, 2)])
    other = shutil.copytree(cross, tmp_path / "other")
    config = other / "config.json"
    config.write_text(config.read_text("utf-8") + " ", "utf-8")
    assert check(prepared, other, [(1, 2)]).known == 0


def test_stopping_keeps_what_is_scored_and_the_next_time_goes_on(
    prepared: Project, cross, monkeypatch
):
    monkeypatch.setattr("core.workflows.rechecking._STORED_EVERY_S", -1)
    desk = CrossDesk()
    loaded = run_to_end(desk.load(cross, device="cpu"))
    loaded.budget = 1  # a pair at a time
    left, right = np.array([1, 1, 1, 1]), np.array([2, 3, 4, 5])
    steps = recheck_pairs(prepared, cross, left, right, device="cpu", desk=desk)
    while next(steps).done < 2:
        pass
    steps.close()
    assert prepared.runs.latest(1)[0].state == "cancelled"
    kept = prepared.checked.count(prepared.checked.current().id)
    assert 0 < kept < 4
    again = run_to_end(recheck_pairs(prepared, cross, left, right, device="cpu", desk=desk))
    assert again.known == kept
    assert prepared.checked.count(prepared.checked.current().id) == 4


def test_a_band_holds_the_pairs_of_its_cosines_that_nobody_decided(prepared: Project):
    pairing = prepared.pairs.current()
    table = prepared.pairs.table(pairing)
    rows = np.flatnonzero((table.cosine >= 0.8) & (table.cosine < 0.99))
    inside = list(zip(table.left[rows].tolist(), table.right[rows].tolist(), strict=True))
    assert len(inside) > 2
    prepared.decisions.decide([inside[0]], Verdict.SAME, title="Same")
    prepared.decisions.decide([inside[1]], Verdict.UNSURE, title="Unsure")
    left, right = pairs_in_band(prepared, 0.8, 0.99)
    found = list(zip(left.tolist(), right.tolist(), strict=True))
    assert found == inside[1:]


def test_without_a_band_it_is_what_waits(prepared: Project):
    left, right = waiting_pairs(prepared)
    rows = prepared.groupings.band(-1, 2, flagged=True)
    assert len(rows) > 0
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == [
        (row.text, row.candidate) for row in rows
    ]


def test_a_band_that_is_none_is_refused(prepared: Project):
    with pytest.raises(UserError, match="no band"):
        pairs_in_band(prepared, 0.9, 0.8)


def test_a_forecast_counts_what_is_known(prepared: Project, cross):
    check(prepared, cross, [(1, 2)])
    left, right = np.array([1, 1, 1]), np.array([2, 3, 4])
    told = run_to_end(forecast_recheck(prepared, cross, left, right, device="cpu"))
    assert (told.pairs, told.known) == (3, 1)
    assert 0 < told.seconds < 60
    everything = run_to_end(forecast_recheck(prepared, cross, left[:1], right[:1], device="cpu"))
    assert everything.seconds == 0


def test_a_forecast_stores_nothing(prepared: Project, cross):
    left, right = np.array([1]), np.array([2])
    run_to_end(forecast_recheck(prepared, cross, left, right, device="cpu"))
    assert prepared.checked.current() is None


def test_no_pairs_take_no_time(prepared: Project, cross):
    nothing = np.empty(0, np.int64)
    outcome = run_to_end(recheck_pairs(prepared, cross, nothing, nothing, device="cpu"))
    assert (outcome.pairs, outcome.lowest) == (0, None)


@pytest.mark.parametrize(
    ("place", "said"), [("nowhere", "no cross-encoder in"), ("encoder", "not the folder of")]
)
def test_a_folder_that_is_no_cross_encoder_is_told(prepared: Project, tiny, tmp_path, place, said):
    folder = tiny if place == "encoder" else tmp_path / "nowhere"
    with pytest.raises(UserError, match=said):
        check(prepared, folder, [(1, 2)])


def test_a_cross_encoder_of_labels_is_refused(prepared: Project, tiny, tmp_path):
    parts = load_cross_base(tiny, labels=("a", "b", "c"), device="cpu")
    run_to_end(write_cross_encoder(parts, tmp_path / "three", record={}))
    with pytest.raises(UserError, match="3 kinds of pairs"):
        check(prepared, tmp_path / "three", [(1, 2)])


def test_a_desk_keeps_it_loaded(cross, monkeypatch):
    loaded = []
    ordinary = load_cross_encoder
    monkeypatch.setattr(
        "core.workflows.cross_desk.load_cross_encoder",
        lambda *names, **named: loaded.append(names) or ordinary(*names, **named),
    )
    desk = CrossDesk()
    first = run_to_end(desk.load(cross, device="cpu"))
    assert run_to_end(desk.load(cross, device="cpu")) is first
    assert len(loaded) == 1


def test_the_export_of_pairs_has_the_scores_once_there_are_any(prepared: Project, cross, tmp_path):
    run_to_end(export_table(prepared, "pairs", tmp_path / "before.csv"))
    assert "samesense_checked" not in (tmp_path / "before.csv").read_text("utf-8")
    check(prepared, cross, [(1, 2)])
    run_to_end(export_table(prepared, "pairs", tmp_path / "after.csv"))
    header, *rows = (tmp_path / "after.csv").read_text("utf-8").splitlines()
    assert header.endswith("samesense_checked")
    told = [row.rpartition(",")[2] for row in rows]
    wanted = float(scored(cross, prepared, [(1, 2)], both_orders=True)[0])
    assert [cell for cell in told if cell] == [pytest.approx(wanted, abs=1e-5)] or float(
        next(cell for cell in told if cell)
    ) == pytest.approx(wanted, abs=1e-5)
    assert sum(bool(cell) for cell in told) == 1


def ask(desk, wish, **values):
    return run_to_end(WISHES[wish](desk, values))


def test_the_wishes_of_the_window(prepared: Project, cross):
    folder, desk = str(prepared.folder), Desk()
    try:
        common = {"project": folder, "cross": str(cross), "device": "cpu"}
        found = ask(desk, "recheck-search", question="parcel", texts=[1, 2], **common)
        assert len(found.outcome["scores"]) == 2
        row = prepared.documents.of_text(1, count=1)[0]
        like = ask(desk, "recheck-search", like=row.id, texts=[2], **common)
        wanted = scored(cross, prepared, [(1, 2)])
        assert like.outcome["scores"] == pytest.approx(wanted.tolist(), abs=1e-6)
        told = ask(desk, "recheck-forecast", pairs=[[1, 2]], **common)
        assert (told.outcome["pairs"], told.changes.checked) == (1, False)
        done = ask(desk, "recheck-pairs", low=0.8, high=0.99, **common)
        assert done.changes.checked
        assert done.outcome["pairs"] > 0
        assert ask(desk, "recheck-pairs", **common).outcome["pairs"] > 0
    finally:
        desk.close()
