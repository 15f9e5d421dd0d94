"""The sub-command that tells what another encoder gained and lost."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.cli.console import answer
from core.cli.group import FOLDER, command
from core.cli.words import counted
from core.errors import UserError
from core.records import STAND_WORDS, Stand
from core.store import Project

_CUT = 60  # characters of a text in a line
_STALE = {
    "encoder": "Another encoder is in use now.",
    "corpus": "The rows have changed since.",
    "bounds": "The bounds have been moved since.",
    "decisions": "Decisions have changed since.",
}


@command("difference")
@click.argument("project", type=FOLDER)
@click.option("--count", "-k", type=click.IntRange(min=0), default=10,
              help="How many pairs and groups to list of each kind.")  # fmt: skip  # one option
def difference(project: Path, count: int, as_json: bool) -> None:
    """Say which pairs and groups the last change of the encoder gained and lost."""
    with Project.open_read_only(project) as opened:
        told = tell_difference(opened, count=count)
    answer(told, lambda: _words(told), as_json=as_json)


def tell_difference(project: Project, *, count: int) -> dict[str, Any]:
    """The newest difference in plain values, `count` pairs and groups of each kind in full.

    Raises `UserError` where none was kept.
    """
    record = project.differences.current()
    if record is None:
        raise UserError(
            "No two encoders have been compared in this project yet.",
            "Once there are groups, take another encoder into use: the window does that on the "
            "Teach page and with Duplicates ▸ Encode with….",
        )
    moved = project.differences.moved(record)
    told: dict[str, Any] = {
        "made_at": record.made_at,
        "before": {"encoder": record.name_before, **asdict(record.before)},
        "after": {"encoder": record.name_after, **asdict(record.after)},
        "counts": record.counts,
        "stale": [words for key, words in _STALE.items() if key in moved],
    }
    for kind in ("gained", "lost"):
        pairs = project.differences.pairs(gained=kind == "gained", count=count)
        bodies = project.texts.bodies([text for one in pairs for text in (one.left, one.right)])
        told[kind] = [
            {
                "left": one.left, "right": one.right, "left_text": bodies[2 * at],
                "right_text": bodies[2 * at + 1], "before": round(one.before, 4),
                "after": round(one.after, 4), "stood": STAND_WORDS[Stand(one.stood)],
                "stands": STAND_WORDS[Stand(one.stands)], "decision": one.verdict,
            }
            for at, one in enumerate(pairs)
        ]  # fmt: skip
    groups = [one for kind in ("gained", "lost", "changed")
              for one in project.differences.groups(kind=kind, count=count)]  # fmt: skip
    bodies = project.texts.bodies([one.kept for one in groups])
    told["groups"] = [
        {"kind": one.kind, "kept": one.kept, "kept_text": body, "texts_before": one.texts_before,
         "texts_after": one.texts_after, "joined": one.joined, "left": one.gone}
        for one, body in zip(groups, bodies, strict=True)
    ]  # fmt: skip
    return told


def _words(told: dict[str, Any]) -> str:
    before, after, counts = told["before"], told["after"], told["counts"]
    lines = [
        f"{before['encoder']} → {after['encoder']}",
        f"Removed automatically from {before['threshold']:.3f} → {after['threshold']:.3f} on, "
        f"to review from {before['review']:.3f} → {after['review']:.3f} on.",
        f"{counted(counts['gained'], 'pair')} gained · {counts['lost']:,} lost · "
        f"{counts['stayed']:,} stayed",
        f"{counted(counts['groups_gained'], 'group')} gained · {counts['groups_lost']:,} lost · "
        f"{counts['groups_changed']:,} changed",
        *told["stale"],
    ]
    for kind in ("gained", "lost"):
        if told[kind]:
            lines += ["", f"{kind.capitalize()}, the largest change first:"]
        for one in told[kind]:
            decided = f" · decided {one['decision']}" if one["decision"] else ""
            lines += [
                f"  {one['before']:.2f} → {one['after']:.2f} · {one['stood']} → "
                f"{one['stands']}{decided}",
                f"    {_cut(one['left_text'])}",
                f"    {_cut(one['right_text'])}",
            ]
    if told["groups"]:
        lines += ["", "Groups:"]
    lines += [
        f"  {one['kind']} · {one['joined']:,} joined · {one['left']:,} left · "
        f"{_cut(one['kept_text'])}"
        for one in told["groups"]
    ]
    return "\n".join(lines)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _CUT else line[: _CUT - 1].rstrip() + "…"
