"""What the search page says in place of results, and above them."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.jobs import JobEnd
from app.look.words import count
from app.pages.blank_rows import are_all_blank, show_blank_rows
from app.pages.search_asking import Asking
from app.pages.search_filter import NO_FILTER
from app.pages.search_question import Answer
from app.pages.search_view import SearchView
from app.pages.search_words import Nothing, nothing_of, without_filters
from app.workspace import Workspace

_PATIENCE_MS = 300  # before waiting is told
_COUNTED = 200  # texts asked for to tell how many the filters hide


class SearchStates(QObject):
    """No texts, not encoded, nothing found, failed."""

    import_wanted = Signal()
    prepare_wanted = Signal()
    again_wanted = Signal()

    def __init__(
        self, workspace: Workspace, view: SearchView, asking: Asking, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._workspace, self._view, self._asking = workspace, view, asking
        self._does = ""  # what the button under "nothing found" does
        self._waited = False  # when the asking was last heard of
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._tell_activity)
        asking.state_changed.connect(self._note_asking)
        asking.warm_failed.connect(self._tell_no_encoder)
        view.empty.wanted.connect(self.import_wanted)
        view.nothing.wanted.connect(self._press)
        view.notices.answered.connect(self._answer)

    def show_project(self) -> None:
        """Say what the project lacks for searching."""
        state = self._workspace.state
        self._view.show_empty(state is not None and not state.texts)
        if state is None:
            return
        if are_all_blank(self._workspace):
            show_blank_rows(self._view.empty, self._workspace, icon="search", purpose="search")
        elif not state.texts:
            may_import = not self._workspace.read_only
            self._view.empty.show_state(
                "search", "No texts to search yet.", note="Import a file to begin." * may_import,
                button="Import a file…" * may_import,
            )  # fmt: skip
        self._view.bar.allow_meaning(state.encoded > 0 or not state.texts)
        self._tell_encoded(state.texts, state.encoded)

    def show_waiting(self) -> None:
        """Nothing holds the words, and what means the same is still to come."""
        self._does = ""
        self._view.nothing.show_state(
            "clock", "Loading the encoder…",
            note="Nothing holds these words; texts that say the same come in a moment.",
        )  # fmt: skip
        self._view.show_nothing()

    def show_nothing(self, answer: Answer) -> None:
        """Say that nothing was found, why, and what could be done."""
        told = nothing_of(answer, can_mean=self._asking.may_mean)
        self._show(told)
        if told.does == "filters" and answer.by == "words" and answer.allowed:
            self._ask_without_filters(answer, told)

    def show_failure(self, end: JobEnd, *, keep: bool) -> None:
        """Say that a search failed; with `keep` above the results there are."""
        if keep:
            words = f"{end.what} {end.remedy}".strip()
            self._view.notices.say("failed", "error", words, button="Try again")
            return
        self._does = "again"
        self._view.nothing.show_state("warning", end.what, note=end.remedy, button="Try again")
        self._view.show_nothing()

    def _tell_no_encoder(self, end: JobEnd) -> None:
        """Say why meaning cannot be compared."""
        # To start the step again, as a lost worker asks for, is what the button does.
        remedy = "" if end.worker_lost else end.remedy
        words = f"{end.what} {remedy} Until then texts are found by their words only."
        self._view.notices.say("encoder", "warning", " ".join(words.split()), button="Try again")

    def _show(self, told: Nothing) -> None:
        self._does = told.does
        icon = "filter" if told.does == "filters" else "search"
        self._view.nothing.show_state(icon, told.sentence, note=told.note, button=told.button)
        self._view.show_nothing()

    def _ask_without_filters(self, answer: Answer, told: Nothing) -> None:
        """Find out what the filters hide; by meaning they can only hide everything."""
        question = replace(answer.question, filter=NO_FILTER, by="words", count=_COUNTED)
        self._workspace.start(
            "search", question.values(), title="Searching", lane="live",
            then=partial(self._take_without_filters, answer, told),
        )  # fmt: skip

    def _take_without_filters(self, answer: Answer, told: Nothing, end: JobEnd) -> None:
        if self._view.results.answer is answer and end.kind == "finished":
            hidden = without_filters(len(end.outcome["hits"]), _COUNTED)
            self._show(replace(told, note=f"{told.note} {hidden}"))

    def _note_asking(self) -> None:
        """Waiting is told only when it lasts."""
        if self._asking.is_warm:
            self._view.notices.drop("encoder")
        waits = self._asking.is_busy or self._asking.is_loading
        if not waits:
            self._patience.stop()
        elif not self._waited:
            self._patience.start()
        self._waited = waits
        self._tell_activity()

    def _tell_activity(self) -> None:
        words = ""
        if not self._patience.isActive():
            if self._asking.is_loading:
                words = "Loading the encoder…"
            elif self._asking.is_busy and not self._view.bar.question.is_empty:
                words = "Searching…"
        self._view.tell_activity(words)

    def _tell_encoded(self, texts: int, encoded: int) -> None:
        button = "" if self._workspace.read_only else "Encode"
        if not encoded and texts:
            words = "These texts are not encoded yet, so they are found by their words only."
            self._view.notices.say("encode", "info", words, button=button)
        elif encoded < texts:
            words = (
                f"{count(texts - encoded)} of {count(texts)} texts are not encoded yet and are "
                "found by their words only."
            )
            self._view.notices.say("encode", "info", words, button=button)
        else:
            self._view.notices.drop("encode")

    def _press(self) -> None:
        if self._does == "filters":
            self._view.bar.clear_filter()
        elif self._does == "meaning":
            self._view.bar.set_way("meaning")
        elif self._does == "again":
            self.again_wanted.emit()

    def _answer(self, subject: str) -> None:
        if subject == "encode":
            self.prepare_wanted.emit()
        elif subject == "encoder":
            self._view.notices.drop("encoder")
            self._asking.try_again()
            self.again_wanted.emit()
        elif subject == "failed":
            self._view.notices.drop("failed")
            self.again_wanted.emit()
