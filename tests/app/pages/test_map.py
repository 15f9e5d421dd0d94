"""The real page on a real project, driven by keys and mouse, with a real worker behind it."""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from app.jobs import JobEnd, Ticket
from app.look.theme import apply_theme
from app.pages.map import MapPage
from app.pages.map_canvas import label_words
from app.pages.map_reads import UNCLUSTERED
from app.pages.map_sheet import DrawChoice, DrawSheet
from app.workspace import Workspace
from core.options import ClusterOptions, EncodeOptions, MapOptions
from core.progress import Progress, run_to_end
from core.records import Changes, DateColumn, ImportReport, ImportSettings, Reading
from core.store import ClusterRow, MapPoints, Project, StagedRow, TreeTable, VectorBatch
from core.workflows.cluster_desk import ClusterDesk
from core.workflows.encoding import encode_corpus

THINGS = ("parcel", "refund", "login")
PLACES = ((0.0, 0.0), (10.0, 0.0), (5.0, 9.0))
EACH = 6
STRAYS = ("مرحبا، أين الطلب (order 4711)", "你好，我要退款")
# Texts by number: 1–6 parcel, 7–12 refund, 13–18 login, 19–20 strays; number 1 has two rows.
PARCEL, REFUND, LOGIN = 3, 4, 2  # clusters, which are nodes of the tree
TREE = (-1, 0, 0, 1, 1)  # parents: 1 holds parcel and refund
LEVELS = ((1, 2), (3, 4, 2))


@pytest.fixture(scope="module")
def workspace(app: QApplication) -> Iterator[Workspace]:
    """One workspace with its workers, since starting a worker takes seconds."""
    made = Workspace()
    yield made
    made.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a map: three clusters of six texts and two texts in none."""
    with Project.create(tmp_path / "calls.samesense") as project:
        bring(project, messages())
        bring(project, [(messages()[0][0], "Lyon")], "again.csv")
        encode(project)
        draw(project)
    return tmp_path / "calls.samesense"


@pytest.fixture
def page(workspace: Workspace, folder: Path, show: Callable[..., QWidget]) -> Iterator[MapPage]:
    made = MapPage(workspace)
    show(made, 1100, 700)
    workspace.open(folder)
    until(lambda: made.feed.clusters is not None and made.is_settled)
    made.view.canvas.view.settle()
    yield made
    settle(made)
    workspace.close()


def messages() -> list[tuple[str, str]]:
    texts = [f"Where is my {thing}, asks caller {n}?" for thing in THINGS for n in range(EACH)]
    return [(text, "Lyon" if at % 2 else "Bern") for at, text in enumerate((*texts, *STRAYS))]


def bring(project: Project, rows: Sequence[tuple[str, str]], name: str = "calls.csv") -> None:
    settings = ImportSettings(
        Reading("table", ("text", "city", "day")), ("text",), date_columns=(DateColumn("day"),)
    )
    source = project.sources.begin(
        name, path=f"/nowhere/{name}", sha256=name, size=1, settings=settings,
        run=project.runs.begin("import", {}),
    )  # fmt: skip
    staged = [
        StagedRow(
            place, place + 1, None, (text, city, f"2026-03-{place:02}"),
            {"day": f"2026-03-{place:02}"}, text,
            hashlib.sha256(text.encode()).hexdigest()[:32], False,
        )
        for place, (text, city) in enumerate(rows, 1)
    ]  # fmt: skip
    project.documents.stage(source, staged)
    project.sources.finish(source, ImportReport(source, name, rows=len(rows)))


def encode(project: Project) -> None:
    encoder = project.vectors.encoder(
        "f1", name="tiny", folder="/nowhere", dimension=4, precision="fp32", settings={}
    )
    project.meta.set("encoder", str(encoder.id))
    texts = project.texts.without_vector(encoder.id)
    ones = np.ones(len(texts), np.int32)
    none = np.zeros(len(texts), np.bool_)
    vectors = np.eye(4, dtype=np.float32)[np.arange(len(texts)) % 4]
    windows = np.zeros((0, 4), np.float32)
    project.vectors.append(encoder, VectorBatch(texts, vectors, ones, ones, none, windows))


def draw(
    project: Project, *, options: ClusterOptions | None = None, most_unclustered: float = 1.0
) -> None:
    """Store a map and clusters, as the engine would."""
    ids, rows = project.by_text.rows()
    encoder = project.active_encoder()
    assert encoder is not None
    spread = np.random.default_rng(0).normal(0, 0.5, (len(ids), 2))
    topic = np.minimum(np.arange(len(ids)) // EACH, len(THINGS))
    middles = np.array([*PLACES, (5.0, 4.0)])
    xy = (middles[topic] + spread).astype(np.float32)
    inputs = project.inputs_of_layout()
    project.maps.replace(
        MapPoints(ids, xy), encoder=encoder.id, options=asdict(MapOptions()), inputs=inputs,
        counts={"texts": len(ids)}, run=None,
    )  # fmt: skip
    node = np.array([PARCEL, REFUND, LOGIN, 0], np.int32)[topic]
    table = TreeTable(
        np.array(TREE, np.int32), np.array([0, 1, 1, 2, 2], np.float32), np.ones(5, np.float32),
        np.array([21, 13, 6, 7, 6], np.int64),
        ((), ("parcel", "refund"), ("login",), ("parcel",), ("refund",)),
        tuple(tuple(ids[node == number][:2].tolist()) for number in range(5)),
        ids, node, np.full(len(ids), 3, np.float32),
    )  # fmt: skip
    levels = [np.array(nodes, np.int32) for nodes in LEVELS]
    desk = ClusterDesk(
        table, levels, index=np.zeros((len(ids), 1), np.int32) - 1,
        cosine=np.zeros((len(ids), 1), np.float32) - 2, copies=rows,
    )  # fmt: skip
    shown, _ = desk.shown(1, most_unclustered, project.cluster_edits.active())
    project.clusters.replace(
        encoder=encoder.id, options=asdict(options or ClusterOptions()), inputs=inputs,
        levels=LEVELS, tree=table, shown=shown, run=None,
    )  # fmt: skip


def until(is_so: Callable[[], object], *, seconds: float = 30) -> None:
    """Let the window live until something is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        QTest.qWait(10)


