"""What the keys and buttons of the duplicates page do to the pair and the group on show."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from app.look.words import count, counted
from app.pages.duplicates_flow import DecisionFlow
from app.pages.duplicates_view import DuplicatesView
from app.pages.duplicates_walk import GroupWalk
from app.sheets.bulk_sheet import BulkSheet
from app.workspace import Workspace
from core.records import Verdict


class DecidingHand(QObject):
    """Gives verdicts; does nothing in a read-only project or while a group is awaited."""

    def __init__(
        self,
        workspace: Workspace,
        view: DuplicatesView,
        flow: DecisionFlow,
        walk: GroupWalk,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._workspace, self._view, self._flow, self._walk = workspace, view, flow, walk
        self._page = parent
        self.band_sheet: BulkSheet | None = None
        view.panel.card.verdict_given.connect(lambda told: self.decide(Verdict(told)))
        view.panel.card.keep_other_wanted.connect(self.keep_other)
        view.panel.accept_wanted.connect(self.accept_group)

    def decide(self, verdict: Verdict | None) -> None:
        """Give the candidate on the card this verdict, or take its verdict back."""
        candidate = self._view.panel.current
        if candidate is None or not self._may_decide():
            return
        if verdict is None and candidate.verdict is None:
            self._view.panel.say("There is no decision to take back here.")
            return
        case = self._flow.give(candidate, verdict)
        if case is not None:
            self._walk.go_on(case, stay=candidate.place != "waiting")

    def keep_other(self) -> None:
        """Keep the candidate's row; where that is not said yet, both are the same with it."""
        panel, candidate = self._view.panel, self._view.panel.current
        if candidate is None or not self._may_decide():
            return
        if candidate.place == "removed" or candidate.verdict is Verdict.SAME:
            self._flow.keep(candidate)
            panel.say("This row stays now; the other one is beside it.")
            return
        kept_before = self._flow.kept_text
        case = self._flow.give(candidate, Verdict.SAME, keep=True)
        if case is not None:
            if candidate.place == "waiting":
                self._walk.go_on(case, stay=False)
            else:
                self._walk.show_case(case, kept_before)
            panel.say("Decided the same, and the other row stays. Ctrl+Z takes both back.")

    def accept_group(self) -> None:
        """Accept what waits in this group; held-back pairs only when nothing else waits."""
        case = self._view.panel.case
        if case is None or not self._may_decide():
            return
        waiting = [one for one in case.candidates if one.place == "waiting"]
        plain = [one for one in waiting if not one.flags]
        chosen = plain or waiting
        shown = self._flow.accept(chosen)
        if shown is None:
            return
        self._walk.go_on(shown, stay=False)
        held = len(waiting) - len(chosen)
        if held:
            self._view.panel.say(
                f"Accepted {count(len(chosen))}. {counted(held, 'pair')} with a warning "
                f"{'is' if held == 1 else 'are'} left: look, or press A again."
            )

    def open_texts(self) -> None:
        """Show the pair large."""
        case, candidate = self._view.panel.case, self._view.panel.current
        if case is not None and candidate is not None:
            self._view.texts_sheet.show_pair(case.kept, candidate)

    def open_band(self) -> None:
        """Ask which waiting pairs to accept by their cosine."""
        if self._workspace.read_only or self._view.is_empty_shown:
            return
        options = self._view.strip.options
        sheet = BulkSheet(
            self._workspace, low=options.review, high=options.threshold, parent=self._page
        )
        sheet.accepted_pairs.connect(self._note_band)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.band_sheet = sheet
        sheet.open()

    def _may_decide(self) -> bool:
        return not (self._workspace.read_only or self._flow.is_waiting)

    def _note_band(self, pairs: int) -> None:
        # What was on the card may just have been accepted: go on where something waits.
        self._flow.leave()
        self._view.panel.say(f"Accepted {counted(pairs, 'pair')}. Ctrl+Z takes them all back.")
