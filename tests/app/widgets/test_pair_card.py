"""Deciding on a pair."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.widgets.column_compare import ColumnCompare, ColumnPair
from app.widgets.pair_card import CardContent, CardText, PairCard
from app.widgets.text_view import TextView
from app.widgets.verdict_button import VerdictButton
from core.records import Verdict

COLUMNS = (
    ColumnPair("amount", "40.00", "40.00"),
    ColumnPair("city", "Lyon", "Nice"),
    ColumnPair("note", None, ""),
)
CONTENT = CardContent(
    CardText("I was charged twice", ("#1042", "12 May")),
    CardText("I was charged two times", ("#7730",)),
    COLUMNS,
    cosine=0.91,
    words=0.34,
    kind="paraphrase",
    flags=("number differs",),
)


@pytest.fixture
def card(show):
    made = PairCard()
    made.show_pair(CONTENT)
    return show(made, 1000, 600)


@pytest.fixture
def verdicts(card):
    heard = []
    card.verdict_given.connect(heard.append)
    return heard


def button(card, words):
    return next(b for b in card.findChildren(VerdictButton) if b.text() == words)


def seen(card):
    return [label.text() for label in card.findChildren(QLabel) if label.isVisible()]


@pytest.mark.parametrize(
    ("key", "verdict"),
    [(Qt.Key.Key_D, "different"), (Qt.Key.Key_U, "unsure"), (Qt.Key.Key_S, "same")],
)
def test_one_key_gives_a_verdict(card, verdicts, key, verdict):
    text = card.findChildren(TextView)[0]
    text.setFocus()
    QTest.keyClick(text, key)
    assert verdicts == [verdict]


@pytest.mark.parametrize(
    ("words", "verdict"), [("Different", "different"), ("Unsure", "unsure"), ("Same", "same")]
)
def test_a_click_gives_a_verdict(card, verdicts, words, verdict):
    QTest.mouseClick(button(card, words), Qt.MouseButton.LeftButton)
    assert verdicts == [verdict]


def test_k_asks_to_keep_the_other(card):
    heard = []
    card.keep_other_wanted.connect(lambda: heard.append(True))
    card.setFocus()
    QTest.keyClick(card.findChildren(TextView)[0], Qt.Key.Key_K)
    assert heard == [True]


def test_h_hides_the_score_and_shows_it_again(card):
    text = card.findChildren(TextView)[0]
    text.setFocus()
    QTest.keyClick(text, Qt.Key.Key_H)
    hidden = not any("0.91" in words for words in seen(card))
    QTest.keyClick(text, Qt.Key.Key_H)
    assert hidden
    assert any("cosine 0.91  ·  words 0.34  ·  paraphrase" in words for words in seen(card))


def test_keys_work_in_the_whole_page_once_it_has_the_actions(show, app):
    page = QWidget()
    column = QVBoxLayout(page)
    card, elsewhere = PairCard(), Elsewhere()
    card.show_pair(CONTENT)
    column.addWidget(elsewhere)
    column.addWidget(card)
    page.addActions(card.card_actions())
    show(page, 900, 600)
    heard = []
    card.verdict_given.connect(heard.append)
    elsewhere.setFocus()
    QTest.keyClick(elsewhere, Qt.Key.Key_S)
    assert heard == ["same"]


def test_a_letter_typed_into_a_field_is_no_verdict(show):
    page = QWidget()
    column = QVBoxLayout(page)
    card, field = PairCard(), QLineEdit()
    card.show_pair(CONTENT)
    column.addWidget(field)
    column.addWidget(card)
    page.addActions(card.card_actions())
    show(page, 900, 600)
    heard = []
    card.verdict_given.connect(heard.append)
    field.setFocus()
    QTest.keyClicks(field, "sud")
    assert (field.text(), heard) == ("sud", [])


def test_buttons_stay_where_they_are_when_texts_change_length(card, app):
    def places():
        app.processEvents()
        return [b.mapTo(card, QPoint(0, 0)) for b in card.findChildren(VerdictButton)]

    before = places()
    long = CardText("word " * 4_000, ("#1",) * 60)
    card.show_pair(CardContent(long, long, COLUMNS * 20, flags=("number differs",) * 9))
    with_long = places()
    card.show_pair(CardContent(CardText("a"), CardText("b")))
    assert before == with_long == places()


def test_differing_words_are_marked_on_both_sides(card):
    views = card.findChildren(TextView)
    marked = [[v.text[start:stop] for start, stop in v.spans] for v in views]
    assert marked == [["twice"], ["two times"]]


def test_the_verdict_that_was_given_is_marked(card):
    given = CardContent(CONTENT.kept, CONTENT.candidate, verdict=Verdict.UNSURE)
    card.show_pair(given)
    marked = [b.text() for b in card.findChildren(VerdictButton) if b.isChecked()]
    assert marked == ["Unsure"]


def test_a_click_alone_marks_nothing(card, verdicts):
    QTest.mouseClick(button(card, "Same"), Qt.MouseButton.LeftButton)
    assert not button(card, "Same").isChecked()


def test_an_empty_card_takes_no_verdict(card, verdicts):
    card.show_pair(None)
    QTest.keyClick(card, Qt.Key.Key_S)
    QTest.mouseClick(button(card, "Same"), Qt.MouseButton.LeftButton)
    assert verdicts == []


def test_facts_stand_over_their_texts(card):
    assert {"#1042  ·  12 May", "#7730"} <= set(seen(card))


class Elsewhere(QAbstractButton):
    """Something else on the page that can have the focus."""

    def __init__(self):
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event):
        """Nothing to see."""


@pytest.fixture
def compare(show):
    made = ColumnCompare()
    made.show_columns(COLUMNS)
    return show(made, 800, 200)


def test_only_differing_columns_are_shown_at_first(compare):
    assert [pair.name for pair in compare.shown_columns()] == ["city", "note"]


def test_differing_columns_have_a_shape_too(compare):
    assert seen(compare).count("⚠") == 4


def test_nothing_and_an_empty_cell_differ():
    assert ColumnPair("note", None, "").differs


def test_the_others_are_behind_one_button(compare):
    opener = next(b for b in compare.findChildren(QAbstractButton) if b.isVisible())
    assert opener.text() == "1 column is the same"
    QTest.mouseClick(opener, Qt.MouseButton.LeftButton)
    assert [pair.name for pair in compare.shown_columns()] == ["city", "note", "amount"]


def test_rows_of_both_sides_are_level(compare, app):
    app.processEvents()
    tops = {
        label.text(): label.mapTo(compare, QPoint(0, 0)).y()
        for label in compare.findChildren(QLabel)
        if label.text() in ("Lyon", "Nice")
    }
    assert tops["Lyon"] == tops["Nice"]
