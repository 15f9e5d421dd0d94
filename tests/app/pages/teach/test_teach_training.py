"""The teach page while a training runs, and when it ends in one way or another."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtTest import QTest

from app.pages.teach import TeachPage
from app.workspace import Workspace


def test_a_training_shows_its_curves_and_ends_with_its_result(page: TeachPage, hand: Any) -> None:
    hand.start(page, hand.QUICK)
    assert page.view.running.isVisible()
    assert not page.view.lesson.isVisible()
    hand.finished(page)
    assert page.view.result.isVisible()
    assert page.view.result.words[:3] == [
        "Average precision 0.71 → 0.79",
        "+0.08, between +0.03 and +0.12",
        "It got better on pairs it has not practised on.",
    ]
    assert page.view.banner.text.startswith("Training 1 is ready.")
    assert len(page.view.plot.curves.loss) == 12
    (card,) = hand.cards(page)
    assert card.is_chosen


def test_what_it_moved_stands_side_by_side_with_differing_words_marked(
    page: TeachPage, hand: Any
) -> None:
    hand.train(page, hand.QUICK)
    (example,) = page.view.result.examples.findChildren(_marked())[:1]
    marked = [label.marked for label in page.view.result.examples.findChildren(_marked())]
    assert example.isVisible()
    assert marked == [["twice"], ["two times"]]
    hand.until(lambda: "alike 0.62 → 0.91" in hand.words(page.view.result.examples))


def test_the_training_can_be_paused_resumed_and_stopped_with_the_best(
    page: TeachPage, hand: Any
) -> None:
    hand.start(page, hand.SLOW)
    plot, running = page.view.live_plot, page.view.running
    hand.until(lambda: page.practice.standing.state == "running" and plot.curves.loss)
    assert "about 1 min left" in running.words
    page.actions_["pause"].trigger()
    hand.until(lambda: page.practice.standing.state == "paused")
    assert running.pause.text() == "Resume"
    standing = len(plot.curves.loss)
    QTest.qWait(300)
    assert len(plot.curves.loss) == standing
    running.pause.click()
    hand.until(lambda: len(plot.curves.loss) > standing)
    running.finish.click()
    hand.finished(page)
    assert "stopped by hand" in hand.words(page.view.result)


def test_earlier_results_can_be_looked_at_while_one_runs(page: TeachPage, hand: Any) -> None:
    hand.train(page, hand.QUICK)
    page.choose_new()
    hand.start(page, hand.SLOW)
    hand.until(lambda: page.view.live_plot.curves.loss)
    page.view.runs.choose(hand.cards(page)[0].key)
    assert page.view.result.isVisible()
    assert not page.view.running.isVisible()
    assert "step" in hand.words(page.view.runs.new)
    page.actions_["new"].trigger()
    assert page.view.running.isVisible()


def test_cancel_leaves_the_encoder_in_use_untouched_and_no_card(page: TeachPage, hand: Any) -> None:
    hand.start(page, hand.SLOW)
    hand.until(lambda: page.view.live_plot.curves.loss)
    page.view.running.cancel.click()
    hand.finished(page)
    assert page.view.banner.text.startswith("Cancelled. Nothing was kept")
    assert hand.cards(page) == []
    assert page.view.lesson.isVisible()


def test_a_stop_before_the_first_step_is_a_plain_note_and_no_failure(
    page: TeachPage, hand: Any
) -> None:
    hand.start(page, hand.SLOW)
    page.practice.finish_early()
    hand.finished(page)
    assert page.view.banner.text == (
        "Stopped before anything was learnt. Nothing was kept, and the encoder in use is untouched."
    )


def test_a_failed_training_tells_the_cause_and_what_is_safe(page: TeachPage, hand: Any) -> None:
    hand.start(page, hand.FAILING)
    hand.finished(page)
    assert page.view.banner.text == (
        "The disk is full. Free some space and start again. The encoder in use is untouched."
    )
    assert page.actions_["start"].isEnabled()


def test_a_loss_that_is_no_number_is_told_with_what_may_help(page: TeachPage, hand: Any) -> None:
    hand.train(page, hand.NOT_FINITE)
    assert "the last good state is kept as Training 1" in page.view.banner.text
    assert "smaller learning rate" in page.view.banner.text


def test_too_few_examples_bring_pairs_and_no_figure(page: TeachPage, hand: Any) -> None:
    hand.train(page, hand.TOO_FEW)
    said = hand.words(page.view.result)
    assert "Too few examples to tell whether it got better." in said
    assert "Average precision" not in said
    assert "charged" in said


def test_a_training_goes_on_while_the_page_is_hidden(page: TeachPage, hand: Any) -> None:
    hand.start(page, hand.QUICK)
    page.hide()
    hand.until(lambda: not page.practice.is_running)
    page.show()
    hand.finished(page)
    assert len(hand.cards(page)) == 1


def test_closing_the_project_during_a_training_leaves_nothing_on_show(
    open_page: Callable[..., TeachPage], make_folder: Callable[..., Path], hand: Any
) -> None:
    own = Workspace()
    page = open_page(make_folder(same=100, different=71), own)
    hand.start(page, hand.SLOW)
    hand.until(lambda: page.view.live_plot.curves.loss)
    own.close()
    shown = (page.practice.is_running, page.view.is_empty_shown, page.view.banner.isVisible())
    own.stop()
    assert shown == (False, True, False)


def _marked() -> type:
    from app.widgets.marked_label import MarkedLabel

    return MarkedLabel
