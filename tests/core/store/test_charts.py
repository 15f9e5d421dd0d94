"""Maps, graphs, indexes and the encoder in use come back as they were stored."""

from collections.abc import Callable

import numpy as np
import pytest

from core.store import GraphTable, MapPoints, Project


@pytest.fixture
def encoded(
    project: Project, bring: Callable[..., object], encode: Callable[..., tuple[object, object]]
) -> Project:
    bring(project, [("1", "a card"), ("2", "a parcel")])
    record, _ = encode(project)
    project.meta.set("encoder", str(record.id))
    return project


def draw(project: Project) -> None:
    project.maps.replace(
        MapPoints(np.array([1, 2]), np.array([[0.5, 1], [2, -3]], np.float32)),
        encoder=project.active_encoder().id, options={"seed": 0},
        inputs=project.inputs_of_layout(), counts={"texts": 2}, run=None,
    )  # fmt: skip


def test_a_map_comes_back_with_and_without_its_cache(encoded: Project):
    draw(encoded)
    for _ in range(2):
        points = encoded.maps.points()
        assert points.texts.tolist() == [1, 2]
        assert points.xy.tolist() == [[0.5, 1], [2, -3]]
    assert encoded.state().map.options == {"seed": 0}
    assert not encoded.state().map_stale


def test_a_new_map_takes_the_place_of_the_old_one(encoded: Project):
    draw(encoded)
    encoded.maps.points()
    draw(encoded)
    assert encoded._db.conn.execute("SELECT count(*) FROM coordinates").fetchone()[0] == 2
    assert len(encoded.maps.points().texts) == 2


def test_texts_that_are_gone_are_not_drawn(encoded: Project, drop: Callable[[Project, int], None]):
    draw(encoded)
    drop(encoded, 1)
    assert len(encoded.maps.points().texts) == 0
    assert encoded.state().map_stale


def test_a_graph_comes_back(encoded: Project):
    graph = GraphTable(
        np.array([1, 2]), np.array([[1], [0]], np.int32), np.array([[0.5], [0.5]], np.float32)
    )
    assert encoded.graphs.load(1) is None
    encoded.graphs.save(1, graph)
    held = encoded.graphs.load(1)
    assert held.index.tolist() == [[1], [0]]
    assert encoded.graphs.load(2) is None


def test_an_index_comes_back_as_the_bytes_it_was(encoded: Project):
    assert encoded.indexes.load(1) is None
    encoded.indexes.save(1, b"\x00index")
    assert encoded.indexes.load(1) == b"\x00index"


def test_taking_the_encoder_in_use_into_use_is_no_step(encoded: Project):
    encoded.use_encoder(encoded.active_encoder().id, title="Use MiniLM")
    assert encoded.decisions.next_undo() is None  # it was in use already


def test_the_encoder_before_comes_back_by_undo(
    encoded: Project, encode: Callable[..., tuple[object, object]]
):
    first = encoded.active_encoder()
    other = encoded.vectors.encoder(
        "f2", name="taught", folder="/t", dimension=4, precision="fp32", settings={}
    )
    encoded.use_encoder(other.id, title="Use taught")
    assert encoded.active_encoder().name == "taught"
    assert encoded.decisions.undo() == "Use taught"
    assert encoded.active_encoder() == first
    assert encoded.decisions.redo() == "Use taught"
    assert encoded.active_encoder().name == "taught"