def settle(page: MapPage) -> None:
    """Wait until everything asked for is stored and shown."""
    until(lambda: page.is_settled)
    QTest.qWait(60)
    until(lambda: page.is_settled)


def press(page: MapPage, key: str | Qt.Key, *, shift: bool = False) -> None:
    modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    page.view.canvas.view.setFocus()
    QTest.keyClick(page.view.canvas.view, key, modifier)


def selected(page: MapPage) -> list[int]:
    """The texts that the picture selects."""
    mask, picture = page.view.canvas.view.selected, page.feed.picture
    return [] if mask is None or picture is None else picture.texts[mask].tolist()


def tabled(page: MapPage) -> list[object]:
    """The texts of the table, as they are shown."""
    model = page.texts.model
    until(lambda: model.rowCount() == 0 or model.row(0) is not None)
    rows = [model.row(at) for at in range(model.rowCount())]
    return sorted(str(row[0]) for row in rows if row is not None)


def names(page: MapPage) -> list[str]:
    """The lines of the list."""
    model = page.view.side.model
    return [model.line(at).name for at in range(model.rowCount())]


def stored(folder: Path) -> dict[str, ClusterRow]:
    with Project.open_read_only(folder) as project:
        return {row.name: row for row in project.clusters.listed()}


def drag(page: MapPage, spots: Sequence[QPointF]) -> None:
    """Draw with the mouse."""
    view = page.view.canvas.view
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mousePress(view, left, none, spots[0].toPoint())
    for spot in spots[1:]:
        QTest.mouseMove(view, spot.toPoint())
        QTest.qWait(2)
    QTest.mouseRelease(view, left, none, spots[-1].toPoint())


def around(page: MapPage, place: tuple[float, float], by: float = 3.0) -> list[QPointF]:
    """A closed way around a place of the map, in pixels of the view."""
    corners = ((-by, -by), (by, -by), (by, by), (-by, by), (-by, -by))
    spots = [page.view.canvas.view.spot_of(place[0] + x, place[1] + y) for x, y in corners]
    return [one + (two - one) * step / 6 for one, two in pairwise(spots) for step in range(7)]


def test_the_list_shows_the_clusters_and_last_what_none_holds(page: MapPage) -> None:
    assert names(page) == ["parcel", "login", "refund", "Unclustered"]


def test_sizes_count_rows(page: MapPage) -> None:
    assert page.view.side.model.line(0).rows == EACH + 1


def test_choosing_a_cluster_selects_its_points_and_lists_its_texts(page: MapPage) -> None:
    page.view.side.list.step(1)
    assert selected(page) == [1, 2, 3, 4, 5, 6]
    assert tabled(page) == [f"Where is my parcel, asks caller {n}?" for n in range(EACH)]


def test_choosing_unclustered_selects_what_no_cluster_holds(page: MapPage) -> None:
    page.view.side.list.step(-1)
    assert selected(page) == [19, 20]


def test_clicking_a_name_on_the_map_chooses_its_cluster(page: MapPage) -> None:
    page.view.canvas.view.label_clicked.emit(REFUND)
    assert page.selection.clusters == [REFUND]


def test_a_lasso_selects_points_and_marks_a_cluster_it_holds_whole(page: MapPage) -> None:
    press(page, "l")
    drag(page, around(page, PLACES[2]))
    assert selected(page) == [13, 14, 15, 16, 17, 18]
    assert page.selection.clusters == [LOGIN]


