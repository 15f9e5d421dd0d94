"""Which group is on show: going from one to the next, to the done state and back."""

from PySide6.QtCore import QObject

from app.look.words import count, counted, duration
from app.pages.duplicates_flow import DecisionFlow
from app.pages.duplicates_reading import GroupsReading
from app.pages.duplicates_reads import Candidate, Case, Listing
from app.pages.duplicates_view import DuplicatesView
from core.store import GroupFilter


class GroupWalk(QObject):
    """Keeps list, card and the lines that say where one is in step with each other."""

    def __init__(
        self, view: DuplicatesView, flow: DecisionFlow, reading: GroupsReading, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._view, self._flow, self._reading = view, flow, reading
        view.groups.count_fewer(flow.fresh.fewer)
        view.list.chosen.connect(flow.open)
        view.panel.previous_wanted.connect(lambda: self.step(-1))
        view.panel.next_wanted.connect(lambda: self.step(1))
        flow.case_ready.connect(self.show_case)
        flow.case_gone.connect(lambda _text: self.begin())

    @property
    def nothing_left(self) -> bool:
        return self._reading.left == 0

    def show_listing(self, listing: Listing) -> None:
        """Show the list as it was read, without moving what a person looks at."""
        bar = self._view.list.verticalScrollBar()
        place = bar.value()
        self._view.groups.show_listing(listing)
        bar.setValue(place)
        self.show_left()
        text = self._flow.kept_text
        if text is not None and not self._view.panel.is_done_shown:
            self._view.mark_in_list(self._position(text))
            self._flow.look_again()
        else:
            self.begin()

    def begin(self) -> None:
        """Show the first group with something to decide, or the first of all."""
        wanted, groups = self._view.filter.wanted, self._view.groups
        at = groups.next_waiting(-1)
        if at is not None:
            self._open_at(at)
        elif self.nothing_left and wanted == GroupFilter("all", wanted.sort):
            self._finish()
        elif groups.rowCount():
            self._open_at(0)
        else:
            self._say_nothing_found()

    def show_case(self, case: Case, candidate: int | None) -> None:
        """Show a group at a candidate, and have the next group read."""
        self._view.panel.show_case(case, candidate=candidate)
        self._view.mark_in_list(self._position(case.kept.text or 0))
        self._show_place(case)
        following = self._following_group(case)
        if following is not None:
            self._flow.read_ahead(self._view.groups.group(following).text)

    def go_on(self, case: Case, *, stay: bool) -> None:
        """Show what comes next: in this group, in the next one, or that all is done."""
        panel = self._view.panel
        self._view.groups.refresh(self._flow.fresh.listed(case.kept.text or 0))
        self.show_left()
        self._view.strip.show_left(self._reading.left)
        waiting = [one for one in case.candidates if one.place == "waiting"]
        if stay or waiting:
            wanted = None if stay else _following(waiting, panel.current)
            panel.show_case(case, candidate=wanted)
            self._show_place(case)
            return
        following = self._following_group(case)
        if following is not None:
            self._open_at(following)
        elif self.nothing_left:
            self._finish()
        else:
            panel.show_case(case)
            self._show_place(case)
            panel.say("Nothing more waits in this list. Other groups are left: show all of them.")

    def step(self, by: int) -> None:
        """Open the next or the previous group of the list."""
        text, groups = self._flow.kept_text, self._view.groups.rowCount()
        at = None if text is None else self._position(text)
        to = (0 if by > 0 else groups - 1) if at is None else at + by
        if 0 <= to < groups:
            self._open_at(to)

    def show_left(self) -> None:
        """Say how many pairs are left in all, and how long they take."""
        left = self._reading.left
        told = f"{count(left)} left, {duration(left * self._reading.pace_s)}"
        self._view.panel.show_left(told if left else "none left")

    def _open_at(self, at: int) -> None:
        self._view.list.select(at)
        self._flow.open(self._view.groups.group(at).text)

    def _position(self, text: int) -> int | None:
        return self._view.groups.position(self._flow.fresh.listed(text))

    def _following_group(self, case: Case) -> int | None:
        listed = self._flow.fresh.listed(case.kept.text or 0)
        at = self._view.groups.position(listed)
        skip = self._flow.fresh.merged | {listed}
        return self._view.groups.next_waiting(-1 if at is None else at, skip=skip)

    def _show_place(self, case: Case) -> None:
        at = self._position(case.kept.text or 0)
        waiting = sum(one.place == "waiting" for one in case.candidates)
        self._view.panel.show_place(at, self._view.groups.rowCount(), waiting)

    def _finish(self) -> None:
        record = self._reading.record
        if record is None:
            return
        self._flow.leave()  # a late reading of the last group must not come in its place
        counts = record.counts
        removed, kept = counts["removed"], counts["kept"]
        has_any = bool(removed or self._view.groups.rowCount())
        self._view.list.clear_choice()
        self._view.panel.show_done(
            "Everything is decided." if has_any else "No duplicates were found.",
            f"{counted(counts['rows'], 'row')} = {count(kept)} kept + {count(removed)} removed",
            has_removed=removed > 0,
        )
        self._view.panel.show_place(None, self._view.groups.rowCount(), 0)

    def _say_nothing_found(self) -> None:
        self._flow.leave()
        shown = self._view.filter.wanted.show
        self._view.panel.show_nothing(
            "Nothing waits for you." if shown == "review" else "No group is like that.",
            button="Show all groups" if shown != "all" else "",
        )
        self._view.panel.show_place(None, 0, 0)


def _following(waiting: list[Candidate], current: Candidate | None) -> int:
    """The waiting candidate below the one just decided; the list is by falling cosine."""
    score = 2.0 if current is None or current.cosine is None else current.cosine
    below = [one for one in waiting if (one.cosine or 0.0) <= score]
    return (below or waiting)[0].text
