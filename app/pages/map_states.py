"""What the page says in place of a map, above it, and in place of clusters."""

from typing import Any

import numpy as np

from app.look.words import count, counted
from app.pages.blank_rows import are_all_blank, show_blank_rows
from app.pages.corpus_notices import Notices
from app.pages.map_reads import Clusters, Picture
from app.widgets.empty_state import EmptyState
from app.workspace import Workspace
from core.store import ProjectState

DRAWING_WISHES = ("chart", "map", "clusters")
FEW = 15  # texts below which nothing can be said of clusters


def show_empty(empty: EmptyState, workspace: Workspace, *, is_drawing: bool) -> None:
    """Say what is missing: rows, the end of a job, or the map itself."""
    state = workspace.state
    if workspace.folder is None or state is None or not state.rows:
        if workspace.read_only:
            empty.show_state("map", "There are no rows yet to map.")
        else:
            empty.show_state("map", "There are no rows yet to map.", button="Import a file…")
    elif are_all_blank(workspace):
        show_blank_rows(empty, workspace, icon="map", purpose="map")
    elif is_drawing:
        empty.show_state(
            "clock",
            "The map is being drawn.",
            note="How far it is stands below. The other pages work meanwhile.",
        )
    elif workspace.read_only:
        empty.show_state(
            "map",
            "No map has been drawn yet.",
            note="The project is open for reading only; close it in the other window to draw one.",
        )
    else:
        empty.show_state(
            "map",
            "See what is in here at one look.",
            note=_note(state),
            button="Draw the map",
            second="Options…",
        )


def tell_stale(
    notices: Notices, workspace: Workspace, picture: Picture, *, is_drawing: bool
) -> None:
    """Say above the map what it does not show yet, and offer to bring it up to date."""
    state = workspace.state
    words, button = "", ""
    if state is not None and not is_drawing:
        words, button = _stale_words(state, picture)
    if words:
        notices.say("stale", "warning", words, button="" if workspace.read_only else button)
    else:
        notices.drop("stale")


def new_texts(state: ProjectState | None, picture: Picture | None) -> int:
    """How many texts are not on the map."""
    if state is None or picture is None:
        return 0
    return max(state.texts - len(picture.texts), 0)


def has_other_encoder(state: ProjectState | None, picture: Picture | None) -> bool:
    """Whether the texts were encoded otherwise since the map was drawn."""
    if state is None or picture is None or state.encoder is None:
        return False
    return state.encoder.id != picture.record.encoder


def has_levels(clusters: Clusters | None) -> bool:
    """Whether there are coarser and finer clusters to choose from."""
    return clusters is not None and len(clusters.record.levels) > 1


def has_leftover(clusters: Clusters | None) -> bool:
    """Whether rows in no cluster could be in one: where there are several to go to."""
    if clusters is None:
        return False
    return max(0, len(clusters.listed), *clusters.record.levels) > 1


def is_few(picture: Picture | None) -> bool:
    """Whether the texts are too few for any clusters."""
    return picture is None or len(picture.texts) < FEW


def why_no_clusters(clusters: Clusters | None, picture: Picture | None) -> str:
    """What the list says where it has no clusters to list."""
    if picture is None:
        return ""
    texts, rows = len(picture.texts), int(np.sum(picture.rows))
    if is_few(picture) and (clusters is None or not clusters.listed):
        if texts == 1:
            return "One text makes no cluster. The map shows it all the same."
        return (
            f"{counted(texts, 'text')} are too few for clusters. The map shows all the same how "
            "near they are to each other."
        )
    if clusters is None:
        return "Clusters have not been looked for yet."
    if clusters.listed:
        return ""
    size = smallest_size(clusters.record.options)
    if size and 2 * size > rows:
        return (
            f"No cluster can have {counted(size, 'row')}: that is more than half of the "
            f"{count(rows)}. Draw again with a smaller size."
        )
    return (
        "No clusters: no texts lie clearly closer together than the rest. A smaller size of "
        "cluster may find some."
    )


def smallest_size(options: dict[str, Any]) -> int | None:
    """The size of the smallest cluster that was asked for, or that was taken."""
    size = options.get("min_size") or options.get("used_min_size")
    return None if size is None else int(size)


def _note(state: ProjectState) -> str:
    said = "Texts that say alike things will lie together, in clusters named by their words."
    if state.waiting:
        return f"{said} {counted(state.waiting, 'text')} will be encoded first."
    return said


def _stale_words(state: ProjectState, picture: Picture) -> tuple[str, str]:
    new = new_texts(state, picture)
    if has_other_encoder(state, picture):
        return (
            "The texts have been encoded with another encoder since this map was drawn.",
            "Draw again…",
        )
    if new:
        are = "text is" if new == 1 else "texts are"
        words = f"{count(new)} {are} not on the map yet."
        return words, "Add the new text" if new == 1 else "Add the new texts"
    if state.clusters_stale:
        return "Rows have gone or changed since the clusters were found.", "Draw again…"
    return "", ""
