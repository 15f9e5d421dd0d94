"""Faults told to a person: a dialog whose details can be copied, and the last net under bugs."""

import sys
import traceback
from types import TracebackType

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import set_role
from app.look.tokens import XL, L, M, S
from core import __version__
from core.errors import UserError


class FaultDialog(QDialog):
    """What happened, what is safe, what to do; the details at length, to be copied."""

    def __init__(
        self, what: str, remedy: str = "", details: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Something went wrong")
        self.resize(620, 420 if details else 180)
        title = QLabel(what)
        set_role(title, "reading")
        title.setWordWrap(True)
        advice = QLabel(remedy)
        set_role(advice, "muted")
        advice.setWordWrap(True)
        self._details = QPlainTextEdit(details)
        self._details.setReadOnly(True)
        self._details.setAccessibleName("Details")
        copy = QPushButton("Copy the details")
        copy.clicked.connect(self.copy_details)
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addWidget(copy)
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, L)
        column.setSpacing(M)
        column.addWidget(title)
        column.addWidget(advice)
        column.addWidget(self._details, 1)
        column.addLayout(foot)
        advice.setVisible(bool(remedy))
        self._details.setVisible(bool(details))
        copy.setVisible(bool(details))

    @property
    def details(self) -> str:
        return self._details.toPlainText()

    def copy_details(self) -> None:
        """Put the details on the clipboard."""
        QGuiApplication.clipboard().setText(self._details.toPlainText())


def tell(what: str, remedy: str = "", details: str = "", *, parent: QWidget) -> FaultDialog:
    """Open a fault's dialog over `parent` and return at once."""
    dialog = FaultDialog(what, remedy, details, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog


class LastNet:
    """Takes faults that nobody took, so that a bug costs a dialog and never the window."""

    def __init__(self) -> None:
        self._shown: FaultDialog | None = None

    def install(self) -> None:
        """Become the program's hook for untaken faults."""
        sys.excepthook = self.take

    def take(
        self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None
    ) -> None:
        """Tell the fault in a dialog; one at a time, so that a storm stays one."""
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, fault, trace)
            return
        sys.__excepthook__(kind, fault, trace)
        if self._shown is not None and self._shown.isVisible():
            return
        if isinstance(fault, UserError):
            self._shown = FaultDialog(fault.what, fault.remedy)
        else:
            told = "".join(traceback.format_exception(kind, fault, trace))
            self._shown = FaultDialog(
                "The window met a fault of its own. Everything stored before is safe.",
                "You can go on working. If it happens again, please report it with these details.",
                f"Samesense {__version__}\n{told}",
            )
        self._shown.open()
