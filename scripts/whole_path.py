"""Time the whole path by command on real files: `python scripts/whole_path.py FOLDER [NAME…]`.

Reads the evaluation data named by SAMESENSE_DATA, runs every sub-command as a process of its
own, from import to the clusters of an encoder that was taught, and prints a Markdown table of
wall time, peak memory and what came out. The decisions that teach are simulated: of the pairs
exported, the 60 nearest are called the same and the 60 farthest different. For the citations of
Cora it adds precision and recall of the pairs against their gold at three cosines.
"""

import csv
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.store import Project

_OF_IMPORTS = ("rows", "blank", "copied", "odd", "multiline")
_OF_OTHERS = ("added", "precision", "rate", "pairs", "floor", "rows", "kept", "removed", "copies",
              "similar", "decided", "review", "same", "different", "clusters", "unclustered", "new",
              "ms")  # fmt: skip
_JUDGED = 60  # pairs called the same, and as many called different
_CORA_COSINES = (0.70, 0.80, 0.90)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A file of the evaluation data and the flags that import it."""

    name: str
    file: str
    flags: tuple[str, ...]
    question: str


CORPORA = (
    Corpus(
        "airline-tweets", "airline-tweets/airline-tweets.csv.gz", ("--text", "text"),
        "my luggage was lost",
    ),
    Corpus(
        "it-tickets", "it-tickets/latest_ticket_data.csv", ("--text", "Description"),
        "I cannot log in",
    ),
    Corpus("banking77", "banking77/test.csv", ("--text", "text"), "my card was stolen"),
    Corpus(
        "stackoverflow-20k", "stackoverflow-20k", ("--text", "title"), "speed up a slow query"
    ),
    Corpus(
        "er-cora", "er-cora/cora.csv",
        ("--text", "authors", "--text", "title", "--text", "journal", "--text", "booktitle",
         "--text", "date", "--id", "id"),
        "learning decision trees",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One command as it ran."""

    words: str
    seconds: float
    peak_mb: float
    told: dict[str, Any]


def main() -> None:
    """Run every corpus and print what was measured."""
    home = Path(sys.argv[1])
    home.mkdir(parents=True, exist_ok=True)
    data = Path(os.environ["SAMESENSE_DATA"])
    wanted = sys.argv[2:]
    for corpus in CORPORA:
        if wanted and corpus.name not in wanted:
            continue
        steps = _run_corpus(corpus, data, home)
        _say(f"\n### {corpus.name}\n")
        _say("| command | seconds | peak MB | outcome |")
        _say("|---|---|---|---|")
        for step in steps:
            _say(f"| `{step.words}` | {step.seconds:.1f} | {step.peak_mb:.0f} | {_told(step)} |")
        if corpus.name == "er-cora":
            _judge_cora(home / f"{corpus.name}.samesense", data)


def _run_corpus(corpus: Corpus, data: Path, home: Path) -> list[Step]:
    project = home / f"{corpus.name}.samesense"
    out = home / corpus.name
    out.mkdir(exist_ok=True)
    file = data / corpus.file
    if file.is_dir():
        file = _joined(file, out / f"{corpus.name}.csv")
    steps = [
        _command("import", project, file, *corpus.flags),
        _command("encode", project),
        _command("pairs", project),
        _command("groups", project),
        _command("decide", project, "--accept", "0.95", "0.97"),
        _command("groups", project),
    ]
    for what in ("kept", "removed", "groups", "pairs"):
        steps.append(_command("export", project, what, "--to", out / f"{what}.csv"))
    judged = _judge(out / "pairs.csv", out / "judged.csv")
    steps += [
        _command("certificate", project, "--to", out / "certificate.html"),
        _command("clusters", project),
        _command("map", project, "--to", out / "map.png"),
        _command("search", project, corpus.question),
        _command("neighbours", project, "1"),
        _command("export", project, "clusters", "--to", out / "clusters.csv"),
        _command("decide", project, "--from", judged),
        _command("train", out / "taught", "--pairs", judged, "--epochs", "1"),
        _command("encode", project, "--encoder", out / "taught"),
        _command("pairs", project),
        _command("groups", project),
        _command("clusters", project),
        _command("map", project, "--to", out / "map-taught.png"),
        _command("export", project, "clusters", "--to", out / "clusters-taught.csv"),
    ]
    return steps


