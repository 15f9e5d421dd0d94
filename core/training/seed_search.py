"""Seed optimisation: several seeds are begun, and the best early one is carried on with.

As Augmented SBERT does it (arXiv 2010.08240, section 3): what a transformer becomes depends on
its seed, and the seeds stand early on in much the same order as at the end (a rank correlation
above 0.8), so that the last four fifths of the steps are taken once. Importing this module loads
no model library.
"""

import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.examples import Examples
from core.progress import Enough, Progress, Steps
from core.training.courses import Course
from core.training.fitted import Figure
from core.training.kept_stages import KeptStages, Paused
from core.training.placing import refuse_taken, whole_folder
from core.training.seed_plans import SeedPlan, SeedPlans, final_figure, plan_seeds
from core.training.teaching import Taught, teach
from core.training.tried_seeds import TriedSeed, TriedSeeds

SHARE = 0.2  # of the steps, after which a seed is judged
_FEWEST_TO_CORRELATE = 3  # seeds


@dataclass(frozen=True, slots=True)
class SeedSearch:
    """The seed that was chosen, and what was tried."""

    tried: tuple[TriedSeed, ...]  # those that came to their share, in the order of the seeds
    seed: int
    asked: int  # seeds that were to be tried
    share: float
    correlation: float | None  # Spearman, of the figures at the share and at the end
    taught: Taught  # of the seed chosen
    was_stopped: bool  # by hand

    def sentences(self) -> tuple[str, ...]:
        """What was done, and what the choice relies on."""
        early = ", ".join(f"{one.seed}: {_words(one.figure)}" for one in self.tried)
        seeds = "1 seed was" if len(self.tried) == 1 else f"{len(self.tried)} seeds were each"
        told = [f"{seeds} taught for {self.share:.0%} of the steps ({early})."] if early else []
        if self.was_stopped:
            told.append(
                "The search was stopped by hand when "
                f"{len(self.tried)} of {self.asked} seeds had come so far; the best was kept."
            )
        ended = [(one.seed, one.final) for one in self.tried if one.final is not None]
        if len(ended) > 1:
            late = ", ".join(f"{seed}: {_words(final)}" for seed, final in ended)
            told.append(
                f"{len(ended)} were taught to the end ({late}); seed {self.seed} did best there on "
                "the examples that choose."
            )
        elif any(math.isfinite(one.figure) for one in self.tried):
            told.append(
                f"Seed {self.seed} did best on the examples that choose and was carried on with."
            )
        elif self.tried:
            told.append(f"No figure told the seeds apart, so seed {self.seed} was taken.")
        if self.correlation is not None:
            told.append(
                "Choosing early relies on the seeds standing then as they stand at the end: the "
                f"rank correlation of both orders is {self.correlation:.2f}."
            )
        elif len(self.tried) > 1:
            told.append(
                "Choosing early relies on the seeds standing then as they stand at the end, which "
                "was not measured here."
            )
        return tuple(told)

    def record(self) -> dict[str, Any]:
        """The same as plain values, for the record of a run; None where a figure says nothing."""
        return {
            "seed": self.seed, "share": self.share, "correlation": self.correlation,
            "tried": [_plain(one) for one in self.tried], "was_stopped": self.was_stopped,
        }  # fmt: skip  # one thing beside another


