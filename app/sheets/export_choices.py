"""What can be exported, in which formats."""

from dataclasses import dataclass
from pathlib import Path

from core.store import Project

XLSX_ROWS = 1_048_575  # a sheet has a row more, for the header


@dataclass(frozen=True, slots=True)
class What:
    key: str
    words: str
    sentence: str
    noun: str = "row"


WHAT = (
    What("kept", "Kept rows", "The corpus without duplicates, with every original column."),
    What("removed", "Removed rows", "Each with the row kept for it, the reason and the cosine."),
    What("groups", "Groups", "Kept and removed rows together, a group after the other."),
    What("pairs", "Pairs", "Two texts a line with cosine and decision: data to train on.", "pair"),
    What("documents", "All rows", "Every row with its marks, and whether it is kept."),
    What("clusters", "Clusters", "Every row with its cluster and how sure that is."),
    What("map", "Map", "Every text with its place on the map and its cluster.", "text"),
    What("certificate", "Certificate", "One page on what was removed and why, to be filed.", ""),
)
FORMATS = (
    ("CSV", ".csv"),
    ("Excel", ".xlsx"),
    ("JSON lines", ".jsonl"),
    ("Parquet", ".parquet"),
    ("Tab-separated", ".tsv"),
)
CERTIFICATE_FORMATS = (("Web page", ".html"),)
GUARDED = (".csv", ".tsv")


def read_counts(project: Project) -> dict[str, int]:
    """How many rows each export would have; what cannot be exported yet is missing."""
    counts = {"documents": project.documents.count()}
    grouping, pairing = project.groupings.current(), project.pairs.current()
    if pairing is not None:
        counts["pairs"] = project.pairs.count(pairing.id)
    if project.clusters.current() is not None:
        counts["clusters"] = counts["documents"]
    if project.maps.current() is not None:
        counts["map"] = len(project.maps.points().texts)
    if grouping is not None:
        counts["kept"] = grouping.counts["kept"]
        counts["removed"] = grouping.counts["removed"]
        counts["groups"] = sum(row.rows for row in project.groupings.listed() if row.rows > 1)
        counts["certificate"] = 1
    return counts


def with_suffix(path: Path, suffix: str) -> Path:
    """The path with this ending in place of that of another format."""
    known = {ending for _, ending in (*FORMATS, *CERTIFICATE_FORMATS)}
    return path.with_suffix(suffix) if path.suffix.lower() in known else Path(f"{path}{suffix}")
