"""A project: one folder that holds everything about one pile of texts."""

import sqlite3
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType

from filelock import FileLock
from sqlite_utils import Database

from core.errors import UserError
from core.folders import told
from core.store.augmentations import Augmentations
from core.store.by_text import ByText
from core.store.checked import CheckedPairs
from core.store.cluster_edits import ClusterEdits
from core.store.clusterings import ClusteringRecord, Clusterings
from core.store.database import connect, tell, writing
from core.store.decisions import Decisions
from core.store.differences import Differences
from core.store.documents import Documents
from core.store.graphs import Graphs
from core.store.groupings import GroupingRecord, Groupings
from core.store.indexes import Indexes
from core.store.judged import JudgedExamples
from core.store.lock import LOCK, refuse_network_folder, take_lock
from core.store.maps import MapRecord, Maps
from core.store.meta import Meta
from core.store.pairs import Pairing, Pairs
from core.store.runs import Run, Runs
from core.store.schema import migrations
from core.store.sources import Sources
from core.store.texts import Texts
from core.store.trainings import Trainings
from core.store.vectors import EncoderRecord, Vectors
from core.store.word_search import WordSearch

DATABASE = "project.sqlite"
# Our lock, and what file managers leave in a folder that people call empty.
_ALLOWED = ("writer.lock", ".DS_Store", "desktop.ini", "Thumbs.db")
_STEPS_BETWEEN_ASKING = 100_000  # of SQLite's machine, about a millisecond


@dataclass(frozen=True, slots=True)
class Recovery:
    """What opening found left over from a program that was stopped hard."""

    runs: tuple[Run, ...] = ()
    dropped_imports: tuple[str, ...] = ()  # files whose import had not finished


@dataclass(frozen=True, slots=True)
class ProjectState:
    """Where a project stands, for the project bar and for `samesense info`."""

    name: str
    rows: int
    texts: int
    blank: int
    encoder: EncoderRecord | None
    encoded: int
    long: int  # texts longer than the model
    unreadable: int
    pairing: Pairing | None
    pairs_stale: bool  # texts were encoded since, or with another encoder
    grouping: GroupingRecord | None
    groups_stale: bool  # pairs, rows or decisions moved since
    decisions: dict[str, int]
    clustering: ClusteringRecord | None = None
    clusters_stale: bool = False  # texts came or went, or the encoder is another
    map: MapRecord | None = None
    map_stale: bool = False

    @property
    def waiting(self) -> int:
        """Texts that have no vector of the active encoder yet."""
        return self.texts - self.encoded