def test_the_selection_stays_when_the_map_is_moved_and_the_tool_changed(page: MapPage) -> None:
    press(page, "r")
    drag(page, [page.view.canvas.view.spot_of(-3, -3), page.view.canvas.view.spot_of(3, 3)])
    press(page, "+")
    press(page, "h")
    page.view.canvas.view.zoom(2.0)
    drag(page, [QPointF(200, 200), QPointF(230, 240), QPointF(300, 260)])
    assert selected(page) == [1, 2, 3, 4, 5, 6]
    assert len(tabled(page)) == EACH


def test_what_is_selected_while_points_are_read_again_stays_selected(page: MapPage) -> None:
    page.selection.choose_texts([19], reveal=False)
    page._take_changes(Changes(map=True))
    press(page, "l")
    drag(page, around(page, PLACES[2]))
    until(lambda: page.is_settled)
    assert selected(page) == [13, 14, 15, 16, 17, 18]


def test_a_row_of_the_table_rings_its_point(page: MapPage) -> None:
    page.view.side.list.step(1)
    page.view.side.texts.table.go_to(2)
    picture = page.feed.picture
    assert picture is not None
    place = page.texts.place_at(2)
    assert page.view.canvas.ring.spot == tuple(picture.xy[place].tolist())


def test_a_clicked_point_that_is_not_selected_is_shown_alone(page: MapPage) -> None:
    page.view.canvas.view.point_clicked.emit(18)
    assert selected(page) == [19]
    assert tabled(page) == [STRAYS[0]]


def test_a_clicked_point_among_the_selected_only_leads_to_its_row(page: MapPage) -> None:
    page.view.side.list.step(1)
    page.view.canvas.view.point_clicked.emit(4)
    assert len(selected(page)) == EACH
    assert page.texts.text_at(page.view.side.texts.table.currentIndex().row()) == 5


def test_finding_words_selects_the_texts_that_hold_them(page: MapPage) -> None:
    QTest.keyClicks(page.view.bar.find_field, "caller 3")
    until(lambda: page.view.bar.find_field.found)
    assert selected(page) == [4, 10, 16]
    assert page.view.bar.find_field.found == "3 texts"


def test_finding_nothing_says_so_and_selects_nothing(page: MapPage) -> None:
    QTest.keyClicks(page.view.bar.find_field, '"% nowhere')
    until(lambda: page.view.bar.find_field.found)
    assert (page.view.bar.find_field.found, selected(page)) == ("none", [])


def test_a_cluster_named_by_hand_is_found_by_that_name(page: MapPage, folder: Path) -> None:
    page.deeds.hand.rename(REFUND, "Money back")
    settle(page)
    QTest.keyClicks(page.view.bar.find_field, "money")
    until(lambda: page.view.bar.find_field.found)
    assert selected(page) == [7, 8, 9, 10, 11, 12]


def test_renaming_in_place_gives_the_cluster_its_name(page: MapPage, folder: Path) -> None:
    page.view.side.list.step(1)
    press(page, Qt.Key.Key_F2)
    editor = page.view.side.list.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "Where is it")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settle(page)
    assert stored(folder)["Where is it"].is_named
    assert names(page)[0] == "Where is it"


def test_a_rename_leaves_selection_and_camera_as_they_were(page: MapPage) -> None:
    view = page.view.canvas.view
    page.view.side.list.step(1)
    view.zoom(3.0)
    before = view.spot_of(1.0, 1.0)
    page.deeds.hand.rename(PARCEL, "Parcels")
    settle(page)
    assert view.spot_of(1.0, 1.0) == before
    assert (len(selected(page)), page.selection.clusters) == (EACH, [PARCEL])


def test_clusters_chosen_together_are_merged_and_undone(page: MapPage, folder: Path) -> None:
    page.selection.choose_clusters([PARCEL, REFUND])
    press(page, "m")
    settle(page)
    assert len(stored(folder)) == 2
    assert len(page.selection.clusters) == 1
    assert page.view.canvas.toast.words.startswith("Merged 2 clusters into")
    page.view.canvas.toast.undo_wanted.emit()
    settle(page)
    assert len(stored(folder)) == 3


def test_dragging_a_cluster_onto_another_merges_them(page: MapPage, folder: Path) -> None:
    model = page.view.side.model
    data = model.mimeData([model.index(0)])
    onto = model.index(1)
    assert model.canDropMimeData(data, Qt.DropAction.MoveAction, -1, -1, onto)
    model.dropMimeData(data, Qt.DropAction.MoveAction, -1, -1, onto)
    settle(page)
    assert sorted(row.rows for row in stored(folder).values()) == [EACH, 2 * EACH + 1]


