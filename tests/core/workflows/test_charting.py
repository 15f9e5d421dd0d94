"""Clusters and the map of real texts with a real, tiny encoder, down to no text at all."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import UserError
from core.layout.epochs import run_epochs
from core.options import ClusterOptions, EncodeOptions, MapOptions
from core.progress import Progress, run_to_end
from core.store import Project
from core.workflows.charting import chart
from core.workflows.encoding import encode_corpus

TOPICS = ("my card was charged {} times", "parcel {} has not arrived", "the app shows error {}")
SCRIPTS = {
    "stop words": [f"the of and to in {'a ' * n}" for n in range(20)],
    "digits": [f"{n} {n * 7} {n * 13}" for n in range(20)],
    "emoji": ["🙂" * (n + 1) for n in range(20)],
    "Chinese": [f"我的包裹{'还' * n}没有到" for n in range(20)],
    "Arabic": [f"لم تصل الطرود {n} (late)" for n in range(20)],
}


def topics(count: int) -> list[str]:
    return [TOPICS[n % 3].format(n) for n in range(count)]


@pytest.fixture
def encoded(
    project: Project, table: Callable[..., Path], bring: Callable[..., object], tiny_encoder: Path
) -> Callable[..., Project]:
    """A project of these texts with vectors; called again, it takes more texts in."""

    def made(texts: list[str], name: str = "texts.csv", first: int = 1) -> Project:
        bring(project, table(texts, name, first))
        if project.texts.count():
            run_to_end(encode_corpus(project, EncodeOptions(encoder=str(tiny_encoder))))
        return project

    return made


def draw(project: Project, *, min_size: int | None = None, **more: object) -> dict[str, object]:
    return run_to_end(chart(project, ClusterOptions(min_size=min_size), MapOptions(**more)))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 10, 14])
def test_few_texts_give_a_map_and_a_word_about_clusters(
    encoded: Callable[..., Project], count: int
):
    project = encoded(topics(count))
    told = draw(project)
    points = project.maps.points()
    assert points.xy.shape == (count, 2)
    assert np.isfinite(points.xy).all()
    assert len(project.clusters.labels().texts) == count
    clusters = told["clusters"]
    assert clusters["clusters"] or clusters["note"]


def test_no_text_at_all_is_told_in_a_sentence(project: Project):
    with pytest.raises(UserError, match="no texts"):
        draw(project)


def test_rows_that_are_all_equal_are_one_cluster_on_one_spot(encoded: Callable[..., Project]):
    project = encoded(["the same words"] * 30)
    told = draw(project)
    assert told["clusters"]["clusters"] == 1
    assert project.clusters.listed()[0].rows == 30
    assert len(project.maps.points().xy) == 1


def test_most_rows_being_copies_breaks_nothing(encoded: Callable[..., Project]):
    project = encoded(["my card was charged twice"] * 60 + topics(40))
    told = draw(project, min_size=5)
    assert told["clusters"]["clusters"] >= 1
    labels = project.clusters.labels()
    copied = project.documents.get([1])[0].text
    assert labels.cluster[labels.texts == copied] >= 0  # a pile always has a label
    assert (
        sum(row.rows for row in project.clusters.listed()) + told["clusters"]["unclustered"] == 100
    )


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_cluster_has_a_name_in_any_script(encoded: Callable[..., Project], script: str):
    project = encoded(SCRIPTS[script])
    draw(project, min_size=3)
    assert all(row.name.strip() for row in project.clusters.listed())
    assert np.isfinite(project.maps.points().xy).all()


def test_a_smallest_cluster_above_half_the_corpus_is_told(encoded: Callable[..., Project]):
    project = encoded(topics(30))
    told = draw(project, min_size=20)
    assert told["clusters"]["clusters"] == 0
    assert "smaller" in told["clusters"]["note"]


def test_two_runs_give_the_same_map_and_the_same_labels(encoded: Callable[..., Project]):
    project = encoded(topics(80))
    draw(project, min_size=5, keep=False)
    first, labels = project.maps.points(), project.clusters.labels()
    draw(project, min_size=5, keep=False)
    assert np.array_equal(project.maps.points().xy, first.xy)
    assert np.array_equal(project.clusters.labels().cluster, labels.cluster)


def show_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few texts are laid out before anybody would be shown anything."""
    for name, seconds in (("_FIRST_SHOWN_S", 0.0), ("_SHOWN_EVERY_S", 0.0), ("_PAUSE_S", 0.001)):
        monkeypatch.setattr(f"core.layout.background.{name}", seconds)


