"""What the teach page shows of a project."""

from dataclasses import dataclass
from pathlib import Path

from core.errors import UserError
from core.folders import folder_in_use
from core.store import EncoderRecord, InterruptedTraining, JudgedFile, Project, TrainingRecord

_RECENT_RUNS = 50


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to learn from, and the trainings so far."""

    decisions: dict[str, int]  # same, different, unsure
    files: tuple[JudgedFile, ...]
    trainings: tuple[TrainingRecord, ...]  # the newest first, without discarded ones
    encoder: EncoderRecord | None
    texts: int
    rate: float | None  # texts encoded a second, as last measured here
    used: int | None  # the training whose encoder is in use, None while it is the first one
    interrupted: tuple[InterruptedTraining, ...] = ()  # that can go on, the newest first
    missing: str = ""  # why the encoder in use cannot be taught, where its folder is gone

    @property
    def judged(self) -> int:
        """Decisions that say same or different; unsure ones teach nothing."""
        return self.decisions.get("same", 0) + self.decisions.get("different", 0)

    @property
    def imported(self) -> int:
        return sum(file.examples for file in self.files)

    @property
    def in_use(self) -> TrainingRecord | None:
        """The training whose encoder is in use, None while it is the first encoder."""
        return self.training(self.used)

    @property
    def first(self) -> TrainingRecord | None:
        """The oldest training, which knows the encoder that all began with."""
        return self.trainings[-1] if self.trainings else None

    def training(self, number: int | None) -> TrainingRecord | None:
        """A training by its number, None where it is not on the list."""
        return next((one for one in self.trainings if one.id == number), None)

    def interruption(self, run: int | None) -> InterruptedTraining | None:
        """An interrupted training by its run, None where it is not on the list."""
        return next((one for one in self.interrupted if one.run == run), None)

    def is_in_use(self, training: TrainingRecord) -> bool:
        return training.id == self.used


def read_material(project: Project) -> Material:
    """Everything at once; a few milliseconds."""
    trainings = tuple(one for one in project.trainings.listed() if one.state != "discarded")
    encoder = project.active_encoder()
    return Material(
        project.decisions.counts(),
        tuple(project.judged.files()),
        trainings,
        encoder,
        project.texts.count(),
        _rate(project),
        _used(project, encoder, trainings),
        tuple(project.trainings.interrupted()),
        _missing(encoder),
    )


def _used(
    project: Project, encoder: EncoderRecord | None, trainings: tuple[TrainingRecord, ...]
) -> int | None:
    if encoder is None:
        return None
    folder = Path(encoder.folder).resolve()
    # Folders of trainings are told from the project's, so that both can move together.
    found = (one.id for one in trainings if (project.folder / one.folder).resolve() == folder)
    return next(found, None)


def _missing(encoder: EncoderRecord | None) -> str:
    if encoder is None:
        return ""
    try:
        folder_in_use(encoder.folder, name=encoder.name)
    except UserError as fault:
        return f"{fault.what} {fault.remedy}"
    return ""


def _rate(project: Project) -> float | None:
    for run in project.runs.latest(_RECENT_RUNS):
        rate = (run.outcome or {}).get("rate")
        if isinstance(rate, int | float) and rate > 0:
            return float(rate)
    return None
