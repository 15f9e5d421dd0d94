"""A form made from declared options keeps their kinds, bounds and usual values."""

from collections.abc import Callable

from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox, QWidget

from app.widgets.fold import Fold
from app.widgets.option_fields import declared, declared_from
from app.widgets.options_form import OptionsForm
from core.options import (
    EncodeOptions,
    GroupOptions,
    PairOptions,
    TrainOptions,
    choice_of,
    options_from,
)


def usual(kind: type) -> dict[str, object]:
    made = kind()
    return {name: getattr(made, name) for name in kind.__slots__}


def test_it_says_what_is_usual_until_somebody_chooses(show: Callable[..., QWidget]) -> None:
    for kind in (TrainOptions, EncodeOptions, PairOptions, GroupOptions):
        form = OptionsForm(declared(kind))
        show(form)
        assert form.values == usual(kind)


def test_its_values_are_options_that_the_engine_takes(show: Callable[..., QWidget]) -> None:
    form = OptionsForm(declared(TrainOptions))
    show(form)
    form.set_values({"epochs": 3, "rate": 0.00002, "hold": 0.7})
    made = options_from(TrainOptions, form.values)
    assert (made.epochs, made.rate, made.hold) == (3, 0.00002, 0.7)


def test_fields_keep_to_the_bounds_that_were_declared(show: Callable[..., QWidget]) -> None:
    form = OptionsForm(declared(TrainOptions))
    show(form)
    form.set_values({"epochs": 10_000, "hold": 7.0})
    assert form.values["epochs"] == choice_of(TrainOptions, "epochs").high
    assert form.values["hold"] == choice_of(TrainOptions, "hold").high


def test_an_option_without_a_value_says_so(show: Callable[..., QWidget]) -> None:
    form = OptionsForm(declared(TrainOptions))
    show(form)
    field = form.field("epochs")
    assert isinstance(field, QSpinBox)
    assert field.text() == "not set"


def test_a_small_number_is_written_as_people_write_it(show: Callable[..., QWidget]) -> None:
    form = OptionsForm(declared(TrainOptions))
    show(form)
    field = form.field("rate")
    assert isinstance(field, QDoubleSpinBox)
    assert field.text() == "0.00005"
    field.stepUp()
    assert field.text() == "0.00006"


def test_every_field_has_a_name_and_a_help(show: Callable[..., QWidget]) -> None:
    form = OptionsForm(declared(TrainOptions))
    show(form)
    for name in TrainOptions.__slots__:
        choice = choice_of(TrainOptions, name)
        assert form.field(name).accessibleName() == choice.title
        assert form.field(name).accessibleDescription() == choice.help


def test_only_what_differs_from_the_usual_counts_as_chosen(show: Callable[..., QWidget]) -> None:
    form = OptionsForm(declared(TrainOptions))
    show(form)
    form.set_values({"seed": 7, "batch": 32})
    assert form.chosen == {"batch": 32, "seed": 7}
    form.reset()
    assert form.chosen == {}


def test_what_nobody_touched_follows_what_is_usual(show: Callable[..., QWidget]) -> None:
    form = OptionsForm(declared(TrainOptions))
    show(form)
    form.set_values({"hold": 0.7})
    form.set_usual({"batch": 64, "hold": 0.2})
    assert (form.values["batch"], form.values["hold"]) == (64, 0.7)
    assert form.chosen == {"hold": 0.7}


def test_a_line_that_is_not_shown_is_not_chosen(show: Callable[..., QWidget]) -> None:
    form = OptionsForm(declared(TrainOptions))
    show(form)
    form.set_values({"seed": 7})
    form.show_only(["epochs"])
    assert not form.field("seed").isVisible()
    assert form.chosen == {}


def test_a_choice_told_in_plain_values_makes_a_field(show: Callable[..., QWidget]) -> None:
    told = {"name": "margin", "title": "Margin", "help": "How far.", "low": 0.0, "high": 2.0,
            "step": 0.1, "choices": [], "default": 1.0}  # fmt: skip
    form = OptionsForm((declared_from(told),))
    show(form)
    assert form.values == {"margin": 1.0}


def test_a_form_tells_once_that_something_was_chosen(show: Callable[..., QWidget]) -> None:
    form = OptionsForm(declared(GroupOptions))
    show(form)
    told: list[bool] = []
    form.changed.connect(lambda: told.append(True))
    form.set_values({"hold_back": False})
    assert told == [True]


def test_a_fold_shows_its_content_while_it_is_open(show: Callable[..., QWidget]) -> None:
    fold = Fold("Details", OptionsForm(declared(TrainOptions)))
    show(fold)
    assert not fold.content.isVisible()
    fold.set_open(True)
    assert fold.content.isVisible()