def test_sketches_are_left_while_laying_out_and_gone_at_the_end(
    encoded: Callable[..., Project], monkeypatch: pytest.MonkeyPatch
):
    show_at_once(monkeypatch)
    project = encoded(topics(40))
    seen = []

    def look(progress: Progress) -> None:
        points = project.maps.sketches.newest()
        if progress.sketch and points is not None:
            seen.append(len(points.texts))

    run_to_end(chart(project, None, MapOptions()), look)
    assert set(seen) == {len(project.maps.points().texts)}
    assert project.maps.sketches.newest() is None


def test_a_layout_that_is_called_off_leaves_no_sketch_and_no_map(
    encoded: Callable[..., Project], monkeypatch: pytest.MonkeyPatch
):
    show_at_once(monkeypatch)
    project = encoded(topics(40))
    steps = chart(project, None, MapOptions())
    while not next(steps).sketch:
        pass
    steps.close()
    assert project.maps.sketches.newest() is None
    assert project.maps.current() is None


def test_the_faster_map_takes_half_the_steps(
    encoded: Callable[..., Project], monkeypatch: pytest.MonkeyPatch
):
    project = encoded(topics(40))
    steps = []

    def counted(*given: Any, **more: Any) -> Any:
        steps.append(given[2].epochs)
        return run_epochs(*given, **more)

    monkeypatch.setattr("core.layout.laying.run_epochs", counted)
    for fast in (False, True):
        run_to_end(chart(project, None, MapOptions(fast=fast, keep=False)))
    assert steps == [500, 250]


def test_new_texts_come_beside_the_old_picture(encoded: Callable[..., Project]):
    project = encoded(topics(80))
    draw(project)
    before = project.maps.points()
    encoded([f"{text} again" for text in topics(8)], name="more.csv", first=1000)
    assert project.state().map_stale
    told = draw(project)
    after = project.maps.points()
    assert told["map"]["new"] == 8
    assert np.array_equal(after.xy[np.isin(after.texts, before.texts)], before.xy)
    assert not project.state().map_stale


def test_encoding_comes_first_where_it_is_asked_for(
    project: Project, table: Callable[..., Path], bring: Callable[..., object], tiny_encoder: Path
):
    bring(project, table(topics(20)))
    with pytest.raises(UserError, match="no vector"):
        draw(project)
    encode = EncodeOptions(encoder=str(tiny_encoder))
    run_to_end(chart(project, ClusterOptions(), MapOptions(), encode=encode))
    assert project.maps.current().counts["texts"] == 20


def test_a_cancelled_chart_leaves_the_old_one(encoded: Callable[..., Project]):
    project = encoded(topics(60))
    draw(project)
    before = project.maps.current()
    steps = chart(project, ClusterOptions(), MapOptions(keep=False))
    next(steps)
    next(steps)
    steps.close()
    assert project.maps.current() == before
    assert project.runs.latest(1)[0].state in ("cancelled", "finished")


def test_the_graph_of_the_corpus_is_made_once(
    encoded: Callable[..., Project], monkeypatch: pytest.MonkeyPatch
):
    project = encoded(topics(40))
    draw(project)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the graph was made again")

    monkeypatch.setattr("core.workflows.graphing.nearest", never)
    draw(project, keep=False)


def test_too_little_memory_is_told_before_the_work_begins(
    encoded: Callable[..., Project], monkeypatch: pytest.MonkeyPatch
):
    project = encoded(topics(40))
    monkeypatch.setattr("core.layout.memory._TEXT_BYTES", 10**15)
    with pytest.raises(UserError, match=r"GB are free.*would fit"):
        next(chart(project, ClusterOptions(), MapOptions()))