def test_nothing_is_dropped_onto_itself_or_onto_unclustered(page: MapPage) -> None:
    model = page.view.side.model
    data = model.mimeData([model.index(0)])
    drop = Qt.DropAction.MoveAction
    assert not model.canDropMimeData(data, drop, -1, -1, model.index(0))
    assert not model.canDropMimeData(data, drop, -1, -1, model.index(model.rowCount() - 1))


def test_a_cluster_of_two_topics_is_split(page: MapPage, folder: Path) -> None:
    page.view.bar.level.step(-1)
    settle(page)
    page.selection.choose_clusters([1])
    press(page, "s")
    settle(page)
    assert len(stored(folder)) == 3


def test_a_cluster_without_parts_says_why_it_is_not_split(page: MapPage) -> None:
    page.selection.choose_clusters([LOGIN])
    press(page, "s")
    settle(page)
    assert "no parts" in page.view.notices.words


def test_an_excluded_cluster_can_be_included_again(page: MapPage, folder: Path) -> None:
    page.selection.choose_clusters([LOGIN])
    press(page, "x")
    settle(page)
    assert stored(folder)["login"].is_excluded
    assert page.actions_["exclude"].text() == "Include the cluster"
    press(page, "x")
    settle(page)
    assert not stored(folder)["login"].is_excluded


def test_selected_texts_move_to_the_cluster_picked(page: MapPage, folder: Path) -> None:
    page.selection.choose_texts([19, 20])
    press(page, "v")
    QTest.keyClicks(page.view.picker.field, "log")
    QTest.keyClick(page.view.picker.field, Qt.Key.Key_Return)
    settle(page)
    assert stored(folder)["login"].texts == EACH + 2


def test_selected_texts_become_a_cluster_named_in_place(page: MapPage, folder: Path) -> None:
    page.selection.choose_texts([1, 7, 13])
    press(page, "n")
    QTest.keyClicks(page.view.side.texts.name, "First callers")
    QTest.keyClick(page.view.side.texts.name, Qt.Key.Key_Return)
    settle(page)
    assert stored(folder)["First callers"].texts == 3
    assert selected(page) == [1, 7, 13]


def test_a_few_texts_are_decided_the_same_or_different(page: MapPage, folder: Path) -> None:
    page.selection.choose_texts([1, 2, 3])
    press(page, "d", shift=True)
    settle(page)
    with Project.open_read_only(folder) as project:
        assert project.decisions.counts()["different"] == 3
    press(page, "s", shift=True)
    settle(page)
    with Project.open_read_only(folder) as project:
        assert project.decisions.counts() == {"same": 2, "different": 1, "unsure": 0}


def test_one_text_or_very_many_are_not_decided(page: MapPage) -> None:
    page.selection.choose_texts([1])
    assert not page.actions_["same"].isEnabled()
    page.selection.choose_texts(list(range(1, 21)))
    assert page.actions_["same"].isEnabled()


def test_the_level_slider_shows_other_clusters(page: MapPage) -> None:
    QTest.keyClick(page.view.bar.level.slider, Qt.Key.Key_Left)
    assert page.view.bar.level.words == "2 clusters"
    settle(page)
    assert names(page) == ["parcel, refund", "login", "Unclustered"]


def test_a_slider_dragged_quickly_ends_on_the_last_level(page: MapPage, folder: Path) -> None:
    for _ in range(4):
        press(page, ",")
        press(page, ".")
    press(page, ",")
    settle(page)
    with Project.open_read_only(folder) as project:
        current = project.clusters.current()
    assert current is not None
    assert current.level == 0
    assert len(names(page)) == 3


def test_another_level_keeps_the_selected_texts(page: MapPage) -> None:
    page.selection.choose_clusters([PARCEL])
    press(page, ",")
    settle(page)
    assert selected(page) == [1, 2, 3, 4, 5, 6]
    assert page.selection.clusters == []


def test_the_share_left_over_is_asked_for_and_shown(page: MapPage, folder: Path) -> None:
    page.view.bar.leftover.chosen.emit(0.05)
    settle(page)
    with Project.open_read_only(folder) as project:
        current = project.clusters.current()
    assert current is not None
    assert current.most_unclustered == 0.05


def test_colouring_by_a_column_gives_a_legend_that_selects(page: MapPage) -> None:
    page.view.bar.colour_by("column:city")
    until(lambda: page.colouring is not None and page.colouring.title == "city")
    words = [button.entry.words for button in page.view.canvas.legend.entries]
    assert sorted(words) == ["Bern", "Lyon"]
    page.view.canvas.legend.entries[0].click()
    assert len(selected(page)) == 10


def test_colouring_by_a_date_shows_its_first_and_last_day(page: MapPage) -> None:
    page.view.bar.colour_by("date:day")
    until(lambda: page.colouring is not None and page.colouring.title == "day")
    assert page.colouring is not None
    assert page.colouring.ends == ("1 Mar 2026", "20 Mar 2026")


