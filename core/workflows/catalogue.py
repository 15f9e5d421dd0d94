"""The list of all a window can wish for, by name, with plain values in and out."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.corpus import composer
from core.options import (
    ClusterOptions,
    EncodeOptions,
    GroupOptions,
    MapOptions,
    PairOptions,
    SearchOptions,
    options_from,
)
from core.progress import Progress, Steps
from core.records import Changes, DateColumn, ImportSettings, Reading, Verdict
from core.store import DocumentFilter, Project
from core.workflows.augment_wishes import AUGMENT_WISHES
from core.workflows.certifying import write_certificate
from core.workflows.charting import chart
from core.workflows.cluster_editing import edit_clusters, show_level
from core.workflows.cross_wishes import CROSS_WISHES
from core.workflows.deciding import accept_band, decide, keep_instead
from core.workflows.demonstrating import demo_corpus, demo_settings, judge
from core.workflows.desk import Desk
from core.workflows.encoding import encode_corpus
from core.workflows.exporting import export_rows, export_table
from core.workflows.grouping import group_corpus, preview_counts
from core.workflows.importing import import_file, inspect_file, remove_import
from core.workflows.pairing import find_pairs, forecast_pairs
from core.workflows.preparing import prepare
from core.workflows.searching import nearest_texts, search_corpus
from core.workflows.training_wishes import TRAINING_WISHES
from core.workflows.wishes import Answer, Wish, options_of, project_of


def _open(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Opening the project")
    desk.close()
    folder = Path(values["folder"])
    if values.get("read_only"):
        Project.open_read_only(folder).close()
        return Answer({"interrupted": [], "dropped_imports": []})
    project = (
        Project.create_for_holder(folder) if values.get("create") else desk.project(str(folder))
    )
    recovery = project.recover()
    if values.get("create"):
        project.close()
    return Answer(
        {
            "interrupted": [
                {"workflow": run.workflow, "started": run.started} for run in recovery.runs
            ],
            "dropped_imports": list(recovery.dropped_imports),
        }
    )


def _close(desk: Desk, _values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Closing the project")
    desk.close()
    return Answer({})


def _recover(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Tidying up")
    project_of(desk, values).recover(but=values.get("but") or ())
    return Answer({})


def _inspect(_desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Looking into the file")
    choices = {name: value for name, value in values.items() if name != "path"}
    return Answer(asdict(inspect_file(Path(values["path"]), **choices)))


def _compose(_desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Composing the texts")
    compose = composer(
        columns=values["columns"], text_columns=values["text_columns"],
        template=values["template"],
    )  # fmt: skip
    return Answer({"texts": [compose(cells) for cells in values["rows"]]})


def _demo(_desk: Desk, _values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Reading the demo")
    return Answer({"path": str(demo_corpus()), "settings": asdict(demo_settings())})


def _judge(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Comparing with the gold pairs")
    told = judge(project_of(desk, values))
    return Answer({**asdict(told), "precision": told.precision, "recall": told.recall})


def _import(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = project_of(desk, values)
    settings = import_settings(values["settings"])
    report = yield from import_file(
        project, Path(values["path"]), settings, expected=values.get("expected")
    )
    return Answer(asdict(report), Changes(corpus=not report.already_known))


def _remove_import(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    gone = yield from remove_import(project_of(desk, values), values["source"])
    return Answer({"rows": gone}, Changes(corpus=True, pairs=True, groups=True))


def _encode(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    options = options_of(EncodeOptions, values)
    outcome = yield from encode_corpus(project_of(desk, values), options)
    return Answer(asdict(outcome), Changes(vectors=True))


def _forecast(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from forecast_pairs(project_of(desk, values), options_of(PairOptions, values))
    return Answer(asdict(outcome))


def _pairs(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    options = options_of(PairOptions, values)
    outcome = yield from find_pairs(project_of(desk, values), options)
    return Answer(asdict(outcome), Changes(pairs=True))


def _groups(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = project_of(desk, values)
    options = options_of(GroupOptions, values)
    outcome = yield from group_corpus(project, options, desk.grouping(project))
    return Answer(asdict(outcome), Changes(groups=True))


def _counts(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Counting")
    project = project_of(desk, values)
    options = options_of(GroupOptions, values)
    return Answer(preview_counts(project, options, desk.grouping(project)))


def _prepare(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from prepare(
        project_of(desk, values),
        options_from(EncodeOptions, values.get("encode") or {}),
        options_from(PairOptions, values.get("pairs") or {}),
        options_from(GroupOptions, values.get("groups") or {}),
    )
    return Answer(outcome, Changes(vectors=True, pairs=True, groups=True))


def _decide(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Deciding")
    verdict = None if values["verdict"] is None else Verdict(values["verdict"])
    pairs = [(int(left), int(right)) for left, right in values["pairs"]]
    project = project_of(desk, values)
    keep = values.get("keep")
    changed = decide(
        project, pairs, verdict, title=values.get("title", ""),
        keep=None if keep is None else _keeper(keep),
    )  # fmt: skip
    return Answer({"changed": changed}, Changes(decisions=True))


def _accept_band(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Deciding")
    changed = accept_band(
        project_of(desk, values), values["low"], values["high"],
        flagged=bool(values.get("flagged")), verdict=Verdict(values.get("verdict", "same")),
    )  # fmt: skip
    return Answer({"changed": changed}, Changes(decisions=True))


def _keep(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Deciding")
    keep_instead(project_of(desk, values), *_keeper(values))
    return Answer({}, Changes(decisions=True))


def _undo(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Undoing")
    return _turn(desk, project_of(desk, values), back=True)


def _redo(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Redoing")
    return _turn(desk, project_of(desk, values), back=False)


def _turn(desk: Desk, project: Project, *, back: bool) -> Answer:
    kinds = project.decisions.kinds_of_next(back=back)
    title = project.decisions.undo() if back else project.decisions.redo()
    has_clusters = "cluster" in kinds and project.clusters.current() is not None
    if has_clusters:
        show_level(project, desk.clusters(project))
    is_taught = "encoder" in kinds
    return Answer(
        {"title": title, "encoder": is_taught},
        Changes(
            decisions=title is not None, clusters=has_clusters, vectors=is_taught,
            trainings=is_taught,
        ),
    )  # fmt: skip


def _export(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from export_table(
        project_of(desk, values), values["what"], Path(values["to"]),
        raw=bool(values.get("raw")),
    )  # fmt: skip
    return Answer(asdict(outcome))


def _export_rows(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from export_rows(
        project_of(desk, values), values["documents"], Path(values["to"]),
        scores=values.get("scores"), raw=bool(values.get("raw")),
    )  # fmt: skip
    return Answer(asdict(outcome))


def _warm(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    is_ready = yield from desk.search.load(project_of(desk, values))
    return Answer({"ready": is_ready})


def _search(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = project_of(desk, values)
    asked = {name: values[name] for name in ("by", "count") if values.get(name) is not None}
    options = options_from(SearchOptions, asked)
    told = dict(values.get("filter") or {})
    told["columns"] = tuple(map(tuple, told.get("columns", ())))
    wanted = DocumentFilter(**told)
    if values.get("like") is not None:
        steps = nearest_texts(project, values["like"], options, wanted=wanted, desk=desk.search)
    else:
        steps = search_corpus(project, values["text"], options, wanted=wanted, desk=desk.search)
    outcome = yield from steps
    return Answer(asdict(outcome))


def _chart(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    project = project_of(desk, values)
    encode = values.get("encode")
    outcome = yield from chart(
        project,
        None if values.get("clusters") is None else options_from(
            ClusterOptions, values["clusters"]
        ),
        None if values.get("map") is None else options_from(MapOptions, values["map"]),
        encode=None if encode is None else options_from(EncodeOptions, encode),
    )  # fmt: skip
    return Answer(outcome, Changes(vectors=encode is not None, clusters=True, map=True))


def _clusters(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from chart(project_of(desk, values), options_of(ClusterOptions, values), None)
    return Answer(outcome["clusters"], Changes(clusters=True))


def _map(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    outcome = yield from chart(project_of(desk, values), None, options_of(MapOptions, values))
    return Answer(outcome["map"], Changes(map=True))


def _show_level(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Showing another level")
    project = project_of(desk, values)
    counts = show_level(
        project, desk.clusters(project), values.get("level"), values.get("most_unclustered")
    )
    return Answer(counts, Changes(clusters=True))


def _edit_clusters(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    yield Progress("Changing the clusters")
    project = project_of(desk, values)
    title = edit_clusters(
        project, desk.clusters(project), values["op"], clusters=values.get("clusters") or (),
        texts=values.get("texts") or (), name=values.get("name") or "",
        target=values.get("target"),
    )  # fmt: skip
    return Answer({"title": title}, Changes(clusters=True, decisions=True))


def _certificate(desk: Desk, values: Mapping[str, Any]) -> Steps[Answer]:
    path = yield from write_certificate(project_of(desk, values), Path(values["to"]))
    return Answer({"path": str(path)})


WISHES: dict[str, Wish] = {
    "open": _open,
    "close": _close,
    "recover": _recover,
    "inspect": _inspect,
    "compose": _compose,
    "demo": _demo,
    "judge": _judge,
    "import": _import,
    "remove-import": _remove_import,
    "encode": _encode,
    "forecast": _forecast,
    "pairs": _pairs,
    "groups": _groups,
    "counts": _counts,
    "prepare": _prepare,
    "decide": _decide,
    "accept-band": _accept_band,
    "keep": _keep,
    "undo": _undo,
    "redo": _redo,
    "export": _export,
    "export-rows": _export_rows,
    "warm": _warm,
    "search": _search,
    "chart": _chart,
    "clusters": _clusters,
    "map": _map,
    "show-level": _show_level,
    "edit-clusters": _edit_clusters,
    "certificate": _certificate,
    **TRAINING_WISHES,
    **AUGMENT_WISHES,
    **CROSS_WISHES,
}


def import_settings(values: Mapping[str, Any]) -> ImportSettings:
    """Import settings from plain values, the reverse of `dataclasses.asdict`."""
    told = dict(values)
    reading = dict(told.pop("reading"))
    return ImportSettings(
        reading=Reading(**{**reading, "columns": tuple(reading["columns"])}),
        text_columns=tuple(told.pop("text_columns")),
        date_columns=tuple(DateColumn(**column) for column in told.pop("date_columns", ())),
        **told,
    )


def _keeper(values: Mapping[str, Any]) -> tuple[int, list[int]]:
    return int(values["document"]), [int(row) for row in values.get("instead_of", ())]
