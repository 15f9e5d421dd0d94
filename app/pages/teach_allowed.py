"""Which actions of the teach page can be done now."""

from app.pages.teach_practice import PracticeState
from app.pages.teach_reads import Material
from app.pages.teach_run_words import is_repeatable
from app.pages.teach_view import TeachView


def allowed_actions(
    view: TeachView,
    material: Material | None,
    state: PracticeState,
    *,
    writes: bool,
    is_busy: bool,
) -> set[str]:
    """The keys of the actions that can be done, and `resume` where one can go on.

    `writes` tells whether the project may be changed, `is_busy` whether another encoder is being
    taken into use.
    """
    chosen, interrupted = view.runs.chosen, view.runs.interrupted
    in_use = None if material is None else material.in_use
    is_shown, is_idle = not view.is_empty_shown, state == "idle"
    free = writes and not is_busy
    holds = {
        "new": is_shown,
        "start": writes and is_idle and view.lesson.may_start,
        "pause": state in ("running", "paused"),
        "finish": state in ("running", "paused", "pausing"),
        "cancel": state not in ("idle", "ending"),
        "import": writes,
        "decide": is_shown,
        "check": is_shown and is_idle and not view.lesson.is_empty,
        "settings": is_shown and is_idle and not view.lesson.is_empty,
        "use": free and chosen is not None and chosen != in_use,
        "compare": chosen is not None,
        "repeat": writes and is_idle and chosen is not None and is_repeatable(chosen),
        "details": chosen is not None,
        "discard": free and (interrupted is not None or chosen not in (None, in_use)),
        "back": free and in_use is not None,
        "resume": writes and is_idle and interrupted is not None,
    }
    return {key for key, can in holds.items() if can}