def search_seeds(
    folder: Path,
    course_of_seed: Callable[[int], Course],
    to: Path,
    seeds: Sequence[int] = (0, 1, 2, 3, 4),
    *,
    kept: Path,
    share: float = SHARE,
    to_the_end: bool = False,
    figure_of: Callable[[Examples], Figure | None],
    device: str = "auto",
    record: Mapping[str, Any] | None = None,
    every_s: float | None = None,
) -> Steps[SeedSearch]:
    """Teach each seed its share of the steps, the best of them to the end, and write that one.

    The examples that choose among weights also choose among the seeds, and none that judge. All
    seeds are looked at by the same ones, at most 1,000, which the first seed draws; where its
    course has no given files all learn what it learns. A seed pauses at the first step that
    completes its share, and the one chosen ends with the very weights that `teach` would give
    it without a pause. With `to_the_end` every seed is carried on with and the best at the end is
    written, which tells whether choosing early would have done.

    `kept` holds a checkpoint of every seed, each four times the encoder's size. Cut off or closed,
    the same call goes on from there; in the end nothing is left in it. `every_s` is as of
    `KeptStages`; `figure_of`, `device` and `record` are as of `teach`. Takes `Enough`: the best
    so far is written, of the seeds that came to their share, else of the first. Raises `UserError`
    where nothing chooses, where `kept` is of something else, and as `teach` does; `ValueError` for
    no seeds, one named twice, and a share that is none.
    """
    if not 0 < share < 1:
        raise ValueError(f"a share of the steps lies between 0 and 1, which {share} does not")
    if not seeds or len(set(seeds)) < len(seeds):
        raise ValueError("different seeds are needed, one at least")
    refuse_taken(to)
    plans = plan_seeds(folder, course_of_seed, seeds[0], share=share, figure_of=figure_of)
    notes = TriedSeeds(kept)
    notes.load()
    search = _Search(
        plans, tuple(seeds), notes, kept, to, figure_of, device, dict(record or {}), every_s
    )
    taught = yield from search.try_all()
    if taught is not None:
        return search.found(search.seeds[0], taught)
    if to_the_end and not search.was_stopped:
        return (yield from search.carry_all_on())
    return (yield from search.carry_on(_best(search.tried(), lambda one: one.figure)))


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Spearman's rho; None under three values, where one is nan, or a side never varies."""
    if len(first) < _FEWEST_TO_CORRELATE or not np.isfinite([*first, *second]).all():
        return None
    a, b = _ranks(first), _ranks(second)
    if a.min() == a.max() or b.min() == b.max():
        return None
    return float(np.corrcoef(a, b)[0, 1])


