"""The sub-commands of cross-encoders: teaching one, and checking pairs again by one."""

from pathlib import Path
from typing import Any

import click

from core.cli.console import answer, follow
from core.cli.flags import flags, options
from core.cli.group import FILE, FOLDER, command, on_project
from core.cli.words import counted
from core.examples import Finding
from core.options import EncodeOptions, TrainOptions
from core.progress import Steps
from core.store import Project
from core.workflows.cross_desk import CrossDesk
from core.workflows.cross_training import CrossOutcome, teach_cross_from_file
from core.workflows.rechecking import (
    RecheckForecast,
    RecheckOutcome,
    forecast_recheck,
    pairs_in_band,
    recheck_pairs,
    waiting_pairs,
)

_ABOVE_ALL = 2.0  # no cosine is that high


@command("train-cross")
@click.argument("out", type=FOLDER)
@click.option("--pairs", "file", type=FILE, required=True, help="A file of judged pairs.")
@click.option(
    "--base",
    default="default",
    help="`default`, or the folder of an encoder, a backbone or a cross-encoder to go on from.",
)
@click.option(
    "--both-orders",
    is_flag=True,
    help="Learn from each pair both ways round and score it so; not for labels that depend on "
    "the order, such as entailment.",
)
@click.option("--label", "labels", multiple=True, help="A label; give all of them in their order.")
@flags(
    TrainOptions, "epochs", "rate", "batch", "schedule", "warm_up", "weight_decay",
    "search_rates", "frozen_layers", "precision", "gradient_checkpointing", "held_out", "seed",
)  # fmt: skip  # one line each of --help
@flags(EncodeOptions, "device")
def train_cross(
    out: Path,
    file: Path,
    base: str,
    both_orders: bool,
    labels: tuple[str, ...],
    device: str | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Teach a cross-encoder by judged pairs and write it to the folder OUT.

    It reads both texts of a pair at once: slower than an encoder and usually more exact. OUT is a
    folder for sentence-transformers' CrossEncoder; name it with search --recheck, with recheck,
    and as cross:OUT with evaluate.
    """
    wanted = options(TrainOptions, **values)
    steps = teach_cross_from_file(
        out, file, wanted, base=base, device=device or "auto", both_orders=both_orders,
        labels=labels or None, tell=_tell,
    )  # fmt: skip
    told = follow(steps)
    answer(told, lambda: _words(told), as_json=as_json)


@command("recheck")
@click.argument("project", type=FOLDER)
@click.option(
    "--cross-encoder", "folder", type=FOLDER, required=True, help="The folder of a cross-encoder."
)
@click.option("--from", "low", type=float, help="Smallest cosine; without it what waits for you.")
@click.option("--to", "high", type=float, help="Cosine from which on pairs are left alone.")
@click.option(
    "--both-orders/--one-order",
    default=True,
    help="Read each pair both ways round (at twice the cost) or once.",
)
@click.option("--forecast", is_flag=True, help="Only say how long it would take.")
@flags(EncodeOptions, "device")
def recheck(
    project: Path,
    folder: Path,
    low: float | None,
    high: float | None,
    both_orders: bool,
    forecast: bool,
    device: str | None,
    as_json: bool,
) -> None:
    """Let a cross-encoder score the pairs of PROJECT again, slower and better.

    Scores are kept in the project: the Duplicates page shows them, and the export of pairs has them
    in a column. Pairs it has scored before are left alone.
    """
    if high is not None and low is None:
        raise click.UsageError("Give --from with --to.")

    def run(opened: Project) -> Steps[RecheckForecast | RecheckOutcome]:
        desk, place = CrossDesk(), device or "auto"
        if low is None:
            left, right = waiting_pairs(opened)
        else:
            left, right = pairs_in_band(opened, low, _ABOVE_ALL if high is None else high)
        work = forecast_recheck if forecast else recheck_pairs
        return (
            yield from work(
                opened, folder, left, right, both_orders=both_orders, device=place, desk=desk
            )
        )

    told = on_project(project, run)
    answer(told, lambda: _recheck_words(told), as_json=as_json)


def _recheck_words(told: RecheckForecast | RecheckOutcome) -> str:
    new = told.pairs - told.known
    if isinstance(told, RecheckForecast):
        return (
            f"{told.cross_encoder} would score {counted(new, 'pair')} in about "
            f"{told.seconds:.0f} s; {told.known:,} have a score."
        )
    if not told.pairs:
        return (
            "No pair is there to be checked. Pairs that wait for a decision come with grouping; "
            "name others with --from."
        )
    return (
        f"{told.cross_encoder} scored {counted(new, 'pair')}, {told.known:,} had a score; from "
        f"{told.lowest:.3f} to {told.highest:.3f}. {told.note}"
    ).strip()


def _tell(found: Finding) -> None:
    click.echo(f"{found.sentence} {found.remedy}".strip(), err=True)


def _words(told: CrossOutcome) -> str:
    figures = told.figures
    pairs = counted(told.pairs, "pair")
    lines = [f"Taught by {pairs} in {figures['seconds']:.0f} s: {told.folder}"]
    if figures["after"] is None:
        lines.append("Too few pairs were held out to tell how good it is.")
    else:
        line = f"{figures['metric']} on {figures['held_out']:,} pairs {figures['how']}: "
        if figures["before"] is None:
            lines.append(f"{line}{figures['after']:.4f}.")
        else:
            lines += _compared(line, figures)
    lines += [figures["note"]] if figures["note"] else []
    if figures["stopped"] != "done":
        lines.append(figures["why"])
    return "\n".join(lines)


def _compared(line: str, figures: dict[str, Any]) -> list[str]:
    change = figures["after"] - figures["before"]
    line += (
        f"{figures['before']:.4f} {figures['baseline']}, {figures['after']:.4f} cross-encoder "
        f"({change:+.4f}"
    )
    if figures["low"] is None:
        return [line + ")."]
    lines = [f"{line}, between {figures['low']:+.4f} and {figures['high']:+.4f})."]
    if figures["high"] < 0:
        lines.append("It is worse; check by the encoder you have.")
    elif figures["low"] <= 0:
        lines.append("That may be chance.")
    return lines
