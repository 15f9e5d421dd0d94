"""Which signal of the teach page's parts leads to which deed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the page connects itself by this
    from app.pages.teach import TeachPage


def connect_view(page: "TeachPage") -> None:
    """Connect what a person does on the page."""
    view = page.view
    view.empty.wanted.connect(lambda: page.import_wanted.emit([]))
    view.banner.button_clicked.connect(lambda key: _press_banner(page, key))
    material, lesson = view.material, view.lesson
    material.import_wanted.connect(page.imports.ask)
    material.removal_wanted.connect(page.imports.remove)
    material.reading_wanted.connect(lambda file: _read_otherwise(page, file))
    material.deciding_wanted.connect(lambda: page.page_wanted.emit("Duplicates"))
    material.changed.connect(lambda: page.asking.ask_soon(page.values))
    page.drop.dropped.connect(page.imports.take)
    page.drop.hovered.connect(material.hint.set_hot)
    lesson.start_wanted.connect(page.start)
    lesson.check_wanted.connect(page.check)
    lesson.deciding_wanted.connect(lambda: page.page_wanted.emit("Duplicates"))
    lesson.import_wanted.connect(page.imports.ask)
    lesson.changed.connect(lambda: page.asking.ask_soon(page.values))
    view.running.pause_wanted.connect(page.practice.pause_or_resume)
    view.running.finish_wanted.connect(page.practice.finish_early)
    view.running.cancel_wanted.connect(page.practice.cancel)
    view.runs.choice_changed.connect(page.show_chosen)
    view.runs.activated.connect(lambda: view.turn_to("middle"))
    view.result_bar.wanted.connect(lambda key: page.actions_[_ACTION_OF[key]].trigger())
    view.interrupted_bar.resume_wanted.connect(lambda: page.resume(view.runs.interrupted))
    view.interrupted_bar.discard_wanted.connect(lambda: _discard(page))
    view.first_bar.back_wanted.connect(page.results.go_back)
    page.results.settings_wanted.connect(page.use_settings)
    page.results.repeat_wanted.connect(page.repeat)
    page.results.busy_changed.connect(page.allow)


def connect_actions(page: "TeachPage") -> None:
    """Connect the actions of menu and keys."""
    on, runs, results = page.actions_.on, page.view.runs, page.results
    on("new", page.choose_new)
    on("start", page.start)
    on("pause", page.practice.pause_or_resume)
    on("finish", page.practice.finish_early)
    on("cancel", page.practice.cancel)
    on("import", page.imports.ask)
    on("decide", lambda: page.page_wanted.emit("Duplicates"))
    on("check", page.check)
    on("settings", page.open_settings)
    on("use", lambda: results.use(runs.chosen))
    on("compare", lambda: results.compare(runs.chosen))
    on("repeat", lambda: page.repeat(runs.chosen))
    on("details", lambda: results.show_settings(
        runs.chosen, may_repeat=page.actions_["repeat"].isEnabled()
    ))  # fmt: skip
    on("discard", lambda: _discard(page))
    on("back", results.go_back)


_ACTION_OF = {
    "use": "use", "compare": "compare", "repeat": "repeat", "settings": "details",
    "discard": "discard",
}  # fmt: skip


def _discard(page: "TeachPage") -> None:
    runs = page.view.runs
    if runs.interrupted is not None:
        page.results.discard_interrupted(runs.interrupted)
    else:
        page.results.discard(runs.chosen)


def _read_otherwise(page: "TeachPage", file: int) -> None:
    files = () if page.material is None else page.material.files
    for one in files:
        if one.id == file:
            page.imports.read_otherwise(one)


def _press_banner(page: "TeachPage", key: str) -> None:
    """Do what a button of the banner says, with the training that the banner is about."""
    if key == "changes":
        page.page_wanted.emit("What changed")  # what it leads to is read, and the notice stays
        return
    notices, material = page.notices, page.material
    training, run = notices.training, notices.run
    notices.clear()
    if key == "read":
        page.imports.read_refused()
    elif material is not None and key == "use":
        page.results.use(material.training(training))
    elif material is not None and key == "resume":
        page.resume(material.interruption(run))
