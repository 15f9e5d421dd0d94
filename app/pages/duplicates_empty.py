"""What the page says before there are groups, and when they are out of date."""

from app.look.words import counted
from app.pages.blank_rows import are_all_blank, show_blank_rows
from app.widgets.banner import Banner
from app.widgets.empty_state import EmptyState
from app.workspace import Workspace


def show_empty(empty: EmptyState, workspace: Workspace) -> None:
    """Say what is missing: rows, the end of a job, or the search for duplicates."""
    state = workspace.state
    if workspace.folder is None or state is None or not state.rows:
        words = "" if workspace.read_only else "Import a file…"
        empty.show_state("duplicates", "There are no rows yet to compare.", button=words)
    elif are_all_blank(workspace):
        show_blank_rows(empty, workspace, icon="duplicates", purpose="compare")
    elif workspace.is_busy:
        empty.show_state(
            "clock",
            "Duplicates are being found.",
            note="How far it is stands below. The rows can be read meanwhile.",
        )
    elif workspace.read_only:
        empty.show_state(
            "duplicates",
            "No duplicates have been looked for yet.",
            note="The project is open for reading only; close it in the other window to find them.",
        )
    else:
        empty.show_state(
            "duplicates",
            "See which rows say the same thing.",
            note=f"{counted(state.texts, 'text')} will be compared, each with every other.",
            button="Find duplicates",
        )


class StaleNotice:
    """Says on the page's banner that rows or pairs have moved on since the grouping."""

    def __init__(self, banner: Banner) -> None:
        self._banner = banner
        self._is_told = False

    def show_state(self, workspace: Workspace, moved: frozenset[str]) -> None:
        """Tell or stop telling; `moved` names what the groups were made from and is not so now."""
        state = workspace.state
        if state is None:
            return
        if (state.pairs_stale or moved - {"decisions"}) and not workspace.is_busy:
            self._is_told = True
            self._banner.show_message(
                "warning",
                "The rows have changed since these groups were made. What you see is still whole, "
                "but new rows are not in it.",
                buttons=() if workspace.read_only else (("prepare", "Bring up to date"),),
            )
        elif self._is_told:
            self._is_told = False
            self._banner.clear()
