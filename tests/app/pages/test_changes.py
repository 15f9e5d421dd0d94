"""The real page on a real project, driven by keys, with a real worker behind it."""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from app.pages.changes import ChangesPage
from app.workspace import Workspace
from core.options import GroupOptions
from core.progress import run_to_end
from core.records import ImportReport, ImportSettings, Reading, Verdict
from core.store import PairTable, Project, StagedRow, VectorBatch
from core.store.differences import Bounds, NewDifference
from core.store.lock import take_lock
from core.workflows.grouping import group_corpus

ROWS = (
    "My card was charged twice for one order.",
    "My card was charged two times for one order.",
    "My card has been charged twice for one order.",
    "Where is my parcel?",
    "Where is my package, please?",
    "The app closes when I open it.",
)
# Gained or lost, both texts, cosine before and now, where it stood and stands.
CHANGES = (
    (1, 2, True, 0.70, 0.95, 0, 1),
    (4, 5, False, 0.98, 0.75, 2, 0),
    (1, 3, True, 0.84, 0.90, 0, 1),
)
GROUPS = (("gained", 1, 0, 3, 2, 0), ("lost", 4, 2, 0, 0, 1))
# The place of the group, its kept text, the text, whether it joined, and as above.
MOVED = (
    (0, 1, 2, True, 0.70, 0.95, 0, 2),
    (0, 1, 3, True, 0.84, 0.90, 0, 2),
    (1, 4, 5, False, 0.98, 0.75, 2, 0),
)
COUNTS = {
    "gained": 2, "lost": 1, "stayed": 0, "risen": 0, "fallen": 0, "groups_gained": 1,
    "groups_lost": 1, "groups_changed": 0, "texts": 6, "texts_left_out": 0,
}  # fmt: skip


@pytest.fixture(scope="module")
def workspace(app: QApplication) -> Iterator[Workspace]:
    """One workspace with its workers, since starting a worker takes seconds."""
    made = Workspace()
    yield made
    made.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A grouped project in which two encoders were compared: 2 pairs gained, 1 lost."""
    with Project.create(tmp_path / "calls.samesense") as project:
        _bring(project)
        first, second = _encoder(project, "before"), _encoder(project, "after")
        project.meta.set("encoder", str(second))
        run = project.runs.begin("pairs", {})
        pairing = project.pairs.begin(second, floor=0.7, run=run)
        told = [one for one in CHANGES if one[2]]
        left, right, cosine = (np.array([one[at] for one in told]) for at in (0, 1, 4))
        project.pairs.add(
            pairing.id,
            PairTable(left, right, cosine.astype(np.float32), np.full(2, 0.5, np.float32),
                      np.zeros(2, np.uint8)),
            rows_done=len(ROWS),
        )  # fmt: skip
        for _ in project.pairs.finish(pairing.id):
            pass
        project.runs.end(run, "finished")
        run_to_end(group_corpus(project, GroupOptions()))
        _compare(project, first, second)
    return tmp_path / "calls.samesense"


@pytest.fixture
def page(workspace: Workspace, folder: Path, show: Callable[..., QWidget]) -> Iterator[ChangesPage]:
    made = ChangesPage(workspace)
    show(made, 1100, 700)
    workspace.open(folder)
    until(lambda: made.current is not None and made.is_settled)
    yield made
    settle(made)
    workspace.close()


def until(is_so: Callable[[], object], *, seconds: float = 60) -> None:
    """Let the window live until something is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        QTest.qWait(10)


def settle(page: ChangesPage) -> None:
    """Wait until everything decided is stored and shown."""
    until(lambda: page.is_settled)


def press(page: ChangesPage, *keys: str | Qt.Key) -> None:
    """Press keys where a person has them, each once the pair before it is shown."""
    for key in keys:
        QTest.keyClick(page.list, key)
        QTest.qWait(1)


def at(page: ChangesPage, pair: tuple[int, int]) -> bool:
    """Whether these two texts are on the card."""
    return page.current is not None and page.current.pair == pair


