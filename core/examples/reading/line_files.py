"""Files of lines, one example a line: several side by side, or a label before each text.

Nothing in such files tells what they hold, so they are read where the caller says so. SNLI keeps
its two sentences and its labels in three files, collections of titles keep their topics in a
second one, and SentEval begins each line with the label.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import UserError
from core.examples.kinds import ExampleKind
from core.examples.reading.files import Asked, ExampleFile, examples_of
from core.examples.reading.laying import Laid
from core.examples.reading.naming import Layout, Shape, shape_of_roles, told_layout
from core.examples.reading.tables import Row, Skipped, Table, decoded


def read_line_files(
    files: Mapping[str, Path],
    *,
    kind: ExampleKind | None = None,
    labels: Sequence[str] | None = None,
    scale: tuple[float, float] | None = None,
    encoding: str = "utf-8",
) -> ExampleFile:
    """Read files whose lines belong together; `files` goes from the role to the file.

    The roles are left, right and score or label; anchor, positive and negative; or text and
    label. Raises `UserError` where the files differ in their number of lines.
    """
    shape_of_roles({role: role for role in files})
    columns = {role: _lines(path, encoding) for role, path in files.items()}
    counts = {files[role].name: len(lines) for role, lines in columns.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {count:,}" for name, count in counts.items())
        raise UserError(
            f"The files do not have the same number of lines: {told}.",
            "Choose files whose lines belong together.",
        )
    rows = tuple(Row(line, cells) for line, cells in
                 enumerate(zip(*columns.values(), strict=True), 1))  # fmt: skip  # one pass
    table = Table(tuple(columns), rows)
    layout = told_layout(table.names, {role: role for role in columns})
    if layout is None:
        raise ValueError(f"roles without a layout: {sorted(files)}")
    asked = Asked(kind, None if labels is None else tuple(labels), scale)
    return examples_of(Laid(table, layout), " and ".join(counts), asked)


def read_label_first(
    path: Path,
    *,
    until: str = "",
    labels: Sequence[str] | None = None,
    encoding: str = "utf-8",
) -> ExampleFile:
    """Read labelled texts whose lines begin with the label and go on, after a blank, with the text.

    A label is cut at `until` where that is given: at ":" the `NUM:dist` of TREC is its coarse
    class, `NUM`. Lines with a label alone are left out and told.
    """
    rows: list[Row] = []
    skipped: list[Skipped] = []
    for line, raw in enumerate(_lines(path, encoding), 1):
        label, *rest = raw.split(None, 1)[:2] or ("",)
        if rest:
            rows.append(Row(line, (label.split(until)[0] if until else label, rest[0])))
        elif label:
            skipped.append((line, "a text is missing"))
    table = Table(("label", "text"), tuple(rows), tuple(skipped))
    layout = Layout(Shape.TEXTS, (1, 0), "label", "caller")
    asked = Asked(ExampleKind.LABELLED_TEXTS, None if labels is None else tuple(labels))
    return examples_of(Laid(table, layout), path.name, asked)


def _lines(path: Path, encoding: str) -> list[str]:
    """Return the lines without the blanks at their ends; the last one may lack its line break."""
    lines = [line.strip() for line in decoded(path, encoding).split("\n")]
    return lines[:-1] if lines and not lines[-1] else lines
