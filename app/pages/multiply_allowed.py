"""Which actions of the multiply page can be done now."""

from app.pages.multiply_scene import STEPS, Scene
from app.pages.multiply_view import MultiplyView
from app.pages.teach_practice import PracticeState


def allowed_actions(view: MultiplyView, scene: Scene, state: PracticeState) -> set[str]:
    """The keys of the actions that can be done."""
    if view.is_empty_shown:
        return set()
    step, feet = view.step, view.feet
    row = None if view.sheet.list.card is None else view.sheet.list.card.row
    changes = step == "sheet" and scene.can_change and row is not None
    shows = step == "sheet" and scene.has_sheet
    idle = state == "idle"

    def can(foot: str, key: str) -> bool:
        button = feet[next(one for one in STEPS if one == foot)].buttons[key]
        return idle and button.isEnabled() and not button.isHidden()

    deed = feet[step].buttons[feet[step].leading]
    holds: dict[str, bool] = {
        **dict.fromkeys(STEPS, True),
        "do": idle and deed.isEnabled(),
        "on": step != STEPS[-1],
        "pause": state in ("running", "paused"),
        "cancel": state not in ("idle", "ending"),
        "decide": True,
        "import": scene.writes,
        "settings": scene.writes and idle,
        "same": changes,
        "different": changes,
        "take-back": changes and row is not None and row.corrected is not None,
        "leave-out": changes,
        **dict.fromkeys(("next", "previous", "band-up", "band-down", "all-bands"), shows),
        "rebalance": step == "sheet" and can("sheet", "rebalance"),
        "all-in": changes and view.sheet.all_in.isEnabled() and not view.sheet.all_in.isHidden(),
        "accept": step == "sheet" and can("sheet", "accept"),
        "drop-all": step == "sheet" and can("sheet", "drop-all"),
        **{key: step == "teach" and can("teach", key) for key in ("use", "compare", "discard")},
    }
    return {key for key, holds_now in holds.items() if holds_now}