def listed(page: ChangesPage) -> list[tuple[int, int]]:
    return [line.pair for _, line in page.model.pairs()]


def verdict(folder: Path, *pair: int) -> Verdict | None:
    """What the store says of two texts."""
    with Project.open_read_only(folder) as project:
        return project.decisions.verdict(*pair)


def turn(workspace: Workspace, wish: str) -> None:
    """Undo or redo as the window does, and wait until it is stored."""
    ends: list[object] = []
    workspace.start(wish, title=wish, lane="live", then=ends.append)
    until(lambda: ends)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """While another program has the project open."""
    lock = take_lock(folder)
    assert lock is not None
    yield
    lock.release()


def words(page: ChangesPage) -> str:
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def test_the_largest_change_is_shown_first_with_both_texts_and_both_cosines(page: ChangesPage):
    assert listed(page) == [(1, 2), (4, 5), (1, 3)]
    assert at(page, (1, 2))
    assert "cosine 0.70 → 0.95" in words(page)
    assert "left alone → to review" in words(page)
    assert "2 pairs gained" in words(page)
    assert "before → after" in words(page)


def test_s_d_and_u_decide_and_go_on_to_the_next_pair(page: ChangesPage, folder: Path):
    press(page, "s")
    until(lambda: at(page, (4, 5)))
    press(page, "d")
    until(lambda: at(page, (1, 3)))
    press(page, "u")
    settle(page)
    assert "All of these are decided." in words(page)
    assert verdict(folder, 1, 2) is Verdict.SAME
    assert verdict(folder, 4, 5) is Verdict.DIFFERENT
    assert verdict(folder, 1, 3) is Verdict.UNSURE


def test_undo_takes_a_verdict_back_and_shows_its_pair(
    page: ChangesPage, workspace: Workspace, folder: Path
):
    press(page, "s")
    until(lambda: at(page, (4, 5)))
    settle(page)
    turn(workspace, "undo")
    until(lambda: at(page, (1, 2)))
    settle(page)
    assert verdict(folder, 1, 2) is None
    assert page.model.verdict(page.current) is None
    turn(workspace, "redo")
    settle(page)
    until(lambda: page.model.verdict(page.current) is Verdict.SAME)


def test_backspace_takes_the_verdict_of_the_pair_on_the_card_back(page: ChangesPage, folder: Path):
    press(page, "s")
    until(lambda: at(page, (4, 5)))
    press(page, "J")  # Shift+J
    QTest.keyClick(page.list, "j", Qt.KeyboardModifier.ShiftModifier)
    until(lambda: at(page, (1, 2)) or at(page, (4, 5)))
    while not at(page, (1, 2)):
        QTest.keyClick(page.list, "j", Qt.KeyboardModifier.ShiftModifier)
        QTest.qWait(30)
    press(page, Qt.Key.Key_Backspace)
    settle(page)
    assert verdict(folder, 1, 2) is None


@pytest.mark.parametrize(
    ("key", "pairs"), [("2", [(1, 2), (1, 3)]), ("3", [(4, 5)]), ("1", [(1, 2), (4, 5), (1, 3)])]
)
def test_figures_filter_by_what_came_and_went(page: ChangesPage, key: str, pairs: list):
    press(page, key)
    settle(page)
    assert listed(page) == pairs


def test_only_undecided_leaves_out_what_was_decided(page: ChangesPage):
    press(page, "s")
    settle(page)
    press(page, "f")
    settle(page)
    until(lambda: at(page, (4, 5)))
    assert listed(page) == [(4, 5), (1, 3)]
    press(page, "3", "d")
    settle(page)
    press(page, "f")
    press(page, "f")
    settle(page)
    until(lambda: page.view.is_nothing_shown)
    assert "No lost pairs are left to decide." in words(page)
    page.view.nothing.wanted.emit()
    settle(page)
    assert listed(page) == [(1, 2), (4, 5), (1, 3)]


