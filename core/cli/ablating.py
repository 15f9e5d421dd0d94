"""The sub-command that tries a grid of ways to teach."""

import math
from pathlib import Path
from typing import Any

import click

from core.cli.console import answer, follow
from core.cli.flags import flags, options
from core.cli.group import FILE, command
from core.cli.words import counted
from core.options import EncodeOptions, TrainOptions
from core.training.grids import GRIDS, Cell
from core.training.objectives.choices import CONCATENATIONS
from core.workflows.ablating import Ablation, CellResult
from core.workflows.ablating import ablate as try_grid
from core.workflows.ablation_plan import AblationPlan, plan_ablation


@command("ablate")
@click.option(
    "--examples", "--pairs", "file", type=FILE, required=True, help="A file of judged examples."
)
@click.option("--base", default="default", help="`default`, or the folder of an encoder.")
@click.option(
    "--grid", type=click.Choice(GRIDS), default="pooling", show_default=True,
    help="`pooling`: mean, cls and max under each objective of the paper; `objective`: every "
    "objective; `concatenation`: what a classification sees of two vectors.",
)  # fmt: skip
@click.option(
    "--seeds", type=click.IntRange(1, 100), default=3, show_default=True,
    help="How many trainings of each way.",
)  # fmt: skip
@click.option("--limit", type=click.IntRange(min=4), help="Learn from so many examples at most.")
@click.option("--dev", type=FILE, help="A file that judges, instead of a part of the examples.")
@click.option(
    "-o", "--out", "table", type=FILE,
    help="A CSV table of all trainings; if it is there, those it holds are not made again.",
)  # fmt: skip
@flags(TrainOptions, "epochs", "rate", "batch", "held_out")
@flags(EncodeOptions, "device")
def ablate(
    file: Path,
    base: str,
    grid: str,
    seeds: int,
    limit: int | None,
    dev: Path | None,
    table: Path | None,
    device: str | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Try ways of pooling and teaching on your own examples, each with several seeds.

    No encoder is written: look which way is best, then teach with it. No text of the examples
    that judge is learnt from.
    """
    wanted = options(TrainOptions, **values)
    plan = plan_ablation(file, wanted, grid=grid, base=base, seeds=seeds, limit=limit, dev=dev)
    click.echo(plan_words(plan), err=True)
    told = follow(try_grid(plan, table=table, device=device or "auto"))
    answer(_plain(plan, told, table), lambda: ablation_words(plan, told), as_json=as_json)


def plan_words(plan: AblationPlan) -> str:
    """What will be done and how long it may take, before the work."""
    ways = counted(len(plan.cells), "way")
    minutes = plan.seconds / 60
    time = f"{minutes:.0f} min" if minutes >= 1.5 else f"{max(1, round(plan.seconds))} s"
    lines = [
        f"{ways} × {counted(len(plan.seeds), 'seed')} = {counted(plan.trials, 'training')}, each "
        f"from {len(plan.learnt):,} examples and judged by {plan.figure} on "
        f"{len(plan.judging):,} others; about {time}, to a factor of two."
    ]
    return "\n".join([*lines, *plan.notes])


def ablation_words(plan: AblationPlan, told: Ablation) -> str:
    """The table of a grid, the best way first."""
    head = ("pooling", "objective", "sees", "as it comes", f"{plan.figure} ×100")
    rows = [head, *(_cells(one) for one in told.results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    if told.missing:
        lines.append(f"{counted(told.missing, 'training')} of {plan.trials:,} were not made.")
    return "\n".join(lines)


def _cells(one: CellResult) -> tuple[str, ...]:
    cell = one.cell
    return (cell.pooling, cell.objective, CONCATENATIONS.get(cell.concatenation, ""),
            f"{one.before * 100:.2f}", one.after.words())  # fmt: skip  # one row


def _plain(plan: AblationPlan, told: Ablation, table: Path | None) -> dict[str, Any]:
    return {
        "grid": plan.grid,
        "figure": plan.figure,
        "base": str(plan.folder),
        "learnt": len(plan.learnt),
        "judging": len(plan.judging),
        "seeds": list(plan.seeds),
        "epochs": plan.options.epochs,
        "rate": plan.options.rate,
        "batch": plan.options.batch,
        "forecast_seconds": plan.seconds,
        "seconds": told.seconds,
        "missing": told.missing,
        "notes": list(plan.notes),
        "table": None if table is None else str(table),
        "results": [_result(one, told) for one in told.results],
    }


def _result(one: CellResult, told: Ablation) -> dict[str, Any]:
    cell = one.cell
    own = [trial for trial in told.trials
           if Cell(trial.pooling, trial.objective, trial.concatenation) == cell]  # fmt: skip
    deviation = one.after.deviation
    return {
        "pooling": cell.pooling,
        "objective": cell.objective,
        "concatenation": cell.concatenation or None,
        "before": one.before,
        "mean": one.after.mean,
        "deviation": None if math.isnan(deviation) else deviation,
        "seeds": {trial.seed: trial.after for trial in own},
    }
