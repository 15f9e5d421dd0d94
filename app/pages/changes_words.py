"""What the page of changes says."""

from app.look.words import count, counted
from app.pages.changes_reads import Standing, Wanted
from core.store import ChangedGroup, DifferenceRecord


def bounds_said(record: DifferenceRecord) -> str:
    """Where the bounds were and are."""
    parts = []
    for words, before, after in (
        ("removed automatically", record.before.threshold, record.after.threshold),
        ("to review", record.before.review, record.after.review),
    ):
        was, is_now = f"{before:.3g}", f"{after:.3g}"
        told = f"from {was} → {is_now} on" if was != is_now else f"from {is_now} on"
        parts.append(f"{words} {told}")
    return "  ·  ".join(parts).capitalize()


def counts_said(record: DifferenceRecord, wanted: Wanted) -> str:
    """How much came and went in all."""
    counts = record.counts
    if wanted.what == "groups":
        told = (
            f"{counted(counts.get('groups_gained', 0), 'group')} gained"
            f"  ·  {count(counts.get('groups_lost', 0))} lost"
            f"  ·  {count(counts.get('groups_changed', 0))} changed"
        )
    else:
        told = (
            f"{counted(counts.get('gained', 0), 'pair')} gained"
            f"  ·  {count(counts.get('lost', 0))} lost"
            f"  ·  {count(counts.get('stayed', 0))} stayed"
        )
    return told


def listed_said(listed: int, record: DifferenceRecord, wanted: Wanted) -> str:
    """That the list holds the most telling ones only, where it does; else nothing."""
    names = ["gained", "lost"] if wanted.kind == "all" else [wanted.kind]
    if wanted.what == "groups":
        names += ["changed"] if wanted.kind == "all" else []
        names = [f"groups_{name}" for name in names]
    total = sum(record.counts.get(name, 0) for name in names)
    if wanted.undecided or listed >= total:
        return ""
    return f"the {count(listed)} with the largest change"


def stale_said(standing: Standing, wanted: Wanted) -> str:
    """What has moved since the difference was made; empty while it holds."""
    record, moved = standing.record, standing.moved
    if record is None:
        return ""
    if "encoder" in moved:
        now = f"{standing.in_use} is in use now" if standing.in_use else "No encoder is in use now"
        return (
            f"{now}: this is what the change from {record.name_before} to {record.name_after} "
            "brought before that."
        )
    if "corpus" in moved:
        return "The rows have changed since; what is new is not compared here."
    if "bounds" in moved:
        return "The thresholds have been moved since; this is how pairs stood when it was made."
    if "decisions" in moved and wanted.what == "groups":
        return "Decisions have changed since; these are the groups as they were made then."
    return ""


def empty_said(standing: Standing | None) -> tuple[str, str, str]:
    """A sentence, a note and a button where no difference can be shown."""
    if standing is None or standing.record is None:
        if standing is not None and standing.has_groups:
            note = (
                "When another encoder is taken into use on the Teach page, the pairs and groups it "
                "gains and loses are listed here."
            )
            return "No two encoders have been compared yet.", note, "Go to Teach"
        note = "What another encoder changes can be told once duplicates have been found."
        return "There are no groups yet to compare.", note, "Go to Duplicates"
    names = f"{standing.record.name_before} and {standing.record.name_after}"
    return "Nothing changed.", f"With {names} the same pairs and groups are found.", ""


def nothing_said(wanted: Wanted) -> str:
    """What is said in place of a list that the filter leaves empty."""
    noun = "pairs" if wanted.what == "pairs" else "groups"
    kind = "" if wanted.kind == "all" else f"{wanted.kind} "
    if wanted.undecided:
        return f"No {kind}{noun} are left to decide."
    return f"No {noun} were {wanted.kind}." if kind else f"No {noun} differ."


def group_said(group: ChangedGroup) -> str:
    """Such as `Group changed · 2 texts joined, 1 left · 5 now`."""
    moved = []
    if group.joined:
        moved.append(f"{counted(group.joined, 'text')} joined")
    if group.gone:
        moved.append(
            f"{count(group.gone)} left" if moved else f"{counted(group.gone, 'text')} left"
        )
    told = f"Group {group.kind}  ·  {', '.join(moved)}"
    return f"{told}  ·  {count(group.texts_after)} now" if group.texts_after else told
