"""The page of changes: what another encoder gained and lost, to be decided at once."""

from dataclasses import replace
from functools import partial

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QWidget

from app.jobs import JobEnd
from app.look.words import counted
from app.pages.changes_actions import PageActions
from app.pages.changes_cards import ChangesCards
from app.pages.changes_flow import ChangesFlow
from app.pages.changes_head import show_nothing, show_standing, tell_left
from app.pages.changes_reads import (
    Card,
    ChangeLine,
    Listing,
    Pair,
    Standing,
    read_lines,
    read_openings,
    read_standing,
)
from app.pages.changes_view import ChangesView
from app.pages.duplicates_opening import opening
from app.pages.page import Page
from app.workspace import Workspace
from core.records import Changes, Verdict
from core.store import DifferenceRecord

_NAMES = {Verdict.SAME: "Same", Verdict.DIFFERENT: "Different", Verdict.UNSURE: "Unsure"}
_TITLE_LENGTH = 40
_READ_ONLY_NOTE = "The project is open for reading only."


class ChangesPage(Page):
    """A list of pairs, or of groups with their texts, and both texts of the current line."""

    name = "What changed"

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.view = view = ChangesView(self)
        self.model, self.list, self.card = view.model, view.list, view.card
        self.flow = ChangesFlow(workspace, self)
        self.cards = ChangesCards(workspace, self)
        self.actions_ = PageActions(self, self.card.card_actions())
        self.standing: Standing | None = None
        self._shown: ChangeLine | None = None  # on the card
        self._card: Card | None = None
        self._is_stale = True
        self._awaited: set[str] = set()  # what is being read
        self._connect()
        self._connect_actions()
        show_standing(self.view, self.standing)

    def menu_actions(self) -> dict[str, list[QAction]]:
        return {self.name: self.actions_.menu}

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._read()
        self.view.focus_work()

    @property
    def current(self) -> ChangeLine | None:
        """The pair on the card, None while it is still being read."""
        at = self.model.line(self.list.place)
        return self._shown if at is not None and self._shown == at else None

    @property
    def is_settled(self) -> bool:
        """Whether everything decided is stored and shown."""
        return not (self._is_stale or self._awaited or self.flow.is_busy)

    @property
    def _record(self) -> DifferenceRecord | None:
        return None if self.standing is None else self.standing.record

    def decide(self, verdict: Verdict | None) -> None:
        """Give the pair on the card this verdict, or take its verdict back, and go on."""
        line = self.current
        if line is None or self.workspace.read_only:
            return
        if verdict is None and self.model.verdict(line) is None:
            self.card.show_note("There is no decision to take back here.")
            return
        word = "Take back" if verdict is None else _NAMES[verdict]
        self.flow.give([line.pair], verdict, title=f"{word}: “{self._opening(line)}”")
        if verdict is None:
            self._show_card()
        else:
            self._go_on()

    def accept_group(self) -> None:
        """Say "same" of every undecided pair in the group of the current line, in one step."""
        line = self.current
        if line is None or line.group is None or self.workspace.read_only:
            return
        pairs = [one.pair for _, one in self.model.pairs()
                 if one.group == line.group and self.model.verdict(one) is None]  # fmt: skip
        if not pairs:
            self.card.show_note("All of this group is decided.")
            return
        kept = opening(self.model.text(line.group.kept), length=_TITLE_LENGTH)
        self.flow.give(pairs, Verdict.SAME, title=f"Accept {len(pairs)}: “{kept}”")
        self._go_on()
        self.card.show_note(f"Accepted {counted(len(pairs), 'pair')}. Ctrl+Z takes them all back.")

    def step(self, by: int) -> None:
        """Show the next or the previous pair."""
        to = self.model.step(self.list.place, by)
        if to is not None:
            self.list.go_to(to)

    def _go_on(self) -> None:
        """Show the next pair that nothing was said of; stay where there is none."""
        to = self.model.next_undecided(self.list.place)
        if to is not None:
            self.list.go_to(to)
        else:
            self._show_card()
            self.card.show_note("All of these are decided.")
        tell_left(self.view, self._record)

    def _read(self) -> None:
        self._is_stale = False
        self._awaited.add("standing")
        self.workspace.read("changes.standing", read_standing, self._take_standing)

    def _take_standing(self, standing: Standing) -> None:
        self._awaited.discard("standing")
        before = self._record
        self.standing = standing
        show_standing(self.view, self.standing)
        if standing.record is None:
            self._clear_list()
        elif before is None or before.id != standing.record.id:
            self._read_lines()

    def _read_lines(self) -> None:
        wanted = self.view.wanted
        self._awaited.add("lines")
        self.workspace.read(
            "changes.lines", lambda project: read_lines(project, wanted), self._take_lines
        )
        self.flow.look_again(wanted.what)

    def _take_lines(self, listing: Listing) -> None:
        self._awaited.discard("lines")
        self._shown = None
        self.cards.forget()
        self.card.show_pair(None)
        self.model.show_listing(listing)
        show_standing(self.view, self.standing)
        first = self.model.step(-1, 1)
        self.view.show_nothing(first is None)
        if first is not None:
            self.list.go_to(first)
        else:
            show_nothing(self.view)
        if self.isVisible():
            self.view.focus_work()

    def _choose(self, at: int) -> None:
        line = self.model.line(at)
        if line is not None and line != self._shown:
            self.cards.want(line)

    def _take_card(self, line: ChangeLine, card: Card | None) -> None:
        if line != self.model.line(self.list.place):
            return
        self._shown, self._card = line, card
        self._show_card()
        following = self.model.next_undecided(self.list.place)
        self.cards.read_ahead(None if following is None else self.model.line(following))

    def _show_card(self) -> None:
        line, card = self._shown, self._card
        may = not self.workspace.read_only
        self.actions_.allow(
            deciding=may and line is not None,
            group=line is not None and line.group is not None,
            groups=self.view.what.key == "groups",
        )
        if line is None or card is None:
            self.card.show_pair(None)
            self.card.show_note("" if line is None else "No row holds one of these texts any more.")
            return
        if line.group is None:
            self.card.name_sides("First", "Second")
        else:
            self.card.name_sides("Kept", "Joined" if line.kind == "joined" else "Left")
        self.card.show_pair(replace(card.content, verdict=self.model.verdict(line)))
        self.card.allow(deciding=may, keeping=False)
        self.card.show_note("" if may else _READ_ONLY_NOTE)

    def _clear_list(self) -> None:
        self._shown = self._card = None
        self.cards.forget()
        self.model.show_listing(Listing((), {}))
        self.card.show_pair(None)

    def _show_all(self) -> None:
        self.view.kind.choose("all")
        self.view.undecided.setChecked(False)
        self._filter_anew()

    def _choose_what(self, key: str) -> None:
        self.view.what.choose(key)
        self._filter_anew()

    def _choose_kind(self, key: str) -> None:
        self.view.kind.choose(key)
        self._filter_anew()

    def _filter_anew(self) -> None:
        show_standing(self.view, self.standing)
        if self._record is not None:
            self._read_lines()

    def _take_verdicts(self, verdicts: dict[Pair, Verdict | None]) -> None:
        self.model.take_verdicts(verdicts)
        tell_left(self.view, self._record)
        line = self.current
        if line is not None and self._card is not None:
            self.card.show_pair(replace(self._card.content, verdict=self.model.verdict(line)))
            self.card.allow(deciding=not self.workspace.read_only, keeping=False)

    def _note_turned(self, words: str, pair: Pair | None) -> None:
        at = None if pair is None else self.model.place_of(pair)
        if at is not None and self.isVisible():
            self.list.go_to(at)
        self.card.show_note(words)

    def _tell_failed(self, end: JobEnd) -> None:
        self.view.banner.show_message("error", f"{end.what} {end.remedy}".strip())
        self.flow.look_again(self.view.wanted.what)

    def _note_changes(self, changes: Changes) -> None:
        if changes.decisions and self._record is not None:
            self.flow.look_again(self.view.wanted.what)
        moved = (changes.corpus, changes.vectors, changes.pairs, changes.groups, changes.decisions)
        if any(moved):
            self._is_stale = True
            if self.isVisible():
                self._read()

    def _note_closed(self) -> None:
        self.flow.reset()
        self.standing, self._is_stale = None, True
        self._awaited.clear()
        self._shown = self._card = None
        self.cards.forget()
        self.model.forget()
        self.card.show_pair(None)
        show_standing(self.view, self.standing)

    def _press_empty(self) -> None:
        has_groups = self.standing is not None and self.standing.has_groups
        self.page_wanted.emit("Teach" if has_groups else "Duplicates")

    def _hide_scores(self, hidden: bool) -> None:
        self.model.hides_score = hidden
        self.list.viewport().update()

    def _show_like(self, side: str) -> None:
        if self._card is not None:
            self.neighbours_wanted.emit(self._card.first if side == "kept" else self._card.second)

    def _opening(self, line: ChangeLine) -> str:
        return opening(self.model.text(line.second), length=_TITLE_LENGTH)

    def _fetch_texts(self, texts: list[int]) -> None:
        self.workspace.read(
            "changes.texts", lambda project: read_openings(project, texts), self.model.add_texts
        )

    def _connect(self) -> None:
        self.workspace.changed.connect(self._note_changes)
        self.workspace.closed.connect(self._note_closed)
        self.model.texts_wanted.connect(self._fetch_texts)
        self.list.chosen.connect(self._choose)
        self.cards.ready.connect(self._take_card)
        self.card.verdict_given.connect(lambda told: self.decide(Verdict(told)))
        self.card.score_hidden.connect(self._hide_scores)
        self.card.like_wanted.connect(self._show_like)
        self.flow.verdicts_told.connect(self._take_verdicts)
        self.flow.turned.connect(self._note_turned)
        self.flow.failed.connect(self._tell_failed)
        view = self.view
        view.back.clicked.connect(self.back_wanted)
        view.what.chosen.connect(lambda _key: self._filter_anew())
        view.kind.chosen.connect(lambda _key: self._filter_anew())
        view.undecided.clicked.connect(lambda _on: self._filter_anew())
        view.empty.wanted.connect(self._press_empty)
        view.nothing.wanted.connect(self._show_all)

    def _connect_actions(self) -> None:
        on = self.actions_.on
        on("take-back", lambda: self.decide(None))
        on("accept", self.accept_group)
        on("next", lambda: self.step(1))
        on("previous", lambda: self.step(-1))
        for what in ("pairs", "groups"):
            on(what, partial(self._choose_what, what))
        for kind in ("all", "gained", "lost", "changed"):
            on(kind, partial(self._choose_kind, kind))
        on("undecided", self.view.undecided.click)
        on("back", self.back_wanted.emit)
