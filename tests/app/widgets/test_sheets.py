"""Keys, commands, settings and what the program is."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QRadioButton, QVBoxLayout, QWidget

from app.widgets.about_dialog import AboutDialog, Licence
from app.widgets.command_palette import CommandPalette, fuzzy_score
from app.widgets.keys_sheet import KeyCaps, KeyGroup, KeysSheet
from app.widgets.settings_dialog import AppearanceSection, SettingsDialog

GROUPS = (KeyGroup("Decide", (("S", "same"), ("Ctrl+Shift+Z", "redo"))),)


@pytest.fixture
def window(show):
    whole = QWidget()
    whole.field = QLineEdit()
    QVBoxLayout(whole).addWidget(whole.field)
    show(whole, 900, 600)
    whole.field.setFocus()
    return whole


def test_the_sheet_lists_keys_and_what_they_do(window):
    sheet = KeysSheet(window)
    sheet.show_keys("Keys of this page", GROUPS)
    words = [label.text() for label in sheet.findChildren(QLabel)]
    caps = [caps.accessibleName() for caps in sheet.findChildren(KeyCaps)]
    assert words[0] == "Keys of this page"
    assert {"Decide", "same", "redo"} <= set(words)
    assert caps == ["S", "Ctrl+Shift+Z"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_F1])
def test_escape_and_f1_close_the_sheet_and_give_the_focus_back(window, key):
    sheet = KeysSheet(window)
    sheet.show_keys("Keys", GROUPS)
    QTest.keyClick(sheet, key)
    assert not sheet.isVisible()
    assert QApplication.focusWidget() is window.field


def test_a_click_beside_the_card_closes_it(window):
    sheet = KeysSheet(window)
    sheet.show_keys("Keys", GROUPS)
    QTest.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert not sheet.isVisible()


def test_the_sheet_grows_with_the_window(window, app):
    sheet = KeysSheet(window)
    sheet.show_keys("Keys", GROUPS)
    window.resize(1_100, 700)
    app.processEvents()
    assert sheet.size() == window.size()


@pytest.fixture
def done():
    return []


@pytest.fixture
def palette(window, done):
    actions = []
    for words in ("&Import a file…", "Export…", "Find duplicates", "Not now"):
        action = QAction(words, window)
        action.triggered.connect(lambda _=False, words=words: done.append(words))
        actions.append(action)
    actions[0].setShortcut("Ctrl+I")
    actions[3].setEnabled(False)
    sheet = CommandPalette(window)
    sheet.open_with([*actions, actions[0]])
    return sheet


def type_in(palette, words):
    QTest.keyClicks(QApplication.focusWidget(), words)


def test_every_action_that_can_be_done_is_listed_once(palette):
    assert palette.matches() == ["Import a file…", "Export…", "Find duplicates"]


def test_typing_narrows_the_list(palette):
    type_in(palette, "dupl")
    assert palette.matches() == ["Find duplicates"]


def test_scattered_letters_match_too(palette):
    type_in(palette, "fdp")
    assert palette.matches() == ["Find duplicates"]


def test_enter_does_the_first_match(palette, done):
    type_in(palette, "exp")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert (done, palette.isVisible()) == (["Export…"], False)


def test_arrows_choose_another(palette, done):
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert done == ["Export…"]


def test_enter_without_a_match_does_nothing(palette, done):
    type_in(palette, "zzz")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert (done, palette.isVisible()) == ([], True)


def test_escape_gives_the_focus_back(palette, window):
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is window.field


def test_whole_words_win_over_scattered_letters():
    assert fuzzy_score("map", "Show on map") > fuzzy_score("map", "Make a plan")


def test_missing_letters_do_not_match():
    assert fuzzy_score("xyz", "Export…") is None


def test_sections_are_shown_as_chosen(show):
    dialog = SettingsDialog()
    one, two = QLabel("one"), QLabel("two")
    dialog.add_section("Appearance", "sun", one)
    dialog.add_section("Encoder", "settings", two)
    show(dialog, 680, 440)
    first = (one.isVisible(), two.isVisible())
    QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Down)
    assert first == (True, False)
    assert (one.isVisible(), two.isVisible()) == (False, True)


def test_choosing_dark_asks_for_it(show):
    section = show(AppearanceSection("light"), 300, 200)
    heard = []
    section.mode_wanted.connect(heard.append)
    dark = next(b for b in section.findChildren(QRadioButton) if b.text() == "Dark")
    QTest.keyClick(dark, Qt.Key.Key_Space)
    assert heard == ["dark"]


def test_about_says_what_matters(show):
    dialog = show(AboutDialog("0.1.0", [Licence("Qt", "LGPL-3.0")]), 520, 520)
    words = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "Version 0.1.0" in words
    assert "Nothing leaves this machine" in words
    assert "LGPL-3.0" in words


def test_escape_closes_about(show):
    dialog = show(AboutDialog("0.1.0", []), 520, 520)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
