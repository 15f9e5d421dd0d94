"""Chart: clusters and the map, from one neighbour graph."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from core.clusters import cluster, default_min_size, exemplars, first_level, keywords, levels
from core.errors import UserError
from core.layout import FuzzyGraph, align, fuzzy_graph, lay_out, place_new, usual_epochs
from core.layout.memory import bytes_needed, texts_that_fit
from core.options import ClusterOptions, EncodeOptions, MapOptions
from core.progress import Progress, Steps
from core.store import MapPoints, Project, TreeTable
from core.workflows.cluster_desk import ClusterDesk
from core.workflows.encoding import encode_corpus
from core.workflows.graphing import Surroundings, surroundings
from core.workflows.recorded import recorded

FEW = 15  # texts below which nothing can be said of clusters
_DIMENSIONS = 5  # of the layout that is clustered
_MOST_NEW = 0.2  # share of new texts up to which they are put into the old picture
_EXEMPLARS = 5


@dataclass(frozen=True, slots=True)
class ClustersOutcome:
    """What clustering found."""

    clusters: int
    unclustered: int  # rows
    rows: int
    texts: int
    min_size: int
    levels: tuple[int, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class MapOutcome:
    """What drawing the map did."""

    texts: int
    new: int  # put beside texts that kept their places
    is_seeded: bool  # the same texts and options give it again; maps of old versions may not


def chart(
    project: Project,
    clusters: ClusterOptions | None,
    drawn: MapOptions | None,
    *,
    encode: EncodeOptions | None = None,
) -> Steps[dict[str, Any]]:
    """Encode what is new where `encode` is given, then find clusters and draw the map."""
    if encode is not None and _is_waiting(project):
        yield from encode_corpus(project, encode)
    wished = [part.neighbours for part in (clusters, drawn) if part is not None]
    _require_memory(project, max(wished, default=0))
    around = yield from surroundings(project)
    graphs: dict[int, FuzzyGraph] = {}

    def graph(neighbours: int) -> Steps[FuzzyGraph]:
        if neighbours not in graphs:
            graphs[neighbours] = yield from fuzzy_graph(
                around.graph.index, around.graph.cosine, neighbours=neighbours
            )
        return graphs[neighbours]

    told: dict[str, Any] = {"texts": len(around.texts)}
    if drawn is not None:
        told["map"] = asdict((yield from _draw(project, drawn, around, graph)))
    if clusters is not None:
        told["clusters"] = asdict((yield from _cluster(project, clusters, around, graph)))
    return told


def _draw(
    project: Project,
    options: MapOptions,
    around: Surroundings,
    graph: Callable[[int], Steps[FuzzyGraph]],
) -> Steps[MapOutcome]:
    def work(run: int) -> Steps[MapOutcome]:
        inputs = project.inputs_of_layout()
        order = np.argsort(around.texts)
        fuzzy = yield from graph(options.neighbours)
        xy, new = yield from _coordinates(project, options, around, fuzzy)
        yield Progress("Storing the map", 0, len(xy), "texts")
        outcome = MapOutcome(len(xy), new, is_seeded=True)
        project.maps.replace(
            MapPoints(around.texts[order], xy[order]), encoder=around.encoder.id,
            options=asdict(options), inputs=inputs, counts=asdict(outcome), run=run,
        )  # fmt: skip
        return outcome

    return (
        yield from recorded(
            project, "map", asdict(options), work,
            inputs={"encoder": around.encoder.fingerprint}, seed=options.seed,
        )
    )  # fmt: skip


def _coordinates(
    project: Project, options: MapOptions, around: Surroundings, graph: FuzzyGraph
) -> Steps[tuple[NDArray[np.float32], int]]:
    """Places for all texts and how many of them were put into an old picture."""
    before = project.maps.current()
    old = None
    if options.keep and before is not None and before.encoder == around.encoder.id:
        old = _old_places(project, around)
        is_new = np.isnan(old[:, 0])
        as_before = {**before.options, "keep": True, "fast": options.fast} == asdict(options)
        if as_before and not is_new.any():
            return old, 0
        if is_new.sum() <= _MOST_NEW * len(is_new):
            places = yield from place_new(
                old[~is_new], graph, is_new, vectors=around.vectors, seed=options.seed,
                min_dist=options.min_dist,
            )  # fmt: skip
            return places, int(is_new.sum())
    usual = usual_epochs(len(graph.first))
    sketches = project.maps.sketches
    try:
        xy = yield from lay_out(
            around.vectors, graph, dimensions=2, seed=options.seed, start=old,
            min_dist=options.min_dist, epochs=usual // 2 if options.fast else usual,
            title="Drawing the map", sketch=lambda xy: sketches.leave(around.texts, xy),
        )  # fmt: skip
    finally:
        sketches.clear()
    return (xy if old is None else align(xy, old)), 0


def _old_places(project: Project, around: Surroundings) -> NDArray[np.float32]:
    """The places on the map before, (n, 2), nan where a text was not on it."""
    points = project.maps.points()
    places = np.full((len(around.texts), 2), np.nan, np.float32)
    _, ours, theirs = np.intersect1d(around.texts, points.texts, return_indices=True)
    places[ours] = points.xy[theirs]
    return places


def _cluster(
    project: Project,
    options: ClusterOptions,
    around: Surroundings,
    graph: Callable[[int], Steps[FuzzyGraph]],
) -> Steps[ClustersOutcome]:
    def work(run: int) -> Steps[ClustersOutcome]:
        inputs = project.inputs_of_layout()
        rows = int(around.copies.sum())
        min_size = options.min_size or default_min_size(rows)
        fuzzy = yield from graph(options.neighbours)
        flat = yield from lay_out(
            around.vectors, fuzzy, dimensions=_DIMENSIONS, seed=options.seed, min_dist=0.0,
            title="Finding clusters",
        )  # fmt: skip
        tree = yield from cluster(flat, around.copies, min_size=min_size, seed=options.seed)
        cuts = levels(tree)
        yield Progress("Naming the clusters", 0, len(around.texts), "texts")
        named = yield from keywords(project.texts.bodies(around.texts), tree)
        typical = exemplars(around.vectors, tree, count=_EXEMPLARS)
        order = np.argsort(around.texts)
        table = TreeTable(
            tree.parent, tree.birth, tree.persistence, tree.rows, tuple(map(tuple, named)),
            tuple(tuple(around.texts[at].tolist()) for at in typical),
            around.texts[order], tree.node_of[order], tree.fall[order],
        )  # fmt: skip
        before = project.clusters.current()
        most = 1.0 if before is None else before.most_unclustered
        desk = ClusterDesk.of(table, cuts, around)
        shown, _ = desk.shown(
            first_level(tree, cuts, around.graph.index, around.graph.cosine),
            most,
            project.cluster_edits.active(),
        )
        yield Progress("Storing the clusters", 0, rows, "rows")
        project.clusters.replace(
            encoder=around.encoder.id, options={**asdict(options), "used_min_size": min_size},
            inputs=inputs, levels=[nodes.tolist() for nodes in cuts], tree=table, shown=shown,
            run=run,
        )  # fmt: skip
        return ClustersOutcome(
            len(shown.clusters), shown.counts["unclustered"], rows, len(around.texts), min_size,
            tuple(len(nodes) for nodes in cuts), _note(len(around.texts), rows, min_size, shown),
        )  # fmt: skip

    return (
        yield from recorded(
            project, "clusters", asdict(options), work,
            inputs={"encoder": around.encoder.fingerprint}, seed=options.seed,
        )
    )  # fmt: skip


def _note(texts: int, rows: int, min_size: int, shown: Any) -> str:
    if shown.clusters:
        return ""
    if min_size * 2 > rows and rows >= FEW:
        return (
            f"No cluster can have {min_size:,} of {rows:,} rows beside another one; choose a "
            "smaller size."
        )
    if texts < FEW:
        few = "1 text is" if texts == 1 else f"{texts} texts are"
        return f"{few} too few for clusters; the map shows how near they are."
    return "The texts form no clusters: none lie clearly closer together than the rest."


def _require_memory(project: Project, neighbours: int) -> None:
    """Say before the work begins where the machine's memory would not do."""
    encoder = project.active_encoder()
    if encoder is None:
        return
    texts, free = project.texts.count(), psutil.virtual_memory().available
    needed = bytes_needed(texts, encoder.dimension, neighbours=neighbours)
    if needed > free:
        fit = texts_that_fit(free, encoder.dimension, neighbours=neighbours)
        raise UserError(
            f"A map of {texts:,} texts takes about {needed / 1e9:.1f} GB of memory, and "
            f"{free / 1e9:.1f} GB are free.",
            f"Close other programs, or make a project of fewer texts: about {fit:,} would fit.",
        )


def _is_waiting(project: Project) -> bool:
    encoder = project.active_encoder()
    return encoder is None or project.texts.without_vector(encoder.id).size > 0
