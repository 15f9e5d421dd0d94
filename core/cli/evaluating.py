"""The sub-command that measures encoders and baselines on judged pairs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from core.cli.console import answer, follow
from core.cli.flags import flags
from core.cli.group import FILE, command
from core.evaluation import METRICS
from core.options import EncodeOptions
from core.workflows.evaluating import evaluate as evaluate_pairs
from core.workflows.scorers import SCORERS_HELP

_BESIDE = ("encoder", "fingerprint", "arithmetic", "pairs", "kind", "notes", "file", "dev",
           "against", "differences")  # fmt: skip  # what stands beside the figures of an outcome
_TITLES = {
    "spearman": "Spearman",
    "pearson": "Pearson",
    "average_precision": "average precision",
    "auc": "AUC",
    "auc05": "AUC(0.05)",
    "accuracy_threshold": "accuracy's threshold",
    "majority_accuracy": "accuracy of the majority",
    "all_same_f1": "F1 of calling all the same",
}


@command("evaluate")
@click.option("--encoder", default="default", help=SCORERS_HELP)
@click.option("--against", help="Another one, compared on the same pairs with an interval.")
@click.option("--pairs", "file", type=FILE, required=True, help="A file of judged pairs.")
@click.option("--dev", type=FILE, help="A file of labelled pairs that chooses the threshold.")
@click.option(
    "--metric",
    "metrics",
    type=click.Choice(METRICS),
    multiple=True,
    help="What to measure; give it again for several.",
)
@flags(EncodeOptions, "device")
@click.option("--precision", type=click.Choice(["fp32", "bf16", "fp16"]), default="fp32")
def evaluate(
    encoder: str,
    against: str | None,
    file: Path,
    dev: Path | None,
    metrics: tuple[str, ...],
    device: str | None,
    precision: str,
    as_json: bool,
) -> None:
    """Compare an encoder's cosine with judged pairs."""
    told = follow(
        evaluate_pairs(
            encoder, file, against=against, dev=dev, metrics=metrics,
            device=device or "auto", precision=precision,
        )
    )  # fmt: skip
    answer(told, lambda: evaluation_words(told), as_json=as_json)


def evaluation_words(told: Mapping[str, Any]) -> str:
    """The figures of an evaluation in a line, or a table where two are compared."""
    names = [name for name in told if name not in _BESIDE]
    if "against" in told:
        lines = _table(told, names)
    else:
        figures = " · ".join(
            f"{_title(name, told)} {_number(told[name], 3 if 'threshold' in name else 4)}"
            for name in names
        )
        lines = [f"{told['pairs']:,} pairs, {_who(told)}: {figures}"]
    notes = [*told["notes"], *told.get("against", {}).get("notes", ())]
    return "\n".join([*lines, *dict.fromkeys(notes)])


def _table(told: Mapping[str, Any], names: list[str]) -> list[str]:
    other = told["against"]
    names += [name for name in other if name not in _BESIDE and name not in names]
    rows = [("", "encoder", "against", "difference", "95 % interval")]
    for name in names:
        row = [_title(name, told), _number(told.get(name)), _number(other.get(name)), "", ""]
        difference = told["differences"].get(name)
        if difference is not None:
            row[3] = _signed(difference["change"])
            row[4] = f"{_signed(difference['low'])} to {_signed(difference['high'])}"
        rows.append((row[0], row[1], row[2], row[3], row[4]))
    widths = [max(len(row[place]) for row in rows) for place in range(5)]
    drawn = {one["resampled"] for one in told["differences"].values()}
    return [
        f"{told['pairs']:,} pairs, encoder: {_who(told)}, against: {_who(other)}",
        *(
            "  ".join(
                cell.rjust(width) if place else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ),
        *(f"Intervals: paired bootstrap over {what}." for what in sorted(drawn)),
    ]


def _who(told: Mapping[str, Any]) -> str:
    return f"{told['encoder']} in {told['arithmetic']}"


def _title(name: str, told: Mapping[str, Any]) -> str:
    if name in ("f1", "accuracy"):
        word = "F1" if name == "f1" else name
        return f"{word} at dev's threshold" if told["dev"] else f"best {word}"
    figure, _, similarity = name.partition("_")
    if figure in ("spearman", "pearson") and similarity:
        return f"{_TITLES[figure]}, {similarity}"
    return _TITLES.get(name, name)


def _number(value: float | None, places: int = 4) -> str:
    return "–" if value is None else f"{value:.{places}f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4f}"