def test_groups_list_their_texts_beneath_them(page: ChangesPage):
    press(page, "g")
    settle(page)
    until(lambda: at(page, (1, 2)))
    assert [page.model.line(place) is None for place in range(page.model.rowCount())] == [
        True, False, False, True, False
    ]  # fmt: skip
    assert "1 group gained" in words(page)
    assert page.model.index(0).data().startswith("Group gained  ·  2 texts joined  ·  3 now")
    press(page, "3")
    settle(page)
    assert listed(page) == [(4, 5)]


def test_a_whole_group_is_decided_in_one_step(
    page: ChangesPage, workspace: Workspace, folder: Path
):
    press(page, "g")
    settle(page)
    until(lambda: at(page, (1, 2)))
    press(page, "a")
    until(lambda: at(page, (4, 5)))
    settle(page)
    assert (verdict(folder, 1, 2), verdict(folder, 1, 3)) == (Verdict.SAME, Verdict.SAME)
    turn(workspace, "undo")
    settle(page)
    assert (verdict(folder, 1, 2), verdict(folder, 1, 3)) == (None, None)


def test_hiding_the_score_hides_it_in_the_list_too(page: ChangesPage):
    press(page, "h")
    assert "cosine" not in words(page)
    assert "0.95" not in str(page.model.index(0).data())


def test_a_decision_made_elsewhere_is_shown(page: ChangesPage, workspace: Workspace):
    values = {"pairs": [[4, 5]], "verdict": "same"}
    workspace.start("decide", values, title="Deciding", lane="live")
    until(lambda: page.model.verdict(page.model.line(1)) is Verdict.SAME)
    assert at(page, (1, 2))


def test_a_verdict_that_cannot_be_stored_is_taken_off_again(
    page: ChangesPage, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    with Project.open_for_holder(folder) as project:
        project._db.conn.execute("UPDATE difference_pairs SET right = 99 WHERE place = 0")
    line = page.current
    monkeypatch.setattr(type(line), "pair", property(lambda one: (one.first, 99)))
    press(page, "s")
    until(lambda: page.view.banner.isVisible())
    assert "nothing was decided" in page.view.banner.text


def test_read_only_shows_everything_and_decides_nothing(
    workspace: Workspace, folder: Path, show: Callable[..., QWidget]
):
    with held(folder):
        made = ChangesPage(workspace)
        show(made, 1100, 700)
        workspace.open(folder)
        until(lambda: made.current is not None and made.is_settled)
        press(made, "s", "a", Qt.Key.Key_Backspace)
        settle(made)
        assert at(made, (1, 2))
        assert made.model.verdict(made.current) is None
        assert "open for reading only" in words(made)
        workspace.close()


def test_without_a_difference_the_page_says_so_and_leads_to_teach(
    workspace: Workspace, folder: Path, show: Callable[..., QWidget]
):
    with Project.open(folder) as project:
        project._db.conn.execute("DELETE FROM differences")
    made = ChangesPage(workspace)
    asked: list[str] = []
    made.page_wanted.connect(asked.append)
    show(made, 1100, 700)
    workspace.open(folder)
    until(lambda: made.standing is not None and made.is_settled)
    assert made.view.empty.sentence == "No two encoders have been compared yet."
    made.view.empty.wanted.emit()
    assert asked == ["Teach"]
    workspace.close()


def test_an_encoder_that_was_changed_again_is_told(
    workspace: Workspace, folder: Path, show: Callable[..., QWidget]
):
    with Project.open(folder) as project:
        project.use_encoder(1, title="Use before")
    made = ChangesPage(workspace)
    show(made, 1100, 700)
    workspace.open(folder)
    until(lambda: made.current is not None and made.is_settled)
    assert made.view.banner.text.startswith("before is in use now")
    workspace.close()


def test_a_change_that_changed_nothing_says_so(
    workspace: Workspace, folder: Path, show: Callable[..., QWidget]
):
    with Project.open(folder) as project:
        _compare(
            project, 1, 2, changes=(), groups=(), moved=(), counts={**dict.fromkeys(COUNTS, 0)}
        )
    made = ChangesPage(workspace)
    show(made, 1100, 700)
    workspace.open(folder)
    until(lambda: made.standing is not None and made.is_settled)
    assert made.view.empty.sentence == "Nothing changed."
    workspace.close()


def test_a_new_difference_is_shown_in_place_of_the_one_before(
    page: ChangesPage, workspace: Workspace, folder: Path
):
    with Project.open_for_holder(folder) as project:
        _compare(project, 1, 2, changes=CHANGES[1:])
    press(page, "s")  # decided, so the page looks again
    until(lambda: listed(page) == [(4, 5), (1, 3)])


def test_escape_and_the_button_go_back(page: ChangesPage):
    asked: list[bool] = []
    page.back_wanted.connect(lambda: asked.append(True))
    press(page, Qt.Key.Key_Escape)
    QTest.mouseClick(page.view.back, Qt.MouseButton.LeftButton)
    assert asked == [True, True]


def test_more_like_either_text_is_asked_for_by_its_row(page: ChangesPage):
    asked: list[int] = []
    page.neighbours_wanted.connect(asked.append)
    for side in ("kept", "candidate"):
        page.card.like_wanted.emit(side)
    assert asked == [1, 2]


def test_every_control_has_a_name(page: ChangesPage):
    for button in page.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.text() or button.accessibleName(), type(button).__name__
    assert page.list.accessibleName()
    assert page.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole).startswith("gained")


