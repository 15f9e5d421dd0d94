"""What the teach page says on its banner when something has ended."""

from dataclasses import dataclass

from app.look.words import count
from app.pages.teach_reads import Material
from app.pages.teach_words import is_clearly_better, is_worse, result_said, score_said
from app.widgets.banner import Banner, BannerKind
from core.store import InterruptedTraining, TrainingRecord


@dataclass(frozen=True, slots=True)
class Notice:
    """A message for the page's banner; buttons are (key, words)."""

    kind: BannerKind
    words: str
    buttons: tuple[tuple[str, str], ...] = ()
    training: int | None = None  # the one it is about, as its button is
    run: int | None = None  # of the interrupted training it is about
    used: int | None = None  # the one it calls in use now, 0 for the first encoder


class NoticeBoard:
    """The page's banner, which says nothing any more of what has been undone since."""

    def __init__(self, banner: Banner) -> None:
        self._banner = banner
        self._notice: Notice | None = None
        self._was_used = False  # what it calls in use was so when that was looked at last

    @property
    def run(self) -> int | None:
        """The run of the interrupted training that the notice is about."""
        return None if self._notice is None else self._notice.run

    @property
    def training(self) -> int | None:
        """The training that the notice is about."""
        return None if self._notice is None else self._notice.training

    def say(self, notice: Notice, material: Material | None) -> None:
        """Show a notice in place of the one before."""
        self._notice = notice
        self._was_used = material is not None and _is_in_use(notice, material)
        self._banner.show_message(notice.kind, notice.words, buttons=notice.buttons)

    def follow(self, material: Material) -> None:
        """Take away what is said of a training that was discarded, or is in use no more."""
        notice = self._notice
        if notice is None:
            return
        is_gone = (notice.training is not None and material.training(notice.training) is None) or (
            notice.run is not None and material.interruption(notice.run) is None
        )
        is_used = _is_in_use(notice, material)
        if is_gone or (self._was_used and not is_used):
            self.clear()
        self._was_used = is_used

    def clear(self) -> None:
        self._notice = None
        self._banner.clear()


def finished_notice(record: TrainingRecord) -> Notice:
    """What a training that has just ended brought."""
    figures = record.figures
    said = f"{score_said(figures)}." if score_said(figures) else ""
    words = f"{record.name} is ready. {said} {result_said(figures)}"
    if figures.get("stopped") == "not finite":
        words = (
            f"The loss was no longer a number, so teaching stopped; the last good state is kept as "
            f"{record.name}, and the encoder in use is untouched. A smaller learning rate may help."
        )
        return Notice("warning", words, training=record.id)
    kind: BannerKind = "done" if is_clearly_better(record) else "info"
    if is_worse(figures):
        return Notice("warning", " ".join(words.split()), training=record.id)
    return Notice(kind, " ".join(words.split()), (("use", "Use it…"),), record.id)


def ended_notice(kind: str, what: str, remedy: str) -> Notice:
    """How a training ended that brought nothing."""
    if kind == "cancelled":
        words = what or "Cancelled. Nothing was kept"
        return Notice("info", f"{words}, and the encoder in use is untouched.")
    words = f"{what} {remedy}".strip()
    return Notice("error", f"{words} The encoder in use is untouched.")


def interrupted_notice(what: str, interrupted: InterruptedTraining) -> Notice:
    """A training that was cut off and can go on."""
    at = f" from step {count(interrupted.step)} on" if interrupted.step else " from the beginning"
    words = f"{what} Nothing is lost: it can be resumed{at}, and the encoder in use is untouched."
    return Notice("warning", words.strip(), (("resume", "Resume"),), run=interrupted.run)


def fault_notice(what: str, remedy: str) -> Notice:
    """What went wrong and what to do."""
    return Notice("error", f"{what} {remedy}".strip())


def _is_in_use(notice: Notice, material: Material) -> bool:
    return (material.used or 0) == notice.used
