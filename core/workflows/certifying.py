"""Certificate: one page that says what was removed, by which rules and whose decision."""

import hashlib
import os
import shutil
import tempfile
from collections import Counter
from datetime import datetime
from pathlib import Path

from core import __version__
from core.errors import UserError
from core.progress import Progress, Steps
from core.records import FLAG_WORDS, Flag, Verdict
from core.store import GroupingRecord, Project, versions
from core.store.certificate import (
    Certificate,
    CertifiedEncoder,
    CertifiedSource,
    CertifiedSum,
    CertifiedVerdict,
    render_certificate,
)
from core.store.certificate_histogram import CertifiedHistogram
from core.store.tables import check_target, faults_told
from core.workflows.exporting import export_table
from core.workflows.grouping_desk import ALWAYS_HELD, GUARDS

_BINS = 60
_SUFFIXES = (".html", ".htm")


def write_certificate(project: Project, to: Path) -> Steps[Path]:
    """Write the certificate of the current grouping as one HTML file, whole or not at all."""
    grouping = project.groupings.current()
    if grouping is None:
        raise UserError("The rows have not been grouped yet.", "Run: samesense groups PROJECT.")
    if to.suffix.lower() not in _SUFFIXES:
        raise UserError(
            f"The certificate is a web page, which “{to.name}” does not say.",
            "Give it a name that ends in .html.",
        )
    target = to.resolve()  # a link stays a link
    with faults_told(to):
        check_target(to, target)
    kept = yield from _hash_of_kept(project)
    yield Progress("Writing the certificate")
    page = render_certificate(_certificate(project, grouping, kept))
    with faults_told(to):
        part = Path(tempfile.mkdtemp(prefix=".samesense-", dir=target.parent)) / "page.html"
        try:
            with part.open("w", encoding="utf-8") as stream:
                stream.write(page)
                stream.flush()
                os.fsync(stream.fileno())
            with faults_told(to, replacing=True):
                part.replace(target)
        finally:
            shutil.rmtree(part.parent, ignore_errors=True)
    return to


def _hash_of_kept(project: Project) -> Steps[str]:
    """The SHA-256 of the kept rows as `export … kept --to kept.csv` writes them."""
    with faults_told(Path("kept.csv")), tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kept.csv"
        yield from export_table(project, "kept", file)
        return hashlib.sha256(file.read_bytes()).hexdigest()


def _certificate(project: Project, grouping: GroupingRecord, kept: str) -> Certificate:
    state = project.state()
    counts = grouping.counts
    options = {} if grouping.run is None else project.runs.get(grouping.run).options
    held = ALWAYS_HELD | (GUARDS if options.get("hold_back", True) else Flag(0))
    return Certificate(
        project=project.name,
        made_at=datetime.now().astimezone().strftime("%d %B %Y, %H:%M %Z"),
        program=f"Samesense {__version__}",
        sources=_sources(project),
        encoder=_encoder(project),
        floor=state.pairing.floor if state.pairing else 1.0,
        review_from=grouping.review,
        automatic_from=grouping.threshold,
        keeper_rule=_keeper_rule(grouping.keep),
        guards=tuple(words for flag, words in FLAG_WORDS.items() if held & flag),
        sum=CertifiedSum(
            counts["rows"], counts["kept"], counts["copies"], counts["similar"],
            counts["decided"], counts["review"],
        ),
        kept_file="kept.csv",
        kept_sha256=kept,
        histogram=_histogram(project),
        held_back=_held_back(project, grouping),
        verdicts=_verdicts(project),
        runs=len(project.runs.latest(1_000_000)),
        versions=tuple(versions().items()),
        stale=_stale(state.pairs_stale, state.groups_stale),
    )  # fmt: skip


def _sources(project: Project) -> tuple[CertifiedSource, ...]:
    found = []
    for one in project.sources.all():
        report = one.report
        if report is None:
            continue
        found.append(
            CertifiedSource(
                one.name, one.sha256, one.bytes, report.rows, report.blank, report.copied,
                report.odd, one.settings.text_columns, one.settings.template,
            )
        )  # fmt: skip
    return tuple(found)


def _encoder(project: Project) -> CertifiedEncoder | None:
    pairing = project.pairs.current()
    for one in project.vectors.encoders():
        if pairing is not None and one.id == pairing.encoder:
            licence = "Apache-2.0" if one.name == "all-MiniLM-L6-v2" else ""
            return CertifiedEncoder(
                one.name, one.fingerprint, one.precision, one.dimension, licence
            )
    return None


def _histogram(project: Project) -> CertifiedHistogram | None:
    pairing = project.pairs.current()
    if pairing is None:
        return None
    bars = project.pairs.histogram(pairing, _BINS)
    return CertifiedHistogram(pairing.floor, 1.0, tuple(bars))


def _held_back(project: Project, grouping: GroupingRecord) -> tuple[tuple[str, int], ...]:
    found: Counter[str] = Counter()
    for row in project.groupings.band(grouping.threshold, 2.0, flagged=True):
        found.update(words for flag, words in FLAG_WORDS.items() if Flag(row.flags) & flag)
    return tuple(found.most_common())


def _verdicts(project: Project) -> tuple[CertifiedVerdict, ...]:
    found = []
    for verdict in Verdict:
        count, first, last = project.decisions.given(verdict)
        if count:
            found.append(CertifiedVerdict(verdict, count, _readable(first), _readable(last)))
    return tuple(found)


def _keeper_rule(keep: str) -> str:
    rule, _, column = keep.partition(":")
    return {
        "first": "the first row, in the order of the files",
        "longest": "the row with the longest text",
        "central": "the row with the most near texts",
        "newest": f"the newest row by {column}",
    }[rule]


def _stale(pairs: bool, groups: bool) -> tuple[str, ...]:
    told = []
    if pairs:
        told.append("Texts were added since the pairs were found.")
    if groups:
        told.append("Rows, pairs or decisions have moved since the rows were grouped.")
    return tuple(told)


def _readable(stamp: str) -> str:
    return datetime.fromisoformat(stamp).astimezone().strftime("%d %B %Y, %H:%M")
