"""Draw every widget with invented content, light and dark: `gallery.py FOLDER`."""

import os
import sys
from collections.abc import Callable
from math import exp
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.icons import icon_names, set_icon
from app.look.theme import Mode, apply_theme, current_theme, set_role
from app.widgets.about_dialog import AboutDialog, Licence
from app.widgets.banner import Banner, BannerKind
from app.widgets.column_compare import ColumnPair
from app.widgets.command_palette import CommandPalette
from app.widgets.data_table import DataTable
from app.widgets.drop_zone import DropZone
from app.widgets.empty_state import EmptyState
from app.widgets.job_strip import JobLine, JobStrip
from app.widgets.keys_sheet import KeyGroup, KeysSheet
from app.widgets.navigation_rail import NavigationRail, Page
from app.widgets.paged_table_model import PagedTableModel
from app.widgets.pair_card import CardContent, CardText, PairCard
from app.widgets.project_bar import Fact, ProjectBar
from app.widgets.score_histogram import ScoreHistogram, Scores
from app.widgets.settings_dialog import AppearanceSection, SettingsDialog
from app.widgets.sum_line import Sum, SumLine
from app.widgets.tags import Tag, TagRow, VerdictBadge, warning_tag
from app.widgets.text_view import TextView
from core.records import Verdict

PAGES = (
    Page("corpus", "Corpus", "corpus"),
    Page("duplicates", "Duplicates", "duplicates"),
    Page("search", "Search", "search"),
)
FACTS = (
    Fact("rows", "14,640 rows"),
    Fact("texts", "13,902 texts"),
    Fact("encoder", "encoder MiniLM"),
    Fact("pairs", "pairs out of date", "stale"),
)
COLUMNS = (
    ColumnPair("amount", "40.00", "40.00"),
    ColumnPair("city", "Lyon", "Nice"),
    ColumnPair("channel", "Web", "Phone"),
    ColumnPair("language", "en", "en"),
)
PAIR = CardContent(
    CardText(
        "I was charged twice for the same order. The first payment went through on Monday and "
        "a second one of the same amount appeared this morning. Please give the money back.",
        ("#1042", "12 May", "Web"),
    ),
    CardText(
        "My card has been charged two times for one order. The first payment went through on "
        "Monday and another of the same amount appeared today. Please refund me.",
        ("#7730", "3 Jun", "Phone"),
    ),
    COLUMNS,
    0.91,
    0.34,
    "paraphrase",
    ("city differs",),
)
SUM = Sum(14_640, 12_911, 738, 655, 336, 96, 364)


def bars() -> Scores:
    """A slope of unlike pairs and a hill of near-copies."""
    places = [0.7 + 0.3 * (at + 0.5) / 60 for at in range(60)]
    heights = [900 * exp(-(x - 0.7) * 14) + 260 * exp(-(((x - 0.95) / 0.025) ** 2)) for x in places]
    return Scores(tuple(round(height) for height in heights))


def window() -> QWidget:
    """The frame with the page of duplicates."""
    whole = QWidget()
    whole.resize(1280, 800)
    rail = NavigationRail(PAGES)
    rail.show_page("duplicates")
    rail.add_footer(QAction("Settings…", rail), "settings")
    bar = ProjectBar()
    bar.show_project("Tickets 2026")
    bar.set_menu(QMenu(bar))
    bar.show_facts(FACTS)
    strip = JobStrip()
    job = JobLine("1", "Encoding", done=8_210, total=13_902, rate=412, remaining_s=14)
    strip.show_jobs(job, [JobLine("2", "Finding pairs", "waiting"), job])
    page = QVBoxLayout()
    page.setContentsMargins(24, 16, 24, 16)
    page.setSpacing(8)
    page.addWidget(histogram())
    page.addWidget(sum_line())
    page.addWidget(card_on_surface(), 1)
    right = QVBoxLayout()
    right.setSpacing(0)
    right.addWidget(bar)
    right.addLayout(page, 1)
    top = QHBoxLayout()
    top.setSpacing(0)
    top.addWidget(rail)
    top.addLayout(right, 1)
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addLayout(top, 1)
    column.addWidget(strip)
    return whole