def _joined(folder: Path, to: Path) -> Path:
    """A table of a folder with a file of texts and a file of labels, line by line."""
    labels, texts = (
        file.read_text("utf-8").splitlines()
        for file in sorted(folder.glob("*.txt"), key=lambda file: file.stat().st_size)[-2:]
    )
    with to.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(("label", "title"))
        writer.writerows(zip(labels, texts, strict=True))
    return to


def _judge(pairs: Path, to: Path) -> Path:
    """Simulated decisions: the nearest pairs are the same, the farthest different."""
    with pairs.open(newline="", encoding="utf-8-sig") as stream:
        rows = sorted(csv.DictReader(stream), key=lambda row: float(row["samesense_cosine"]))
    some = min(_JUDGED, len(rows) // 2)
    for row in rows[:some]:
        row["samesense_decision"], row["label"] = "different", "0"
    for row in rows[len(rows) - some :]:
        row["samesense_decision"], row["label"] = "same", "1"
    chosen = rows[:some] + rows[len(rows) - some :]
    with to.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(chosen)
    return to


def _command(name: str, *arguments: object) -> Step:
    line = [sys.executable, "-m", "core.cli", name, *map(str, arguments), "--json"]
    started = time.monotonic()
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if process.stdout is None:
        raise RuntimeError("the command has no output")
    told = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    if status != 0:
        raise RuntimeError(f"{line} ended with {status}")
    shown = [Path(word).name if "/" in str(word) else str(word) for word in map(str, arguments)]
    return Step(" ".join([name, *shown]), seconds, used.ru_maxrss / 1024, json.loads(told))


def _told(step: Step) -> str:
    told = step.told
    if "figures" in told:
        figures = told["figures"]
        return f"{told['pairs']} pairs, {figures['how']}, {figures['before']} → {figures['after']}"
    if "imports" in told:
        report = told["imports"][0]
        return ", ".join(f"{report[key]:,} {key}" for key in _OF_IMPORTS)
    return ", ".join(f"{key} {_figure(told[key])}" for key in _OF_OTHERS if key in told)


def _figure(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _judge_cora(folder: Path, data: Path) -> None:
    """Pairs of rows, copies included, against the gold pairs of the citations."""
    with (data / "er-cora" / "cora_DPL.csv").open(newline="") as stream:
        gold = {
            frozenset((row["id1"], row["id2"])) for row in csv.DictReader(stream, delimiter=";")
        }
    with Project.open_read_only(folder) as project:
        pairing = project.pairs.current()
        if pairing is None:
            raise RuntimeError("no pairs")
        table = project.pairs.table(pairing)
        keys: dict[int, list[str]] = {}
        for page in project.documents.stream():
            for row in page:
                if row.text is not None:
                    keys.setdefault(row.text, []).append(row.key or "")
        copies = {
            frozenset((a, b)) for rows in keys.values() for i, a in enumerate(rows)
            for b in rows[:i]
        }  # fmt: skip
        _say("\n| cosine from | pairs of rows | precision | recall |")
        _say("|---|---|---|---|")
        for cosine in _CORA_COSINES:
            found = set(copies)
            high = table.cosine >= cosine
            for left, right in zip(
                table.left[high].tolist(), table.right[high].tolist(), strict=True
            ):
                found |= {frozenset((a, b)) for a in keys[left] for b in keys[right]}
            right_ones = len(found & gold)
            _say(
                f"| {cosine:.2f} | {len(found):,} | {right_ones / max(len(found), 1):.3f} | "
                f"{right_ones / len(gold):.3f} |"
            )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
