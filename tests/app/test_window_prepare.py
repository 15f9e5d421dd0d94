"""What is said once the duplicates have been found."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.settings import SettingsFile
from app.window_jobs import JobBook
from app.window_messages import Messages
from app.window_prepare import Preparing, has_duplicates, prepared_words
from app.workspace import Workspace


@pytest.fixture
def messages(app: QApplication, tmp_path: Path) -> Iterator[Messages]:
    workspace, host = Workspace(), QWidget()
    preparing = Preparing(workspace, SettingsFile(tmp_path / "settings.json"), host)
    yield Messages(workspace, JobBook(workspace), preparing, host)
    workspace.stop()
    host.deleteLater()


def counts(groups: int, removed: int, review: int = 0) -> dict[str, int]:
    return {"groups": groups, "removed": removed, "rows": 20, "review": review}


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (counts(1, 1), "1 group found · 1 of 20 rows is a duplicate"),
        (counts(2, 3, 1), "2 groups found · 3 of 20 rows are duplicates · 1 pair to review"),
        (counts(0, 0), "No duplicates were found."),
    ],
)
def test_what_was_found_is_said_in_a_sentence(found: dict[str, int], said: str) -> None:
    assert prepared_words(found) == said


@pytest.mark.parametrize(
    ("found", "offered"), [(counts(1, 1), True), (counts(0, 0), False), (counts(0, 0, 2), True)]
)
def test_a_review_is_offered_only_where_there_is_something_to_review(
    messages: Messages, found: dict[str, int], offered: bool
) -> None:
    messages.show_prepared(prepared_words(found), has_duplicates(found))
    words = {button.text() for button in messages.area.findChildren(QPushButton)}
    assert messages.text("report") == prepared_words(found)
    assert ("Review duplicates" in words) == offered


@pytest.mark.parametrize("page", ["Corpus", "Duplicates"])
def test_what_another_encoder_changed_is_offered_on_every_page(
    messages: Messages, page: str
) -> None:
    asked: list[str] = []
    messages.page_wanted.connect(asked.append)
    messages.leave_for(page)
    messages.show_prepared("Done.", True, True)
    buttons = messages.area.findChildren(QPushButton)
    next(one for one in buttons if one.text() == "What changed").click()
    assert asked == ["What changed"]
