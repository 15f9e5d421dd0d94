"""Reading how the groups were made and which there are, whenever the store has moved."""

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.pages.duplicates_reads import (
    SECONDS_PER_DECISION,
    Listing,
    Settings,
    read_listing,
    read_settings,
)
from app.pages.duplicates_verdicts import FreshVerdicts
from app.workspace import Workspace
from core.store import GroupFilter, GroupingRecord


class GroupsReading(QObject):
    """Knows the settings behind the groups, and what of the fresh verdicts is in them."""

    settings_ready = Signal(object, bool)  # Settings; are they the first with groups?
    listing_ready = Signal(object)  # Listing

    def __init__(
        self, workspace: Workspace, fresh: FreshVerdicts, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace, self._fresh = workspace, fresh
        self.settings: Settings | None = None
        self._asked_mark = self._covered = 0
        self._is_reading = False
        self._listed: GroupFilter | None = None  # what the list shows
        self._ranks: dict[int, int] = {}
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._read_settings)

    @property
    def is_busy(self) -> bool:
        return self._is_reading

    @property
    def record(self) -> GroupingRecord | None:
        """The grouping on show."""
        return None if self.settings is None else self.settings.record

    @property
    def pace_s(self) -> float:
        return SECONDS_PER_DECISION if self.settings is None else self.settings.pace_s

    @property
    def left(self) -> int:
        """Pairs that wait for a person in all."""
        if self.record is None:
            return 0
        return max(0, self.record.counts["review"] - self._fresh.all_fewer)

    def read_soon(self) -> None:
        """Read everything again, once however often this is called now."""
        if self._workspace.folder is not None:
            self._is_reading = True
            self._again.start(0)

    def read_listing(self, wanted: GroupFilter) -> None:
        """Read the list of groups."""
        self._is_reading = True
        ranks = self._ranks if wanted == self._listed else {}
        leads, covered = self._fresh.leads, self._covered
        self._listed = wanted
        self._workspace.read(
            "duplicates.listing",
            lambda project: read_listing(project, wanted, ranks=ranks, leads=leads),
            partial(self._take_listing, covered),
        )

    def order_anew(self) -> None:
        """The next reading is to put groups in order, whatever was listed before."""
        self._listed = None

    def note_asked(self) -> None:
        """A grouping is under way that will know of every verdict so far."""
        self._asked_mark = self._fresh.number

    def note_grouped(self) -> None:
        """That grouping is stored."""
        self._covered = self._asked_mark
        self.read_soon()

    def reset(self) -> None:
        """Forget everything: another project."""
        self.settings = self._listed = None
        self._ranks = {}
        self._is_reading = False
        self._again.stop()

    def _read_settings(self) -> None:
        self._workspace.read("duplicates.settings", read_settings, self._take_settings)

    def _take_settings(self, settings: Settings) -> None:
        is_first = self.record is None
        self.settings = settings
        if settings.record is None:
            self._is_reading = False
        self.settings_ready.emit(settings, is_first and settings.record is not None)

    def _take_listing(self, covered: int, listing: Listing) -> None:
        self._is_reading = False
        self._ranks = listing.ranks
        self._fresh.drop_known(covered)
        self.listing_ready.emit(listing)