class Project:
    """An open project folder; use it as a context manager or call `close`."""

    def __init__(
        self, folder: Path, db: Database, lock: FileLock | None, *, read_only: bool
    ) -> None:
        self.folder = folder
        self.read_only = read_only
        self.recovery = Recovery()
        self._is_new = False
        self._db = db
        self._lock = lock
        self.meta = Meta(db)
        self.runs = Runs(db)
        self.sources = Sources(db)
        self.documents = Documents(db)
        self.texts = Texts(db)
        self.by_text = ByText(db)
        self.vectors = Vectors(db, folder / "vectors")
        self.pairs = Pairs(db, folder / "cache")
        self.groupings = Groupings(db)
        self.decisions = Decisions(db)
        self.differences = Differences(db)
        self.words = WordSearch(db)
        self.graphs = Graphs(folder / "cache")
        self.indexes = Indexes(folder / "cache")
        self.clusters = Clusterings(db, folder / "cache")
        self.cluster_edits = ClusterEdits(db, self.decisions)
        self.maps = Maps(db, folder / "cache")
        self.judged = JudgedExamples(db)
        self.trainings = Trainings(db, folder)
        self.augmentations = Augmentations(db)
        self.checked = CheckedPairs(db)

    @classmethod
    def create(cls, folder: Path) -> "Project":
        """Open the project in `folder` for writing, making it when it is not there."""
        if _has_database(folder):
            return cls.open(folder)
        _make_folder(folder)
        made = cls._named(cls._open_writer(folder, lock=True))
        made._is_new = True
        return made

    @classmethod
    def create_for_holder(cls, folder: Path) -> "Project":
        """The same on behalf of the process that holds the lock (a window's worker)."""
        _make_folder(folder)
        return cls._named(cls._open_writer(folder, lock=False))

    @classmethod
    def open(cls, folder: Path) -> "Project":
        """Open an existing project for writing; raise `UserError` when it is open elsewhere.

        Work that was cut off before is tidied up and told in `recovery`.
        """
        _expect_project(folder)
        return cls._open_writer(folder, lock=True)

    @classmethod
    def open_for_holder(cls, folder: Path) -> "Project":
        """Open for writing on behalf of the process that holds the lock (a window's worker)."""
        _expect_project(folder)
        return cls._open_writer(folder, lock=False)

    @classmethod
    def open_read_only(cls, folder: Path) -> "Project":
        """Open for looking; needs no lock and changes nothing."""
        _expect_project(folder)
        db = connect(folder / DATABASE, read_only=True)
        _expect_known_version(folder, db)
        if not db.table_names():
            db.conn.close()
            raise UserError(f"The project {folder} is empty.", "Import a file into it.")
        if migrations.pending(db):
            db.conn.close()
            raise UserError(
                f"The project {folder} was made by an older version.",
                "Open it once for writing, which brings it up to date after a backup.",
            )
        return cls(folder, db, None, read_only=True)

    @classmethod
    def _open_writer(cls, folder: Path, *, lock: bool) -> "Project":
        refuse_network_folder(folder)
        held = take_lock(folder) if lock else None
        if lock and held is None:
            raise ProjectBusyError(folder)
        db = None
        try:
            db = connect(folder / DATABASE)
            _expect_known_version(folder, db)
            _bring_up_to_date(folder, db)
        except BaseException:
            if db is not None:
                db.conn.close()
            if held is not None:
                held.release()
            raise
        project = cls(folder, db, held, read_only=False)
        if lock:
            project.recovery = project.recover()
        return project

    @staticmethod
    def _named(project: "Project") -> "Project":
        if project.meta.get("name") is None:
            project.meta.set("name", told(project.folder.name.removesuffix(".samesense")))
        return project

    def recover(self, *, but: Collection[str] = ()) -> Recovery:
        """Tidy up after a program that was stopped hard; only for the holder of the lock.

        `but` names workflows that a worker still runs; while imports are among them, what is
        half imported is left alone.
        """
        runs = tuple(self.runs.mark_interrupted(but=but))
        return Recovery(runs, () if "import" in but else tuple(self.sources.sweep()))

    def break_off_when(self, is_unwanted: Callable[[], bool] | None) -> None:
        """Ask `is_unwanted` every millisecond or so of a query and break it off when it says so.

        A query broken off raises `sqlite3.OperationalError`, and takes back what its transaction
        had written. None asks nobody any more.
        """
        self._db.conn.set_progress_handler(is_unwanted, _STEPS_BETWEEN_ASKING)

    def close(self) -> None:
        """Close the database and free the lock."""
        self._db.conn.close()
        if self._lock is not None:
            self._lock.release()

    def abandon(self) -> bool:
        """Close a project made just now that took nothing in, and take it off the disk again."""
        if not self._is_new or self.sources.all():
            return False
        self.close()
        for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", LOCK):
            (self.folder / name).unlink(missing_ok=True)
        with suppress(OSError):  # a folder that was there before may hold a file of its system
            self.folder.rmdir()
        return True

    def __enter__(self) -> "Project":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        if isinstance(fault, sqlite3.DatabaseError):
            tell(fault)

    @property
    def name(self) -> str:
        """The name people see."""
        return self.meta.get("name") or self.folder.name

    def active_encoder(self) -> EncoderRecord | None:
        """The encoder whose vectors count, None before the first encoding."""
        told = self.meta.get("encoder")
        if told is None:
            return None
        return next((one for one in self.vectors.encoders() if one.id == int(told)), None)

    def use_encoder(self, encoder: int, *, title: str, before: int | None = None) -> None:
        """Make this the active encoder, as a step of undo; `before` names the one to go back to.

        The vectors of either stay, so that going back costs no encoding.
        """
        active = self.active_encoder()
        before = before if before is not None or active is None else active.id
        if before == encoder:
            return
        with writing(self._db):
            told = None if before is None else str(before)
            self.decisions.record([("encoder", 0, 0, told, str(encoder))], title=title)

    def inputs_of_groups(self, pairing: Pairing | None) -> dict[str, int | None]:
        """The state of things that a grouping depends on, to tell when it is stale."""
        return {
            "corpus": self.meta.revision("corpus"),
            "decisions": self.meta.revision("decisions"),
            "pairing": None if pairing is None else pairing.id,
            "rows_done": None if pairing is None else pairing.rows_done,
        }

    def inputs_of_layout(self) -> dict[str, int | None]:
        """The state of things that clusters and the map depend on, to tell when they are stale."""
        encoder = self.active_encoder()
        return {
            "corpus": self.meta.revision("corpus"),
            "encoder": None if encoder is None else encoder.id,
        }

    def state(self) -> ProjectState:
        """Where the project stands now."""
        rows, blank = self._db.conn.execute(
            "SELECT count(*), coalesce(sum(text IS NULL), 0) FROM documents WHERE live = 1"
        ).fetchone()
        encoder, pairing = self.active_encoder(), self.pairs.current()
        grouping = self.groupings.current()
        clustering, drawn = self.clusters.current(), self.maps.current()
        layout = self.inputs_of_layout()
        encoded = long = unreadable = 0
        if encoder is not None:
            encoded, long, unreadable = self.vectors.counts(encoder.id)
        texts = self.texts.count()
        return ProjectState(
            self.name, rows, texts, blank, encoder, encoded, long, unreadable, pairing,
            self._pairs_stale(encoder, pairing, texts - encoded), grouping,
            grouping is not None and grouping.inputs != self.inputs_of_groups(pairing),
            self.decisions.counts(),
            clustering, clustering is not None and clustering.inputs != layout,
            drawn, drawn is not None and drawn.inputs != layout,
        )  # fmt: skip

    def _pairs_stale(
        self, encoder: EncoderRecord | None, pairing: Pairing | None, waiting: int
    ) -> bool:
        if pairing is None:
            return False
        if encoder is None or pairing.encoder != encoder.id or waiting > 0:
            return True
        return pairing.rows_done < self.vectors.rows(encoder.id)


