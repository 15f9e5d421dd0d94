"""The sheets that act on a whole project, on a real one with a real worker."""

import csv
import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget

from app.sheets.bulk_sheet import BulkSheet, read_band
from app.sheets.export_sheet import ExportSheet
from app.workspace import Workspace
from core.options import GroupOptions
from core.progress import run_to_end
from core.records import Flag, ImportReport, ImportSettings, Reading, Verdict
from core.store import PairTable, Project, StagedRow, VectorBatch
from core.workflows.grouping import group_corpus

TEXTS = ("=1+1 is what my bill says", "my bill says 1+1", "where is it", "where is it now", "bye")
PAIRS = ((1, 2, 0.90, 0), (3, 4, 0.94, 0), (1, 5, 0.91, int(Flag.NUMBERS)))


@pytest.fixture(scope="module")
def workspace(app: QApplication) -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A grouped project of five rows with three pairs waiting, one of them held back."""
    with Project.create(tmp_path / "bills.samesense") as project:
        settings = ImportSettings(Reading("table", ("text",)), ("text",))
        source = project.sources.begin(
            "bills.csv", path="/nowhere/bills.csv", sha256="0" * 64, size=1, settings=settings,
            run=project.runs.begin("import", {}),
        )  # fmt: skip
        project.documents.stage(source, [_row(place, text) for place, text in enumerate(TEXTS, 1)])
        project.sources.finish(source, ImportReport(source, "bills.csv", rows=len(TEXTS)))
        _pair(project)
        run_to_end(group_corpus(project, GroupOptions()))
    return tmp_path / "bills.samesense"


@pytest.fixture
def opened(workspace: Workspace, folder: Path) -> Iterator[Workspace]:
    workspace.open(folder)
    until(lambda: workspace.state is not None)
    yield workspace
    workspace.close()


@pytest.fixture
def sheet(opened: Workspace, tmp_path: Path, show: Callable[..., QWidget]) -> ExportSheet:
    made = ExportSheet(opened)
    show(made, 660, 460)
    until(lambda: made.export_button.isEnabled())
    made.path.setText(str(tmp_path / "out.csv"))
    made.path.textEdited.emit(made.path.text())
    return made


def until(is_so: Callable[[], object], *, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        QTest.qWait(10)


def click(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def export(sheet: ExportSheet) -> Path:
    written: list[str] = []
    sheet.exported.connect(written.append)
    click(sheet.export_button)
    until(lambda: written)
    return Path(written[0])


def test_the_button_says_how_many_rows_will_be_written(sheet):
    assert sheet.export_button.text() == "Export 5 rows"
    sheet.choices["pairs"].setChecked(True)
    assert sheet.export_button.text() == "Export 3 pairs"


def test_an_export_writes_the_rows_and_says_where(sheet, tmp_path):
    path = export(sheet)
    assert path == tmp_path / "out.csv"
    with path.open(encoding="utf-8-sig", newline="") as stream:
        assert len(list(csv.reader(stream))) == 6
    assert str(path) in sheet.banner.text


def test_cells_are_safe_in_spreadsheets_unless_wanted_raw(sheet):
    guarded = export(sheet).read_text(encoding="utf-8-sig")
    assert "'=1+1" in guarded


def test_raw_cells_are_written_as_they_are(sheet):
    sheet.raw.setChecked(True)
    raw = export(sheet).read_text(encoding="utf-8-sig")
    assert "'=1+1" not in raw
    assert "=1+1" in raw


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".jsonl", ".parquet", ".tsv"])
def test_every_format_can_be_written(sheet, suffix):
    sheet.format.setCurrentIndex(sheet.format.findData(suffix))
    path = export(sheet)
    assert path.suffix == suffix
    assert path.stat().st_size > 0


def test_a_file_that_is_there_is_not_replaced_unasked(sheet, tmp_path):
    (tmp_path / "out.csv").write_text("mine")
    click(sheet.export_button)
    assert "there already" in sheet.banner.text
    assert (tmp_path / "out.csv").read_text() == "mine"


def test_a_file_that_is_there_is_replaced_when_wanted(sheet, tmp_path):
    (tmp_path / "out.csv").write_text("mine")
    click(sheet.export_button)
    written = []
    sheet.exported.connect(written.append)
    click(next(b for b in sheet.banner.findChildren(QPushButton) if b.text() == "Replace it"))
    until(lambda: written)
    assert (tmp_path / "out.csv").read_text(encoding="utf-8-sig") != "mine"


def test_a_file_is_not_replaced_when_only_its_name_without_ending_was_asked_about(
    sheet, tmp_path, monkeypatch
):
    (tmp_path / "mine.csv").write_text("mine")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_rest: (str(tmp_path / "mine"), ""))
    sheet.where._browse()
    click(sheet.export_button)
    assert "there already" in sheet.banner.text
    assert (tmp_path / "mine.csv").read_text() == "mine"


def test_a_folder_that_is_not_there_is_told(sheet, tmp_path):
    sheet.path.setText(str(tmp_path / "nowhere" / "out.csv"))
    sheet.path.textEdited.emit(sheet.path.text())
    click(sheet.export_button)
    until(lambda: sheet.export_button.isEnabled())
    assert not (tmp_path / "nowhere" / "out.csv").exists()
    assert "nowhere" in sheet.banner.text


def test_a_name_without_ending_gets_that_of_the_format(sheet, tmp_path):
    sheet.path.setText(str(tmp_path / "v1.2 kept"))
    assert sheet.where.target == tmp_path / "v1.2 kept.csv"


def test_the_certificate_is_a_web_page(sheet):
    sheet.choices["certificate"].setChecked(True)
    assert [sheet.format.itemData(at) for at in range(sheet.format.count())] == [".html"]
    assert sheet.where.target.suffix == ".html"
    assert not sheet.raw.isVisible()


def test_the_certificate_is_written_from_the_sheet(sheet, tmp_path):
    sheet.choices["certificate"].setChecked(True)
    assert sheet.export_button.text() == "Write the certificate"
    path = export(sheet)
    assert path == tmp_path / "out.html"
    page = path.read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "bills.csv" in page
    assert str(path) in sheet.banner.text


def test_a_project_without_groups_exports_all_rows_only(workspace, tmp_path, show):
    Project.create(tmp_path / "new").close()
    workspace.open(tmp_path / "new")
    until(lambda: workspace.state is not None)
    sheet = show(ExportSheet(workspace))
    until(lambda: sheet.choices["documents"].isChecked())
    assert not sheet.choices["kept"].isEnabled()
    workspace.close()


def test_a_band_holds_back_pairs_with_a_warning(folder):
    with Project.open_read_only(folder) as project:
        assert read_band(project, 0.86, 0.97, flagged=False).pairs == 2
        assert read_band(project, 0.86, 0.97, flagged=False).held == 1
        assert read_band(project, 0.86, 0.97, flagged=True).pairs == 3


def test_a_pair_decided_since_the_grouping_is_not_in_the_band(folder):
    with Project.open(folder) as project:
        project.decisions.decide([(1, 2)], Verdict.DIFFERENT, title="")
        assert read_band(project, 0.86, 0.97, flagged=False).pairs == 1


def test_a_band_shows_pairs_from_the_least_alike_on(folder):
    with Project.open_read_only(folder) as project:
        sample = read_band(project, 0.86, 0.97, flagged=False).sample
    assert [round(cosine, 2) for _, _, cosine in sample] == [0.90, 0.94]


def test_narrowing_the_band_changes_the_button(opened, show):
    sheet = show(BulkSheet(opened, low=0.86, high=0.97))
    until(lambda: sheet.accept_button.text() == "Accept 2 pairs")
    sheet.low.setValue(0.93)
    until(lambda: sheet.accept_button.text() == "Accept 1 pair")


def test_the_lower_end_takes_the_upper_one_along(opened, show):
    sheet = show(BulkSheet(opened, low=0.86, high=0.90))
    sheet.low.setValue(0.95)
    assert sheet.high.value() == pytest.approx(0.95)
    until(lambda: sheet.is_settled)


def test_accepting_decides_exactly_the_pairs_counted(opened, folder, show):
    sheet = show(BulkSheet(opened, low=0.86, high=0.97))
    until(lambda: sheet.accept_button.text() == "Accept 2 pairs")
    accepted = []
    sheet.accepted_pairs.connect(accepted.append)
    click(sheet.accept_button)
    until(lambda: accepted)
    with Project.open_read_only(folder) as project:
        assert accepted == [2]
        assert project.decisions.counts()["same"] == 2


def _row(place: int, text: str) -> StagedRow:
    mark = hashlib.sha256(text.encode()).hexdigest()[:32]
    return StagedRow(place, place + 1, None, (text,), None, text, mark, False)


def _pair(project: Project) -> None:
    encoder = project.vectors.encoder(
        "f1", name="tiny", folder="/nowhere", dimension=4, precision="fp32", settings={}
    )
    project.meta.set("encoder", str(encoder.id))
    texts = project.texts.without_vector(encoder.id)
    ones, none = np.ones(len(texts), np.int32), np.zeros(len(texts), np.bool_)
    vectors = np.eye(len(texts), 4, dtype=np.float32)
    project.vectors.append(
        encoder, VectorBatch(texts, vectors, ones, ones, none, np.zeros((0, 4), np.float32))
    )
    pairing = project.pairs.begin(encoder.id, floor=0.7, run=project.runs.begin("pairs", {}))
    left, right, cosine, flags = zip(*PAIRS, strict=True)
    table = PairTable(
        np.array(left), np.array(right), np.array(cosine, np.float32),
        np.full(len(PAIRS), 0.5, np.float32), np.array(flags, np.uint8),
    )  # fmt: skip
    project.pairs.add(pairing.id, table, rows_done=len(texts))
    list(project.pairs.finish(pairing.id))
