"""The imported files: what each brought, what was unusual in it, and how it goes again."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.jobs import JobEnd
from app.look.theme import set_role
from app.look.tokens import ROW_HEIGHT, XL, L, M, S
from app.look.words import count, counted, file_size, relative_date
from app.pages.corpus_reads import Unreadable, safely
from app.widgets.elided import ElidedLabel
from app.widgets.overlay import Overlay
from app.workspace import Workspace
from core.store import Source

_WIDTH = 720
_HEIGHT = 460
MOST_NOTES = 10_000


class ImportedFiles(QObject):
    """Opens the sheet of files, reads for it, and removes what it is told to."""

    import_wanted = Signal()
    removed = Signal(str)  # in words
    failed = Signal(object)  # Unreadable

    def __init__(self, workspace: Workspace, page: QWidget) -> None:
        super().__init__(page)
        self._workspace = workspace
        self.sheet = FilesSheet(page)
        self.sheet.notes_wanted.connect(self._read_notes)
        self.sheet.removal_wanted.connect(self._remove)
        self.sheet.import_wanted.connect(self.import_wanted)

    def open_sheet(self) -> None:
        """Show every import of the project."""
        read = safely(lambda project: project.sources.all())
        self._workspace.read("corpus.files", read, self._show)

    def _show(self, sources: list[Source] | Unreadable) -> None:
        if isinstance(sources, Unreadable):
            self.failed.emit(sources)
        else:
            self.sheet.show_files(sources, may_remove=not self._workspace.read_only)

    def _read_notes(self, source: int) -> None:
        def show(notes: list[tuple[int, str]] | Unreadable) -> None:
            if isinstance(notes, Unreadable):
                self.failed.emit(notes)
            else:
                self.sheet.show_notes(source, notes)

        read = safely(lambda project: project.sources.notes(source, count=MOST_NOTES))
        self._workspace.read("corpus.notes", read, show)

    def _remove(self, source: int, name: str) -> None:
        def tell(end: JobEnd) -> None:
            if end.kind == "finished":
                rows = counted(int(end.outcome.get("rows", 0)), "row")
                self.removed.emit(
                    f"{name} was removed with {rows}. Import it again to have them back."
                )

        title = f"Removing {name}"
        self._workspace.start("remove-import", {"source": source}, title=title, then=tell)


class FilesSheet(Overlay):
    """Lists every import with its report; shows unusual lines; asks before one is removed."""

    notes_wanted = Signal(int)  # a source
    removal_wanted = Signal(int, str)  # a source and its name
    import_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, width=_WIDTH)
        self.setAccessibleName("Imported files")
        self._sources: tuple[Source, ...] = ()
        self._may_remove = True
        self._stack = QStackedWidget()
        self._stack.setMinimumHeight(_HEIGHT)
        self._title = QLabel()
        set_role(self._title, "title")
        self._back = QPushButton("All files")
        self._back.clicked.connect(lambda: self._show_part(0))
        self._import = QPushButton("Import a file…")
        self._import.clicked.connect(self._want_import)
        close = QPushButton("Close")
        close.clicked.connect(self.close_sheet)
        self._list = QScrollArea()
        self._list.setWidgetResizable(True)
        self._notes = _notes_table()
        self._stack.addWidget(self._list)
        self._stack.addWidget(self._notes)
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._title, 1)
        head.addWidget(self._back)
        head.addWidget(self._import)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        self.body.setContentsMargins(XL, L, XL, L)
        self.body.setSpacing(M)
        self.body.addLayout(head)
        self.body.addWidget(self._stack, 1)
        self.body.addLayout(foot)

    @property
    def cards(self) -> "list[FileCard]":
        """One card for each file shown."""
        box = self._list.widget()
        return [] if box is None else box.findChildren(FileCard)

    @property
    def notes(self) -> QTableWidget:
        """The table of unusual lines."""
        return self._notes

    def show_files(self, sources: Sequence[Source], *, may_remove: bool) -> None:
        """Open the sheet with these files, the newest first."""
        self._sources = tuple(sources)
        self._may_remove = may_remove
        self._import.setVisible(may_remove)
        box = QWidget()
        set_role(box, "clear")
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, S, 0)
        column.setSpacing(M)
        for source in reversed(self._sources):
            card = FileCard(source, may_remove=may_remove)
            card.notes_wanted.connect(self.notes_wanted)
            card.removal_wanted.connect(self._want_removal)
            column.addWidget(card)
        column.addStretch(1)
        self._list.setWidget(box)
        self._show_part(0)
        self.open_sheet()

    def show_notes(self, source: int, notes: Sequence[tuple[int, str]]) -> None:
        """Show what was unusual in one file."""
        name = next((one.name for one in self._sources if one.id == source), "")
        self._notes.setRowCount(len(notes))
        for row, (line, words) in enumerate(notes):
            number = QTableWidgetItem(count(line))
            number.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._notes.setItem(row, 0, number)
            self._notes.setItem(row, 1, QTableWidgetItem(words))
        self._show_part(1)
        self._title.setText(f"Unusual lines of {name}")

    def _show_part(self, part: int) -> None:
        self._stack.setCurrentIndex(part)
        self._back.setVisible(part == 1)
        self._import.setVisible(part == 0 and self._may_remove)
        self._title.setText("Imported files")

    def _want_removal(self, source: int, name: str) -> None:
        self.close_sheet()
        self.removal_wanted.emit(source, name)

    def _want_import(self) -> None:
        self.close_sheet()
        self.import_wanted.emit()


class FileCard(QFrame):
    """One file with its report; removing it asks first, in place."""

    notes_wanted = Signal(int)
    removal_wanted = Signal(int, str)

    def __init__(self, source: Source, *, may_remove: bool) -> None:
        super().__init__()
        set_role(self, "card")
        self.setAccessibleName(source.name)
        self._source = source
        name = ElidedLabel(source.name)
        set_role(name, "strong")
        facts = QLabel(" · ".join(file_facts(source)))
        set_role(facts, "meta")
        self._report = QLabel(" · ".join(report_facts(source)))
        self._report.setWordWrap(True)
        set_role(self._report, "muted")
        self._lines = QPushButton()
        set_role(self._lines, "link")
        odd = 0 if source.report is None else source.report.odd
        self._lines.setText(f"Show {counted(odd, 'unusual line')}")
        self._lines.setVisible(odd > 0)
        self._lines.clicked.connect(lambda: self.notes_wanted.emit(source.id))
        self.remove = QPushButton("Remove this import…")
        set_role(self.remove, "quiet")
        self.remove.setVisible(may_remove)
        self.remove.clicked.connect(lambda: self._ask(True))
        rows = 0 if source.report is None else source.report.rows
        self._question = QLabel(
            "Its rows leave the project and rows it had replaced come back. Decisions stay; "
            "import the file again to have its rows back."
        )
        self._question.setWordWrap(True)
        self.keep = QPushButton("Keep it")
        self.keep.clicked.connect(lambda: self._ask(False))
        self.confirm = QPushButton(f"Remove {counted(rows, 'row')}")
        set_role(self.confirm, "danger")
        self.confirm.clicked.connect(lambda: self.removal_wanted.emit(source.id, source.name))
        self._lay_out(name, facts)
        self._ask(False)

    @property
    def report_words(self) -> str:
        return self._report.text()

    def _lay_out(self, name: QWidget, facts: QWidget) -> None:
        quiet = QHBoxLayout()
        quiet.setContentsMargins(0, 0, 0, 0)
        quiet.addWidget(self._lines)
        quiet.addStretch(1)
        quiet.addWidget(self.remove)
        asked = QHBoxLayout()
        asked.setContentsMargins(0, 0, 0, 0)
        asked.setSpacing(S)
        asked.addWidget(self._question, 1)
        asked.addWidget(self.keep)
        asked.addWidget(self.confirm)
        self._quiet_row, self._asked_row = QWidget(), QWidget()
        self._quiet_row.setLayout(quiet)
        self._asked_row.setLayout(asked)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, M, M, M)
        column.setSpacing(2)
        for part in (name, facts):
            column.addWidget(part)
        column.addSpacing(S)
        column.addWidget(self._report)
        column.addSpacing(S)
        column.addWidget(self._quiet_row)
        column.addWidget(self._asked_row)

    def _ask(self, asking: bool) -> None:
        self._asked_row.setVisible(asking)
        self._quiet_row.setVisible(not asking)
        if asking:
            self.keep.setFocus()


def file_facts(source: Source) -> list[str]:
    """When and how a file was read."""
    facts = [file_size(source.bytes)]
    if source.imported_at:
        then = datetime.fromisoformat(source.imported_at).astimezone().replace(tzinfo=None)
        facts.insert(0, f"imported {relative_date(then, datetime.now())}")
    reading = source.settings.reading
    if reading.encoding:
        facts.append(reading.encoding)
    if reading.delimiter:
        facts.append(_DELIMITERS.get(reading.delimiter, f"parted by {reading.delimiter}"))
    if reading.sheet:
        facts.append(f"sheet {reading.sheet}")
    return facts


def report_facts(source: Source) -> list[str]:
    """What a file brought, in numbers that add up."""
    report = source.report
    if report is None:
        return []
    facts = [f"{counted(report.rows, 'row')} read"]
    for number, words in (
        (report.unchanged, "unchanged"),
        (report.updated, "updated"),
        (report.copied, "with a text the project already held"),
        (report.blank, "without a text"),
        (report.multiline, "with line breaks inside a cell"),
    ):
        if number:
            facts.append(f"{count(number)} {words}")
    return facts


_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def _notes_table() -> QTableWidget:
    table = QTableWidget(0, 2)
    table.setAccessibleName("Unusual lines")
    table.setHorizontalHeaderLabels(["Line", "What was unusual"])
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.horizontalHeader().setHighlightSections(False)
    table.horizontalHeader().setDefaultAlignment(
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    )
    table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
    return table