def histogram() -> ScoreHistogram:
    made = ScoreHistogram()
    made.show_scores(bars())
    made.show_zone_counts(7_902, 96, 655)
    return made


def sum_line() -> SumLine:
    made = SumLine()
    made.show_sum(SUM)
    return made


def card_on_surface() -> PairCard:
    made = PairCard()
    made.show_pair(PAIR)
    return made


def controls() -> QWidget:
    """The plain controls as the style sheet dresses them."""
    whole = QWidget()
    whole.resize(900, 420)
    grid = QGridLayout(whole)
    grid.setContentsMargins(24, 24, 24, 24)
    grid.setSpacing(12)
    for place, role in enumerate(("primary", "", "quiet", "danger", "link")):
        button = QPushButton("Import 14,640 rows" if role == "primary" else role or "Plain")
        set_role(button, role)
        grid.addWidget(button, 0, place)
    disabled = QPushButton("Disabled")
    disabled.setEnabled(False)
    field = QLineEdit()
    field.setPlaceholderText("Search by meaning")
    combo = QComboBox()
    combo.addItems(["All groups", "Copies"])
    checked, radio = QCheckBox("Copies"), QRadioButton("By meaning")
    checked.setChecked(True)
    radio.setChecked(True)
    slider, progress = QSlider(), QProgressBar()
    slider.setOrientation(slider.orientation().Horizontal)
    slider.setValue(40)
    progress.setValue(60)
    tabs = QTabBar()
    for words in ("Meaning", "Words", "Both"):
        tabs.addTab(words)
    rest = (disabled, field, combo, QSpinBox(), checked, radio, QCheckBox("Near-copies"))
    for place, widget in enumerate((*rest, slider, progress, tabs)):
        grid.addWidget(widget, 1 + place // 5, place % 5)
    tags = TagRow((Tag("copy ×3"), Tag("long"), warning_tag("unreadable"), Tag("very short")))
    grid.addWidget(tags, 3, 0, 1, 2)
    for place, verdict in enumerate((None, *Verdict)):
        grid.addWidget(VerdictBadge(verdict), 4, place)
    icons = QHBoxLayout()
    for name in icon_names():
        shown = QToolButton()
        set_icon(shown, name, current_theme().colours)
        icons.addWidget(shown)
    icons.setSpacing(0)
    grid.addLayout(icons, 5, 0, 1, 5)
    return whole


def table() -> QWidget:
    made = DataTable()
    rows: list[tuple[object, ...]] = [
        (f"#{1042 + at}", "I was charged twice for the same order", "12 May", (Tag("copy ×3"),), at)
        for at in range(40)
    ]
    rows[2] = (
        "#1044",
        "لقد تم خصم المبلغ مرتين (order 12)",
        "13 May",
        (warning_tag("unreadable"),),
        4,
    )
    rows[3] = ("#1045", "ok", None, (Tag("very short"), Tag("copy ×12")), 1204)
    model = PagedTableModel(
        ("id", "text", "date", "marks", "length"),
        lambda first, number: model.supply(first, rows[first : first + number]),
        parent=made,
    )
    model.reset(len(rows))
    made.setModel(model)
    made.setColumnWidth(1, 420)
    made.selectRow(1)
    made.resize(900, 300)
    return made


def messages() -> QWidget:
    whole = QWidget()
    whole.resize(900, 700)
    column = QVBoxLayout(whole)
    column.setContentsMargins(24, 24, 24, 24)
    said: tuple[tuple[BannerKind, str, str], ...] = (
        ("info", "Imported 14,640 rows. 738 are copies, 12 are blank.", "Show report"),
        ("done", "Removed 655 rows. They stay in the project.", "Undo"),
        ("warning", "The texts have changed since the pairs were found.", "Find pairs again"),
        ("error", "The disk is full. Nothing was lost. Free 2 GB and try again.", "Try again"),
    )
    for kind, text, button in said:
        banner = Banner()
        column.addWidget(banner)
        banner.show_message(kind, text, buttons=[("go", button)])
    drop = DropZone(note="CSV, TSV, Excel, Parquet, JSON lines, or a folder of text files")
    drop.setMinimumHeight(220)
    column.addWidget(drop)
    empty = EmptyState()
    empty.show_state(
        "duplicates",
        "No pairs yet.",
        note="About 40 s for 13,902 texts.",
        button="Find duplicates",
        second="Learn more",
    )
    column.addWidget(empty, 1)
    return whole


def jobs() -> QWidget:
    strip = JobStrip()
    failed = JobLine("1", "Export", "failed", message="the disk is full", details="…", when="14:02")
    done = JobLine("0", "Import", "finished", message="14,640 rows", when="13:58")
    stopped = JobLine("3", "Encoding", "cancelled", message="8,210 texts are kept", when="13:59")
    strip.show_jobs(failed, [JobLine("4", "Finding pairs", "waiting"), failed, stopped, done])
    strip.set_open(True)
    strip.resize(1000, 250)
    return strip


def reader() -> QWidget:
    whole = QWidget()
    whole.resize(900, 260)
    row = QHBoxLayout(whole)
    for text, spans in (
        ("Where is my parcel? 📦 It was due\x00 on Friday.", [(12, 18), (21, 27)]),
        ("أين طردي (order 4471)؟ كان من المفترض أن يصل يوم الجمعة.", [(4, 8)]),
    ):
        view = TextView()
        view.show_text(text, spans)
        row.addWidget(view)
    return whole


def histogram_states() -> QWidget:
    whole = QWidget()
    whole.resize(760, 520)
    column = QVBoxLayout(whole)
    stale, close_by, empty = histogram(), histogram(), ScoreHistogram()
    stale.show_scores(Scores(bars().counts, stale=True))
    close_by.set_thresholds(0.985, 0.99)
    for widget in (stale, close_by, empty):
        column.addWidget(widget)
    return whole


def keys() -> QWidget:
    whole = window()
    sheet = KeysSheet(whole)
    groups = (
        KeyGroup(
            "Decide", (("S", "same"), ("D", "different"), ("U", "unsure"), ("K", "keep the other"))
        ),
        KeyGroup("Move", (("J / K", "next, previous"), ("Space", "open the text"))),
        KeyGroup(
            "Everywhere", (("Ctrl+Z", "undo"), ("Ctrl+Shift+Z", "redo"), ("Ctrl+K", "commands"))
        ),
    )
    sheet.show_keys("Keys of this page", groups)
    return whole


def palette() -> QWidget:
    whole = window()
    sheet = CommandPalette(whole)
    actions = [
        QAction(words, whole)
        for words in (
            "Import a file…",
            "Export…",
            "Find duplicates",
            "Accept the group",
            "Settings…",
        )
    ]
    actions[0].setShortcut("Ctrl+I")
    actions[1].setShortcut("Ctrl+E")
    sheet.open_with(actions)
    return whole


def settings() -> QWidget:
    made = SettingsDialog()
    made.add_section("Appearance", "sun", AppearanceSection("system"))
    made.add_section("Encoder", "settings", QLabel("MiniLM"))
    return made


def about() -> QWidget:
    return AboutDialog(
        "0.1.0",
        [
            Licence("Qt", "LGPL-3.0", "the window"),
            Licence("PyTorch", "BSD-3-Clause", "encoding"),
            Licence("SQLite", "public domain", "storage"),
        ],
    )


PLATES: dict[str, Callable[[], QWidget]] = {
    "window": window,
    "controls": controls,
    "table": table,
    "messages": messages,
    "jobs": jobs,
    "reader": reader,
    "histogram": histogram_states,
    "keys": keys,
    "palette": palette,
    "settings": settings,
    "about": about,
}


def main(folder: Path, names: list[str]) -> None:
    app = QApplication([])
    folder.mkdir(parents=True, exist_ok=True)
    modes: tuple[Mode, ...] = ("light", "dark")
    for mode in modes:
        apply_theme(app, mode)
        for name in names or list(PLATES):
            plate = PLATES[name]()
            plate.show()
            for _ in range(3):
                app.processEvents()
            plate.grab().save(str(folder / f"{name}-{mode}.png"))
            plate.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
