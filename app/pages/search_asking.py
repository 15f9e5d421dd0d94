"""Asking the engine: one question at a time, the newest next, and no old answer shown."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.jobs import JobEnd
from app.pages.search_question import Answer, Question, answer_from
from app.workspace import Workspace

_MOST_LOST = 2  # workers lost in a row while loading, before only a person tries again


class Asking(QObject):
    """Holds the newest question until the one before it has been answered.

    Until the encoder is loaded a question is asked twice: at once by words, on the lane of
    short jobs, and then as it was meant. An answer to an older question is dropped.
    """

    answered = Signal(object)  # Answer
    failed = Signal(object, object)  # Question, JobEnd
    state_changed = Signal()
    warm_failed = Signal(object)  # JobEnd

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._number = 0  # of the newest question
        self._wanted: Question | None = None  # held back until the lane is free
        self._is_asking = False
        self._is_warm = False
        self._is_warming = False
        self._cannot_load = False
        self._lost = 0  # workers in a row that ended while they were loading
        self._epoch = 0  # raised when what was asked before is nobody's business any more

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._is_asking or self._wanted is not None

    @property
    def is_warm(self) -> bool:
        """Whether the encoder is loaded, so that an answer takes no time."""
        return self._is_warm

    @property
    def is_loading(self) -> bool:
        """Whether the encoder is being loaded."""
        return self._is_warming

    @property
    def can_mean(self) -> bool:
        """Whether some texts have vectors, so that their meaning can be compared."""
        state = self._workspace.state
        return state is not None and state.encoded > 0

    @property
    def may_mean(self) -> bool:
        """Whether a question asked now would be answered by meaning, as far as is known."""
        return self.can_mean and (not self._cannot_load or self._tries_again)

    def warm(self) -> None:
        """Have the encoder loaded, unless it is or cannot be."""
        is_done = self._is_warm or self._is_warming or self._cannot_load
        if is_done or not self.can_mean or self._workspace.folder is None:
            return
        self._is_warming = True
        self._workspace.start(
            "warm", title="Loading the encoder", lane="search",
            then=partial(self._end_warming, self._epoch),
        )  # fmt: skip
        self.state_changed.emit()

    def cool(self) -> None:
        """The vectors have moved: what the worker holds must be loaded again."""
        self._is_warm = self._cannot_load = False
        self._lost = 0

    def try_again(self) -> None:
        """A person wants the encoder loaded although it could not be."""
        self._cannot_load = False
        self._lost = 0
        self.warm()

    def ask(self, question: Question, *, again: bool = False) -> None:
        """Ask; `answered` or `failed` follows, unless something newer is asked.

        With `again` an answer is on show already, so that none by words alone is wanted.
        """
        self._number += 1
        self._wanted = question
        self._cannot_load &= not self._tries_again
        self.warm()
        if self._is_warming and question.like is None and not again:
            self._look_first(question)
        self._send_next()
        self.state_changed.emit()

    def drop(self) -> None:
        """Want no answer any more."""
        self._number += 1
        self._wanted = None
        self.state_changed.emit()

    def reset(self) -> None:
        """The project is gone, and with it all that was asked."""
        self._epoch += 1
        self._is_asking = self._is_warming = False
        self.cool()
        self.drop()

    @property
    def _tries_again(self) -> bool:
        """Whether the next question has the encoder loaded anew, since only its worker was lost."""
        return 0 < self._lost < _MOST_LOST

    def _look_first(self, question: Question) -> None:
        """Show what words find while the encoder is on its way."""
        values = replace(question, by="words").values()
        self._workspace.start(
            "search", values, title="Searching", lane="live",
            then=partial(self._take_first_look, self._number, question),
        )  # fmt: skip

    def _send_next(self) -> None:
        question = self._wanted
        if question is None or self._is_asking or self._workspace.folder is None:
            return
        self._wanted = None
        self._is_asking = True
        # By words nothing is loaded, so such a question need not wait for a worker that would.
        only_words = question.like is None and (self._cannot_load or not self.can_mean)
        asked = replace(question, by="words") if only_words else question
        self._workspace.start(
            "search", asked.values(), title="Searching", lane="live" if only_words else "search",
            then=partial(self._take, self._epoch, self._number, question, asked.by),
        )  # fmt: skip

    def _take_first_look(self, number: int, question: Question, end: JobEnd) -> None:
        # The true answer may have been quicker, or have failed and said why.
        if number == self._number and self.is_busy and end.kind == "finished":
            self.answered.emit(answer_from(question, end.outcome, is_first_look=True))

    def _take(self, epoch: int, number: int, question: Question, by: str, end: JobEnd) -> None:
        if epoch != self._epoch:
            return
        self._is_asking = False
        if end.worker_lost:
            self._is_warm = False
        if self._cannot_load and by != "words" and question.like is None:
            self._note_late_loading(end)
        is_newest = number == self._number
        if is_newest and end.kind == "failed" and self._cannot_load and by != "words":
            # It waited for an encoder that did not come: words are still to be had.
            self._wanted = None if question.like is not None else question
            is_newest = self._wanted is None
        self._send_next()
        if is_newest and end.kind == "finished":
            self.answered.emit(answer_from(question, end.outcome))
        elif is_newest and end.kind == "failed":
            self.failed.emit(question, end)
        self.state_changed.emit()

    def _note_late_loading(self, end: JobEnd) -> None:
        """A question that stood behind a loading in vain has had its worker load once more."""
        if end.worker_lost:
            self._lost += 1
        elif end.kind == "finished" and end.outcome["by"] != "words":
            self._is_warm, self._cannot_load, self._lost = True, False, 0

    def _end_warming(self, epoch: int, end: JobEnd) -> None:
        if epoch != self._epoch:
            return
        self._is_warming = False
        self._is_warm = end.kind == "finished"
        self._cannot_load = end.kind == "failed"
        self._lost = self._lost + 1 if end.worker_lost else 0
        if end.kind == "failed":
            self.warm_failed.emit(end)
        self.state_changed.emit()


def is_answered_by(question: Question, answer: Answer | None) -> bool:
    """Whether this answer holds for the question, perhaps with fewer texts than it asks for."""
    return answer is not None and replace(question, count=0) == replace(answer.question, count=0)
