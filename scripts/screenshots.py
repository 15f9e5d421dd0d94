"""Render the pages of a demo project and their states: `python scripts/screenshots.py FOLDER`.

Every page in three sizes, every further state at 1280 × 800, light and dark; the pages at twice
the pixels too (by a second process, since Qt takes its scale when it starts). The decisions are
the demo's gold; the lesson is a real one.
"""

import csv
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from app.pages.map import MapPage
from app.pages.multiply import MultiplyPage
from app.pages.search import SearchPage
from app.pages.teach import TeachPage
from app.pictures import State, draw_pages
from app.window import MainWindow
from core.folders import resources
from core.options import (
    ClusterOptions,
    EncodeOptions,
    GroupOptions,
    MapOptions,
    PairOptions,
)
from core.progress import run_to_end
from core.records import Verdict
from core.store import Project
from core.workflows.augmenting.project import (
    ProjectAsked,
    label_project,
    learn_project,
    measure_project,
)
from core.workflows.charting import chart
from core.workflows.demonstrating import demo_corpus, demo_settings
from core.workflows.importing import import_file
from core.workflows.preparing import prepare
from core.workflows.teaching import remove_interrupted, teach_project

_SIZES = ((1000, 700), (1280, 800), (1920, 1080))
_DECIDED = 150  # pairs of each kind
_QUESTION = "my card was charged twice"


def main() -> None:
    """Make the demo project in a temporary folder and draw it."""
    to = Path(sys.argv[1]).resolve()
    if len(sys.argv) > 2:  # the second process
        _say(draw_pages(Path(sys.argv[2]), to, themes=("light",), states=_twice()))
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "Demo.samesense"
        with Project.create(folder) as project:
            run_to_end(import_file(project, demo_corpus(), demo_settings()))
            run_to_end(prepare(project, EncodeOptions(), PairOptions(), GroupOptions()))
        _say(draw_pages(folder, to, states=_BEFORE))
        with Project.open(folder) as project:
            run_to_end(chart(project, ClusterOptions(), MapOptions()))
            _decide(project)
        _say(draw_pages(folder, to, states=(State("teach-ready", "Teach"), _RUNNING)))
        _say(draw_pages(folder, to, states=(_INTERRUPTED,)))
        with Project.open(folder) as project:
            for cut_off in project.trainings.interrupted():
                remove_interrupted(project, cut_off.run)
            run_to_end(teach_project(project))
            _multiply(project)
        _say(draw_pages(folder, to, sizes=_SIZES))
        _say(draw_pages(folder, to, states=_AFTER))
        twice = {**os.environ, "QT_SCALE_FACTOR": "2"}
        subprocess.run([sys.executable, __file__, str(to), str(folder)], env=twice, check=True)


def _decide(project: Project) -> None:
    """Decide pairs as the demo's gold says: what means the same, and what only looks alike."""
    with (resources() / "demo" / "gold.csv").open(newline="", encoding="utf-8") as stream:
        gold = list(csv.DictReader(stream))
    random.Random(0).shuffle(gold)
    rows = (row for page in project.documents.stream() for row in page)
    text_of = {row.key: row.text for row in rows if row.text is not None}
    for verdict, label in ((Verdict.SAME, "1"), (Verdict.DIFFERENT, "0")):
        judged = [row for row in gold if row["label"] == label and row["relation"] != "copy"]
        pairs = [(text_of[row["id1"]], text_of[row["id2"]]) for row in judged[:_DECIDED]]
        project.decisions.decide(pairs, verdict, title=f"{verdict}: {len(pairs)} pairs")


def _multiply(project: Project) -> None:
    """Few decisions made many, whatever the teachers are worth."""
    asked = ProjectAsked({"insist": True}, source="corpus")
    found = run_to_end(measure_project(project, asked))
    run_to_end(label_project(project, found.augmentation, asked))
    run_to_end(learn_project(project, found.augmentation))


def _search(window: MainWindow) -> SearchPage:
    page = window.pages["Search"]
    if not isinstance(page, SearchPage):
        raise TypeError(type(page).__name__)
    return page


