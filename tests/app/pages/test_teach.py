"""The teach page on a real project, with a real worker whose training obeys its seed."""

import hashlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from app.pages.teach import TeachPage
from app.pages.teach_card import FirstCard, TrainingCard
from app.widgets.fold import Fold
from app.workspace import Workspace
from core.records import ImportReport, ImportSettings, Reading, Verdict
from core.store import Project, StagedRow
from core.store.lock import take_lock

WORKER = Path(__file__).with_name("teach_wishes.py")
QUICK, FAILING, NOT_FINITE, SLOW, TOO_FEW = range(5)


@pytest.fixture(scope="module")
def workspace(app: QApplication) -> Iterator[Workspace]:
    """One workspace with its workers, since starting a worker takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setattr("app.jobs.lane.worker_command", lambda: [sys.executable, str(WORKER)])
        made = Workspace()
        yield made
        made.stop()


@pytest.fixture
def make_folder(tmp_path: Path) -> Callable[..., Path]:
    """Make a project of 300 texts with decisions on pairs of them."""

    def make(
        *,
        same: int = 0,
        different: int = 0,
        unsure: int = 0,
        rows: int = 300,
        blank: bool = False,
        name: str = "all-MiniLM-L6-v2",
    ) -> Path:
        folder = tmp_path / "calls.samesense"
        first_encoder = tmp_path / "first"
        first_encoder.mkdir()
        (first_encoder / "config.json").touch()
        with Project.create(folder) as project:
            _bring(project, rows, blank=blank)
            first = 1
            for verdict, count in (
                (Verdict.SAME, same), (Verdict.DIFFERENT, different), (Verdict.UNSURE, unsure)
            ):  # fmt: skip
                pairs = [(first + at, first + at + 1) for at in range(count)]
                project.decisions.decide(pairs, verdict, title="Decided")
                first += count + 1
            encoder = project.vectors.encoder(
                "first", name=name, folder=str(first_encoder), dimension=4, precision="fp32",
                settings={},
            )  # fmt: skip
            project.meta.set("encoder", str(encoder.id))
        return folder

    return make


@pytest.fixture
def open_page(
    workspace: Workspace, show: Callable[..., QWidget]
) -> Iterator[Callable[[Path], TeachPage]]:
    """Show the page on a project; its training is cancelled after the test."""
    pages: list[TeachPage] = []

    def open_now(folder: Path, on: Workspace = workspace) -> TeachPage:
        page = TeachPage(on)
        pages.append(page)
        show(page, 1100, 700)
        on.open(folder)
        until(lambda: on.state is not None and page.is_settled)
        return page

    yield open_now
    for page in pages:
        page.practice.cancel()
        until(lambda page=page: not page.practice.is_running)  # type: ignore[misc]  # bound at once
        # A lane that is busy when its project is closed is replaced by another.
        if page.workspace.folder is not None:
            # Tidying up after a killed worker is such work too.
            until(lambda page=page: page.is_settled and not page.workspace.is_busy)  # type: ignore[misc]  # as above
    workspace.close()
    for page in pages:
        page.hide()


@pytest.fixture
def page(open_page: Callable[[Path], TeachPage], make_folder: Callable[..., Path]) -> TeachPage:
    """The page of a project with 171 decisions to learn from."""
    return open_page(make_folder(same=100, different=71, unsure=5))


def until(is_so: Callable[[], object], *, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "waited in vain"
        QTest.qWait(5)


def start(page: TeachPage, seed: int) -> None:
    """Start the training that obeys this seed."""
    page.view.recipe.form.set_values({"seed": seed})
    until(lambda: page.is_settled)
    page.actions_["start"].trigger()
    assert page.practice.is_running


def finished(page: TeachPage) -> None:
    """Wait until a training has ended and what it brought is on show."""
    until(lambda: not page.practice.is_running and page.is_settled)
    until(lambda: page.view.banner.isVisible())
    until(lambda: all(card.isVisible() for card in page.view.runs.cards))


def cards(page: TeachPage) -> list[TrainingCard]:
    return [card for card in page.view.runs.cards if isinstance(card, TrainingCard)]


def words(widget: QWidget) -> str:
    """All that a part of the page says."""
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def test_a_project_without_texts_offers_to_import_some(
    open_page: Callable[[Path], TeachPage], make_folder: Callable[..., Path]
) -> None:
    page = open_page(make_folder(rows=0))
    asked: list[object] = []
    page.import_wanted.connect(asked.append)
    assert page.view.is_empty_shown
    page.view.empty.wanted.emit()
    assert asked == [[]]


def test_rows_that_are_all_blank_are_told(
    open_page: Callable[[Path], TeachPage], make_folder: Callable[..., Path]
) -> None:
    page = open_page(make_folder(rows=3, blank=True))
    assert page.view.is_empty_shown
    assert page.view.empty.sentence == "All rows are blank; there is no text to learn from."
    assert not page.actions_["start"].isEnabled()


@pytest.mark.parametrize(
    ("same", "different", "title", "may_start"),
    [
        (0, 0, "Nothing to learn from yet", False),
        (5, 4, "Too few to tell", True),
        (30, 20, "Enough to try, few to test", True),
        (100, 71, "Enough for a first try", True),
    ],
)
def test_what_there_is_gets_a_plain_verdict(
    open_page: Callable[[Path], TeachPage],
    make_folder: Callable[..., Path],
    same: int,
    different: int,
    title: str,
    may_start: bool,
) -> None:
    page = open_page(make_folder(same=same, different=different))
    assert page.view.material.verdict.title.text() == title
    assert page.actions_["start"].isEnabled() == may_start
    assert page.view.recipe.start.isEnabled() == may_start


def test_the_recipe_is_told_in_plain_words_with_its_time(page: TeachPage) -> None:
    assert page.view.recipe.sentences == [
        "The encoder practises on your 171 decisions.",
        "Half of each step are other texts held to what it knew, so that the rest stays as it was.",
        "34 of them are kept aside to test it; it practises on the other 137.",
        "A new encoder is made beside all-MiniLM-L6-v2, which stays as it is.",
    ]
    assert page.view.recipe.time.label.text().startswith("About 6 min on this machine")


def test_the_recipe_follows_the_options(page: TeachPage) -> None:
    page.view.recipe.form.set_values({"hold": 0.0, "epochs": 3})
    assert page.view.recipe.sentences[0] == "The encoder practises on your 171 decisions, 3 times."
    assert "may move too" in page.view.recipe.sentences[1]


def test_an_encoder_whose_folder_is_gone_is_not_taught_and_the_ways_out_are_named(
    open_page: Callable[[Path], TeachPage], make_folder: Callable[..., Path], tmp_path: Path
) -> None:
    folder = make_folder(same=100, different=71, name="taught")
    (tmp_path / "first").rename(tmp_path / "away")
    page = open_page(folder)
    assert not page.actions_["start"].isEnabled()
    assert not page.view.recipe.start.isEnabled()
    told = words(page.view.recipe)
    assert str(tmp_path / "first") in told
    assert "“Back to the first encoder” on the Teach page, or Duplicates ▸ Encode with…" in told
    (tmp_path / "away").rename(tmp_path / "first")
    page.hide()
    page.show()
    until(lambda: page.view.recipe.start.isEnabled())


def test_unsure_decisions_are_counted_and_not_learnt_from(page: TeachPage) -> None:
    counts = {verdict: label.text() for verdict, label in page.view.material.counts.items()}
    assert counts == {Verdict.SAME: "100", Verdict.DIFFERENT: "71", Verdict.UNSURE: "5"}
    assert "unsure" not in page.view.recipe.sentences[0]


def test_deciding_more_leads_to_the_duplicates(page: TeachPage) -> None:
    wanted: list[str] = []
    page.page_wanted.connect(wanted.append)
    page.view.material.decide.click()
    page.actions_["decide"].trigger()
    assert wanted == ["Duplicates", "Duplicates"]


def test_a_decision_made_elsewhere_is_counted_when_the_page_is_seen_again(
    page: TeachPage, workspace: Workspace
) -> None:
    page.hide()
    ends: list[object] = []
    workspace.start(
        "decide", {"pairs": [[200, 250]], "verdict": "same", "title": "Same"},
        title="Same", lane="live", then=ends.append,
    )  # fmt: skip
    until(lambda: ends)
    page.show()
    until(lambda: page.is_settled)
    assert page.view.material.counts[Verdict.SAME].text() == "101"


def test_a_dropped_file_of_pairs_is_imported_and_can_be_removed(
    page: TeachPage, tmp_path: Path
) -> None:
    file = tmp_path / "judged.csv"
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    column = page.view.material
    column.dropEvent(
        QDropEvent(
            QPoint(20, 20), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )  # fmt: skip
    until(lambda: page.view.banner.isVisible() and "judged.csv" in words(column))
    assert page.view.banner.text.startswith("judged.csv: 1,200 pairs to learn from. Scores from 0")
    until(lambda: "1,200 imported pairs" in page.view.recipe.sentences[0])
    column.removal_wanted.emit(1, "judged.csv")
    until(lambda: "judged.csv" not in words(column))
    assert "Import it again" in page.view.banner.text


def test_a_file_without_pairs_is_told_with_what_to_do(page: TeachPage, tmp_path: Path) -> None:
    page.pairs.take([tmp_path / "wrong.csv"])
    until(lambda: page.view.banner.isVisible())
    assert page.view.banner.text == (
        "wrong.csv holds no pairs. Name two columns of texts and a score."
    )


def test_a_training_shows_its_curves_and_ends_as_a_card(page: TeachPage) -> None:
    start(page, QUICK)
    assert page.view.running.isVisible()
    assert not page.view.recipe.isVisible()
    finished(page)
    assert page.view.recipe.isVisible()
    (card,) = cards(page)
    said = words(card)
    assert "Average precision 0.71 → 0.79" in said
    assert "+0.08, between +0.03 and +0.12" in said
    assert "Better on pairs it has not practised on." in said
    assert page.view.banner.text.startswith("Training 1 is ready.")
    assert len(page.view.plot.curves.loss) == 12


def test_the_training_can_be_paused_resumed_and_stopped_with_the_best(page: TeachPage) -> None:
    start(page, SLOW)
    until(lambda: page.practice.standing.state == "running" and page.view.plot.curves.loss)
    assert "about 1 min left" in page.view.running.words
    page.actions_["pause"].trigger()
    until(lambda: page.practice.standing.state == "paused")
    assert page.view.running.pause.text() == "Resume"
    standing = len(page.view.plot.curves.loss)
    QTest.qWait(300)
    assert len(page.view.plot.curves.loss) == standing
    page.view.running.pause.click()
    until(lambda: len(page.view.plot.curves.loss) > standing)
    page.view.running.finish.click()
    finished(page)
    (card,) = cards(page)
    assert "stopped by hand" in words(card)


def test_cancel_leaves_the_encoder_in_use_untouched_and_no_card(page: TeachPage) -> None:
    start(page, SLOW)
    until(lambda: page.view.plot.curves.loss)
    page.view.running.cancel.click()
    finished(page)
    assert page.view.banner.text.startswith("Cancelled. Nothing was kept")
    assert cards(page) == []
    assert not page.view.plot.isVisible()


def test_a_stop_before_the_first_step_is_a_plain_note_and_no_failure(page: TeachPage) -> None:
    start(page, SLOW)
    page.practice.finish_early()
    finished(page)
    assert page.view.banner.text == (
        "Stopped before anything was learnt. Nothing was kept, and the encoder in use is untouched."
    )
    assert cards(page) == []


def test_a_failed_training_tells_the_cause_and_what_is_safe(page: TeachPage) -> None:
    start(page, FAILING)
    finished(page)
    assert page.view.banner.text == (
        "The disk is full. Free some space and start again. The encoder in use is untouched."
    )
    assert page.actions_["start"].isEnabled()


def test_a_loss_that_is_no_number_is_told_with_what_may_help(page: TeachPage) -> None:
    start(page, NOT_FINITE)
    finished(page)
    assert "the last good state is kept as Training 1" in page.view.banner.text
    assert "smaller learning rate" in page.view.banner.text


def test_too_few_pairs_bring_examples_and_no_figure(page: TeachPage) -> None:
    start(page, TOO_FEW)
    finished(page)
    (card,) = cards(page)
    assert "Too few pairs to tell whether it got better." in words(card)
    assert "→" not in words(card)
    (fold,) = card.findChildren(Fold)
    fold.set_open(True)
    assert "My card was charged twice." in words(card)
    assert "0.62 → 0.91" in words(card)


def test_a_training_goes_on_while_the_page_is_hidden(page: TeachPage) -> None:
    start(page, QUICK)
    page.hide()
    until(lambda: not page.practice.is_running)
    page.show()
    finished(page)
    assert len(cards(page)) == 1


def test_using_a_training_says_what_it_means_and_marks_it(page: TeachPage) -> None:
    start(page, QUICK)
    finished(page)
    page.actions_["use"].trigger()
    sheet = page.results.use_sheet
    assert sheet is not None
    assert sheet.lines == [
        "300 texts are encoded again.",
        "Threshold 0.97 → 0.94, which keeps the precision on the held-out pairs (95 % right). "
        "You can move it afterwards.",
        "Your decisions and names stay. Ctrl+Z takes the change back.",
    ]
    sheet.use.click()
    until(lambda: page.is_settled and not page.results.is_busy)
    until(lambda: not page.actions_["use"].isEnabled() and page.actions_["back"].isEnabled())
    (card,) = cards(page)
    assert "In use" in card.accessibleName()
    assert not card.use.isVisible()
    assert "Ctrl+Z takes it back" in page.view.banner.text
    material = page.material
    assert material is not None
    assert material.first is not None
    values = {"training": 0, "folder": material.first.base_folder}
    page.workspace.start("use-training", values, title="A step back", lane="live")
    until(lambda: not page.view.banner.isVisible())


def test_the_way_back_leads_to_the_first_encoder(page: TeachPage) -> None:
    start(page, QUICK)
    finished(page)
    for action in ("use", "back"):
        page.actions_[action].trigger()
        assert page.results.use_sheet is not None
        page.results.use_sheet.use.click()
        until(lambda: page.is_settled and not page.results.is_busy)
        QTest.qWait(200)
        until(lambda: page.is_settled)
    (first,) = [card for card in page.view.runs.cards if isinstance(card, FirstCard)]
    assert "in use" in first.accessibleName()
    assert not page.actions_["back"].isEnabled()


def test_comparing_shows_figures_drift_and_all_examples(page: TeachPage) -> None:
    start(page, QUICK)
    finished(page)
    page.actions_["compare"].trigger()
    sheet = page.results.compare_sheet
    assert sheet is not None
    assert "Random pairs moved by 0.012 on average: the rest stayed as it was." in sheet.lines
    assert [sheet.tabs.tabText(at) for at in range(2)] == ["Got better  1", "Got worse  1"]
    assert len(sheet.plot.curves.loss) == 12
    sheet.accept()


def discard_the_only_training(page: TeachPage) -> None:
    page.actions_["discard"].trigger()
    box = page.results.question
    assert box is not None
    next(one for one in box.findChildren(QPushButton) if one.text() == "Discard").click()
    until(lambda: not cards(page))


def test_a_discarded_training_leaves_the_list(page: TeachPage) -> None:
    start(page, QUICK)
    finished(page)
    discard_the_only_training(page)
    assert page.view.runs.chosen is None


def press_use_on_banner(page: TeachPage) -> None:
    buttons = page.view.banner.findChildren(QPushButton)
    next(one for one in buttons if one.text() == "Use it…").click()


def test_the_banner_acts_on_the_training_it_names_whichever_is_chosen(page: TeachPage) -> None:
    for _ in range(2):
        start(page, QUICK)
        finished(page)
    QTest.mouseClick(page.view.runs.cards[1], Qt.MouseButton.LeftButton, pos=QPoint(6, 6))
    assert page.view.runs.chosen is not None
    assert page.view.runs.chosen.name == "Training 1"
    press_use_on_banner(page)
    sheet = page.results.use_sheet
    assert sheet is not None
    assert "Training 2" in words(sheet)
    sheet.reject()


def test_the_banner_of_a_training_goes_with_it(page: TeachPage) -> None:
    start(page, QUICK)
    finished(page)
    discard_the_only_training(page)
    assert not page.view.banner.isVisible()


def test_the_newest_training_is_chosen_and_arrows_choose_another(page: TeachPage) -> None:
    for _ in range(2):
        start(page, QUICK)
        finished(page)
        page.view.banner.clear()
    assert page.view.runs.chosen is not None
    assert page.view.runs.chosen.name == "Training 2"
    page.view.runs.cards[0].setFocus()
    QTest.keyClick(page.view.runs.cards[0], Qt.Key.Key_Down)
    assert page.view.runs.chosen.name == "Training 1"


def test_every_action_has_a_key_of_its_own_and_stands_in_the_menu(page: TeachPage) -> None:
    actions = [one for one in page.menu_actions()["Teach"] if not one.isSeparator()]
    keys = [one.shortcut().toString() for one in actions]
    assert all(keys)
    assert len(set(keys)) == len(keys)


def test_a_window_that_only_reads_shows_all_and_changes_nothing(
    open_page: Callable[[Path], TeachPage], make_folder: Callable[..., Path]
) -> None:
    folder = make_folder(same=100, different=71)
    other = take_lock(folder)
    assert other is not None
    try:
        page = open_page(folder)
        assert page.workspace.read_only
        allowed = [one.text() for one in page.menu_actions()["Teach"] if one.isEnabled()]
        assert not {"Start teaching", "Import pairs…"} & set(allowed)
        assert not page.view.recipe.start.isEnabled()
        assert "reading only" in words(page.view.recipe)
    finally:
        page.workspace.close()
        other.release()


def test_closing_the_project_during_a_training_leaves_nothing_on_show(
    open_page: Callable[..., TeachPage], make_folder: Callable[..., Path]
) -> None:
    own = Workspace()
    page = open_page(make_folder(same=100, different=71), own)
    start(page, SLOW)
    until(lambda: page.view.plot.curves.loss)
    own.close()
    shown = (page.practice.is_running, page.view.is_empty_shown, page.view.banner.isVisible())
    own.stop()
    assert shown == (False, True, False)


def _bring(project: Project, rows: int, *, blank: bool = False) -> None:
    if not rows:
        return
    settings = ImportSettings(Reading("lines", ("text",)), ("text",))
    source = project.sources.begin(
        "calls.txt", path="/nowhere/calls.txt", sha256="calls", size=1, settings=settings,
        run=project.runs.begin("import", {}),
    )  # fmt: skip
    bodies = [f"Message number {number}" for number in range(rows)]
    project.documents.stage(
        source,
        [
            StagedRow(
                at, at, None, (body,), None, None if blank else body,
                None if blank else hashlib.sha256(body.encode()).hexdigest()[:32], False,
            )
            for at, body in enumerate(bodies, start=1)
        ],
    )  # fmt: skip
    project.sources.finish(source, ImportReport(source, "calls.txt", rows=rows))
