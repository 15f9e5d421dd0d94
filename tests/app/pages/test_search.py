import hashlib
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from app.jobs import JobEnd, Ticket
from app.pages.search import SearchPage
from app.pages.search_filter import SearchFilter
from app.workspace import Workspace
from core.records import Changes, DateColumn, ImportReport, ImportSettings, Reading
from core.store import Project, StagedRow, VectorBatch

COLUMNS = ("id", "text", "city", "when")
TEXTS = (
    ("a1", "My card was charged twice.", "Lyon", "12/05/2026"),
    ("a2", "My card was charged twice.", "Nice", "03/06/2026"),
    ("a3", "I was charged two times with my card.", "Lyon", None),
    ("a4", "Where is my parcel?", "Seville", None),
    ("a5", "Is my parcel on its way?", "Nice", None),
    ("a6", "مرحبا، لم تصل الشحنة order 4711", "Lyon", None),
    ("a7", "word " * 9_000 + "needle", "Lyon", None),
)
OpenPage = Callable[..., SearchPage]


class Engine:
    """Answers wishes as the worker does, from the texts of the project, when it is told to."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self.workspace = workspace
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.held: list[Callable[[], None]] = []
        self.holds: set[str] = set()  # lanes whose answers wait for `release`
        self.failing: dict[str, JobEnd] = {}
        with Project.open_read_only(folder) as project:
            rows = [row for page in project.documents.stream() for row in page]
        self.rows = [row for row in rows if row.text is not None]

    def start(
        self,
        wish: str,
        values: dict[str, Any] | None = None,
        *,
        title: str,
        lane: str = "work",
        then: Callable[[JobEnd], None] | None = None,
    ) -> Ticket:
        told = values or {}
        self.asked.append((wish, lane, told))

        def answer() -> None:
            end = self.failing.get(wish) or JobEnd("finished", *self.outcome(wish, told))
            if end.changes != Changes():
                self.workspace.changed.emit(end.changes)
            if then is not None:
                then(end)

        if lane in self.holds:
            self.held.append(answer)
        else:
            QTimer.singleShot(0, answer)
        return Ticket(len(self.asked), wish, title)

    def release(self, at: int = 0) -> None:
        """Let one held answer go."""
        self.held.pop(at)()

    def wishes(self, wish: str) -> list[dict[str, Any]]:
        return [values for name, _, values in self.asked if name == wish]

    def outcome(self, wish: str, values: dict[str, Any]) -> tuple[dict[str, Any], Changes]:
        if wish == "search":
            return self.search(values), Changes()
        if wish == "decide":
            return {"changed": len(values["pairs"])}, Changes(decisions=True)
        if wish == "export-rows":
            return {"rows": len(values["documents"]), "path": values["to"]}, Changes()
        return {}, Changes()

    def search(self, values: dict[str, Any]) -> dict[str, Any]:
        """By words all of them must be there, by meaning one is enough."""
        rows = self.rows
        like = values["like"]
        if like is not None:
            body = next(row.body for row in rows if row.id == like)
            rows = [row for row in rows if row.body != body]
            words = re.findall(r"\w+", body.lower())
        else:
            words = re.findall(r"\w+", values["text"].lower())
        for name, part in values["filter"].get("columns", []):
            rows = [row for row in rows if part in str(row.cells[COLUMNS.index(name)])]
        by_words = values["by"] == "words" and like is None
        found: dict[int, dict[str, Any]] = {}
        for row in rows:
            here = [word for word in words if word in row.body.lower()]
            if row.text in found or not here or (by_words and len(here) < len(words)):
                continue
            marks = [m.span() for w in here for m in re.finditer(w, row.body[:600].lower())]
            score = len(here) / len(words)
            found[row.text or 0] = {
                "text": row.text, "document": row.id, "rows": row.copies, "body": row.body[:600],
                "score": score, "cosine": None if by_words else score * 0.9,
                "marks": sorted(marks) if like is None else [],
            }  # fmt: skip
        hits = sorted(found.values(), key=lambda hit: -hit["score"])[: values["count"]]
        by = "words" if by_words else values["by"]
        allowed = len({row.text for row in rows}) if values["filter"] else None
        return {"hits": hits, "by": by, "note": "", "allowed": allowed, "ms": 1.0}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Project.create(tmp_path / "talk.samesense") as project:
        bring(project, "talk.csv", TEXTS)
        encode(project)
    return tmp_path / "talk.samesense"


@pytest.fixture
def open_page(app: QApplication, show: Callable[..., object]) -> Iterator[OpenPage]:
    """Show the page of a project whose engine is the one above."""
    opened: list[Workspace] = []

    def opened_on(
        folder: Path, *, hold: tuple[str, ...] = (), read_only: bool = False, width: int = 1200
    ) -> SearchPage:
        workspace = Workspace()
        opened.append(workspace)
        engine = Engine(workspace, folder)
        engine.holds |= set(hold)
        workspace.start = engine.start  # type: ignore[method-assign]
        page = SearchPage(workspace)
        page.engine = engine
        show(page, width, 720)
        workspace.read_only = read_only
        # What `open` does once its worker has answered; starting one takes two seconds.
        workspace._begin_reading(folder)
        wait(lambda: workspace.state is not None)
        if "search" not in hold and page.asking.can_mean:
            wait(lambda: page.asking.is_warm)
        QApplication.processEvents()
        return page

    yield opened_on
    for workspace in opened:
        workspace.stop()
        workspace.deleteLater()


def wait(condition: Callable[[], bool], seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.002)
    assert condition(), "it did not happen in time"


def ask(page: SearchPage, words: str) -> None:
    """Type words and wait for what is found."""
    page.bar.box.setFocus()
    page.bar.box.clear()
    QTest.keyClicks(page.bar.box, words)
    wait(lambda: page.answer is not None and page.answer.question.words == words)
    wait(lambda: not page.asking.is_busy)


def bodies(page: SearchPage) -> list[str]:
    return [hit.body for hit in page.view.results.hits]


def detail(page: SearchPage, document: int) -> None:
    wait(lambda: page.reader.detail is not None and page.reader.detail.document.id == document)


def test_an_empty_field_tells_how_to_search(open_page, folder):
    page = open_page(folder)
    assert page.view.shown == "hint"


def test_a_project_without_texts_asks_for_a_file(open_page, tmp_path):
    with Project.create(tmp_path / "empty.samesense"):
        pass
    page = open_page(tmp_path / "empty.samesense")
    wanted = []
    page.import_wanted.connect(wanted.append)
    assert (page.view.shown, page.view.empty.sentence) == ("empty", "No texts to search yet.")
    page.view.empty.wanted.emit()
    assert wanted == [[]]


def test_rows_that_are_all_blank_are_told(open_page, tmp_path):
    with Project.create(tmp_path / "blank.samesense") as project:
        bring(project, "blank.csv", [("b1", "", "Lyon", None)])
    page = open_page(tmp_path / "blank.samesense")
    told = "All rows are blank; there is no text to search."
    assert (page.view.shown, page.view.empty.sentence) == ("empty", told)


def test_it_answers_while_one_types(open_page, folder):
    page = open_page(folder)
    ask(page, "parcel")
    assert bodies(page) == ["Where is my parcel?", "Is my parcel on its way?"]
    assert page.view.status == "The 2 texts nearest in meaning"
    assert page.bar.box.hasFocus()


def test_keys_in_quick_succession_ask_once(open_page, folder):
    page = open_page(folder)
    ask(page, "parcel")
    assert [values["text"] for values in page.engine.wishes("search") if values["count"] == 50] == [
        "parcel"
    ]


def test_return_asks_at_once(open_page, folder):
    page = open_page(folder)
    page.bar.box.setFocus()
    QTest.keyClicks(page.bar.box, "card")
    QTest.keyClick(page.bar.box, Qt.Key.Key_Return)
    assert [values["text"] for values in page.engine.wishes("search")] == ["card"]


def test_the_best_text_is_in_the_reader_with_its_words_marked(open_page, folder):
    page = open_page(folder)
    ask(page, "charged twice")
    detail(page, 1)
    assert page.reader.view.spans == ((12, 19), (20, 25))


def test_a_word_far_inside_a_long_text_is_marked_in_the_reader(open_page, folder):
    page = open_page(folder)
    ask(page, "needle")
    detail(page, 7)
    assert page.reader.view.spans == ((45_000, 45_006),)


@pytest.mark.parametrize(
    ("key", "way"), [(Qt.Key.Key_1, "meaning"), (Qt.Key.Key_2, "words"), (Qt.Key.Key_3, "both")]
)
def test_keys_choose_the_way_to_search(open_page, folder, key, way):
    page = open_page(folder)
    ask(page, "charged twice")
    QTest.keyClick(page.bar.box, key, Qt.KeyboardModifier.AltModifier)
    wait(lambda: page.answer.question.by == way)
    assert page.engine.wishes("search")[-1]["by"] == way


def test_by_words_every_word_must_be_there(open_page, folder):
    page = open_page(folder)
    page.bar.set_way("words")
    ask(page, "charged twice")
    assert bodies(page) == ["My card was charged twice."]
    assert page.view.status == "1 text with these words"


def test_until_the_encoder_is_loaded_words_are_looked_for_at_once(open_page, folder):
    page = open_page(folder, hold=("search",))
    page.bar.box.ask_for("charged twice")
    wait(lambda: page.answer is not None)
    assert bodies(page) == ["My card was charged twice."]
    wait(lambda: page.view.activity == "Loading the encoder…")
    page.bar.box.ask_for("charged twice")
    assert page.view.activity == "Loading the encoder…"
    page.engine.release()  # the encoder
    page.engine.release()  # the question, asked twice
    page.engine.release()
    assert len(bodies(page)) == 2
    assert page.view.status == "The 2 texts nearest in meaning"
    wait(lambda: page.view.activity == "")


def test_words_found_first_never_replace_what_was_meant(open_page, folder):
    page = open_page(folder, hold=("search", "live"))
    page.bar.box.ask_for("charged twice")
    warm, first_look, meant = page.engine.held
    warm()
    meant()
    first_look()
    assert page.answer.by == "meaning"


def test_a_late_answer_never_replaces_a_newer_one(open_page, folder):
    page = open_page(folder, hold=("search",))
    page.engine.release()
    page.bar.box.ask_for("parcel")
    page.bar.box.ask_for("card")
    page.engine.release()
    assert page.answer is None
    page.engine.release()
    assert page.answer.question.words == "card"


def test_only_the_newest_of_many_questions_follows_the_one_under_way(open_page, folder):
    page = open_page(folder, hold=("search",))
    page.engine.release()
    for words in ("a", "ca", "car", "card"):
        page.bar.box.ask_for(words)
    page.engine.release()
    page.engine.release()
    assert [values["text"] for values in page.engine.wishes("search")] == ["a", "card"]


def test_an_emptied_field_shows_the_hint_whatever_comes_late(open_page, folder):
    page = open_page(folder, hold=("search",))
    page.engine.release()
    page.bar.box.ask_for("card")
    page.bar.box.setFocus()
    QTest.keyClick(page.bar.box, Qt.Key.Key_Escape)
    page.engine.release()
    assert (page.view.shown, page.answer) == ("hint", None)


def test_without_vectors_texts_are_found_by_words_and_encoding_is_offered(open_page, tmp_path):
    with Project.create(tmp_path / "raw.samesense") as project:
        bring(project, "talk.csv", TEXTS)
    page = open_page(tmp_path / "raw.samesense")
    wanted = []
    page.prepare_wanted.connect(lambda: wanted.append(True))
    ask(page, "charged twice")
    assert page.engine.wishes("warm") == []
    assert bodies(page) == ["My card was charged twice."]
    assert page.bar.ways.key == "words"
    assert page.view.notices.words == (
        "These texts are not encoded yet, so they are found by their words only."
    )
    page.view.notices.answered.emit("encode")
    assert wanted == [True]


def test_the_way_chosen_comes_back_once_texts_are_encoded(open_page, tmp_path):
    with Project.create(tmp_path / "raw.samesense") as project:
        bring(project, "talk.csv", TEXTS)
    page = open_page(tmp_path / "raw.samesense")
    QTest.keyClick(page.bar.box, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    assert page.bar.ways.key == "words"
    with Project.open_for_holder(tmp_path / "raw.samesense") as project:
        encode(project)
    page.workspace.refresh_state()
    wait(lambda: page.bar.ways.key == "meaning")
    assert page.view.notices.words == ""


def test_an_encoder_that_cannot_be_loaded_leaves_words(open_page, folder):
    page = open_page(folder, hold=("search",))
    page.engine.failing["warm"] = JobEnd("failed", what="The encoder is gone.", remedy="Get it.")
    page.engine.release()
    ask(page, "charged twice")
    assert bodies(page) == ["My card was charged twice."]
    assert "The encoder is gone. Get it." in page.view.notices.words


LOST = JobEnd("failed", what="The worker is lost.", remedy="Start again.", worker_lost=True)
GONE = JobEnd("failed", what="The encoder is gone.", remedy="Get it.")


def press_notice(page: SearchPage, button: str) -> None:
    shown = [one for one in page.view.notices.findChildren(QPushButton) if one.text() == button]
    shown[0].click()


def test_after_a_worker_lost_while_loading_the_next_question_starts_another(open_page, folder):
    page = open_page(folder, hold=("search",))
    page.engine.failing["warm"] = LOST
    page.engine.release()
    assert "The worker is lost." in page.view.notices.words
    page.engine.failing.clear()
    page.engine.holds.clear()
    ask(page, "charged twice")
    wait(lambda: page.answer is not None and page.answer.by == "meaning")
    assert page.view.notices.words == ""


def test_a_meant_answer_of_the_next_worker_takes_the_notice_back(open_page, folder):
    page = open_page(folder, hold=("search",))
    page.bar.box.ask_for("charged twice")
    warm, meant = page.engine.held
    page.engine.failing["warm"] = LOST
    warm()
    assert "The worker is lost." in page.view.notices.words
    meant()
    assert page.answer is not None
    assert page.answer.by == "meaning"
    assert page.view.notices.words == ""
    assert page.asking.is_warm


def test_workers_lost_one_after_another_are_not_started_at_each_question(open_page, folder):
    page = open_page(folder, hold=("search",))
    page.engine.failing |= {"warm": LOST, "search": LOST}
    page.engine.release()
    page.engine.holds.clear()
    for words in ("charged", "parcel", "cancel", "twice", "password"):
        page.bar.box.ask_for(words)
        wait(lambda: not page.asking.is_busy and not page.asking.is_loading)
    assert len(page.engine.wishes("warm")) == 2


def test_an_encoder_that_is_gone_is_not_looked_for_at_each_question(open_page, folder):
    page = open_page(folder, hold=("search",))
    page.engine.failing["warm"] = GONE
    page.engine.release()
    for words in ("charged", "parcel", "cancel"):
        ask(page, words)
    assert len(page.engine.wishes("warm")) == 1


@pytest.mark.parametrize("fault", [LOST, GONE])
def test_the_notice_tries_again_and_what_was_asked_is_answered_by_meaning(open_page, folder, fault):
    page = open_page(folder, hold=("search",))
    page.engine.failing |= {"warm": fault, "search": fault}
    page.bar.box.ask_for("charged twice")
    while page.engine.held:
        page.engine.release()
    page.engine.failing.clear()
    page.engine.holds.clear()
    wait(lambda: not page.asking.is_busy)
    assert fault.what in page.view.notices.words
    press_notice(page, "Try again")
    wait(lambda: page.answer is not None and page.answer.by == "meaning")
    assert page.view.notices.words == ""


def test_meaning_is_not_offered_while_the_encoder_cannot_be_loaded(open_page, folder):
    page = open_page(folder, hold=("search",))
    page.engine.failing["warm"] = GONE
    page.engine.release()
    for way in ("meaning", "words"):
        page.bar.set_way(way)
        page.bar.box.ask_for("parcel twice")
        wait(lambda: page.view.shown == "nothing" and not page.asking.is_busy)
        assert page.view.nothing._button.isHidden()


def test_a_question_that_waited_for_the_encoder_in_vain_is_answered_by_words(open_page, folder):
    page = open_page(folder, hold=("search", "live"))
    page.bar.box.ask_for("charged twice")
    warm, _first_look, meant = page.engine.held
    failed = JobEnd("failed", what="The encoder is gone.", remedy="Get it.")
    page.engine.failing |= {"warm": failed, "search": failed}
    warm()
    meant()
    page.engine.failing.clear()
    page.engine.release(-1)
    assert bodies(page) == ["My card was charged twice."]
    assert page.view.shown == "results"


def test_new_vectors_do_not_put_words_in_place_of_what_is_shown(open_page, folder):
    page = open_page(folder)
    ask(page, "charged twice")
    shown = []
    page.asking.answered.connect(lambda answer: shown.append(answer.by))
    page.workspace.changed.emit(Changes(vectors=True))
    wait(lambda: bool(shown) and not page.asking.is_busy)
    assert shown == ["meaning"]


def test_a_failure_is_told_and_can_be_tried_again(open_page, folder):
    page = open_page(folder)
    page.engine.failing["search"] = JobEnd("failed", what="The disk is gone.", remedy="Look.")
    page.bar.box.ask_for("parcel")
    wait(lambda: page.view.nothing.sentence == "The disk is gone.")
    page.engine.failing.clear()
    page.view.nothing.wanted.emit()
    wait(lambda: page.view.shown == "results")


def test_a_failure_later_leaves_the_texts_that_were_found(open_page, folder):
    page = open_page(folder)
    ask(page, "parcel")
    page.engine.failing["search"] = JobEnd("failed", what="The disk is gone.", remedy="Look.")
    page.workspace.changed.emit(Changes(corpus=True))
    wait(lambda: page.view.notices.words == "The disk is gone. Look.")
    assert page.view.shown == "results"


def test_nothing_found_by_words_leads_to_meaning(open_page, folder):
    page = open_page(folder)
    page.bar.set_way("words")
    ask(page, "parcel twice")
    assert page.view.nothing.sentence == "Nothing holds “parcel twice”."
    page.view.nothing.wanted.emit()
    wait(lambda: page.view.shown == "results")
    assert page.bar.ways.key == "meaning"


def test_filters_that_let_nothing_through_are_named_and_offered_to_go(open_page, folder):
    page = open_page(folder)
    page.bar.set_filter(SearchFilter((("city", "Seville"), ("city", "Lyon"))))
    ask(page, "card")
    assert page.view.nothing.sentence == "No text passes these filters."
    assert told(page) == "2 filters are on: city: Seville, city: Lyon."
    page.view.nothing.wanted.emit()
    wait(lambda: page.view.shown == "results")
    assert page.bar.chips.words == []


def test_it_is_told_what_filters_hide_from_a_search_by_words(open_page, folder):
    page = open_page(folder)
    page.bar.set_way("words")
    page.bar.set_filter(SearchFilter((("city", "Seville"),)))
    ask(page, "card")
    assert page.view.nothing.sentence == "Nothing holds “card”."
    wait(lambda: "Without the filters 2 texts would be found." in told(page))


def test_a_filter_is_a_chip_that_can_go_again(open_page, folder):
    page = open_page(folder)
    ask(page, "card")
    page.reader.value_wanted.emit("city", "Nice")
    wait(lambda: page.engine.wishes("search")[-1]["filter"] == {"columns": [["city", "Nice"]]})
    assert page.bar.chips.words == ["city: Nice"]
    page.bar.chips.removed.emit(0)
    wait(lambda: page.engine.wishes("search")[-1]["filter"] == {})
    assert page.bar.chips.isHidden()


def test_a_filter_on_a_column_that_has_gone_goes_too(open_page, folder):
    page = open_page(folder)
    page.bar.set_filter(SearchFilter((("country", "France"), ("city", "Lyon"))))
    page.workspace.changed.emit(Changes(corpus=True))
    wait(lambda: page.bar.chips.words == ["city: Lyon"])


def test_down_leads_from_the_field_to_the_texts_and_up_back_again(open_page, folder):
    page = open_page(folder)
    ask(page, "card")
    QTest.keyClick(page.bar.box, Qt.Key.Key_Down)
    assert page.list.hasFocus()
    QTest.keyClick(page.list, Qt.Key.Key_Up)
    assert page.bar.box.hasFocus()


def test_keys_walk_the_texts(open_page, folder):
    page = open_page(folder)
    ask(page, "my")
    page.list.setFocus()
    seen = []
    for key in (Qt.Key.Key_J, Qt.Key.Key_J, Qt.Key.Key_K, Qt.Key.Key_Down, Qt.Key.Key_End):
        QTest.keyClick(page.list, key)
        seen.append(page.list.current_row)
    assert seen == [1, 2, 1, 2, 3]


def test_letters_in_the_field_are_letters(open_page, folder):
    page = open_page(folder)
    page.bar.box.setFocus()
    QTest.keyClicks(page.bar.box, "jklsdum /")
    assert page.bar.box.text() == "jklsdum /"
    page.bar.box._pause.stop()


def test_return_leads_to_the_reader_and_escape_back(open_page, folder):
    page = open_page(folder)
    ask(page, "card")
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_Return)
    assert page.reader.view.hasFocus()
    QTest.keyClick(page.reader.view, Qt.Key.Key_Escape)
    assert page.list.hasFocus()


def test_space_reads_at_full_width_and_goes_back(open_page, folder):
    page = open_page(folder)
    ask(page, "card")
    detail(page, 1)
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_Space)
    assert (page.view.is_wide, page.list.isVisible()) == (True, False)
    QTest.keyClick(page.reader.view, Qt.Key.Key_Space)
    assert (page.view.is_wide, page.list.hasFocus()) == (False, True)


def test_more_like_this_asks_for_the_texts_near_a_row(open_page, folder):
    page = open_page(folder)
    ask(page, "charged")
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_L)
    wait(lambda: page.answer.question.like is not None)
    asked = page.engine.wishes("search")
    assert [(one["like"], one["text"]) for one in asked if one["count"] == 50][-1] == (1, "")
    assert page.bar.box.like.body == "My card was charged twice."
    assert page.bar.box.text() == ""
    assert page.view.status.startswith("S, D or U decides this text and")


def test_removing_the_likeness_asks_what_was_asked_before(open_page, folder):
    page = open_page(folder)
    ask(page, "charged")
    page.list.like_wanted.emit(1)
    wait(lambda: page.answer.question.like is not None)
    page.bar.box.setFocus()
    QTest.keyClick(page.bar.box, Qt.Key.Key_Backspace)
    wait(lambda: page.answer.question.like is None)
    assert (page.bar.box.text(), page.bar.box.like) == ("charged", None)


def test_going_back_walks_through_one_likeness_after_another(open_page, folder):
    page = open_page(folder)
    ask(page, "charged")
    for row in (0, 1):
        page.list.like_wanted.emit(row)
        wait(lambda: not page.asking.is_busy)
    seen = []
    for _ in range(2):
        page.questions.go_back()
        wait(lambda: not page.asking.is_busy)
        like = page.answer.question.like
        seen.append(page.answer.question.words if like is None else like.document)
    assert seen == [1, "charged"]


def test_typing_takes_the_place_of_a_likeness(open_page, folder):
    page = open_page(folder)
    page.show_neighbours(1)
    wait(lambda: page.answer is not None)
    page.bar.box.setFocus()
    QTest.keyClicks(page.bar.box, "parcel")
    wait(lambda: page.answer.question.words == "parcel")
    assert page.bar.box.like is None


def test_another_page_can_ask_for_the_neighbours_of_a_row(open_page, folder):
    page = open_page(folder)
    page.show_neighbours(4)
    wait(lambda: page.answer is not None)
    assert bodies(page)[0] == "Is my parcel on its way?"


def test_the_button_of_a_row_asks_for_more_like_it(open_page, folder):
    page = open_page(folder)
    ask(page, "charged")
    index = page.view.results.index(1)
    spot = page.list._delegate.like_spot(page.list.visualRect(index).toRectF())
    QTest.mouseMove(page.list.viewport(), QPointF(spot.center()).toPoint())
    QTest.mouseClick(
        page.list.viewport(), Qt.MouseButton.LeftButton, pos=QPointF(spot.center()).toPoint()
    )
    wait(lambda: page.bar.box.like is not None)
    assert page.bar.box.like.document == 3


def test_the_first_text_chosen_is_decided_with_each_other(open_page, folder):
    page = open_page(folder)
    ask(page, "my")
    choose(page, 2, 0, 1)
    hits = page.view.results.hits
    assert page.view.status.startswith("S, D or U decides 2 pairs: each with")
    QTest.keyClick(page.list, Qt.Key.Key_D)
    wait(lambda: bool(page.engine.wishes("decide")))
    asked = page.engine.wishes("decide")[0]
    third, first, second = hits[2].text, hits[0].text, hits[1].text
    assert asked["pairs"] == [[third, first], [third, second]]
    assert asked["verdict"] == "different"
    assert asked["title"].startswith("Different ×2: “")
    wait(lambda: page.view.status == "2 pairs decided different. Ctrl+Z takes it back.")


def test_one_text_alone_takes_no_verdict(open_page, folder):
    page = open_page(folder)
    ask(page, "my")
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_S)
    assert page.engine.wishes("decide") == []
    assert not page.actions_["same"].isEnabled()


def test_beside_a_liked_text_each_chosen_one_is_decided(open_page, folder):
    page = open_page(folder)
    page.show_neighbours(1)
    wait(lambda: page.answer is not None)
    page.list.setFocus()
    other = page.view.results.hits[0].text
    QTest.keyClick(page.list, Qt.Key.Key_S)
    wait(lambda: bool(page.engine.wishes("decide")))
    assert page.engine.wishes("decide")[0]["pairs"] == [[1, other]]
    wait(lambda: page.list.current_row == 1)


def test_what_was_said_before_is_shown_beside_a_liked_text(open_page, folder):
    with Project.open_for_holder(folder) as project:
        project.decisions.decide([(1, 2)], "different", title="Different")
    page = open_page(folder)
    page.show_neighbours(1)
    wait(lambda: page.answer is not None)
    wait(lambda: page.view.results._verdicts == {2: "different"})


def test_a_project_open_for_reading_is_searched_but_not_decided_on(open_page, folder):
    page = open_page(folder, read_only=True)
    ask(page, "my")
    choose(page, 0, 1)
    QTest.keyClick(page.list, Qt.Key.Key_S)
    assert page.engine.wishes("decide") == []
    assert not page.actions_["same"].isEnabled()
    assert page.view.foot.words == "2 chosen"


def test_chosen_texts_go_to_the_map(open_page, folder):
    page = open_page(folder)
    ask(page, "my")
    choose(page, 1, 0)
    wanted = []
    page.map_wanted.connect(wanted.append)
    page.actions_["map"].trigger()
    hits = page.view.results.hits
    assert wanted == [[hits[1].text, hits[0].text]]


def test_a_text_can_be_shown_in_the_corpus(open_page, folder):
    page = open_page(folder)
    ask(page, "parcel")
    wanted = []
    page.document_wanted.connect(wanted.append)
    page.actions_["corpus"].trigger()
    assert wanted == [4]


def test_the_scores_are_told_for_the_map(open_page, folder):
    page = open_page(folder)
    told_scores = []
    page.scores_changed.connect(told_scores.append)
    ask(page, "charged twice")
    assert told_scores[-1] == {1: 1.0, 2: 0.5}
    page.bar.box.clear()
    page.questions.ask()
    assert told_scores[-1] == {}


def test_chosen_texts_are_exported_with_every_row_that_holds_them(open_page, folder, tmp_path):
    page = open_page(folder)
    ask(page, "charged twice")
    choose(page, 0, 1)
    page.actions_["export"].trigger()
    sheet = page.hand.sheet
    assert sheet.export_button.text() == "Export 2 rows"
    sheet.copies.setChecked(True)
    assert sheet.export_button.text() == "Export 3 rows"
    sheet.path.setText(str(tmp_path / "found"))
    sheet.export_button.click()
    wait(lambda: bool(page.engine.wishes("export-rows")))
    asked = page.engine.wishes("export-rows")[0]
    assert asked["documents"] == [1, 2, 3]
    assert asked["scores"] == pytest.approx([0.9, 0.9, 0.45])
    assert asked["to"] == str(tmp_path / "found.csv")
    wait(lambda: sheet.banner.text.startswith("3 lines written to"))
    sheet.close()


def test_the_text_goes_to_the_clipboard_but_the_field_keeps_its_own_copy_key(open_page, folder):
    page = open_page(folder)
    ask(page, "parcel")
    detail(page, 4)
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Where is my parcel?"
    page.bar.box.setFocus()
    page.bar.box.selectAll()
    QTest.keyClick(page.bar.box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "parcel"


def test_searches_of_the_session_are_offered_again(open_page, folder):
    page = open_page(folder)
    for words in ("parcel", "card"):
        page.bar.box.setFocus()
        page.bar.box.setText(words)
        QTest.keyClick(page.bar.box, Qt.Key.Key_Return)
        wait(lambda: not page.asking.is_busy)
    page.bar.box.clear()
    page.questions.ask()
    assert page.view.hint.recent == ["card", "parcel"]
    page.view.hint.chosen.emit("parcel")
    wait(lambda: page.answer is not None and page.answer.question.words == "parcel")


def test_down_in_an_empty_field_lists_what_was_asked_lately(open_page, folder):
    page = open_page(folder)
    page.bar.box.setText("parcel")
    page.bar.box.remember()
    page.bar.box.clear()
    page.bar.box.setFocus()
    QTest.keyClick(page.bar.box, Qt.Key.Key_Down)
    popup = page.bar.box._popup
    wait(popup.isVisible)
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    wait(lambda: page.answer is not None and page.answer.question.words == "parcel")


def test_filters_are_chosen_from_a_menu(open_page, folder):
    page = open_page(folder)
    wait(lambda: page.bar.menu._facts.columns == COLUMNS)
    menu = page.bar.menu.built()
    marks = next(one.menu() for one in menu.actions() if one.text() == "Mark")
    next(one for one in marks.actions() if one.text() == "Copies").trigger()
    assert page.bar.chips.words == ["Copies"]
    assert page.bar.question.filter.values() == {"mark": "copy"}


def test_every_action_has_a_name_and_a_key(open_page, folder):
    page = open_page(folder)
    actions = [one for one in page.menu_actions()["Search"] if not one.isSeparator()]
    keys = [one.toString() for action in actions for one in action.shortcuts()]
    assert all(action.text() and action.shortcuts() for action in actions)
    assert len(keys) == len(set(keys))


def test_a_closed_project_leaves_nothing_behind(open_page, folder):
    page = open_page(folder)
    ask(page, "parcel")
    page.bar.set_filter(SearchFilter((("city", "Lyon"),)))
    page.workspace.close()
    assert (page.answer, page.bar.box.text(), page.bar.chips.words) == (None, "", [])
    assert page.bar.box.recent == []


def test_new_texts_are_found_by_the_question_that_stands(open_page, folder):
    page = open_page(folder)
    ask(page, "parcel")
    with Project.open_for_holder(folder) as project:
        bring(project, "more.csv", [("b1", "A parcel from the moon", "Metz", None)])
    page.engine.rows = Engine(page.workspace, folder).rows
    page.workspace.changed.emit(Changes(corpus=True))
    wait(lambda: "A parcel from the moon" in bodies(page))


def test_the_row_one_is_on_stays_when_the_same_is_found_again(open_page, folder):
    page = open_page(folder)
    ask(page, "my")
    page.list.setFocus()
    page.list.go_to(2)
    text = page.view.results.hits[2].text
    page.workspace.changed.emit(Changes(vectors=True))
    wait(lambda: not page.asking.is_busy)
    assert page.view.results.hits[page.list.current_row].text == text


def test_more_texts_are_added_without_moving_those_in_sight(open_page, tmp_path):
    rows = [(f"r{n}", f"Message number {n} about a parcel", "Lyon", None) for n in range(300)]
    with Project.create(tmp_path / "many.samesense") as project:
        bring(project, "many.csv", rows)
        encode(project)
    page = open_page(tmp_path / "many.samesense")
    ask(page, "parcel")
    assert (page.view.results.rowCount(), page.view.more.text()) == (50, "Show 200")
    page.list.setFocus()
    page.list.go_to(49)
    place = page.list.verticalScrollBar().value()
    QTest.keyClick(page.list, Qt.Key.Key_M)
    wait(lambda: page.view.results.rowCount() == 200)
    assert (page.list.current_row, page.list.verticalScrollBar().value()) == (49, place)
    QTest.keyClick(page.list, Qt.Key.Key_M)
    wait(lambda: page.view.results.rowCount() == 300)
    assert page.view.more.isHidden()


def test_a_near_text_is_read_without_leaving_the_page(open_page, folder):
    page = open_page(folder)
    ask(page, "parcel")
    page.reader.document_wanted.emit(6)
    detail(page, 6)
    page.reader.document_wanted.emit(5)
    assert page.list.current_row == 1


def test_the_nearest_texts_are_asked_for_once_a_row_is_rested_on(open_page, folder):
    page = open_page(folder)
    ask(page, "parcel")
    detail(page, 4)
    wait(lambda: bool(page.reader._nearest.rows))
    assert page.engine.wishes("search")[-1]["like"] == 4
    assert page.reader._nearest.rows[0].link.words == "Is my parcel on its way?"


def told(page: SearchPage) -> str:
    """What stands under the sentence where nothing was found."""
    return page.view.nothing._note.text()


def choose(page: SearchPage, *rows: int) -> None:
    """Click one row and add others to it."""
    page.list.setFocus()
    for number, row in enumerate(rows):
        index = page.view.results.index(row)
        spot = page.list.visualRect(index).topLeft() + QPointF(60, 16).toPoint()
        held = Qt.KeyboardModifier.ControlModifier if number else Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, held, spot)


def bring(project: Project, name: str, rows: object) -> None:
    settings = ImportSettings(
        Reading("table", COLUMNS, "utf-8", ","), ("text",), id_column="id",
        date_columns=(DateColumn("when", "dmy"),),
    )  # fmt: skip
    run = project.runs.begin("import", {})
    source = project.sources.begin(name, path=name, sha256=name, size=1, settings=settings, run=run)
    rows = list(rows)
    project.documents.stage(source, [staged(place, row) for place, row in enumerate(rows, 1)])
    project.sources.finish(source, ImportReport(source, name, rows=len(rows)))
    project.runs.end(run, "finished")


def staged(place: int, row: tuple[str, str, str, str | None]) -> StagedRow:
    key, body, _, when = row
    dates = None if when is None else {"when": "-".join(reversed(when.split("/")))}
    digest = hashlib.sha256(body.encode()).hexdigest()[:32] if body else None
    return StagedRow(place, place + 1, key, row, dates, body or None, digest, False)


def encode(project: Project) -> None:
    encoder = project.vectors.encoder(
        "f", name="tiny", folder="tiny", dimension=2, precision="fp32", settings={}
    )
    project.meta.set("encoder", str(encoder.id))
    ids = project.texts.without_vector(encoder.id)
    n = len(ids)
    project.vectors.append(
        encoder,
        VectorBatch(
            ids, np.ones((n, 2), np.float32), np.full(n, 9, np.int32), np.ones(n, np.int32),
            np.zeros(n, bool), np.ones((0, 2), np.float32),
        ),
    )  # fmt: skip


class Known:
    """A cross-encoder as the window knows it."""

    def __init__(self, folder: str) -> None:
        self.folder, self.name = folder, folder.strip("/")
        self.changed = self
        self.chosen = 0

    def connect(self, heard: Callable[[], object]) -> None:
        self.heard = heard

    def values(self) -> dict[str, str]:
        return {"cross": self.folder, "device": "cpu"}

    def choose(self) -> None:
        self.chosen += 1


def check(page: SearchPage, *, folder: str = "/tiny-cross") -> Known:
    """Let the page know a cross-encoder that prefers what stands last."""
    known = Known(folder)
    page.check_with(known)
    ordinary = page.engine.outcome

    def outcome(wish: str, values: dict[str, Any]) -> tuple[dict[str, Any], Changes]:
        if wish != "recheck-search":
            return ordinary(wish, values)
        scores = [place / 100 for place in range(len(values["texts"]))]
        told = {"cross_encoder": known.name, "texts": values["texts"], "scores": scores}
        return {**told, "note": ""}, Changes()

    page.engine.outcome = outcome
    return known


def texts_of(page: SearchPage) -> list[int]:
    return [hit.text for hit in page.view.results.hits]


def found(open_page: OpenPage, folder: Path, words: str = "my card parcel") -> SearchPage:
    page = open_page(folder)
    page.show_search(words)
    wait(lambda: page.answer is not None and not page.answer.is_first_look)
    return page


def test_checking_again_is_offered_once_a_cross_encoder_is_known(open_page, folder):
    page = found(open_page, folder)
    assert not page.actions_["check"].isVisible()
    assert page.view.check.isHidden()
    known = check(page)
    assert page.actions_["check"].isVisible()
    assert page.actions_["check"].isEnabled()
    assert not page.view.check.isHidden()
    page.actions_["checker"].trigger()
    assert known.chosen == 1


def test_checked_texts_come_in_the_order_of_the_cross_encoder(open_page, folder):
    page = found(open_page, folder)
    check(page)
    before = texts_of(page)
    assert len(before) > 2
    QTest.keyClick(page.list, "r")
    wait(lambda: page.answer.checked_by)
    assert texts_of(page) == before[::-1]
    assert page.view.results.hits[0].checked == pytest.approx((len(before) - 1) / 100)
    assert "Checked by tiny-cross: the" in page.view.status
    asked = page.engine.wishes("recheck-search")[0]
    assert (asked["question"], asked["texts"]) == ("my card parcel", before)


def test_the_order_found_comes_back(open_page, folder):
    page = found(open_page, folder)
    check(page)
    before = texts_of(page)
    page.view.check.click()
    wait(lambda: page.answer.checked_by)
    assert page.actions_["check"].text() == "Show the order found"
    page.view.check.click()
    assert texts_of(page) == before
    assert "hecked by" not in page.view.status
    assert len(page.engine.wishes("recheck-search")) == 1


def test_while_it_reads_the_page_says_so_and_does_not_ask_twice(open_page, folder):
    page = found(open_page, folder)
    check(page)
    page.engine.holds.add("work")
    page.actions_["check"].trigger()
    assert "being checked again" in page.view.status
    assert not page.actions_["check"].isEnabled()
    page.engine.release()
    wait(lambda: page.answer.checked_by)


def test_a_check_of_an_older_question_is_dropped(open_page, folder):
    page = found(open_page, folder)
    check(page)
    page.engine.holds.add("work")
    page.actions_["check"].trigger()
    page.show_search("parcel")
    wait(lambda: page.answer.question.words == "parcel")
    page.engine.release()
    QApplication.processEvents()
    assert page.answer.checked_by == ""
    assert page.actions_["check"].isEnabled()


def test_the_checked_order_stays_when_the_same_is_asked_again(open_page, folder):
    page = found(open_page, folder)
    check(page)
    page.actions_["check"].trigger()
    wait(lambda: page.answer.checked_by)
    order, asked = texts_of(page), len(page.engine.wishes("search"))
    page.workspace.changed.emit(Changes(vectors=True))
    wait(lambda: len(page.engine.wishes("search")) > asked and not page.asking.is_busy)
    assert texts_of(page) == order


def test_texts_like_one_are_checked_against_its_text(open_page, folder):
    page = open_page(folder)
    check(page)
    page.show_neighbours(4)
    wait(lambda: page.answer is not None)
    page.actions_["check"].trigger()
    wait(lambda: page.answer.checked_by)
    assert page.engine.wishes("recheck-search")[0]["like"] == 4


def test_a_check_that_fails_is_told_and_the_order_stays(open_page, folder):
    page = found(open_page, folder)
    check(page)
    before = texts_of(page)
    page.engine.failing["recheck-search"] = JobEnd(
        "failed", {}, Changes(), "It is no cross-encoder.", "Choose another."
    )
    page.actions_["check"].trigger()
    wait(lambda: page.actions_["check"].isEnabled())
    assert texts_of(page) == before
    assert "It is no cross-encoder. Choose another." in page.view.notices.words
