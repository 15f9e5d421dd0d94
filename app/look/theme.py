"""One call dresses the whole program, and dresses it again when the mode changes."""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from app.look.icons import retint
from app.look.sheet import style_sheet
from app.look.tokens import DARK, LIGHT, Colours, TypeScale
from core.folders import resources

Mode = Literal["light", "dark", "system"]
Role = Literal["meta", "body", "reading", "title"]
_LARGEST_SCALE = 1.5
_TEXT_SIZE = "samesense_text_size"  # a property of the application, in percent


@dataclass(frozen=True, slots=True)
class Theme:
    """What a widget that paints itself needs to know."""

    name: Literal["light", "dark"]
    colours: Colours
    sizes: TypeScale

    @property
    def is_dark(self) -> bool:
        return self.name == "dark"


class Look(QObject):
    """Keeps the chosen mode and follows the system while the mode is `system`."""

    changed = Signal(object)  # Theme

    def __init__(self, app: QApplication, mode: Mode = "system") -> None:
        super().__init__(app)
        self._app = app
        self._mode: Mode = mode
        self.theme = apply_theme(app, mode)
        app.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def mode(self) -> Mode:
        return self._mode

    def set_mode(self, mode: Mode) -> None:
        """Dress every open window in `mode` at once."""
        self._mode = mode
        self.theme = apply_theme(self._app, mode)
        self.changed.emit(self.theme)

    def _follow_system(self) -> None:
        if self._mode == "system" and _system_is_dark() != self.theme.is_dark:
            self.set_mode("system")


def apply_theme(app: QApplication, mode: Mode) -> Theme:
    """Give `app` our style, palette, font and style sheet; return the theme it now wears."""
    dark = _system_is_dark() if mode == "system" else mode == "dark"
    theme = theme_named("dark" if dark else "light")
    QDir.setSearchPaths("controls", [str(resources() / "icons" / "controls")])
    if app.style().name().lower() != "fusion":
        app.setStyle("Fusion")
    app.setFont(font(theme, "body"))
    app.setPalette(_palette(theme.colours))
    app.setStyleSheet(style_sheet(theme.name, theme.colours, theme.sizes))
    retint(app, theme.colours)
    return theme


def set_text_size(app: QApplication, percent: int) -> None:
    """Grow or shrink all texts from the next dressing on; 100 is the system's own size."""
    app.setProperty(_TEXT_SIZE, percent)


def theme_named(name: Literal["light", "dark"]) -> Theme:
    return Theme(name, DARK if name == "dark" else LIGHT, _sizes())


def current_theme() -> Theme:
    """The theme the program wears, read from its palette, so it is right after a live change."""
    window = QGuiApplication.palette().color(QPalette.ColorRole.Window)
    return theme_named("dark" if window.lightness() < 128 else "light")


def theme_of(_widget: QWidget | None) -> Theme:
    """The theme a widget wears: that of the program, for there is one for all windows."""
    return current_theme()


def font(theme: Theme, role: Role, *, bold: bool = False) -> QFont:
    """The system's font at one of our sizes, with figures of one width where it has them."""
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    made.setPixelSize(getattr(theme.sizes, role))
    made.setFeature(QFont.Tag("tnum"), 1)
    made.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    if bold:
        made.setWeight(QFont.Weight.DemiBold)
    return made


def set_role(widget: QWidget, role: str) -> None:
    """Name what a label or button is (`title`, `meta`, `primary`, …) for the style sheet."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def _system_is_dark() -> bool:
    hints = QGuiApplication.styleHints()
    return hints.colorScheme() == Qt.ColorScheme.Dark


def _sizes() -> TypeScale:
    """Our sizes, grown in step with a system font that is larger than 13 pixels."""
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    app = QGuiApplication.instance()
    chosen = 100 if app is None else int(app.property(_TEXT_SIZE) or 100)
    scale = min(max(QFontInfo(system).pixelSize() / 13, 1.0), _LARGEST_SCALE) * chosen / 100
    plain = TypeScale()
    return TypeScale(
        round(plain.meta * scale),
        round(plain.body * scale),
        round(plain.reading * scale),
        round(plain.title * scale),
    )


def _palette(colours: Colours) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    for which, colour in {
        role.Window: colours.paper,
        role.WindowText: colours.ink,
        role.Base: colours.surface,
        role.AlternateBase: colours.paper,
        role.Text: colours.ink,
        role.PlaceholderText: colours.faint,
        role.Button: colours.surface,
        role.ButtonText: colours.ink,
        role.BrightText: colours.on_accent,
        role.ToolTipBase: colours.surface,
        role.ToolTipText: colours.ink,
        role.Highlight: colours.selection,
        role.HighlightedText: colours.ink,
        role.Accent: colours.accent,
        role.Link: colours.accent_text,
        role.LinkVisited: colours.accent_text,
        role.Light: colours.surface,
        role.Midlight: colours.hover,
        role.Mid: colours.line,
        role.Dark: colours.outline,
        role.Shadow: colours.outline,
    }.items():
        palette.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(colours.disabled))
    return palette
