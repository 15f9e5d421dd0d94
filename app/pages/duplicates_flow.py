"""Deciding without waiting: what is shown next, what is sent, what comes back."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.jobs import JobEnd
from app.pages.duplicates_opening import opening
from app.pages.duplicates_reads import Candidate, Case, read_case
from app.pages.duplicates_turned import Turned, case_at_home, case_of_pair, keeper_wish, swapped
from app.pages.duplicates_verdicts import FreshVerdicts
from app.workspace import Workspace
from core.records import Verdict
from core.store.decisions import Step

_TITLE_LENGTH = 40
_NAMES = {Verdict.SAME: "Same", Verdict.DIFFERENT: "Different", Verdict.UNSURE: "Unsure"}


class DecisionFlow(QObject):
    """Keeps the case on show, the verdicts that are newer than it, and what undo touched.

    A verdict is shown at once and stored in the background; one that cannot be stored is
    taken off the page again and told by `failed`.
    """

    case_ready = Signal(object, object)  # Case, the candidate's text to show or None
    case_gone = Signal(int)  # the kept text that no row holds any more
    turned = Signal(str)  # undone or redone: what was said
    regroup_wanted = Signal(bool)  # at once?
    failed = Signal(object)  # JobEnd

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.fresh = FreshVerdicts()
        self.review_from = 0.0
        self._case: Case | None = None
        self._ahead: dict[int, Case] = {}
        self._awaited: int | None = None
        self._also: tuple[int, ...] = ()
        self._seen: dict[tuple[int, int], int] = {}  # pair → the text it was kept beside
        self._turned_pair: tuple[int, int] | None = None  # undone or done again, on show
        self._steps: tuple[Step | None, Step | None] | None = None
        self._moved = False
        self._sending = 0
        self._is_reading = False

    @property
    def is_busy(self) -> bool:
        """Whether something is being stored or read."""
        return self._sending > 0 or self._is_reading or self._moved

    @property
    def is_waiting(self) -> bool:
        """Whether a case was asked for that is not here yet; keys had better wait."""
        return self._awaited is not None

    @property
    def kept_text(self) -> int | None:
        """The group on show, or the one that is about to be."""
        if self._awaited is not None:
            return self._awaited
        return None if self._case is None else self._case.kept.text

    def reset(self) -> None:
        """Forget everything: another project."""
        self.fresh.clear()
        self._case, self._ahead, self._awaited = None, {}, None
        self._also, self._seen, self._steps = (), {}, None
        self._moved = self._is_reading = False
        self._turned_pair = None
        self._sending = 0

    def open(self, text: int, *, candidate: int | None = None) -> None:
        """Show a group, at once if it was read ahead."""
        self._turned_pair = None
        if text != self.kept_text:
            self._also = ()
        self._awaited = text
        known = self._ahead.pop(text, None)
        if known is not None:
            self._take(text, candidate, known)
        self._read(text, None if known is not None else candidate)

    def leave(self) -> None:
        """Show no group, until one is opened."""
        self._case, self._awaited, self._also = None, None, ()

    def look_again(self) -> None:
        """Read the group on show again, after a grouping; where its text went, if it went."""
        self._ahead = {}
        text = self.kept_text
        if text is None or text in self.fresh.leads:
            return  # the grouping that knows of another kept row is still to come
        if self._turned_pair is None or self._awaited is not None:
            self._read(text, None)
        else:
            self._show_pair(*self._turned_pair)

    def read_ahead(self, text: int | None) -> None:
        """Have the next group at hand."""
        if text is not None and text not in self._ahead:
            self._workspace.read(
                "duplicates.ahead",
                lambda project: read_case(project, text),
                lambda case: self._ahead.update({text: case} if case else {}),
            )

    def give(
        self, candidate: Candidate, verdict: Verdict | None, *, keep: bool = False
    ) -> Case | None:
        """Note and send a verdict; return the case as it looks with it.

        With `keep` the candidate's row is from now on the one that stays.
        """
        case = self._case
        if case is None or case.kept.text is None or candidate.text == case.kept.text:
            return None
        name = "Take back" if verdict is None else _NAMES[verdict]
        if keep:
            name = f"{name}, keep the other"
        title = f"{name}: “{_cut(candidate.document.body)}”"
        self._send(case, [candidate], verdict, title, keep=keep)
        if keep:
            self._case = swapped(case, candidate, verdict)
            self.fresh.lead(candidate.text, case.kept.text)
            self._also = ()
        return self.shown()

    def accept(self, candidates: Sequence[Candidate]) -> Case | None:
        """Decide several candidates the same, as one step of undo."""
        case = self._case
        if case is None or not candidates:
            return None
        self._send(
            case, candidates, Verdict.SAME, f"Accept {len(candidates)}: “{_cut(case.kept.body)}”"
        )
        return self.shown()

    def keep(self, candidate: Candidate) -> None:
        """Make the row of a removed candidate the one that stays, and show it so at once."""
        case = self._case
        if case is None or case.kept.text is None:
            return
        self._case = swapped(case, candidate, candidate.verdict)
        self._also, self._turned_pair = (), None
        if candidate.text != case.kept.text:
            self.fresh.lead(candidate.text, case.kept.text)
        self._sending += 1
        self._workspace.start(
            "keep", keeper_wish(case, candidate), title="Keep the other", lane="live",
            then=self._take_end,
        )  # fmt: skip
        self.case_ready.emit(self.shown(), case.kept.text)

    def shown(self) -> Case | None:
        """The case with the verdicts that are newer than it."""
        return None if self._case is None else self.fresh.on(self._case)

    def note_decisions(self) -> None:
        """Decisions moved, here or elsewhere: find out whether something was undone."""
        self._moved = True
        self.note_steps()

    def note_steps(self) -> None:
        """Learn the steps of undo as they are now."""
        self._workspace.read(
            "duplicates.steps", lambda project: project.decisions.steps(), self._take_steps
        )

    def _send(
        self,
        case: Case,
        candidates: Sequence[Candidate],
        verdict: Verdict | None,
        title: str,
        *,
        keep: bool = False,
    ) -> None:
        kept = case.kept.text or 0
        pairs = [[one.partner(kept, verdict), one.text] for one in candidates]
        for one, (left, right) in zip(candidates, pairs, strict=True):
            self.fresh.give(kept, one, verdict, self.review_from)
            self._seen[min(left, right), max(left, right)] = kept
        self._turned_pair = None
        self._sending += 1
        values: dict[str, object] = {
            "pairs": pairs, "verdict": None if verdict is None else str(verdict), "title": title
        }  # fmt: skip
        if keep:
            values["keep"] = keeper_wish(case, candidates[0])
        self._workspace.start(
            "decide", values, title="Deciding", lane="live",
            then=partial(self._take_end, pairs=pairs),
        )  # fmt: skip

    def _take_end(self, end: JobEnd, *, pairs: Sequence[Sequence[int]] = ()) -> None:
        self._sending = max(0, self._sending - 1)
        if end.kind != "failed":
            return
        for kept, other in pairs:
            self.fresh.forget(kept, other)
        text = self.kept_text
        if text in self.fresh.leads:
            self.open(self.fresh.listed(text or 0))  # no other row is kept after all
        else:
            self.look_again()
        self.failed.emit(end)

    def _read(self, text: int, candidate: int | None) -> None:
        also = self._also
        self._is_reading = True
        self._workspace.read(
            "duplicates.case",
            lambda project: case_at_home(project, text, also),
            partial(self._take, text, candidate),
        )

    def _take(self, text: int, candidate: int | None, case: Case | None) -> None:
        self._is_reading = False
        if text != self.kept_text:
            return
        self._awaited = None
        if case is None:
            self._case = None
            self.case_gone.emit(text)
            return
        moved = case.kept.text != text
        if case == self._case and not moved and candidate is None:
            return
        self._case = case
        self.case_ready.emit(self.shown(), text if moved else candidate)

    def _take_steps(self, steps: tuple[Step | None, Step | None]) -> None:
        before, self._steps = self._steps or (None, None), steps
        if not self._moved:
            return
        self._moved = False
        done, undone = steps
        turned = None
        if undone is not None and before[0] is not None and undone.number == before[0].number:
            turned, word = undone, "Undone"
        elif done is not None and before[1] is not None and done.number == before[1].number:
            turned, word = done, "Done again"
        self.regroup_wanted.emit(turned is not None)
        if turned is None:
            return
        for left, right in turned.pairs:
            self.fresh.forget(left, right)
        self.turned.emit(f"{word}: {turned.title}")
        self._turned_pair = None
        if turned.pairs:
            self._awaited = None
            self._show_pair(*turned.pairs[0], anew=True)
            self._turned_pair = turned.pairs[0]

    def _show_pair(self, left: int, right: int, *, anew: bool = False) -> None:
        seen = self._seen.get((left, right))
        self._is_reading = True
        self._workspace.read(
            "duplicates.case",
            lambda project: case_of_pair(project, left, right, seen),
            partial(self._take_pair, anew),
        )

    def _take_pair(self, anew: bool, found: Turned) -> None:
        self._is_reading = False
        other, also, case = found
        if case is None or self._awaited is not None:
            return
        moved = self._case is None or case.kept.text != self._case.kept.text
        self._also, self._case = also, case
        # A person may have gone on to another candidate of the group meanwhile.
        self.case_ready.emit(self.shown(), other if anew or moved else None)


def _cut(text: str) -> str:
    return opening(text, length=_TITLE_LENGTH)
