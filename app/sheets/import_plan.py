"""What a person has settled about a file so far, and what is still missing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.records import DateColumn, ImportSettings, Reading

_FIGURES = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:\D.*)?")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
ROLES = ("text", "id", "date", "keep")


@dataclass(frozen=True, slots=True)
class SampleRow:
    """A row of the preview as it will be read."""

    line: int
    cells: tuple[str | None, ...]
    oddities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DateSeen:
    """A column of dates; `ambiguous` where no value tells day and month apart."""

    column: str
    order: str
    ambiguous: bool
    example: str


@dataclass(frozen=True, slots=True)
class Inspected:
    """The worker's look into a file, in the window's own values."""

    reading: Reading
    why: tuple[str, ...]
    sample: tuple[SampleRow, ...]
    rows: int
    rows_exact: bool
    suggested_text: tuple[str, ...] = ()
    suggested_id: str | None = None
    dates: tuple[DateSeen, ...] = ()
    warnings: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()
    template: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices of the import sheet; every change gives a new plan."""

    inspected: Inspected
    texts: tuple[str, ...] = ()
    id_column: str | None = None
    dates: tuple[DateColumn, ...] = ()
    unsettled: tuple[DateSeen, ...] = ()  # whose day and month a person must tell apart
    template: str = ""
    updates: bool = True
    template_edited: bool = field(default=False)


def inspected_from(told: Mapping[str, Any]) -> Inspected:
    """Turn the outcome of the wish `inspect` into values."""
    reading = dict(told["reading"])
    reading["columns"] = tuple(reading["columns"])
    return Inspected(
        Reading(**reading),
        tuple(told["why"]),
        tuple(
            SampleRow(row["line"], tuple(row["cells"]), tuple(row.get("oddities", ())))
            for row in told["sample"]
        ),
        told["rows"],
        told["rows_exact"],
        tuple(told["suggested_text"]),
        told["suggested_id"],
        tuple(
            DateSeen(date["column"], date["order"], date["ambiguous"], date["example"])
            for date in told["dates"]
        ),
        tuple(told["warnings"]),
        tuple(told["sheets"]),
        tuple(told["encodings"]),
        told["template"],
    )


def suggested_plan(inspected: Inspected) -> Plan:
    """The plan that the file itself suggests."""
    plan = Plan(inspected, template=default_template(inspected.suggested_text))
    for column in inspected.suggested_text:
        plan = with_role(plan, column, "text")
    if inspected.suggested_id is not None:
        plan = with_role(plan, inspected.suggested_id, "id")
    for date in inspected.dates:
        if role_of(plan, date.column) == "keep":
            plan = with_role(plan, date.column, "date")
    return plan


def carried_over(plan: Plan, inspected: Inspected) -> Plan:
    """The same choices for another reading of the file, where its columns are the same."""
    if inspected.reading.columns != plan.inspected.reading.columns:
        return suggested_plan(inspected)
    return replace(plan, inspected=inspected)


def role_of(plan: Plan, column: str) -> str:
    """One of `ROLES`."""
    if column in plan.texts:
        return "text"
    if column == plan.id_column:
        return "id"
    dated = {date.name for date in plan.dates} | {date.column for date in plan.unsettled}
    return "date" if column in dated else "keep"


def with_role(plan: Plan, column: str, role: str) -> Plan:
    """Give a column its role; a column has one, and there is one id at most."""
    plan = _without(plan, column)
    if role == "text":
        chosen = (*plan.texts, column)
        columns = plan.inspected.reading.columns
        texts = tuple(name for name in columns if name in chosen)
        return replace(plan, texts=texts, template=_grown(plan, texts, column))
    if role == "id":
        return replace(plan, id_column=column)
    if role == "date":
        seen = _date_seen(plan.inspected, column)
        if seen.ambiguous:
            return replace(plan, unsettled=(*plan.unsettled, seen))
        return replace(plan, dates=(*plan.dates, DateColumn(column, seen.order)))
    return plan


def with_order(plan: Plan, column: str, order: str) -> Plan:
    """Settle how the figures of a date column are read."""
    return replace(
        plan,
        unsettled=tuple(date for date in plan.unsettled if date.column != column),
        dates=(*(date for date in plan.dates if date.name != column), DateColumn(column, order)),
    )