class ProjectBusyError(UserError):
    """The project is open in another window or command."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"The project {folder} is open in another window or command; nothing was changed.",
            "Close it there, or open it here for reading only.",
        )


def _make_folder(folder: Path) -> None:
    if _has_database(folder):
        return
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file.", "Name a folder for the project.")
    try:
        if folder.is_dir() and any(file.name not in _ALLOWED for file in folder.iterdir()):
            raise UserError(
                f"The folder {folder} holds other things.", "Name a new or an empty folder."
            )
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UserError(
            f"The folder {folder} cannot be made ({fault.strerror}).",
            "Choose a place you have the right to write in.",
        ) from fault


def _has_database(folder: Path) -> bool:
    try:
        return (folder / DATABASE).is_file()
    except OSError as fault:
        raise UserError(
            f"The folder {folder} cannot be looked into ({fault.strerror}).",
            "Check its name and your rights.",
        ) from fault


def _expect_project(folder: Path) -> None:
    if not _has_database(folder):
        raise UserError(
            f"There is no project in {folder}.",
            "Import a file to start one: samesense import PROJECT FILE.",
        )


def _expect_known_version(folder: Path, db: Database) -> None:
    tables = db.table_names()
    if not tables:
        return
    applied = {migration.name for migration in migrations.applied(db)}
    known = applied | {migration.name for migration in migrations.pending(db)}
    own = {step.name for step in migrations._migrations}
    if known - own:
        db.conn.close()
        raise UserError(
            f"The project {folder} was made by a newer version of Samesense; it was left as it is.",
            "Install the newer version to open it.",
        )


def _bring_up_to_date(folder: Path, db: Database) -> None:
    if not migrations.pending(db):
        return
    if db.table_names():
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        backup = folder / f"backup-{stamp}.sqlite"
        try:
            db.conn.execute("VACUUM INTO ?", (str(backup),))
        except sqlite3.OperationalError as fault:
            raise UserError(
                f"The project needs an upgrade and the backup before it failed ({fault}); "
                "nothing was changed.",
                "Free some space in the project folder and open it again.",
            ) from fault
    migrations.apply(db)