def test_colouring_by_decision_follows_what_is_decided(page: MapPage) -> None:
    page.view.bar.colour_by("decision")
    page.selection.choose_texts([1, 2])
    press(page, "s", shift=True)
    settle(page)
    until(lambda: page.colouring is not None and 0 in page.colouring.part)
    assert page.colouring is not None
    assert np.flatnonzero(page.colouring.part == 0).tolist() == [0, 1]


def test_a_search_leaves_the_colours_until_its_scores_are_chosen(page: MapPage) -> None:
    page.show_scores({3: 0.9, 8: 0.4})
    assert page.view.bar.colour_key == "cluster"
    page.view.bar.colour_by("score")
    page.show_scores({})
    assert page.view.bar.colour_key == "cluster"


def test_scores_of_a_search_colour_the_map(page: MapPage) -> None:
    page.show_scores({3: 0.9, 8: 0.4})
    page.view.bar.colour_by("score")
    assert page.colouring is not None
    assert page.colouring.ends == ("0.40", "0.90")


def test_seen_whole_no_point_lies_under_the_tools_or_the_legend(page: MapPage) -> None:
    canvas, bar = page.view.canvas, page.view.bar

    def under() -> list[object]:
        canvas.view.settle()
        picture = page.feed.picture
        assert picture is not None
        spots = [canvas.view.spot_of(x, y).toPoint() for x, y in picture.xy.tolist()]
        parts = [one for one in (canvas.tools, canvas.legend) if one.isVisible()]
        return [spot for spot in spots for part in parts if part.geometry().contains(spot)]

    assert under() == []
    bar.colour_by("column:city")
    until(lambda: canvas.legend.isVisible())
    assert under() == []
    page.resize(900, 560)
    QTest.qWait(20)
    assert under() == []
    canvas.zoom_in()
    page.actions_["fit"].trigger()
    assert under() == []


def test_texts_asked_for_by_another_page_are_selected(page: MapPage) -> None:
    page.show_texts([2, 14, 999])
    assert selected(page) == [2, 14]


def test_texts_asked_for_before_the_map_is_read_are_selected_then(
    workspace: Workspace, folder: Path, show: Callable[..., QWidget]
) -> None:
    made = MapPage(workspace)
    show(made, 1100, 700)
    made.show_texts([5])
    workspace.open(folder)
    until(lambda: selected(made) == [5])
    settle(made)
    workspace.close()


def test_the_details_tell_typical_texts_and_the_spread(page: MapPage) -> None:
    page.selection.choose_clusters([PARCEL])
    press(page, "d")
    details = page.view.side.details
    until(lambda: details.shares.shares)
    assert {(one.value, one.rows) for one in details.shares.shares} == {("Bern", 3), ("Lyon", 4)}


def test_a_typical_text_is_shown_on_the_map(page: MapPage) -> None:
    page.view.side.details.text_wanted.emit(8)
    assert selected(page) == [8]


def test_the_card_of_a_point_tells_its_text_and_copies(page: MapPage) -> None:
    told: list[tuple[str, str, str]] = []
    page.view.canvas.view.show_card = lambda *words: told.append(words)  # type: ignore[method-assign]  # what it is given is what counts
    page.cards.show_place(0)
    until(lambda: told)
    title, body, meta = told[0]
    assert (title, body) == ("parcel", "Where is my parcel, asks caller 0?")
    assert "×2" in meta
    assert "1 Mar 2026" in meta


def test_the_row_behind_a_text_is_shown_in_the_corpus(page: MapPage) -> None:
    wanted: list[int] = []
    page.document_wanted.connect(wanted.append)
    page.selection.choose_texts([7])
    page.actions_["document"].trigger()
    until(lambda: wanted)
    assert wanted == [7]


def test_more_like_a_text_is_asked_for(page: MapPage) -> None:
    wanted: list[int] = []
    page.neighbours_wanted.connect(wanted.append)
    page.selection.choose_clusters([REFUND])
    page.view.side.texts.table.go_to(1)
    page.actions_["like"].trigger()
    until(lambda: wanted)
    assert wanted == [page.texts.text_at(1)]


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_picture_is_saved(page: MapPage, tmp_path: Path, ending: str) -> None:
    page.deeds.save_picture(tmp_path / f"map.{ending}")
    assert (tmp_path / f"map.{ending}").stat().st_size > 1_000


def test_a_picture_gets_the_ending_of_the_kind_that_was_chosen(
    page: MapPage, tmp_path: Path
) -> None:
    page.deeds.save_picture(tmp_path / "report v1.2")
    page.deeds.save_picture(tmp_path / "map.xyz", ending=".svg")
    assert {one.name for one in tmp_path.iterdir() if one.is_file()} == {
        "report v1.2.png", "map.xyz.svg"
    }  # fmt: skip