def test_every_action_has_a_key(page: ChangesPage):
    made = [one for one in page.menu_actions()["What changed"] if not one.isSeparator()]
    assert all(not one.shortcut().isEmpty() for one in made)
    keys = [one.shortcut().toString() for one in made]
    assert len(set(keys)) == len(keys)


def _compare(
    project: Project,
    before: int,
    after: int,
    *,
    changes: Sequence[tuple] = CHANGES,
    groups: Sequence[tuple] = GROUPS,
    moved: Sequence[tuple] = MOVED,
    counts: dict[str, int] = COUNTS,
) -> None:
    def columns(rows: Sequence[tuple], width: int) -> tuple[np.ndarray, ...]:
        return tuple(np.array([row[place] for row in rows]) for place in range(width))

    inputs = {kind: project.meta.revision(kind) for kind in ("corpus", "decisions")}
    project.differences.replace(
        NewDifference(
            (before, after), (Bounds(0.97, 0.86), Bounds(0.97, 0.86)), inputs, counts,
            columns(changes, 7), columns(groups, 6), columns(moved, 8),
        )
    )  # fmt: skip


def _bring(project: Project) -> None:
    settings = ImportSettings(
        Reading("table", ("id", "text"), "utf-8", ","), ("text",), id_column="id"
    )
    run = project.runs.begin("import", {})
    source = project.sources.begin("calls.csv", path="calls.csv", sha256="a", size=1,
                                   settings=settings, run=run)  # fmt: skip
    project.documents.stage(
        source,
        [
            StagedRow(place, place + 1, str(place), (str(place), text), {}, text,
                      hashlib.sha256(text.encode()).hexdigest()[:32], False)
            for place, text in enumerate(ROWS, 1)
        ],
    )  # fmt: skip
    project.sources.finish(source, ImportReport(source, "calls.csv", rows=len(ROWS)))
    project.runs.end(run, "finished")


def _encoder(project: Project, name: str) -> int:
    encoder = project.vectors.encoder(
        name, name=name, folder=name, dimension=4, precision="fp32", settings={}
    )
    waiting = project.texts.without_vector(encoder.id)
    n = len(waiting)
    project.vectors.append(
        encoder,
        VectorBatch(waiting, np.eye(4, dtype=np.float32)[np.arange(n) % 4], np.full(n, 7, np.int32),
                    np.ones(n, np.int32), np.zeros(n, bool), np.zeros((0, 4), np.float32)),
    )  # fmt: skip
    return encoder.id
