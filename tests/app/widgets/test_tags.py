"""Tags, badges, and tags in cells."""

import pytest
from PySide6.QtGui import QStandardItem, QStandardItemModel

from app.look.theme import current_theme
from app.widgets.data_table import DataTable
from app.widgets.tag_delegate import TAGS_ROLE
from app.widgets.tags import Tag, TagRow, VerdictBadge, tag_size, verdict_tag
from core.records import Verdict


@pytest.mark.parametrize(
    ("verdict", "letter"), [(Verdict.SAME, "S"), (Verdict.DIFFERENT, "D"), (Verdict.UNSURE, "U")]
)
def test_a_verdict_has_a_letter_beside_its_colour(verdict, letter):
    assert verdict_tag(verdict).sign == letter


def test_a_badge_follows_the_verdict(app):
    badge = VerdictBadge()
    badge.show_verdict(Verdict.SAME)
    assert badge.accessibleName() == "Same"


def test_a_badge_without_a_verdict_says_so(app):
    assert VerdictBadge(None).tag.words == "Not decided"


def test_a_sign_needs_room(app):
    theme = current_theme()
    assert tag_size(Tag("x", sign="⚠"), theme).width() > tag_size(Tag("x"), theme).width()


def test_a_row_names_its_tags_for_screen_readers(app):
    assert TagRow((Tag("long"), Tag("copy ×3"))).accessibleName() == "long, copy ×3"


def test_tags_without_room_are_counted(show):
    tags = tuple(Tag(f"a long tag {n}") for n in range(6))
    narrow = show(TagRow(tags[:1]), 140, 20).grab().toImage()
    counted = show(TagRow(tags), 140, 20).grab().toImage()
    assert narrow != counted


def test_cells_paint_their_tags(show):
    model = QStandardItemModel(1, 1)
    model.setItem(0, 0, QStandardItem())
    table = DataTable()
    table.setModel(model)
    show(table, 300, 120)
    plain = table.grab().toImage()
    model.item(0, 0).setData((Tag("copy ×3", "unsure"),), TAGS_ROLE)
    assert table.grab().toImage() != plain
