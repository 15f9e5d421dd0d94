"""The histogram of pair cosines on the deduplication certificate."""

from dataclasses import dataclass
from math import sqrt

_WIDTH, _HEIGHT, _LEFT, _TOP, _BASE = 720, 190, 8, 34, 164  # of the histogram, its base line


@dataclass(frozen=True, slots=True)
class CertifiedHistogram:
    """Pairs by cosine: equal bins from `low` to `high`."""

    low: float
    high: float
    counts: tuple[int, ...]


def draw_histogram(bins: CertifiedHistogram, review_from: float, automatic_from: float) -> str:
    """Draw the pairs by cosine with both thresholds, as a figure with inline SVG."""
    if not any(bins.counts):
        return '<p class="quiet">There are no pairs at or above the floor.</p>'
    inner = _WIDTH - 2 * _LEFT
    step = (bins.high - bins.low) / len(bins.counts)
    highest = sqrt(max(bins.counts))

    def across(cosine: float) -> float:
        share = (cosine - bins.low) / (bins.high - bins.low)
        return _LEFT + inner * min(max(share, 0.0), 1.0)

    bars = []
    for place, count in enumerate(bins.counts):
        left = bins.low + place * step
        height = (_BASE - _TOP) * sqrt(count) / highest
        middle = left + step / 2
        automatic, review = middle >= automatic_from, middle >= review_from
        zone = "automatic" if automatic else "review" if review else "alone"
        bars.append(
            f'<rect class="{zone}" x="{across(left):.1f}" y="{_BASE - height:.1f}" '
            f'width="{max(inner / len(bins.counts) - 1, 0.5):.1f}" height="{height:.1f}">'
            f"<title>{left:.3f} to {left + step:.3f}: {counted(count, 'pair')}</title></rect>"
        )
    lines = _threshold(across(review_from), 26, f"review from {review_from:.2f}")
    lines += _threshold(across(automatic_from), 12, f"removed from {automatic_from:.2f}")
    ends = (
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _LEFT}" y1="{_BASE}" y2="{_BASE}"/>'
        f'<text x="{_LEFT}" y="{_BASE + 16}">{bins.low:.2f}</text>'
        f'<text x="{_WIDTH - _LEFT}" y="{_BASE + 16}" text-anchor="end">{bins.high:.2f}</text>'
    )
    return (
        f'<figure><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="Pairs by cosine, {bins.low:.2f} to {bins.high:.2f}">'
        f"{''.join(bars)}{ends}{lines}</svg>"
        f"<figcaption>{counted(sum(bins.counts), 'pair')} of texts by cosine. Heights grow with "
        "the square root of the count, so that rare pairs can be seen.</figcaption></figure>"
    )


def _threshold(x: float, y: int, words: str) -> str:
    anchor, aside = ("end", -5) if x > _WIDTH / 2 else ("start", 5)
    return (
        f'<line class="threshold" x1="{x:.1f}" x2="{x:.1f}" y1="{y - 8}" y2="{_BASE}"/>'
        f'<text x="{x + aside:.1f}" y="{y}" text-anchor="{anchor}">{words}</text>'
    )


def counted(count: int, noun: str) -> str:
    """Say a number of things: "1 pair", "1,200 pairs"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
