"""The deduplication certificate: one page that says what was removed, how, and from what.

The page stands alone: no scripts, nothing loaded from elsewhere, light and dark, printable.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from core.records import Verdict
from core.store.certificate_histogram import CertifiedHistogram, counted, draw_histogram
from core.store.certificate_style import CERTIFICATE_CSS


@dataclass(frozen=True, slots=True)
class CertifiedSource:
    """One imported file and what the import found in it."""

    name: str
    sha256: str
    size_bytes: int
    rows: int
    blank: int  # without a text
    copied: int  # whose text was known already
    odd: int  # with something unusual in reading them
    text_columns: tuple[str, ...]
    template: str = ""


@dataclass(frozen=True, slots=True)
class CertifiedEncoder:
    """The encoder that gave the vectors."""

    name: str
    fingerprint: str
    precision: str
    dimension: int
    licence: str = ""  # empty: not known


@dataclass(frozen=True, slots=True)
class CertifiedSum:
    """The rows and what became of them; ValueError if the numbers do not add up."""

    rows: int
    kept: int
    copies: int  # removed as exact copies
    accepted: int  # removed by the automatic threshold
    decided: int  # removed by a person's decision
    to_review: int = 0  # pairs that still wait; their rows are kept

    def __post_init__(self) -> None:
        if self.kept + self.removed != self.rows:
            raise ValueError(f"{self.rows} rows are not {self.kept} kept + {self.removed} removed")

    @property
    def removed(self) -> int:
        return self.copies + self.accepted + self.decided


@dataclass(frozen=True, slots=True)
class CertifiedVerdict:
    """How often a verdict was given, and when first and last (as they shall be read)."""

    verdict: Verdict
    count: int
    first: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class Certificate:
    """All that stands on the page; times are written as they shall be read."""

    project: str
    made_at: str
    program: str  # "Samesense 0.1.0"
    sources: tuple[CertifiedSource, ...]
    encoder: CertifiedEncoder | None  # None: exact copies only, nothing was encoded
    floor: float  # pairs below this cosine were not looked at
    review_from: float
    automatic_from: float
    keeper_rule: str
    guards: tuple[str, ...]  # what holds a pair back, in words: "number differs"
    sum: CertifiedSum
    kept_file: str  # the exported list of kept rows
    kept_sha256: str
    histogram: CertifiedHistogram | None = None
    held_back: tuple[tuple[str, int], ...] = ()  # (guard, pairs)
    verdicts: tuple[CertifiedVerdict, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()  # further ones, (name, value)
    runs: int = 0
    versions: tuple[tuple[str, str], ...] = ()  # (library, version)
    stale: tuple[str, ...] = ()  # a sentence for each result whose inputs have moved on


def render_certificate(data: Certificate) -> str:
    """Write the certificate as one self-contained HTML page; every text in it is escaped."""
    parts = [
        _head(data),
        _stale(data.stale),
        _sum(data.sum),
        _section("What was read", _sources(data.sources)),
        _section("How texts were compared", _comparison(data)),
        _pairs(data),
        _section("The rules", _rules(data)),
        _section("Decisions by people", _verdicts(data.verdicts)),
        _section("How to check this", _proof(data)),
    ]
    title = escape(f"Deduplication certificate · {data.project}")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{CERTIFICATE_CSS}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + f'\n<footer class="quiet">Made by {escape(data.program)}, offline. '
        "Rows that were removed are still in the project, each with its reason.</footer>\n"
        "</main>\n</body>\n</html>\n"
    )


def sum_sentence(total: CertifiedSum) -> str:
    """Say the sum in one line: rows = kept + removed (how)."""
    return (
        f"{total.rows:,} rows = {total.kept:,} kept + {total.removed:,} removed "
        f"({total.copies:,} copies · {total.accepted:,} accepted · {total.decided:,} decided)"
    )


def _head(data: Certificate) -> str:
    return (
        '<header><p class="kind">Deduplication certificate</p>'
        f'<h1 dir="auto">{escape(data.project)}</h1>'
        f'<p class="quiet">Made {escape(data.made_at)}</p></header>'
    )


def _stale(sentences: Sequence[str]) -> str:
    if not sentences:
        return ""
    listed = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f'<div class="stale" role="note"><b>Not up to date</b><ul>{listed}</ul></div>'


def _sum(total: CertifiedSum) -> str:
    shares = {
        "kept": total.kept,
        "copies": total.copies,
        "accepted": total.accepted,
        "decided": total.decided,
    }
    words = {"accepted": "accepted automatically", "decided": "decided by a person"}
    bars = "".join(
        f'<span class="{name}" style="flex:{count}"></span>'
        for name, count in shares.items()
        if count
    )
    key = "".join(
        f'<li class="{name}">{count:,} {words.get(name, name)}</li>'
        for name, count in shares.items()
    )
    waiting = counted(total.to_review, "pair")
    rest = f"{waiting} still to review; their rows are kept." if total.to_review else ""
    return (
        f'<section><p class="sum">{sum_sentence(total)}</p>'
        f'<div class="shares" aria-hidden="true">{bars}</div>'
        f'<ul class="key quiet">{key}</ul><p class="quiet">{rest}</p></section>'
    )


def _sources(sources: Sequence[CertifiedSource]) -> str:
    tables = []
    for source in sources:
        found = (
            f"{source.rows:,} · {source.blank:,} without a text · "
            f"{source.copied:,} copies of a known text · {source.odd:,} unusual in reading"
        )
        facts = [
            ("File", f'<b class="name" dir="auto">{escape(source.name)}</b>'),
            ("Size", f"{source.size_bytes:,} bytes"),
            ("SHA-256", f"<code>{escape(source.sha256)}</code>"),
            ("Rows", found),
            ("Text columns", escape(", ".join(source.text_columns))),
        ]
        if source.template:
            facts.append(("Text template", f"<code>{escape(source.template)}</code>"))
        tables.append(_facts(facts))
    return "<br>".join(tables) or '<p class="quiet">No file was imported.</p>'


def _comparison(data: Certificate) -> str:
    facts = [("Exact copies", "found by the hash of the text")]
    if data.encoder is None:
        facts.append(("Encoder", "none: only exact copies were removed"))
    else:
        encoder = data.encoder
        facts += [
            ("Encoder", f"<b>{escape(encoder.name)}</b>"),
            ("Fingerprint", f"<code>{escape(encoder.fingerprint)}</code>"),
            ("Vectors", f"{encoder.dimension:,} numbers a text, {escape(encoder.precision)}"),
            ("Licence", escape(encoder.licence or "not known")),
            ("Pairs looked at", f"cosine {data.floor:.2f} or more"),
            ("Left to a person", f"cosine {data.review_from:.2f} to {data.automatic_from:.2f}"),
            ("Removed automatically", f"cosine {data.automatic_from:.2f} or more"),
        ]
    facts.append(("Kept row of a group", escape(data.keeper_rule)))
    facts += [(escape(name), escape(value)) for name, value in data.settings]
    return _facts(facts)


def _pairs(data: Certificate) -> str:
    if data.histogram is None:
        return ""
    figure = draw_histogram(data.histogram, data.review_from, data.automatic_from)
    return _section("How alike the pairs are", figure)


def _rules(data: Certificate) -> str:
    rules = [
        "An exact copy is removed where a row with the very same text is kept, or where that text "
        "was itself removed in favour of a kept row."
    ]
    if data.encoder is not None:
        rules.append(
            "Every other removed row is compared directly with a row that is kept: their cosine "
            f"is {data.automatic_from:.3f} or more, or a person called the two the same, directly "
            "or through a third text. A chain of likenesses alone is never enough."
        )
    rules.append("Two texts that a person called different never share a group.")
    if data.guards:
        rules.append(
            "Whatever its cosine, a pair is held back for a person where a guard speaks: "
            f"{', '.join(data.guards)}."
        )
    rules.append("Every group keeps one row. Rows without a text are kept.")
    listed = "".join(f"<li>{escape(rule)}</li>" for rule in rules)
    held = [(escape(guard), f"{counted(count, 'pair')}") for guard, count in data.held_back]
    return f'<ul class="rules">{listed}</ul>' + (
        f'<p class="quiet">Pairs held back for a person</p>{_facts(held)}' if held else ""
    )


def _verdicts(verdicts: Sequence[CertifiedVerdict]) -> str:
    if not any(verdict.count for verdict in verdicts):
        return '<p class="quiet">No decision was made by a person.</p>'
    signs = {Verdict.SAME: "=", Verdict.DIFFERENT: "≠", Verdict.UNSURE: "?"}
    rows = "".join(
        f'<tr><td class="{v.verdict.value}">{signs[v.verdict]} {v.verdict.value}</td>'
        f'<td class="number">{v.count:,}</td><td>{escape(v.first) or "–"}</td>'
        f"<td>{escape(v.last) or '–'}</td></tr>"
        for v in verdicts
    )
    return (
        '<table><tr><th>Verdict</th><th class="number">Pairs</th><th>First</th><th>Last</th></tr>'
        f"{rows}</table>"
    )


def _proof(data: Certificate) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in data.versions)
    return _facts(
        [
            ("List of kept rows", f'<span class="name">{escape(data.kept_file)}</span>'),
            ("Its SHA-256", f"<code>{escape(data.kept_sha256)}</code>"),
            ("Runs recorded", f"{data.runs:,}"),
            ("Program", escape(data.program)),
            ("Libraries", escape(versions) or "–"),
        ]
    )


def _section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}</section>"


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    """A table of name and value; both are HTML already."""
    rows = "".join(f"<tr><th scope='row'>{name}</th><td>{value}</td></tr>" for name, value in facts)
    return f'<table class="facts">{rows}</table>'
