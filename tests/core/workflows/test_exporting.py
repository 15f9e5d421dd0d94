"""Exports: nothing is lost, and every removal is explained."""

import csv
import re
from pathlib import Path

import pytest

from core.errors import UserError
from core.options import ClusterOptions, MapOptions
from core.progress import run_to_end
from core.records import Verdict
from core.store import Project
from core.workflows.certifying import write_certificate
from core.workflows.charting import chart
from core.workflows.deciding import decide
from core.workflows.exporting import EXPORTS, export_rows, export_table


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def test_kept_and_removed_are_all_rows(prepared: Project, tmp_path: Path) -> None:
    for what in ("kept", "removed", "documents"):
        run_to_end(export_table(prepared, what, tmp_path / f"{what}.csv"))
    kept, removed = rows_of(tmp_path / "kept.csv"), rows_of(tmp_path / "removed.csv")
    every = {row["id"] for row in rows_of(tmp_path / "documents.csv")}
    assert {row["id"] for row in kept} | {row["id"] for row in removed} == every
    assert len(kept) + len(removed) == 10


def test_each_removed_row_names_the_row_kept_for_it(prepared: Project, tmp_path: Path) -> None:
    run_to_end(export_table(prepared, "removed", tmp_path / "removed.csv"))
    run_to_end(export_table(prepared, "kept", tmp_path / "kept.csv"))
    kept = {row["samesense_id"] for row in rows_of(tmp_path / "kept.csv")}
    removed = rows_of(tmp_path / "removed.csv")
    assert all(row["samesense_kept_id"] in kept for row in removed)
    copies = [row for row in removed if row["samesense_reason"] == "copy"]
    assert [row["samesense_copy_of"] for row in copies] == ["1"]
    assert all(float(row["samesense_threshold"]) == 0.99 for row in removed)
    assert all(re.fullmatch("[0-9a-f]{32}", row["samesense_encoder"]) for row in removed)


def test_pairs_carry_the_decisions_as_labels(prepared: Project, tmp_path: Path) -> None:
    run_to_end(export_table(prepared, "pairs", tmp_path / "before.csv"))
    first = rows_of(tmp_path / "before.csv")[0]
    texts = [prepared.documents.get([int(first[side])])[0].text
             for side in ("samesense_left", "samesense_right")]  # fmt: skip
    decide(prepared, [(texts[0] or 0, texts[1] or 0)], Verdict.DIFFERENT)
    run_to_end(export_table(prepared, "pairs", tmp_path / "after.csv"))
    after = rows_of(tmp_path / "after.csv")[0]
    assert (after["samesense_decision"], after["label"]) == ("different", "0")


@pytest.mark.parametrize("what", EXPORTS)
def test_every_export_can_be_written_as_every_kind(
    prepared: Project, tmp_path: Path, what: str
) -> None:
    run_to_end(chart(prepared, ClusterOptions(), MapOptions()))
    counts = {
        run_to_end(export_table(prepared, what, tmp_path / f"{what}.{suffix}")).rows
        for suffix in ("csv", "tsv", "jsonl", "xlsx", "parquet")
    }
    assert len(counts) == 1
    assert counts.pop() > 0


def test_clusters_name_each_row_s_cluster(prepared: Project, tmp_path: Path) -> None:
    run_to_end(chart(prepared, ClusterOptions(min_size=2), MapOptions()))
    run_to_end(export_table(prepared, "clusters", tmp_path / "clusters.csv"))
    rows = rows_of(tmp_path / "clusters.csv")
    assert [row["id"] for row in rows] == [str(number) for number in range(1, 11)]
    names = {str(row.number): row.name for row in prepared.clusters.listed()}
    assert names
    for row in rows:
        assert row["samesense_cluster_name"] == names.get(row["samesense_cluster"], "")
    assert rows[8]["samesense_cluster"] == ""  # the blank row is in none


def test_rows_that_were_picked_keep_their_order_and_scores(
    prepared: Project, tmp_path: Path
) -> None:
    file = tmp_path / "picked.csv"
    run_to_end(export_rows(prepared, [7, 3, 5], file, scores=[0.9, 0.8, 0.5]))
    rows = rows_of(file)
    assert [row["samesense_id"] for row in rows] == ["7", "3", "5"]
    assert [float(row["samesense_score"]) for row in rows] == [0.9, 0.8, 0.5]


@pytest.mark.parametrize("what", ["clusters", "map"])
def test_an_export_before_the_chart_says_what_to_do(
    prepared: Project, tmp_path: Path, what: str
) -> None:
    with pytest.raises(UserError, match=f"samesense {what}"):
        run_to_end(export_table(prepared, what, tmp_path / "none.csv"))


def test_an_export_before_grouping_says_what_to_do(project: Project, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="samesense groups"):
        run_to_end(export_table(project, "kept", tmp_path / "kept.csv"))


def test_the_certificate_names_inputs_sums_and_the_kept_list(
    prepared: Project, tmp_path: Path
) -> None:
    page = run_to_end(write_certificate(prepared, tmp_path / "certificate.html"))
    told = page.read_text(encoding="utf-8")
    counts = prepared.groupings.current().counts
    assert f"10 rows = {counts['kept']} kept + {counts['removed']} removed" in told
    assert prepared.sources.all()[0].sha256 in told
    assert "<script" not in told
    assert "http" not in told
