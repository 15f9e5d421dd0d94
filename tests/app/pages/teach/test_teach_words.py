"""What the teach page says of figures, in plain words."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from app.pages.teach_comparing import with_base, with_other
from app.pages.teach_files import facts_said as facts_of
from app.pages.teach_findings import report_of
from app.pages.teach_notices import ended_notice, finished_notice
from app.pages.teach_plan import (
    Forecast,
    Stage,
    forecast_of,
    rough_forecast,
    verdict_said,
)
from app.pages.teach_plan_words import cost_said, memory_fault, plan_said
from app.pages.teach_words import (
    apart_said,
    change_said,
    drift_said,
    encoding_said,
    facts_said,
    result_said,
    score_said,
    signed,
    threshold_said,
    when_said,
)
from core.store import JudgedFile, TrainingRecord

FIGURES: dict[str, Any] = {
    "metric": "average precision", "before": 0.714, "after": 0.791, "low": 0.031, "high": 0.122,
    "held_out": 43, "how": "held out", "threshold_before": 0.97, "threshold": 0.94,
    "precision": 0.952, "drift": 0.012, "stopped": "done", "seconds": 320.0,
}  # fmt: skip


def record(**changed: Any) -> TrainingRecord:
    figures = {**FIGURES, **changed}
    return TrainingRecord(
        3, None, "Training 3", "encoders/3", "MiniLM", "first", "ready", "2026-05-12T10:00:00",
        {"trained_on": 171}, {}, figures, [], [], {}, {},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("same", "different", "imported", "verdict"),
    [(0, 0, 0, "none"), (10, 9, 0, "too-few"), (190, 0, 0, "too-few"), (190, 4, 0, "too-few"),
     (60, 39, 0, "cross-validated"), (60, 40, 0, "enough"), (190, 6, 0, "counting"),
     (9, 0, 10, "too-few"), (0, 0, 5_000, "counting")],
)  # fmt: skip
def test_the_first_verdict_claims_no_more_than_the_counts_tell(
    same: int, different: int, imported: int, verdict: str
) -> None:
    assert rough_forecast(same, different, imported).verdict == verdict


@pytest.mark.parametrize(
    ("same", "different", "said"),
    [(190, 0, "All 190 pairs say the same: add some that are different."),
     (0, 190, "All 190 pairs say different: add some that are the same."),
     (190, 2, "Only 2 of 192 pairs say different: add more."),
     (3, 190, "Only 3 of 193 pairs say the same: add more."),
     (1, 0, "The only pair says the same: add some that are different."),
     (3, 3, "You can try, but nobody can say")],
)  # fmt: skip
def test_too_few_to_tell_says_which_kind_is_missing(same: int, different: int, said: str) -> None:
    words = verdict_said(rough_forecast(same, different, 0)).words
    assert words.startswith(said)
    assert "From 5 of each kind on" in words or "From 20 pairs on, with 5 of each kind" in words


def test_a_kind_that_is_missing_is_named_before_and_after() -> None:
    before = verdict_said(rough_forecast(190, 0, 0)).words
    untold = {**FIGURES, "how": "too few to tell", "same": 190, "different": 0}
    kind = "All 190 pairs say the same: add some that are different."
    assert kind in before
    assert kind in result_said(untold)


def test_many_pairs_of_which_few_are_of_a_kind_are_tested_by_turns() -> None:
    forecast = Forecast("cross-validated", 0, 196, held_out=0, same=190, different=6)
    assert "190 the same and 6 different: too few of a kind" in verdict_said(forecast).words


def test_contradictions_and_repeats_that_are_left_out_are_told() -> None:
    told = {
        "verdict": "enough", "same": 12, "different": 0, "imported": 240, "used_same": 66,
        "used_different": 60, "contradicted": 120, "repeated": 6, "held_out": 26, "seconds": 40.0,
    }  # fmt: skip
    forecast = forecast_of(told)
    lines = [words for _, words in plan_said(forecast, "MiniLM", hold=0.5, share=0.2, rounds=None)]
    assert lines[1] == (
        "120 pairs contradict newer ones and 6 pairs repeat others; these are left out, and 126 "
        "remain."
    )
    assert "26 of them are kept aside to test it; it practises on the other 100." in lines
    assert verdict_said(forecast).title == "126 examples: enough for a first try"


def test_one_pair_that_is_left_out_is_told_in_the_singular() -> None:
    forecast = Forecast("too-few", 7, 0, same=3, different=3, contradicted=1)
    said = plan_said(forecast, "MiniLM", hold=0.5, share=0.2, rounds=None)[1]
    assert said == ("warning", "1 pair contradicts a newer one; it is left out, and 6 remain.")


def test_every_verdict_says_what_to_do_or_what_there_is() -> None:
    for each, imported in ((0, 0), (5, 0), (30, 0), (107, 0), (0, 30)):
        said = verdict_said(rough_forecast(each, each, imported))
        assert said.title
        assert said.words.endswith(".")


def test_the_recipe_names_what_is_learnt_from() -> None:
    def first(judged: int, imported: int) -> str:
        forecast = rough_forecast(judged, 0, imported)
        return plan_said(forecast, "MiniLM", hold=0.5, share=0.2, rounds=None)[0][1]

    assert first(214, 0) == "The encoder practises on your 214 decisions."
    assert first(0, 1200) == "The encoder practises on 1,200 imported examples."
    assert first(1, 1200) == "The encoder practises on your 1 decision and 1,200 imported examples."
    assert "decide or import" in first(0, 0)


@pytest.mark.parametrize(
    ("verdict", "said"),
    [("enough", "43 of them are kept aside to test it; it practises on the other 171."),
     ("cross-validated", "five times"), ("too-few", "no figure"),
     ("none", "Where there are 100 pairs or more")],
)  # fmt: skip
def test_the_recipe_says_how_it_is_tested(verdict: Any, said: str) -> None:
    forecast = Forecast(verdict, 214, 0, held_out=43)
    lines = plan_said(forecast, "MiniLM", hold=0.5, share=0.2, rounds=None)
    assert said in lines[2][1]


def test_another_share_held_still_is_told_in_percent() -> None:
    lines = plan_said(rough_forecast(100, 100, 0), "MiniLM", hold=0.7, share=0.2, rounds=1)
    assert lines[0][1].endswith("decisions, once.")
    assert lines[1][1].startswith("70 % of each step")


def test_a_result_is_before_and_after_with_its_interval() -> None:
    assert score_said(FIGURES) == "Average precision 0.71 → 0.79"
    assert change_said(FIGURES) == "+0.08, between +0.03 and +0.12"


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(0.03, 0.12, "It got better"), (-0.09, -0.01, "It got worse"),
     (-0.03, 0.05, "The change on pairs it has not practised on may be chance"),
     (None, None, "")],
)  # fmt: skip
def test_only_an_interval_that_is_all_on_one_side_says_better_or_worse(
    low: float | None, high: float | None, said: str
) -> None:
    assert result_said({**FIGURES, "low": low, "high": high}).startswith(said)


def test_too_few_to_tell_never_shows_a_figure() -> None:
    figures = {**FIGURES, "how": "too few to tell"}
    assert (score_said(figures), change_said(figures)) == ("", "")
    assert "Too few" in result_said(figures)


def test_a_stop_by_hand_before_the_test_is_told_as_such() -> None:
    figures = {**FIGURES, "how": "too few to tell", "stopped": "enough", "verdict": "enough",
               "same": 70, "different": 60}  # fmt: skip
    assert result_said(figures).startswith("Stopped before it was tested")


def test_a_difference_without_an_interval_stands_alone() -> None:
    assert change_said({**FIGURES, "low": None}) == "+0.08"


@pytest.mark.parametrize(
    ("number", "said"), [(0.031, "+0.03"), (-0.05, "−0.05"), (0.001, "0.00"), (-0.001, "0.00")]
)
def test_differences_have_a_true_minus_and_nothing_has_no_sign(number: float, said: str) -> None:
    assert signed(number) == said


@pytest.mark.parametrize(
    ("drift", "said"),
    [(0.012, "stayed as it was"), (0.03, "moved a little"), (0.2, "expect other groups")],
)
def test_drift_says_what_became_of_the_rest(drift: float, said: str) -> None:
    assert said in drift_said({"drift": drift})


def test_no_drift_measured_says_nothing() -> None:
    assert drift_said({"drift": None}) == ""


def test_the_threshold_that_keeps_the_precision_is_told() -> None:
    assert threshold_said(FIGURES).startswith("Threshold 0.97 → 0.94, which keeps the precision")
    assert "(95 % right)" in threshold_said(FIGURES)
    assert threshold_said({**FIGURES, "threshold": 0.972}) == "The threshold stays at 0.97."
    assert threshold_said({**FIGURES, "threshold": None}).startswith("The threshold stays;")


def test_re_encoding_is_told_with_its_time_where_a_rate_is_known() -> None:
    assert encoding_said(13_902, 412.0) == "13,902 texts are encoded again, about 35 s."
    assert encoding_said(1, None) == "1 text is encoded again."


def test_the_facts_of_a_training_fit_in_a_line() -> None:
    assert facts_said(record()) == "171 pairs practised  ·  43 tested  ·  5 min"
    one = replace(record(contradicted=12), data={"trained_on": 1})
    assert facts_said(one).startswith("1 pair practised  ·  43 tested  ·  12 contradicted, left")
    by_hand = facts_said(record(stopped="enough", how="cross-validated"))
    assert by_hand == "171 pairs practised  ·  43 tested by turns  ·  5 min  ·  stopped by hand"


def test_what_it_costs_is_told_or_said_to_be_unknown() -> None:
    stages = (Stage("Labels", 900, 120, 0), Stage("Scores", 300, 60, 120))
    known = Forecast("enough", 0, 1_200, 364.0, stages=stages, memory="about 1.2 GB of memory")
    assert cost_said(known) == (
        "About 6 min on this machine, in the background. 180 steps, about 1.2 GB of memory."
    )
    short = replace(known, memory_fits=False, memory_free=800_000_000)
    assert memory_fault(short).startswith(
        "It takes about 1.2 GB of memory, and 800 MB are free. Close other programs"
    )
    assert memory_fault(known) == ""
    assert "not known yet" in cost_said(Forecast("enough", 200, 0))
    said = plan_said(known, "MiniLM", hold=0.5, share=0.2, rounds=None)
    assert said[1][1] == (
        "First Labels on 900 examples (120 steps), then Scores on 300 examples (60 steps)."
    )


def test_what_a_file_holds_is_told_in_a_line() -> None:
    file = JudgedFile(
        1, "a.csv", "/a.csv", "x", "labelled pairs", 1_200, ("different", "same"), 3,
        (("different", 500), ("same", 700)), ({"severity": "warns"},), "", "2026-05-12",
    )  # fmt: skip
    assert facts_of(file) == ("1,200 yes/no pairs: 500 different, 700 same · 3 topics · 1 warning")
    three = replace(file, names=("a", "b", "c"), counts=(("a", 1), ("b", 2), ("c", 3)))
    assert facts_of(three).startswith("1,200 labelled pairs: 1 a, 2 b, 3 c")
    scored = replace(file, kind="scored pairs", examples=1, topics=0, findings=())
    assert facts_of(scored) == "1 scored pair"


def test_a_given_split_is_told_beside_what_shares_no_text() -> None:
    apart = {"examples": 31, "before": 0.70, "after": 0.74, "low": -0.01, "high": 0.09}
    assert apart_said({"apart": apart}) == (
        "On the 31 that share no text with what it learnt: 0.70 → 0.74 (between −0.01 and +0.09)."
    )
    assert apart_said({"apart": None}) == ""


def test_findings_are_told_the_gravest_first() -> None:
    report = report_of(
        {"findings": [{"severity": "tells", "sentence": "b"}, {"severity": "stops", "sentence": "a",
                      "remedy": "r", "examples": 2}], "sentence": "2 things."}
    )  # fmt: skip
    assert [one.sentence for one in report.findings] == ["a", "b"]
    assert report.stop is report.findings[0]


def test_two_trainings_judged_by_other_examples_are_compared_with_a_warning() -> None:
    other = replace(record(), name="Training 2", data={"trained_on": 10, "decisions": 12})
    assert "different examples" in with_other(record(), other).sentence
    assert "intervals overlap" in with_other(record(), record()).sentence
    far = replace(record(after=0.99, low=0.2, high=0.3), name="Training 9")
    assert "stands +0.20 against Training 3" in with_other(far, record()).sentence
    assert "do not overlap" in with_other(far, record()).sentence


def test_a_training_that_was_not_tested_has_no_figures_to_compare() -> None:
    assert with_base(record(how="too few to tell")).rows == ()


def test_when_a_training_was_made_is_told_as_people_say_it() -> None:
    assert when_said("2026-05-12T10:00:00", datetime(2026, 5, 12, 10, 5)) == "5 min ago"


def test_a_finished_training_offers_to_be_used_unless_its_loss_was_no_number() -> None:
    assert finished_notice(record()).buttons == (("use", "Use it…"),)
    assert finished_notice(record()).training == 3
    broken = finished_notice(record(stopped="not finite"))
    assert (broken.kind, broken.buttons) == ("warning", ())
    assert "untouched" in broken.words


def test_only_what_is_clearly_better_is_told_in_green() -> None:
    worse = {"left": "a", "right": "b", "gold": 1.0, "before": 0.9, "after": 0.2}
    kinds = [
        finished_notice(one).kind
        for one in (
            record(),
            record(low=-0.02),
            record(how="too few to tell"),
            record(low=-0.2, high=-0.1),
            replace(record(), examples={"better": [], "worse": [worse] * 18}),
        )
    ]
    assert kinds == ["done", "info", "info", "warning", "info"]


def test_what_is_worse_is_not_offered_on_the_banner() -> None:
    assert finished_notice(record(low=-0.2, high=-0.1)).buttons == ()


def test_every_other_end_says_that_the_encoder_in_use_is_untouched() -> None:
    assert "untouched" in ended_notice("cancelled", "", "").words
    failed = ended_notice("failed", "The disk is full.", "Free some space.")
    early = ended_notice("cancelled", "Stopped before anything was learnt. Nothing was kept", "")
    assert (early.kind, early.words.count("untouched")) == ("info", 1)
    assert failed.words.startswith("The disk is full. Free some space.")
    assert "untouched" in failed.words
