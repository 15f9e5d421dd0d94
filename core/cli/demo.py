"""`samesense demo` without a window: the whole path, the tables and the figures."""

import importlib
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.cli.console import follow
from core.errors import UserError
from core.options import (
    ClusterOptions,
    EncodeOptions,
    GroupOptions,
    MapOptions,
    PairOptions,
)
from core.store import Project
from core.workflows.certifying import write_certificate
from core.workflows.charting import chart
from core.workflows.demonstrating import demo_corpus, demo_settings, judge
from core.workflows.exporting import EXPORTS, export_table
from core.workflows.importing import import_file
from core.workflows.preparing import prepare


def run_demo(out: Path | None) -> dict[str, Any]:
    """Import, encode, pair, group, chart and export the demo corpus into a new folder."""
    home = out if out is not None else Path(tempfile.mkdtemp(prefix="samesense-demo-"))
    if home.is_dir() and any(home.iterdir()):
        raise UserError(f"The folder {home} holds other things.", "Name a new or empty folder.")
    folder = home / "Demo.samesense"
    with Project.create(folder) as project:
        follow(import_file(project, demo_corpus(), demo_settings()))
        follow(prepare(project, EncodeOptions(), PairOptions(), GroupOptions()))
        follow(chart(project, ClusterOptions(), MapOptions()))
        told = judge(project)
        tables = []
        for what in EXPORTS:
            file = home / f"{what}.csv"
            follow(export_table(project, what, file))
            tables.append(str(file))
        page = follow(write_certificate(project, home / "certificate.html"))
        grouping = project.groupings.current()
        counts = grouping.counts if grouping else {}
    pictures = _pictures(folder, home)
    figures: dict[str, Any] = {
        "project": str(folder),
        "tables": tables,
        "certificate": str(page),
        "pictures": pictures,
        "counts": counts,
        "precision": round(told.precision, 4),
        "recall": round(told.recall, 4),
        "recall_with_review": round(
            (told.right + told.waiting) / max(told.right + told.missed, 1), 4
        ),
        "right": told.right,
        "wrong": told.wrong,
        "missed": told.missed,
        "waiting": told.waiting,
        "relations": [asdict(one) for one in told.relations],
    }
    figures["words"] = _words(figures)
    return figures


def _pictures(folder: Path, home: Path) -> list[str]:
    """Pictures of the pages; drawn by the window's own code, started by name."""
    try:
        draw = importlib.import_module("app.pictures").draw_pages
    except ImportError as fault:
        if "app." in str(fault) or "core." in str(fault):
            raise  # a fault of ours, not of the machine
        raise UserError(
            f"The pages cannot be drawn on this machine ({fault}).",
            "Install the system libraries that Qt needs; the tables are written already.",
        ) from fault
    return [str(file) for file in draw(folder, home / "pictures")]


def _words(told: dict[str, Any]) -> str:
    counts = told["counts"]
    return "\n".join(
        [
            f"{counts['rows']:,} rows = {counts['kept']:,} kept + {counts['removed']:,} removed, "
            f"{counts['review']:,} pairs to review.",
            f"Against the gold pairs: precision {told['precision']:.3f}, recall "
            f"{told['recall']:.3f} removed without asking, {told['recall_with_review']:.3f} "
            "with the pairs put before a person.",
            *(
                f"  {one['relation']}: {one['pairs']:,} pairs, {one['grouped'] / one['pairs']:.0%} "
                f"grouped, {one['waiting'] / one['pairs']:.0%} put before a person"
                for one in told["relations"]
            ),
            f"Project: {told['project']}",
            *(f"Table: {file}" for file in told["tables"]),
            f"Certificate: {told['certificate']}",
            *(f"Picture: {file}" for file in told["pictures"]),
        ]
    )
