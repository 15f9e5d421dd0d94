"""The only SQL and the only file formats: a project folder around one SQLite file."""

from core.store.decisions import DecisionTable
from core.store.documents import Document, DocumentFilter, StagedRow
from core.store.group_filters import GroupFilter
from core.store.groupings import GroupingRecord, GroupRow, MemberRow, ReviewRow
from core.store.pairs import Pairing, PairTable
from core.store.project import DATABASE, Project, ProjectBusyError, ProjectState, Recovery
from core.store.runs import Run, versions
from core.store.sources import Source
from core.store.texts import TextTable
from core.store.vectors import EncoderRecord, VectorBatch, VectorTable

__all__ = [
    "DATABASE",
    "DecisionTable",
    "Document",
    "DocumentFilter",
    "EncoderRecord",
    "GroupFilter",
    "GroupRow",
    "GroupingRecord",
    "MemberRow",
    "PairTable",
    "Pairing",
    "Project",
    "ProjectBusyError",
    "ProjectState",
    "Recovery",
    "ReviewRow",
    "Run",
    "Source",
    "StagedRow",
    "TextTable",
    "VectorBatch",
    "VectorTable",
    "versions",
]
