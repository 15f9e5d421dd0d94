import re
import xml.etree.ElementTree as ET
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser

import pytest

from core.records import Verdict
from core.store.certificate import (
    Certificate,
    CertifiedEncoder,
    CertifiedSource,
    CertifiedSum,
    CertifiedVerdict,
    render_certificate,
)
from core.store.certificate_histogram import CertifiedHistogram


@pytest.fixture
def data() -> Certificate:
    return Certificate(
        project="Tickets 2026",
        made_at="12 May 2026, 14:03",
        program="Samesense 0.1.0",
        sources=(
            CertifiedSource(
                name="tickets.csv",
                sha256="ab" * 32,
                size_bytes=2_345_678,
                rows=14_640,
                blank=12,
                copied=738,
                odd=3,
                text_columns=("subject", "body"),
                template="{subject}\n{body}",
            ),
        ),
        encoder=CertifiedEncoder("all-MiniLM-L6-v2", "f00d" * 8, "fp32", 384, "Apache-2.0"),
        floor=0.7,
        review_from=0.86,
        automatic_from=0.97,
        keeper_rule="the longest text, then the earliest date",
        guards=("number differs", "negation differs"),
        sum=CertifiedSum(14_640, kept=12_911, copies=738, accepted=655, decided=336, to_review=96),
        kept_file="kept.csv",
        kept_sha256="cd" * 32,
        histogram=CertifiedHistogram(0.7, 1.0, (5, 3, 0, 9, 4, 1)),
        held_back=(("number differs", 41),),
        verdicts=(
            CertifiedVerdict(Verdict.SAME, 300, "1 May 2026", "12 May 2026"),
            CertifiedVerdict(Verdict.DIFFERENT, 80, "1 May 2026", "11 May 2026"),
            CertifiedVerdict(Verdict.UNSURE, 0),
        ),
        settings=(("Longest text", "256 tokens"),),
        runs=7,
        versions=(("torch", "2.13.0"),),
        stale=("Texts were imported after the pairs were found.",),
    )


class Outline(HTMLParser):
    """Checks that tags nest, and keeps tags and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def outline(page: str) -> Outline:
    parser = Outline()
    parser.feed(page)
    return parser


def with_texts(value, text):
    """The same values with every text in them replaced."""
    if isinstance(value, str):
        return value if isinstance(value, Verdict) else text
    if isinstance(value, tuple):
        return tuple(with_texts(item, text) for item in value)
    if not is_dataclass(value):
        return value
    return replace(
        value, **{f.name: with_texts(getattr(value, f.name), text) for f in fields(value)}
    )


def test_the_sum_stands_in_one_line(data):
    assert (
        "14,640 rows = 12,911 kept + 1,729 removed (738 copies · 655 accepted · 336 decided)"
        in render_certificate(data)
    )


def test_a_sum_that_does_not_add_up_is_never_made():
    with pytest.raises(ValueError, match="10 rows are not 5 kept"):
        CertifiedSum(10, kept=5, copies=1, accepted=1, decided=1)


def test_every_text_is_escaped(data):
    page = render_certificate(with_texts(data, "<script>&\"'"))
    assert "script" not in outline(page).tags


def test_every_text_is_on_the_page(data):
    page = render_certificate(data)
    wanted = ["Tickets 2026", "12 May 2026, 14:03", "tickets.csv", "ab" * 32, "2,345,678 bytes"]
    wanted += ["12 without a text", "3 unusual", "subject, body", "{subject}\n{body}", "f00d" * 8]
    wanted += [
        "fp32",
        "384",
        "Apache-2.0",
        "0.86",
        "0.97",
        "the longest text",
        "cd" * 32,
        "kept.csv",
    ]
    wanted += ["number differs, negation differs", "41 pairs", "96 pairs", "torch 2.13.0"]
    wanted += ["256 tokens", "Texts were imported after", "= same", "≠ different", "11 May 2026"]
    assert [words for words in wanted if words not in page] == []


def test_the_page_needs_nothing_from_elsewhere(data):
    page = render_certificate(data)
    assert (outline(page).links, re.findall(r"url\(|@import|https?:", page)) == ([], [])


def test_all_tags_are_closed(data):
    assert outline(render_certificate(data)).open == []


def test_the_histogram_is_well_formed_and_has_a_bar_for_each_bin(data):
    svg = re.search(r"<svg.*</svg>", render_certificate(data), re.S)
    assert len(list(ET.fromstring(svg[0]).iter("rect"))) == 6


def test_bars_are_told_apart_by_the_thresholds(data):
    page = render_certificate(data)
    zones = [page.count(f'<rect class="{zone}"') for zone in ("alone", "review", "automatic")]
    assert zones == [3, 2, 1]


def test_a_certificate_of_copies_alone_names_no_threshold(data):
    page = render_certificate(replace(data, encoder=None, histogram=None, guards=()))
    assert ("only exact copies were removed" in page, "0.97" in page) == (True, False)


def test_no_pairs_no_decisions_and_nothing_stale_are_said_plainly(data):
    bare = replace(data, verdicts=(), stale=(), histogram=CertifiedHistogram(0.7, 1.0, (0, 0)))
    page = render_certificate(bare)
    told = [words in page for words in ("There are no pairs", "No decision was made", "Not up to")]
    assert told == [True, True, False]


def test_an_empty_project_still_has_a_page(data):
    empty = replace(data, sources=(), sum=CertifiedSum(0, 0, 0, 0, 0))
    assert "0 rows = 0 kept + 0 removed" in render_certificate(empty)
