"""What was found in the examples before they teach: each with a sentence and a remedy."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XS, M, S
from app.pages.teach_findings import Finding, Report, Severity
from app.pages.teach_parts import IconLine, emptied, note
from app.widgets.tags import TagLabel, ToneName

_ICONS: dict[Severity | None, tuple[str, ToneName]] = {
    "stops": ("cross", "different"),
    "warns": ("warning", "unsure"),
    "tells": ("info", "note"),
    None: ("check", "same"),
}
_MOST = 3  # findings that are shown until all are wanted


class CheckPanel(QWidget):
    """A line that sums it up and, below, the findings; those that stop always stand open."""

    check_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._report: Report | None = None
        self._shows_all = False
        self._sum = IconLine("clock", "Checking the examples…")
        self.again = QPushButton("Check again")
        set_role(self.again, "link")
        self.again.clicked.connect(self.check_wanted)
        self.more = QPushButton()
        set_role(self.more, "link")
        self.more.clicked.connect(self._turn)
        self._list = QVBoxLayout()
        self._list.setSpacing(M)
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._sum, 1, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.again, 0, Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addLayout(head)
        column.addLayout(self._list)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.show_report(None)

    @property
    def words(self) -> str:
        """The line that sums it up."""
        return self._sum.label.text()

    @property
    def shown(self) -> list[Finding]:
        """The findings on show."""
        if self._report is None:
            return []
        found = list(self._report.findings)
        stops = sum(one.severity == "stops" for one in found)
        return found if self._shows_all else found[: max(_MOST, stops)]

    def show_report(self, report: Report | None) -> None:
        """Show what was found; None while it is looked for."""
        self._report = report
        if report is None:
            self._sum.show_words("clock", "Checking the examples…")
        else:
            icon, tone = _ICONS[report.gravest]
            self._sum.show_words(icon, report.sentence, tone)
        self._show_list()

    def open_all(self) -> None:
        """Show every finding."""
        self._shows_all = True
        self._show_list()

    def _turn(self) -> None:
        self._shows_all = not self._shows_all
        self._show_list()

    def _show_list(self) -> None:
        emptied(self._list)
        for finding in self.shown:
            self._list.addWidget(_FindingRow(finding))
        found = 0 if self._report is None else len(self._report.findings)
        hidden = found - len(self.shown)
        self.more.setText(f"Show {hidden} more" if hidden else "Show fewer")
        self.more.setVisible(bool(hidden) or (self._shows_all and found > _MOST))


class _FindingRow(QWidget):
    """A finding: its severity as a tag, the sentence, and what to do about it."""

    def __init__(self, finding: Finding) -> None:
        super().__init__()
        sentence = note(finding.sentence, role="body")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(TagLabel(finding.tag), 0, Qt.AlignmentFlag.AlignLeft)
        words.addSpacing(XS)
        words.addWidget(sentence)
        if finding.remedy:
            words.addWidget(note(finding.remedy))
        row = QHBoxLayout(self)
        row.setContentsMargins(28, 0, 0, 0)
        row.addLayout(words, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(f"{finding.tag.words}: {finding.sentence} {finding.remedy}".strip())
