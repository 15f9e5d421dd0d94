"""What the multiply page reads of a project."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.pages.teach_reads import Material, read_material
from core.store import AugmentationRecord, Project, SilverRow

PAGE = 20  # silver pairs that are shown at once


@dataclass(frozen=True, slots=True)
class Kept:
    """What lies in the project's folder of an augmentation."""

    is_whole: bool  # what it takes to go on is there
    labels_begun: bool  # labelling was cut off and can go on
    lesson_begun: bool  # so was teaching


@dataclass(frozen=True, slots=True)
class Multiplied:
    """The augmentations of a project, the newest first, and what surrounds them."""

    material: Material
    records: tuple[AugmentationRecord, ...]
    kept: Mapping[int, Kept]
    revision: int  # of the decisions

    def record(self, number: int | None) -> AugmentationRecord | None:
        """An augmentation by its number, None where it is not on the list."""
        return next((one for one in self.records if one.id == number), None)


@dataclass(frozen=True, slots=True)
class SilverPage:
    """Some silver pairs in their order, and whether more follow."""

    augmentation: int
    band: tuple[float, float]
    offset: int
    rows: tuple[SilverRow, ...]
    has_more: bool


def read_multiplied(project: Project) -> Multiplied:
    """Everything but the silver pairs at once; a few milliseconds."""
    records = tuple(project.augmentations.listed())
    return Multiplied(
        read_material(project),
        records,
        {one.id: _kept(project.folder / "augmentations" / str(one.run)) for one in records},
        project.meta.revision("decisions"),
    )


def read_silver(
    project: Project, augmentation: int, band: tuple[float, float], offset: int
) -> SilverPage:
    """A page of the silver pairs whose label lies in a band."""
    rows = project.augmentations.silver(
        augmentation, low=band[0], high=band[1], offset=offset, count=PAGE + 1
    )
    return SilverPage(augmentation, band, offset, tuple(rows[:PAGE]), len(rows) > PAGE)


def _kept(folder: Path) -> Kept:
    return Kept(
        folder.is_dir(),
        any(folder.glob("labels-*.json")),
        any(folder.glob("augmented-*")),
    )