def questions(plan: Plan) -> list[tuple[DateSeen, str | None]]:
    """The date columns that leave day and month open, each with the order chosen so far."""
    asked: list[tuple[DateSeen, str | None]] = [(seen, None) for seen in plan.unsettled]
    for date in plan.dates:
        seen = _date_seen(plan.inspected, date.name)
        if seen.ambiguous:
            asked.append((seen, date.order))
    order = plan.inspected.reading.columns
    return sorted(asked, key=lambda question: order.index(question[0].column))


def with_template(plan: Plan, template: str) -> Plan:
    """Take the template as a person wrote it."""
    edited = template != default_template(plan.texts)
    return replace(plan, template=template, template_edited=edited)


def problem(plan: Plan) -> str:
    """Why the import cannot start yet, as a request; empty when it can."""
    if not plan.inspected.rows:
        return "There is nothing to import in this file."
    if not plan.texts:
        return "Click the header of the column that holds the text."
    if len(plan.texts) > 1 and not any(f"{{{name}}}" in plan.template for name in plan.texts):
        return "Name at least one text column in the template."
    if plan.unsettled:
        return f"Say how {plan.unsettled[0].example} is to be read."
    return ""


def settings_of(plan: Plan) -> ImportSettings:
    """What the import is to use, exactly as shown."""
    several = len(plan.texts) > 1
    order = plan.inspected.reading.columns
    return ImportSettings(
        plan.inspected.reading,
        plan.texts,
        template=plan.template if several and plan.template_edited else "",
        id_column=plan.id_column,
        date_columns=tuple(sorted(plan.dates, key=lambda date: order.index(date.name))),
        updates=plan.updates,
    )


def default_template(texts: Sequence[str]) -> str:
    """The text columns below each other."""
    return "\n".join("{" + name + "}" for name in texts)


def two_readings(example: str) -> tuple[str, str] | None:
    """`03/04/2025` → ("3 April 2025", "4 March 2025"); None where both cannot be."""
    match = _FIGURES.fullmatch(example.strip())
    if match is None:
        return None
    first, second, year = int(match[1]), int(match[2]), match[3]
    if not (1 <= first <= 12 and 1 <= second <= 12):
        return None
    return f"{first} {_MONTHS[second - 1]} {year}", f"{second} {_MONTHS[first - 1]} {year}"


def _without(plan: Plan, column: str) -> Plan:
    texts = tuple(name for name in plan.texts if name != column)
    return replace(
        plan,
        texts=texts,
        template=_shrunk(plan, texts, column) if column in plan.texts else plan.template,
        id_column=None if plan.id_column == column else plan.id_column,
        dates=tuple(date for date in plan.dates if date.name != column),
        unsettled=tuple(date for date in plan.unsettled if date.column != column),
    )


def _grown(plan: Plan, texts: tuple[str, ...], column: str) -> str:
    if not plan.template_edited:
        return default_template(texts)
    mark = "{" + column + "}"
    return plan.template if mark in plan.template else f"{plan.template}\n{mark}".strip("\n")


def _shrunk(plan: Plan, texts: tuple[str, ...], column: str) -> str:
    if not plan.template_edited:
        return default_template(texts)
    mark = "{" + column + "}"
    lines = plan.template.split("\n")
    kept = [line.replace(mark, "") for line in lines if line.strip() != mark]
    return "\n".join(kept)


def _date_seen(inspected: Inspected, column: str) -> DateSeen:
    """What is known of a column as dates, by the worker's guess or from the rows shown."""
    for date in inspected.dates:
        if date.column == column:
            if not date.ambiguous:
                return date
            telling = [value for value in _values(inspected, column) if _tells_apart(value)]
            return replace(date, example=telling[0]) if telling else date
    values = _values(inspected, column)
    figures = [match for value in values if (match := _FIGURES.fullmatch(value))]
    if not figures:
        return DateSeen(column, "ymd", False, values[0] if values else "")
    if any(int(match[1]) > 12 for match in figures):
        return DateSeen(column, "dmy", False, figures[0].string)
    if any(int(match[2]) > 12 for match in figures):
        return DateSeen(column, "mdy", False, figures[0].string)
    telling = [match.string for match in figures if _tells_apart(match.string)]
    return DateSeen(column, "dmy", bool(telling), (telling or [figures[0].string])[0])


def _values(inspected: Inspected, column: str) -> list[str]:
    at = inspected.reading.columns.index(column)
    return [cell.strip() for row in inspected.sample if (cell := row.cells[at])]


def _tells_apart(value: str) -> bool:
    """Whether day first and month first make two different days of this value."""
    readings = two_readings(value)
    return readings is not None and readings[0] != readings[1]
