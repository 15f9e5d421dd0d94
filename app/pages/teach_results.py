"""What can be done with a training: use, compare, look at its settings, discard, go back."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.jobs import JobEnd
from app.pages.teach_comparing import with_base, with_other
from app.pages.teach_notices import Notice, fault_notice
from app.pages.teach_reads import Material
from app.pages.teach_run_words import as_text, is_repeatable, settings_said
from app.pages.teach_words import encoding_said, result_said, threshold_said
from app.sheets.compare_training import CompareTrainingSheet, Comparison
from app.sheets.training_settings import TrainingSettingsSheet
from app.sheets.use_training import UseTrainingSheet
from app.workspace import Workspace
from core.store import InterruptedTraining, TrainingRecord

_STAYS = ("check", "Your decisions and names stay. Ctrl+Z takes the change back.")


class Results(QObject):
    """Opens the sheets and starts what they ask for."""

    told = Signal(object)  # Notice
    busy_changed = Signal()
    settings_wanted = Signal(object)  # TrainingRecord whose settings are taken over
    repeat_wanted = Signal(object)  # TrainingRecord

    def __init__(self, workspace: Workspace, page: QWidget) -> None:
        super().__init__(page)
        self._workspace = workspace
        self._page = page
        self._material: Material | None = None
        self._is_busy = False
        self.use_sheet: UseTrainingSheet | None = None
        self.compare_sheet: CompareTrainingSheet | None = None
        self.settings_sheet: TrainingSettingsSheet | None = None
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
        """Show a training's figures beside another's, that of the encoder in use first."""
        material = self._material
        if record is None or material is None:
            return
        others: list[TrainingRecord | None] = [None]  # the encoder it began with
        others += [one for one in material.trainings if one.id != record.id]
        if material.in_use is not None and material.in_use.id != record.id:
            others.remove(material.in_use)
            others.insert(0, material.in_use)
        names = [record.base_name if one is None else one.name for one in others]

        def told(at: int) -> Comparison:
            other = others[at]
            return with_base(record) if other is None else with_other(record, other)

        sheet = CompareTrainingSheet(record.name, names, told, parent=self._page.window())
        self.compare_sheet = sheet
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def show_settings(self, record: TrainingRecord | None, *, may_repeat: bool) -> None:
        """Show all settings of a training, to be copied, taken over or run again."""
        if record is None:
            return
        lines = settings_said(record)
        sheet = TrainingSettingsSheet(
            f"Settings of {record.name}", lines, as_text(lines), may_use=bool(record.how),
            may_repeat=may_repeat and is_repeatable(record), parent=self._page.window(),
        )  # fmt: skip
        self.settings_sheet = sheet
        sheet.use_wanted.connect(lambda: self.settings_wanted.emit(record))
        sheet.repeat_wanted.connect(lambda: self.repeat_wanted.emit(record))
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def discard(self, record: TrainingRecord | None) -> None:
        """Ask, and delete a training."""
        material = self._material
        if record is None or material is None or material.is_in_use(record):
            return
        self._ask_to_discard(
            f"Discard “{record.name}”?",
            "Its encoder and the examples kept with it are deleted. Your decisions and imported "
            "files stay, so that it can be taught again.",
            lambda: self._remove("remove-training", {"training": record.id}, record.name),
        )

    def discard_interrupted(self, one: InterruptedTraining | None) -> None:
        """Ask, and delete what an interrupted training left."""
        if one is None:
            return
        title = one.title or "this training"
        self._ask_to_discard(
            f"Discard the interrupted “{title}”?",
            "What it had learnt so far is deleted, and it cannot be resumed any more. Your "
            "decisions and imported files stay.",
            lambda: self._remove("remove-interrupted", {"run": one.run}, title),
        )

    def _ask_to_discard(self, question: str, note: str, do: Callable[[], object]) -> None:
        box = QMessageBox(self._page.window())
        box.setWindowTitle("Discard a training")
        box.setText(question)
        box.setInformativeText(note)
        button = box.addButton("Discard", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton("Keep it", QMessageBox.ButtonRole.RejectRole))
        button.clicked.connect(lambda: do())
        box.finished.connect(box.deleteLater)
        self.question = box
        box.open()

    def _remove(self, wish: str, values: dict[str, Any], name: str) -> None:
        def tell(end: JobEnd) -> None:
            if end.kind == "failed":
                self.told.emit(fault_notice(end.what, end.remedy))

        self._workspace.start(wish, values, title=f"Discarding {name}", lane="live", then=tell)

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
            buttons = (("changes", "What changed"),) if end.outcome.get("difference") else ()
            self.told.emit(Notice("done", f"{words} Ctrl+Z takes it back.", buttons, used=training))
        elif end.kind == "failed":
            self.told.emit(fault_notice(end.what, end.remedy))
        else:
            self.told.emit(Notice("info", "Cancelled. The encoder in use is named at the top."))

    def _set_busy(self, busy: bool) -> None:
        self._is_busy = busy
        self.busy_changed.emit()
