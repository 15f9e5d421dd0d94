"""Encode, pair and group: one wish for a person, and the question when pairs would be too many."""

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.jobs import JobEnd
from app.look.words import count, counted, duration
from app.settings import SettingsFile
from app.sheets.find_pairs import FindPairsSheet
from app.window_faults import tell
from app.workspace import Workspace
from core.errors import UserError
from core.folders import encoder_folder
from core.options import EncodeOptions, GroupOptions
from core.store import EncoderRecord, Project

_RUNS_LOOKED_AT = 1_000


class Preparing(QObject):
    """Starts `prepare` with what the project and the settings say."""

    # What came of it in words, whether there is any of it, and whether encoders were compared.
    prepared = Signal(str, bool, bool)

    def __init__(self, workspace: Workspace, settings: SettingsFile, host: QWidget) -> None:
        super().__init__(host)
        self._workspace = workspace
        self._settings = settings
        self._host = host
        self.sheet: FindPairsSheet | None = None
        self.question: QMessageBox | None = None

    def prepare(self, *, pairs: dict[str, Any] | None = None, encoder: str = "") -> None:
        """Bring vectors, pairs and groups up to date; asks first where pairs are too many."""

        def start(told: tuple[dict[str, Any], EncoderRecord | None]) -> None:
            groups, used = told
            encode = self._encode_options(encoder, used)
            self._workspace.start(
                "prepare",
                {"encode": encode, "pairs": pairs or {}, "groups": groups},
                title="Finding duplicates",
                then=lambda end: self._settle(end, pairs or {}, encoder),
            )

        # What the window knows of the project may be a moment old, just after a step was undone.
        self._workspace.read("prepare.before", _before, start)

    def encode_with(self) -> None:
        """Let a person choose the folder of another encoder and prepare with it."""
        chosen = QFileDialog.getExistingDirectory(
            self._host, "Folder of the encoder (with config.json and model.safetensors)"
        )
        if not chosen:
            return
        try:
            folder = encoder_folder(Path(chosen))
            if not (folder / "config.json").is_file():
                raise UserError(
                    f"{folder.name} is no encoder; config.json is missing.",
                    "Choose the folder that holds config.json and model.safetensors.",
                )
        except UserError as fault:
            tell(fault.what, fault.remedy, parent=self._host)
            return
        self.prepare(encoder=str(folder))

    def find_pairs_again(self) -> None:
        """Let a person choose from which likeness on pairs are found."""
        state = self._workspace.state
        known = None if state is None or state.pairing is None else state.pairing.floor
        sheet = FindPairsSheet(self._workspace, floor=known or 0.70, parent=self._host)
        self.sheet = sheet
        sheet.accepted.connect(
            lambda: self.prepare(pairs={"floor": sheet.floor, "confirmed": sheet.confirmed})
        )
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def _settle(self, end: JobEnd, pairs: dict[str, Any], encoder: str) -> None:
        if end.kind == "finished":
            counts = end.outcome["groups"]["counts"]
            is_compared = end.outcome.get("difference") is not None
            self.prepared.emit(prepared_words(counts), has_duplicates(counts), is_compared)
        if end.kind != "failed" or pairs.get("confirmed") or self._workspace.folder is None:
            return
        state = self._workspace.state
        if state is None or state.encoder is None:
            return
        # Whether it failed for too many pairs is told by the forecast, in numbers to ask with.
        self._workspace.start(
            "forecast",
            {"floor": pairs.get("floor")},
            title="Estimating the number of pairs",
            lane="live",
            then=lambda told: self._ask(told, encoder),
        )

    def _ask(self, told: JobEnd, encoder: str) -> None:
        if told.kind != "finished" or not told.outcome["too_many"]:
            return
        floor, better = told.outcome["floor"], told.outcome["floor_for_most"]
        box = QMessageBox(self._host)
        box.setWindowTitle("Very many pairs")
        box.setText(
            f"From {floor:.2f} on there would be {millions(told.outcome['expected'])} pairs; "
            f"finding them takes {duration(told.outcome['seconds'])}."
        )
        box.setInformativeText(
            f"From {better:.2f} on it would be about 5 M. The vectors are stored; "
            "nothing is lost either way."
        )
        fewer = box.addButton(f"Find pairs from {better:.2f}", QMessageBox.ButtonRole.AcceptRole)
        every = box.addButton("Find them all", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton("Not now", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(fewer)
        fewer.clicked.connect(
            lambda: self.prepare(pairs={"floor": better, "confirmed": True}, encoder=encoder)
        )
        every.clicked.connect(
            lambda: self.prepare(pairs={"floor": floor, "confirmed": True}, encoder=encoder)
        )
        self.question = box
        box.open()

    def encode_options(self, encoder: str = "") -> dict[str, Any]:
        """How texts are encoded: as those before, else by what the settings say."""
        state = self._workspace.state
        return self._encode_options(encoder, None if state is None else state.encoder)

    def _encode_options(self, encoder: str, used: EncoderRecord | None) -> dict[str, Any]:
        values = self._settings.values
        if encoder or used is None:
            wanted = EncodeOptions(encoder or values.encoder, values.device, values.precision)
            return asdict(wanted)
        # New texts get vectors of the same encoder and precision as those before.
        return asdict(EncodeOptions(used.folder, values.device, "auto"))


def prepared_words(counts: dict[str, int]) -> str:
    """What a person wants to know once the duplicates have been found."""
    if not has_duplicates(counts):
        return "No duplicates were found."
    are = "is a duplicate" if counts["removed"] == 1 else "are duplicates"
    said = f"{counted(counts['groups'], 'group')} found · {count(counts['removed'])} of "
    said += f"{counted(counts['rows'], 'row')} {are}"
    waiting = counts["review"]
    return f"{said} · {counted(waiting, 'pair')} to review" if waiting else said


def has_duplicates(counts: dict[str, int]) -> bool:
    """Whether there is anything to look at on the page of duplicates."""
    return bool(counts["groups"] or counts["review"])


def millions(number: float) -> str:
    """`12_300_000` → `about 12 M`; smaller numbers stay whole."""
    if number < 1_000_000:
        return f"about {count(round(number))}"
    return f"about {number / 1e6:.0f} M" if number >= 9_500_000 else f"about {number / 1e6:.1f} M"


def _before(project: Project) -> tuple[dict[str, Any], EncoderRecord | None]:
    return _last_group_options(project), project.active_encoder()


def _last_group_options(project: Project) -> dict[str, Any]:
    """The options of the last grouping by this encoder, so that being up to date changes none.

    A threshold belongs to an encoder: going back to another one goes back to its own.
    """
    now, encoder = project.groupings.current(), project.active_encoder()
    if now is None or now.run is None:
        return asdict(GroupOptions())
    told = project.runs.get(now.run).options
    for run in project.runs.latest(_RUNS_LOOKED_AT):
        is_finished = run.workflow == "groups" and run.state == "finished"
        if is_finished and encoder is not None and run.inputs.get("encoder") == encoder.id:
            told = run.options
            break
    names = {field.name for field in fields(GroupOptions)}
    return {name: value for name, value in told.items() if name in names}
