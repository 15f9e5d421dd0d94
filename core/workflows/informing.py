"""Info: where a project stands, in figures and in words."""

from typing import Any

from core.store import Project


def describe(project: Project) -> dict[str, Any]:
    """Everything a person asks first of a project."""
    state = project.state()
    encoder, grouping = state.encoder, state.grouping
    told: dict[str, Any] = {
        "name": state.name,
        "folder": str(project.folder),
        "rows": state.rows,
        "texts": state.texts,
        "blank": state.blank,
        "files": [
            {"source": one.id, "name": one.name, "sha256": one.sha256, "imported": one.imported_at}
            for one in project.sources.all()
        ],
        "encoder": None if encoder is None else {
            "name": encoder.name, "precision": encoder.precision,
            "fingerprint": encoder.fingerprint, "dimension": encoder.dimension,
        },
        "encoded": state.encoded,
        "long": state.long,
        "unreadable": state.unreadable,
        "pairs": None if state.pairing is None else project.pairs.count(state.pairing.id),
        "floor": None if state.pairing is None else state.pairing.floor,
        "pairs_stale": state.pairs_stale,
        "groups": None if grouping is None else {
            **grouping.counts, "threshold": grouping.threshold, "keep": grouping.keep,
        },
        "groups_stale": state.groups_stale,
        "clusters": None if state.clustering is None else state.clustering.counts,
        "clusters_stale": state.clusters_stale,
        "map": None if state.map is None else {
            "texts": len(project.maps.points().texts), "seeded": state.map.counts["is_seeded"],
        },
        "map_stale": state.map_stale,
        "trainings": [
            {"name": one.name, "folder": one.folder, "state": one.state}
            for one in project.trainings.listed()
        ],
        "decisions": state.decisions,
        "last_runs": [
            {"workflow": run.workflow, "state": run.state, "started": run.started}
            for run in project.runs.latest(5)
        ],
    }  # fmt: skip
    told["words"] = _words(told)
    return told


def _words(told: dict[str, Any]) -> str:
    lines = [
        f"{told['name']}: {told['rows']:,} rows, {told['texts']:,} texts, {told['blank']:,} blank",
        "files: " + (", ".join(one["name"] for one in told["files"]) or "none"),
    ]
    if told["encoder"]:
        lines.append(
            f"encoder: {told['encoder']['name']} ({told['encoder']['precision']}), "
            f"{told['encoded']:,} texts encoded, {told['long']:,} long, "
            f"{told['unreadable']:,} unreadable"
        )
    if told["pairs"] is not None:
        stale = " (stale)" if told["pairs_stale"] else ""
        lines.append(f"pairs: {told['pairs']:,} from {told['floor']:.2f} on{stale}")
    if told["groups"]:
        groups = told["groups"]
        stale = " (stale)" if told["groups_stale"] else ""
        lines.append(
            f"groups at {groups['threshold']:.3f}: {groups['kept']:,} kept + "
            f"{groups['removed']:,} removed, {groups['review']:,} to review{stale}"
        )
    if told["clusters"]:
        stale = " (stale)" if told["clusters_stale"] else ""
        lines.append(
            f"clusters: {told['clusters']['clusters']:,}, {told['clusters']['unclustered']:,} "
            f"rows in none{stale}"
        )
    if told["map"]:
        stale = " (stale)" if told["map_stale"] else ""
        lines.append(f"map: {told['map']['texts']:,} of {told['texts']:,} texts{stale}")
    verdicts = told["decisions"]
    lines.append("decisions: " + ", ".join(f"{count:,} {name}" for name, count in verdicts.items()))
    return "\n".join(lines)
