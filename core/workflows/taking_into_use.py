"""Take an encoder into use: encode with it, and propose the threshold that is as precise."""

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from core.errors import UserError
from core.options import EncodeOptions, GroupOptions, PairOptions
from core.progress import Steps
from core.store import Project
from core.workflows.comparing import Seen, keep_difference, look_before
from core.workflows.encoding import encode_corpus
from core.workflows.grouping import group_corpus
from core.workflows.pairing import find_pairs


@dataclass(frozen=True, slots=True)
class InUse:
    """What taking an encoder into use did."""

    encoder: str
    threshold_before: float | None
    threshold: float | None  # None where there were no groups to make again
    words: str
    difference: int | None = None  # what it gained and lost; None where nothing was compared


def use_training(project: Project, training: int, *, device: str = "auto") -> Steps[InUse]:
    """Encode with the encoder of a training, find pairs, and group from its own threshold.

    Decisions stay. One step of undo goes back to the encoder before, whose vectors are kept.
    """
    try:
        record = project.trainings.get(training)
    except KeyError as fault:
        raise UserError("This training is no longer in the project.", "Look again.") from fault
    folder = project.folder / record.folder
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        raise UserError(
            f"The folder of this encoder is gone ({folder}); the one in use stays.",
            "Teach it again, or put the folder back.",
        )
    told, seen = yield from _use(project, folder, record.figures, name=record.name, device=device)
    project.trainings.mark(training, "used")
    return (yield from _compared(project, told, seen))


def use_folder(project: Project, folder: Path, *, device: str = "auto") -> Steps[InUse]:
    """The same with the encoder in any folder, such as the one that trainings began with.

    The threshold is that of the newest grouping made with it, where there was one.
    """
    figures: dict[str, Any] = {}
    for one in project.trainings.listed():
        if Path(one.base_folder) == folder:
            figures = {"threshold": one.figures.get("threshold_before")}
            break
    told, seen = yield from _use(project, folder, figures, name=folder.name, device=device)
    return (yield from _compared(project, told, seen))


def _use(
    project: Project, folder: Path, figures: dict[str, Any], *, name: str, device: str
) -> Steps[tuple[InUse, Seen | None]]:
    """Take it into use; also how things stood before, to compare with once all is stored."""
    before = project.active_encoder()
    grouping = project.groupings.current()
    options = _group_options(project)
    yield from encode_corpus(
        project, EncodeOptions(str(folder), device, "auto"), take_into_use=False
    )
    encoder = project.vectors.of_folder(folder)
    if encoder is None:
        raise UserError("The texts could not be encoded with it.", "Look at the last job.")
    project.use_encoder(
        encoder.id, title=f"Use {name}", before=None if before is None else before.id
    )
    if grouping is None:
        words = f"{name} is in use. There were no groups yet to compare with."
        return InUse(name, None, None, words), None
    seen = look_before(project)
    found = yield from find_pairs(project, PairOptions())
    old = grouping.threshold
    proposed = figures.get("threshold") or old
    new = min(1.0, max(found.floor, round(float(proposed), 3)))
    review = max(found.floor, min(new, options["review"] + new - old))
    wanted = GroupOptions(**{**options, "threshold": new, "review": review})
    yield from group_corpus(project, wanted)
    words = f"{name} is in use. Rows are removed automatically from {new:.3f} on"
    words += f", where {old:.3f} was before." if new != old else ", as before."
    return InUse(name, old, new, words), seen


def _compared(project: Project, told: InUse, seen: Seen | None) -> Steps[InUse]:
    """Keep what the change gained and lost, and name it."""
    return replace(told, difference=(yield from keep_difference(project, seen)))


def _group_options(project: Project) -> dict[str, Any]:
    now = project.groupings.current()
    if now is None or now.run is None:
        return asdict(GroupOptions())
    names = {field.name for field in fields(GroupOptions)}
    stored = project.runs.get(now.run).options
    return {
        **asdict(GroupOptions()), **{key: value for key, value in stored.items() if key in names}
    }  # fmt: skip
