"""What can be done with a finished training: use it, compare it, discard it, go back."""

from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.jobs import JobEnd
from app.pages.teach_examples import ExamplesList
from app.pages.teach_notices import Notice, fault_notice
from app.pages.teach_parts import note
from app.pages.teach_reads import Material
from app.pages.teach_words import (
    change_said,
    drift_said,
    encoding_said,
    facts_said,
    metric_for,
    result_said,
    score_said,
    threshold_said,
)
from app.sheets.compare_training import NO_EXAMPLES, CompareTrainingSheet
from app.sheets.use_training import UseTrainingSheet
from app.workspace import Workspace
from core.store import TrainingRecord

_STAYS = ("check", "Your decisions and names stay. Ctrl+Z takes the change back.")


class Results(QObject):
    """Opens the sheets and starts what they ask for."""

    told = Signal(object)  # Notice
    busy_changed = Signal()

    def __init__(self, workspace: Workspace, page: QWidget) -> None:
        super().__init__(page)
        self._workspace = workspace
        self._page = page
        self._material: Material | None = None
        self._is_busy = False
        self.use_sheet: UseTrainingSheet | None = None
        self.compare_sheet: CompareTrainingSheet | None = None
        self.question: QMessageBox | None = None

    @property
    def is_busy(self) -> bool:
        """Whether another encoder is being taken into use."""
        return self._is_busy

    def show_material(self, material: Material) -> None:
        """Know what is there now."""
        self._material = material

    def use(self, record: TrainingRecord | None) -> None:
        """Say what using it means, and do it when that is wanted."""
        material = self._material
        if record is None or material is None or material.is_in_use(record):
            return
        lines = [
            ("refresh", encoding_said(material.texts, material.rate)),
            ("duplicates", threshold_said(record.figures)),
            _STAYS,
        ]
        told = result_said(record.figures)
        if record.figures.get("high") is not None and record.figures["high"] < 0:
            lines.insert(0, ("warning", told))
        self._ask(
            f"Use “{record.name}”?", lines, "Use this encoder", {"training": record.id},
            f"Using {record.name}",
        )  # fmt: skip

    def go_back(self) -> None:
        """The same for the encoder that all began with."""
        material = self._material
        if material is None or material.first is None or material.in_use is None:
            return
        name = material.first.base_name
        lines = [
            ("refresh", encoding_said(material.texts, material.rate)),
            ("copy", "The trainings stay here and can be used again."),
            _STAYS,
        ]
        values = {"training": 0, "folder": material.first.base_folder}
        self._ask(f"Back to {name}?", lines, "Use the first encoder", values, f"Back to {name}")

    def compare(self, record: TrainingRecord | None) -> None:
        """Show figures, curves and examples at length."""
        if record is None:
            return
        figures = record.figures
        lines = [score_said(figures) or result_said(figures)]
        if score_said(figures):
            lines += [change_said(figures), result_said(figures)]
        lines += [drift_said(figures), facts_said(record)]
        difference = None
        if score_said(figures) and figures.get("low") is not None:
            difference = (figures["after"] - figures["before"], figures["low"], figures["high"])
        sheet = CompareTrainingSheet(
            f"{record.name} beside {record.base_name}",
            lines=[words for words in lines if words],
            difference=difference,
            lists=[_examples(title, record.examples.get(key) or [])
                   for title, key in (("Got better", "better"), ("Got worse", "worse"))],
            parent=self._page.window(),
        )  # fmt: skip
        files = () if self._material is None else self._material.files
        sheet.show_curves(
            {"curve": record.curve, "held_curve": record.held_curve,
             "score": metric_for(files, figures)}
        )  # fmt: skip
        self.compare_sheet = sheet
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def discard(self, record: TrainingRecord | None) -> None:
        """Ask, and take a training off the list and off the disk."""
        material = self._material
        if record is None or material is None or material.is_in_use(record):
            return
        box = QMessageBox(self._page.window())
        box.setWindowTitle("Discard a training")
        box.setText(f"Discard “{record.name}”?")
        box.setInformativeText(
            "It leaves this list. Decisions and imported pairs stay, so it can be taught again."
        )
        button = box.addButton("Discard", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton("Keep it", QMessageBox.ButtonRole.RejectRole))
        button.clicked.connect(lambda: self._discard(record))
        box.finished.connect(box.deleteLater)
        self.question = box
        box.open()

    def _discard(self, record: TrainingRecord) -> None:
        def tell(end: JobEnd) -> None:
            if end.kind == "failed":
                self.told.emit(fault_notice(end.what, end.remedy))

        values = {"training": record.id}
        title = f"Discarding {record.name}"
        self._workspace.start("discard-training", values, title=title, lane="live", then=tell)

    def _ask(
        self,
        title: str,
        lines: list[tuple[str, str]],
        button: str,
        values: dict[str, Any],
        job: str,
    ) -> None:
        sheet = UseTrainingSheet(title, lines, button=button, parent=self._page.window())
        self.use_sheet = sheet
        sheet.accepted.connect(lambda: self._start(values, job))
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def _start(self, values: dict[str, Any], title: str) -> None:
        if self._workspace.folder is None:
            return
        self._set_busy(True)
        self._workspace.start(
            "use-training", values, title=title,
            then=lambda end: self._settle(end, int(values["training"])),
        )  # fmt: skip

    def _settle(self, end: JobEnd, training: int) -> None:
        self._set_busy(False)
        if self._workspace.folder is None:
            return
        if end.kind == "finished":
            words = end.outcome.get("words") or threshold_said(end.outcome)
            self.told.emit(Notice("done", f"{words} Ctrl+Z takes it back.", used=training))
        elif end.kind == "failed":
            self.told.emit(fault_notice(end.what, end.remedy))
        else:
            self.told.emit(Notice("info", "Cancelled. The encoder in use is the one before."))

    def _set_busy(self, busy: bool) -> None:
        self._is_busy = busy
        self.busy_changed.emit()


def _examples(title: str, examples: list[dict[str, Any]]) -> tuple[str, QWidget]:
    if not examples:
        return title, note(NO_EXAMPLES)
    shown = ExamplesList(wide=True)
    shown.show_examples(examples)
    return f"{title}  {len(examples)}", shown
