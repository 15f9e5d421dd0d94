"""Where a project stands, in the few words of the project bar."""

from app.look.words import count, counted, percent
from app.widgets.project_bar import Fact, FactState
from core.store import ProjectState


def facts_of(state: ProjectState) -> list[Fact]:
    """The facts in order, the most telling first; keys name where a click leads."""
    facts = [
        Fact("rows", counted(state.rows, "row")),
        Fact("texts", counted(state.texts, "text")),
    ]
    if state.rows == 0:
        return facts[:1]
    facts.append(_encoder(state))
    if state.pairing is not None:
        facts.append(
            Fact("pairs", f"pairs from {state.pairing.floor:.2f}", _stale(state.pairs_stale))
        )
    facts.append(_groups(state))
    if state.clustering is not None:
        found = counted(state.clustering.counts.get("clusters", 0), "cluster")
        facts.append(Fact("clusters", found, _stale(state.clusters_stale or state.map_stale)))
    decided = sum(state.decisions.values())
    if decided:
        facts.append(Fact("decisions", counted(decided, "decision")))
    return facts


def next_step(state: ProjectState) -> str:
    """What `prepare` would do now, as a request; empty when everything is up to date."""
    if state.rows == 0 or state.texts == 0:
        return ""
    if state.grouping is None:
        return "Find duplicates"
    stale = state.waiting > 0 or state.pairs_stale or state.groups_stale
    return "Bring the duplicates up to date" if stale else ""


def _encoder(state: ProjectState) -> Fact:
    if state.encoder is None:
        return Fact("encoder", "not encoded yet", "warning")
    if state.waiting:
        done = percent(state.encoded, state.texts)
        return Fact("encoder", f"{state.encoder.name}, {done} encoded", "stale")
    return Fact("encoder", state.encoder.name)


def _groups(state: ProjectState) -> Fact:
    if state.grouping is None:
        return Fact("groups", "no groups yet", "warning")
    counts = state.grouping.counts
    words = counted(counts.get("groups", 0), "group")
    waiting = counts.get("review", 0)
    if waiting:
        words += f", {count(waiting)} to review"
    return Fact("groups", words, _stale(state.groups_stale or state.pairs_stale))


def _stale(is_stale: bool) -> FactState:
    return "stale" if is_stale else "plain"