def test_a_file_under_a_name_that_nobody_was_asked_about_is_not_replaced_unasked(
    page: MapPage, tmp_path: Path
) -> None:
    (tmp_path / "mine.png").write_text("dear")
    page.deeds.save_picture(tmp_path / "mine")
    assert (tmp_path / "mine.png").read_text() == "dear"
    assert page.view.notices.words == "mine.png is there already."
    buttons = page.view.notices.findChildren(QPushButton)
    next(one for one in buttons if one.text() == "Replace it").click()
    assert (tmp_path / "mine.png").stat().st_size > 1_000
    assert page.view.notices.words == "The picture is saved as mine.png."


def test_a_picture_that_cannot_be_written_says_why(page: MapPage, tmp_path: Path) -> None:
    page.deeds.save_picture(tmp_path / "nowhere" / "map.png")
    assert page.view.notices.words


def test_export_asks_for_the_map_or_the_clusters(page: MapPage) -> None:
    wanted: list[str] = []
    page.export_wanted.connect(wanted.append)
    page.actions_["export"].trigger()
    page.actions_["export-clusters"].trigger()
    assert wanted == ["map", "clusters"]


def test_filtering_and_sorting_the_list(page: MapPage) -> None:
    side = page.view.side
    side.model.sort_by(name=True)
    assert names(page) == ["login", "parcel", "refund", "Unclustered"]
    side.filter.setText("REF")
    assert names(page) == ["refund"]


def test_the_table_is_sorted_by_rows(page: MapPage) -> None:
    page.selection.choose_clusters([PARCEL, REFUND])
    page.texts.sort_by(1, ascending=False)
    assert page.texts.text_at(0) == 1


def test_texts_run_in_their_own_direction(page: MapPage) -> None:
    page.selection.choose_texts([19], reveal=False)
    until(lambda: page.texts.model.row(0) is not None)
    side = page.texts.model.index(0, 0).data(Qt.ItemDataRole.TextAlignmentRole)
    assert side & Qt.AlignmentFlag.AlignRight


def test_read_only_the_map_is_browsed_and_nothing_is_changed(page: MapPage) -> None:
    page.workspace.read_only = True
    page._show_clusters()
    page.selection.choose_clusters([PARCEL, REFUND])
    writing = ("merge", "rename", "split", "exclude", "move", "new", "same", "draw", "coarser")
    assert not any(page.actions_[key].isEnabled() for key in writing)
    assert not page.view.bar.level.isEnabled()
    assert len(selected(page)) == 2 * EACH
    page.workspace.read_only = False


def test_another_theme_colours_the_map_anew(page: MapPage, app: QApplication) -> None:
    before = page.colouring
    apply_theme(app, "dark")
    until(lambda: page.colouring is not before)
    apply_theme(app, "light")
    QTest.qWait(20)
    assert page.colouring is not None


def test_every_action_has_a_key_that_no_other_has(page: MapPage) -> None:
    actions = [one for menu in page.menu_actions().values() for one in menu]
    keys = [one.shortcut().toString() for one in actions if not one.isSeparator()]
    assert "" not in keys
    assert len(set(keys)) == len(keys)


def test_before_anything_is_imported_the_page_asks_for_a_file(
    workspace: Workspace, show: Callable[..., QWidget]
) -> None:
    made = MapPage(workspace)
    show(made)
    wanted: list[object] = []
    made.import_wanted.connect(wanted.append)
    made.view.empty.wanted.emit()
    assert wanted == [[]]


def test_a_project_without_a_map_offers_to_draw_one(
    workspace: Workspace, tmp_path: Path, show: Callable[..., QWidget]
) -> None:
    with Project.create(tmp_path / "new") as project:
        bring(project, messages())
    made = MapPage(workspace)
    show(made)
    workspace.open(tmp_path / "new")
    until(lambda: "one look" in made.view.empty.sentence)
    asked: list[tuple[str, dict[str, object]]] = []
    workspace.start = lambda wish, values, **_: asked.append((wish, values))  # type: ignore[method-assign, assignment, misc]  # the wish is what counts
    made.view.empty.wanted.emit()
    del workspace.start  # type: ignore[method-assign]  # the class has it still
    settle(made)
    workspace.close()
    assert [(wish, sorted(values)) for wish, values in asked] == [
        ("chart", ["clusters", "encode", "map"])
    ]


@pytest.mark.slow
def test_one_button_draws_the_map(
    workspace: Workspace, tmp_path: Path, tiny_encoder: Path, show: Callable[..., QWidget]
) -> None:
    with Project.create(tmp_path / "new") as project:
        bring(project, messages())
        run_to_end(encode_corpus(project, EncodeOptions(str(tiny_encoder), "cpu", "fp32")))
    made = MapPage(workspace)
    show(made, 1100, 700)
    workspace.open(tmp_path / "new")
    until(lambda: "one look" in made.view.empty.sentence)
    made.view.empty.wanted.emit()
    until(lambda: "being drawn" in made.view.empty.sentence)
    until(lambda: made.feed.clusters is not None and not made.drawing.is_drawing, seconds=300)
    settle(made)
    picture, has_map = made.feed.picture, not made.view.is_empty_shown
    workspace.close()
    assert picture is not None
    assert (len(picture.texts), has_map) == (20, True)


