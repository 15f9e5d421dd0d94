"""Dressing and redressing the program."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from app.look.icons import icon_names, pixmap, set_icon
from app.look.theme import Look, apply_theme, current_theme, font, set_role
from app.look.tokens import DARK, LIGHT


@pytest.fixture(autouse=True)
def light_again(app: QApplication) -> Iterator[None]:
    yield
    apply_theme(app, "light")


def middle_colours(picture) -> set[str]:
    image = picture.toImage()
    return {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() > 250
    }


def test_dark_gives_a_dark_window(app):
    apply_theme(app, "dark")
    assert app.palette().color(QPalette.ColorRole.Window).name() == DARK.paper.lower()


def test_widgets_that_paint_themselves_learn_of_the_change(app):
    apply_theme(app, "dark")
    assert current_theme().colours is DARK


def test_system_is_one_of_the_two(app):
    assert apply_theme(app, "system").colours in (LIGHT, DARK)


def test_a_look_tells_when_the_mode_changes(app):
    look = Look(app, "light")
    heard = []
    look.changed.connect(heard.append)
    look.set_mode("dark")
    assert [theme.name for theme in heard] == ["dark"]


def test_icons_change_their_tint_with_the_mode(app, show):
    button = QToolButton()
    set_icon(button, "stop", LIGHT)
    show(button, 60, 60)
    apply_theme(app, "dark")
    assert DARK.muted.lower() in middle_colours(button.icon().pixmap(48, 48))


def test_an_open_label_takes_the_new_ink(app, show):
    label = QLabel("Corpus")
    set_role(label, "title")
    show(label, 200, 60)
    apply_theme(app, "dark")
    app.processEvents()
    assert label.palette().color(QPalette.ColorRole.WindowText) == QColor(DARK.ink)


def test_sizes_step_up_from_meta_to_title(app):
    sizes = [
        font(current_theme(), role).pixelSize() for role in ("meta", "body", "reading", "title")
    ]
    assert sizes == sorted(set(sizes))


def test_figures_ask_for_one_width(app):
    assert font(current_theme(), "body").featureValue(QFont.Tag("tnum")) == 1


@pytest.mark.parametrize("name", icon_names())
def test_every_icon_can_be_drawn(app, name):
    assert middle_colours(pixmap(name, 48, "#ff0000")) == {"#ff0000"}


def test_every_icon_that_was_promised_is_there():
    promised = (
        "corpus duplicates search map teach import export undo redo settings info close check "
        "cross question warning chevron-down chevron-right file folder play stop more filter "
        "columns copy moon sun keyboard refresh trash"
    )
    assert set(promised.split()) <= set(icon_names())


def test_a_picture_at_twice_the_ratio_has_twice_the_pixels(app):
    assert pixmap("map", 20, "#000000", ratio=2).width() == 40


def test_an_unknown_icon_is_a_bug(app):
    with pytest.raises(FileNotFoundError):
        pixmap("no-such-icon", 20, "#000000")
