"""Which signal of the multiply page's parts leads to which deed."""

from functools import partial
from typing import TYPE_CHECKING

from app.pages.multiply_scene import STEPS

if TYPE_CHECKING:  # the page connects itself by this
    from app.pages.multiply import MultiplyPage


def connect_view(page: "MultiplyPage") -> None:
    """Connect what a person does on the page."""
    view = page.view
    view.step_wanted.connect(page.open_step)
    view.steps.attempt_wanted.connect(page.choose_attempt)
    view.empty.wanted.connect(lambda: page.import_wanted.emit([]))
    view.banner.button_clicked.connect(lambda key: _press_banner(page, key))
    view.running.pause_wanted.connect(page.practice.pause_or_resume)
    view.running.cancel_wanted.connect(page.practice.cancel)
    view.gold.deciding_wanted.connect(lambda: page.page_wanted.emit("Duplicates"))
    view.gold.import_wanted.connect(page.imports.ask)
    view.teachers.insist_changed.connect(page.insist)
    view.teachers.settings.changed.connect(lambda: _take_settings(page))
    view.pairs.changed.connect(page.take_choices)
    sheet = view.sheet
    sheet.given.connect(page.looking.give)
    sheet.all_wanted.connect(lambda: _take_all_in(page))
    page.results.busy_changed.connect(page.refresh)
    for step, foot in view.feet.items():
        foot.wanted.connect(partial(press, page, step))


def connect_actions(page: "MultiplyPage") -> None:
    """Connect the actions of menu and keys."""
    on, view = page.actions_.on, page.view
    for step in STEPS:
        on(step, partial(page.open_step, step))
    on("do", lambda: press(page, view.step, view.feet[view.step].leading))
    on("on", page.go_on)
    on("pause", page.practice.pause_or_resume)
    on("cancel", page.practice.cancel)
    on("decide", lambda: page.page_wanted.emit("Duplicates"))
    on("import", page.imports.ask)
    on("settings", lambda: _open_settings(page))
    for key in ("same", "different", "take-back", "leave-out"):
        on(key, partial(page.looking.give, key))
    on("next", lambda: page.looking.go(1))
    on("previous", lambda: page.looking.go(-1))
    on("band-up", lambda: view.sheet.bands.go(1))
    on("band-down", lambda: view.sheet.bands.go(-1))
    on("all-bands", lambda: view.sheet.bands.choose(None))
    on("all-in", lambda: _take_all_in(page))
    for key in ("rebalance", "accept", "drop-all"):
        on(key, partial(press, page, "sheet", key))
    for key in ("use", "compare", "discard"):
        on(key, partial(press, page, "teach", key))


def press(page: "MultiplyPage", step: str, key: str) -> None:
    """Do what a button below a step says."""
    record, training = page.scene.record_id, page.scene.training
    deeds = {
        "next": page.go_on,
        "accept": page.go_on,
        "decide": lambda: page.page_wanted.emit("Duplicates"),
        "import": page.imports.ask,
        "label": page.label,
        "rebalance": lambda: page.deeds.rebalance(record),
        "drop-all": lambda: page.deeds.drop_all(record, has_silver=page.scene.has_sheet),
        "teach": page.teach,
        "use": lambda: page.results.use(training),
        "discard": lambda: page.results.discard(training),
        "compare": page.compare if step == "teachers" else lambda: _show_training(page),
    }
    deeds[key]()


def _show_training(page: "MultiplyPage") -> None:
    training = page.scene.training
    if training is not None:
        page.training_wanted.emit(training.id)


def _take_settings(page: "MultiplyPage") -> None:
    """Other settings part the gold otherwise."""
    page.counting.ask_soon({"held_out": page.view.teachers.settings.form.values["held_out"]})
    page.refresh()


def _open_settings(page: "MultiplyPage") -> None:
    page.open_step("teachers")
    fold = page.view.teachers.fold
    fold.set_open(not fold.is_open)


def _take_all_in(page: "MultiplyPage") -> None:
    record = page.scene.record
    if record is not None and page.scene.can_change:
        count = int(record.sheet.get("pairs") or 0) + int(record.sheet.get("dropped") or 0)
        page.deeds.take_all_in(record.id, count)


def _press_banner(page: "MultiplyPage", key: str) -> None:
    """Do what a button of the banner says, with the training that the banner is about."""
    if key == "changes":
        page.page_wanted.emit("What changed")  # what it leads to is read, and the notice stays
        return
    seen, training = page.scene.seen, page.notices.training
    page.notices.clear()
    if key == "read":
        page.imports.read_refused()
    elif key == "use" and seen is not None:
        page.results.use(seen.material.training(training))