def test_few_texts_have_a_map_and_are_told_to_be_too_few(
    workspace: Workspace, tmp_path: Path, show: Callable[..., QWidget]
) -> None:
    with Project.create(tmp_path / "few") as project:
        bring(project, messages()[:3])
        encode(project)
        ids, _ = project.by_text.rows()
        points = MapPoints(ids, np.eye(3, 2, dtype=np.float32))
        project.maps.replace(
            points, encoder=1, options={}, inputs=project.inputs_of_layout(), counts={}, run=None
        )
    made = MapPage(workspace)
    show(made)
    workspace.open(tmp_path / "few")
    until(lambda: made.feed.picture is not None)
    settle(made)
    hint, is_empty = made.view.side.hint, made.view.is_empty_shown
    workspace.close()
    assert "3 texts are too few" in hint
    assert not is_empty


def test_new_texts_are_told_and_offered_to_be_added(
    workspace: Workspace, folder: Path, show: Callable[..., QWidget]
) -> None:
    with Project.open(folder) as project:
        bring(project, [("Something quite new", "Bern"), ("And another", "Lyon")], "more.csv")
    made = MapPage(workspace)
    show(made, 1100, 700)
    workspace.open(folder)
    until(lambda: made.view.notices.words)
    settle(made)
    words, may_add = made.view.notices.words, made.actions_["add"].isEnabled()
    workspace.close()
    assert words == "2 texts are not on the map yet."
    assert may_add


DRAWING = Ticket(999, "chart", "Drawing the map")


def about_to_be_drawn(made: MapPage, folder: Path, show: Callable[..., QWidget]) -> MapPage:
    """The page of a project without a map, of which a drawing has just been asked for."""
    show(made, 1100, 700)
    made.workspace.open(folder)
    until(lambda: "one look" in made.view.empty.sentence)
    settle(made)
    made.workspace.job_queued.emit(DRAWING)
    return made


def test_a_drawing_that_ends_leads_to_the_map_and_offers_none_before(
    workspace: Workspace, tmp_path: Path, show: Callable[..., QWidget]
) -> None:
    with Project.create(tmp_path / "new") as project:
        bring(project, messages())
        encode(project)
    made = about_to_be_drawn(MapPage(workspace), tmp_path / "new", show)
    with Project.open_for_holder(tmp_path / "new") as project:
        draw(project)
    workspace.changed.emit(Changes(map=True, clusters=True))
    workspace.job_ended.emit(DRAWING, JobEnd("finished"))
    workspace.refresh_state()
    said = set()
    while made.view.is_empty_shown:
        said.add(made.view.empty.sentence)
        QTest.qWait(1)
    settle(made)
    workspace.close()
    assert said == {"The map is being drawn."}


def leave_sketch(folder: Path, *, texts: int, nth: int, workspace: Workspace) -> None:
    """As a layout under way does, and tells."""
    with Project.open_for_holder(folder) as project:
        xy = np.random.default_rng(nth).normal(size=(texts, 2)).astype(np.float32)
        project.maps.sketches.leave(np.arange(1, texts + 1), xy)
    workspace.job_progressed.emit(DRAWING, Progress("Drawing the map", 10, 200, sketch=nth))


def test_a_rough_picture_is_shown_while_the_first_map_is_laid_out(
    workspace: Workspace, tmp_path: Path, show: Callable[..., QWidget]
) -> None:
    with Project.create(tmp_path / "new") as project:
        bring(project, messages())
    made = about_to_be_drawn(MapPage(workspace), tmp_path / "new", show)
    leave_sketch(tmp_path / "new", texts=20, nth=1, workspace=workspace)
    until(lambda: made.view.is_sketch_shown)
    assert "20 texts are still being laid out" in made.view.sketch.words
    workspace.job_ended.emit(DRAWING, JobEnd("cancelled"))
    assert not made.view.is_sketch_shown
    assert made.view.is_empty_shown
    settle(made)
    workspace.close()


def test_cancel_brings_back_the_map_that_a_rough_picture_covered(
    page: MapPage, workspace: Workspace, folder: Path
) -> None:
    before = page.feed.picture
    workspace.job_queued.emit(DRAWING)
    leave_sketch(folder, texts=5, nth=1, workspace=workspace)
    until(lambda: page.view.is_sketch_shown)
    workspace.changed.emit(Changes.everything())
    workspace.job_ended.emit(DRAWING, JobEnd("cancelled"))
    until(lambda: not page.view.is_sketch_shown)
    assert not page.view.is_empty_shown
    assert before is not None
    assert page.feed.picture is not None
    assert np.array_equal(page.feed.picture.xy, before.xy)


