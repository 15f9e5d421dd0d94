"""Answers of the command in plain words."""

from typing import Any

from core.records import ImportReport


def counted(count: int, noun: str) -> str:
    """`1 text`, `1,200 texts`."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def plain_report(report: ImportReport) -> dict[str, Any]:
    """A report of an import as plain values."""
    return {
        "source": report.source, "file": report.name, "rows": report.rows, "blank": report.blank,
        "copied": report.copied, "updated": report.updated, "unchanged": report.unchanged,
        "odd": report.odd, "multiline": report.multiline, "already_known": report.already_known,
        "notes": [{"line": line, "told": told} for line, told in report.notes],
    }  # fmt: skip


def report_words(report: ImportReport) -> str:
    """A report of an import in sentences, odd lines below."""
    if report.already_known:
        return f"{report.name} was imported before; nothing was added."
    rows = "1 row" if report.rows == 1 else f"{report.rows:,} rows"
    parts = [f"{rows} read from {report.name}"]
    for count, words in (
        (report.blank, "without a text"), (report.copied, "whose text was there already"),
        (report.updated, "that replace an earlier row"), (report.unchanged, "unchanged"),
        (report.multiline, "with line breaks inside a cell"), (report.odd, "odd"),
    ):  # fmt: skip
        if count:
            parts.append(f"{count:,} {words}")
    lines = [", ".join(parts) + "."]
    lines += [f"  line {line}: {told}" for line, told in report.notes]
    if report.odd > len(report.notes):
        lines.append(f"  … and {report.odd - len(report.notes):,} more")
    return "\n".join(lines)


def counts_words(told: dict[str, Any]) -> str:
    """The sum that everything hangs on."""
    words = (
        f"{told['rows']:,} rows = {told['kept']:,} kept + {told['removed']:,} removed "
        f"({told['copies']:,} copies · {told['similar']:,} similar · {told['decided']:,} decided)"
        f" · {told['review']:,} to review"
    )
    for repeat in told["repeats"]:
        words += f"\n{repeat['rows']:,} rows of {repeat['file']} repeat rows of earlier files."
    return words


def decided_words(told: dict[str, Any]) -> str:
    """What a decision by command did."""
    if "undone" in told:
        return f"Undone: {told['undone']}" if told["undone"] else "There is nothing to undo."
    words = ", ".join(
        f"{told[name]:,} {name}" for name in ("same", "different", "unsure") if name in told
    )
    after = " Run `samesense groups` to group with them." if told["stale"] else ""
    return f"Decided: {words}.{after}"