def _map(window: MainWindow) -> MapPage:
    page = window.pages["Map"]
    if not isinstance(page, MapPage):
        raise TypeError(type(page).__name__)
    return page


def _teach(window: MainWindow) -> TeachPage:
    page = window.pages["Teach"]
    if not isinstance(page, TeachPage):
        raise TypeError(type(page).__name__)
    return page


def _step(name: str) -> State:
    """A step of the multiply page."""

    def page(window: MainWindow) -> MultiplyPage:
        found = window.pages["Multiply"]
        if not isinstance(found, MultiplyPage):
            raise TypeError(type(found).__name__)
        return found

    def is_ready(window: MainWindow) -> bool:
        found = page(window)
        return found.is_settled and (name != "sheet" or found.view.sheet.density.is_drawn)

    return State(
        f"multiply-{name}", "Multiply", lambda window: page(window).open_step(name), is_ready
    )


def _has_answer(window: MainWindow) -> bool:
    answer = _search(window).answer
    return answer is not None and not answer.is_first_look


def _select_largest(window: MainWindow) -> None:
    """Two clusters, as a click and a Ctrl-click on the list select them."""
    page = _map(window)
    with Project.open_read_only(window.workspace.folder or Path()) as project:
        first, second, *_ = project.clusters.listed()
        labels = project.clusters.labels()
    inside = (labels.cluster == first.number) | (labels.cluster == second.number)
    page.show_texts(labels.texts[inside].tolist())


def _is_interrupted_shown(window: MainWindow) -> bool:
    """Choose the training that the picture before cut off."""
    material = _teach(window).material
    for one in () if material is None else material.interrupted:
        _teach(window).view.runs.choose(("interrupted", one.run))
    return _teach(window).view.other.isVisible()


def _is_taught_shown(window: MainWindow) -> bool:
    """Choose the oldest training, which has been taught here."""
    material = _teach(window).material
    for one in () if material is None else material.trainings:
        _teach(window).view.runs.choose(("training", one.id))
    return _teach(window).view.result.isVisible()


def _open_settings(window: MainWindow) -> None:
    _teach(window).choose_new()
    _teach(window).open_settings()


def _listen(window: MainWindow) -> None:
    window.workspace.job_measured.connect(lambda *figures: _MEASURED.append(figures))


def _is_teaching(window: MainWindow) -> bool:
    """Start a lesson as soon as it can start; it ends with the window."""
    if not _teach(window).practice.is_running:
        _teach(window).start()
    return len(_MEASURED) > _POINTS


_MEASURED: list[object] = []
_POINTS = 60  # of the curve, before it is drawn
_BEFORE = (
    State("search-hint", "Search"),
    State("map-none", "Map"),
    State("teach-nothing", "Teach"),
    State("multiply-nothing", "Multiply"),
)
_RUNNING = State("teach-running", "Teach", _listen, _is_teaching)
_INTERRUPTED = State("teach-interrupted", "Teach", is_ready=_is_interrupted_shown)
_AFTER = (
    State("teach-result", "Teach", is_ready=_is_taught_shown),
    State("teach-settings", "Teach", _open_settings, lambda w: _teach(w).is_settled),
    State("search-answer", "Search", lambda w: _search(w).show_search(_QUESTION), _has_answer),
    State("search-like", "Search", lambda w: _search(w).show_neighbours(12), _has_answer),
    State("search-nothing", "Search", lambda w: _search(w).show_search("zzqx"), _has_answer),
    State("map-selected", "Map", _select_largest, lambda w: _map(w).is_settled),
    *(_step(name) for name in ("teachers", "pairs", "sheet", "teach")),
)


def _twice() -> tuple[State, ...]:
    return tuple(
        State(f"{name.lower()}-x2", name)
        for name in ("Corpus", "Duplicates", "Search", "Map", "Teach", "Multiply")
    )


def _say(files: list[Path]) -> None:
    for file in files:
        sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main()
