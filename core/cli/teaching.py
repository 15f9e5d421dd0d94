"""The sub-command that teaches an encoder."""

from pathlib import Path
from typing import Any

import click

from core.cli.console import answer, follow
from core.cli.flags import flags, options
from core.cli.group import FILE, FOLDER, command
from core.cli.words import counted
from core.options import EncodeOptions, TrainOptions
from core.workflows.teaching import TeachOutcome, teach_from_file


@command("train")
@click.argument("out", type=FOLDER)
@click.option("--pairs", "file", type=FILE, required=True, help="A file of judged pairs.")
@click.option("--base", default="default", help="`default`, or the folder of an encoder.")
@flags(TrainOptions, "epochs", "rate", "batch", "hold", "held_out", "seed")
@flags(EncodeOptions, "device")
def train(
    out: Path, file: Path, base: str, device: str | None, as_json: bool, **values: Any
) -> None:
    """Teach an encoder by judged pairs and write the new one to the folder OUT.

    OUT is a sentence-transformers folder; name it with --encoder wherever an encoder is wanted.
    """
    wanted = options(TrainOptions, **values)
    steps = teach_from_file(out, file, wanted, base=base, device=device or "auto")
    told = follow(steps)
    answer(told, lambda: _words(told), as_json=as_json)


def _words(told: TeachOutcome) -> str:
    figures = told.figures
    pairs = counted(told.pairs, "pair")
    lines = [f"Taught by {pairs} in {figures['seconds']:.0f} s: {told.folder}"]
    if figures["before"] is None:
        lines.append("Too few pairs to tell whether it got better.")
        if not figures["same"]:
            lines.append("None of them says the same; add some that do.")
        elif not figures["different"]:
            lines.append("None of them says different; add some that do.")
    else:
        change = figures["after"] - figures["before"]
        line = (
            f"{figures['metric']} on {figures['held_out']:,} pairs {figures['how']}: "
            f"{figures['before']:.4f} before, {figures['after']:.4f} after ({change:+.4f}"
        )
        if figures["low"] is not None:
            line += f", between {figures['low']:+.4f} and {figures['high']:+.4f}"
        lines.append(line + ").")
        if figures["high"] is not None and figures["high"] < 0:
            lines.append("It got worse; keep the encoder you have.")
        elif figures["low"] is not None and figures["low"] <= 0:
            lines.append("That may be chance.")
    lines += [line for line in (figures["note"], told.note) if line]
    if figures["stopped"] != "done":
        lines.append(figures["why"])
    return "\n".join(lines)
