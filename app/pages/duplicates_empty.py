"""What the page says before there are groups."""

from app.look.words import counted
from app.widgets.empty_state import EmptyState
from app.workspace import Workspace


def show_empty(empty: EmptyState, workspace: Workspace) -> None:
    """Say what is missing: rows, the end of a job, or the search for duplicates."""
    state = workspace.state
    if workspace.folder is None or state is None or not state.rows:
        empty.show_state("duplicates", "There are no rows yet to compare.", button="Import a file…")
    elif workspace.is_busy:
        empty.show_state(
            "clock",
            "Duplicates are being found.",
            note="How far it is stands below. The rows can be read meanwhile.",
        )
    else:
        empty.show_state(
            "duplicates",
            "See which rows say the same thing.",
            note=f"{counted(state.texts, 'text')} will be compared, each with every other.",
            button="Find duplicates",
        )
