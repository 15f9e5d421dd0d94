"""What every page says of a project whose rows are all blank."""

from app.widgets.empty_state import EmptyState
from app.workspace import Workspace


def show_blank_rows(empty: EmptyState, workspace: Workspace, *, icon: str, purpose: str) -> None:
    """Say that there are rows but no text to `purpose`, and what could be done."""
    sentence = f"All rows are blank; there is no text to {purpose}."
    if workspace.read_only:
        empty.show_state(icon, sentence)
        return
    empty.show_state(
        icon,
        sentence,
        note="Import another file, or take this one out on the Corpus page and choose another "
        "column as the text.",
        button="Import a file…",
    )


def are_all_blank(workspace: Workspace) -> bool:
    """Whether the project holds rows but no text."""
    state = workspace.state
    return state is not None and state.rows > 0 and state.texts == 0