def test_a_sketch_of_another_job_is_not_shown(
    page: MapPage, workspace: Workspace, folder: Path
) -> None:
    leave_sketch(folder, texts=5, nth=1, workspace=workspace)
    QTest.qWait(50)
    assert not page.view.is_sketch_shown


def test_a_drawing_that_is_cancelled_can_be_asked_for_again(
    workspace: Workspace, tmp_path: Path, show: Callable[..., QWidget]
) -> None:
    with Project.create(tmp_path / "new") as project:
        bring(project, messages())
    made = about_to_be_drawn(MapPage(workspace), tmp_path / "new", show)
    assert made.view.empty.sentence == "The map is being drawn."
    workspace.job_ended.emit(DRAWING, JobEnd("cancelled"))
    said = made.view.empty.sentence
    workspace.close()
    assert "one look" in said


def test_names_on_the_map_are_told_apart_as_in_the_list() -> None:
    plain = ClusterRow(
        1, "where, parcel, is", ("where", "parcel", "is", "my"), 9, 9, (), is_named=False,
        is_excluded=False, by_hand=False, color=0,
    )  # fmt: skip
    twin = replace(plain, number=2, name="where, parcel, is (2)")
    other = replace(plain, number=3, name="a, b, c, d", keywords=("a", "b", "c", "d"))
    long_ = replace(twin, number=4, name=f"{'where ' * 20}(3)")
    words = label_words([plain, twin, other, long_])
    assert words[:3] == ["where, parcel, is", "where, parcel, is (2)", "a, b, c"]
    assert words[3].endswith("… (3)")


@pytest.mark.parametrize(("levels", "shown"), [((1,), False), ((), False), ((2, 3), True)])
def test_level_and_share_are_offered_only_where_they_change_something(
    page: MapPage, levels: tuple[int, ...], shown: bool
) -> None:
    clusters = page.feed.clusters
    assert clusters is not None
    listed = clusters.listed if shown else clusters.listed[: len(levels)]
    level = min(clusters.record.level, max(len(levels) - 1, 0))
    record = replace(clusters.record, levels=levels, level=level)
    page.feed.clusters = replace(clusters, record=record, listed=listed)
    page._show_clusters()
    page.deeds.allow()
    bar = page.view.bar
    assert (bar.level.isVisible(), bar.leftover.isVisible()) == (shown, shown)
    keys = ("coarser", "finer", "leftover")
    assert [page.actions_[key].isEnabled() for key in keys] == [shown] * 3


def test_closing_the_project_empties_the_page(page: MapPage, workspace: Workspace) -> None:
    page.selection.choose_clusters([PARCEL])
    workspace.close()
    assert page.view.is_empty_shown
    assert (page.texts.model.rowCount(), names(page)) == (0, [])


def test_the_sheet_says_first_that_the_fast_way_is_rougher(
    app: QApplication, show: Callable[..., QWidget]
) -> None:
    host = show(QWidget())
    sheet = DrawSheet(
        DrawChoice(ClusterOptions(), MapOptions()), rows=100, texts=90, has_map=True, parent=host
    )
    assert "rougher" in sheet.fast.text()
    assert not sheet.choice.map.fast
    sheet.fast.setChecked(True)
    assert sheet.choice.map.fast


def test_a_smallest_cluster_of_one_is_not_offered(
    app: QApplication, show: Callable[..., QWidget]
) -> None:
    host = show(QWidget())
    sheet = DrawSheet(
        DrawChoice(ClusterOptions(), MapOptions()), rows=100, texts=90, has_map=False, parent=host
    )
    assert sheet.min_size.minimum() == 2


def test_a_size_above_half_the_corpus_is_told_before_it_is_tried(
    app: QApplication, show: Callable[..., QWidget]
) -> None:
    host = show(QWidget())
    sheet = DrawSheet(
        DrawChoice(ClusterOptions(min_size=51), MapOptions()), rows=100, texts=90, has_map=False,
        parent=host,
    )  # fmt: skip
    assert "more than half" in sheet.hint.text()


def test_unclustered_is_never_renamed_or_merged(page: MapPage) -> None:
    page.view.side.list.select([UNCLUSTERED])
    page.view.side.list.step(1)
    assert page.selection.clusters == []
    assert not page.actions_["rename"].isEnabled()


def test_a_double_click_on_a_cluster_goes_to_it(page: MapPage) -> None:
    side = page.view.side
    spot = side.list.visualRect(side.model.index(1)).center()
    QTest.mouseClick(side.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    view = page.view.canvas.view
    before = view.spot_of(*PLACES[2])
    QTest.mouseDClick(side.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(spot))
    until(lambda: view.spot_of(*PLACES[2]) != before)
    view.settle()
    middle = view.rect().center()
    assert (view.spot_of(*PLACES[2]).toPoint() - middle).manhattanLength() < 150