@dataclass(slots=True)
class _Search:
    plans: SeedPlans
    seeds: tuple[int, ...]
    notes: TriedSeeds
    kept: Path
    to: Path
    figure_of: Callable[[Examples], Figure | None]
    device: str
    told: dict[str, Any]
    every_s: float | None
    was_stopped: bool = False
    ended: dict[int, Taught] = field(default_factory=dict)

    def try_all(self) -> Steps[Taught | None]:
        """Bring each seed to its share; what the first has learnt where it was ended by hand."""
        for place, seed in enumerate(self.seeds):
            if self._known(seed) is None:
                taught = yield from self._try(place)
                if self.was_stopped:
                    return taught
        return None

    def carry_on(self, seed: int) -> Steps[SeedSearch]:
        """Teach a seed to its end, into the folder that was asked for."""
        return self.found(seed, (yield from self._to_its_end(seed, self.to)))

    def carry_all_on(self) -> Steps[SeedSearch]:
        """Teach every seed to its end, and keep the best."""
        for seed in self.seeds:
            known = self._known(seed)
            if known is None or known.final is None:
                self.ended[seed] = yield from self._to_its_end(seed, self._scratch(seed))
            if self.was_stopped:
                break
        ended = [one for one in self.tried() if one.final is not None]
        best = _best(ended, lambda one: math.nan if one.final is None else one.final)
        if best in self.ended:
            return self.found(best, self.ended[best])
        # It ended before the search was cut off; its last checkpoint is still there.
        return (yield from self.carry_on(best))

    def tried(self) -> tuple[TriedSeed, ...]:
        """The seeds that came to their share, in their order."""
        known = map(self._known, self.seeds)
        return tuple(one for one in known if one is not None)

    def found(self, seed: int, taught: Taught) -> SeedSearch:
        """Put the encoder where it was wanted, remove all else and tell what was found."""
        if taught.trained.folder != self.to:
            with whole_folder(self.to, what="encoder") as part:
                shutil.copytree(taught.trained.folder, part, dirs_exist_ok=True)
            taught = replace(taught, trained=replace(taught.trained, folder=self.to))
        tried = self.tried()
        finals = [one.final for one in tried if one.final is not None]
        correlation = None
        if len(finals) == len(self.seeds) and not self.was_stopped:
            correlation = rank_correlation([one.figure for one in tried], finals)
        self._remove()
        return SeedSearch(
            tried, seed, len(self.seeds), self.plans.share, correlation,
            self.plans.as_parted(taught), self.was_stopped,
        )  # fmt: skip  # in the order of the fields

    def _try(self, place: int) -> Steps[Taught | None]:
        seed = self.seeds[place]
        plan = self.plans.of(seed)
        steps = self._teach(seed, self._scratch(seed), pauses=True)
        try:
            progress = next(steps)
            while True:
                try:
                    yield self._over_all(progress, place, plan)
                except Enough as enough:
                    self.was_stopped = True
                    if self.tried():
                        return None
                    progress = steps.throw(enough)
                else:
                    progress = next(steps)
        except Paused as paused:
            self.notes.tell(TriedSeed(seed, paused.figure), plan.of_figure)
            return None
        except StopIteration as stop:
            taught: Taught = stop.value
        finally:
            steps.close()
        if not self.was_stopped:
            # Its loss was no number, or nothing got better, before its share was complete.
            self.notes.tell(TriedSeed(seed, final_figure(taught)), plan.of_figure)
        return taught

    def _to_its_end(self, seed: int, to: Path) -> Steps[Taught]:
        """Go on with a seed; `Enough` waits until it stands where it paused."""
        plan, known = self.plans.of(seed), self._known(seed)
        title = f"{self._title(self.seeds.index(seed))}, to the end"
        steps = self._teach(seed, to, pauses=False)
        was_thrown = False
        try:
            progress = next(steps)
            while True:
                try:
                    yield replace(progress, title=title)
                except Enough:
                    self.was_stopped = True
                is_there = dict(progress.figures).get("step", 0) >= plan.step
                if self.was_stopped and is_there and not was_thrown:
                    was_thrown = True
                    progress = steps.throw(Enough())
                else:
                    progress = next(steps)
        except StopIteration as stop:
            taught: Taught = stop.value
        finally:
            steps.close()
        if known is not None:
            self.notes.tell(replace(known, final=final_figure(taught)), plan.of_figure)
        return taught

    def _teach(self, seed: int, to: Path, *, pauses: bool) -> Steps[Taught]:
        plan = self.plans.of(seed)
        if to != self.to:  # the rest of one that was cut off
            for folder in (to, to.with_name(f"{to.name}.part")):
                shutil.rmtree(folder, ignore_errors=True)
        pause_at = plan.pause_at if pauses else None
        stages = KeptStages(self._folder(seed), plan.of, self.every_s, pause_at)
        tried = [_plain(one) for one in self.tried()]
        seeds = {"seed": seed, "share": self.plans.share, "tried": tried}
        with stages.same_threads():
            return (
                yield from teach(
                    self.plans.folder,
                    plan.course,
                    to,
                    figure_of=self.figure_of,
                    device=self.device,
                    kept=stages,
                    record={**self.told, "seeds": seeds},
                )
            )

    def _over_all(self, one: Progress, place: int, plan: SeedPlan) -> Progress:
        """Tell the progress of one seed as that of all, each to its share."""
        figures = dict(one.figures)
        if "step" not in figures:
            return replace(one, title=self._title(place))
        done, total = min(one.done, plan.step), plan.step * len(self.seeds)
        before = place * plan.step
        if "seconds" in figures and one.done < plan.planned:
            figures["seconds"] *= (total - before - done) / (plan.planned - one.done)
        told = tuple(figures.items())
        return Progress(self._title(place), before + done, total, one.unit, told)

    def _known(self, seed: int) -> TriedSeed | None:
        if seed not in self.notes:  # to plan a seed takes a while
            return None
        return self.notes.known(seed, self.plans.of(seed).of_figure)

    def _title(self, place: int) -> str:
        return f"Seed {place + 1} of {len(self.seeds)}"

    def _folder(self, seed: int) -> Path:
        return self.kept / f"seed-{seed}"

    def _scratch(self, seed: int) -> Path:
        return self._folder(seed) / "encoder"

    def _remove(self) -> None:
        for folder in self.kept.glob("seed-*"):
            shutil.rmtree(folder, ignore_errors=True)
        self.notes.remove()


def _best(tried: Sequence[TriedSeed], figure: Callable[[TriedSeed], float]) -> int:
    """Return the seed with the best figure, the first where several or none have it."""
    told = [one for one in tried if math.isfinite(figure(one))]
    return max(told, key=figure).seed if told else tried[0].seed


def _ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """Return the rank of each value, ties at their mean rank."""
    row = np.array(values, np.float64)
    below = (row[None, :] < row[:, None]).sum(axis=1)
    equal = (row[None, :] == row[:, None]).sum(axis=1)
    return np.asarray(below + (equal + 1) / 2, np.float64)


def _plain(tried: TriedSeed) -> dict[str, Any]:
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in asdict(tried).items()
    }


def _words(figure: float) -> str:
    return f"{figure:.4f}" if math.isfinite(figure) else "no figure"
