"""The only SQL and the only file formats: a project folder around one SQLite file."""

from core.store.augmentations import AugmentationRecord, SilverRow
from core.store.checked import CheckerRecord
from core.store.cluster_edits import ClusterEdit
from core.store.clusterings import (
    ClusteringRecord,
    ClusterLabels,
    ClusterRow,
    CrossTable,
    Shown,
    TreeTable,
)
from core.store.decisions import DecisionTable
from core.store.differences import (
    ChangedGroup,
    ChangedPair,
    ChangedText,
    DifferenceRecord,
)
from core.store.documents import Document, DocumentFilter
from core.store.graphs import GraphTable
from core.store.group_filters import GroupFilter
from core.store.groupings import GroupingRecord, GroupRow, MemberRow, ReviewRow
from core.store.judged import JudgedFile, JudgedRow
from core.store.maps import MapPoints, MapRecord
from core.store.pairs import Pairing, PairTable
from core.store.project import DATABASE, Project, ProjectBusyError, ProjectState, Recovery
from core.store.runs import Run, versions
from core.store.sources import Source
from core.store.staging import LaidRow, StagedRow, lay_out
from core.store.texts import TextTable
from core.store.trainings import InterruptedTraining, TrainingRecord
from core.store.vectors import EncoderRecord, VectorBatch, VectorTable

__all__ = [
    "DATABASE",
    "AugmentationRecord",
    "ChangedGroup",
    "ChangedPair",
    "ChangedText",
    "CheckerRecord",
    "ClusterEdit",
    "ClusterLabels",
    "ClusterRow",
    "ClusteringRecord",
    "CrossTable",
    "DecisionTable",
    "DifferenceRecord",
    "Document",
    "DocumentFilter",
    "EncoderRecord",
    "GraphTable",
    "GroupFilter",
    "GroupRow",
    "GroupingRecord",
    "InterruptedTraining",
    "JudgedFile",
    "JudgedRow",
    "LaidRow",
    "MapPoints",
    "MapRecord",
    "MemberRow",
    "PairTable",
    "Pairing",
    "Project",
    "ProjectBusyError",
    "ProjectState",
    "Recovery",
    "ReviewRow",
    "Run",
    "Shown",
    "SilverRow",
    "Source",
    "StagedRow",
    "TextTable",
    "TrainingRecord",
    "TreeTable",
    "VectorBatch",
    "VectorTable",
    "lay_out",
    "versions",
]
