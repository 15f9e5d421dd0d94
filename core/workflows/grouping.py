"""Groups: pairs, a threshold and a rule give the rows that stay and the rows that go."""

from dataclasses import asdict, dataclass
from typing import Any

from core.errors import UserError
from core.options import GroupOptions
from core.progress import Progress, Steps
from core.store import Project
from core.workflows.grouping_desk import GroupingDesk
from core.workflows.grouping_layout import Layout
from core.workflows.recorded import recorded


@dataclass(frozen=True, slots=True)
class GroupsOutcome:
    """The counts of a grouping; kept + removed = rows."""

    counts: dict[str, int]
    contradictions: int  # pairs decided "same" that other decisions keep apart


def group_corpus(
    project: Project, options: GroupOptions, desk: GroupingDesk | None = None
) -> Steps[GroupsOutcome]:
    """Group all texts and store the result in place of the last one."""
    pairing = project.pairs.current()
    return (
        yield from recorded(
            project,
            "groups",
            asdict(options),
            lambda run: _group(project, options, desk, run),
            inputs={
                **project.inputs_of_groups(pairing),
                "encoder": None if pairing is None else pairing.encoder,
            },
        )
    )


def preview_counts(project: Project, options: GroupOptions, desk: GroupingDesk) -> dict[str, Any]:
    """What these options would do, in counts and a histogram; nothing is stored."""
    grouping, _ = desk.group(project, options)
    told = desk.counts(grouping, len(desk.waiting(grouping, options)))
    bars, low = desk.histogram(60)
    return {"counts": told, "histogram": bars, "low": low}


def _group(
    project: Project, options: GroupOptions, desk: GroupingDesk | None, run: int
) -> Steps[GroupsOutcome]:
    yield Progress("Reading the pairs")
    desk = desk or GroupingDesk(project)
    if options.threshold < desk.pairing.floor:
        raise UserError(
            f"Pairs were found from {desk.pairing.floor:g} on only, so nothing below can be "
            "removed.",
            f"Run: samesense pairs PROJECT --threshold {options.threshold:g}, or choose a higher "
            "threshold.",
        )
    yield Progress("Grouping")
    grouping, priority = desk.group(project, options)
    waiting = desk.waiting(grouping, options)
    told = desk.counts(grouping, len(waiting))
    inputs = {
        **project.inputs_of_groups(desk.pairing),
        "corpus": desk.corpus,
        "decisions": desk.decisions,
    }
    yield Progress("Storing the groups", 0, told["rows"], "rows")
    layout = Layout(desk, grouping, options, priority, waiting)
    project.groupings.replace(
        pairing=desk.pairing.id, threshold=options.threshold, review=options.review,
        keep=options.keep, inputs=inputs, counts=told, groups=layout.groups(),
        members=layout.members(), waiting=layout.review(), run=run,
    )  # fmt: skip
    return GroupsOutcome(told, len(grouping.contradictions))
