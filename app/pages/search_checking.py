"""Texts found, read again by a cross-encoder beside the question, and ordered by what it says."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.checker import Checker
from app.jobs import JobEnd
from app.look.words import counted
from app.pages.search_question import Answer, Question
from app.workspace import Workspace

MOST = 200  # texts that are read again, the first ones


class Checking(QObject):
    """Keeps what the cross-encoder said of the question on show, and puts it on its answers."""

    changed = Signal()  # another order, or checking began or ended
    failed = Signal(object)  # JobEnd

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._checker: Checker | None = None
        self._question: Question | None = None  # that the scores are for, or will be
        self._scores: dict[int, float] = {}
        self._by = ""
        self._found: Answer | None = None  # in the order it was found
        self._number = 0  # of the newest check; what an older one says is dropped
        self.is_busy = False

    def check_with(self, checker: Checker) -> None:
        """Know the cross-encoder."""
        self._checker = checker
        checker.changed.connect(self.changed)

    @property
    def is_known(self) -> bool:
        """Whether there is a cross-encoder to check by."""
        return self._checker is not None and bool(self._checker.folder)

    def choose(self) -> None:
        """Let a person choose the cross-encoder."""
        if self._checker is not None:
            self._checker.choose()

    def on(self, answer: Answer) -> Answer:
        """The answer in the order to show: as checked where it was, else as found."""
        self._found = answer
        if _without_count(answer.question) != self._question:
            self.forget()
            self._found = answer
        return self._ordered()

    def toggle(self) -> None:
        """Check what is shown, or go back to the order found."""
        if self._scores:
            self._scores, self._question = {}, None
            self.changed.emit()
        elif self._found is not None and not self._found.is_first_look:
            self._start(self._found)

    def forget(self) -> None:
        """Another question, or none: what was said is of no use, and a late answer is dropped."""
        self._scores, self._question, self._found = {}, None, None
        self._number += 1
        self.is_busy = False

    def _start(self, answer: Answer) -> None:
        if self._checker is None or not self.is_known or self.is_busy or not answer.hits:
            return
        self._number += 1
        self.is_busy = True
        self._question = _without_count(answer.question)
        texts = [hit.text for hit in answer.hits[:MOST]]
        question = answer.question
        self._workspace.start(
            "recheck-search",
            {
                **self._checker.values(), "texts": texts, "question": question.words,
                "like": None if question.like is None else question.like.document,
            },
            title=f"Checking {counted(len(texts), 'text')} again",
            then=partial(self._take, self._number),
        )  # fmt: skip
        self.changed.emit()

    def _take(self, number: int, end: JobEnd) -> None:
        if number != self._number:
            return
        self.is_busy = False
        if end.kind == "finished":
            told: Mapping[str, Any] = end.outcome
            self._by = str(told["cross_encoder"])
            self._scores = dict(zip(told["texts"], told["scores"], strict=True))
        elif end.kind == "failed":
            self.failed.emit(end)
        self.changed.emit()

    @property
    def shown(self) -> Answer | None:
        """What is found, in the order to show."""
        return None if self._found is None else self._ordered()

    def _ordered(self) -> Answer:
        answer = self._found
        if answer is None:
            raise RuntimeError("nothing is found")
        if not self._scores:
            return answer
        checked = [
            replace(hit, checked=self._scores[hit.text])
            for hit in answer.hits
            if hit.text in self._scores
        ]
        checked.sort(key=lambda hit: -(hit.checked or 0.0))
        others = [hit for hit in answer.hits if hit.text not in self._scores]
        return replace(answer, hits=(*checked, *others), checked_by=self._by)


def _without_count(question: Question) -> Question:
    return replace(question, count=0)
